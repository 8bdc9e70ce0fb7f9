"""Risk: how likely a caption says something that is not in the picture.

In: a `Scene` and its findings. Out: a number from 0 to 1, to rank captions by.

Two things speak against a caption: what was found wrong in it, and what no reference
says, not even in other words.
"""

from collections.abc import Iterable
from math import prod

from spicepy.diagnosis.likeness import support
from spicepy.diagnosis.values import NO_ERRORS, Finding, Scene

_NO_RISK = ("missed object", *NO_ERRORS)
_DIGITS = 6  # The last bits of a cosine depend on the machine.


def risk(scene: Scene, findings: Iterable[Finding]) -> float:
    """One minus the probability that all is right, 0-1.

    A finding is wrong with one minus the precision of its kind; of the content words,
    the share without support in the references counts as doubt. Missed objects and
    findings that are no errors do not count.
    """
    right = prod(1 - (f.precision or 0) for f in findings if f.kind not in _NO_RISK)
    return round(1 - (1 - unsupported(scene)) * right, _DIGITS)


def unsupported(scene: Scene) -> float:
    """The share of the content words that no reference has or is like, 0-1.

    A word's support is the cosine to the most similar word of the references.
    """
    words = scene.candidate.content
    if not words:
        return 0.0
    known = [text.lemmas for text in scene.references]
    return 1 - sum(support(word, known) for word in words) / len(words)
