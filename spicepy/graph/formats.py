"""Scene graphs in other forms: plain tuples, JSON, networkx, Graphviz DOT."""

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Any, Final

from spicepy.captions.sample import clean
from spicepy.common.errors import InputError, brief
from spicepy.common.files import load_json
from spicepy.common.resources import required
from spicepy.graph.concepts import Concept, GraphParts
from spicepy.rules.tuples import Mood, SemanticTuple

if TYPE_CHECKING:
    import networkx as nx

COLORS = {"object": "#d62728", "attribute": "#2ca02c", "relation": "#1f77b4"}
"""Red, green and blue, as in the figures of the SPICE paper."""


MOODS: tuple[Mood, ...] = ("denied", "supposed")
"""The reasons for which a tuple is kept out of a graph."""


def read_tuples(
    tuples: Iterable[Sequence[str]], where: str = ""
) -> list[SemanticTuple]:
    """Check plain tuples in printed order; a bare string is an object."""
    # `where` opens messages, such as "entry 3 (image 7), candidate".
    if isinstance(tuples, str | Mapping) or not isinstance(tuples, Iterable):
        raise InputError(
            f"{where or 'tuples'}: {brief(tuples)} is not a list of tuples; give one "
            'such as [["dog"], ["dog", "brown"], ["dog", "on", "grass"]]'
        )
    read = []
    for number, members in enumerate(tuples, 1):
        location = f"{where}, tuple {number}" if where else f"tuple {number}"
        if isinstance(members, str):
            members = (members,)
        if not isinstance(members, list | tuple) or len(members) not in (1, 2, 3):
            raise InputError(
                f"{location} is {brief(members)}: give [object], "
                "[object, attribute] or [source, relation, target]"
            )
        for member in members:
            if not isinstance(member, str) or not member.strip():
                raise InputError(
                    f"{location}, {brief(list(members))}, has the member "
                    f"{brief(member)}: every member must be a non-empty text"
                )
        read.append(SemanticTuple(tuple(map(clean, members))))
    return read


def attribute_hint(tuples: Iterable[SemanticTuple]) -> str:
    """Return the remark on a tuple such as (dog, is, brown), a relation to "brown"."""
    # Only the inflected forms of "be" count: graphs made from captions have lemmas.
    for number, tuple_ in enumerate(tuples, 1):
        match tuple_.members:
            case (source, ("is" | "are" | "was" | "were") as verb, last):
                return (
                    f"tuple {number}, {brief(tuple_.members)}, makes the relation "
                    f"{verb!r} and the object {brief(last)}; for an attribute give "
                    f"{brief((source, last))}"
                )
    return ""


def read_json(text: str) -> Any:
    """Read `write_json`'s text, or any JSON list (of tuples)."""
    data = load_json(text, "a scene graph in JSON")
    if not isinstance(data, list):
        _check_graph(data)
    return data


def _check_graph(data: Any) -> None:
    """Check an object of `write_json`; halves of surrogate pairs are replaced."""
    if not isinstance(data, dict) or not {"objects", "relations"} <= set(data):
        raise InputError(
            "a scene graph in JSON is a list of tuples, or an object with the keys "
            f'"objects" and "relations", not {brief(data)}'
        )
    size = len(_items(data, "objects", "the graph"))
    for number, node in enumerate(data["objects"], 1):
        location = f"object {number}"
        _clean_list(_items(node, "words", location), location)
        if "heads" in node:
            _clean_list(node["heads"], f"heads of {location}")
        for attribute in _items(node, "attributes", location):
            _clean_concept(attribute, f"an attribute of {location}")
    for number, edge in enumerate(_items(data, "relations", "the graph"), 1):
        location = f"relation {number}"
        if not isinstance(edge, dict):
            raise InputError(
                f"a scene graph in JSON: {location} must be an object with "
                f'"source" and "target", not {brief(edge)}'
            )
        _clean_concept(edge, location)
        for end in (edge.get("source"), edge.get("target")):
            if type(end) is not int or not 0 <= end < size:
                raise InputError(
                    f"a scene graph in JSON: {location}, {brief(edge)}: there is no "
                    f'object {brief(end)}; "source" and "target" count from 0'
                )


