"""Claims: tell what a caption claims to see from what it only supposes.

In: a caption with its words, tags and things. Out: the positions of the words that it
does not claim.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from spicepy.diagnosis.captions.caption import Thing
from spicepy.diagnosis.captions.quotes import quoted_places
from spicepy.diagnosis.captions.statements import CaptionPart, parts, places
from spicepy.diagnosis.lexicon.lexicon import Lexicon

_BEFORE_NOUN: Final = ("JJ", "CD", "DT", "PRP$", "RB")
"""The tags of words that stand before the noun of a noun phrase."""


def unclaimed(
    caption: str,
    words: Sequence[str],
    tags: Sequence[str],
    sentences: Sequence[int],
    things: Sequence[Thing],
    lexicon: Lexicon,
) -> frozenset[int]:
    """Return the positions (from 1) of words that a caption does not claim to see.

    They are supposed, left open by an "or", or the text on a sign.

    A thing in a part that supposes is claimed all the same if a pronoun for it is in a
    part that describes: "The girl may be cold. She holds an umbrella."

    Args:
        caption: The caption as it was written.
        words: Its tokens.
        tags: The part-of-speech tag of each token.
        sentences: The number of the sentence of each token, from 1.
        things: The things of the caption.
        lexicon: Hedges, and words of parts that do not describe the picture.
    """
    doubted = {*_undescribed(caption, words, sentences, lexicon)}
    doubted.update(quoted_places(caption, words))
    if "or" in words:
        doubted.update(_choices(words, tags, things))
    if not doubted:
        return frozenset()
    claimed = (thing for thing in things if not doubted.issuperset(thing.pronouns))
    return frozenset(doubted - {thing.place for thing in claimed})


def _undescribed(
    caption: str, words: Sequence[str], sentences: Sequence[int], lexicon: Lexicon
) -> Iterator[int]:
    """Yield the positions of words that suppose or explain and do not describe.

    A hedge holds up to the next punctuation mark. In captions of several sentences,
    whole parts may explain or express a mood.
    """
    several = bool(sentences) and sentences[-1] > 1
    hedges = lexicon.unsaid.hedges
    if not several and hedges.isdisjoint(words):
        return
    split = parts(caption, lexicon.speculation)
    doubted: CaptionPart | None = None
    for place, part in places(caption, words, split):
        if part is doubted or (several and not part.descriptive):
            yield place
        elif words[place - 1] in hedges:
            doubted = part


def _choices(
    words: Sequence[str], tags: Sequence[str], things: Sequence[Thing]
) -> Iterator[int]:
    """Yield the positions of things that an "or" joins: "a house or a shop".

    The "or" in "a cement or asphalt floor" joins modifiers, which are not yielded.
    """
    names = {
        place: thing.place
        for thing in things
        for place in range(thing.place - thing.name.count(" "), thing.place + 1)
    }
    for at in (at for at, word in enumerate(words, 1) if word == "or"):
        rest = zip(range(at + 1, len(words) + 1), tags[at:])
        noun = next((k for k, tag in rest if not tag.startswith(_BEFORE_NOUN)), 0)
        if noun in names and tags[at - 2 : at - 1] and tags[at - 2].startswith("NN"):
            yield from (names.get(at - 1, at - 1), names[noun])
