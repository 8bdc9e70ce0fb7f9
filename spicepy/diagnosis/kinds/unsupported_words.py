"""Unsupported words: nothing in the references is like them.

In: an aligned scene. Out: a finding for each noun, verb or adjective of the candidate
that nothing in the references is like. It gives way to any other finding about the
word (`analysis.resolve_conflicts`).
"""

from collections.abc import Iterator
from typing import Final

from spicepy.diagnosis.alignment import AlignedScene
from spicepy.diagnosis.findings import Finding
from spicepy.diagnosis.kinds.detection import Detection

_STEM: Final = 3  # Letters by which a word is found again in the caption.


def detect(scene: AlignedScene) -> Iterator[Detection]:
    """Yield a finding for each word without support."""
    reading, of = scene.candidate, scene.lexicon.aspects.of
    for word in dict.fromkeys(reading.content):
        if scene.confirms(word) or of("count", [word]):
            continue  # `counts` looks at numbers.
        stem = word[: max(_STEM, len(word) - 1)]
        at = next((k for k, w in enumerate(reading.words) if w.startswith(stem)), -1)
        words = reading.words[at] if at >= 0 else word
        finding = Finding(scene.image_id, "unsupported word", (word,), words=words)
        yield Detection(finding, fallback=True, place=at + 1)
