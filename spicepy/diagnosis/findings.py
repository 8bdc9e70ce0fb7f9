"""The errors of a candidate: each mistake is one finding of one kind.

In: a `Scene`, which of its objects are similar, and what was observed of its
numbers, colours and sizes. Out: `Finding`s.
"""

from collections.abc import Iterable, Iterator, Sequence

from spicepy.diagnosis.observations import Partners
from spicepy.diagnosis.values import KINDS, WRONG, Finding, Observation, Scene
from spicepy.diagnosis.words import ASPECTS, load_words
from spicepy.graph.concepts import Concept
from spicepy.graph.scene import Origin, SceneGraph

Places = set[tuple[int, int]]
"""(node, number of the attribute) of a candidate's attributes."""


def similar_objects(reference: SceneGraph, candidate: SceneGraph) -> list[list[int]]:
    """For each reference node the similar candidate nodes."""
    return [
        [k for k, other in enumerate(candidate.objects) if _alike(concept, other)]
        for concept in reference.objects
    ]


def find(
    scene: Scene, partners: Partners, observed: Sequence[Observation]
) -> list[Finding]:
    """All errors of one image, in the order of `KINDS`.

    A value that left the object which has it in the references is a misplaced
    attribute, not a wrong value as well.
    """
    wrong = [o for o in observed if o.verdict == "wrong"]
    moved = _misplaced(scene, partners)
    found = [
        *_objects(scene, partners),
        *(_wrong_value(scene, o) for o in wrong if not _is_moved(scene, o, moved)),
        *(_finding_of_attribute(scene, *place) for place in sorted(moved)),
        *_swapped(scene, partners),
    ]
    return sorted(found, key=lambda finding: KINDS.index(finding.kind))


def _alike(first: Concept, second: Concept) -> bool:
    return not first.keys.isdisjoint(second.keys)


def _objects(scene: Scene, partners: Partners) -> Iterator[Finding]:
    """Missed and invented objects."""
    origins = scene.reference.origins()
    for node, similar in enumerate(partners):
        concept = scene.reference.objects[node]
        if not similar and _is_thing(concept):
            support = _captions(origins.get((node,), ()))
            members = (str(concept),)
            yield Finding(scene.image_id, "missed object", members, references=support)
    known = {k for similar in partners for k in similar}
    for k, concept in enumerate(scene.candidate.objects):
        if k not in known and _is_thing(concept):
            yield Finding(scene.image_id, "invented object", (str(concept),))


def _is_thing(concept: Concept) -> bool:
    return not load_words().no_things.issuperset(concept.words)


def _captions(origins: Iterable[Origin]) -> int:
    return len({origin.caption for origin in origins})


def _wrong_value(scene: Scene, observed: Observation) -> Finding:
    graph, node = scene.candidate, observed.node or 0
    words = [str(a) for a in graph.attributes[node] if _states(observed, node, a)]
    return Finding(
        scene.image_id,
        WRONG[observed.aspect],
        (str(graph.objects[node]), *(words[:1] or [str(observed.said)])),
        observed.expected,
        observed.said,
    )


def _is_moved(scene: Scene, observed: Observation, moved: Places) -> bool:
    """Whether a wrong value comes from a misplaced attribute."""
    return any(
        _states(observed, node, scene.candidate.attributes[node][k])
        for node, k in moved
    )


def _misplaced(scene: Scene, partners: Partners) -> Places:
    """Attributes that moved: the references give them to another object only.

    The candidate has that object, too, without the attribute.
    """
    candidate, reference = scene.candidate, scene.reference
    found: Places = set()
    for k, attributes in enumerate(candidate.attributes):
        own = {node for node, similar in enumerate(partners) if k in similar}
        is_thing = _is_thing(candidate.objects[k])
        for place, attribute in enumerate(attributes) if own and is_thing else ():
            if any(_has(reference, node, attribute) for node in own):
                continue
            holders = _holders(reference, attribute)
            there = {c for holder in holders for c in partners[holder]} - {k}
            kept = there & _holders(candidate, attribute)
            if there and not kept and _is_property(scene, attribute):
                found.add((k, place))
    return found


def _is_property(scene: Scene, attribute: Concept) -> bool:
    """Not an amount, and not a noun of a compound, as "bread" in "bread roll"."""
    words = load_words()
    if any(words.of(aspect, attribute) for aspect in ASPECTS):
        return True  # "orange"
    if not words.no_properties.isdisjoint(attribute.words):
        return False
    objects = (*scene.candidate.objects, *scene.reference.objects)
    return all(set(attribute.words).isdisjoint(o.words) for o in objects)


def _has(graph: SceneGraph, node: int, attribute: Concept) -> bool:
    """Whether a node has the attribute, by a similar word or the same value."""
    others = graph.attributes[node]
    return any(_alike(attribute, other) or _equal(attribute, other) for other in others)


def _holders(graph: SceneGraph, attribute: Concept) -> set[int]:
    """The nodes that have the attribute.

    Values count where there are any: WordNet has "dark" for "black" and "blue".
    """
    words = load_words()
    same = _equal if any(words.of(a, attribute) for a in ASPECTS) else _alike
    return {
        node
        for node, others in enumerate(graph.attributes)
        if any(same(attribute, other) for other in others)
    }


def _equal(first: Concept, second: Concept) -> bool:
    """Whether both have the same number, colour or size."""
    of = load_words().of
    return any(not set(of(a, first)).isdisjoint(of(a, second)) for a in ASPECTS)


def _states(observed: Observation, node: int, attribute: Concept) -> bool:
    """Whether the attribute is what a wrong value was observed from."""
    values = load_words().of(observed.aspect, attribute)
    return observed.node == node and observed.said in values


def _finding_of_attribute(scene: Scene, node: int, place: int) -> Finding:
    graph = scene.candidate
    members = str(graph.objects[node]), str(graph.attributes[node][place])
    return Finding(scene.image_id, "misplaced attribute", members)


def _swapped(scene: Scene, partners: Partners) -> Iterator[Finding]:
    """Relations that the references have with the arguments the other way round."""
    candidate, symmetric = scene.candidate, load_words().symmetric
    similar = [
        [node for node, found in enumerate(partners) if k in found]
        for k in range(len(candidate.objects))
    ]
    for (source, target), relations in candidate.relations.items():
        ends = similar[source], similar[target]
        for relation in relations:
            if not symmetric.isdisjoint(relation.words):
                continue
            forward = _related(scene.reference, *ends, relation)
            if not forward and _related(scene.reference, *ends[::-1], relation):
                names = candidate.objects[source], relation, candidate.objects[target]
                members = tuple(map(str, names))
                yield Finding(scene.image_id, "swapped relation", members)


def _related(
    graph: SceneGraph, sources: Iterable[int], targets: Sequence[int], name: Concept
) -> bool:
    return any(
        _alike(name, other)
        for source in sources
        for target in targets
        for other in graph.relations.get((source, target), ())
    )
