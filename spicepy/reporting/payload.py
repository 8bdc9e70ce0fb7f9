"""Payload: the data of the page's script, small enough for a browser.

In: evaluations and diagnoses. Out: JSON-ready columns with an entry for each image.
Words, candidates, errors and values are in tables and are referred to by number.

The data for the view of one image are stored apart (`scenes`), so that the page parses
them only when an image is opened. Scores are in ten-thousandths.

`mentions` has a flat list (reference, start, length) for each class of things in an
image's references, and a last one for their verbs; `about` has the number of the list
for each error of a system. `readings` are the graphs of the error analysis without
places. `facts` has, by number of the image, a flat list (sentence, statement,
probability that it is wrong, kind) for candidates of several sentences.

A scene graph is [objects, attributes, relations, places]: the words of the
nodes; flat (node, word) and (source, target, word); and, tuple by tuple in the
order of `SceneGraph.members`, flat (caption, start, length) in the captions.
"""

import json
import math
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from spicepy.common.settings import RELIABLE
from spicepy.diagnosis.annotations import Evidence, Opinion
from spicepy.diagnosis.findings import (
    SUPPORT,
    VERDICTS,
    Fact,
    Finding,
    Kind,
    Observation,
)
from spicepy.diagnosis.kinds import NAMES, QUESTIONS, SUPPORTED
from spicepy.diagnosis.lexicon.aspects import ASPECTS
from spicepy.diagnosis.results.diagnosis import Diagnosis
from spicepy.evaluation.evaluation import Evaluation
from spicepy.graph.matching import Matching, match
from spicepy.graph.scene import SceneGraph
from spicepy.metrics.spice import SpiceScore
from spicepy.reporting.readings import Analysed
from spicepy.reporting.scores import gains_of, soft_columns
from spicepy.tokenization.samples import Span, find_tokens

LEVELS: Final = sorted({30, 40, 50, 60, 70, 80, 90, round(100 * RELIABLE)})
"""The probabilities in percent that the page's reader may ask for."""
_OPINIONS: Final[tuple[Opinion, ...]] = ("open", "refuted", "confirmed")


@dataclass(slots=True)
class RowTable:
    """Distinct values, each with its place; `number` enters one."""

    numbers: dict[Any, int] = field(default_factory=dict)

    def number(self, value: Hashable) -> int:
        """Return the place of a value in the table."""
        return self.numbers.setdefault(value, len(self.numbers))


@dataclass(slots=True)
class Tables:
    """Values that the page holds once: strings, errors, values of objects."""

    # An error is (kind, tuple, expected, references, words, probability, what
    # annotations say of it, their opinion), a value (aspect, object, expected, said,
    # verdict, weight); -1 stands for none.
    kinds: Sequence[Kind]
    strings: RowTable = field(default_factory=RowTable)
    errors: RowTable = field(default_factory=RowTable)
    values: RowTable = field(default_factory=RowTable)

    def string(self, text: object) -> int:
        """Return the place of a string, -1 for None."""
        return -1 if text is None else self.strings.number(str(text))

    def error(self, finding: Finding, evidence: Evidence | None = None) -> int:
        """Return the place of an error, with the evidence of the annotations."""
        return self.errors.number(
            (
                self.kinds.index(finding.kind),
                self.string(finding.text),
                self.string(finding.expected),
                -1 if finding.references is None else finding.references,
                self.string(finding.words or None),
                -1 if finding.probability is None else _floored(finding.probability),
                self.string(evidence and f"{evidence.note}: {evidence.opinion}"),
                _OPINIONS.index(evidence.opinion if evidence else "open"),
            )
        )

    def value(self, seen: Observation) -> int:
        """Return the place of an observation of an object's value."""
        aspect, verdict = ASPECTS.index(seen.aspect), VERDICTS.index(seen.verdict)
        texts = (self.string(x) for x in (seen.object, seen.expected, seen.said))
        return self.values.number((aspect, *texts, verdict, round(seen.weight, 4)))


def _floored(probability: float) -> float:
    """Return a probability with three digits that is above a limit if it is."""
    # It is not rounded, since the page compares it with limits as `Listing` does.
    return math.floor(1000 * probability + 1e-6) / 1000


