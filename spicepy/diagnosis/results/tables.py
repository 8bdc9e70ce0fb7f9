"""Tables of a diagnosis, as the command line and the report show them."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from spicepy.captions.sample import ImageId
from spicepy.common.errors import counted
from spicepy.common.tables import Cell, Table
from spicepy.diagnosis.findings import (
    Fact,
    Finding,
    ImageDiagnosis,
    Kind,
    Observation,
    Pattern,
    strongest,
)
from spicepy.diagnosis.lexicon.aspects import ASPECTS, Aspect
from spicepy.diagnosis.patterns import LEVEL
from spicepy.diagnosis.results.listing import Listing
from spicepy.diagnosis.results.sums import (
    Hallucinations,
    classes,
    confusion_map,
    summarise,
)
from spicepy.metrics.significance import Expectation
from spicepy.metrics.spice import CategoryScore

EXPECTED: Final = (
    "each finding counts by its probability, hidden ones included; 95 % intervals"
)
"""The note below expected numbers."""
FIRST_PATTERNS: Final = 10
FIRST_FINDINGS: Final = 5
FIRST: Final = (10, 20, 50, 100)
"""How many of the most probable findings the estimated share of right ones is of."""
_WIDTH: Final = 60
_SHOWN = 10  # The most rows of a ranking or of object classes in a table.


def expectation_table(expectations: Mapping[str, Expectation]) -> Table:
    """Return a table of expected errors by question."""
    rows = [(name, e.mean, e.low, e.high) for name, e in expectations.items()]
    title = "Estimated errors per caption"
    return Table(title, ("A caption", "mean", "from", "to"), rows, (EXPECTED,))


def value_tables(
    scores: Mapping[str, CategoryScore], observations: Sequence[Observation]
) -> tuple[Table, ...]:
    """Return the tables of categories, verdicts, object classes and confusions."""
    # There are no `scores` of categories if SPICE was not scored.
    aspects = {a: [o for o in observations if o.aspect == a] for a in ASPECTS}
    tables: list[Table] = [_scores(scores)] if scores else []
    tables.append(_verdicts(aspects))
    tables += [_classes(aspect, rows) for aspect, rows in aspects.items() if rows]
    for aspect, rows in aspects.items():
        if any(o.said is not None for o in rows):
            tables.append(confusion_map(aspect, rows).table())
    return tuple(tables)


def _scores(scores: Mapping[str, CategoryScore]) -> Table:
    rows = [(name, c.f, c.precision, c.recall, c.images) for name, c in scores.items()]
    columns = ("Category", "F", "Precision", "Recall", "images")
    note = "means over the images whose references have the category"
    return Table("SPICE by category", columns, rows, (note,))


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
    rows = [
        (aspect, *map(summarise(observations).__getitem__, _NAMES))
        for aspect, observations in aspects.items()
    ]
    note = (
        "unsaid: the candidate has the object without a value, or with one that the "
        "references neither give nor rule out ('a boy' for 'a man'); absent: it lacks "
        "the object; shares of all objects with 95 % intervals (Wilson); count: things "
        "to which two or more references give a number, as in 'Can it count?', each "
        "weighted by the share of comparisons in which they do"
    )
    title = "Counts, colors, sizes … of the references' objects"
    return Table(title, ("Aspect", *_COLUMNS), rows, (note,))


def _classes(aspect: Aspect, observations: Sequence[Observation]) -> Table:
    every = classes(observations)
    own = slice(None if aspect == "count" else -1)  # Only numbers have a distance.
    rows = [
        (name, *map(summary.__getitem__, _NAMES[own]))
        for name, summary in list(every.items())[:_SHOWN]
    ]
    notes = (f"{_SHOWN} of {len(every)} classes",) if len(every) > _SHOWN else ()
    title, columns = f"{aspect.capitalize()} by object", ("Object", *_COLUMNS[own])
    return Table(title, columns, rows, notes)


def hallucinated(rates: Hallucinations, title: str) -> Table:
    """Return a table of rates and of the objects that are hallucinated most often."""
    captions, mentions = rates.per_caption or 0.0, rates.per_mention or 0.0
    rows = [
        ("captions with one", round(captions * rates.captions), rates.per_caption),
        ("mentions", round(mentions * rates.mentions), rates.per_mention),
    ]
    rows += [(noun, number, None) for noun, number in rates.classes[:_SHOWN]]
    note = f"of {rates.captions:,} captions and {rates.mentions:,} mentioned objects"
    return Table(title, ("Rate or object", "number", "share"), rows, (note,))


def kind_table(
    question: str,
    kinds: Sequence[Kind],
    findings: Iterable[Finding],
    hidden: Mapping[Kind, int],
    unmeasured: Mapping[Kind, int],
    precision: float,
    note: str = "",
) -> Table:
    """Return a table of the kinds that answer a question, the most frequent first."""
    # `hidden` are the numbers of findings below `precision`, `unmeasured` of those
    # without a probability; `note` says how many of the listed ones are right, if that
    # is known.
    listed = Counter(f.kind for f in findings)
    numbers = {kind: (listed[kind], hidden.get(kind, 0)) for kind in kinds}
    occur = [kind for kind in kinds if any(numbers[kind])]
    occur.sort(key=numbers.__getitem__, reverse=True)
    width = 3 if precision else 2
    columns = ("Kind", "listed", f"hidden below {limit(precision)}")[:width]
    rows = [(kind, *(n or None for n in numbers[kind]))[:width] for kind in occur]
    notes = [note] if note else []
    if absent := [k for k in kinds if not any(numbers[k]) and k not in unmeasured]:
        notes.append(f"none found: {', '.join(absent)}")
    if unchecked := {k: n for k, n in unmeasured.items() if k in kinds}:
        named = ", ".join(f"{kind} ({n})" for kind, n in unchecked.items())
        notes.append(
            f"listed only with --precision 0, since nobody has checked such findings: "
            f"{named}"
        )
    return Table(question.capitalize(), columns, rows, tuple(notes))


def limit(probability: float) -> str:
    """Return a probability as text: ".65"."""
    return f"{probability:.2f}".removeprefix("0")


def ranking_table(question: str, findings: Sequence[Finding]) -> Table:
    """Return a table of the most frequent tuples of a question's findings."""
    numbers = Counter((f.kind, f.text) for f in findings)
    mentions = Counter[tuple[Kind, str]]()
    for f in findings:
        mentions[f.kind, f.text] += f.references or 0
    ranked = sorted(numbers, key=lambda key: (-numbers[key], -mentions[key], key))
    rows = [(*key, numbers[key], mentions[key] or None) for key in ranked[:_SHOWN]]
    notes = (f"{_SHOWN} of {len(ranked)}",) if len(ranked) > _SHOWN else ()
    columns = ("kind", "tuple", "images", "references")
    return Table(f"{question.capitalize()}: most frequent", columns, rows, notes)


