"""JSON text with one item on each line, written quickly.

In: JSON-ready values. Out: the text of `json.dumps(value, indent=1)` with letters as
they are. Python's json module writes indented JSON item by item in Python; here its C
code writes each of the many small lists and mappings of an image's scores at once.
"""

import json
from collections.abc import Callable, Collection
from functools import lru_cache
from typing import Any


def to_indented_json(value: Any, depth: int = 0) -> str:
    """Return text of `value`, which begins `depth` lists or mappings deep."""
    parts: Collection[Any]
    if isinstance(value, dict):
        if not all(isinstance(key, str) for key in value):
            text = json.dumps(value, ensure_ascii=False, indent=1)
            return text.replace("\n", _line(depth))
        parts, brackets = value.values(), "{}"
    elif isinstance(value, list | tuple):
        parts, brackets = value, "[]"
    else:
        return _in_lines(depth)(value)
    if not parts:
        return brackets
    if any(isinstance(part, dict | list | tuple) for part in parts):
        inner = (to_indented_json(part, depth + 1) for part in parts)
        if isinstance(value, dict):
            names = map(_in_lines(depth), value)
            inner = (f"{name}: {text}" for name, text in zip(names, inner))
        body = f",{_line(depth + 1)}".join(inner)
    else:
        body = _in_lines(depth)(value)[1:-1]
    return f"{brackets[0]}{_line(depth + 1)}{body}{_line(depth)}{brackets[1]}"


def _line(depth: int) -> str:
    return "\n" + " " * depth


@lru_cache(maxsize=64)
def _in_lines(depth: int) -> Callable[[Any], str]:
    """Return a writer of plain lists and mappings, an item a line."""
    separators = f",{_line(depth + 1)}", ": "
    return json.JSONEncoder(ensure_ascii=False, separators=separators).encode
