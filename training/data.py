"""The captions of which the parser is made, with and without trees.

In: folders of captions. Out: `Captions`, and the files that `spacy train` reads.
"""

import gzip
import math
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from accuracy import read_analysed
from convert import Row, read_conllu, shuffled, write_docs

from spicepy.dependencies import Parse
from spicepy.parsing.agreement import ROOT
from spicepy.parsing.ensemble import Ensemble
from spicepy.parsing.network import Network

SMOKE = Path(__file__).parent.parent / "fixtures" / "captions_parsed.jsonl.gz"
LEAST_SEEN = 5
"""A combination of tag, label and head's tag seen less often is held to be wrong."""
EVALUATED = 2000
"""Development captions seen while training; all of them are used at its end."""
SEED = 0


class Captions(NamedTuple):
    """What the parser is made from and measured on.

    Attributes:
        train: Trees of the original parser.
        dev: Others, never trained on.
        bare: More captions like those of `train`, without trees.
    """

    train: list[list[Row]]
    dev: list[Parse]
    bare: list[tuple[str, ...]]


def read_captions(smoke: bool, shared: Path) -> Captions:
    """Read the captions; those that are measured on are nowhere else."""
    if smoke:
        trees = read_analysed(SMOKE)
        rows = [rows_of(tree) for tree in trees]
        bare = [tree.words for tree in trees[900:1100]]
        return Captions(shuffled(rows[300:900], SEED), trees[:300], bare)
    silver = sorted((shared / "silver").glob("*.conllu.gz"))
    if not silver:
        sys.exit(f"no *.conllu.gz in {shared / 'silver'}: give --shared")
    train = shuffled(read_conllu(silver), SEED)
    dev = read_analysed(shared / "oracle" / "spice" / "coco5k_captions.jsonl.gz")
    known = {tuple(row[0] for row in rows) for rows in train}
    known |= {tuple(tree.words) for tree in dev}
    path = shared / "oracle" / "ngram" / "coco_train_coco.txt.gz"
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        texts = dict.fromkeys(tuple(line.split()) for line in lines)
    bare = [words for words in texts if words and words not in known]
    return Captions(train, dev, bare)


def write_captions(captions: Captions, work: Path) -> None:
    """Write the files that `spacy train` reads."""
    every = max(1, len(captions.dev) // EVALUATED)
    write_docs(captions.train, work / "train.spacy")
    write_docs(map(rows_of, captions.dev[::every]), work / "dev.spacy")


def with_guesses(captions: Captions, networks: Sequence[Path]) -> list[list[Row]]:
    """Return the training trees and those that networks give the bare captions."""
    every = [Network.from_disk(folder) for folder in networks]
    ensemble = Ensemble(every, combinations(captions.train), sure=math.inf)
    found = zip(captions.bare, ensemble.analyse(captions.bare), strict=True)
    guessed = [
        list(zip(words, tags, words, heads, labels))  # nobody looks at the lemmas
        for words, (tags, heads, labels) in found
    ]
    return shuffled([*captions.train, *guessed], SEED)


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
