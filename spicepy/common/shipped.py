"""Where the data that linguists edit lies: the folder `grammars`."""

from pathlib import Path
from typing import Final

GRAMMAR: Final = "spice-1.0"
"""The grammar that is used if none is named: the faithful one."""


def folder() -> Path:
    """The shipped grammars, word lists and label schemes.

    In a wheel they lie inside the package, in a checkout or an editable install
    beside it.
    """
    package = Path(__file__).parent.parent
    inside = package / "grammars"
    return inside if inside.is_dir() else package.parent / "grammars"
