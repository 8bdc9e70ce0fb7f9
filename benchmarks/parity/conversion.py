"""Conversion of trees to dependencies, compared with the original's, by tree.

    python -m benchmarks.parity.conversion silver-kbest/captions-01.txt.xz --show 5
    python -m benchmarks.parity.conversion oracle/parser/rare.txt.xz --show 20
    python -m benchmarks.parity.conversion oracle/parser/synthetic.txt.xz --own-tags

The files lie in the folder of oracle data (`--shared`). Trees of one caption share its
words; the tags that decide about marks and question words are those of its best tree,
except with `--own-tags` (`synthetic.txt.xz`).
"""

import lzma
import random
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from benchmarks.figures import figure, run
from benchmarks.java_oracle import shared_parser
from benchmarks.parity.brackets import read_brackets
from spicepy.parsing.conversion import dependencies


class Case(NamedTuple):
    """A tree and the original's conversion of it."""

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


def sampled(every: Iterator[Case], size: int | None, seed: int) -> Iterable[Case]:
    """Return so many cases, each as likely as any other; all if `size` is None."""
    if size is None:
        return every
    draw = random.Random(seed)
    kept: list[Case] = []
    for number, case in enumerate(every):
        if number < size:
            kept.append(case)
        elif (place := draw.randrange(number + 1)) < size:
            kept[place] = case
    return kept


def show(case: Case, heads: list[int], labels: list[str]) -> None:
    """Print the words of a tree that got another head or label."""
    print(" ".join(case.words), case.bracket, sep="\n")
    for i, word in enumerate(case.words):
        theirs, ours = (case.heads[i], case.labels[i]), (heads[i], labels[i])
        if theirs != ours:
            print(f"   {i + 1} {word}: {theirs} expected, {ours} made")


def compare(some: Iterable[Case], shown: int) -> tuple[int, int, float]:
    """Return how many trees there are and how many differ, and processor seconds."""
    trees = differ = 0
    seconds = 0.0
    for case in some:
        tree = read_brackets(case.bracket)
        start = time.process_time()
        heads, labels = dependencies(tree, case.words, case.best)
        seconds += time.process_time() - start
        trees += 1
        if (heads, labels) != (case.heads, case.labels):
            differ += 1
            if differ <= shown:
                show(case, heads, labels)
    return trees, differ, seconds


def main() -> int:
    """Measure the share of equal analyses, and the speed."""
    options = shared_parser(__doc__)
    options.add_argument("files", nargs="+")
    options.add_argument("--sample", type=int, help="trees of each file")
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--show", type=int, default=0, help="differing trees")
    options.add_argument("--own-tags", action="store_true")
    given = options.parse_args()
    dependencies(read_brackets("(NP NN)"), ["dog"])  # reads the tables
    for file in given.files:
        every = cases(given.shared / file, given.own_tags)
        some = sampled(every, given.sample, given.seed)
        trees, differ, seconds = compare(some, given.show)
        each = 1000 * seconds / trees
        equal = 1 - differ / trees
        print(f"{file}: {trees} trees, {differ} differ, {equal:.4%} equal")
        print(f"   {each:.3f} ms of processor a tree")
        name = Path(file).name.split(".")[0]
        figure(f"trees.{name}", trees)
        figure(f"differ.{name}", differ)
        figure(f"ms.{name}", each, 3)
    return 0


if __name__ == "__main__":
    raise SystemExit(run(main, "conversion"))
