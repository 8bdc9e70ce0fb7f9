"""Claims: tell what a caption claims to see from what it only supposes.

In: a caption with its words and things, and what its sentences leave open
(`annotations.presence`). Out: the positions of the words that it does not claim.
"""

from collections.abc import Iterator, Sequence, Set

from spicepy.diagnosis.captions.caption import Thing
from spicepy.diagnosis.captions.quotes import quoted_places
from spicepy.diagnosis.captions.statements import parts, places
from spicepy.diagnosis.lexicon.lexicon import Lexicon


def unclaimed(
    caption: str,
    words: Sequence[str],
    sentences: Sequence[int],
    things: Sequence[Thing],
    supposed: Set[int],
    lexicon: Lexicon,
) -> frozenset[int]:
    """Return the positions (from 1) of words that a caption does not claim to see.

    They are supposed, left open by an "or", or the text on a sign.

    A thing in a part that supposes is claimed all the same if a pronoun for it is in a
    part that describes: "The girl may be cold. She holds an umbrella."

    Args:
        caption: The caption as it was written.
        words: Its tokens.
        sentences: The number of the sentence of each token, from 1.
        things: The things of the caption.
        supposed: The positions of words after a hedge or beside an "or".
        lexicon: Words of parts that do not describe the picture.
    """
    doubted = {*supposed, *_undescribed(caption, words, sentences, lexicon)}
    doubted.update(quoted_places(caption, words))
    if not doubted:
        return frozenset()
    claimed = (thing for thing in things if not doubted.issuperset(thing.pronouns))
    return frozenset(doubted - {thing.place for thing in claimed})


def _undescribed(
    caption: str, words: Sequence[str], sentences: Sequence[int], lexicon: Lexicon
) -> Iterator[int]:
    """Yield the positions of words in parts that explain or express a mood.

    Only captions of several sentences have such parts.
    """
    if not sentences or sentences[-1] == 1:
        return
    split = parts(caption, lexicon.speculation)
    for place, part in places(caption, words, split):
        if not part.descriptive:
            yield place
