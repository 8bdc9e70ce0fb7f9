"""Captions with the original's trees, for the benchmarks of exact parsing."""

import lzma
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from spicepy.parsing.conversion.trees import write_brackets as brackets

__all__ = ["brackets", "captions"]


def captions(shared: Path, limit: int) -> Iterator[tuple[list[str], str]]:
    """Yield the words of captions and the brackets of the original's best tree."""
    return islice(_all(shared / "silver-kbest" / "captions-01.txt.xz"), limit)


def _all(path: Path) -> Iterator[tuple[list[str], str]]:
    words: list[str] = []
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            if line.startswith("# "):
                words = line[2:].split()
            elif line.strip() and words:
                yield words, line.rstrip("\n").split("\t")[2]
                words = []
