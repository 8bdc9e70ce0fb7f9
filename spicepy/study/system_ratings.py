"""Human ratings of whole systems in place of captions.

In: JSON lines, JSON or CSV, one system a record, with one or more columns of numbers:

    {"system": "B", "M1": 0.27, "M2": 0.32}

Out: for each column, the number of every system.
"""

from collections.abc import Mapping, Sequence
from math import isfinite
from pathlib import Path
from typing import Any

from spicepy.common.errors import InputError, shown
from spicepy.samples.foreign import Naming
from spicepy.samples.reading import read_records
from spicepy.samples.sample import clean, keys_of, listed
from spicepy.study.judgments import Judgment

SystemRatings = Mapping[str, Mapping[str, float]]
"""Human column -> system -> rating."""


def read_system_ratings(path: str | Path) -> SystemRatings:
    """Read a file of systems with their ratings.

    Args:
        path: The file; every column but `system` is a human column.

    Raises:
        InputError: A record is wrong, a system occurs twice or lacks a column; the
            message names file, record and value.
    """
    human: dict[str, dict[str, float]] = {}
    for where, record in read_records(path, Naming("system")):
        key = "system" if "system" in record else "image_id"  # so it is called in CSV
        name = _system(record, key, where)
        where = f"{where} (system {shown(name)})"
        columns = [column for column in record if column != key]
        if not columns:
            raise InputError(f"{where}: no column of numbers beside 'system'")
        if human and set(columns) != set(human):
            raise InputError(
                f"{where}: the columns are {clean(', '.join(columns))[:200]}, those of "
                f"the first system {', '.join(human)[:200]}"
            )
        for column in columns:
            ratings = human.setdefault(clean(column), {})
            if name in ratings:
                raise InputError(f"{where}: this system was rated before")
            ratings[name] = _number(record[column], f"{where}: {column}")
    return human


def check_systems(
    given: SystemRatings, judgments: Sequence[Judgment], names: Sequence[str]
) -> None:
    """Refuse ratings that do not fit the captions.

    Raises:
        InputError: Neither captions nor systems have ratings, a column rates both, or
            systems of the captions and of the ratings differ.
    """
    if not given:
        if not names:
            raise InputError(
                "no human columns: neither captions nor systems have ratings"
            )
        return
    twice = [name for name in given if name in names]
    if twice:
        raise InputError(
            f"the human column {shown(twice[0])} rates captions and whole systems; "
            "give one of them another name"
        )
    wrote = {j.system for j in judgments if j.system is not None}
    for rated in given.values():
        silent = [name for name in rated if name not in wrote]
        if silent:
            raise InputError(f"rated systems without captions: {listed(silent)}")
        unrated = sorted(wrote - rated.keys())
        if unrated:
            raise InputError(f"systems without a rating: {listed(unrated)}")


def _system(record: Mapping[str, Any], key: str, where: str) -> str:
    value = record.get(key)
    if isinstance(value, str | int) and not isinstance(value, bool) and value != "":
        return clean(str(value))
    if key not in record:
        raise InputError(f"{where}: no 'system' ({keys_of(record)})")
    raise InputError(f"{where}: system is {shown(value)}; it must be a name")


def _number(value: Any, where: str) -> float:
    try:
        number = float("x" if isinstance(value, bool) else value)
    except (TypeError, ValueError, OverflowError):
        number = float("nan")
    if not isfinite(number):
        raise InputError(f"{where} is {shown(value)}; it must be a number")
    return number
