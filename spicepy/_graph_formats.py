"""Scene graphs in other forms: plain tuples, JSON, networkx, Graphviz DOT."""

import json
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from spicepy.errors import InputError
from spicepy.tuples import SemanticTuple

if TYPE_CHECKING:
    import networkx as nx

    from spicepy.graph import SceneGraph

COLORS = {"object": "#d62728", "attribute": "#2ca02c", "relation": "#1f77b4"}
"""Red, green and blue, as in the figures of the SPICE paper."""


def read_tuples(
    tuples: Iterable[Sequence[str]], where: str = "tuple"
) -> list[SemanticTuple]:
    """Check plain tuples in printed order; a bare string is an object.

    Raises:
        InputError: Naming the first tuple that is wrong and what would be right.
    """
    found = []
    for number, members in enumerate(tuples):
        if isinstance(members, str):
            members = (members,)
        if not isinstance(members, list | tuple) or len(members) not in (1, 2, 3):
            raise InputError(
                f"{where} {number} is {members!r}: give [object], "
                "[object, attribute] or [source, relation, target]"
            )
        for member in members:
            if not isinstance(member, str) or not member.strip():
                raise InputError(
                    f"{where} {number}, {list(members)!r}, has the member "
                    f"{member!r}: every member must be a non-empty text"
                )
        found.append(SemanticTuple(tuple(members)))
    return found


def read_json(text: str) -> Any:
    """Read `write_json`'s text, or any JSON list (of tuples).

    Raises:
        InputError: If it is neither, with line and column of a syntax error.
    """
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        raise InputError(
            f"a scene graph is not valid JSON: line {error.lineno}, "
            f"column {error.colno}: {error.msg}"
        ) from None
    if not isinstance(data, list):
        _check_graph(data)
    return data


def _check_graph(data: Any) -> None:
    if not isinstance(data, dict) or not {"objects", "relations"} <= set(data):
        raise InputError(
            "a scene graph in JSON is a list of tuples, or an object with the keys "
            '"objects" and "relations"'
        )
    try:
        for node in data["objects"]:
            _check_words(node["words"])
            for attribute in node["attributes"]:
                _check_words(attribute)
        for edge in data["relations"]:
            _check_words(edge["words"])
            for end in (edge["source"], edge["target"]):
                if not isinstance(end, int) or not 0 <= end < len(data["objects"]):
                    raise InputError(f"relation {edge!r}: there is no object {end!r}")
    except (KeyError, TypeError) as error:
        raise InputError(
            f"a scene graph in JSON lacks something ({error}): an object has "
            '"words" and "attributes", a relation "source", "target" and "words"'
        ) from None


def _check_words(words: Any) -> None:
    is_list = isinstance(words, list) and words
    if not is_list or not all(isinstance(word, str) and word for word in words):
        raise InputError(f"a concept's words are {words!r}: give a list of texts")


def write_json(graph: "SceneGraph") -> str:
    """The graph as JSON: merged words stay separate lists, so nothing is lost."""
    objects = [
        {
            "words": list(concept.words),
            "attributes": [list(attribute.words) for attribute in attributes],
        }
        for concept, attributes in zip(graph.objects, graph.attributes)
    ]
    relations = [
        {"source": source, "target": target, "words": list(relation.words)}
        for (source, target), found in graph.relations.items()
        for relation in found
    ]
    data = {"objects": objects, "relations": relations}
    return json.dumps(data, ensure_ascii=False)


def to_networkx(graph: "SceneGraph") -> "nx.MultiDiGraph[int]":
    """A networkx graph: a node an object, an edge a relation.

    Node data: `label` (as printed), `words`, `attributes` (a list of dicts with
    `label`, `words`, `origins`), `origins`. Edge data: `label`, `words`,
    `origins`. An origin is a dict of `caption`, `rule`, `tokens`. All of it is
    plain lists, dicts, strings and ints, so node-link data is JSON.
    """
    origins = graph.origins()

    def data(concept: Any, place: tuple[int, ...]) -> dict[str, Any]:
        made = [
            {"caption": origin.caption, "rule": origin.rule, "tokens": [*origin.tokens]}
            for origin in origins.get(place, ())
        ]
        return {
            "label": str(concept),
            "words": list(concept.words),
            "origins": made,
        }

    import networkx as nx  # slow to import, and scoring needs none of it

    view: nx.MultiDiGraph[int] = nx.MultiDiGraph()
    for node, concept in enumerate(graph.objects):
        attributes = [
            data(attribute, (node, k))
            for k, attribute in enumerate(graph.attributes[node])
        ]
        view.add_node(node, **data(concept, (node,)), attributes=attributes)
    for (source, target), relations in graph.relations.items():
        for k, relation in enumerate(relations):
            view.add_edge(source, target, **data(relation, (source, target, k)))
    return view


def write_dot(graph: "SceneGraph") -> str:
    """Graphviz text: every object, attribute and relation a coloured box."""
    lines = ["digraph scene {", "  node [shape=box, style=filled, fontcolor=white];"]

    def box(name: str, kind: str, label: str) -> None:
        shown = _quote(label)
        lines.append(f"  {name} [label={shown}, color={_quote(COLORS[kind])}];")

    for node, concept in enumerate(graph.objects):
        box(f"o{node}", "object", str(concept))
        for k, attribute in enumerate(graph.attributes[node]):
            box(f"o{node}a{k}", "attribute", str(attribute))
            lines.append(f"  o{node} -> o{node}a{k} [dir=none];")
    for (source, target), relations in graph.relations.items():
        for k, relation in enumerate(relations):
            name = f"o{source}o{target}r{k}"
            box(name, "relation", str(relation))
            lines.append(f"  o{source} -> {name} -> o{target};")
    return "\n".join([*lines, "}", ""])


def _quote(text: str) -> str:
    """A DOT string; backslashes and quotes are escaped, line ends shown as \\n."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    escaped = escaped.replace("\r", "").replace("\n", "\\n").replace("\0", "")
    return f'"{escaped}"'
