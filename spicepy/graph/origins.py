"""Origins: the caption, rule and words from which each part of a scene graph comes.

In: the proposals of each caption and their places in the graph. Out: `Origin`s.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from spicepy.extraction.tuples import SemanticTuple

GraphPlace = tuple[int, ...]
"""(node,), (node, number of attribute) or (source, target, number of relation)."""


@dataclass(frozen=True, slots=True)
class Origin:
    """The origin of a concept in a graph: caption (from 0), rule, token positions.

    `tokens` are positions from 1 in that caption; empty if unknown. `written` is the
    tuple in the caption's words, where a normalisation rule has changed it.
    """

    caption: int
    rule: str
    tokens: tuple[int, ...]
    written: tuple[str, ...] = ()


def origins_of(
    captions: Sequence[Sequence[SemanticTuple]], places: Sequence[Sequence[GraphPlace]]
) -> dict[GraphPlace, list[Origin]]:
    """Return where each concept came from.

    Args:
        captions: The proposals of each caption.
        places: The place of each proposal in the graph, in the same shape.

    Returns:
        See `SceneGraph.origins`.
    """
    origins: dict[GraphPlace, dict[Origin, None]] = {}
    for caption, proposals in enumerate(captions):
        for tuple_, place in zip(proposals, places[caption]):
            for key, members in _parts(place):
                tokens = tuple_.tokens
                if len(tokens) == len(tuple_.members):
                    tokens = tuple(tokens[k] for k in members if tokens[k])
                origin = Origin(caption, tuple_.rule, tokens, tuple_.written)
                origins.setdefault(key, {})[origin] = None
    return {place: list(rest) for place, rest in origins.items()}


def _parts(place: GraphPlace) -> list[tuple[GraphPlace, tuple[int, ...]]]:
    """Return the parts of a place: keys of `origins` and the members they stand for."""
    if len(place) == 1:
        return [(place, (0,))]
    if len(place) == 2:
        return [(place[:1], (0,)), (place, (1,))]
    return [(place[:1], (0,)), (place[1:2], (2,)), (place, (1,))]