def pattern_table(patterns: Sequence[Pattern], most: int | None = None) -> Table:
    """Return a table of the patterns, each with a caption, at most `most` of them."""
    judged = any(p.agreement for p in patterns)
    rows = [
        (
            *(p.text, p.images, round(p.expected_images, 1)),
            *([p.agreement and str(p.agreement)] if judged else ()),
            p.examples[0].image_id if p.examples else None,
            shortened(p.examples[0].caption) if p.examples else "",
        )
        for p in strongest(patterns, most)
    ]
    shown = f"{len(rows)} of {len(patterns)}; " if len(rows) < len(patterns) else ""
    note = (
        f"{shown}what it does on more images than people do to each other (people: the "
        f"mean of the references; false discovery rate {LEVEL:g})"
        if rows
        else "nothing that it does significantly more often than people"
    )
    beside = ("annotations agree",) if judged else ()
    columns = ("Pattern", "images", "people", *beside, "such as image", "caption")
    return Table("What it does systematically", columns, rows, (note,), 1)


def patterns_by_system(patterns: Mapping[str, Sequence[Pattern]]) -> Table:
    """Return a table of the patterns of several systems on the same images."""
    known = {name: {p.text: p for p in found} for name, found in patterns.items()}
    every = [(text, p) for own in known.values() for text, p in own.items()]
    most: dict[str, float] = {}
    for text, p in every:
        most[text] = max(most.get(text, 0.0), p.excess)
    people: dict[str, list[float]] = {}
    for text, p in every:
        people.setdefault(text, []).append(round(p.expected_images, 1))
    rows = [
        (
            text,
            *(own[text].images if text in own else None for own in known.values()),
            _range(people[text]),
        )
        for text in sorted(most, key=lambda text: -most[text])
    ]
    note = (
        "numbers of images; people: the mean of the references, each compared with the "
        "others and the system, so that it may differ between systems; a system has a "
        f"number if it does so significantly more often (false discovery rate "
        f"{LEVEL:g})"
    )
    columns = ("Pattern", *known, "people")
    return Table("What systems do systematically", columns, rows, (note,), 1)


