"""Captions with the original's trees, for the benchmarks of exact parsing."""

import lzma
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from benchmarks.parity.brackets import write_brackets as brackets

__all__ = ["brackets", "captions"]

BRACKETS = 2
"""The column of the tree, which some captions lack."""


def captions(
    shared: Path, name: str = "captions-01.txt.xz", limit: int | None = None
) -> Iterator[tuple[list[str], str]]:
    """Yield the words of captions and the brackets of the original's best tree.

    Args:
        shared: The folder of shared data.
        name: A file of its folder `silver-kbest`.
        limit: The number of captions at most; by default all.
    """
    return islice(_all(shared / "silver-kbest" / name), limit)


def _all(path: Path) -> Iterator[tuple[list[str], str]]:
    words: list[str] = []
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            if line.startswith("# "):
                words = line[2:].split()
            elif line.strip() and words:
                columns = line.rstrip("\n").split("\t")
                if len(columns) > BRACKETS:
                    yield words, columns[BRACKETS]
                words = []
