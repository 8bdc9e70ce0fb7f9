"""Speculation: words of parts of a caption that explain, suppose or express a mood.

In: the table `speculation` of `grammars/diagnosis.toml`. Out: `Speculation`.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Speculation:
    """Words that show whether a part of a caption describes the picture.

    Attributes:
        modals: Modal verbs and adverbs of doubt.
        seen: Participles after which "can" is no supposition: "can be seen".
        words: Words of mood and purpose.
        stems: The first letters of further such words.
        starts: First words of a part that explains.
        frames: Words of parts that only introduce others: "in the image".
        showing: Verbs of what a picture shows: "the image shows".
        joining: First words of a part that continues the one before it.
        determiners: Words that begin a noun phrase.
    """

    modals: frozenset[str]
    seen: frozenset[str]
    words: frozenset[str]
    stems: tuple[str, ...]
    starts: frozenset[str]
    frames: frozenset[str]
    showing: frozenset[str]
    joining: frozenset[str]
    determiners: frozenset[str]