def _items(record: Any, key: str, location: str) -> list[Any]:
    if not isinstance(record, dict) or not isinstance(record.get(key), list):
        raise InputError(
            f'a scene graph in JSON: {location} needs "{key}", a list; '
            f"it is {brief(record)}"
        )
    items: list[Any] = record[key]
    return items


def _clean_concept(value: Any, location: str) -> None:
    """Check a list of words, or an object with "words" and perhaps "same"."""
    if not isinstance(value, dict):
        _clean_list(value, location)
        return
    _clean_list(_items(value, "words", location), location)
    if "same" in value:
        _clean_list(value["same"], f"equals of {location}")


def _clean_list(words: Any, location: str) -> None:
    is_list = isinstance(words, list) and words
    if not is_list or not all(isinstance(word, str) and word for word in words):
        raise InputError(
            f"a scene graph in JSON: the words of {location} are {brief(words)}; "
            "give a list of texts"
        )
    words[:] = map(clean, words)


def write_json(graph: GraphParts) -> str:
    """Return the graph as JSON without loss: merged words stay separate."""
    objects = [
        {
            "words": list(concept.words),
            "attributes": [_attribute(attribute) for attribute in attributes],
        }
        | ({"heads": _texts(graph.heads[node])} if node in graph.heads else {})
        for node, (concept, attributes) in enumerate(
            zip(graph.objects, graph.attributes)
        )
    ]
    relations = [
        {"source": source, "target": target, "words": list(relation.words)}
        | _same(relation)
        for (source, target), relations in graph.relations.items()
        for relation in relations
    ]
    data = {"objects": objects, "relations": relations} | _unreal(graph)
    return json.dumps(data, ensure_ascii=False)


def _unreal(graph: GraphParts) -> dict[str, Any]:
    """Return what captions deny and suppose: two lists of tuples, or fewer."""
    found = {"denied": graph.denied, "supposed": graph.supposed}
    return {
        mood: [list(tuple_.members) for tuple_ in tuples]
        for mood, tuples in found.items()
        if tuples
    }


def _attribute(concept: Concept) -> Any:
    """Return the words alone, or a dictionary where others mean the same."""
    words = list(concept.words)
    return {"words": words} | _same(concept) if concept.same else words


def _texts(keys: Iterable[int | str]) -> list[str]:
    return sorted(key for key in keys if isinstance(key, str))


def _same(concept: Concept) -> dict[str, list[str]]:
    return {"same": list(concept.same)} if concept.same else {}


def to_networkx(graph: GraphParts) -> "nx.MultiDiGraph[int]":
    """Return a networkx graph: objects are nodes, relations are edges."""
    # Node data: `label` (as printed), `words`, `attributes` (a list of dicts with
    # `label`, `words`, `origins`), `origins`. Edge data: `label`, `words`, `origins`.
    # Data of the graph itself: `denied` and `supposed`, lists of tuples, if there are
    # any. An origin is a dict of `caption`, `rule`, `tokens`. All of it is plain lists,
    # dicts, strings and ints, so node-link data is JSON.
    origins = graph.origins()

    def data(concept: Any, place: tuple[int, ...]) -> dict[str, Any]:
        made = [
            {"caption": origin.caption, "rule": origin.rule, "tokens": [*origin.tokens]}
            for origin in origins.get(place, ())
        ]
        return {"label": str(concept), "words": list(concept.words), "origins": made}

    networkx = required("networkx", "a graph of networkx")  # slow to import
    view: nx.MultiDiGraph[int] = networkx.MultiDiGraph(**_unreal(graph))
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


