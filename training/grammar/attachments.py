"""Attachments, counted in trees of phrases with their heads and labels.

For each rule, and the tags of the heads of its parts, the most frequent way in which
these depend on each other (`spicepy.parsing.bundled.analyser`).
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Final

from spicepy.parsing.bundled.analyser import HEAD, key
from spicepy.parsing.bundled.weights import bare
from training.grammar.kbest import Candidate
from training.grammar.symbols import Analysed, phrases

MIN_COUNT: Final = 2
"""The minimum count of an attachment that is kept."""


class Attachments:
    """Counts of ways in which the parts of rules depend on each other."""

    def __init__(self) -> None:
        self._seen: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self._without: dict[str, str] = {}

    def add(self, tree: Analysed, deps: Candidate) -> None:
        """Count those of one tree."""
        for rule, places in phrases(tree):
            words = _heads(places, deps.heads)
            top = _head(places[0], places[-1], deps.heads)
            if words and top is not None and (way := _way(words, top, deps)):
                parts = [bare(part) for part in rule.parts]
                tags = [deps.tags[word] for word in words]
                there = places[0] > 0 and deps.tags[places[0] - 1] == "EX"
                plain = key(bare(rule.symbol), parts)
                exact = key(bare(rule.symbol), parts, tags, there)
                self._seen[plain][way] += 1
                self._seen[exact][way] += 1
                self._without[exact] = plain

    def most_frequent(self) -> dict[str, str]:
        """Return the most frequent ways, without what goes without saying."""
        best = {
            rule: max(sorted(ways), key=ways.__getitem__)
            for rule, ways in self._seen.items()
            if ways.total() >= MIN_COUNT
        }
        return {
            rule: way
            for rule, way in sorted(best.items())
            if best.get(self._without.get(rule, "")) != way
        }


def _heads(places: Sequence[int], heads: Sequence[int]) -> list[int]:
    """Return the head of each part; none if a part has not exactly one."""
    found = [_head(a, b, heads) for a, b in pairwise(places)]
    words = [word for word in found if word is not None]
    return words if len(words) == len(found) else []


def _head(begin: int, end: int, heads: Sequence[int]) -> int | None:
    """Return the only word whose head is not among the words."""
    own = [word for word in range(begin, end) if not begin < heads[word] <= end]
    return own[0] if len(own) == 1 else None


def _way(words: Sequence[int], top: int, deps: Candidate) -> str:
    """Return how the heads of parts depend on each other; "" if on something else."""
    ways = []
    for word in words:
        above = deps.heads[word] - 1
        if word == top:
            ways.append(HEAD)
        elif above in words:
            ways += [str(words.index(above)), deps.labels[word]]
        else:
            return ""
    return " ".join(ways)


def learn_attachments(
    trees: Iterable[tuple[Analysed, Candidate]],
) -> dict[str, str]:
    """Return the attachments of trees."""
    found = Attachments()
    for tree, deps in trees:
        found.add(tree, deps)
    return found.most_frequent()
