"""Parts: what a thing does in a caption, and what is done to it.

In: a thing of the candidate and things of the references. Out: whether a reference has
one of them in the same part, so that one may have been taken for the other:
both are played, both are what the caption is about, both have someone on them.
"""

from collections.abc import Iterable, Iterator, Sequence

from spicepy.diagnosis.reading import Reading, Thing
from spicepy.diagnosis.values import Scene

Part = tuple[str, str]
"""("subject", verb), ("object", relation) or ("topic", "")."""


def in_its_part(
    scene: Scene, thing: Thing, of_reference: Sequence[Iterable[Thing]]
) -> bool:
    """Whether a reference has one of its things where the candidate has this one."""
    said = set(parts(scene.candidate, thing))
    return any(
        not said.isdisjoint(parts(text, other))
        for text, things in zip(scene.references, of_reference, strict=True)
        for other in things
    )


def parts(reading: Reading, thing: Thing) -> Iterator[Part]:
    """The parts of a thing in a caption; "sit in" and "sit on" are one."""
    number = next(k for k, other in enumerate(reading.things) if other is thing)
    if number == 0:
        yield "topic", ""
    for verb in reading.verbs:
        if verb.agent == number:
            yield "subject", verb.lemma
    for _, how, target in reading.relations:
        if target == number:
            yield "object", " ".join("on" if w == "in" else w for w in how.split(" "))
