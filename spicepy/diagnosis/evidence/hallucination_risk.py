"""The risk that a caption says something that is not in the picture.

In: a scene and its findings. Out: a number from 0 to 1, to rank captions by.

Two things speak against a caption: the errors found in it, and words that no reference
says, not even in other words.
"""

from collections.abc import Collection, Iterable
from math import prod
from typing import Final

from spicepy.diagnosis.captions.scene import Scene
from spicepy.diagnosis.findings import Finding
from spicepy.diagnosis.lexicon.word_similarity import WordSimilarity

_DIGITS: Final = 6  # The last bits of a cosine depend on the machine.


def hallucination_risk(
    scene: Scene,
    findings: Iterable[Finding],
    similarity: WordSimilarity,
    harmless: Collection[str],
) -> float:
    """Return one minus the probability that all is right, 0-1.

    A finding is wrong with one minus the precision of its kind; of the content words,
    the share without support in the references counts as doubt.

    Args:
        scene: The image.
        findings: Its findings.
        similarity: The similarity of words.
        harmless: Kinds that do not count: missed objects, and remarks.
    """
    counted = (f for f in findings if f.kind not in harmless)
    right = prod(1 - (f.precision or 0) for f in counted)
    return round(1 - (1 - unsupported_share(scene, similarity)) * right, _DIGITS)


def unsupported_share(scene: Scene, similarity: WordSimilarity) -> float:
    """Return the share of the content words that no reference has or is like, 0-1.

    A word's support is the cosine to the most similar word of the references.
    """
    words = scene.candidate.content
    if not words:
        return 0.0
    texts = [text.lemmas for text in scene.references]
    return 1 - sum(similarity.to_texts(word, texts) for word in words) / len(words)
