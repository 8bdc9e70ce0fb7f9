"""Systems compared with annotations: hallucinated objects, numbers, and findings."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from spicepy.common.pages import safe
from spicepy.common.tables import Cell, Cells, P, Table, cell_text
from spicepy.common.writing import Displayed, FileForm
from spicepy.diagnosis.annotations import (
    AnnotatedDiagnosis,
    beside_annotations,
    chair_of,
    finding_table,
)
from spicepy.diagnosis.lexicon.nouns import Nouns
from spicepy.diagnosis.results.diagnosis import Diagnosis
from spicepy.evaluation.comparison import Comparison
from spicepy.evaluation.evaluation import Evaluation
from spicepy.metrics.significance import Interval, wilson
from spicepy.objects import chair_results, counting_results
from spicepy.objects.chair import Chair
from spicepy.objects.chair_results import ChairResult
from spicepy.objects.counting import Counting
from spicepy.objects.counting_results import CountingResult
from spicepy.objects.instances import Instances
from spicepy.objects.vocabulary import COCO, load_vocabulary
from spicepy.reporting.study_figures import (
    Point,
    draw_lines,
    page,
    pictures,
    section,
)

Figure = tuple[str, str]  # A title and the text of an SVG picture
Grounded = ChairResult | CountingResult
BySystem = Mapping[str, Mapping[Any, Mapping[str, Any]]]
"""System -> a class, sentence or number -> values by name."""

_CLASSES: Final = 20  # The number of classes that a table shows
_SENTENCES: Final = 12  # The number of sentences that a table and a picture show
_MIN_CASES: Final = 5
"""The mentions of a sentence, or claims of a number, that a picture needs."""
_BY_SENTENCE: Final = "Share of hallucinated mentions by sentence"
_BY_NUMBER: Final = "Share of exact numbers by true number (tier A)"


@dataclass(frozen=True, slots=True, repr=False)
class SideBySide(Displayed):
    """The results of several systems as one section shows them."""

    protocol: Mapping[str, object]  # The protocol of the comparison, line by line
    signatures: tuple[str, ...]  # Everything that can change the scores
    shown: tuple[Table, ...]  # The tables; the first stands open

    def tables(self) -> tuple[Table, ...]:
        """Return the tables."""
        return self.shown


def judged(
    systems: Mapping[str, Evaluation],
    diagnoses: Mapping[str, Diagnosis],
    nouns: Nouns,
    vocabulary: str = COCO,
) -> dict[str, AnnotatedDiagnosis]:
    """Return diagnoses beside annotations, where a metric has annotations."""
    return {
        name: beside_annotations(own, instances, load_vocabulary(vocabulary), nouns)
        for name, own in diagnoses.items()
        if (instances := _instances(systems[name])) is not None
    }


def _instances(evaluation: Evaluation) -> Instances | None:
    metrics = (measured.metric for measured in evaluation.measured)
    instances = (m.instances for m in metrics if isinstance(m, Chair | Counting))
    return next(instances, None)


def sections(
    systems: Mapping[str, Evaluation],
    comparison: Comparison,
    beside: Mapping[str, AnnotatedDiagnosis],
    counted: Mapping[str, CountingResult],
) -> list[str]:
    """Return the HTML sections on hallucination, counting and findings that there are.

    `beside` are diagnoses, and `counted` numbers, beside annotations.
    """
    texts = []
    if named := chair_of(systems):
        tables = _chair_tables(named, comparison)
        texts.append((_side_by_side(named, tables, comparison), chair_figures(named)))
    if counted:
        tables = _counting_tables(counted, comparison)
        shown = _side_by_side(counted, tables, comparison)
        texts.append((shown, counting_figures(counted)))
    if beside:
        note = {"refuted": "struck out below, and not counted above"}
        texts.append((SideBySide(note, (), (finding_table(beside),)), []))
    # Escaped by their own templates.
    return [safe(section(result, figures)) for result, figures in texts]


def _side_by_side(
    results: Mapping[str, Grounded], tables: tuple[Table, ...], comparison: Comparison
) -> SideBySide:
    signatures = tuple(dict.fromkeys(r.signature for r in results.values()))
    protocol = dict(next(iter(results.values())).protocol)
    protocol["in brackets"] = f"{100 * comparison.level:g} % bootstrap intervals"
    if comparison.tests:
        protocol["p"] = (
            "paired approximate randomization, two-sided, "
            f"{comparison.correction.capitalize()}-corrected"
        )
    return SideBySide(protocol, signatures, tables)


def annotated_keys(systems: Mapping[str, Evaluation]) -> frozenset[str]:
    """Return the scores that have a section of their own."""
    first = next(iter(systems.values()))
    metrics = (measured.metric for measured in first.measured)
    return frozenset(
        key for m in metrics if isinstance(m, Chair | Counting) for key in m.keys
    )


def chair_figures(results: Mapping[str, ChairResult]) -> list[Figure]:
    """Return the share of hallucinated mentions by sentence, if there are several."""
    shares = {}
    for name, result in results.items():
        sentences = list(result.by_sentence().values())[:_SENTENCES]
        shares[name] = [(rate["hallucinated"], rate["mentions"]) for rate in sentences]
    if max(map(len, shares.values())) < 2:
        return []
    return list(_figure(_BY_SENTENCE, "number of the sentence", None, shares))


def counting_figures(results: Mapping[str, CountingResult]) -> list[Figure]:
    """Return the share of exact numbers by true number, with that of people."""
    groups = {name: result.by_true() for name, result in results.items()}
    first = next(iter(results.values()))
    if first.people:
        groups["references"] = replace(first, captions=first.people).by_true()
    shares = {
        name: [
            (round((scored["exact"] or 0) * scored["claims"]), scored["claims"])
            for scored in numbers.values()
        ]
        for name, numbers in groups.items()
    }
    names = list(next(iter(groups.values())))
    return list(_figure(_BY_NUMBER, "true number", names, shares))


def _figure(
    title: str,
    across: str,
    names: Sequence[str] | None,
    shares: Mapping[str, Sequence[tuple[int, int]]],
) -> Iterator[Figure]:
    """Yield lines of shares, given as (hits, total), up to the first of too few."""
    lines: dict[str, list[Point]] = {}
    for name, rates in shares.items():
        for place, (hits, total) in enumerate(rates, 1):
            if total < _MIN_CASES:
                break
            low, high = wilson(hits, total) or (0.0, 1.0)
            at = names[place - 1] if names else place
            label = f"{name}, {at}: {hits} of {total}"
            lines.setdefault(name, []).append(Point(hits / total, low, high, label))
    longest = max(map(len, lines.values()), default=0)
    if longest > 1:
        shown = names or [str(k) for k in range(1, longest + 1)]
        yield title, draw_lines(title, across, shown[:longest], lines)


def _chair_tables(
    results: Mapping[str, ChairResult], comparison: Comparison
) -> tuple[Table, ...]:
    title, titles = "Hallucinated objects (CHAIR)", chair_results.TITLES
    return (
        *_scores(title, titles, comparison),
        _class_table({name: result.by_class() for name, result in results.items()}),
        *_sentence_table({n: result.by_sentence() for n, result in results.items()}),
    )


def _counting_tables(
    results: Mapping[str, CountingResult], comparison: Comparison
) -> tuple[Table, ...]:
    return (
        *_scores("Numbers of objects (tier A)", counting_results.TITLES, comparison),
        _exact_table("Groups of claims", results, lambda r: r.groups()),
        _exact_table("By true number (tier A)", results, lambda r: r.by_true()),
        _exact_table("By number said (tier A)", results, lambda r: r.by_said()),
        _exact_table("By class", results, lambda r: r.by_class()),
    )


def _scores(
    title: str, titles: Mapping[str, str], comparison: Comparison
) -> Iterator[Table]:
    """Yield the scores with intervals, with tests in a column or a table."""
    tests = tuple(test for test in comparison.tests if test.key in titles)
    several = len(comparison.systems) > 2
    columns = ["Score", *comparison.systems]
    columns += [] if several or not tests else ["difference", "p"]
    rows: list[Cells] = []
    for key, name in titles.items():
        interval = comparison.intervals[key]
        cells: list[Cell] = [name, *map(_interval, interval)]
        if tests and not several:
            test = next(test for test in tests if test.key == key)
            cells += [test.difference, P(test.corrected_randomization)]
        rows.append(tuple(cells))
    yield Table(title, tuple(columns), rows)
    if several:
        own_tests = replace(comparison, tests=tests, titles=titles)
        yield replace(own_tests.significance(), title=f"{title}: paired differences")


def _interval(interval: Interval) -> str:
    score, low, high = (
        cell_text(v, 3) for v in (interval.score, interval.low, interval.high)
    )
    return score if low == "–" else f"{score} ({low}–{high})"


def _class_table(by_system: BySystem) -> Table:
    """Return a table of the classes that are hallucinated most often, by system."""
    sums = Counter[str]()
    for own in by_system.values():
        sums.update({name: row["hallucinated"] for name, row in own.items()})
    names = [name for name, number in sums.most_common(_CLASSES) if number]
    there = {
        name: max(rows[name]["there"] for rows in by_system.values() if name in rows)
        for name in names
    }
    none = {"hallucinated": 0, "mentions": 0}
    columns = ("Class", "images with it", *_heads(by_system, none))
    rows = tuple((n, there[n], *_cells(n, by_system, none)) for n in names)
    return Table("Classes most often hallucinated", columns, rows)


def _sentence_table(by_system: BySystem) -> Iterator[Table]:
    """Yield the rates of each sentence, if any caption has several."""
    last, none = max(map(len, by_system.values())), {"share": None, "mentions": 0}
    if last > 1:
        places = range(1, min(last, _SENTENCES) + 1)
        rows = tuple((str(at), *_cells(at, by_system, none)) for at in places)
        columns = ("Sentence", *_heads(by_system, none))
        yield Table("Hallucinated mentions by sentence", columns, rows)


def _exact_table(
    title: str,
    results: Mapping[str, CountingResult],
    groups: Callable[[CountingResult], Mapping[str, Mapping[str, Any]]],
) -> Table:
    """Return the share of exact claims in groups, system by system."""
    by_system = {name: groups(result) for name, result in results.items()}
    names = dict.fromkeys(name for rows in by_system.values() for name in rows)
    none = {"claims": 0, "exact": None, "always_two": None}
    shown = list(names)[:_CLASSES]
    rows = tuple((name, *_cells(name, by_system, none)) for name in shown)
    return Table(title, ("", *_heads(by_system, none)), rows)


def _cells(name: object, by_system: BySystem, none: Mapping[str, Cell]) -> list[Cell]:
    """Return a row's values, system by system; `none` are those of an absent one."""
    return [rows.get(name, none)[kind] for rows in by_system.values() for kind in none]


def _heads(systems: Mapping[str, object], kinds: Iterable[str]) -> list[str]:
    """Return the heads of columns, one per system and kind."""
    titles = [kind.replace("_", " ") for kind in kinds]
    if len(systems) == 1:
        return titles
    return [f"{name}: {title}" for name in systems for title in titles]


def _figures(result: Grounded) -> list[Figure]:
    if isinstance(result, ChairResult):
        return chair_figures({"captions": result})
    return counting_figures({"captions": result})


_NO_PICTURE: Final = (
    "this result has no picture: CHAIR is drawn by sentence, and no caption has two; "
    "numbers by true number, and too few are said"
)
PICTURES: Final[Mapping[str, FileForm[Any]]] = {
    ".html": lambda result: [page(result, _figures(result))],
    ".svg": lambda result: pictures(_figures(result), _NO_PICTURE),
}
"""The forms of results of CHAIR and counting beside those of every result."""
