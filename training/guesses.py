"""Captions without trees in, the trees that a parser guesses out, to learn from.

A network that also learns what several networks and the tree model think of other
captions errs elsewhere than they do (self-training, e.g. McClosky et al. 2006,
"Effective self-training for parsing").
"""

import gzip
from collections.abc import Iterable, Sequence
from pathlib import Path

from convert import Row

from spicepy.parsing.bundled.ensemble import Ensemble
from spicepy.words.lemmas import lemmatize


def read_captions(path: Path, known: Iterable[Sequence[str]]) -> list[list[str]]:
    """Return the words of the captions of a gzipped file, one a line, each once.

    Args:
        path: Tokenised captions.
        known: Words of captions to leave out.
    """
    seen = {" ".join(words) for words in known}
    found = []
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            words = line.split()
            caption = " ".join(words)
            if words and caption not in seen:
                seen.add(caption)
                found.append(words)
    return found


def guess(parser: Ensemble, captions: Sequence[Sequence[str]]) -> list[list[Row]]:
    """Return the trees that a parser gives captions."""
    return [
        [
            (word, tag, lemmatize(word, tag), head, label)
            for word, tag, head, label in zip(words, *arcs)
        ]
        for words, arcs in zip(captions, parser.analyse(captions))
    ]