def build_payload(
    systems: Mapping[str, Evaluation],
    analysed: Analysed,
    listed: Mapping[str, Diagnosis],
    titles: Mapping[str, str],
    sources: Sequence[str] = (),
    evidence: Mapping[str, Sequence[Evidence]] | None = None,
) -> dict[str, Any]:
    """Return the data of all images and systems, which have the same images."""
    # `listed` has the findings that are listed by default, `titles` the scores to show
    # and their names, `sources` an address for each image, if any.
    diagnoses, mentions = analysed.diagnoses, analysed.mentions
    seen = {f.kind for d in diagnoses.values() for f in d.findings}
    kinds = [kind for kind in NAMES if kind in seen]
    tables = Tables(kinds)
    first = next(iter(systems.values()))
    order = {sample.image_id: i for i, sample in enumerate(first.samples)}
    references, graphs = _references(first, tables)
    merged = [score.reference for score in spice_scores(first)]
    runs, matched = [], []
    known: dict[tuple[int, str], _Compared] = {}
    concepts: list[list[int]] = []
    for name, evaluation in systems.items():
        compared = _compared(evaluation, order, merged, tables, known)
        run, found = _run(evaluation, list(titles), order, compared, tables)
        own_listed = listed.get(name, Diagnosis(()))
        matchings = [one.matching for one in compared]
        run["gains"] = _gains(evaluation, matchings, own_listed, kinds, analysed)
        found |= _drawn(analysed, name, order, tables)
        by_finding = {e.finding: e for e in (evidence or {}).get(name, ())}
        runs.append(run | _errors(diagnoses.get(name), order, tables, by_finding))
        soft = soft_columns(evaluation, order, tables.string)
        concepts = soft.pop("concepts", [])  # the same for all systems
        matched.append({**found, "soft": soft})
    return {
        "systems": list(systems),
        "keys": list(titles.values()),
        "aspects": list(ASPECTS),
        "verdicts": list(VERDICTS),
        "kinds": kinds,
        "questions": [
            [question, [kinds.index(kind) for kind in asked if kind in seen]]
            for question, asked in QUESTIONS.items()
        ],
        "supported": [at for at, kind in enumerate(kinds) if kind in SUPPORTED],
        "precision": _precision(diagnoses, kinds),
        "support": SUPPORT,
        "reliable": round(100 * RELIABLE),
        "levels": LEVELS,
        "ids": [str(image_id) for image_id in order],
        "references": references,
        "judged": bool(diagnoses),
        "runs": runs,
        "sources": list(sources),
        "errors": list(tables.errors.numbers),
        "values": list(tables.values.numbers),
        "strings": list(tables.strings.numbers),
        "scenes": {
            "graphs": graphs,
            "concepts": concepts,
            "mentions": [[m.spans for m in mentions.get(i, ())] for i in order],
            "runs": matched,
        },
    }


def to_json(payload: Mapping[str, Any]) -> str:
    """Return JSON that is inert inside HTML: no `<`, `>`, `&`, no line separators."""
    text = json.dumps(payload, ensure_ascii=False, separators=(",", ":"))
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def spice_scores(evaluation: Evaluation) -> Sequence[SpiceScore]:
    """Return the SPICE score of every image; none if it is not among the metrics."""
    measured = evaluation.with_details(SpiceScore)
    return measured.statistics.details if measured else ()


def _references(
    evaluation: Evaluation, tables: Tables
) -> tuple[list[list[str]], list[Any]]:
    """Return the references of each image, and their one scene graph."""
    texts, graphs = [], []
    scores = spice_scores(evaluation)
    for i, (raw, sample) in enumerate(zip(evaluation.samples, evaluation.tokenised)):
        texts.append(list(raw.references))
        if scores:
            spans = [
                find_tokens(*pair) for pair in zip(raw.references, sample.references)
            ]
            graphs.append(_graph(scores[i].reference, spans, tables))
    return texts, graphs


@dataclass(frozen=True, slots=True)
class _Compared:
    """A candidate's graph as the page has it, and its matching with the references'."""

    graph: list[Any]
    matching: Matching
    partners: list[int]


def _compared(
    evaluation: Evaluation,
    order: Mapping[Any, int],
    merged: Sequence[SceneGraph],
    tables: Tables,
    known: dict[tuple[int, str], _Compared],
) -> list[_Compared]:
    """Return the graph of each sample of a system; none without SPICE."""
    # `merged` are the references' graphs by image, the same for every system; `known`
    # the graphs of earlier systems by image and caption, which gets the new ones.
    found = []
    scores = spice_scores(evaluation)
    for score, raw, sample in zip(scores, evaluation.samples, evaluation.tokenised):
        image = order[raw.image_id]
        one = known.get((image, raw.candidate))
        if one is None:
            matching = match(score.candidate, merged[image])
            spans = [find_tokens(raw.candidate, sample.candidate)]
            graph = _graph(score.candidate, spans, tables)
            one = _Compared(graph, matching, _partners(matching))
            if sample.raw is not None:  # Ready-made graphs have no caption.
                known[image, raw.candidate] = one
        found.append(one)
    return found


