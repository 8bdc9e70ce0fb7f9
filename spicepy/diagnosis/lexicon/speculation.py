"""Speculation: words of what explains, supposes or tells a mood, and describes nothing.

In: the table `speculation` of `grammars/diagnosis.toml`. Out: `Speculation`.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Speculation:
    """Words by what they show of a part of a caption.

    Attributes:
        modals: Modal verbs and adverbs of doubt.
        seen: Participles that make "can" no supposition: "can be seen".
        words: Words of mood and purpose.
        stems: Beginnings of such words.
        starts: First words of a part that explains.
        frames: Words of parts that say nothing of their own: "in the image".
        showing: Verbs of what a picture shows: "the image shows".
        joining: First words of a part that goes on with the one before it.
        determiners: Words that begin a new thing.
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
