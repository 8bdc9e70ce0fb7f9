"""Scene graphs in the formats of other tools, and back.

* FACTUAL (Li et al. 2023): `( man , wear , shirt ) , ( shirt , is , red )`. An object
  with neither attribute nor relation is `( dog )`, which FACTUAL itself leaves out.
* sng_parser (Wu, SceneGraphParser): a dictionary of `entities` and `relations`.
* Visual Genome (Krishna et al. 2017, `scene_graphs.json`): `objects`, `relationships`.

Merged words (bike/bicycle) go into Visual Genome's `names`; the other two formats have
one name for an object, and get the first word. Origins are in none of them: see
`SceneGraph.to_json` and `to_networkx`.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from spicepy.captions.reading import first, locate, read_records
from spicepy.captions.sample import ImageId
from spicepy.common.errors import InputError, brief
from spicepy.common.json_values import json_line
from spicepy.common.settings import GraphFormat
from spicepy.graph.concepts import Concept, GraphPlace
from spicepy.graph.formats import read_tuples, svg_of
from spicepy.graph.scene import SceneGraph
from spicepy.rules.tuples import Proposals

IS: Final = "is"  # FACTUAL's predicate between an object and its attribute

_FACT = re.compile(r"\(([^()]*)\)")
_FACTS = re.compile(r"\s*(\([^()]*\)\s*(,\s*(?=\()|$))*")


def write_factual(graph: SceneGraph) -> str:
    """Return the graph as FACTUAL writes it, "" for an empty one.

    Raises:
        InputError: A name has a comma or bracket, which the format cannot hold.
    """
    names = [_name(concept) for concept in graph.objects]
    facts: list[tuple[str, ...]] = []
    for name, attributes in zip(names, graph.attributes):
        facts += [(name, IS, _name(attribute)) for attribute in attributes]
    facts += [(names[s], relation, names[t]) for s, relation, t in edges(graph)]
    used = {end for fact in facts for end in (fact[0], fact[2] if _links(fact) else "")}
    facts += [(name,) for name in names if name not in used]
    for part in (part for fact in facts for part in fact):
        if set(part) & set("(),"):
            raise InputError(
                f"{brief(part)} has a comma or bracket, which FACTUAL cannot hold"
            )
    return " , ".join(f"( {' , '.join(fact)} )" for fact in facts)


def read_factual(text: str) -> SceneGraph:
    """Read a FACTUAL string: facts of three parts, or of one for a lone object.

    Raises:
        InputError: The text is not such a list of facts.
    """
    if not isinstance(text, str) or not _FACTS.fullmatch(text.strip()):
        raise InputError(
            f"not a FACTUAL graph: {brief(text)}; "
            "give ( subject , predicate , object ) , ( object , is , attribute ) …"
        )
    return SceneGraph.from_tuples(_factual_tuples(text))


def _factual_tuples(text: str) -> list[tuple[str, ...]]:
    tuples: list[tuple[str, ...]] = []
    for number, fact in enumerate(_FACT.findall(text)):
        parts = tuple(" ".join(part.split()) for part in fact.split(","))
        if len(parts) not in (1, 3) or not all(parts):
            raise InputError(
                f"fact {number} is ({fact}): give three parts, or one for an object"
            )
        tuples.append(parts if _links(parts) or len(parts) == 1 else parts[::2])
    return tuples


def write_sng(graph: SceneGraph) -> dict[str, Any]:
    """Return the graph as sng_parser's dictionary.

    An entity has `span`, `head` (both the name), `lemma_span`, `lemma_head` and
    `modifiers`; a relation `subject` and `object` (places in `entities`), `relation`
    and `lemma_relation`. Bounds are the first token and the one after the last, from
    0, of an entity with the modifiers before it and of the word that made a relation;
    None where that is unknown or the graph is that of several captions.
    """
    tokens = _tokens(graph)
    entities = [
        {key: _name(concept) for key in ("span", "lemma_span", "head", "lemma_head")}
        | {
            "span_bounds": _bounds(
                tokens.get((node,), ()),
                *(tokens.get((node, k), ()) for k in range(len(attributes))),
            ),
            "modifiers": [
                {"dep": "amod", "span": _name(a), "lemma_span": _name(a)}
                for a in attributes
            ],
        }
        for node, (concept, attributes) in enumerate(
            zip(graph.objects, graph.attributes)
        )
    ]
    relations = [
        {
            "subject": source,
            "relation": _name(relation),
            "lemma_relation": _name(relation),
            "object": target,
            "relation_bounds": _bounds(tokens.get((source, target, k), ())),
        }
        for (source, target), several in graph.relations.items()
        for k, relation in enumerate(several)
    ]
    return {"entities": entities, "relations": relations}


def _tokens(graph: SceneGraph) -> dict[GraphPlace, tuple[int, ...]]:
    """Return the tokens that first made each concept, if there is one caption."""
    origins = graph.origins()
    if any(origin.caption for several in origins.values() for origin in several):
        return {}
    known = {
        place: next((o.tokens for o in several if o.tokens), ())
        for place, several in origins.items()
    }
    return {place: tokens for place, tokens in known.items() if tokens}


def _bounds(tokens: tuple[int, ...], *modifiers: tuple[int, ...]) -> list[int] | None:
    """Return where tokens begin and end, with the modifiers before them."""
    if not tokens:
        return None
    begin = tokens[0]
    while any(begin - 1 in modifier for modifier in modifiers):
        begin -= 1
    return [begin - 1, tokens[-1]]


def read_sng(data: Mapping[str, Any]) -> SceneGraph:
    """Read sng_parser's dictionary; determiners among the modifiers are left out.

    Raises:
        InputError: An entity or relation is missing something, or points nowhere.
    """
    tuples: list[tuple[str, ...]] = []
    names: list[str] = []
    for location, entity in _rows(data, "entities"):
        name = _text(entity, ("lemma_head", "head"), location)
        names.append(name)
        tuples.append((name,))
        for at, modifier in _rows(entity, "modifiers", f"{location}.", needed=False):
            if modifier.get("dep") != "det":
                tuples.append((name, _text(modifier, ("lemma_span", "span"), at)))
    for location, edge in _rows(data, "relations"):
        known = range(len(names))
        ends = [_end(edge, key, known, location) for key in ("subject", "object")]
        relation = _text(edge, ("lemma_relation", "relation"), location)
        tuples.append((names[ends[0]], relation, names[ends[1]]))
    return SceneGraph.from_tuples(tuples)


def write_visual_genome(graph: SceneGraph, image_id: int | str = 0) -> dict[str, Any]:
    """Return an image of Visual Genome's `scene_graphs.json`, without boxes."""
    objects = [
        {
            "object_id": number,
            "names": list(concept.words),
            "attributes": [_name(attribute) for attribute in attributes],
            "synsets": [],
        }
        for number, (concept, attributes) in enumerate(
            zip(graph.objects, graph.attributes)
        )
    ]
    relationships = [
        {
            "relationship_id": number,
            "subject_id": source,
            "predicate": relation,
            "object_id": target,
            "synsets": [],
        }
        for number, (source, relation, target) in enumerate(edges(graph))
    ]
    return {"image_id": image_id, "objects": objects, "relationships": relationships}


