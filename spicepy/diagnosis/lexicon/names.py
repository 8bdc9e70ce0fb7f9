"""Names: which words name things and properties, and their dictionary forms.

In: the tables `names`, `no_things` and `no_properties` of `grammars/diagnosis.toml`.
Out: `Names`.
"""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Names:
    """Words as names.

    Attributes:
        lemmas: Word as the lemmatiser leaves it -> its dictionary form.
        placeholders: Tokens that captioners write for unknown words: "UNK".
        no_modifiers: Words that are no part of a noun after them: "others".
        no_things: Nouns that name no thing in the picture: "background".
        likeness: Words after which a thing only looks like it: "heart shaped".
        no_properties: Attributes that say nothing of their object: "other".
    """

    lemmas: Mapping[str, str]
    placeholders: frozenset[str]
    no_modifiers: frozenset[str]
    no_things: frozenset[str]
    likeness: frozenset[str]
    no_properties: frozenset[str]

    def noun(self, name: str) -> str:
        """Return a noun without modifiers that tell nothing; "" for a placeholder."""
        first, _, rest = name.partition(" ")
        while rest and (first in self.no_modifiers or first in self.placeholders):
            name = rest
            first, _, rest = name.partition(" ")
        return self.lemma(name)

    def lemma(self, word: str) -> str:
        """Return the dictionary form of a word; "" for a placeholder."""
        return "" if word in self.placeholders else self.lemmas.get(word, word)
