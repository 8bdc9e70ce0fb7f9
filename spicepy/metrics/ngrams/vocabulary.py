"""Words, word pairs and n-grams as numbers: exact, and never renumbered.

In: words. Out: 64-bit numbers that tell n-grams apart; n-grams from numbers.
"""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from spicepy.common.threads import LOCK

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

ORDERS = (1, 2, 3, 4)
"""The lengths of the n-grams that document frequencies count."""

HALF = 31
"""The number of bits of each half of an n-gram number: the number is exact, never a
hash."""


class GramVocabulary:
    """Numbers for words, pairs of words and n-grams; grows, never renumbers.

    `normalise` maps a word to the form that is counted (a stemmer); it is
    called once for each distinct word.
    """

    def __init__(self, normalise: Callable[[str], str] | None = None) -> None:
        self.words: list[str] = []
        self.pairs: list[int] = []
        self._normalise = normalise
        self._forms: dict[str, int] = {}
        self._ids = _Numbers(self._number)
        self._pair_ids: dict[int, int] = {}

    @classmethod
    def restored(cls, words: list[str], pairs: Ints) -> "GramVocabulary":
        """Return the vocabulary of words and pairs (no stems), in their order."""
        made = cls()
        made.words, made.pairs = words, pairs.tolist()
        made._forms = {word: number for number, word in enumerate(words)}
        made._pair_ids = {pair: number for number, pair in enumerate(made.pairs)}
        return made

    @property
    def repeats(self) -> bool:
        """Whether a word or a pair has two numbers, which only damage brings about."""
        words, pairs = len(self._forms), len(self._pair_ids)
        return words < len(self.words) or pairs < len(self.pairs)

    def word_ids(self, tokens: list[str]) -> Ints:
        """Return numbers of words, new words included."""
        return np.fromiter(map(self._ids.__getitem__, tokens), np.int64, len(tokens))

    def _number(self, token: str) -> int:
        with LOCK:
            return self._intern(self._normalise(token) if self._normalise else token)

    def _intern(self, form: str) -> int:
        if form not in self._forms:
            self._forms[form] = len(self.words)
            self.words.append(form)
        return self._forms[form]

    def form_ids(self, forms: list[str]) -> Ints:
        """Return numbers of words that are in the counted form already."""
        with LOCK:
            return np.array([self._intern(form) for form in forms], np.int64)

    def pair_ids(self, first: Ints, second: Ints) -> Ints:
        """Return numbers of word pairs, new pairs included."""
        codes, inverse = np.unique(first << HALF | second, return_inverse=True)
        return self.numbered_pairs(codes)[inverse]

    def numbered_pairs(self, codes: Ints) -> Ints:
        """Return the numbers of distinct word pairs (bigrams), which may be new."""
        known, pairs = self._pair_ids, codes.tolist()
        with LOCK:
            new = [pair for pair in pairs if pair not in known]
            known.update(zip(new, range(len(known), len(known) + len(new))))
            self.pairs.extend(new)
        return np.fromiter(map(known.__getitem__, pairs), np.int64, len(pairs))

    def gram_codes(self, words: Ints) -> Ints:
        """Return the numbers of n-grams of word numbers, shape (n-grams, n), n 1-4."""
        return _gram_codes(words, self.pair_ids)

    def known_codes(self, grams: Sequence[tuple[str, ...]]) -> Ints:
        """Return the numbers of n-grams of one order (1-4); -1 for new ones."""
        forms, n = self._forms, len(grams[0]) if grams else 1
        numbers = [forms.get(word, -1) for gram in grams for word in gram]
        return _gram_codes(
            np.array(numbers, np.int64).reshape(-1, n), self._known_pairs
        )

    def _known_pairs(self, first: Ints, second: Ints) -> Ints:
        codes, known = first << HALF | second, self._pair_ids  # below 0: a new word
        return np.array([known.get(code, -1) for code in codes.tolist()], np.int64)

    def spell(self, codes: Ints, n: int) -> list[str]:
        """Return the n-grams of such numbers, words joined by single spaces."""
        columns = self.columns(codes, n)
        named = [[self.words[i] for i in column.tolist()] for column in columns]
        return [" ".join(gram) for gram in zip(*named)]

    def columns(self, codes: Ints, n: int) -> list[Ints]:
        """Return the numbers of the words of n-grams: n arrays."""
        high, low = _halves(codes)
        pairs = np.array(self.pairs, np.int64)
        columns = [low] if n == 1 else [high, low]
        if n > 2:
            columns[:1] = _halves(pairs[high])
        if n == 4:
            columns[2:] = _halves(pairs[low])
        return columns


class _Numbers(dict[str, int]):
    """Numbers of words, which are made when they are first asked for."""

    def __init__(self, number: Callable[[str], int]) -> None:
        self._number = number

    def __missing__(self, token: str) -> int:
        number = self[token] = self._number(token)
        return number

    def __reduce__(self) -> tuple[type["_Numbers"], tuple[Callable[[str], int]]]:
        return type(self), (self._number,)


def _gram_codes(words: Ints, pair_ids: Callable[[Ints, Ints], Ints]) -> Ints:
    """Return the numbers of n-grams from those of words and pairs, or -1."""
    n = words.shape[1]
    high, low = words[:, 0], words[:, n - 1]
    if n == 1:
        return low
    if n > 2:
        high = pair_ids(words[:, 0], words[:, 1])
    if n == 4:
        low = pair_ids(words[:, 2], words[:, 3])
    return np.where((high < 0) | (low < 0), -1, high << HALF | low)


def _halves(codes: Ints) -> tuple[Ints, Ints]:
    return codes >> HALF, codes & (1 << HALF) - 1
