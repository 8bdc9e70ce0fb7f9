"""The fenced blocks of a page.

In: the lines of a Markdown page. Out: its lines and blocks, in order.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

FENCE = re.compile(r"^( *)(`{3,})\s*(\S*)")
NOTE = re.compile(r"<!-- (not run|file): (.+?) -->")


class Block(NamedTuple):
    """A fenced block, and the note in the comment before it.

    Attributes:
        language: The word after the fence.
        lines: The lines between the fences, without the indentation of the fence.
        note: "not run" or "file", and what the comment says after it.
        indent: The indentation of the fence.
    """

    language: str
    lines: list[str]
    note: tuple[str, str] | None = None
    indent: str = ""

    @property
    def text(self) -> str:
        """The block's lines as one text."""
        return "\n".join(self.lines) + "\n"


def parts_of(lines: list[str]) -> Iterator[str | Block]:
    """Yield the lines outside blocks, the fences, and between these the blocks."""
    at = 0
    while at < len(lines):
        fence = FENCE.match(lines[at])
        yield lines[at]
        at += 1
        if fence is None:
            continue
        start = at
        while at < len(lines) and lines[at] != fence[1] + fence[2]:
            at += 1
        own = [line.removeprefix(fence[1]) for line in lines[start:at]]
        note = NOTE.fullmatch(lines[start - 2].strip()) if start > 1 else None
        kind = (note[1], note[2]) if note else None
        yield Block(fence[3], own, kind, fence[1])
        yield from lines[at : at + 1]
        at += 1
