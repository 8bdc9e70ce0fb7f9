"""Summaries and tables of observations and findings."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

from spicepy.common.tables import Cell, Table
from spicepy.diagnosis.findings import (
    VERDICTS,
    Finding,
    ImageDiagnosis,
    Kind,
    Observation,
)
from spicepy.diagnosis.kinds import HALLUCINATED, NAMES
from spicepy.diagnosis.lexicon.aspects import ASPECTS, Aspect, Value, by_size
from spicepy.graph.matching import Counts
from spicepy.metrics.spice.metric import CategoryScore

Row = dict[str, float | int | None]
"""The values of `summarise`, in their order."""
_SHOWN = 10  # rows of a ranking or of object classes in a table
_COUNTS = range(1, 11)  # always in the confusion of counts


def categories(counts: Sequence[Mapping[str, Counts]]) -> dict[str, CategoryScore]:
    """Return every category over the images."""
    names = dict.fromkeys(name for found in counts for name in found)
    return {name: _category([c[name] for c in counts if name in c]) for name in names}


def _category(counts: Sequence[Counts]) -> CategoryScore:
    def mean(values: Iterable[float | None]) -> float | None:
        known = [v for v in values if v is not None]
        return sum(known) / len(known) if known else None

    return CategoryScore(
        mean(c.f for c in counts),
        mean(c.precision for c in counts),
        mean(c.recall for c in counts),
        sum(c.tp for c in counts),
        sum(c.fp for c in counts),
        sum(c.fn for c in counts),
        sum(c.defined for c in counts),
    )


def confusions(observations: Iterable[Observation]) -> dict[tuple[Value, Value], int]:
    """Return (expected, said) -> how often, where both are values."""
    return dict(
        Counter((o.expected, o.said) for o in observations if o.said is not None)
    )


def wilson(hits: int, total: int) -> tuple[float, float] | None:
    """Return the 95 % interval of a share; None without observations.

    Source: Wilson 1927, Probable inference.
    """
    if not total:
        return None
    share, z = hits / total, 1.959964
    middle = share + z * z / (2 * total)
    half = z * sqrt(share * (1 - share) / total + z * z / (4 * total * total))
    scale = 1 + z * z / total
    return max(0.0, (middle - half) / scale), min(1.0, (middle + half) / scale)


@dataclass(frozen=True, slots=True)
class Hallucinations:
    """Objects that the candidates have and the references do not.

    Attributes:
        per_caption: Share of captions with one (CHAIR-s), 0-1.
        per_mention: Share of the mentioned objects (CHAIR-i), 0-1.
        captions: The number of captions.
        mentions: The number of mentioned objects.
        classes: (noun, how often), the most frequent first.

    Source: Rohrbach et al. 2018, section 3.1; here with any noun as vocabulary.
    """

    per_caption: float | None
    per_mention: float | None
    captions: int
    mentions: int
    classes: tuple[tuple[str, int], ...]


def hallucinations(images: Sequence[ImageDiagnosis]) -> Hallucinations:
    """Return rates over the images, and the nouns most often invented."""
    kinds = HALLUCINATED
    own = [[f.members[0] for f in i.findings if f.kind in kinds] for i in images]
    return _rates(own, sum(image.mentions for image in images))


def chair(images: Sequence[ImageDiagnosis]) -> Hallucinations:
    """Return the rates of a vocabulary's classes that no reference names."""
    own = [[name for name, there in i.objects if not there] for i in images]
    return _rates(own, sum(len(image.objects) for image in images))


def _rates(own: Sequence[Sequence[str]], mentions: int) -> Hallucinations:
    """Return the rates of invented names among mentions and captions."""
    names = Counter(name for of_image in own for name in of_image)
    return Hallucinations(
        sum(map(bool, own)) / len(own) if own else None,
        names.total() / mentions if mentions else None,
        len(own),
        mentions,
        tuple(sorted(names.items(), key=lambda item: (-item[1], item[0]))),
    )


def summarise(observations: Sequence[Observation]) -> Row:
    """Return verdicts with shares and intervals, mean absolute error of numbers."""
    verdicts = Counter(o.verdict for o in observations)
    given = verdicts["right"] + verdicts["wrong"]
    distances = [
        abs(o.said - o.expected)
        for o in observations
        if isinstance(o.said, int) and isinstance(o.expected, int)
    ]
    return {
        "observations": len(observations),
        **{verdict: verdicts[verdict] for verdict in VERDICTS},
        **{
            f"{verdict}_{name}": value
            for verdict in VERDICTS
            for name, value in _share(verdicts[verdict], len(observations))
        },
        "accuracy": verdicts["right"] / given if given else None,
        "mean_absolute_error": sum(distances) / len(distances) if distances else None,
    }


def _share(hits: int, total: int) -> list[tuple[str, float | None]]:
    low, high = wilson(hits, total) or (None, None)
    return [("share", hits / total if total else None), ("low", low), ("high", high)]


def classes(observations: Iterable[Observation]) -> dict[str, Row]:
    """Return `summarise` by object class, the most frequent first."""
    groups: dict[str, list[Observation]] = {}
    for observation in observations:
        groups.setdefault(observation.object, []).append(observation)
    ordered = sorted(groups.items(), key=lambda item: (-len(item[1]), item[0]))
    return {name: summarise(group) for name, group in ordered}


def most_frequent(findings: Iterable[Finding], kind: Kind) -> list[tuple[str, int]]:
    """Return the tuples of a kind of error with their numbers, sorted by these."""
    printed = Counter(", ".join(f.members) for f in findings if f.kind == kind)
    return sorted(printed.items(), key=lambda item: (-item[1], item[0]))


