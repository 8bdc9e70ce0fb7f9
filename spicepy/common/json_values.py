"""JSON: results as plain values, one value as one line, and one large object by items.

A number that is undefined, NaN, becomes `None`.
"""

import codecs
import json
import re
from collections.abc import Collection, Iterator, Mapping, Set
from dataclasses import fields, is_dataclass
from io import BufferedIOBase
from json import JSONDecodeError, JSONDecoder
from math import isnan, nan
from pathlib import Path
from typing import Any, Final, NoReturn, cast, get_args, get_origin, get_type_hints

import numpy as np

from spicepy.common.errors import InputError, brief
from spicepy.common.files import opened


def plain(value: Any) -> Any:
    """Return the same value without dataclasses, tuples, sets, numpy types and NaN."""
    if is_dataclass(value):
        return {f.name: plain(getattr(value, f.name)) for f in fields(value)}
    if isinstance(value, Mapping):
        return {str(name): plain(item) for name, item in value.items()}
    if isinstance(value, np.ndarray | np.generic):
        return plain(value.tolist())
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, Set):
        return [plain(item) for item in sorted(value)]
    return None if isinstance(value, float) and isnan(value) else value


def from_plain(kind: Any, value: Any) -> Any:
    """Return the inverse of `plain`; for a value of another kind, raise any error."""
    # The kind is str, int, float (`None` is NaN), `tuple[kind, ...]`, `Mapping[str,
    # Any]`, `kind | None`, or a dataclass of these.
    parts, origin = get_args(kind), get_origin(kind)
    if type(None) in parts:
        return None if value is None else from_plain(parts[0], value)
    if is_dataclass(kind):
        make, hints = cast("type", kind), get_type_hints(kind)
        return make(**{name: from_plain(hints[name], v) for name, v in value.items()})
    if origin is tuple and isinstance(value, list):
        return tuple(from_plain(parts[0], item) for item in value)
    if kind is float:
        return nan if value is None else float(value)
    if type(value) is not (dict if origin is Mapping else kind):
        raise TypeError(f"{value!r} is no {kind}")
    return value


# A JSON value as one line under every rule for line ends.
#
# JSON allows U+0085, U+2028 and U+2029 in strings, but JavaScript, Java and Python's
# `str.splitlines` end lines at some of them; therefore they are escaped.

_BREAKS: Final = re.compile("[\x85\u2028\u2029]")


def json_line(value: Any) -> str:
    """Return the JSON text of a value, letters as they are, on one line."""
    text = json.dumps(value, ensure_ascii=False)
    return _BREAKS.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


# One large JSON object, item by item.
#
# Memory does not grow with the file, such as COCO's annotations (160 MB), packed with
# gzip or not. The json module's C code reads each item.

_CHUNK: Final = 1 << 22  # Bytes read at a time
_MARGIN: Final = 64
"""A decode error this close to the buffer's end may mean an incomplete item."""
_MAX_ITEM: Final = 1 << 25
"""The number of characters of the longest item; what goes on further is damaged."""
_BLANKS: Final = " \t\n\r"
_COMMA: Final = re.compile(r"[ \t\n\r]*,[ \t\n\r]*")


def items_of(
    path: str | Path, lists: Collection[str], numbers: str = ""
) -> Iterator[tuple[str, Any]]:
    """Yield (key, item) for the items of some lists of the JSON object in a file."""
    # All other keys are passed over. A value that is not a list is an item itself.
    # Lists of numbers in items of the key `numbers` may be given as empty: nine tenths
    # of COCO's annotations are outlines.
    try:
        with opened(path) as file:
            yield from _Stream(file, str(path), numbers).items(lists)
    except UnicodeError as error:
        raise InputError(f"{path}: cannot be read ({error})") from None


