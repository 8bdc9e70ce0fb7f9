"""The original parser's best trees of captions, as values.

In: `captions-*.txt.xz`, `probes-*.txt.xz` (a block a caption: `# caption`, then a line
for each analysis: log-probability, a tab, tag, head and label of each word, a tab, the
bracketed tree, which may be missing). Out: captions with their candidate trees, best
first.
"""

import lzma
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Candidate:
    """One analysis: tags, heads (0: root), labels; how likely it is; brackets."""

    tags: tuple[str, ...]
    heads: tuple[int, ...]
    labels: tuple[str, ...]
    score: float = 0.0
    brackets: str = ""


def read_kbest(path: Path) -> Iterator[tuple[list[str], list[Candidate]]]:
    """Yield words and candidates; skip candidates that are not a tree with one root."""
    words: list[str] = []
    found: list[Candidate] = []
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            if line.startswith("# ") and "\t" not in line:
                if words:
                    yield words, found
                words, found = line[2:].split(), []
            elif "\t" in line:
                score, cells, *brackets = line.rstrip("\n").split("\t")
                parts = cells.split(" ")
                if len(parts) != 3 * len(words):
                    continue
                heads = tuple(map(int, parts[1::3]))
                if heads.count(0) == 1 and min(heads) >= 0:
                    tree = tuple(parts[::3]), heads, tuple(parts[2::3])
                    found.append(Candidate(*tree, float(score), "".join(brackets)))
    if words:
        yield words, found
