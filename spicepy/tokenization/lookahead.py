"""The part of the captions after a block on which the tokens of the block depend.

In: a block of captions, then those that follow, one by one. Out: the text that stands
for all that follow.

The tokeniser looks ahead over line ends: whether the stop of "the letter K." ends a
sentence depends on how the next caption begins. It looks past empty captions, and
through a tag (`<a title="…">`), whose quoted values may run over line ends, but never
further. So a few captions stand for the rest of the document, wherever it is cut.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from spicepy.tokenization.classes import BLANK
from spicepy.tokenization.patterns import ATTRIBUTE, NAME, SGML
from spicepy.tokenization.ptb import one_line

_BLANKS: Final = re.compile(f"{BLANK}*+")
_TAG: Final = re.compile(SGML)
_OPEN_TAG: Final = re.compile(
    f"<{NAME}(?:{ATTRIBUTE})* ++{NAME} *+= *+(?:(\")[^\"]*+|(')[^']*+)"
)
_MOST: Final = 3
"""The number of empty captions kept: no rule distinguishes three from more."""


class Following:
    """The text after a block, gathered until it says enough.

    Args:
        block: The captions of the block.

    Attributes:
        decided: Whether further captions would change nothing.
    """

    def __init__(self, block: Sequence[str]) -> None:
        self.decided = False
        self._lines: list[str] = []
        self._open = _left_open(block)  # quotation marks that tags wait for
        self._begun = False  # a caption that is not empty has come
        self._waits = False  # for one caption more, whatever it says

    @property
    def text(self) -> str | None:
        """The argument `following` of `tokenize`; None where nothing follows."""
        return "\n".join(self._lines) if self._lines else None

    def add(self, captions: Iterable[str]) -> None:
        """Look at the next captions, as far as necessary."""
        for caption in captions:
            if self.decided:
                return
            self._look(one_line(caption))

    def _look(self, line: str) -> None:
        if self._waits:  # The line before ends, and is not the last.
            self._lines.append("")
            self.decided = True
            return
        matters = any(mark in line for mark in self._open)
        self._open = list({m for mark in self._open if (m := _after(mark, line))})
        start = _start(line)
        if not self._begun and start < len(line):
            self._begun = matters = True
            if mark := _open_mark(line[start:]):
                self._open.append(mark)
        elif not self._begun:
            matters = matters or len(self._lines) < _MOST
        if matters:
            self._lines.append(line)
        elif self._lines[-1]:  # that a line follows may matter
            self._lines.append("")
        self._waits = self._begun and not self._open


def _left_open(block: Sequence[str]) -> list[str]:
    """Return the quotation marks that the tags open at the end of a block wait for."""
    marks: list[str] = []
    for caption in block:
        marks = list({m for mark in marks if (m := _after(mark, caption))})
        if "<" in caption:
            line = one_line(caption)
            starts = [at for at, character in enumerate(line) if character == "<"]
            marks += [m for at in starts if (m := _open_mark(line[at:]))]
    return marks


def _start(line: str) -> int:
    """Return where the blanks at the beginning of a line end."""
    match = _BLANKS.match(line)
    return match.end() if match else 0


def _open_mark(text: str) -> str:
    """Return the mark that a tag at a text's beginning waits for; "" for none."""
    match = None if _TAG.match(text) else _OPEN_TAG.fullmatch(text)
    return (match[1] or match[2]) if match else ""


def _after(mark: str, line: str) -> str:
    """Return the mark that a tag that waited for one waits for after a further line."""
    at = line.find(mark)
    return mark if at < 0 else _open_mark(f"<a b={mark}{one_line(line[at:])}")