class _Stream:
    """The text of a file after a position; text that was read is dropped."""

    def __init__(self, file: BufferedIOBase, name: str, numbers: str) -> None:
        self._file, self._name = file, name
        self._decoder = codecs.getincrementaldecoder("utf-8-sig")()
        self._scan = JSONDecoder().raw_decode
        self._text, self._at, self._ended = "", 0, False
        self._lines = 1
        key = re.escape(json.dumps(numbers))
        self._unwanted = re.compile(rf"({key}\s*:\s*\[)[-\d\s.,eE+\[\]]*(?=\]\s*[,}}])")
        self._numbers = numbers

    def items(self, lists: Collection[str]) -> Iterator[tuple[str, Any]]:
        if self._next() != "{":
            raise InputError(
                f"{self._name}: expected a JSON object with the lists "
                f"{', '.join(map(repr, lists))}, found "
                f"{brief(self._text[self._at :][:40])}"
            )
        self._at += 1
        if self._next() == "}":
            self._at += 1
        else:
            yield from self._members(lists)
        if self._next():
            self._refuse("text follows the end of the object")

    def _members(self, lists: Collection[str]) -> Iterator[tuple[str, Any]]:
        while True:
            key = self._value()
            if not isinstance(key, str):
                self._refuse("a key must be a string")
            self._expect(":")
            listed = self._next() == "["
            for item in self._list() if listed else (self._value(),):
                if key in lists:
                    yield key, item
            if self._expect(",}") == "}":
                return

    def _list(self) -> Iterator[Any]:
        self._at += 1
        if self._next() == "]":
            self._at += 1
            return
        while True:
            yield self._value()
            if comma := _COMMA.match(self._text, self._at):  # nearly always
                self._at = comma.end()
            elif self._expect(",]") == "]":
                return

    def _expect(self, characters: str) -> str:
        character = self._next()
        if not character or character not in characters:
            wanted = " or ".join(map(repr, characters))
            self._refuse(
                f"expected {wanted}" + ("" if character else ", but the file ends")
            )
        self._at += 1
        return character

    def _next(self) -> str:
        """Return the next character that is not a blank; "" at the end."""
        while True:
            while self._at < len(self._text):
                if self._text[self._at] not in _BLANKS:
                    return self._text[self._at]
                self._at += 1
            if not self._more():
                return ""

    def _value(self) -> Any:
        """Return the JSON value that comes next."""
        if self._at >= len(self._text) or self._text[self._at] in _BLANKS:
            self._next()
        while True:
            try:
                value, end = self._scan(self._text, self._at)
                if end < len(self._text) or self._ended:  # else a number may go on
                    self._at = end
                    return value
            except JSONDecodeError as error:
                cut = error.pos > len(self._text) - _MARGIN or "string" in error.msg
                if cut and len(self._text) - self._at > _MAX_ITEM:
                    self._refuse(f"a value of more than {_MAX_ITEM >> 20} MiB")
                if self._ended or not cut:
                    self._at = error.pos
                    within = (
                        error.pos < len(self._text) - 1 and "string" not in error.msg
                    )
                    self._refuse(error.msg if within else "the file is cut off")
            except RecursionError:
                raise InputError(
                    f"{self._name}: the JSON is nested too deeply"
                ) from None
            self._more()

    def _more(self) -> bool:
        """Read on, at least as much as is left; return whether there was more."""
        # A long value is looked at again each time, which must not happen too often.
        if self._ended:
            return False
        chunk = self._file.read(max(_CHUNK, len(self._text) - self._at))
        self._lines += self._text.count("\n", 0, self._at)
        self._ended = not chunk
        try:
            further = self._decoder.decode(chunk, final=self._ended)
        except UnicodeDecodeError:
            raise InputError(
                f"{self._name}: is not UTF-8; save the file as UTF-8"
            ) from None
        if self._numbers:
            further = self._unwanted.sub(
                _emptied if "\n" in further else r"\1", further
            )
        self._text, self._at = self._text[self._at :] + further, 0
        return bool(further) or not self._ended

    def _refuse(self, reason: str) -> NoReturn:
        line = self._lines + self._text.count("\n", 0, self._at)
        near = brief(self._text[self._at :][:40])
        raise InputError(
            f"{self._name}, line {line}: invalid JSON near {near}: {reason}"
        )


def _emptied(match: re.Match[str]) -> str:
    """Return the beginning of a list without its numbers, and its line breaks."""
    return match[1] + "\n" * match[0].count("\n", match.end(1) - match.start())
