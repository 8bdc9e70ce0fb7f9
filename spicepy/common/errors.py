"""Errors that a user can cause; the command line prints them and exits with 2.

And how their messages show a value (`brief`) and suggest a name (`nearest`,
`unknown`), so that all of them read alike; and how any text is made safe to print
(`printable`).
"""

import difflib
import errno
import os
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields
from inspect import signature
from reprlib import Repr
from typing import Any, TypeVar


class SpicepyError(Exception):
    """Base of every error spicepy raises on purpose."""

    __module__ = "spicepy"


class InputError(SpicepyError, ValueError):
    """A captions file, image id, caption or option value is wrong."""

    __module__ = "spicepy"


class GrammarError(SpicepyError, ValueError):
    """A grammar, word list or categories file is wrong; lists every fault."""

    __module__ = "spicepy"


class ResourceError(SpicepyError, RuntimeError):
    """A model, WordNet corpus or other resource is missing or unusable."""

    __module__ = "spicepy"


class SpicepyWarning(UserWarning):
    """The numbers are right but unlikely to mean what the user expects."""

    __module__ = "spicepy"


class CaptionWarning(SpicepyWarning):
    """A warning that captions look as if their scores were too low, or too high."""


OUT_OF_MEMORY = (
    "out of memory: score fewer images or metrics at a time, use fewer --jobs, or "
    "raise the limit (`ulimit -v`); SPICE alone needs some 600 MB"
)

OUT_OF_FILES = (
    "too few files may be open at once: raise the limit (`ulimit -n 256`), or use "
    "fewer --jobs"
)

MEMORY_ERRORS = (MemoryError, ImportError, SystemError)
"""Errors that Python raises if there is too little memory, among other reasons."""


def is_out_of_memory(error: BaseException) -> bool:
    """Return whether there was too little memory, if only to load a library."""
    loading = isinstance(error, ImportError) and any(
        words in str(error) for words in ("map segment", "allocate memory")
    )
    # Reading a module, Python may forget to say that it got no memory.
    silent = isinstance(error, SystemError) and "without exception set" in str(error)
    return loading or silent or isinstance(error, MemoryError)


def is_out_of_files(error: BaseException) -> bool:
    """Return whether no further file may be opened, if only to load a library."""
    return isinstance(error, OSError | ImportError) and (
        getattr(error, "errno", None) in (errno.EMFILE, errno.ENFILE)
        or os.strerror(errno.EMFILE) in str(error)
    )


def shortened(text: str, most: int) -> str:
    """Return a text of at most so many characters, the last one "…" if it is cut."""
    return text if len(text) <= most else f"{text[: most - 1]}…"


def brief(value: object, limit: int = 200) -> str:
    """Return a value as an error message quotes it, at most `limit` characters long.

    Text stands in quotes, with control characters escaped; JSON's constants
    are written as in JSON, not as in Python.

    >>> brief({"refs": None, "test": True})
    "{'refs': null, 'test': true}"
    >>> brief("a" * 1000, limit=10)
    "'aaaaaaaa…"
    """
    return shortened(_Shown(limit).repr(value), limit)


def check_kind(what: str, value: object, kinds: Any, wanted: str) -> None:
    """Refuse other types: "frequencies are 5; they must be DocumentFrequencies"."""
    if not isinstance(value, kinds):
        raise InputError(f"{what} {brief(value)}; {wanted}")


