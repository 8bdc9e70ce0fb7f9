"""Wrong text: what the candidate reads on a sign, against what references read.

In: an aligned scene. Out: a finding where both quote a text ("a sign that says stop"),
and no word of the candidate's is in any of the references.
"""

import re
from collections.abc import Iterator
from typing import Final

from spicepy.diagnosis.alignment import AlignedScene
from spicepy.diagnosis.kinds.detection import Detection, contradiction

_QUOTED: Final = re.compile(r"[\"“”]([^\"“”]+)[\"“”]|(?<!\w)'([^']+)'(?!\w)")
_SAID: Final = re.compile(
    r"\b(?:says?|saying|reads|that reads?|reading|labell?ed|the words?)\s+([\w ]+)",
    re.I,
)
_WORD: Final = re.compile(r"\w+")
_LONGEST: Final = 3  # Words of a text without quotation marks.


def detect(scene: AlignedScene) -> Iterator[Detection]:
    """Yield a finding if the candidate's text is none of the references'."""
    said = texts(scene.candidate.caption)
    read = [texts(text.caption) for text in scene.references]
    told = [own for own in read if own]
    known = set(_words(" ".join(t.caption for t in scene.references)))
    if said and told and known.isdisjoint(_words(" ".join(said))):
        yield contradiction(
            scene,
            "wrong text",
            (said[0],),
            said=said[0],
            meant=[own[0] for own in told],
            words=said[0],
            told=len(told),
        )


def texts(caption: str) -> list[str]:
    """Return the texts that a caption quotes, in lower case."""
    quoted = [(a or b).lower().strip(" .,") for a, b in _QUOTED.findall(caption)]
    said = [" ".join(t.lower().split()[:_LONGEST]) for t in _SAID.findall(caption)]
    return [text for text in quoted or said if text]


def _words(text: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(text)]