def _range(numbers: Sequence[float]) -> Cell:
    """Return numbers of images as one cell: 15.6, or "15.6–17.2" if they differ."""
    low, high = min(numbers), max(numbers)
    return low if low == high else f"{low:.1f}–{high:.1f}"


def probable_table(
    findings: Sequence[Finding], listing: Listing, precision: Mapping[int, float]
) -> Table:
    """Return a table of the most probable findings, with an estimate of their share."""
    # `findings` are what candidates say wrong, the most probable first; `precision` the
    # estimated share of right ones among the first so many.
    rows = [
        (f.image_id, f.kind, f.text, f.expected, f.words, f.probability)
        for f in findings[:FIRST_FINDINGS]
    ]
    columns = ("image", "kind", "tuple", "expected", "words", "probability")
    title = "Most probable errors"
    if not rows:
        return Table(title, columns, rows, ("nothing found that is said wrong",))
    shares = ", ".join(f"{n}: {100 * share:.0f} %" for n, share in precision.items())
    listed = sum(map(listing.has, findings))
    shown = f"{counted(len(findings), 'finding')}, {listed:,} of them listed"
    note = f"{shown}; estimated share of right ones among the first {shares}"
    if not shares:
        note = f"{shown}; too few to estimate how many of them are right"
    return Table(title, columns, rows, (note,), 2)


def shortened(text: str) -> str:
    """Return a text that is cut to the number of characters that tables can show."""
    return text if len(text) <= _WIDTH else f"{text[: _WIDTH - 1].rstrip()}…"


def doubted_facts(
    images: Sequence[ImageDiagnosis], facts: Sequence[Sequence[Fact]]
) -> Table:
    """Return a table of the facts that are most likely wrong, one for each finding."""
    # If several facts are wrong by the same finding, the shortest one is shown, such as
    # the object that is not in the picture.
    every = [(i.image_id, fact) for i, own in zip(images, facts) for fact in own]
    once: dict[tuple[ImageId, Kind, float], tuple[ImageId, Fact]] = {}
    for i, fact in sorted(every, key=lambda pair: len(pair[1].members)):
        once.setdefault((i, fact.kind, fact.wrong), (i, fact))
    ranked = sorted(once.values(), key=lambda pair: -pair[1].wrong)[:_SHOWN]
    rows = [
        (image_id, f.sentence, f.text, f.wrong, f.kind or None)
        for image_id, f in ranked
    ]
    note = (
        f"{counted(len(every), 'fact')} in the parts that describe the picture; "
        f"{sum(fact.wrong for _, fact in every):.1f} are expected to be wrong"
    )
    columns = ("image", "sentence", "fact", "wrong", "kind")
    return Table("Facts most likely wrong", columns, rows, (note,))
