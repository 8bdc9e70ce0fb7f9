"""Statements: tell the parts of a long caption that describe from those that do not.

In: a caption of several sentences, such as an answer of a large model. Out: its parts,
from one punctuation mark to the next. Parts that explain, suppose, advise or express a
mood ("which adds a pop of colour") do not describe the picture.

The words that mark such parts are in the table `speculation` of
`grammars/diagnosis.toml`.

Sections that belong to it:

* Quotes: the text on signs and shirts that a caption quotes.
* Claims: tell what a caption claims to see from what it only supposes.
"""

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from spicepy.diagnosis.captions.caption import Thing
from spicepy.diagnosis.lexicon.lexicon import Lexicon
from spicepy.diagnosis.lexicon.word_lists import Speculation

_PART: Final = re.compile(r"[^.,;:!?\n]+[.,;:!?\n]*")
_WORD: Final = re.compile(r"[a-z'-]+")
_ENDS: Final = ".!?\n"
_SHORT: Final = 3  # Shorter parts depend on the part before them.
_JOINED: Final = 6  # So do shorter parts that begin with "and".
_GAP: Final = 8  # The most characters between a word and the next one.


@dataclass(frozen=True, slots=True)
class CaptionPart:
    """A part of a caption.

    Attributes:
        start, end: Its span in the caption, in characters.
        sentence: The number of its sentence, from 1.
        descriptive: Whether it describes the picture.
    """

    start: int
    end: int
    sentence: int
    descriptive: bool


def parts(caption: str, known: Speculation) -> list[CaptionPart]:
    """Return the parts of a caption in their order.

    Args:
        caption: The caption as it was written.
        known: The words of speculation.
    """
    split: list[CaptionPart] = []
    sentence, begins, before = 1, True, True
    for match in _PART.finditer(caption):
        words = _WORD.findall(match[0].lower())
        if not words:
            continue
        describes = _describes(words, known)
        if describes and not (begins or before or _shows(words, known)):
            describes = not _goes_on(words, known)
        question = "?" in match[0]
        split.append(CaptionPart(*match.span(), sentence, describes and not question))
        before, begins = describes, any(mark in match[0] for mark in _ENDS)
        sentence += begins
    return split


def _shows(words: Sequence[str], known: Speculation) -> bool:
    """Return whether a part introduces a description: "the image shows a dog"."""
    pairs = pairwise(words)
    return any(a in known.frames and b in known.showing for a, b in pairs)


def _describes(words: Sequence[str], known: Speculation) -> bool:
    """Return whether a part has no word of explaining, supposing or advising."""
    if words[0] in known.starts or known.frames.issuperset(words):
        return False
    own = set(words)
    if not own.isdisjoint(known.modals) and own.isdisjoint(known.seen):
        return False
    if not own.isdisjoint(known.words):
        return False
    return not any(word.startswith(known.stems) for word in words)


def _goes_on(words: Sequence[str], known: Speculation) -> bool:
    """Return whether a part continues the part before it: "or a meeting"."""
    if words[0] in known.joining:
        return True
    if words[0] == "and":
        return len(words) < _JOINED
    return len(words) < _SHORT and known.determiners.isdisjoint(words)


def places(
    caption: str, words: Sequence[str], split: Sequence[CaptionPart]
) -> Iterator[tuple[int, CaptionPart]]:
    """Yield the position (from 1) of each word with the part that it is in.

    A word that the tokeniser added, such as "and" for a comma, is in the part of the
    word before it.

    Args:
        caption: The caption as it was written.
        words: Its tokens.
        split: Its parts, from `parts`.
    """
    text, at, number = caption.lower(), 0, 0
    for place, word in enumerate(words, 1):
        start = text.find(word.lower(), at)
        if 0 <= start < at + _GAP:
            at = start + len(word)
            while number + 1 < len(split) and split[number].end <= start:
                number += 1
        if split:
            yield place, split[number]


# Quotes: the text on signs and shirts that a caption quotes.
#
# In: a caption as it was written, and its words. Out: the quoted texts, and the
# positions of the words in them, which name no things of the picture.

_QUOTED: Final = re.compile(r"[\"“”]([^\"“”]+)[\"“”]|(?<!\w)'([^']+)'(?!\w)")


def quoted_texts(caption: str) -> list[str]:
    """Return the texts in quotation marks, in lower case."""
    found = [(a or b).lower().strip(" .,") for a, b in _QUOTED.findall(caption)]
    return [text for text in found if text]


def quoted_places(caption: str, words: Sequence[str]) -> Iterator[int]:
    """Yield the positions (from 1) of the words that are quoted.

    A caption that is a single quotation quotes nothing.
    """
    spans = [match.span() for match in _QUOTED.finditer(caption)]
    if not spans or spans[0] == (0, len(caption)):
        return
    text, start = caption.lower(), 0
    for place, word in enumerate(words, 1):
        at = text.find(word, start)
        if at >= 0:
            start = at + len(word)
            if any(first < at < last for first, last in spans):
                yield place


# Claims: tell what a caption claims to see from what it only supposes.
#
# In: a caption with its words and things, and what its sentences leave open
# (`annotations.presence`). Out: the positions of the words that it does not claim.


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
