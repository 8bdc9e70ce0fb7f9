"""The parts of a scene graph that its views read: JSON, networkx, DOT, drawings."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from spicepy.extraction.tuples import SemanticTuple
from spicepy.graph.concepts import Concept
from spicepy.graph.origins import GraphPlace, Origin


class GraphParts(Protocol):
    """The parts of a scene graph that its views need; see `SceneGraph`."""

    objects: list[Concept]
    attributes: list[list[Concept]]
    relations: dict[tuple[int, int], list[Concept]]
    heads: dict[int, frozenset[int | str]]

    @property
    def denied(self) -> Sequence[SemanticTuple]:
        """The tuples that a caption says are not so."""
        ...

    @property
    def supposed(self) -> Sequence[SemanticTuple]:
        """The tuples that a caption only supposes."""
        ...

    def origins(self) -> Mapping[GraphPlace, Sequence[Origin]]:
        """Return where each concept came from."""
        ...
