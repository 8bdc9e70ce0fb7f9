"""Wrong text: the text on a sign that the candidate quotes, against the references'.

In: an aligned scene. Out: a finding if both sides quote a text ("a sign that says
stop") and no word of the candidate's text is in any reference.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import Final

from spicepy.diagnosis.alignment import AlignedScene
from spicepy.diagnosis.captions.quotes import quoted_texts
from spicepy.diagnosis.kinds.detection import Detection, contradiction

_WORD: Final = re.compile(r"\w+")
_LONGEST: Final = 3  # The most words of a text without quotation marks.


def detect(scene: AlignedScene) -> Iterator[Detection]:
    """Yield a finding if the references quote only texts other than the candidate's."""
    quoting = scene.lexicon.wording.quoting
    said = texts(scene.candidate.caption, quoting)
    if not said:
        return
    quoted = [quotes for t in scene.references if (quotes := texts(t.caption, quoting))]
    known = set(_words(" ".join(text.caption for text in scene.references)))
    if quoted and known.isdisjoint(_words(" ".join(said))):
        yield contradiction(
            scene,
            "wrong text",
            (said[0],),
            said=said[0],
            meant=[quotes[0] for quotes in quoted],
            words=said[0],
            mentions=len(quoted),
        )


def texts(caption: str, quoting: frozenset[str]) -> list[str]:
    """Return the texts that a caption quotes, in lower case.

    Args:
        caption: The caption as it was written.
        quoting: Words before a text without quotation marks, such as "says".
    """
    if quoted := quoted_texts(caption):
        return quoted
    said = _after(quoting).findall(caption.lower())
    return [" ".join(text.split()[:_LONGEST]) for text in said]


@cache
def _after(words: frozenset[str]) -> re.Pattern[str]:
    """Return the pattern of the text that follows one of some words."""
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, sorted(words)))})\s+(\w[\w ]*)")


def _words(text: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(text)]
