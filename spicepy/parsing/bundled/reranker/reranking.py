"""Sentences of which the networks are not sure in, the tree model's choice out."""

from collections.abc import Sequence

from spicepy.parsing.bundled.groups import Group
from spicepy.parsing.bundled.reranker.chart import best_trees
from spicepy.parsing.bundled.reranker.lattice import Lattice
from spicepy.parsing.bundled.reranker.opening import open_choices
from spicepy.parsing.bundled.reranker.weights import TreeModel
from spicepy.parsing.bundled.scores import Choices
from spicepy.parsing.bundled.thresholds import DEFAULT, Thresholds


def rerank(
    groups: Sequence[Group], model: TreeModel, thresholds: Thresholds = DEFAULT
) -> list[Choices]:
    """Return the best trees among what the networks leave open.

    Args:
        groups: Sentences with the scores of the networks that have read them.
        model: What it prefers.
        thresholds: How much is left open.

    Returns:
        Choices for each group; all heads of a sentence are -1 where there is no tree
        among them, or so many that it would take too long.
    """
    lattices = [
        open_choices(group.sentences, group.scores, model.states, thresholds)
        for group in groups
    ]
    row = best_trees(Lattice.joined(lattices), model, thresholds.too_many)
    found, end = [], 0
    for group in groups:
        begin, end = end, end + len(group.sentences) * group.length
        own = (numbers[begin:end].reshape(-1, group.length) for numbers in row)
        found.append(Choices(*own))
    return found
