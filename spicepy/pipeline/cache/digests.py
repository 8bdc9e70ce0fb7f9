"""A digest of spicepy's code and data, on which results depend."""

import hashlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

from spicepy.common.data_files import folder
from spicepy.common.errors import ResourceError
from spicepy.common.version import __version__

ROOMS: Final = (
    "common",
    "extraction",
    "grammar",
    "parsing",
    "pipeline",
    "tokenization",
)
"""The rooms that turn a tokenised caption into tuples."""
_LATER: Final = ("categories", "vocabularies")
"""Folders of data that are read after the tuples are made."""
_PACKAGE: Final = Path(__file__).parents[2]
_MODELS: Final = _PACKAGE / "parsing" / "models"  # each has a fingerprint of its own


@cache
def code_digest() -> str:
    """Return the SHA-256 of the version and of all files of `hashed_folders`.

    Raises:
        ResourceError: A folder is missing, or a file cannot be read.
    """
    digest = hashlib.sha256(__version__.encode())
    for place in hashed_folders():
        for file in _files(place):
            name = f"{place.name}/{file.relative_to(place).as_posix()}"
            digest.update(f"\n{name}\n".encode())
            digest.update(hashlib.sha256(_read(file)).digest())
    return digest.hexdigest()


def hashed_folders() -> list[Path]:
    """Return the rooms, and the data for linguists that they read.

    All folders of these data are hashed but grammars, whose cards have a digest of
    their own, and those that are read only when graphs are matched or errors analysed.
    """
    data = [
        place
        for place in sorted(folder().iterdir())
        if place.is_dir() and not (place / "grammar.toml").exists()
        if place.name not in _LATER
    ]
    return [*(_PACKAGE / room for room in ROOMS), *data]


def _files(place: Path) -> Iterator[Path]:
    if not place.is_dir():
        raise ResourceError(f"{place}: there is no such folder; install spicepy anew")
    for file in sorted(place.rglob("*")):
        compiled = file.suffix == ".pyc"
        if file.is_file() and not compiled and _MODELS not in file.parents:
            yield file


def _read(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise ResourceError(f"{file}: cannot be read ({error.strerror})") from None