def write_dot(graph: GraphParts) -> str:
    """Return Graphviz text: every object, attribute and relation a coloured box."""
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
    """Quote a DOT string; line ends become \\n."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    escaped = escaped.replace("\r", "").replace("\n", "\\n").replace("\0", "")
    return f'"{escaped}"'


# A scene graph as a small drawing.
#
# For printing, `to_dot` gives Graphviz's better layout.

_RED: Final = "#b3261e"
_GREEN: Final = "#2e7d32"
BLUE: Final = "#1d4ed8"
"""The color of relations and of their arrows."""
_BOLD: Final = ' font-weight="bold"'
FONT_SIZE: Final = 13

Point = tuple[float, float]
Text = tuple[Point, str, str, bool]
"""The middle of its base line, the words, their color, and whether they are bold."""


def drawn(graph: GraphParts) -> tuple[Point, list[Text], list[tuple[Point, Point]]]:
    """Return the size, texts and arrows of a drawing, in pixels from the upper left."""
    number = max(len(graph.objects), 1)
    width, height = 260 + 60 * number, 160 + 36 * number
    centre, radii = (width / 2, height / 2), (width / 2 - 90, height / 2 - 50)
    if number == 1:
        radii = (0.0, 0.0)
    places = [_place(node, number, centre, radii) for node in range(number)]
    texts: list[Text] = []
    arrows: list[tuple[Point, Point]] = []
    for (source, target), relations in graph.relations.items():
        words = ", ".join(map(str, relations))
        if source == target:
            x, y = places[source]
            texts.append(((x, y - 18), f"↻ {words}", BLUE, False))
        else:
            arrow, middle = _arrow(places[source], places[target])
            arrows.append(arrow)
            texts.append((middle, words, BLUE, False))
    for (x, y), concept, attributes in zip(places, graph.objects, graph.attributes):
        texts.append(((x, y), str(concept), _RED, True))
        if attributes:
            below = ", ".join(map(str, attributes))
            texts.append(((x, y + 16), below, _GREEN, False))
    return (width, height), texts, arrows


def svg_of(graph: GraphParts) -> str:
    """Draw the graph, with some 160 pixels of width and height for each few objects."""
    (width, height), texts, arrows = drawn(graph)
    parts = [
        f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" '
        f'stroke="{BLUE}" marker-end="url(#end)"/>'
        for (x1, y1), (x2, y2) in arrows
    ]
    parts += [
        f'<text x="{x:.1f}" y="{y:.1f}" fill="{color}"{_BOLD * bold} '
        f'text-anchor="middle">{escape(words)}</text>'
        for (x, y), words, color, bold in texts
    ]
    title = escape(str(graph)) or "an empty graph"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" font-family="sans-serif" '
        f'font-size="{FONT_SIZE}"><title>{title}</title>'
        '<defs><marker id="end" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" '
        f'markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z" fill="{BLUE}"/>'
        f"</marker></defs>{''.join(parts)}</svg>"
    )


def _place(node: int, number: int, centre: Point, radii: Point) -> Point:
    angle = 2 * math.pi * node / number + math.pi
    return (
        centre[0] + radii[0] * math.cos(angle),
        centre[1] + radii[1] * math.sin(angle),
    )


def _arrow(start: Point, end: Point) -> tuple[tuple[Point, Point], Point]:
    """Return an arrow that stops short of both words, and where its own words stand."""
    across, down = end[0] - start[0], end[1] - start[1]
    length = math.hypot(across, down)
    # To the left of the line, so that two opposite arrows keep apart.
    side = (down / length * 9, -across / length * 9)
    (x1, y1), (x2, y2) = [
        (start[0] + across * share + side[0] / 3, start[1] + down * share + side[1] / 3)
        for share in (34 / length, 1 - 34 / length)
    ]
    middle = ((x1 + x2) / 2 + side[0], (y1 + y2) / 2 + side[1])
    return ((x1, y1), (x2, y2)), middle
