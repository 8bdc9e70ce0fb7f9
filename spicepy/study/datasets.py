"""Judgment files: captions that people rated.

JSON lines, JSON or CSV, one rated caption per record:

    {"image_id": 7, "candidate": "a dog runs", "references": ["…", "…"],
     "system": "B", "human": [3, 4, 4]}

`image_id` names the image (several candidates may share it; the default is the record
number), and `system` the system that wrote the caption (for correlation over systems).
Every human column has a number, or a list with a number for each rater; in CSV "3;4;4".
Null or an empty cell means that nobody rated the caption in this respect. In CSV,
references are in columns whose names begin with `reference`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import Any

from spicepy.captions import sample as checks
from spicepy.captions.reading import read_records
from spicepy.common.errors import InputError, ResourceError, brief
from spicepy.common.files import read_text
from spicepy.common.resources import required
from spicepy.common.tables import Table
from spicepy.tokenization.samples import TokenisedSample

EQUAL: Mapping[str, str] = {
    "own": "removed from its references",
    "image": "removed from the references of all captions of the image",
    "keep": "kept",
}
"""Treatments of a candidate that equals a reference."""

_NOT_HUMAN = {"image_id", "row", "id", "system"}


@dataclass(frozen=True, slots=True)
class Judgment:
    """A candidate, its references and its ratings by people.

    `ratings` maps each human column to its ratings, one a rater; none if the
    caption was not rated in this respect.
    """

    image_id: checks.ImageId
    candidate: str
    references: tuple[str, ...]
    ratings: Mapping[str, tuple[float, ...]]
    system: str | None = None


def read_judgments(
    path: str | Path, human: Sequence[str] = ("human",)
) -> list[Judgment]:
    """Read a judgments file; `human` names the columns with human scores."""
    return [
        judgment_from(record, where, number, human)
        for number, (where, record) in enumerate(read_records(path), 1)
    ]


def judgment_from(
    record: Mapping[str, Any], where: str, number: int, human: Sequence[str]
) -> Judgment:
    """Build a checked judgment from one record; `where` opens error messages."""
    sample = checks.sample_from({"image_id": number, **record}, where)
    system = record.get("system", "")
    if system is not None and not isinstance(system, str | int):
        raise InputError(f"{where}: system is {brief(system)}; it must be a text")
    return Judgment(
        sample.image_id,
        sample.candidate,
        sample.references,
        {name: _ratings(record, name, where) for name in human},
        None if system is None or system == "" else checks.clean(str(system)),
    )


def _ratings(record: Mapping[str, Any], name: str, where: str) -> tuple[float, ...]:
    if name not in record:
        numeric = [
            n for n, v in record.items() if _is_rating(v) and n not in _NOT_HUMAN
        ]
        known = checks.clean(", ".join(numeric)[:200]) or "none"
        way = f" (--human {checks.clean(numeric[0])})" if numeric else ""
        raise InputError(
            f"{where}: no human column {name!r}; columns of numbers: {known}{way}"
        )
    value = record[name]
    if value is None or value in ("", []):
        return ()
    try:
        ratings = _numbers(value)
    except (TypeError, ValueError, OverflowError):
        ratings = ()
    if not ratings or not all(map(isfinite, ratings)):
        raise InputError(
            f"{where}: {name} is {brief(value)}; "
            "it must be a number or a list of numbers"
        )
    return ratings


def _numbers(value: Any) -> tuple[float, ...]:
    """Return the ratings of a value such as 4, [3, 4] or "3;4"."""
    parts = value.split(";") if isinstance(value, str) else value
    return tuple(map(_number, parts if isinstance(parts, list) else [parts]))


def _number(value: Any) -> float:
    if isinstance(value, bool | int | float | str):
        return float(value)
    raise TypeError


def _is_rating(value: Any) -> bool:
    try:
        return bool(_numbers(value))
    except (TypeError, ValueError, OverflowError):
        return False


BROWN = "brown"


def read_dataset(path: str | Path) -> dict[checks.ImageId, tuple[str, ...]]:
    """Return all captions of each image, in the file's order."""
    pooled: dict[checks.ImageId, tuple[str, ...]] = {}
    for where, record in read_records(path):
        image_id = checks.check_id(
            record.get("image_id", checks.MISSING), where, record
        )
        captions = _captions(record, f"{where} (image {brief(image_id)})")
        pooled[image_id] = pooled.get(image_id, ()) + captions
    return pooled


