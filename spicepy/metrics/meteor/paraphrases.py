"""METEOR's paraphrase table (`paraphrase-en.gz`), an optional file of the user.

In: the gzip file: five million entries of three lines, a probability (unused),
a left phrase and a right phrase. Out: the phrases of the table in a caption, and the
rewritings of each.

The whole table would take a gigabyte. Only entries with both phrases in the captions at
hand can ever match, so those few entries are looked up for a batch of captions, in file
order: in the compiled table, or in the file itself if that has no compiled form.
"""

import gzip
import os
import sys
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from importlib.machinery import PathFinder
from itertools import accumulate, compress
from pathlib import Path
from typing import Final

from spicepy.common.errors import ResourceError
from spicepy.metrics.meteor.compiled_paraphrases import compiled_path, load_table
from spicepy.metrics.meteor.paraphrase_compiler import LONGEST, reading

VARIABLE: Final = "SPICEPY_PARAPHRASES"
"""Environment variable that names the table."""
_CHUNK = 1 << 17  # The number of bytes unpacked at a time, which fit the cache.
_LONGEST_LINE = 1 << 20  # The most bytes of a line; a longer one is no entry.

Words = Sequence[str]

Occurrence = tuple[int, int, int]
"""A phrase of the table in a caption: first word, number of words, phrase."""


def find_paraphrases() -> Path | None:
    """Return the path of the user's table, None if there is none.

    It is the file in SPICEPY_PARAPHRASES, else the compiled table in the user's folder,
    else the file of the first package `pycocoevalcap` on the path that has one; the
    package is not imported.

    Raises:
        ResourceError: SPICEPY_PARAPHRASES names no file.
    """
    if named := os.environ.get(VARIABLE):
        if not Path(named).is_file():
            raise ResourceError(f"{VARIABLE}={named}: no such file")
        return Path(named)
    if (compiled := compiled_path()).is_file():
        return compiled
    return packaged_table()


def packaged_table() -> Path | None:
    """Return the table of an installed package `pycocoevalcap`, if there is one."""
    # Not `find_spec`: `spicepy.compat.install` may stand in for the package. And entry
    # by entry: a copy of the package without the table must not hide another.
    for entry in sys.path:
        spec = PathFinder.find_spec("pycocoevalcap", [entry])
        for folder in (spec and spec.submodule_search_locations) or ():
            path = Path(folder, "meteor", "data", "paraphrase-en.gz")
            if path.is_file():
                return path
    return None


@dataclass(slots=True)
class _Node:
    """A prefix of phrases: the number of the phrase that ends here; next words."""

    phrase: int | None = None
    following: "dict[str, _Node]" = field(default_factory=dict)


class ParaphraseTable:
    """The entries of the table that can match within some captions.

    Attributes:
        rewritings: Left phrase -> {right phrase: place in file order}; phrases
            are numbered.
    """

    def __init__(self, entries: Iterable[tuple[bytes, bytes]]) -> None:
        self.rewritings: dict[int, dict[int, int]] = {}
        self._numbers: dict[bytes, int] = {}
        self._prefixes = _Node()
        for left, right in entries:
            rights = self.rewritings.setdefault(self._number(left), {})
            rights[self._number(right)] = len(rights)

    def _number(self, phrase: bytes) -> int:
        if phrase not in self._numbers:
            node = self._prefixes
            for word in phrase.decode("utf-8", "surrogatepass").split(" "):
                node = node.following.setdefault(word, _Node())
            node.phrase = self._numbers[phrase] = len(self._numbers)
        return self._numbers[phrase]

    def occurrences(self, words: Words) -> list[Occurrence]:
        """Return the phrases in a caption, by first word, shorter ones first."""
        found: list[Occurrence] = []
        for first in range(len(words)):
            node = self._prefixes
            for at in range(first, len(words)):
                if words[at] not in node.following:
                    break
                node = node.following[words[at]]
                if node.phrase is not None:
                    found.append((first, at + 1 - first, node.phrase))
        return found


def read_paraphrases(path: Path, captions: Iterable[Words]) -> ParaphraseTable:
    """Return the entries that can match within these captions; see `load_table`.

    Raises:
        ResourceError: The file is missing or damaged.
    """
    if (table := load_table(path)) is not None:
        return ParaphraseTable(table.entries(captions))
    return ParaphraseTable(_select(path, _phrases(captions)))


def _phrases(captions: Iterable[Words]) -> set[bytes]:
    """Return every run of one to seven words of the captions, in UTF-8."""
    phrases: set[bytes] = set()
    for words in captions:
        text = " ".join(words).encode("utf-8", "surrogatepass")
        lengths = map(len, text.split(b" "))
        begins = list(
            accumulate(lengths, lambda at, length: at + length + 1, initial=0)
        )
        ends = [begin - 1 for begin in begins[1:]]
        for first, begin in enumerate(begins[:-1]):
            phrases.update([text[begin:end] for end in ends[first : first + LONGEST]])
    return phrases


def _select(path: Path, phrases: Collection[bytes]) -> Iterator[tuple[bytes, bytes]]:
    """Yield the entries (left, right) of the file with both phrases among the given."""
    lines: list[bytes] = []
    rest = chunk = b""
    for chunk in _chunks(path):
        *complete, rest = (rest + chunk).split(b"\n")
        if len(rest) > _LONGEST_LINE:
            raise ResourceError(
                f"paraphrase table {path}: a line has more than "
                f"{_LONGEST_LINE:,} bytes, which no phrase has"
            )
        lines += complete
        whole = len(lines) // 3 * 3
        lefts, rights = lines[1:whole:3], lines[2:whole:3]
        known = compress(zip(lefts, rights), map(phrases.__contains__, lefts))
        yield from [entry for entry in known if entry[1] in phrases]
        del lines[:whole]
    if not chunk:
        raise ResourceError(f"paraphrase table {path}: the file is empty")
    if lines or rest:
        raise ResourceError(
            f"paraphrase table {path}: the last entry is incomplete; expected three "
            "lines an entry (probability, left phrase, right phrase)"
        )


def _chunks(path: Path) -> Iterator[bytes]:
    with reading(path), gzip.open(path) as file:
        while text := file.read(_CHUNK):
            yield text
