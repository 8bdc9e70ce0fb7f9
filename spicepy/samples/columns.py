"""Captions as columns: lists, arrays, columns of a table, or a whole table.

In: columns of candidates, references and optional image ids (pandas, datasets, numpy or
plain lists); or a table of pandas or polars with the columns of a CSV file. Out:
samples that are not checked yet (`as_samples`).
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from spicepy.common.errors import InputError, shown
from spicepy.common.plurals import counted
from spicepy.samples.foreign import header_names
from spicepy.samples.records import check_repeats, merged
from spicepy.samples.sample import Sample, is_row, scalar


def chosen_samples(
    samples: Iterable[Sample | Mapping[str, Any]] | None,
    candidates: Iterable[Any] | None,
    references: Iterable[Any] | None,
    image_ids: Iterable[Any] | None,
) -> Iterable[Sample | Mapping[str, Any]]:
    """Return the samples as given, or made from the columns.

    Raises:
        InputError: Both or neither are given, or columns of different lengths.
    """
    if samples is not None:
        if candidates is not None or references is not None or image_ids is not None:
            raise InputError("give either samples, or candidates and references")
        rows = _rows(samples)
        return _listed(samples) if rows is None else _of_table(rows)
    if candidates is None or references is None:
        raise InputError("no samples: give samples, or candidates and references")
    own, others = _column(candidates, "candidates"), _column(references, "references")
    ids = range(len(own)) if image_ids is None else _column(image_ids, "image_ids")
    for name, column in (("references", others), ("image_ids", ids)):
        if len(column) != len(own):
            raise InputError(
                f"{counted(len(own), 'candidate')}, but {len(column)} {name}; the "
                "columns must have the same length"
            )
    return [
        {"image_id": i, "candidate": candidate, "references": _plain(texts)}
        for i, candidate, texts in zip(ids, own, others)
    ]


def _listed(samples: Any) -> Iterable[Sample | Mapping[str, Any]]:
    """Return the samples if they are several, in whatever kind of list.

    Raises:
        InputError: They are one sample, the name of a file, or no list at all.
    """
    if isinstance(samples, Mapping | Sample):
        raise InputError("samples: found one sample; a list of samples is expected")
    if isinstance(samples, str | Path):
        raise InputError(
            f"samples: found {shown(str(samples))}; a list of samples is expected; "
            "`spicepy.samples.reading.read_samples` makes one of a file"
        )
    if not isinstance(samples, Iterable):
        raise InputError(
            f"samples: found {shown(samples)}; a list of samples is expected"
        )
    return samples


def _rows(table: Any) -> list[Mapping[str, Any]] | None:
    """Return the rows of a table of polars or pandas, None if it is none.

    Raises:
        InputError: A lazy table of polars, which has no rows yet.
    """
    rows: list[Mapping[str, Any]]
    if hasattr(table, "collect_schema") and not hasattr(table, "to_dicts"):
        raise InputError("samples: a LazyFrame has no rows yet; give its `.collect()`")
    if hasattr(table, "to_dicts"):
        rows = table.to_dicts()
        return rows
    if hasattr(table, "to_dict") and hasattr(table, "columns"):
        # A row would have but one of two columns of the same name.
        check_repeats([str(name) for name in table.columns], "the table")
        # NaN, NaT and pandas' NA are all None then.
        rows = table.astype(object).where(table.notna(), None).to_dict("records")
        return rows
    return None


def _of_table(rows: list[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return rows as samples; without a column of ids they are numbered from 0."""
    header = [str(name) for name in (rows[0] if rows else ())]
    names = header_names(header, "the table")
    check_repeats(names, "the table")
    return [
        {"image_id": number, **merged(dict(zip(names, map(_plain, row.values()))))}
        for number, row in enumerate(rows)
    ]


def _column(values: Iterable[Any], name: str) -> list[Any]:
    if isinstance(values, str | Mapping) or not isinstance(values, Iterable):
        raise InputError(f"{name}: found {shown(values)}; a list is expected")
    return list(values)


def _plain(value: Any) -> Any:
    """Return a cell of references as a list, if it is an array or a column."""
    value = scalar(value)
    return list(value) if is_row(value) else value
