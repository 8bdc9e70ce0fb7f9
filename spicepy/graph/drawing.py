"""A scene graph as a small drawing.

In: a `SceneGraph`. Out: SVG text: objects (red) on an ellipse, their attributes
(green) under them, relations (blue) as arrows. For printing, `to_dot` gives
Graphviz's better layout.
"""

import math
from html import escape
from typing import Final

from spicepy.graph.parts import GraphParts

_RED: Final = "#b3261e"
_GREEN: Final = "#2e7d32"
_BLUE: Final = "#1d4ed8"

Point = tuple[float, float]


def svg_of(graph: GraphParts) -> str:
    """Draw the graph, with some 160 pixels of width and height for each few objects."""
    number = max(len(graph.objects), 1)
    width, height = 260 + 60 * number, 160 + 36 * number
    centre, radii = (width / 2, height / 2), (width / 2 - 90, height / 2 - 50)
    if number == 1:
        radii = (0.0, 0.0)
    places = [_place(node, number, centre, radii) for node in range(number)]
    parts = [
        _relation(places[source], places[target], ", ".join(map(str, relations)))
        for (source, target), relations in graph.relations.items()
    ]
    for place, concept, attributes in zip(places, graph.objects, graph.attributes):
        parts.append(_text(place, str(concept), _RED, bold=True))
        below = (place[0], place[1] + 16)
        if attributes:
            parts.append(_text(below, ", ".join(map(str, attributes)), _GREEN))
    title = escape(str(graph)) or "an empty graph"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="13">'
        f"<title>{title}</title>"
        '<defs><marker id="end" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" '
        f'markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z" fill="{_BLUE}"/>'
        f"</marker></defs>{''.join(parts)}</svg>"
    )


def _place(node: int, number: int, centre: Point, radii: Point) -> Point:
    angle = 2 * math.pi * node / number + math.pi
    return (
        centre[0] + radii[0] * math.cos(angle),
        centre[1] + radii[1] * math.sin(angle),
    )


def _relation(start: Point, end: Point, words: str) -> str:
    """Return an arrow that stops short of both words, its own beside its middle."""
    across, down = end[0] - start[0], end[1] - start[1]
    length = math.hypot(across, down)
    if not length:  # a relation of an object to itself
        place = (start[0], start[1] - 18)
        return _text(place, f"↻ {words}", _BLUE)
    ends = [
        (start[0] + across * share, start[1] + down * share)
        for share in (34 / length, 1 - 34 / length)
    ]
    # To the left of the arrow, so that two opposite arrows keep apart.
    side = (down / length * 9, -across / length * 9)
    (x1, y1), (x2, y2) = [(x + side[0] / 3, y + side[1] / 3) for x, y in ends]
    middle = ((x1 + x2) / 2 + side[0], (y1 + y2) / 2 + side[1])
    line = (
        f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" '
        f'stroke="{_BLUE}" marker-end="url(#end)"/>'
    )
    return line + _text(middle, words, _BLUE)


def _text(place: Point, words: str, colour: str, *, bold: bool = False) -> str:
    weight = ' font-weight="bold"' if bold else ""
    return (
        f'<text x="{place[0]:.1f}" y="{place[1]:.1f}" fill="{colour}"{weight} '
        f'text-anchor="middle">{escape(words)}</text>'
    )
