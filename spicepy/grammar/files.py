"""Finding and reading the files of a grammar.

In: a name or path. Out: `Layer` values, the grammar extended first, with the
bytes and TOML tables of each file; faults of the files (G1xx) are noted.
"""

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from os.path import exists, isdir, isfile
from pathlib import Path
from typing import Any

from spicepy.common.data_files import folder
from spicepy.common.errors import nearest, reason_of
from spicepy.grammar.faults import Place

_MOST = 100
"""The most grammars of which each extends the next."""
TomlTable = dict[str, Any]
HEADER = (
    *("name", "version", "description", "labels", "parser"),
    *("extends", "files", "drop", "distinct_words", "phases"),
)
"""The keys of a grammar's own file that stand outside all sections."""
SECTIONS = (
    *("rule", "rewrite", "normalisation", "annotation"),
    *("lists", "category", "tags", "links"),
)
"""The sections of a grammar's files."""


@dataclass(frozen=True, slots=True)
class Layer:
    """The files of one grammar, without what it extends.

    `files` has the tables of each file by its shown name, `contents` the bytes
    they were read from (None: the file could not be read).
    """

    path: Path
    header: TomlTable
    files: tuple[tuple[str, TomlTable], ...]
    contents: tuple[tuple[Path, bytes | None], ...]


def known_names() -> list[str]:
    """Return the names of the shipped grammars."""
    return sorted(path.parent.name for path in folder().glob("*/grammar.toml"))


def locate(name_or_path: str | Path, base: Path = Path()) -> Path | None:
    """Return the grammar.toml or single file meant by a name or path.

    Args:
        name_or_path: A path from `base`, or the name of a shipped grammar.
        base: The current folder, or that of the grammar that extends this one.
    """
    # os.path.exists is False for names that are too long; Path.exists raises OSError.
    path = base / name_or_path
    if not exists(path):
        path = folder() / str(name_or_path)
    if isfile(path) and isfile(path.parent / "grammar.toml"):
        path = path.parent
    if isdir(path):
        path = path / "grammar.toml"
    return path if isfile(path) else None


def read_layers(
    path: Path, place: Place, extending: tuple[Path, ...] = ()
) -> list[Layer]:
    """Read a grammar and, before it, the grammars it extends.

    Args:
        path: The grammar's own file.
        place: Notes the faults.
        extending: The files of the grammars that extend this one, in turn.
    """
    here = place.at(path.name)
    data = read_bytes(path, here)
    header = read_toml(data, here)
    contents = [(path, data)]
    layers: list[Layer] = []
    base = header.get("extends")
    if isinstance(base, str):
        found, chain = locate(base, path.parent), (*extending, path.resolve())
        if found is None:
            hint = nearest(base, known_names())
            here.note("G107", f"unknown grammar {base!r} in 'extends'{hint}")
        elif found.resolve() in chain:
            here.note("G107", f"extends itself: {base!r} in 'extends'")
        elif len(chain) > _MOST:
            here.note("G107", f"more than {_MOST} grammars extend each other")
        else:
            layers = read_layers(found, place, chain)
    names = header.get("files", [])
    if not isinstance(names, list) or not all(isinstance(n, str) for n in names):
        here.note("G105", "'files' must be a list of names")
        names = []
    files = [(path.name, {k: v for k, v in header.items() if k not in HEADER})]
    for name in names:
        shown = f"{path.parent.name}/{name}"
        data = read_bytes(path.parent / name, place.at(shown))
        contents.append((path.parent / name, data))
        files.append((shown, read_toml(data, place.at(shown))))
    return [*layers, Layer(path, header, tuple(files), tuple(contents))]


def unchanged(layers: Sequence[Layer]) -> bool:
    """Return whether reading these layers again would give the same."""
    return all(
        locate(after.header["extends"], after.path.parent) == base.path
        for base, after in pairwise(layers)
    ) and all(
        data is not None and read_bytes(path, Place()) == data
        for layer in layers
        for path, data in layer.contents
    )


def read_bytes(path: Path, place: Place) -> bytes | None:
    """Read one file; None and a fault if that is not possible."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        present = (p.name for p in path.parent.glob("*.toml"))
        place.note("G101", f"file not found{nearest(path.name, present)}")
    except OSError as error:
        place.note("G101", f"cannot be read: {reason_of(error)}")
    return None


def read_toml(data: bytes | None, place: Place) -> TomlTable:
    """Read the TOML of one file; an unusable one counts as empty."""
    try:
        return tomllib.loads(data.decode("utf-8")) if data is not None else {}
    except UnicodeDecodeError as error:
        place.note("G101", f"cannot be read: {error}")
    except (ValueError, RecursionError) as error:  # also numbers of 5,000 digits
        place.note("G102", f"not valid TOML: {error}")
    return {}
