"""Findings about one noun of the candidate, with the words as the caption has them."""

from spicepy.diagnosis.alignment import AlignedScene
from spicepy.diagnosis.captions.caption import Thing
from spicepy.diagnosis.findings import Finding, Kind


def unmatched_noun(scene: AlignedScene, kind: Kind, thing: Thing) -> Finding:
    """Return a finding about a noun that the references have nothing for."""
    words = scene.candidate.as_written(thing)
    return Finding(scene.image_id, kind, (thing.name,), words=words)


def substituted_noun(
    scene: AlignedScene,
    kind: Kind,
    thing: Thing,
    meant: str,
    references: int,
) -> Finding:
    """Return a finding about a noun in place of which the references have `meant`."""
    words = scene.candidate.as_written(thing)
    image_id, members, said = scene.image_id, (thing.name,), thing.name
    return Finding(image_id, kind, members, meant, said, references, words)
