"""Trees of phrases as text, in which recorded trees and examples are written.

A leaf is a tag; examples may write its word behind it: `(NP DT/a NN/dog)`.
"""

import re

from spicepy.common.errors import InputError, brief
from spicepy.parsing.conversion.trees import Node


def read_brackets(text: str) -> Node:
    """Read a tree whose leaves are tags, with or without words.

    >>> read_brackets("(NP DT NN)")
    Node(label='NP', children=(Node(label='DT', children=(), word=0), \
Node(label='NN', children=(), word=1)), word=-1)
    """
    return read_example(text)[0]


def read_example(text: str) -> tuple[Node, list[str]]:
    """Read a tree and the words behind its tags; a tag alone has the word "".

    >>> read_example("(NP DT/a NN/dog)")[1]
    ['a', 'dog']
    """
    words: list[str] = []
    top: list[Node] = []
    labels: list[str] = []
    above: list[list[Node]] = []
    children = top
    for token in _TOKEN.findall(text):
        if token == ")":
            if not above or not children:
                raise InputError(f"brackets do not match in {brief(text)}")
            phrase = Node(labels.pop(), tuple(children))
            children = above.pop()
            children.append(phrase)
        elif token.startswith("("):
            labels.append(token[1:])
            above.append(children)
            children = []
        else:
            tag, _, word = token.partition("/")
            children.append(Node(tag, (), len(words)))
            words.append(word)
    if above or len(top) != 1:
        raise InputError(f"not one tree: {brief(text)}")
    return top[0], words


_TOKEN = re.compile(r"\([^\s()]*|\)|[^\s()]+")


def write_brackets(node: Node) -> str:
    """Write a tree as text, without words.

    >>> write_brackets(read_brackets("(NP DT/a NN/dog)"))
    '(NP DT NN)'
    """
    if not node.children:
        return node.label
    return f"({node.label} {' '.join(map(write_brackets, node.children))})"