def printable(text: str) -> str:
    """Return a text for people, with control characters written as JSON escapes.

    Captions, file names and names of systems come from others; a terminal would obey
    the sequences in them. Line feeds and tabs stay.

    >>> print(printable("a\\x1b[2Jb"))
    a\\u001b[2Jb
    """
    return _CONTROL.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""Control characters, and those that change the direction in which text is shown."""


def reason_of(error: Exception) -> object:
    """Return why something failed: of an error of the system, its words alone.

    The error's own text repeats the number and the path, which messages name already.

    >>> print(reason_of(FileNotFoundError(2, "No such file or directory", "x")))
    No such file or directory
    """
    return getattr(error, "strerror", None) or error


def nearest(wrong: str, known: Iterable[str]) -> str:
    """Return a hint: the valid name most like a wrong one, or the few there are."""
    names = sorted(set(known))
    close = difflib.get_close_matches(wrong[:200], names, n=1, cutoff=0.5)
    if close:
        return f"; did you mean {close[0]!r}?"
    return f"; known: {', '.join(names)}" if 0 < len(names) <= 8 else ""


def letters(name: str) -> str:
    """Return the letters and digits of a name in lower case: "CIDEr-D" -> "ciderd"."""
    return "".join(filter(str.isalnum, name.lower()))


def find_name(what: str, name: str, known: Iterable[str]) -> str:
    """Return the known name that is meant, whatever its capitals, blanks and hyphens.

    Tables call SPICE's category "cardinality" Count; either name finds it.

    >>> find_name("score", "Bleu_4", ["bleu-1", "bleu-4"])
    'bleu-4'
    >>> find_name("score", "spice-count", ["spice", "spice-cardinality"])
    'spice-cardinality'

    Raises:
        InputError: There is none; the message lists them.
    """
    names = list(known)
    spelled = {letters(each): each for each in names if letters(each)}
    for plain, each in tuple(spelled.items()):
        spelled.setdefault(plain.replace("cardinality", "count"), each)
    if name in names:
        return name
    if letters(str(name)) not in spelled:
        raise unknown(what, name, names)
    return spelled[letters(str(name))]


def unknown(what: str, name: object, known: Iterable[str]) -> InputError:
    """Return an error that lists the known keys, the one most like `name` first.

    >>> print(unknown("score", "BLEU5", ["bleu-1", "bleu-4"]))
    unknown score 'BLEU5'; did you mean 'bleu-4'? Choose from: bleu-1, bleu-4
    """
    names = list(dict.fromkeys(known))
    lower = {each.lower(): each for each in names}
    close = difflib.get_close_matches(str(name)[:200].lower(), lower, n=1, cutoff=0.5)
    hint = f"did you mean {lower[close[0]]!r}? Choose" if close else "choose"
    listed = ", ".join(names[:40]) + (", …" if len(names) > 40 else "")
    return InputError(
        f"unknown {what} {brief(name)}; {hint} from: {listed}"
        if names
        else f"unknown {what} {brief(name)}; there are none"
    )


class _Shown(Repr):
    """`repr`, but short by construction and with JSON's constants."""

    def __init__(self, limit: int) -> None:
        super().__init__()
        self._limit = limit
        self.maxlist = self.maxtuple = self.maxdict = self.maxset = limit
        self.maxlevel = 8
        self.maxother = limit + 1

    def repr_instance(self, x: object, level: int) -> str:
        """Return as `repr`, on one line: a table is drawn on several."""
        return " ".join(super().repr_instance(x, level).split())

    def repr_str(self, x: str, level: int) -> str:
        """Return as `repr`; only the part that can be shown is escaped."""
        return repr(x[: self._limit + 1])

    def repr_bytes(self, x: bytes, level: int) -> str:
        """Return as `repr_str`."""
        return repr(x[: self._limit + 1])

    def repr_int(self, x: int, level: int) -> str:
        """Return the length of an integer that Python refuses to write."""
        try:
            return repr(x)
        except ValueError:
            return f"an integer of about {x.bit_length() * 0.30103:.0f} digits"

    def repr_bool(self, x: bool, level: int) -> str:
        """Return as in JSON."""
        return "true" if x else "false"

    def repr_NoneType(self, x: Any, level: int) -> str:
        """Return as in JSON."""
        return "null"


def counted(number: int, one: str, many: str | None = None) -> str:
    """Return a number and what it counts; the plural adds an s by default.

    >>> counted(1, "image"), counted(2000, "image"), counted(2, "class", "classes")
    ('1 image', '2,000 images', '2 classes')
    """
    return f"{number:,} {one if number == 1 else many or one + 's'}"


Options = TypeVar("Options")
Caller = str | Callable[..., Any]
"""A function, whose own parameters are options as well, or the name of a class."""


def options_of(
    kind: type[Options], caller: Caller, given: Mapping[str, Any]
) -> Options:
    """Return the options that a function or class was called with, by name."""
    known = [each.name for each in fields(kind)]  # type: ignore[arg-type]
    for name in given:
        if name not in known:
            own = () if isinstance(caller, str) else signature(caller).parameters
            called = caller if isinstance(caller, str) else caller.__name__
            named = [each for each in own if each != "options"]
            raise unknown(f"{called} option", name, [*known, *named])
    return kind(**given)
