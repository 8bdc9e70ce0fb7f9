"""Judgment files: captions that people rated.

In: JSON lines, JSON or CSV, one rated caption a record:

    {"image_id": 7, "candidate": "a dog runs", "references": ["…", "…"],
     "system": "B", "human": [3, 4, 4]}

`image_id` names the image (several candidates may share it; the default is the record
number), and `system` the system that wrote the caption (for correlation over systems).
Every human column has a number, or a list with a number for each rater; in CSV "3;4;4".
Null or an empty cell means that nobody rated the caption in this respect. In CSV,
references are in columns whose names begin with `reference`.

Out: `Judgment` values.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import Any

from spicepy.common.errors import InputError, shown
from spicepy.samples.reading import read_records
from spicepy.samples.sample import ImageId, clean, sample_from

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

    image_id: ImageId
    candidate: str
    references: tuple[str, ...]
    ratings: Mapping[str, tuple[float, ...]]
    system: str | None = None


def read_judgments(
    path: str | Path, human: Sequence[str] = ("human",)
) -> list[Judgment]:
    """Read a judgments file.

    Args:
        path: The file; "-" is standard input, `.gz` is unpacked.
        human: Names of the columns with human scores.

    Raises:
        InputError: A record is wrong; the message names file, record and value.
    """
    return [
        judgment_from(record, where, number, human)
        for number, (where, record) in enumerate(read_records(path), 1)
    ]


def judgment_from(
    record: Mapping[str, Any], where: str, number: int, human: Sequence[str]
) -> Judgment:
    """Build a checked judgment from one record; `where` opens error messages."""
    sample = sample_from({"image_id": number, **record}, where)
    system = record.get("system", "")
    if system is not None and not isinstance(system, str | int):
        raise InputError(f"{where}: system is {shown(system)}; it must be a text")
    return Judgment(
        sample.image_id,
        sample.candidate,
        sample.references,
        {name: _ratings(record, name, where) for name in human},
        None if system is None or system == "" else clean(str(system)),
    )


def _ratings(record: Mapping[str, Any], name: str, where: str) -> tuple[float, ...]:
    if name not in record:
        numeric = [
            n for n, v in record.items() if _is_rating(v) and n not in _NOT_HUMAN
        ]
        known = clean(", ".join(numeric)[:200]) or "none"
        raise InputError(
            f"{where}: no human column {name!r}; columns of numbers: {known}"
        )
    value = record[name]
    if value is None or value in ("", []):
        return ()
    parts = value.split(";") if isinstance(value, str) else value
    try:
        ratings = tuple(map(_number, parts if isinstance(parts, list) else [parts]))
    except (TypeError, ValueError, OverflowError):
        ratings = ()
    if not ratings or not all(map(isfinite, ratings)):
        raise InputError(
            f"{where}: {name} is {shown(value)}; "
            "it must be a number or a list of numbers"
        )
    return ratings


def _number(value: Any) -> float:
    if isinstance(value, bool | int | float | str):
        return float(value)
    raise TypeError


def _is_rating(value: Any) -> bool:
    values = value if isinstance(value, list) and value else [value]
    try:
        return bool([_number(v) for v in values])
    except (TypeError, ValueError, OverflowError):
        return False
