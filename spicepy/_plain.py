"""Results as plain values, ready for JSON.

In: a dataclass, mapping, sequence, numpy value. Out: dicts, lists, numbers,
strings; a number that is undefined (NaN) becomes `None`.
"""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from math import isnan
from typing import Any

import numpy as np


def plain(value: Any) -> Any:
    """The same value without dataclasses, tuples, numpy types and NaN."""
    if is_dataclass(value):
        return {f.name: plain(getattr(value, f.name)) for f in fields(value)}
    if isinstance(value, Mapping):
        return {str(name): plain(item) for name, item in value.items()}
    if isinstance(value, np.ndarray | np.generic):
        return plain(value.tolist())
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return None if isinstance(value, float) and isnan(value) else value
