"""What results depend on beside caption, grammar and parser: our own code and data."""

import hashlib
from functools import cache
from pathlib import Path
from typing import Final

from spicepy import __version__

_ROOMS: Final = (
    "common",
    "words",
    "parsing",
    "dependencies",
    "grammar",
    "extraction",
    "pipeline",
)
"""Those that turn a tokenised caption into tuples."""
_KINDS: Final = (".py", ".json", ".tsv", ".gz")
_MODELS: Final = "parsing/models/"  # each has a fingerprint of its own


@cache
def code_digest() -> str:
    """SHA-256 of the version and of the files of the rooms that make tuples."""
    package = Path(__file__).parents[2]
    found = hashlib.sha256(__version__.encode())
    for room in _ROOMS:
        for file in sorted((package / room).rglob("*")):
            name = file.relative_to(package).as_posix()
            if file.suffix in _KINDS and not name.startswith(_MODELS):
                found.update(f"\n{name}\n".encode())
                found.update(hashlib.sha256(file.read_bytes()).digest())
    return found.hexdigest()
