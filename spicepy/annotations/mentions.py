"""Mentions: the objects that a caption names, by the classes of a vocabulary.

    "a man with two dogs"  →  person (man), dog (dogs)

In: captions. Out: a `Mentions` for each caption, made by the word lists of the scripts
(`script_words`) or by the parser (`parsed_mentions`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

CLEAN: Final = "clean"
"""The variant that reads captions with our parser."""


@dataclass(frozen=True, slots=True)
class Mention:
    """One object that a caption names.

    Attributes:
        name: The object class, "person".
        word: The word that names it, as the reader looked it up: "man".
        place: The number of the token, from 1.
        sentence: The number of the sentence, from 1.
    """

    name: str
    word: str
    place: int
    sentence: int = 1


@dataclass(frozen=True, slots=True)
class Mentions:
    """The objects that one caption names.

    Attributes:
        mentions: The mentions in the order of the caption; a class may be repeated.
        tokens: The tokens of the caption in their dictionary forms, pairs such as "hot
            dog" joined to one.
        sentences: The number of its sentences.
    """

    mentions: tuple[Mention, ...]
    tokens: tuple[str, ...]
    sentences: int = 1

    @property
    def names(self) -> tuple[str, ...]:
        """The classes in the order of the caption, with repetitions."""
        return tuple(mention.name for mention in self.mentions)


class MentionReader(Protocol):
    """The interface of readers, which find the objects that captions name."""

    @property
    def variant(self) -> str:
        """The name of the variant: "pattern", "nltk" or "clean"."""
        ...

    @property
    def vocabulary(self) -> str:
        """The name of the vocabulary whose classes it knows: "coco-80"."""
        ...

    def class_of(self, name: str) -> str | None:
        """Return the class that the name of an annotation's category means, or None."""
        ...

    def read(self, captions: Sequence[str]) -> Mapping[str, Mentions]:
        """Return the mentions of each caption, as it was written."""
        ...

    def signature(self) -> dict[str, str]:
        """Return everything that can change the mentions, in a stable order."""
        ...
