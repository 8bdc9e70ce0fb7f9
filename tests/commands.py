"""What a command that ran in this process gives."""

from collections.abc import Callable
from typing import NamedTuple


class Done(NamedTuple):
    """How it ended, and what it printed."""

    returncode: int
    stdout: str
    stderr: str


Run = Callable[..., Done]
