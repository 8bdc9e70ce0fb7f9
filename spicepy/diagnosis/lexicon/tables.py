"""Values of the lexicon, made of the tables of a lexicon file."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, TypeVar, get_origin

T = TypeVar("T")


def made(kind: type[T], table: Mapping[str, Any], **others: Any) -> T:
    """Return a value whose attributes are entries of a table of the same names.

    Args:
        kind: A dataclass; lists become what its attributes are, such as sets.
        table: A table of a lexicon file; its other entries are left out.
        others: Attributes that come from elsewhere.

    Raises:
        KeyError: The table lacks an entry.
    """
    own: dict[str, Any] = {}
    for field in fields(kind):  # type: ignore[arg-type]
        value = others[field.name] if field.name in others else table[field.name]
        origin = get_origin(field.type)
        own[field.name] = origin(value) if origin in (frozenset, tuple) else value
    return kind(**own)
