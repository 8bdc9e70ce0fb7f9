"""The errors a user can cause; the command line prints them and exits with 2.

And how their messages show a value (`shown`).
"""

from reprlib import Repr
from typing import Any


class SpicepyError(Exception):
    """Base of every error spicepy raises on purpose."""


class InputError(SpicepyError, ValueError):
    """A captions file, image id, caption or option value is wrong."""


class GrammarError(SpicepyError, ValueError):
    """A grammar, word list or categories file is wrong; lists every fault."""


class ResourceError(SpicepyError, RuntimeError):
    """A model, WordNet corpus or other resource is missing or unusable."""


class SpicepyWarning(UserWarning):
    """The numbers are right but unlikely to mean what the user expects."""


def shown(value: object, limit: int = 200) -> str:
    """A value as an error message quotes it, at most `limit` characters long.

    Text stands in quotes; JSON's constants are written as in JSON.

    Example:
        >>> shown([None, True, "a dog"])
        "[null, true, 'a dog']"
    """
    text = _Shown(limit).repr(value)
    return text if len(text) <= limit else text[: limit - 1] + "…"


class _Shown(Repr):
    def __init__(self, limit: int) -> None:
        super().__init__()
        self.limit = limit
        self.maxlist = self.maxtuple = self.maxdict = self.maxset = limit
        self.maxlevel = 8
        self.maxother = limit + 1

    def repr_str(self, x: str, level: int) -> str:
        return repr(x[: self.limit + 1])

    def repr_int(self, x: int, level: int) -> str:
        try:
            return repr(x)
        except ValueError:  # Python writes no integer of more than 4,300 digits
            return f"an integer of about {x.bit_length() * 0.30103:.0f} digits"

    def repr_bool(self, x: bool, level: int) -> str:
        return "true" if x else "false"

    def repr_NoneType(self, x: Any, level: int) -> str:
        return "null"
