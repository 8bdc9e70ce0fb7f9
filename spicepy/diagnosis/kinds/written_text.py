"""Wrong text: what the candidate reads on a sign, against what references read.

In: an aligned scene. Out: a finding where both quote a text ("a sign that says stop"),
and no word of the candidate's is in any of the references.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import Final

from spicepy.diagnosis.alignment import AlignedScene
from spicepy.diagnosis.kinds.detection import Detection, contradiction

_QUOTED: Final = re.compile(r"[\"“”]([^\"“”]+)[\"“”]|(?<!\w)'([^']+)'(?!\w)")
_WORD: Final = re.compile(r"\w+")
_LONGEST: Final = 3  # Words of a text without quotation marks.


def detect(scene: AlignedScene) -> Iterator[Detection]:
    """Yield a finding if the candidate's text is none of the references'."""
    quoting = scene.lexicon.wording.quoting
    said = texts(scene.candidate.caption, quoting)
    if not said:
        return
    told = [own for t in scene.references if (own := texts(t.caption, quoting))]
    known = set(_words(" ".join(text.caption for text in scene.references)))
    if told and known.isdisjoint(_words(" ".join(said))):
        yield contradiction(
            scene,
            "wrong text",
            (said[0],),
            said=said[0],
            meant=[own[0] for own in told],
            words=said[0],
            told=len(told),
        )


def texts(caption: str, quoting: frozenset[str]) -> list[str]:
    """Return the texts that a caption quotes, in lower case.

    Args:
        caption: The caption as it was written.
        quoting: Words after which a text stands, where there are no quotation marks.
    """
    quoted = [(a or b).lower().strip(" .,") for a, b in _QUOTED.findall(caption)]
    if any(quoted):
        return [text for text in quoted if text]
    said = _after(quoting).findall(caption.lower())
    return [" ".join(text.split()[:_LONGEST]) for text in said]


@cache
def _after(words: frozenset[str]) -> re.Pattern[str]:
    """Return the pattern of what follows one of some words."""
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, sorted(words)))})\s+(\w[\w ]*)")


def _words(text: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(text)]
