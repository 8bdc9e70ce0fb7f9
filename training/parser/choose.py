"""Choice of the tree that fits the scene graph that people drew of a caption.

In: candidate trees and the graph. Out: the tree that says what people saw.

A tree fits a tuple if nothing else stands between the words of the tuple: from "man"
to "horse" of (man, ride, horse) the way through the tree goes over "riding" and no
other noun or verb, the preposition of (dog, on, boat) hangs on the boat, and "red" of
(boat, red) on the boat. That asks nothing of labels and is the same for every
grammar; which of the fitting trees is the right one, a parser knows best.
"""

from collections.abc import Iterable, Sequence
from itertools import product

from spicepy.words.morphology import lemmatize
from training.grammar.kbest import Candidate

Drawn = tuple[str, ...]
"""(object, attribute) or (subject, predicate, object), as people wrote them."""

CONTENT = ("NN", "VB", "JJ", "CD", "FW")
"""Tags (their beginnings) of words that may not stand between."""


def forms(word: str) -> set[str]:
    """Return the names that a word of a caption may have in a graph."""
    return {word, *(lemmatize(word, tag) for tag in ("NNS", "VBZ", "VBG", "VBN"))}


def fit(
    words: Sequence[str], tree: Candidate, drawn: Iterable[Drawn], places: "Places"
) -> float:
    """Return how well a tree fits the tuples: the mean over visible ones, 0-1."""
    found = []
    for tuple_ in drawn:
        if len(tuple_) == 2:
            of, to = places[tuple_[0]], places[tuple_[1]]
            own: set[int] = set()
        else:
            of, to = places[tuple_[0]], places[tuple_[2]]
            own = {at for word in tuple_[1].split() for at in places.of_word(word)}
        pairs = [(a, b) for a, b in product(of, to) if a[-1] != b[-1]]
        if pairs:
            found.append(max(_fit_pair(tree, a, b, own) for a, b in pairs))
    return sum(found) / len(found) if found else 1.0


def _fit_pair(
    tree: Candidate, of: tuple[int, ...], to: tuple[int, ...], own: set[int]
) -> float:
    heads, tags, labels = tree.heads, tree.tags, tree.labels
    first, last = of[-1], to[-1]
    way = path(heads, first, last)
    foreign = 0.0
    for at in way:
        if at in own or at in of or at in to:
            continue
        joined = labels[at - 1] == "conj" or any(
            labels[child - 1] == "conj" and heads[child - 1] == at
            for child in (first, last, *way)
        )
        if joined:
            foreign += 0.25
        elif tags[at - 1].startswith("VB"):
            foreign += 0.25  # people often leave a verb out: (cat, in, grass)
        else:
            foreign += tags[at - 1].startswith(CONTENT)
    # What belongs to one of them should hang on it, or on the way between them.
    near = {first, last, *way, *of, *to}
    loose = sum(heads[at - 1] not in near and at not in near for at in own)
    parts = [at for phrase in (of, to) for at in phrase[:-1]]
    loose += sum(heads[at - 1] not in (*of, *to) for at in parts)
    return 1 / (1 + foreign + 0.5 * loose)


def path(heads: Sequence[int], first: int, last: int) -> list[int]:
    """Return the words on the way from one word to another, both ends left out."""
    above = [first]
    while above[-1]:
        above.append(heads[above[-1] - 1])
    other = [last]
    while other[-1] not in above:
        other.append(heads[other[-1] - 1])
    meeting = above.index(other[-1])
    way = [*above[: meeting + 1], *reversed(other[:-1])]
    return [at for at in way if at not in (first, last, 0)]


class Places:
    """The places of the words of a graph in a caption.

    `places[phrase]` are the positions of the words of a phrase, once for each time its
    last word occurs; words that do not are left out.
    """

    def __init__(self, words: Sequence[str]) -> None:
        self._words = [forms(word) for word in words]
        self._numbers = {str(n): x for n, x in enumerate(NUMBERS)}

    def of_word(self, word: str) -> list[int]:
        """Return the positions of a word."""
        wanted = {word, self._numbers.get(word, word)}
        return [at for at, x in enumerate(self._words, 1) if x & wanted]

    def __getitem__(self, phrase: str) -> list[tuple[int, ...]]:
        *before, last = phrase.split() or [""]
        found = []
        for at in self.of_word(last):
            parts = []
            for back, word in enumerate(reversed(before), 1):
                if at - back in self.of_word(word):
                    parts.append(at - back)
            found.append((*reversed(parts), at))
        return found


NUMBERS = (
    *("zero", "one", "two", "three", "four", "five", "six"),
    *("seven", "eight", "nine", "ten", "eleven", "twelve"),
)
