"""Unsupported words: what no other finding is about and no reference has.

In: an aligned scene and its findings. Out: a finding for each other noun, verb,
adjective or number of the candidate that nothing in the references is like.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from spicepy.diagnosis.alignment import AlignedScene
from spicepy.diagnosis.findings import Finding
from spicepy.diagnosis.kinds.detection import Detection

KIND: Final = "unsupported word"
_STEM: Final = 3  # Letters by which a word is found again in the caption.


def remaining(
    scene: AlignedScene, findings: Iterable[Finding]
) -> Iterator[tuple[Detection, Finding]]:
    """Yield a detection and its finding for each word that is left.

    Args:
        scene: The image.
        findings: The findings of the other kinds.
    """
    texts = (text for f in findings for text in (f.words, *f.members))
    about = {word for text in texts for word in text.split(" ")}
    reading, near = scene.candidate, scene.lexicon.similarity.to_texts
    for word in dict.fromkeys(reading.content):
        if word in about or near(word, scene.lemmas) >= scene.thresholds.same_word:
            continue
        stem = word[: max(_STEM, len(word) - 1)]
        at = next((k for k, w in enumerate(reading.words) if w.startswith(stem)), -1)
        words = reading.words[at] if at >= 0 else word
        finding = Finding(scene.image_id, KIND, (word,), words=words)
        yield Detection(finding, place=at + 1), finding
