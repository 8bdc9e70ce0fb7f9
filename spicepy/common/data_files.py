"""The folder `grammars` with the data that linguists edit."""

import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, TypeVar

from spicepy.common.errors import ResourceError

T = TypeVar("T")

GRAMMAR: Final = "spice-1.0"
"""The grammar that is used if none is named: the faithful one."""


def folder() -> Path:
    """Return the shipped grammars, word lists and label schemes.

    In a wheel they are inside the package, in a checkout or an editable install
    beside it.
    """
    package = Path(__file__).parent.parent
    inside = package / "grammars"
    return inside if inside.is_dir() else package.parent / "grammars"


def labels() -> Path:
    """Return the folder of the label schemes, `<scheme>.toml` each."""
    return folder() / "labels"


def read_table(name: str, make: Callable[[Mapping[str, Any]], T]) -> T:
    """Return what a function makes of a TOML file in the folder.

    Raises:
        ResourceError: The file is missing or damaged.
    """
    path = folder() / name
    try:
        return make(tomllib.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, KeyError) as error:
        raise ResourceError(f"{path}: cannot be read: {error!r}") from None
