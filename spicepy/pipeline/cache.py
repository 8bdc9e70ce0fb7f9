"""The cache: results of the parser and the rules, kept in a file."""

import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from spicepy.common import __version__
from spicepy.common.errors import ResourceError
from spicepy.common.resources import folder
from spicepy.rules.tuples import packable

if TYPE_CHECKING:
    from spicepy.pipeline.cache_store import Store


FOLDER_VARIABLE: Final = "SPICEPY_CACHE"
"""The environment variable that names the folder where none is given."""


def open_cache(folder: str | Path | None) -> "Store | None":
    """Return the cache in a folder, None for ""; by default that of SPICEPY_CACHE."""
    named = os.environ.get(FOLDER_VARIABLE, "") if folder is None else str(folder)
    if not named:
        return None
    from spicepy.pipeline.cache_store import open_store  # needs SQLite

    return open_store(Path(os.path.abspath(os.path.expanduser(named))))


@dataclass(frozen=True, slots=True)
class Namespace:
    """Results by text."""

    store: "Store | None"  # The store of the results; None for none
    # All values that the results depend on beside the text, by name.
    basis: Mapping[str, str]
    # The names of the parser and the grammar, for people.
    names: Mapping[str, str] = field(default_factory=dict)

    @property
    def number(self) -> int:
        """A number of 63 bits, from all values of `basis`."""
        text = json.dumps(dict(self.basis), sort_keys=True)
        return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") >> 1

    def get(self, texts: Iterable[str]) -> dict[str, str]:
        """Return the results that are known."""
        return {} if self.store is None else self.store.get(self.number, texts)

    def put(self, texts: Sequence[str], results: Iterable[str]) -> None:
        """Keep a result of each text, all of them or (when killed) none."""
        # Without a store the results are not even made, if they are an iterator.
        if self.store is not None:
            made = zip(texts, results, strict=True)
            rows = {text: result for text, result in made if packable(text)}
            about = json.dumps({**self.basis, **self.names})
            self.store.put(self.number, about, rows)


# A digest of spicepy's code and data, on which results depend.

ROOMS: Final = ("common", "parsing", "pipeline", "rules", "tokenization", "words")
"""The rooms that turn a tokenised caption into tuples."""
_LATER: Final = ("categories", "vocabularies")
"""Folders of data that are read after the tuples are made."""
_PACKAGE: Final = Path(__file__).parents[1]
_MODELS: Final = _PACKAGE / "parsing" / "models"  # each has a fingerprint of its own


@cache
def code_digest() -> str:
    """Return the SHA-256 of the version and of all files of `hashed_folders`."""
    digest = hashlib.sha256(__version__.encode())
    for directory in hashed_folders():
        for file in _files(directory):
            name = f"{directory.name}/{file.relative_to(directory).as_posix()}"
            digest.update(f"\n{name}\n".encode())
            digest.update(hashlib.sha256(_read(file)).digest())
    return digest.hexdigest()


def hashed_folders() -> list[Path]:
    """Return the rooms, and the data for linguists that they read."""
    # All folders of these data are hashed but grammars, whose cards have a digest of
    # their own, and those that are read only when graphs are matched or errors
    # analysed.
    data = [
        directory
        for directory in sorted(folder().iterdir())
        if directory.is_dir() and not (directory / "grammar.toml").exists()
        if directory.name not in _LATER
    ]
    return [*(_PACKAGE / room for room in ROOMS), *data]


def _files(room: Path) -> Iterator[Path]:
    if not room.is_dir():
        raise ResourceError(f"{room}: there is no such folder; install spicepy anew")
    for file in sorted(room.rglob("*")):
        compiled = file.suffix == ".pyc"
        if file.is_file() and not compiled and _MODELS not in file.parents:
            yield file


def _read(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise ResourceError(f"{file}: cannot be read ({error.strerror})") from None
