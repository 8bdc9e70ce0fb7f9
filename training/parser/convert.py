"""CoNLL-U captions and scored trees in, spaCy `.spacy` files with soft targets out.

One caption is one `Doc`, one sentence and one tree. Captions whose tree has
several roots are left out (the parser is trained to give one).

A network that learns the best tree alone learns nothing of how close it was. Each tag
and each head of a word is as good as the best listed tree that has it; the targets are
the softmax of these scores.
"""

import gzip
import math
import random
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray
from spacy.tokens import Doc, DocBin
from spacy.vocab import Vocab

from training.grammar.kbest import Candidate, read_kbest

T = TypeVar("T")
Row = tuple[str, str, str, int, str]
"""word, tag, lemma, head (from 1, 0 for the root), label."""

Soft = dict[str, list[tuple[int, str | int, float]]]
"""Targets of "tags" and "heads": place of the word, tag or head, probability."""

TEMPERATURE = 0.5
"""Scores are divided by this, in nats: below 1, the best tree counts for more."""


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


def read_margins(paths: Sequence[Path]) -> Iterator[tuple[list[Row], Soft]]:
    """Yield the best tree of each caption, and the targets of its words."""
    for path in paths:
        for words, found in read_kbest(path):
            if found and found[0].score == 0:
                best = found[0]
                lemmas = [""] * len(words)
                rows = zip(words, best.tags, lemmas, best.heads, best.labels)
                yield list(rows), soft(found)


def soft(found: Sequence[Candidate]) -> Soft:
    """Return the targets of words of which more than one tag or head is possible."""
    return {
        "tags": _targets([tree.tags for tree in found], found),
        "heads": _targets([tree.heads for tree in found], found),
    }


def _targets(
    choices: Sequence[Sequence[str | int]], found: Sequence[Candidate]
) -> list[tuple[int, str | int, float]]:
    """Return (word, choice, probability)."""
    targets: list[tuple[int, str | int, float]] = []
    for word, column in enumerate(zip(*choices)):
        best: dict[str | int, float] = {}
        for choice, tree in zip(column, found):
            best[choice] = max(best.get(choice, -math.inf), tree.score)
        if len(best) > 1:
            weights = {c: math.exp(s / TEMPERATURE) for c, s in best.items()}
            total = sum(weights.values())
            targets += [(word, choice, x / total) for choice, x in weights.items()]
    return targets


def dense_targets(
    hard: Sequence[Sequence[int]],
    soft: Sequence[Sequence[tuple[int, int, float]]],
    choices: int,
) -> NDArray[np.float32]:
    """Return (sentences, words, choices) how likely each choice should be.

    Args:
        hard: (sentences, words) the best choice.
        soft: For each sentence, the words that have several.
        choices: The number of choices.
    """
    found = np.eye(choices, dtype=np.float32)[np.array(hard)]
    for sentence, shares in zip(found, soft):
        for word, choice, share in shares:
            sentence[word, choice] = share
    return found
