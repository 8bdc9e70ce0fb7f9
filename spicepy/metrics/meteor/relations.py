"""Relations of words in METEOR 1.5: identity, stems, synonyms, function words.

In: words of prepared captions. Out: for every word, the other words seen so far that it
can be aligned with, and the matcher. The relation is symmetric, so that each word is
compared once, when it is first seen; alignment then needs dictionary look-ups only.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable
from importlib.resources import files

from spicepy.common.java_hash import string_hash
from spicepy.common.threads import LOCK
from spicepy.common.words.stems import stem

EXACT, STEM, SYNONYM, PARAPHRASE = range(4)

SynsetIds = Callable[[str], frozenset[int]]


def read_function_words() -> frozenset[str]:
    """Return the 93 words of spicepy/metrics/meteor/function-words.txt."""
    path = files(__package__) / "function-words.txt"
    lines = path.read_text(encoding="utf-8").splitlines()
    return frozenset(
        word for line in lines if not line.startswith("# ") for word in line.split()
    )


class WordRelations:
    """The relations of all words seen so far, which grow with `learn`.

    Attributes:
        relatives: Word -> {word it matches: matchers that match the two, in
            METEOR's order}. Every word is its own relative (exact).
    """

    def __init__(self, synonyms: SynsetIds) -> None:
        self.relatives: dict[str, dict[str, tuple[int, ...]]] = {}
        self._synonyms = synonyms
        self._sharing: tuple[defaultdict[int, list[str]], ...] = tuple(
            defaultdict(list) for _ in (EXACT, STEM, SYNONYM)
        )

    def learn(self, words: Iterable[str]) -> None:
        """Add the words that are new."""
        with LOCK:
            for word in words:
                if word not in self.relatives:
                    self._add(word)

    def _add(self, word: str) -> None:
        # METEOR compares words by Java's hash code, which a few words share: "tv" and
        # "v8" are equal to it.
        identity, stemmed = string_hash(word), string_hash(stem(word))
        properties = ((identity,), (stemmed,), self._synonyms(word))
        matches: defaultdict[str, list[int]] = defaultdict(list)
        for matcher, keys in enumerate(properties):
            sharing = self._sharing[matcher]
            for key in keys:
                sharing[key].append(word)
            for other in {other for key in keys for other in sharing[key]}:
                # Words of one identity match exactly and in no other way.
                if matcher == EXACT or EXACT not in matches[other]:
                    matches[other].append(matcher)
        self.relatives[word] = {}
        for other, matchers in matches.items():
            self.relatives[word][other] = tuple(matchers)
            self.relatives[other][word] = tuple(matchers)
