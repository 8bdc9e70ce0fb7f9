"""Findings about one noun of the candidate, with the words as the caption has them."""

from spicepy.diagnosis.reading import Reading, Thing
from spicepy.diagnosis.values import Finding, Kind, Scene


def as_written(thing: Thing, reading: Reading) -> str:
    """A thing in the words of its caption."""
    if 0 < thing.place <= len(reading.words):
        start = max(0, thing.place - len(thing.name.split(" ")))
        return " ".join(reading.words[start : thing.place])
    return thing.name


def alone(scene: Scene, kind: Kind, thing: Thing, *, sure: bool = True) -> Finding:
    """A noun that the references have nothing for."""
    words = as_written(thing, scene.candidate)
    return Finding(scene.image_id, kind, (thing.name,), words=words, sure=sure)


def instead(
    scene: Scene,
    kind: Kind,
    thing: Thing,
    meant: str,
    references: int,
    *,
    sure: bool = True,
) -> Finding:
    """A noun where the references have another one."""
    words = as_written(thing, scene.candidate)
    image_id, members, said = scene.image_id, (thing.name,), thing.name
    return Finding(image_id, kind, members, meant, said, references, words, sure)
