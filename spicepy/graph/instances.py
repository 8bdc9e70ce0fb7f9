"""Instances: which mentions of a caption are of one thing, and which of two.

In: the proposals of a caption, with the graphs of its sentences. Out: for each position
that of the first mention of the same thing:

    one woman holds a cup and another woman reads; she wears a hat
        → two women, of whom "she" is the second

SPICE has one node for a name (`SceneGraph.from_proposals`); counting, and whoever asks
about one of two women, needs two.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from spicepy.rules.dependency_graphs import DependencyGraph
from spicepy.rules.tuples import SemanticTuple

INTRODUCING: Final = frozenset(["a", "an", "another", "each", "one", "other", "some"])
"""Words before a noun, or in its place, that bring in another thing of its name."""


def same_things(
    proposals: Iterable[SemanticTuple], graphs: Sequence[DependencyGraph]
) -> dict[int, int]:
    """Return each object's position -> that of the first mention of the same thing.

    A noun after "a", "another" or a number is a further thing; every other one, and a
    pronoun, is the last thing of its name, if there is one.

    Args:
        proposals: As `Stages.propose` returns them; positions count in the caption.
        graphs: The graph of each sentence, as the rules read it.
    """
    names: dict[int, str] = {}
    for tuple_ in proposals:
        if len(tuple_.tokens) == len(tuple_.members):
            for name, position in zip(tuple_.members[::2], tuple_.tokens[::2]):
                names.setdefault(position, name)
    names.pop(0, None)
    new = set(_introduced(graphs))
    things: dict[int, int] = {}
    latest: dict[str, int] = {}
    for position, name in sorted(names.items()):
        known = None if position in new else latest.get(name)
        things[position] = latest[name] = position if known is None else known
    return things


def _introduced(graphs: Sequence[DependencyGraph]) -> Iterator[int]:
    """Yield the positions, through the caption, of what is not known before."""
    start = 0
    for graph in graphs:
        lemmas = [lemma.lower() for lemma in graph.lemmas]
        tokens = len(graph.words) - len(graph.copies)
        for position, lemma in enumerate(lemmas[:tokens], 1):
            if lemma in INTRODUCING:
                yield start + position
        for label, head, node in graph.edges:
            number = label == "nummod"
            before = label in ("det", "amod") and lemmas[node - 1] in INTRODUCING
            if (number or before) and 0 < head <= tokens:
                yield start + head
        start += tokens