def read_visual_genome(data: Mapping[str, Any]) -> SceneGraph:
    """Read one image of Visual Genome's `scene_graphs.json`; boxes are left out.

    Objects of the same name become one node, as in every graph here.

    Raises:
        InputError: An object or relationship lacks something, or points nowhere.
    """
    tuples: list[tuple[str, ...]] = []
    names: dict[Any, str] = {}
    for location, thing in _rows(data, "objects"):
        words = thing.get("names", [thing["name"]] if "name" in thing else [])
        if not isinstance(words, list) or not words or not all(map(_is_text, words)):
            raise InputError(f"{location}: 'names' must be a list of texts")
        name = words[0].strip().lower()
        names[thing.get("object_id")] = name
        tuples.append((name,))
        attributes = thing.get("attributes") or []
        if not isinstance(attributes, list) or not all(map(_is_text, attributes)):
            raise InputError(f"{location}: 'attributes' must be a list of texts")
        tuples += [(name, value.strip().lower()) for value in attributes]
    for location, edge in _rows(data, "relationships"):
        ends = [_end(edge, k, names, location) for k in ("subject_id", "object_id")]
        relation = _text(edge, ("predicate",), location).lower()
        tuples.append((names[ends[0]], relation, names[ends[1]]))
    return SceneGraph.from_tuples(tuples)


def edges(graph: SceneGraph) -> Iterator[tuple[int, str, int]]:
    """Yield the relations as (source, first word, target); the ends are numbers."""
    for (source, target), relations in graph.relations.items():
        for relation in relations:
            yield source, _name(relation), target


def _name(concept: Concept) -> str:
    return concept.words[0]


def _links(fact: Sequence[str]) -> bool:
    """Return whether a fact of three parts is a relation, not an attribute."""
    return len(fact) == 3 and fact[1] != IS


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _rows(
    data: Any, key: str, where: str = "", needed: bool = True
) -> list[tuple[str, Mapping[str, Any]]]:
    """Return the dictionaries under a key, each with its location for messages."""
    rows = data.get(key) if isinstance(data, Mapping) else None
    if rows is None and not needed:
        return []
    if not isinstance(rows, list) or not all(isinstance(r, Mapping) for r in rows):
        raise InputError(f"{where}{key}: a list of objects is needed")
    return [(f"{where}{key}[{number}]", row) for number, row in enumerate(rows)]


