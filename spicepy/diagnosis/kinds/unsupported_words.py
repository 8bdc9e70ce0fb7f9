"""Unsupported words: the references have neither the word nor a synonym.

In: an aligned scene. Out: a finding for each such noun, verb or adjective of the
candidate. Any other finding about the word replaces it (`analysis.resolve_conflicts`).
"""

from collections.abc import Iterator
from typing import Final

from spicepy.diagnosis.alignment import AlignedScene
from spicepy.diagnosis.findings import Finding
from spicepy.diagnosis.kinds.detection import Detection

_STEM: Final = 3  # The least letters by which a lemma is found in the caption.


def detect(scene: AlignedScene) -> Iterator[Detection]:
    """Yield a finding for each word that no reference confirms."""
    reading, of = scene.candidate, scene.lexicon.aspects.of
    for word in dict.fromkeys(reading.content):
        if scene.confirms(word) or of("count", [word]):
            continue  # The kind "wrong count" compares numbers.
        stem = word[: max(_STEM, len(word) - 1)]
        at = next((k for k, w in enumerate(reading.words) if w.startswith(stem)), -1)
        words = reading.words[at] if at >= 0 else word
        finding = Finding(scene.image_id, "unsupported word", (word,), words=words)
        yield Detection(finding, fallback=True, place=at + 1)
