"""Repetition and broken wording: faults of the text itself, whatever the picture.

In: an aligned scene. Out: a finding for words that are said twice in a row ("a cat and
a cat", "white and white"), and for a caption that breaks off or has two words in a row
that no phrase can have ("a man on a and a bike", "sitting on a").
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from spicepy.diagnosis.alignment import AlignedScene
from spicepy.diagnosis.findings import Finding, Kind
from spicepy.diagnosis.kinds.detection import Detection

_LONGEST: Final = 5
"""The most words of a repeated phrase."""


def detect(scene: AlignedScene) -> Iterator[Detection]:
    """Yield a finding for the first repetition and for the first broken place."""
    words, known = scene.candidate.words, scene.lexicon.wording
    start = _repeated(words, known.joining)
    if start is not None:
        yield _detection(scene, "repetition", *start)
    for at, (first, second) in enumerate(pairwise(words), 1):
        broken = first in known.determiners and second in known.never_after
        if broken and first != second:
            yield _detection(scene, "broken wording", at, 2)
            return
    if words and words[-1] in known.unfinished:
        yield _detection(scene, "broken wording", max(1, len(words) - 1), 2)


def _repeated(words: Sequence[str], joining: frozenset[str]) -> tuple[int, int] | None:
    """Return (position from 1, length) of a phrase with its repetition, or None."""
    for size in range(_LONGEST, 0, -1):
        for at in range(len(words) - 2 * size + 1):
            first, end = words[at], at + size
            joined = words[end] in joining and first not in joining
            if not joined and words[end] != first:
                continue
            phrase = words[at:end]
            if joined and words[end + 1 : end + 1 + size] == phrase:
                return at + 1, 2 * size + 1
            if words[end : end + size] == phrase and (size > 1 or first.isalpha()):
                return at + 1, 2 * size
    return None


def _detection(scene: AlignedScene, kind: Kind, start: int, size: int) -> Detection:
    words = " ".join(scene.candidate.words[start - 1 : start - 1 + size])
    finding = Finding(scene.image_id, kind, (words,), words=words)
    return Detection(finding, place=start, conclusive=True)
