"""Payload: the data that the page's script explores, small enough for a browser.

In: evaluations and diagnoses. Out: JSON-ready columns, one entry an image; words
and names stand once in a table of strings and are referred to by number.

A scene graph is [objects, attributes, relations, places]: the words of the
nodes; flat (node, word) and (source, target, word); and, tuple by tuple in the
order of `SceneGraph.members`, flat (caption, start, length) in the captions.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from spicepy.diagnosis.diagnosis import Diagnosis
from spicepy.diagnosis.values import KINDS, VERDICTS, Kind
from spicepy.diagnosis.words import ASPECTS
from spicepy.evaluation.evaluation import Evaluation
from spicepy.graph.matching import Matching
from spicepy.graph.scene import SceneGraph
from spicepy.metrics.spice.image import SpiceScore
from spicepy.reporting.marks import Span, find_tokens


@dataclass(slots=True)
class Strings:
    """A table of strings; `number` enters one."""

    numbers: dict[str, int] = field(default_factory=dict)

    def number(self, text: object) -> int:
        """The place of a string in the table."""
        return self.numbers.setdefault(str(text), len(self.numbers))


def build_payload(
    systems: Mapping[str, Evaluation],
    diagnoses: Mapping[str, Diagnosis],
    titles: Mapping[str, str],
    sources: Sequence[str] = (),
) -> dict[str, Any]:
    """The data of all images and systems.

    Args:
        systems: Evaluations over the same images.
        diagnoses: By system; may be empty (no SPICE).
        titles: The scores to show and their names.
        sources: An address an image, or none.
    """
    strings = Strings()
    first = next(iter(systems.values()))
    order = {sample.image_id: i for i, sample in enumerate(first.samples)}
    references, graphs = _references(first, strings)
    seen = {f.kind for d in diagnoses.values() for f in d.mistakes}
    kinds = [kind for kind in KINDS if kind in seen]
    runs = []
    for name, evaluation in systems.items():
        run = _run(evaluation, list(titles), order, strings)
        run |= _errors(diagnoses.get(name), order, strings, kinds)
        runs.append(run)
    return {
        "systems": list(systems),
        "keys": list(titles.values()),
        "aspects": list(ASPECTS),
        "verdicts": list(VERDICTS),
        "kinds": kinds,
        "ids": [str(image_id) for image_id in order],
        "references": references,
        "graphs": graphs,
        "runs": runs,
        "sources": list(sources),
        "strings": list(strings.numbers),
    }


def to_json(payload: Mapping[str, Any]) -> str:
    """JSON that is inert inside HTML: no `<`, `>`, `&`, no line separators."""
    text = json.dumps(payload, ensure_ascii=False, separators=(",", ":"))
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def spice_scores(evaluation: Evaluation) -> Sequence[SpiceScore]:
    """SPICE's account of every image; none if it is not among the metrics."""
    measured = evaluation.with_details(SpiceScore)
    return measured.statistics.details if measured else ()


def _references(
    evaluation: Evaluation, strings: Strings
) -> tuple[list[list[str]], list[Any]]:
    """The references of each image, and their one scene graph."""
    texts, graphs = [], []
    scores = spice_scores(evaluation)
    for i, (raw, sample) in enumerate(zip(evaluation.samples, evaluation.tokenised)):
        texts.append(list(raw.references))
        if scores:
            spans = [
                find_tokens(*pair) for pair in zip(raw.references, sample.references)
            ]
            graphs.append(_graph(scores[i].reference, spans, strings))
    return texts, graphs


def _run(
    evaluation: Evaluation,
    keys: Sequence[str],
    order: Mapping[Any, int],
    strings: Strings,
) -> dict[str, Any]:
    """One system's captions, scores, graphs and partners, in the images' order."""
    size = len(order)
    texts: list[str] = [""] * size
    graphs: list[Any] = [None] * size
    partners: list[list[int]] = [[]] * size
    scores = spice_scores(evaluation)
    for k, (raw, sample) in enumerate(zip(evaluation.samples, evaluation.tokenised)):
        i = order[raw.image_id]
        texts[i] = raw.candidate
        if scores:
            spans = [find_tokens(raw.candidate, sample.candidate)]
            graphs[i] = _graph(scores[k].candidate, spans, strings)
            partners[i] = _partners(scores[k].matching)
    columns = []
    for key in keys:
        found = evaluation.image_scores(key)
        values = (found[image_id] for image_id in order)
        columns.append([None if v is None else round(v, 4) for v in values])
    return {"texts": texts, "graphs": graphs, "partners": partners, "scores": columns}


def _graph(
    graph: SceneGraph, spans: Sequence[Sequence[Span]], strings: Strings
) -> list[Any]:
    attributes, relations = [], []
    for node, found in enumerate(graph.attributes):
        for attribute in found:
            attributes += [node, strings.number(attribute)]
    for pair, found in graph.relations.items():
        for relation in found:
            relations += [*pair, strings.number(relation)]
    origins = graph.origins()
    places = []
    for place in graph.places():
        flat: dict[tuple[int, int, int], None] = {}
        for origin in origins.get(place, ()):
            known = spans[origin.caption] if origin.caption < len(spans) else ()
            for token in origin.tokens:
                if 0 < token <= len(known):
                    start, end = known[token - 1]
                    if end:
                        flat[origin.caption, start, end - start] = None
        places.append([number for span in flat for number in span])
    return [list(map(strings.number, graph.objects)), attributes, relations, places]


def _partners(matching: Matching) -> list[int]:
    """For each candidate tuple its marked partner (see `Matching.flags`), or -1."""
    printed = [tuple(map(str, members)) for members in matching.reference]
    return [
        min(found, key=printed.__getitem__) if found else -1
        for found in matching.partners
    ]


def _errors(
    diagnosis: Diagnosis | None,
    order: Mapping[Any, int],
    strings: Strings,
    kinds: Sequence[Kind],
) -> dict[str, Any]:
    """For each image, flat, its errors and what was said of the references' values.

    An error is (kind, tuple, expected or -1), a value (aspect, object, expected,
    said or -1, verdict).
    """
    errors: list[list[int]] = [[] for _ in order]
    observed: list[list[int]] = [[] for _ in order]
    for o in diagnosis.observations if diagnosis else ():
        said = -1 if o.said is None else strings.number(o.said)
        values = strings.number(o.object), strings.number(o.expected), said
        aspect, verdict = ASPECTS.index(o.aspect), VERDICTS.index(o.verdict)
        observed[order[o.image_id]] += [aspect, *values, verdict]
    for f in diagnosis.mistakes if diagnosis else ():
        expected = -1 if f.expected is None else strings.number(f.expected)
        printed = strings.number(", ".join(f.members))
        errors[order[f.image_id]] += [kinds.index(f.kind), printed, expected]
    return {"errors": errors, "observed": observed}
