"""Diagnosis: what a captioner gets wrong, image by image.

In: the scene graphs of candidate and references and their matching, as SPICE
scored them. Out: a `Diagnosis`: for every number, colour and size that the
references give an object, what the candidate said of it, and a list of
findings (missed and invented objects, attributes on the wrong object, relations
with swapped arguments).

An object's numbers (colours, sizes) are compared only where the candidate has a
similar object; an object that is not mentioned is a missed object, not a wrong
number. So each kind of error shows in one place.
"""

import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

from spicepy._grammar_files import folder
from spicepy._plain import plain
from spicepy.captions import ImageId
from spicepy.concepts import Concept
from spicepy.errors import InputError
from spicepy.evaluation import Evaluation, tokenised_samples
from spicepy.graph import SceneGraph
from spicepy.tables import Cell, Table

Value = int | str
Aspect = Literal["count", "color", "size"]
Verdict = Literal["right", "wrong", "unsaid", "absent"]
Kind = Literal[
    "missed object",
    "invented object",
    "misplaced attribute",
    "swapped relation",
]
ASPECTS: tuple[Aspect, ...] = ("count", "color", "size")


@dataclass(frozen=True, slots=True)
class Observation:
    """What was said of one object's number, colour or size in one image.

    Attributes:
        expected: The references' value; of several, the one the candidate said,
            else the first.
        said: The candidate's value, None if it gave none.
        verdict: "right", "wrong", "unsaid" (the object without a value) or
            "absent" (no such object in the candidate).
    """

    image_id: ImageId
    aspect: Aspect
    object: str
    expected: Value
    said: Value | None
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Finding:
    """One error: its kind and the tuple (candidate's, or references' if missed)."""

    image_id: ImageId
    kind: Kind
    members: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Scene:
    """One scored image: both graphs, and the captions they were made from.

    Captions are tokenised; they are needed to read "a couple of" as a number.
    """

    image_id: ImageId
    candidate: SceneGraph
    reference: SceneGraph
    candidate_caption: str = ""
    references: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """Observations and findings of all images, and what they add up to."""

    observations: tuple[Observation, ...]
    findings: tuple[Finding, ...]
    images: int

    def of(self, aspect: Aspect) -> list[Observation]:
        """The observations of counts, colours or sizes."""
        return [o for o in self.observations if o.aspect == aspect]

    def confusion(self, aspect: Aspect) -> dict[tuple[Value, Value], int]:
        """(references' value, candidate's value) -> how often, where both gave one."""
        return dict(
            Counter((o.expected, o.said) for o in self.of(aspect) if o.said is not None)
        )

    def summary(self, aspect: Aspect) -> dict[str, float | int | None]:
        """Verdicts, accuracy where a value was given, mean absolute error (counts)."""
        return _summary(self.of(aspect))

    def by_object(self, aspect: Aspect) -> dict[str, dict[str, float | int | None]]:
        """`summary` for each object class, the most frequent first."""
        classes: dict[str, list[Observation]] = {}
        for observation in self.of(aspect):
            classes.setdefault(observation.object, []).append(observation)
        ordered = sorted(classes.items(), key=lambda item: (-len(item[1]), item[0]))
        return {name: _summary(found) for name, found in ordered}

    def most_frequent(self, kind: Kind, limit: int = 20) -> list[tuple[str, int]]:
        """The most frequent tuples of a kind of finding, with their numbers."""
        printed = Counter(", ".join(f.members) for f in self.findings if f.kind == kind)
        return sorted(printed.items(), key=lambda item: (-item[1], item[0]))[:limit]

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready values: summaries, confusions, rankings, and every row."""
        result: dict[str, Any] = {"images": self.images}
        for aspect in ASPECTS:
            result[aspect] = {
                **self.summary(aspect),
                "confusion": [
                    {"expected": e, "said": s, "number": n}
                    for (e, s), n in self.confusion(aspect).items()
                ],
                "by_object": self.by_object(aspect),
            }
        for kind in dict.fromkeys(f.kind for f in self.findings):
            result[kind] = [
                {"tuple": name, "number": n} for name, n in self.most_frequent(kind)
            ]
        result["observations"] = plain(self.observations)
        result["findings"] = plain(self.findings)
        return result

    def tables(self) -> tuple[Table, ...]:
        """For the terminal and for files: verdicts, confusions, rankings."""
        return (_verdicts(self), *_confusions(self), *_rankings(self))


@dataclass(frozen=True, slots=True)
class _Words:
    """Value of a word, for each aspect, and the vague quantities."""

    values: Mapping[str, Mapping[str, Value]]
    quantities: Mapping[str, int]

    def value(self, aspect: Aspect, concept: Concept) -> Value | None:
        for word in concept.words:
            if aspect == "count" and word.isascii() and word.isdecimal():
                return int(word)
            if word in self.values[aspect]:
                return self.values[aspect][word]
        return None


def diagnose(scenes: Iterable[Scene], *, quantities: bool = False) -> Diagnosis:
    """Find what the candidates got wrong.

    Args:
        scenes: The scored images.
        quantities: Read "a couple", "a pair" and "a dozen" as 2, 2 and 12.

    Raises:
        ResourceError: The word lists (`grammars/diagnosis.toml`) are missing.
    """
    words = _load_words()
    observations: list[Observation] = []
    findings: list[Finding] = []
    images = 0
    for scene in scenes:
        images += 1
        partners = _similar_objects(scene.reference, scene.candidate)
        for aspect in ASPECTS:
            vague = quantities and aspect == "count"
            observations += _observe(scene, aspect, partners, words, vague)
        findings += _find(scene, partners)
    return Diagnosis(tuple(observations), tuple(findings), images)


def scenes(evaluation: Evaluation) -> Iterable[Scene]:
    """The scenes that SPICE scored in an evaluation.

    Raises:
        InputError: SPICE is not among its metrics.
    """
    for measured in evaluation.measured:
        if "spice" in measured.metric.keys:
            captions = tokenised_samples(evaluation.samples)
            for sample, score in zip(captions, measured.statistics.details):
                yield Scene(
                    *(sample.image_id, score.candidate, score.reference),
                    *(sample.candidate, sample.references),
                )
            return
    raise InputError("a diagnosis needs SPICE among the metrics")


@cache
def _load_words() -> _Words:
    data = tomllib.loads((folder() / "diagnosis.toml").read_text(encoding="utf-8"))
    tables = {"count": "numbers", "color": "colors", "size": "sizes"}
    values = {aspect: data[table]["values"] for aspect, table in tables.items()}
    return _Words(values, data["quantities"]["values"])


def _similar_objects(reference: SceneGraph, candidate: SceneGraph) -> list[list[int]]:
    """For each reference node the similar candidate nodes."""
    return [
        [k for k, other in enumerate(candidate.objects) if _alike(concept, other)]
        for concept in reference.objects
    ]


def _alike(first: Concept, second: Concept) -> bool:
    return not first.keys.isdisjoint(second.keys)


def _observe(
    scene: Scene,
    aspect: Aspect,
    partners: Sequence[Sequence[int]],
    words: _Words,
    vague: bool,
) -> Iterable[Observation]:
    wanted = _values(scene.reference, aspect, words, vague, scene.references)
    if not any(wanted):
        return
    said = _values(scene.candidate, aspect, words, vague, (scene.candidate_caption,))
    for node, expected in enumerate(wanted):
        if expected:
            found = [value for k in partners[node] for value in said[k]]
            right = next((value for value in expected if value in found), None)
            if right is not None:
                verdict: Verdict = "right"
            else:
                verdict = "wrong" if found else "unsaid" if partners[node] else "absent"
            yield Observation(
                *(scene.image_id, aspect, str(scene.reference.objects[node])),
                *(expected[0] if right is None else right,),
                *(found[0] if right is None and found else right,),
                verdict,
            )


def _values(
    graph: SceneGraph,
    aspect: Aspect,
    words: _Words,
    vague: bool,
    captions: Sequence[str],
) -> list[list[Value]]:
    """The values each node's attributes give it, in order of entry."""
    origins = graph.origins() if vague else {}
    result: list[list[Value]] = []
    for node, attributes in enumerate(graph.attributes):
        found: dict[Value, None] = {}
        for k, attribute in enumerate(attributes):
            value = words.value(aspect, attribute)
            if value is not None:
                found[value] = None
            for origin in origins.get((node, k), ()):
                name = _next_word(captions, origin.caption, origin.tokens)
                if "a" in attribute.words and name in words.quantities:
                    found[words.quantities[name]] = None
        result.append(list(found))
    return result


