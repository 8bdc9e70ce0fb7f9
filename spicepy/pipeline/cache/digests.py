"""What results depend on beside caption, grammar and parser: our own code and data."""

import hashlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

from spicepy import __version__
from spicepy.common.errors import ResourceError
from spicepy.common.shipped import labels

ROOMS: Final = ("common", "extraction", "grammar", "parsing", "pipeline")
"""Those that turn a tokenised caption into tuples."""
_MODELS: Final = "parsing/models"  # each has a fingerprint of its own


@cache
def code_digest() -> str:
    """Return the SHA-256 of the version and of all files that make tuples.

    These are the files of the rooms and the schemes of labels; the cards of a grammar
    have a digest of their own.

    Raises:
        ResourceError: A folder is missing, or a file cannot be read.
    """
    package = Path(__file__).parents[2]
    places = [(package / room, room) for room in ROOMS]
    found = hashlib.sha256(__version__.encode())
    for folder, name in [*places, (labels(), "labels")]:
        for file in _files(folder, package / _MODELS):
            found.update(f"\n{name}/{file.relative_to(folder).as_posix()}\n".encode())
            found.update(hashlib.sha256(_read(file)).digest())
    return found.hexdigest()


def _files(folder: Path, without: Path) -> Iterator[Path]:
    if not folder.is_dir():
        raise ResourceError(f"{folder}: there is no such folder; install spicepy anew")
    for file in sorted(folder.rglob("*")):
        compiled = file.suffix == ".pyc"
        if file.is_file() and not compiled and without not in file.parents:
            yield file


def _read(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise ResourceError(f"{file}: cannot be read ({error.strerror})") from None
