"""Semantic roles: a thing as the subject or object of a relation, or as the topic.

In: a thing of the candidate and things of the references. Out: whether a reference has
one of its things in the same role, so that the candidate may have taken one for the
other: both are played, both are the topic of the caption, or both have someone on them.
"""

from collections.abc import Iterable, Iterator, Sequence

from spicepy.diagnosis.alignment import AlignedScene
from spicepy.diagnosis.captions.caption import Reading, Thing

Role = tuple[str, str]
"""("subject", verb), ("object", relation) or ("topic", "")."""


def is_in_its_role(
    scene: AlignedScene, thing: Thing, of_reference: Sequence[Iterable[Thing]]
) -> bool:
    """Return whether a reference has one of its things in the role of `thing`.

    Args:
        scene: The image.
        thing: A thing of the candidate.
        of_reference: Things of each reference.
    """
    own = set(roles(scene.candidate, thing))
    return any(
        not own.isdisjoint(roles(text, other))
        for text, things in zip(scene.references, of_reference, strict=True)
        for other in things
    )


def roles(reading: Reading, thing: Thing) -> Iterator[Role]:
    """Yield the roles of a thing in a caption; "sit in" and "sit on" are one role."""
    number = reading.things.index(thing)
    if number == 0:
        yield "topic", ""
    for verb in reading.verbs:
        if verb.agent == number:
            yield "subject", verb.lemma
    for how in reading.relations_to(thing):
        yield "object", " ".join("on" if w == "in" else w for w in how.split(" "))
