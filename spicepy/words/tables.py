"""WordNet's files as sorted tables of text, small and searched in place.

In: lines of WordNet's own files (`index.noun`, `noun.exc`, `data.noun` …). Out: the
bytes of a table, one entry per line; `SortedTable` finds a key in them.
"""

from bisect import bisect_right
from collections.abc import Iterable
from typing import Final

PARTS = {"noun": "n", "verb": "v", "adj": "a", "adv": "r"}
"""WordNet's file suffixes and the letter that marks each in our table."""

BLOCK: Final = 2048
"""Bytes of a block of lines, about."""


class SortedTable:
    """A sorted text of `key TAB values` lines, searched without unpacking.

    The first keys of blocks of lines are known; inside a block, the text is searched.
    """

    def __init__(self, data: bytes) -> None:
        self._data = data
        begins = {data.find(b"\n", at) + 1 for at in range(BLOCK, len(data), BLOCK)}
        self._begins = sorted({0, *begins, len(data)})
        self._firsts = [
            data[begin : data.find(b"\t", begin) + 1] for begin in self._begins[:-1]
        ]

    def __bytes__(self) -> bytes:
        return self._data

    def lines(self) -> list[bytes]:
        """Return all lines, without their ends."""
        return self._data.split(b"\n")[:-1]

    def get(self, key: str) -> str | None:
        """Return the values of a key, or None."""
        data, start = self._data, key.encode(errors="surrogatepass") + b"\t"
        block = bisect_right(self._firsts, start) - 1
        if block < 0:
            return None
        at = self._begins[block]
        if self._firsts[block] != start:
            at = data.find(b"\n" + start, at, self._begins[block + 1]) + 1
            if not at:
                return None
        return data[at + len(start) : data.find(b"\n", at)].decode()


def lemma_table(files: Iterable[tuple[str, Iterable[str]]]) -> bytes:
    """Make the lemma table from (part of speech, lines of `index.*`)."""
    senses: dict[str, list[str]] = {}
    for part, lines in files:
        for line in lines:
            if line.startswith(" ") or not line.strip():
                continue  # the licence, or an empty line at the end
            fields = line.split()
            offsets = fields[-int(fields[2]) :]
            senses.setdefault(fields[0], []).extend(
                f"{PARTS[part]}{int(offset)}" for offset in offsets
            )
    return _table(senses)


def exception_table(files: Iterable[tuple[str, Iterable[str]]]) -> bytes:
    """Make the exception table from (part of speech, lines of `*.exc`)."""
    bases: dict[str, list[str]] = {}
    for part, lines in files:
        for line in lines:
            inflected, *forms = line.split() or [""]
            for base in forms:
                bases.setdefault(inflected, []).append(f"{PARTS[part]}:{base}")
    return _table(bases)


def hypernym_table(lines: Iterable[str]) -> bytes:
    """Make the table of the noun hierarchy from the lines of `data.noun`.

    A line a noun synset, in the order of their offsets: how many lines further down
    each of its hypernyms (kinds and instances) stands, so -3 is three lines up. No
    offset is written: distributions that moved them give the same table.
    """
    hypernyms: dict[int, list[int]] = {}
    for line in lines:
        if line.startswith(" ") or not line.strip():
            continue
        fields = line.split(" | ")[0].split()
        at = 4 + 2 * int(fields[3], 16)
        pointers = fields[at + 1 : at + 1 + 4 * int(fields[at])]
        hypernyms[int(fields[0])] = [
            int(pointers[k + 1])
            for k in range(0, len(pointers), 4)
            if pointers[k] in ("@", "@i") and pointers[k + 2] == "n"
        ]
    ranks = {offset: rank for rank, offset in enumerate(sorted(hypernyms))}
    rows = (
        " ".join(str(ranks[above] - rank) for above in hypernyms[offset])
        for offset, rank in ranks.items()
    )
    return "".join(f"{row}\n" for row in rows).encode()


def _table(entries: dict[str, list[str]]) -> bytes:
    lines = sorted(
        f"{key}\t{' '.join(dict.fromkeys(values))}\n".encode()
        for key, values in entries.items()
    )
    return b"".join(lines)