def _next_word(captions: Sequence[str], caption: int, tokens: Sequence[int]) -> str:
    """The word after an attribute's token: "couple" after the "a" of "a couple"."""
    if not tokens or caption >= len(captions):
        return ""
    following = captions[caption].split(" ")[tokens[-1] :]
    return following[0] if following else ""


def _find(scene: Scene, partners: Sequence[Sequence[int]]) -> Iterable[Finding]:
    known = {k for similar in partners for k in similar}
    for node, similar in enumerate(partners):
        if not similar:
            name = str(scene.reference.objects[node])
            yield Finding(scene.image_id, "missed object", (name,))
    for k, concept in enumerate(scene.candidate.objects):
        if k not in known:
            yield Finding(scene.image_id, "invented object", (str(concept),))
    yield from _misplaced(scene, partners)
    yield from _swapped(scene, partners)


def _misplaced(scene: Scene, partners: Sequence[Sequence[int]]) -> Iterable[Finding]:
    """Attributes that the references give to another object only."""
    for k, attributes in enumerate(scene.candidate.attributes):
        own = [node for node, similar in enumerate(partners) if k in similar]
        for attribute in attributes if own else ():
            holders = [
                node
                for node, others in enumerate(scene.reference.attributes)
                if any(_alike(attribute, other) for other in others)
            ]
            if holders and not set(holders) & set(own):
                members = str(scene.candidate.objects[k]), str(attribute)
                yield Finding(scene.image_id, "misplaced attribute", members)


