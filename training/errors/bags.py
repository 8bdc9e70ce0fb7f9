"""Findings with people's verdicts on them, for `training.errors.fitting`.

In: captions that people judged (`training/errors/labels.py`), the development
part only. Out: `Bag`s. Where people marked a word or a kind of error, a bag holds the
findings of that word or kind; where they rated a caption, it holds all that may be
wrong with it. Captions that people wrote, each against the others of its image, say
hardly anything wrong; their findings are the negatives.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from math import inf
from pathlib import Path
from random import Random
from typing import Any, Final

from spicepy.diagnosis import Analysis, Finding, Scene
from spicepy.diagnosis.captions.reader import analysis_pipeline
from spicepy.diagnosis.findings import Thresholds
from spicepy.diagnosis.kinds import MISSING, WRONG
from spicepy.diagnosis.kinds.detections import FEATURES
from spicepy.objects.vocabulary import load_vocabulary
from training.errors import labels
from training.errors.labels import LABELS, UNRELATED, Row
from training.errors.verdicts import Verdict, own_verdicts

Found = list[tuple[Finding, list[float]]]
Read = Callable[[Row], Found]

INVENTED: Final = (
    "inexistent-object",
    "extra subject",
    "similar-object",
    "wrong-object",
)
RATED: Final[Mapping[int, float]] = {1: 0.97, 2: 0.9, 3: 0.6, 4: 0.25, 5: 0.04}
"""Rating of a caption -> the probability that people saw an error in it."""
PEOPLE_WRONG: Final = (0.02, 0.35)
"""The probabilities that a finding about a caption that people wrote is right: of any
finding, and of one that half of the references settle (read by hand:
`fixtures/verdicts`, sample 7)."""
PEOPLE: Final = 4000
"""The number of COCO images of which one caption is a candidate."""
MISSED: Final = 2
"""The number of references that must have a thing for it to be missed: fewer than
usual, so that more verdicts tell of it."""
FEWER: Final = 4
"""The maximum number of references, drawn at random, that a caption is also compared
with."""
OUTLINED: Final = 100
"""The number of answers of a large model on images whose objects people outlined."""
INVENTED_IF_OUTLINED: Final = (0.66, 0.03)
"""The probabilities that a thing which no reference has is invented, if it is not
outlined or is. Not all is outlined: of the things that one person names and four others
do not, .35 are not. So of those that large models name, .62 of which are not outlined,
(.62 - .35) / (1 - .35) = .41 are invented."""
MISCOUNTED_IF_FEWER: Final = (0.05, 0.85)
"""The probabilities that a number which references contradict is wrong, if outlines
have as many or more things ("two cars" of a row of cars), or fewer."""
BY_PEOPLE: Final = ("coco_people", "coco_train")
"""Data sets, in `fixtures/verdicts`, of captions that people wrote."""


@dataclass(frozen=True, slots=True)
class Bag:
    """Findings of which at least one is right with the probability `target`.

    Attributes:
        data: The data set.
        image_id: The image.
        by_people: Whether people wrote the caption.
        findings: Kind and features of each.
        target: The probability that people call one of them right, 0-1.
        leak: The probability of another error, which no finding is about, 0-1.
    """

    data: str
    image_id: str
    by_people: bool
    findings: tuple[tuple[str, tuple[float, ...]], ...]
    target: float
    leak: float = 0.0


def bags(
    shared: Path,
    cache: str | None = None,
    verdicts: Iterable[tuple[Verdict, Row]] = (),
) -> list[Bag]:
    """Return the bags of all data sets and further verdicts that hold a finding."""
    thresholds = Thresholds(missed=MISSED)
    analysis = Analysis(thresholds=thresholds, pipeline=analysis_pipeline(cache=cache))

    def read(row: Row) -> Found:
        readings = analysis.reader.read([row["candidate"], *row["references"]])
        others = tuple(readings[r] for r in row["references"])
        return analysis.evidence(Scene(0, readings[row["candidate"]], others))

    made = (_flickr, _hat, _foil, _composite, _rated, _people)
    found = [bag for make in made for bag in make(shared, read) if bag.findings]
    found += _outlined(shared, read, analysis.lexicon.nouns.is_person)
    judged = chain(own_verdicts(shared), verdicts)
    return found + [bag for bag in _judged(read, judged) if bag.findings]


def _rows(found: Iterable[Row], *, fewer: bool = True) -> Iterator[Row]:
    """Yield the rows of the development part.

    Where `fewer`, each is there once more with some of its references only, so that
    their number does not tell who wrote the caption.
    """
    for row in labels.of_part(found, "development"):
        yield row
        references = row["references"]
        if fewer:
            drawn = Random(" ".join(references))
            number = drawn.randint(1, min(FEWER, len(references)))
            yield {**row, "references": drawn.sample(references, number)}


def _bag(
    data: str,
    row: Row,
    findings: Found,
    target: float,
    *,
    leak: float = 0.0,
    by_people: bool = False,
) -> Bag:
    kept = tuple((f.kind, tuple(x)) for f, x in findings)
    return Bag(data, str(row["image_id"]), by_people, kept, target, leak)


def _flickr(shared: Path, read: Read) -> Iterator[Bag]:
    """Kinds of errors that people listed for machine captions."""
    bag = partial(_bag, "flickr30k")
    for row in _rows(labels.errors(shared, "flickr30k-labelled")):
        found = read(row)
        if UNRELATED in row["errors"]:
            continue
        kinds = {**LABELS, "invented object": INVENTED}
        for kind in WRONG:
            own = [pair for pair in found if pair[0].kind == kind]
            if kind in kinds:
                marked = not set(kinds[kind]).isdisjoint(row["errors"])
                if marked:
                    yield bag(row, own, 1.0)
                else:
                    yield from (bag(row, [one], 0.0) for one in own)
            elif not row["errors"]:
                yield from (bag(row, [one], 0.0) for one in own)


def _hat(shared: Path, read: Read) -> Iterator[Bag]:
    """Words that people marked."""
    for row in _rows(labels.errors(shared, "hat")):
        wrong = {w.lower().strip(".,") for w, bad in row["words"] if bad}
        for one in _wrong(read(row)):
            hit = not wrong.isdisjoint(one[0].words.lower().split())
            yield _bag("hat", row, [one], float(hit))


def _foil(shared: Path, read: Read) -> Iterator[Bag]:
    """Read words that were replaced, and true captions of people."""
    for row in _rows(labels.errors(shared, "nocaps-foil")):
        foil = {**row, "candidate": row["foil"]}
        for one in (pair for pair in read(foil) if pair[0].kind in labels.OBJECTS):
            words = {*one[0].words.split(), *one[0].members[0].split(), *one[0].members}
            hit = not words.isdisjoint((row["wrong"], *row["wrong"].split()))
            yield _bag("foil", foil, [one], float(hit))
        true = {**row, "candidate": row["caption"]}
        for one in _wrong(read(true)):
            yield _bag("nocaps", true, [one], _of_people(one), by_people=True)


def _composite(shared: Path, read: Read) -> Iterator[Bag]:
    """Captions that people rated for correctness and for thoroughness."""
    for row in _rows(labels.judged(shared, "composite_half"), fewer=False):
        found, human = read(row), row["system"] == "human"
        if human and row["human"] == max(RATED):
            for one in _wrong(found):
                yield _bag("composite", row, [one], _of_people(one), by_people=True)
        else:
            target = RATED[row["human"]]
            own = _wrong(found)
            yield _bag("composite", row, own, target, leak=0.1, by_people=human)
        if row["thoroughness"] is not None:
            target = RATED[round(row["thoroughness"])]
            own = [pair for pair in found if pair[0].kind in MISSING]
            yield _bag("composite", row, own, target, leak=0.1, by_people=human)


def _rated(shared: Path, read: Read) -> Iterator[Bag]:
    """Machine captions that people rated as a whole."""
    for name in ("nebula_test", "capeval1k"):
        for row in _rows(labels.judged(shared, name), fewer=False):
            own = _wrong(read(row))
            yield _bag(name, row, own, 1 - row["human"], leak=0.1)


def _outlined(
    shared: Path, read: Read, is_person: Callable[[str], bool]
) -> Iterator[Bag]:
    """Objects and their numbers in answers of large models, beside outlines."""
    class_of = load_vocabulary().class_of
    for row, outlined in labels.outlined(shared, "goldens_lvlm", OUTLINED):
        for one in read(row):
            name = class_of(one[0].members[0], is_person)
            target = _beside_outlines(one[0], name, outlined) if name else None
            if target is not None:
                yield _bag("outlines", row, [one], target)


def _beside_outlines(
    finding: Finding, name: str, outlined: Mapping[str, Any]
) -> float | None:
    """Return how likely a finding about a class is right; None if it is unknown."""
    number = inf if name in outlined["crowd"] else outlined["counts"].get(name, 0)
    if finding.kind == "invented object":
        return INVENTED_IF_OUTLINED[number > 0]
    if finding.kind == "wrong count":
        said = int(finding.word) if finding.word.isdecimal() else 2  # "many"
        return MISCOUNTED_IF_FEWER[number < said]
    return None


def _people(shared: Path, read: Read) -> Iterator[Bag]:
    """Captions that people wrote for COCO and Flickr30k."""
    flickr = [
        {**row, "candidate": text, "references": others}
        for row in labels.errors(shared, "flickr30k-labelled")
        for text, others in _each_against_others(row["references"])
    ]
    coco = labels.by_people(shared, PEOPLE, "development")
    for data, found in (("coco", coco), ("flickr30k references", flickr[::3])):
        for row in _rows(found):
            for one in _wrong(read(row)):
                yield _bag(data, row, [one], _of_people(one), by_people=True)


def _each_against_others(captions: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    for k, text in enumerate(captions):
        yield text, [*captions[:k], *captions[k + 1 :]]


def _judged(read: Read, judged: Iterable[tuple[Verdict, Row]]) -> Iterator[Bag]:
    """Read findings that were judged by hand."""
    for verdict, row in judged:
        if labels.part_of(row["image_id"]) == "kept-out":
            continue
        own = [
            (finding, features)
            for finding, features in read(row)
            if finding.kind == verdict.kind and verdict.about in ("", finding.text)
        ]
        people = verdict.data in BY_PEOPLE
        yield _bag("verdicts", row, own, verdict.target, by_people=people)


def _of_people(found: tuple[Finding, list[float]]) -> float:
    values = dict(zip(FEATURES, found[1], strict=True))
    return PEOPLE_WRONG[bool(values["conclusive"] and values["against"] >= 0.5)]


def _wrong(found: Found) -> Found:
    return [pair for pair in found if pair[0].kind in WRONG]
