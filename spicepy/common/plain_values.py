"""Results as plain values, ready for JSON, and back.

In: a dataclass, mapping, sequence, numpy value. Out: dicts, lists, numbers,
strings; a number that is undefined (NaN) becomes `None`.
"""

from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from math import isfinite, isnan, nan
from typing import Any, get_args, get_origin, get_type_hints

import numpy as np

from spicepy.common.errors import InputError, shown


def plain(value: Any) -> Any:
    """Return the same value without dataclasses, tuples, numpy types and NaN."""
    if is_dataclass(value):
        return {f.name: plain(getattr(value, f.name)) for f in fields(value)}
    if isinstance(value, Mapping):
        return {str(name): plain(item) for name, item in value.items()}
    if isinstance(value, np.ndarray | np.generic):
        return plain(value.tolist())
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return None if isinstance(value, float) and isnan(value) else value


def typed(kind: Any, value: Any, where: str = "") -> Any:
    """Return the inverse of `plain`, for values that come from outside.

    Args:
        kind: The type to make: str, int, float (`None` is NaN), `tuple[kind, ...]`,
            `Mapping[str, Any]`, `kind | None`, or a dataclass of these.
        value: The value that `plain` returned for it.
        where: Its place, for messages.

    Raises:
        InputError: Something is missing, unknown or of another type.
    """
    parts, origin = get_args(kind), get_origin(kind)
    if type(None) in parts:
        return None if value is None else typed(parts[0], value, where)
    if is_dataclass(kind) and isinstance(value, dict):
        return _typed_fields(kind, value, where)
    if origin is tuple and isinstance(value, list):
        places = (f"{where}[{i}]" for i in range(len(value)))
        return tuple(typed(parts[0], v, p) for v, p in zip(value, places))
    if kind is float and _is_number(value):
        return nan if value is None else float(value)
    if type(value) is (dict if origin is Mapping else kind) and kind is not float:
        return value
    wanted = _WANTED.get(origin or kind, "an object")
    raise InputError(f"{where}: {wanted} is needed, not {shown(value)}")


_WANTED = {str: "text", int: "a whole number", float: "a number", tuple: "a list"}


def _is_number(value: Any) -> bool:
    try:
        return value is None or (type(value) in (int, float) and isfinite(value))
    except OverflowError:  # an integer beyond all floats
        return False


def _typed_fields(kind: Any, values: Mapping[str, Any], where: str) -> Any:
    place = f"{where}." if where else ""
    known = {field.name: field for field in fields(kind)}
    for name in values:
        if name not in known:
            raise InputError(f"{place}{shown(name)}: not known here")
    for name, field in known.items():
        if name not in values and field.default is field.default_factory is MISSING:
            raise InputError(f"{place}{name}: missing")
    hints = get_type_hints(kind)
    return kind(**{n: typed(hints[n], v, f"{place}{n}") for n, v in values.items()})
