"""The tags and phrases that a network's scores leave open.

In: sentences with a network's scores. Out: their tags and heads that score little less
than the best.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import compress
from typing import Final

import numpy as np

from spicepy.parsing.bundled.arithmetic import Bools
from spicepy.parsing.bundled.groups import Group

MOST_TAGS: Final = 4
"""The number of tags that a word may have open."""


@dataclass(frozen=True, slots=True)
class Open:
    """The choices that are left open in sentences.

    Attributes:
        sentences: Their words.
        tags: The open tags of each word.
        spans: (sentences, words of the longest + 1, the same) whether the words from
            one place to before another may be a phrase.
    """

    sentences: list[list[str]]
    tags: list[list[list[str]]]
    spans: Bools

    @classmethod
    def joined(cls, parts: Sequence["Open"]) -> "Open":
        """Put sentences of several lengths together."""
        most = max(part.spans.shape[1] for part in parts)
        return cls(
            [words for part in parts for words in part.sentences],
            [tags for part in parts for tags in part.tags],
            np.concatenate([_padded(part.spans, most) for part in parts]),
        )


def _padded(spans: Bools, places: int) -> Bools:
    more = places - spans.shape[1]
    return np.pad(spans, ((0, 0), (0, more), (0, more)))


def open_choices(group: Group, tags: list[str], tag: float, head: float) -> Open:
    """Return the tags and heads that score little less than the best.

    Args:
        group: Sentences with scores.
        tags: Names of tags.
        tag: The difference to the best score that a tag may have, in nats.
        head: The difference to the best score that a head may have, in nats.
    """
    scores = group.scores
    assert scores is not None
    opened = scores.tags > scores.tags.max(axis=2, keepdims=True) - tag
    named = [[[tags[n]] for n in row] for row in scores.tags.argmax(axis=2).tolist()]
    # Few words have several.
    several = np.nonzero(opened.sum(axis=2) > 1)
    best = np.argsort(-scores.tags[several], axis=1, kind="stable")[:, :MOST_TAGS]
    kept = np.take_along_axis(opened[several], best, axis=1)
    rows = zip(*(numbers.tolist() for numbers in (*several, best, kept)))
    for sentence, place, own, which in rows:
        named[sentence][place] = [tags[n] for n in compress(own, which)]
    arcs = scores.arcs > scores.arcs.max(axis=2, keepdims=True) - head
    return Open([list(words) for words in group.sentences], named, open_spans(arcs))


def open_spans(arcs: Bools) -> Bools:
    """Return which spans may be a phrase: at most one word has no open head inside.

    Args:
        arcs: (sentences, words, words + 1) open heads, head 0 is the root.
    """
    count, words, _ = arcs.shape
    spans = np.zeros((count, words + 1, words + 1), bool)
    # Open heads before each place, the root's not counted.
    before = np.zeros((count, words, words + 1), np.int16)
    before[:, :, 1:] = arcs[:, :, 1:].cumsum(axis=2)
    all_heads = before[:, :, -1:] + arcs[:, :, :1]
    before_end = np.tri(words, dtype=bool).T
    for begin in range(words):
        own = before_end[begin:, begin:]
        inside = before[:, begin:, begin + 1 :] - before[:, begin:, begin : begin + 1]
        alone = ((inside == 0) & own).sum(axis=1) <= 1
        outside = ((all_heads[:, begin:] > inside) & own).any(axis=1)
        spans[:, begin, begin + 1 :] = alone & outside
    spans[:, 0, words] = True
    spans[:, np.arange(words), np.arange(words) + 1] = True
    return spans