def _captions(record: Mapping[str, Any], where: str) -> tuple[str, ...]:
    single = [n for n in ("caption", "candidate", "test") if n in record]
    several = [n for n in ("references", "refs") if n in record]
    if not single and not several:
        raise InputError(
            f"{where}: no 'caption', and no 'test' and 'refs' "
            f"({checks.keys_of(record)})"
        )
    captions = tuple(checks.check_caption(record[n], n, where) for n in single[:1])
    return captions + tuple(
        c for n in several[:1] for c in checks.check_references(record[n], where)
    )


def read_sentences(source: str) -> list[str]:
    """Return the lines of a text file, or "brown": the sentences of nltk's corpus."""
    if source != BROWN:
        return [line.strip() for line in read_text(source).splitlines() if line.strip()]
    nltk = required("nltk", "the Brown corpus")

    try:
        return [" ".join(words) for words in nltk.corpus.brown.sents()]
    except LookupError:
        raise ResourceError(
            "nltk's Brown corpus is not installed: run `python -m nltk.downloader "
            "brown`, or give a text file with one sentence per line"
        ) from None


# References that equal a candidate: remove them, and count them by system.
#
# A system whose captions were copied from the references loses more references than
# others and is then scored against fewer, which can reverse a correlation.

ANYONE = "–"  # The system of captions without a system

_CHANCE = 0.01  # less likely than this if captions of all systems were alike


@dataclass(frozen=True, slots=True)
class Removed:
    """The references that a system's captions lost."""

    # `references` were removed from the references of `touched` of its `captions`;
    # `left_out` of them had no other references.
    system: str
    captions: int
    references: int
    touched: int
    left_out: int


@dataclass(frozen=True, slots=True)
class Kept:
    """The judgments that are scored, their samples and the references removed."""

    judgments: list[Judgment]
    samples: list[TokenisedSample]
    removed: tuple[Removed, ...]


def scored_samples(
    judgments: Sequence[Judgment], words: Mapping[str, str], equal: str
) -> Kept:
    """Return tokenised samples, numbered, and the judgments they come from."""
    # `words` are every caption's tokens joined by spaces; for `equal` see `EQUAL`.
    rated: dict[checks.ImageId, set[str]] = {}
    for judgment in judgments:
        rated.setdefault(judgment.image_id, set()).add(words[judgment.candidate])
    kept: list[Judgment] = []
    samples: list[TokenisedSample] = []
    losses: dict[str, list[tuple[int, bool]]] = {}
    for judgment in judgments:
        candidate = words[judgment.candidate]
        references = tuple(words[c] for c in judgment.references)
        if equal != "keep":
            unwanted = rated[judgment.image_id] if equal == "image" else {candidate}
            references = tuple(c for c in references if c not in unwanted)
        lost = len(judgment.references) - len(references)
        losses.setdefault(judgment.system or ANYONE, []).append((lost, not references))
        if references:
            samples.append(TokenisedSample(len(kept), candidate, references))
            kept.append(judgment)
    if not kept:
        raise InputError("no caption has references other than itself")
    removed = tuple(
        Removed(
            system,
            len(loss),
            sum(lost for lost, _ in loss),
            sum(lost > 0 for lost, _ in loss),
            sum(alone for _, alone in loss),
        )
        for system, loss in losses.items()
    )
    return Kept(kept, samples, removed)


def uneven(removed: Sequence[Removed]) -> str | None:
    """Return one sentence if systems lost more references than chance explains."""
    # The references removed are compared with the captions of each system by a
    # chi-squared test, at 1 %.
    total = sum(r.references for r in removed)
    captions = sum(r.captions for r in removed)
    if not total or len(removed) < 2:
        return None
    stats = required("scipy.stats", "a study of correlations")
    expected = [total * r.captions / captions for r in removed]
    chance = stats.chisquare([r.references for r in removed], expected).pvalue
    if chance >= _CHANCE:
        return None
    most = max(removed, key=lambda r: r.references / r.captions)
    return (
        f"{most.references} of the {total} references removed for being equal to a "
        f"candidate are those of system {most.system}, which wrote {most.captions} of "
        f"{captions} captions and is scored against fewer references than the others; "
        "--equal image gives all captions of an image the same ones"
    )


def removed_table(removed: Sequence[Removed]) -> Table:
    """Return one row per system; no row if nothing was removed."""
    columns = ("system", "captions", "references removed", "from captions", "left out")
    rows = tuple(
        (r.system, r.captions, r.references, r.touched, r.left_out) for r in removed
    )
    shown = rows if any(r.references for r in removed) else ()
    notes = ("left out: captions that had no other references",)
    return Table("References equal to a candidate", columns, shown, notes)
