"""Names: the dictionary forms of words, and words that name no thing or property.

In: the tables `names`, `no_things` and `no_properties` of `grammars/diagnosis.toml`.
Out: `Names`.
"""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Names:
    """Words as names of things and properties.

    Attributes:
        lemmas: Output of the lemmatiser -> dictionary form, where both differ.
        placeholders: Tokens that captioners write for unknown words: "UNK".
        no_modifiers: Words that are no part of the noun after them: "others".
        no_things: Nouns that name no thing in the picture: "background".
        likeness: Words after a noun that only gives a shape: "heart shaped".
        no_properties: Attributes that are no property of their object: "other".
        toys: Attribute of an animal that is none -> what it is: "stuffed" -> "toy".
    """

    lemmas: Mapping[str, str]
    placeholders: frozenset[str]
    no_modifiers: frozenset[str]
    no_things: frozenset[str]
    likeness: frozenset[str]
    no_properties: frozenset[str]
    toys: Mapping[str, str]

    def noun(self, name: str) -> str:
        """Return a noun without words of `no_modifiers`; "" for a placeholder."""
        first, _, rest = name.partition(" ")
        while rest and (first in self.no_modifiers or first in self.placeholders):
            name = rest
            first, _, rest = name.partition(" ")
        return self.lemma(name)

    def lemma(self, word: str) -> str:
        """Return the dictionary form of a word; "" for a placeholder."""
        return "" if word in self.placeholders else self.lemmas.get(word, word)
