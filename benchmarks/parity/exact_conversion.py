"""Conversion of trees to dependencies beside the original's, tree by tree.

    python -m benchmarks.parity.exact_conversion FILE [--sample 20000] [--show 20]

FILE is, below the shared folder, `silver-kbest/captions-01.txt.xz` or
`oracle/parser/rare.txt.xz`.

The files lie in the folder of oracle data (`--shared`). Trees of one caption share its
words; the tags that decide about marks and question words are those of its best tree,
except with `--own-tags` (`synthetic.txt.xz`).
"""

import argparse
import lzma
import random
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from benchmarks import figures
from spicepy.parsing.conversion import dependencies, read_brackets


class Case(NamedTuple):
    """A tree and what the original makes of it."""

    words: list[str]
    best: list[str]
    bracket: str
    tags: list[str]
    heads: list[int]
    labels: list[str]


def cases(path: Path, own_tags: bool) -> Iterator[Case]:
    """Yield the trees of a file."""
    words: list[str] = []
    best: list[str] = []
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            if line.startswith("# "):
                words, best = line[2:].split(), []
                continue
            parts = line.rstrip("\n").split("\t")
            if len(parts) < 3:
                continue
            fields = parts[1].split(" ")
            tags, heads, labels = fields[::3], fields[1::3], fields[2::3]
            best = best or tags
            given = tags if own_tags else best
            yield Case(words, given, parts[2], tags, list(map(int, heads)), labels)


def main() -> int:
    """Measure the share of equal analyses, and the speed."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("file")
    options.add_argument("--shared", type=Path, default=Path("/work/shared"))
    options.add_argument("--sample", type=int)
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--show", type=int, default=0)
    options.add_argument("--own-tags", action="store_true")
    given = options.parse_args()
    every = list(cases(given.shared / given.file, given.own_tags))
    if given.sample:
        every = random.Random(given.seed).sample(every, min(given.sample, len(every)))
    trees = [read_brackets(case.bracket) for case in every]
    start = time.process_time()
    made = [
        dependencies(tree, case.words, case.best)
        for tree, case in zip(trees, every, strict=True)
    ]
    seconds = time.process_time() - start
    wrong = [
        (case, *found)
        for case, found in zip(every, made, strict=True)
        if found != (case.heads, case.labels)
    ]
    for case, heads, labels in wrong[: given.show]:
        print(" ".join(case.words), case.bracket, sep="\n")
        for i, word in enumerate(case.words):
            theirs, ours = (case.heads[i], case.labels[i]), (heads[i], labels[i])
            if theirs != ours:
                print(f"   {i + 1} {word}: {theirs} expected, {ours} made")
    equal = 1 - len(wrong) / len(every)
    print(f"{given.file}: {len(every)} trees, {len(wrong)} differ, {equal:.4%} equal")
    print(f"{1000 * seconds / len(every):.3f} ms a tree (processor)")
    name = Path(given.file).name.split(".")[0]
    figures.figure(f"trees.{name}", len(every))
    figures.figure(f"differ.{name}", len(wrong))
    figures.figure(f"ms.{name}", 1000 * seconds / len(every), 3)
    return 0


if __name__ == "__main__":
    raise SystemExit(figures.run(main, "exact_conversion"))
