"""Trees of phrases to basic dependencies, as the original converts them.

    (NP (NP DT NN) (PP IN (NP NN)))     a tree (`trees`) and its words

    editing        reshapes the tree: expressions of several words, flat coordinations
    heads          finds the head of each phrase
    relations      links head words by patterns of phrases
    finishing      links what is left, chooses the root, settles labels

    2 0 4 2, det root case nmod

Tables (`grammars/english-pcfg`) define heads, expressions and relations in a small
language of patterns (`syntax`, `patterns`).
"""

from spicepy.parsing.conversion.converting import dependencies
from spicepy.parsing.conversion.trees import Node, read_brackets, write_brackets

__all__ = ["Node", "dependencies", "read_brackets", "write_brackets"]
