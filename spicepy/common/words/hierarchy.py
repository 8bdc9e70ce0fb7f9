"""The noun hierarchy: which WordNet synsets are kinds of which others.

In: a noun. Out: its synsets, the most frequent sense first, and above each synset its
hypernyms with their distance. "dog" → dog.n.01 → canine (1) → carnivore (2) → …

Source: Miller 1995, WordNet; the data is WordNet 3.0's.
"""

from collections.abc import Mapping
from functools import cache

from spicepy.common.words.wordnet import WordNet, bundled_hypernyms, load_wordnet


class Hierarchy:
    """Noun synsets and their hypernyms.

    Args:
        wordnet: Senses of lemmas; its noun offsets in ascending order are the
            lines of the table.
        table: See `spicepy.common.words.tables.hypernym_table`.
    """

    def __init__(self, wordnet: WordNet, table: bytes) -> None:
        self._wordnet = wordnet
        self._offsets = wordnet.noun_offsets()
        self._ranks = {offset: rank for rank, offset in enumerate(self._offsets)}
        self._rows = table.split(b"\n")
        self._synsets: dict[str, tuple[int, ...]] = {}
        self._above: dict[int, Mapping[int, int]] = {}

    def synsets(self, noun: str) -> tuple[int, ...]:
        """Return the synsets (offsets) of a noun, the most frequent sense first.

        Args:
            noun: A lemma in lower case; blanks stand between the words.
        """
        offsets = self._synsets.get(noun)
        if offsets is None:
            senses = self._wordnet.senses(noun.replace(" ", "_"))
            offsets = tuple(offset for part, offset in senses if part == "n")
            self._synsets[noun] = offsets
        return offsets

    def is_only_noun(self, word: str) -> bool:
        """Return whether all synsets of a word, of which there are some, are nouns."""
        senses = self._wordnet.senses(word.replace(" ", "_"))
        return bool(senses) and all(part == "n" for part, _ in senses)

    def hypernyms(self, synset: int) -> list[int]:
        """Return the synsets right above a synset."""
        rank = self._ranks[synset]
        return [self._offsets[rank + int(far)] for far in self._rows[rank].split()]

    def above(self, synset: int) -> Mapping[int, int]:
        """Return the synset and everything above it, each with its least distance."""
        distances = self._above.get(synset)
        if distances is None:
            distances = {synset: 0}
            for hypernym in self.hypernyms(synset):
                for higher, distance in self.above(hypernym).items():
                    distances[higher] = min(distance + 1, distances.get(higher, 1_000))
            self._above[synset] = distances
        return distances

    def depth(self, synset: int) -> int:
        """Return the steps from a synset to the top of the hierarchy, "entity"."""
        return max(self.above(synset).values())


@cache
def load_hierarchy() -> Hierarchy:
    """Return the noun hierarchy of WordNet 3.0, loaded once a process."""
    return Hierarchy(load_wordnet(), bundled_hypernyms())
