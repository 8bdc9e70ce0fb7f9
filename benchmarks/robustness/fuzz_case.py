"""A good file that the fuzzer damages, and what reads it."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

Read = Callable[[Path], object]


@dataclass(frozen=True)
class Case:
    """A good file and what reads it; a message need not name it if not `named`."""

    name: str
    suffix: str
    data: bytes
    read: Read
    named: bool = True
