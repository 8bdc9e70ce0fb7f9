"""The reranker decides between trees that the networks find about equally good.

From outside it is one function and the model that it asks: `rerank(groups, model)`
takes sentences with the networks' scores and returns `Choices`. Nobody needs to know
more to understand the rest of the parser. Inside, in the order of the data:

    features, layout   which configurations of a tree have weights; the bits of a state
    states             tags, labels and words as whole numbers
    weights            `TreeModel`: the weights of configurations
    opening            scores of networks -> `lattice`: the choices left open
    configurations     a lattice -> all configurations of its trees
    chart              configurations -> the best tree (Eisner's algorithm)
    reranking          these steps, one after the other
"""

from spicepy.parsing.bundled.reranker.reranking import rerank
from spicepy.parsing.bundled.reranker.weights import TreeModel

__all__ = ["TreeModel", "rerank"]
