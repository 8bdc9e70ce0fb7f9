"""Make dataclasses from the tables of a lexicon file."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, TypeVar, get_origin

T = TypeVar("T")


def made(kind: type[T], table: Mapping[str, Any], **others: Any) -> T:
    """Return an instance of a dataclass whose attributes are entries of a table.

    Args:
        kind: The dataclass; lists of the table become sets or tuples by its types.
        table: A table of a lexicon file; entries without an attribute are ignored.
        others: Attributes that the table does not have.

    Raises:
        KeyError: The table lacks an entry.
    """
    own: dict[str, Any] = {}
    for field in fields(kind):  # type: ignore[arg-type]
        value = others[field.name] if field.name in others else table[field.name]
        origin = get_origin(field.type)
        own[field.name] = origin(value) if origin in (frozenset, tuple) else value
    return kind(**own)
