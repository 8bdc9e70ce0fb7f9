"""A good file that the fuzzer damages, and its reader."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

Read = Callable[[Path], object]


@dataclass(frozen=True)
class Case:
    """A good file and its reader, whose messages must name it if `named`."""

    name: str
    suffix: str
    data: bytes
    read: Read
    named: bool = True
