"""The captions of which the parser is made and on which it is measured.

In: folders of captions. Out: their trees, the files that `spacy train` reads, and
the combinations of tags and labels.
"""

import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from accuracy import read_analysed
from convert import Row, read_conllu, shuffled, write_docs

from spicepy.dependencies import Parse
from spicepy.parsing.agreement import ROOT

SMOKE = Path(__file__).parent.parent / "fixtures" / "captions_parsed.jsonl.gz"
LEAST_SEEN = 5
"""A combination of tag, label and head's tag seen less often is held to be wrong."""
EVALUATED = 2000
"""Development captions seen while training; all of them are used at its end."""
SEED = 0


def read_captions(smoke: bool, shared: Path) -> tuple[list[list[Row]], list[Parse]]:
    """Return training trees and development trees: no caption is in both."""
    if smoke:
        trees = read_analysed(SMOKE)
        return shuffled(map(rows_of, trees[300:900]), SEED), trees[:300]
    silver = sorted((shared / "silver").glob("*.conllu.gz"))
    if not silver:
        sys.exit(f"no *.conllu.gz in {shared / 'silver'}: give --shared")
    dev = read_analysed(shared / "oracle" / "spice" / "coco5k_captions.jsonl.gz")
    return shuffled(read_conllu(silver), SEED), dev


def write_captions(train: list[list[Row]], dev: Sequence[Parse], work: Path) -> None:
    """Write the files that `spacy train` reads."""
    every = max(1, len(dev) // EVALUATED)
    write_docs(train, work / "train.spacy")
    write_docs(map(rows_of, dev[::every]), work / "dev.spacy")


def combinations(train: list[list[Row]]) -> dict[str, dict[str, list[str]]]:
    """Return tag -> label -> tags of the head, for what was seen often enough."""
    seen: Counter[tuple[str, str, str]] = Counter()
    for rows in train:
        tags = [ROOT, *(row[1] for row in rows)]
        seen.update((row[1], row[4], tags[row[3]]) for row in rows)
    found: dict[str, dict[str, list[str]]] = {}
    for (tag, label, head), count in sorted(seen.items()):
        if count >= LEAST_SEEN:
            found.setdefault(tag, {}).setdefault(label, []).append(head)
    return found


def rows_of(tree: Parse) -> list[Row]:
    """Turn a `Parse` into the rows of its CoNLL-U block."""
    return list(zip(tree.words, tree.tags, tree.lemmas, tree.heads, tree.labels))