def diagnosis_tables(
    scores: Mapping[str, CategoryScore],
    observations: Sequence[Observation],
    findings: Sequence[Finding],
    invented: Hallucinations,
    hidden: Mapping[Kind, int],
) -> tuple[Table, ...]:
    """Return categories, verdicts, object classes, confusions and rankings.

    Args:
        scores: Categories of SPICE; empty if it was not scored.
        observations: The verdicts on values of objects.
        findings: The findings that are shown.
        invented: Rates of hallucination.
        hidden: The number of findings that are not shown, by kind.
    """
    aspects = {a: [o for o in observations if o.aspect == a] for a in ASPECTS}
    tables: list[Table] = [_scores(scores)] if scores else []
    tables.append(_verdicts(aspects))
    tables += [_classes(aspect, rows) for aspect, rows in aspects.items() if rows]
    for aspect, rows in aspects.items():
        if any(o.said is not None for o in rows):
            tables.append(_confusion(aspect, confusions(rows)))
    tables.append(hallucinated(invented, "Objects that no reference has or is like"))
    return (*tables, _totals(findings, hidden), *_rankings(findings))


def _scores(scores: Mapping[str, CategoryScore]) -> Table:
    rows: list[tuple[Cell, ...]] = [
        (name, c.f, c.precision, c.recall, c.images) for name, c in scores.items()
    ]
    columns = ("Category", "F", "Precision", "Recall", "images")
    note = "means over the images whose references have the category"
    return Table("SPICE by category", columns, tuple(rows), (note,))


_NAMES = (
    *("observations", "right_share", "right_low", "right_high"),
    *("wrong_share", "wrong_low", "wrong_high"),
    *("unsaid_share", "absent_share", "mean_absolute_error"),
)
_COLUMNS = (
    *("objects", "right", "from", "to", "wrong", "from", "to"),
    *("unsaid", "absent", "mean abs. error"),
)


def _verdicts(aspects: Mapping[Aspect, Sequence[Observation]]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for aspect, observations in aspects.items():
        summary = summarise(observations)
        rows.append((aspect, *(summary[name] for name in _NAMES)))
    note = (
        "unsaid: the candidate has the object without a value; absent: it lacks "
        "the object; shares of all objects with 95 % intervals (Wilson)"
    )
    title = "Counts, colours, sizes … of the references' objects"
    return Table(title, ("Aspect", *_COLUMNS), tuple(rows), (note,))


def _classes(aspect: Aspect, observations: Sequence[Observation]) -> Table:
    every = classes(observations)
    rows: list[tuple[Cell, ...]] = [
        (name, *(summary[column] for column in _NAMES))
        for name, summary in list(every.items())[:_SHOWN]
    ]
    notes = (f"{_SHOWN} of {len(every)} classes",) if len(every) > _SHOWN else ()
    return Table(f"{aspect} by object", ("Object", *_COLUMNS), tuple(rows), notes)


def _confusion(aspect: Aspect, cells: Mapping[tuple[Value, Value], int]) -> Table:
    always: Iterable[Value] = _COUNTS if aspect == "count" else ()
    values = sorted({*always, *(v for pair in cells for v in pair)}, key=by_size)
    rows: list[tuple[Cell, ...]] = [
        (str(e), *(cells.get((e, s), 0) for s in values)) for e in values
    ]
    title = f"Confusion of {aspect}: columns are what candidates said"
    return Table(title, (f"{aspect} in references", *map(str, values)), tuple(rows))


def hallucinated(rates: Hallucinations, title: str) -> Table:
    """Return rates and the classes most often invented."""
    rows: list[tuple[Cell, ...]] = [
        ("captions with one (CHAIR-s)", rates.captions, rates.per_caption),
        ("mentioned objects (CHAIR-i)", rates.mentions, rates.per_mention),
    ]
    rows += [(noun, number, None) for noun, number in rates.classes[:_SHOWN]]
    return Table(title, ("Of", "number", "share"), tuple(rows))


def _totals(findings: Iterable[Finding], hidden: Mapping[Kind, int]) -> Table:
    numbers = Counter(f.kind for f in findings)
    if not hidden:
        shown = tuple((kind, numbers[kind]) for kind in NAMES)
        return Table("Errors", ("Error", "number"), shown)
    rows = tuple((kind, numbers[kind], hidden.get(kind, 0)) for kind in NAMES)
    note = (
        f"{sum(hidden.values())} hidden: less probable than --precision asks for, but "
        "counted in the expected numbers (--precision 0 lists all)"
    )
    return Table("Errors", ("Error", "number", "hidden"), rows, (note,))


def _rankings(findings: Sequence[Finding]) -> Iterator[Table]:
    for kind in NAMES:
        ranked = most_frequent(findings, kind)
        if not ranked:
            continue
        rows: list[tuple[Cell, ...]] = list(ranked[:_SHOWN])
        columns: tuple[str, ...] = (kind, "images")
        if kind == "missed object":
            mentions = Counter[str]()
            for finding in findings:
                if finding.kind == kind:
                    mentions[", ".join(finding.members)] += finding.references or 0
            rows = [(name, n, mentions[name]) for name, n in ranked[:_SHOWN]]
            columns = (*columns, "mentions")
        notes = (f"{_SHOWN} of {len(ranked)}",) if len(ranked) > _SHOWN else ()
        yield Table(f"Most frequent: {kind}", columns, tuple(rows), notes)
