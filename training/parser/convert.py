"""CoNLL-U captions in, spaCy `.spacy` files out.

One caption is one `Doc`, one sentence and one tree. Captions whose tree has
several roots are left out (the parser is trained to give one).
"""

import gzip
import random
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TypeVar

from spacy.tokens import Doc, DocBin
from spacy.vocab import Vocab

T = TypeVar("T")
Row = tuple[str, str, str, int, str]
"""word, tag, lemma, head (from 1, 0 for the root), label."""

Soft = dict[str, list[tuple[int, str | int, float]]]
"""Targets of "tags" and "heads": place of the word, tag or head, probability."""


def read_conllu(paths: Iterable[Path]) -> Iterator[list[Row]]:
    """Yield the rows of each block of CoNLL-U files, gzipped or not, in order."""
    for path in paths:
        rows: list[Row] = []
        opened = gzip.open if path.suffix == ".gz" else open
        with opened(path, "rt", encoding="utf-8", newline="\n") as lines:
            for line in lines:
                line = line.rstrip("\n")
                if not line:
                    if rows:
                        yield rows
                    rows = []
                elif not line.startswith("#") or "\t" in line:
                    f = line.split("\t")
                    rows.append((f[1], f[4], f[2], int(f[6]), f[7]))
        if rows:
            yield rows


def to_doc(vocab: Vocab, rows: list[Row], soft: Soft | None = None) -> Doc:
    """Build the gold `Doc` of one caption."""
    return Doc(
        vocab,
        user_data={"soft": soft} if soft else None,
        words=[row[0] for row in rows],
        tags=[row[1] for row in rows],
        heads=[i if row[3] == 0 else row[3] - 1 for i, row in enumerate(rows)],
        deps=["ROOT" if row[3] == 0 else row[4] for row in rows],
    )


def write_docs(trees: Iterable[list[Row] | tuple[list[Row], Soft]], path: Path) -> int:
    """Write trees, with targets if there are any, as a `.spacy` file; count them."""
    vocab = Vocab()
    store = DocBin(attrs=["ORTH", "TAG", "HEAD", "DEP"], store_user_data=True)
    for tree in trees:
        rows, soft = tree if isinstance(tree, tuple) else (tree, None)
        if sum(row[3] == 0 for row in rows) == 1:
            store.add(to_doc(vocab, rows, soft))
    store.to_disk(path)
    return len(store)


def shuffled(trees: Iterable[T], seed: int) -> list[T]:
    """Return the trees in a fixed random order."""
    order = list(trees)
    random.Random(seed).shuffle(order)
    return order
