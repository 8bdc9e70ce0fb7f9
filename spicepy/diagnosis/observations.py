"""What a candidate says of the numbers, colours and sizes in its references.

In: a `Scene` and which of its objects are similar. Out: `Observation`s, one for
each object of the references that has a value there.

An object may be two nodes in one graph and one in the other ("puppy" and "dog"
in the references, "dog" in the candidate). What a candidate node says is held
against the reference nodes it is right about, else against the one most similar
to it, so that one mistake is one wrong value.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from spicepy.diagnosis.values import Observation, Scene, Verdict
from spicepy.diagnosis.words import Aspect, Value, load_words, said_of_nodes

Partners = Sequence[Sequence[int]]
"""For each reference node, the similar candidate nodes."""
Said = Mapping[Value, int]


def observe(
    scene: Scene, aspect: Aspect, partners: Partners, *, quantities: bool
) -> Iterator[Observation]:
    """The observations of one aspect in one image."""
    wanted = said_of_nodes(
        scene.reference, aspect, scene.references if quantities else None
    )
    if not any(wanted):
        return
    captions = (scene.candidate_caption,) if quantities else None
    said = said_of_nodes(scene.candidate, aspect, captions)
    targets = [
        _targets(scene, node, values, wanted, partners)
        for node, values in enumerate(said)
    ]
    for node, expected in enumerate(wanted):
        if expected:
            about = {
                value: k
                for k in partners[node]
                if node in targets[k]
                for value in said[k]
            }
            yield _judge(scene, aspect, node, expected, about, bool(partners[node]))


def _targets(
    scene: Scene, node: int, said: Said, wanted: Sequence[Said], partners: Partners
) -> list[int]:
    """The reference nodes that a candidate node's values are held against."""
    similar = [r for r, found in enumerate(partners) if node in found and wanted[r]]
    right = [r for r in similar if not said.keys().isdisjoint(wanted[r])]
    if right or len(similar) < 2:
        return right or similar
    own = scene.candidate.objects[node]
    return [max(similar, key=lambda r: own.similarity(scene.reference.objects[r]))]


def _judge(
    scene: Scene,
    aspect: Aspect,
    node: int,
    expected: Said,
    about: Mapping[Value, int],
    present: bool,
) -> Observation:
    """Right if a value agrees, wrong if one contradicts all that is expected.

    Of several values, some right and some wrong, a wrong one counts if the
    references have as many: "black and yellow" for "black and white", but not
    "black and brown" for "black".
    """
    right = [value for value in expected if value in about]
    wrong = list(_contradicting(aspect, about, expected))
    if right and len(about) > len(expected):
        wrong = []
    unmatched = [value for value in expected if value not in about]
    verdict: Verdict
    if wrong:
        verdict, wanted, value = "wrong", unmatched[0], wrong[0]
    elif right:
        verdict, wanted, value = "right", right[0], right[0]
    else:
        verdict, wanted, value = "unsaid" if present else "absent", unmatched[0], None
    return Observation(
        image_id=scene.image_id,
        aspect=aspect,
        object=str(scene.reference.objects[node]),
        expected=wanted,
        said=value,
        verdict=verdict,
        node=None if value is None else about[value],
    )


def _contradicting(
    aspect: Aspect, said: Iterable[Value], expected: Said
) -> Iterator[Value]:
    words = load_words()
    for value in said:
        if all(words.contradict(aspect, value, other) for other in expected):
            yield value
