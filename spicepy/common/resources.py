"""Data and libraries outside the modules of spicepy.

* The folder `grammars` with the data that linguists edit (`folder`, `read_table`,
  `from_table`).
* The user's folder of data: models and tables that were added (`data_folder`).
* Libraries that only some functions need (`required`, `LazyModule`).
"""

import os
import sys
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import fields
from importlib import import_module
from pathlib import Path
from typing import Any, Final, TypeVar, get_args, get_origin

from spicepy.common.errors import InputError, ResourceError
from spicepy.common.writing import check_writable

T = TypeVar("T")

GRAMMAR: Final = "spice-1.0"
"""The grammar that is used if none is named: the faithful one."""


def folder() -> Path:
    """Return the shipped data, in a wheel inside the package, elsewhere beside it."""
    package = Path(__file__).parent.parent
    inside = package / "grammars"
    return inside if inside.is_dir() else package.parent / "grammars"


def labels() -> Path:
    """Return the folder of the label schemes, `<scheme>.toml` each."""
    return folder() / "labels"


def read_table(name: str, make: Callable[[Mapping[str, Any]], T]) -> T:
    """Return what a function makes of a TOML file in the folder."""
    path = folder() / name
    try:
        return make(tomllib.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, KeyError) as error:
        raise ResourceError(f"{path}: cannot be read: {error!r}") from None


def from_table(kind: type[T], table: Mapping[str, Any], **others: Any) -> T:
    """Return a dataclass whose attributes are entries of a table, or `others`.

    Lists become sets or tuples as the types of the attributes say; entries without an
    attribute are ignored.

    Raises:
        KeyError: An entry is missing.
    """
    return kind(
        **{
            each.name: others[each.name]
            if each.name in others
            else _formed(each.type, table[each.name])
            for each in fields(kind)  # type: ignore[arg-type]
        }
    )


def _formed(kind: Any, value: Any) -> Any:
    """Return a value of a table in the form that a type has."""
    origin, of = get_origin(kind), get_args(kind)
    if origin in (frozenset, tuple):
        return origin(_formed(of[0], each) for each in value)
    if origin is Mapping:
        return {name: _formed(of[1], each) for name, each in value.items()}
    return value


VARIABLE: Final = "SPICEPY_DATA"


def data_folder() -> Path:
    """Return the folder of the user's data; it need not exist."""
    named = os.environ.get(VARIABLE)
    if named:
        return Path(named).expanduser()
    home = Path.home()
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA", home / "AppData/Local"))
    elif sys.platform == "darwin":
        base = home / "Library/Application Support"
    else:
        base = Path(os.environ.get("XDG_DATA_HOME") or home / ".local/share")
    return base / "spicepy"


def prepare(path: Path) -> Path:
    """Make the folder of a file, if it can be written there; return the path."""
    other = f"the environment variable {VARIABLE} names another folder"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        check_writable(path)
    except InputError as error:
        raise InputError(f"{error}; {other}") from None
    except OSError as error:
        raise InputError(
            f"{path.parent}: cannot be made ({error.strerror}); {other}"
        ) from None
    return path


_INSTALL: Final = {
    "scipy": "'spicepy-captions[study]'",
    "pyarrow": "'spicepy-captions[parquet]'",
    "ray": "'spicepy-captions[ray]'",
    "torch": "'spicepy-captions[torch]'",
    "torchmetrics": "'spicepy-captions[torch]'",
    "xlsxwriter": "'spicepy-captions[excel]'",
}
"""The packages to install for a library of another name."""


def required(module: str, purpose: str) -> Any:
    """Import a library's module, "scipy.stats"; `purpose` begins the error message."""
    library = module.partition(".")[0]
    try:
        return import_module(module)
    except ImportError as error:
        raise ResourceError(
            f"{purpose} needs {library}, which cannot be imported ({error}): "
            f"pip install {_INSTALL.get(library, library)}"
        ) from error


class LazyModule:
    """A library's module, imported when it is first used; see `required`."""

    def __init__(self, module: str, purpose: str) -> None:
        self._asked = module, purpose

    def __getattr__(self, name: str) -> Any:
        return getattr(required(*self._asked), name)
