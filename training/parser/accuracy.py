"""Measure the agreement of parses with the original's: tags, heads, labels, lemmas."""

import gzip
import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from spicepy.parsing.trees import Parse
from spicepy.words.morphology import lemmatize


def read_analysed(path: Path) -> list[Parse]:
    """Read the original's trees (`*captions*.jsonl.gz`), single sentences only."""
    trees = []
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            sentences = json.loads(line)["sentences"]
            if len(sentences) == 1:
                tree = gold_parse(sentences[0]["tokens"], sentences[0]["basic"])
                if tree.heads.count(0) == 1:
                    trees.append(tree)
    return trees


def gold_parse(tokens: list[list[str]], basic: list[list[str]]) -> Parse:
    """Turn tokens [word, tag, lemma] and edges [label, head, dependent] round."""
    arcs = {int(dependent): (int(head), label) for label, head, dependent in basic}
    rows = [arcs.get(place, (0, "root")) for place in range(1, len(tokens) + 1)]
    words, tags, lemmas = zip(*tokens)
    heads, labels = zip(*rows)
    return Parse(words, tags, lemmas, heads, labels)


def accuracy(gold: Sequence[Parse], found: Sequence[Parse]) -> dict[str, float]:
    """Return percentages of tokens; the trees must have the same words."""
    right: Counter[str] = Counter()
    tokens = 0
    for a, b in zip(gold, found, strict=True):
        if a.words != b.words:
            raise ValueError(f"different words: {a.words} and {b.words}")
        tokens += len(a.words)
        heads = [x == y for x, y in zip(a.heads, b.heads)]
        labels = [x == y for x, y in zip(a.labels, b.labels)]
        right["tags"] += sum(x == y for x, y in zip(a.tags, b.tags))
        right["UAS"] += sum(heads)
        right["LAS"] += sum(x and y for x, y in zip(heads, labels))
        right["lemmas"] += sum(
            lemmatize(w, t) == lemma for w, t, lemma in zip(a.words, a.tags, a.lemmas)
        )
        right["whole trees"] += all(heads) and all(labels)
    trees = right.pop("whole trees")
    figures = {name: 100 * count / tokens for name, count in right.items()}
    return figures | {"whole trees": 100 * trees / len(gold)}
