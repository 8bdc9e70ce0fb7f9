"""Wrong negations: things that one side denies and the other side has.

In: an aligned scene. Out: a finding for each noun that the candidate denies ("no",
"without", "free of") and the references have, and for each thing of the candidate that
the references deny.
"""

from collections.abc import Iterator

from spicepy.diagnosis.alignment import AlignedScene
from spicepy.diagnosis.captions.caption import Reading
from spicepy.diagnosis.findings import Finding
from spicepy.diagnosis.kinds.detection import Detection
from spicepy.diagnosis.lexicon.lexicon import Lexicon
from spicepy.diagnosis.lexicon.nouns import NAMING


def detect(scene: AlignedScene) -> Iterator[Detection]:
    """Yield a finding for each thing that one side has and the other denies."""
    lexicon, reading = scene.lexicon, scene.candidate
    if not any(text.denied for text in (reading, *scene.references)):
        return
    for noun in dict.fromkeys(reading.denied):
        having = [t for t in scene.references if _has(t, noun, lexicon)]
        agree = sum(_denies(t, noun, lexicon) for t in scene.references)
        if having and not agree:
            yield _detection(scene, noun, f"no {noun}", len(having))
    for thing in reading.things:
        denying = sum(_denies(t, thing.name, lexicon) for t in scene.references)
        agree = sum(_has(t, thing.name, lexicon) for t in scene.references)
        if denying and not agree:
            yield _detection(scene, thing.name, reading.as_written(thing), denying)


def _denies(text: Reading, noun: str, lexicon: Lexicon) -> bool:
    grade = lexicon.nouns.grade
    return any(grade(noun, other) in NAMING for other in text.denied)


def _has(text: Reading, noun: str, lexicon: Lexicon) -> bool:
    grade = lexicon.nouns.grade
    named = any(grade(noun, thing.name) in NAMING for thing in text.things)
    return named and not _denies(text, noun, lexicon)


def _detection(
    scene: AlignedScene, noun: str, words: str, references: int
) -> Detection:
    finding = Finding(
        scene.image_id, "wrong negation", (noun,), references=references, words=words
    )
    return Detection(
        finding, mentions=references, conclusive=references >= scene.enough
    )
