"""Wrong time and wrong weather of the whole picture.

In: an aligned scene. Out: a finding for each word of the candidate for a time of day, a
season or a weather ("at night", "a rainy day") that excludes a word of the references.
"""

from collections.abc import Iterator
from typing import Final

from spicepy.diagnosis.alignment import AlignedScene
from spicepy.diagnosis.kinds.detection import Detection, contradiction
from spicepy.diagnosis.lexicon.opposites import Opposition, excludes

_TOPICS: Final[tuple[Opposition, ...]] = ("time", "weather")


def detect(scene: AlignedScene) -> Iterator[Detection]:
    """Yield a finding for each time and weather that references exclude."""
    of, reading = scene.lexicon.opposites.of, scene.candidate
    for topic in _TOPICS:
        for side, word in of(topic, reading.lemmas).items():
            sides = [of(topic, text.lemmas) for text in scene.references]
            agree = sum(side in taken for taken in sides)
            against = [
                next((w for other, w in taken.items() if excludes(side, other)), None)
                for taken in sides
                if side not in taken
            ]
            meant = [w for w in against if w is not None]
            if len(meant) > agree:
                last = word.rpartition(" ")[2]
                yield contradiction(
                    scene,
                    f"wrong {topic}",
                    (word,),
                    said=word,
                    meant=meant,
                    words=word,
                    mentions=len(meant) + agree,
                    place=reading.words.index(last) + 1 if last in reading.words else 0,
                    agree=agree,
                )