def _run(
    evaluation: Evaluation,
    keys: Sequence[str],
    order: Mapping[Any, int],
    compared: Sequence[_Compared],
    tables: Tables,
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return one system's captions and scores, its graphs and partners, by image."""
    size = len(order)
    texts = [tables.string("")] * size
    graphs: list[Any] = [None] * size
    partners: list[list[int]] = [[]] * size
    for raw in evaluation.samples:
        texts[order[raw.image_id]] = tables.string(raw.candidate)
    for raw, one in zip(evaluation.samples, compared):
        i = order[raw.image_id]
        graphs[i], partners[i] = one.graph, one.partners
    columns = []
    for key in keys:
        of_images = evaluation.image_scores(key)
        values = (of_images[image_id] for image_id in order)
        columns.append([None if math.isnan(v) else round(10_000 * v) for v in values])
    return {"texts": texts, "scores": columns}, {"graphs": graphs, "partners": partners}


def _graph(
    graph: SceneGraph, spans: Sequence[Sequence[Span]], tables: Tables
) -> list[Any]:
    attributes, relations = [], []
    for node, names in enumerate(graph.attributes):
        for attribute in names:
            attributes += [node, tables.string(attribute)]
    for pair, names in graph.relations.items():
        for relation in names:
            relations += [*pair, tables.string(relation)]
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
    return [list(map(tables.string, graph.objects)), attributes, relations, places]


def _partners(matching: Matching) -> list[int]:
    """Return the marked partner of each candidate tuple (`Matching.flags`), or -1."""

    def printed(place: int) -> tuple[str, ...]:
        return tuple(map(str, matching.reference[place]))

    return [
        min(partner, key=printed) if len(partner) > 1 else next(iter(partner), -1)
        for partner in matching.partners
    ]


def _errors(
    diagnosis: Diagnosis | None,
    order: Mapping[Any, int],
    tables: Tables,
    evidence: Mapping[Finding, Evidence],
) -> dict[str, Any]:
    """Return each image's errors and the observations of the references' values."""
    errors: list[list[int]] = [[] for _ in order]
    observed: list[list[int]] = [[] for _ in order]
    for seen in diagnosis.observations if diagnosis else ():
        observed[order[seen.image_id]].append(tables.value(seen))
    for finding in diagnosis.findings if diagnosis else ():
        place = tables.error(finding, evidence.get(finding))
        errors[order[finding.image_id]].append(place)
    return {"errors": errors, "observed": observed}


def _gains(
    evaluation: Evaluation,
    matchings: Sequence[Matching],
    listed: Diagnosis,
    kinds: Sequence[Kind],
    analysed: Analysed,
) -> list[float | None]:
    """Return the mean rise of SPICE's F by corrected kind; None without any."""
    sums: Counter[Kind] = Counter()
    by_id = {image.image_id: image.findings for image in listed.by_image}
    scores = spice_scores(evaluation)
    for sample, score, matching in zip(evaluation.samples, scores, matchings):
        findings = by_id.get(sample.image_id, ())
        if findings:
            counts = score.counts["All"]
            sums.update(gains_of(counts, matching, findings, analysed.aspects))
    number = max(1, len(evaluation.samples))
    return [round(sums[kind] / number, 5) if kind in sums else None for kind in kinds]


def _drawn(
    analysed: Analysed, name: str, order: Mapping[Any, int], tables: Tables
) -> dict[str, Any]:
    """Return the analysis's graphs, and the mentions that findings are about."""
    readings: list[Any] = [None] * len(order)
    about: list[Any] = [[] for _ in order]
    facts: dict[int, list[float]] = {}
    if name in analysed.diagnoses:
        known = analysed.diagnoses[name]
        found = zip(known.by_image, analysed.drawings[name], known.facts, strict=True)
        for image, drawing, stated in found:
            i, string = order[image.image_id], tables.string
            readings[i] = [
                [string(name) for name in drawing.objects],
                [x for k, value in drawing.attributes for x in (k, string(value))],
                [x for a, how, b in drawing.relations for x in (a, b, string(how))],
            ]
            about[i] = drawing.about
            if stated:
                facts[i] = [x for fact in stated for x in _fact(fact, tables)]
    return {"readings": readings, "about": about, "facts": facts}


def _fact(fact: Fact, tables: Tables) -> tuple[int, int, float, int]:
    """Return (sentence, statement, how likely it is wrong, kind)."""
    kind = tables.string(fact.kind or None)
    text = tables.string(fact.text)
    return fact.sentence, text, fact.wrong, kind


def _precision(
    diagnoses: Mapping[str, Diagnosis], kinds: Sequence[Kind]
) -> list[list[int]]:
    """Return the range of each kind's probabilities in percent; [] if unknown."""
    known: dict[Kind, set[int]] = {kind: set() for kind in kinds}
    for finding in (f for d in diagnoses.values() for f in d.findings):
        if finding.probability is not None:
            known[finding.kind].add(round(100 * finding.probability))
    return [
        [min(counted), max(counted)] if counted else [] for counted in known.values()
    ]