def _swapped(scene: Scene, partners: Sequence[Sequence[int]]) -> Iterable[Finding]:
    """Relations that the references have with the arguments the other way round."""
    similar = _similar_objects(scene.candidate, scene.reference)
    for (source, target), relations in scene.candidate.relations.items():
        for relation in relations:
            ends_of = similar[source], similar[target]
            forward = _related(scene.reference, *ends_of, relation)
            if not forward and _related(scene.reference, *ends_of[::-1], relation):
                ends = scene.candidate.objects
                members = str(ends[source]), str(relation), str(ends[target])
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


def _summary(found: Sequence[Observation]) -> dict[str, float | int | None]:
    verdicts = Counter(o.verdict for o in found)
    given = verdicts["right"] + verdicts["wrong"]
    distances = [
        abs(o.said - o.expected)
        for o in found
        if isinstance(o.said, int) and isinstance(o.expected, int)
    ]
    return {
        "observations": len(found),
        **{v: verdicts[v] for v in ("right", "wrong", "unsaid", "absent")},
        "accuracy": verdicts["right"] / given if given else None,
        "mean_absolute_error": sum(distances) / len(distances) if distances else None,
    }


def _value_key(value: Value) -> tuple[int, str]:
    """Numbers by size, then words by the alphabet."""
    return (value, "") if isinstance(value, int) else (1_000_000_000, value)


def _verdicts(diagnosis: Diagnosis) -> Table:
    verdicts = ("right", "wrong", "unsaid", "absent", "accuracy")
    names = ("observations", *verdicts, "mean_absolute_error")
    rows: list[tuple[Cell, ...]] = []
    for aspect in ASPECTS:
        summary = diagnosis.summary(aspect)
        rows.append((aspect, *(summary[name] for name in names)))
    columns = ("Aspect", "objects", *verdicts, "mean abs. error")
    note = (
        "unsaid: the candidate has the object without a value; absent: it lacks "
        "the object; accuracy: right of right and wrong"
    )
    title = "Counts, colours and sizes of the references' objects"
    return Table(title, columns, tuple(rows), (note,))


def _confusions(diagnosis: Diagnosis) -> Iterable[Table]:
    for aspect in ASPECTS:
        cells = diagnosis.confusion(aspect)
        if cells:
            expected = sorted({e for e, _ in cells}, key=_value_key)
            said = sorted({s for _, s in cells}, key=_value_key)
            rows: list[tuple[Cell, ...]] = [
                (str(e), *(cells.get((e, s), 0) for s in said)) for e in expected
            ]
            columns = (f"{aspect} in references", *map(str, said))
            title = f"Confusion of {aspect}: columns are what candidates said"
            yield Table(title, columns, tuple(rows))


def _rankings(diagnosis: Diagnosis) -> Iterable[Table]:
    for kind in dict.fromkeys(f.kind for f in diagnosis.findings):
        rows: list[tuple[Cell, ...]] = list(diagnosis.most_frequent(kind))
        yield Table(f"Most frequent: {kind}", (kind, "images"), tuple(rows))
