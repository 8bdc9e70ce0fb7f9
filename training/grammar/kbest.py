"""The original parser's best trees of captions, as values.

In: `captions-*.txt.xz`, `probes-*.txt.xz` (a block a caption: `# caption`, then a line
for each analysis: log-probability, a tab, tag, head and label of each word, a tab, the
bracketed tree, which may be missing). Out: captions with their candidate trees, best
first.
"""

import lzma
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path

NOUNS = ("dog", "cat", "man", "child", "bird", "horse")
VERBS = ("runs", "sits", "walks")
PLACES = ("street", "beach", "park")
"""Words of made-up captions, with which the recipe can be run on little data."""


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


def write_made_up(path: Path) -> Path:
    """Write made-up captions with scored trees, in the form that `read_kbest` reads."""
    with lzma.open(path, "wt", encoding="utf-8") as out:
        out.writelines(f"{line}\n" for line in _lines())
    return path


def _lines() -> Iterator[str]:
    place = "(PP IN (NP DT NN))"
    after = "IN 6 case DT 6 det NN {} nmod"
    for noun, verb, where in product(NOUNS, VERBS, PLACES):
        yield f"# a {noun} {verb} in the {where}"
        own = f"DT 2 det NN 3 nsubj VBZ 0 root {after.format(3)}"
        yield f"0\t{own}\t(S (NP DT NN) (VP VBZ {place}))"
        own = f"DT 3 det NN 3 compound NNS 0 root {after.format(3)}"
        yield f"-0.7\t{own}\t(NP (NP DT NN NNS) {place})"
    own = "DT 2 det NN 0 root IN 5 case DT 5 det NN 2"
    for noun, where in product(NOUNS, PLACES):
        yield f"# a {noun} in the {where}"
        yield f"0\t{own} nmod\t(NP (NP DT NN) {place})"
        yield f"-2.5\t{own} dep\t(FRAG (NP DT NN) {place})"
