"""Words of place: which nouns are places, which relations say where.

In: the tables `places`, `locatives`, `besides` and `looking` of
`grammars/diagnosis.toml`. Out: `Places`.
"""

from dataclasses import dataclass

from spicepy.diagnosis.lexicon.memory import remembered
from spicepy.diagnosis.lexicon.nouns import Nouns


@dataclass(frozen=True)
class Places:
    """Words of place.

    Attributes:
        nouns: The nouns of the lexicon.
        families: Families of nouns that name places.
        underfoot: Families of places that everybody stands on somewhere: a street.
        supports: Families of things that others stand on: a table.
        sites: Nouns; what is below one of them is a place of its own.
        handled: Nouns; what is below one of them is used and tells no place.
        locatives: Prepositions of place.
        besides: Prepositions of place that leave open where else one is: "near".
        looking: Verbs whose preposition names no place: "look at a phone".
    """

    nouns: Nouns
    families: frozenset[str]
    underfoot: frozenset[str]
    supports: frozenset[str]
    sites: tuple[str, ...]
    handled: tuple[str, ...]
    locatives: frozenset[str]
    besides: frozenset[str]
    looking: frozenset[str]

    def is_place(self, noun: str) -> bool:
        """Return whether a noun names a place."""
        return not self.nouns.family(noun).isdisjoint(self.families)

    def is_underfoot(self, noun: str) -> bool:
        """Return whether everybody stands on such a thing somewhere: a street.

        References that do not say where it happens leave it open.
        """
        return not self.nouns.family(noun).isdisjoint(self.underfoot)

    def is_support(self, noun: str) -> bool:
        """Return whether other things stand on such a thing: a table."""
        return not self.nouns.family(noun).isdisjoint(self.supports)

    def is_site(self, noun: str) -> bool:
        """Return whether a noun names a place of its own: a street, a room, a dock."""
        return self.is_place(noun) or self.nouns.is_below_any(noun, self.sites)

    def is_handled(self, noun: str) -> bool:
        """Return whether a noun names a tool: a microphone tells no place."""
        return self.nouns.is_below_any(noun, self.handled)

    @remembered
    def count_alike(self, first: str, second: str) -> bool:
        """Return whether two nouns count the same; leaves and their plant do not."""
        nouns = self.nouns
        shared = nouns.family(first) & nouns.family(second)
        related = nouns.grade(first, second) == "related"
        return not related or shared.isdisjoint(self.families)

    @remembered
    def is_locative(self, how: str) -> bool:
        """Return whether a relation ends in a preposition of place: "sit on"."""
        looks = how.split(" ")[0] in self.looking
        return not looks and _ends_in(how, self.locatives)

    @remembered
    def is_beside(self, how: str) -> bool:
        """Return whether a relation leaves open where else one is: "stand near"."""
        return _ends_in(how, self.besides)


def _ends_in(how: str, prepositions: frozenset[str]) -> bool:
    words = how.split(" ")
    return any(" ".join(words[start:]) in prepositions for start in range(len(words)))