def _text(row: Mapping[str, Any], keys: Sequence[str], location: str) -> str:
    value = next((row[key] for key in keys if key in row), None)
    if not _is_text(value):
        raise InputError(f"{location}: {keys[0]!r} is {brief(value)}; a text is needed")
    return str(value).strip()


def _end(row: Mapping[str, Any], key: str, known: Any, location: str) -> Any:
    value = row.get(key)
    if isinstance(value, (list, dict, bool)) or value not in known:
        raise InputError(f"{location}: {key!r} is {brief(value)}: no such object")
    return value


def graph_value(graph: SceneGraph, form: GraphFormat, image_id: ImageId = 0) -> Any:
    """Return the graph as a value ready for JSON; text for the forms that are text."""
    # Only Visual Genome names the image. A comma in FACTUAL cannot be written.
    if form is GraphFormat.visual_genome:
        return write_visual_genome(graph, image_id)
    return _VALUES[form](graph)


def graph_line(graph: SceneGraph, form: GraphFormat, image_id: ImageId = 0) -> str:
    """Return the graph as a line of text (Graphviz: several lines)."""
    if form is GraphFormat.tuples:
        return str(graph)
    value = graph_value(graph, form, image_id)
    return value if isinstance(value, str) else json_line(value)


def nested(graph: SceneGraph) -> dict[str, Any]:
    """Return the graph as the nested columns of a Parquet file."""
    # `objects` is a list of {name, words, attributes}, `relations` one of {subject,
    # predicate, object}, the ends being places in `objects`, from 0. Of merged words
    # (bike/bicycle) `name`, attributes and predicates give the first.
    objects = [
        {
            "name": concept.words[0],
            "words": list(concept.words),
            "attributes": [attribute.words[0] for attribute in attributes],
        }
        for concept, attributes in zip(graph.objects, graph.attributes)
    ]
    relations = [
        {"subject": source, "predicate": relation, "object": target}
        for source, relation, target in edges(graph)
    ]
    return {"objects": objects, "relations": relations}


_VALUES: Final[dict[GraphFormat, Callable[[SceneGraph], Any]]] = {
    GraphFormat.tuples: lambda graph: [list(t.members) for t in graph.tuples()],
    GraphFormat.json: lambda graph: json.loads(graph.to_json()),
    GraphFormat.node_link: lambda graph: graph.to_node_link(),
    GraphFormat.dot: lambda graph: graph.to_dot(),
    GraphFormat.svg: svg_of,
    GraphFormat.factual: write_factual,
    GraphFormat.sng: write_sng,
}


@dataclass(frozen=True, slots=True)
class GraphSample:
    """One image whose candidate and references are tuples already."""

    image_id: ImageId
    candidate: Proposals
    references: Sequence[Proposals]


def read_graphs(path: str | Path) -> list[GraphSample]:
    """Read ready-made tuples: SPICE JSON with lists of tuples for captions.

    `candidate` (or `test`) is a list of tuples, ["dog"], ["dog", "two"] or
    ["dog", "on", "grass"], or a string as FACTUAL writes graphs; `references` (or
    `refs`) such a list, or one such list or string for each reference.

    Raises:
        InputError: See `read_samples`; a tuple has more than three members.
    """
    samples: dict[ImageId, GraphSample] = {}
    for where, record in read_records(path):
        image_id, location = locate(record, where)
        if image_id in samples:
            raise InputError(f"{location}: the image occurs twice")
        candidate = first(record, ("candidate", "test"), location)
        references = first(record, ("references", "refs"), location)
        if not isinstance(references, list):
            raise InputError(
                f"{location}: the references are {brief(references)}; they must be a "
                "list of tuples, or a list of such lists"
            )
        if not references:
            raise InputError(f"{location}: no references; at least one graph is needed")
        candidate = _listed(candidate)
        references = list(map(_listed, references))
        if all(_is_tuple(r) for r in references):
            references = [references]
        samples[image_id] = GraphSample(
            image_id,
            read_tuples(candidate, f"{location}, candidate"),
            tuple(
                read_tuples(r, f"{location}, reference {k}")
                for k, r in enumerate(references, 1)
            ),
        )
    return list(samples.values())


def _listed(graph: Any) -> Any:
    """Return the tuples of a graph that is a string of FACTUAL, others as they are."""
    if isinstance(graph, str) and "(" in graph and _FACTS.fullmatch(graph.strip()):
        return _factual_tuples(graph)
    return graph


def _is_tuple(value: Any) -> bool:
    if isinstance(value, list):
        return value != [] and all(isinstance(v, str) for v in value)
    return isinstance(value, str)
