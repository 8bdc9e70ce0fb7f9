"""Captions given as columns: lists, arrays, or columns of a table.

In: candidates, references and perhaps image ids, side by side (pandas, datasets,
numpy and plain lists). Out: what `as_samples` checks.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from spicepy.common.errors import InputError, shown
from spicepy.samples.sample import Sample


def chosen_samples(
    samples: Iterable[Sample | Mapping[str, Any]] | None,
    candidates: Iterable[Any] | None,
    references: Iterable[Any] | None,
    image_ids: Iterable[Any] | None,
) -> Iterable[Sample | Mapping[str, Any]]:
    """Return the samples, or those that the columns make.

    Raises:
        InputError: Both or neither are given, or columns of different lengths.
    """
    if samples is not None:
        if candidates is not None or references is not None or image_ids is not None:
            raise InputError("give either samples, or candidates and references")
        return samples
    if candidates is None or references is None:
        raise InputError("no samples: give samples, or candidates and references")
    own, others = _column(candidates, "candidates"), _column(references, "references")
    ids = range(len(own)) if image_ids is None else _column(image_ids, "image_ids")
    for name, column in (("references", others), ("image_ids", ids)):
        if len(column) != len(own):
            raise InputError(
                f"{len(own)} candidates, but {len(column)} {name}; the columns must "
                "have the same length"
            )
    return [
        {"image_id": i, "candidate": candidate, "references": _plain(found)}
        for i, candidate, found in zip(ids, own, others)
    ]


def _column(values: Iterable[Any], name: str) -> list[Any]:
    if isinstance(values, str | Mapping):
        raise InputError(f"{name}: found {shown(values)}; a list is expected")
    return list(values)


def _plain(value: Any) -> Any:
    """Return a cell of references as a list, if it is some other row of values."""
    if isinstance(value, str | Mapping | list | tuple) or not hasattr(value, "__len__"):
        return value
    return list(value)
