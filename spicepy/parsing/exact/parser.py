"""The original's own trees of captions, by the grammar that the user has added.

a dog runs .            tokens as the original's tokeniser makes them

searching               the best tree of phrases, found by trying everything
conversion              its heads and labels

2 3 0 3, det nsubj root punct
"""

import hashlib
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from spicepy.common.data_files import folder
from spicepy.common.errors import ResourceError
from spicepy.parsing.conversion import Node, dependencies
from spicepy.parsing.exact.pcfg import Pcfg
from spicepy.parsing.exact.searching import Search
from spicepy.parsing.lemmatised import with_lemmas
from spicepy.parsing.trees import Annotations, Parse
from spicepy.tokenization.ptb import tokenize

DATA: Final = "english-pcfg"
"""The folder of tables that belong to the grammar, in `grammars/`."""


class ExactParser:
    """Parses with one grammar; safe in threads."""

    def __init__(self, grammar: Pcfg) -> None:
        self.search = Search(grammar, spelling())

    def parse(self, sentences: Sequence[Sequence[str]]) -> list[Parse]:
        """Return the dependency tree of each sentence, with lemmas."""
        tokenised = list(map(tokens, sentences))
        analyses = self.analyse(tokenised)
        return list(map(with_lemmas, tokenised, analyses))

    def analyse(self, sentences: Sequence[Sequence[str]]) -> list[Annotations]:
        """Return tags, heads and labels of each sentence.

        A mark that stands outside the tree hangs on the root, labelled "punct".
        """
        trees = self.search.trees(sentences)
        return [
            _analysis(tree.root, words) if tree else _without_tree(words)
            for tree, words in zip(trees, sentences, strict=True)
        ]


@lru_cache(maxsize=1)
def spelling() -> dict[str, str]:
    """Return the words whose spelling the original changes before it looks them up.

    Raises:
        ResourceError: The table is missing or damaged.
    """
    path = folder() / DATA / "spelling.tsv"
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
        return dict(line.split("\t") for line in lines)
    except (OSError, ValueError) as error:
        raise ResourceError(f"{path}: cannot be read: {error!r}") from None


def tokens(words: Sequence[str]) -> list[str]:
    """Return the words of a sentence as the original's own tokeniser has them.

    It reads captions that were tokenised once more: a stop at the end is separated from
    its word ("a trash can."), and is doubled behind an abbreviation ("blvd. .").
    """
    if all(map(str.isalpha, words)):
        return list(words)
    [line] = tokenize([" ".join(words)], punctuation=True)
    return line.split(" ") if line else []


def data_digest() -> str:
    """Return a digest of all tables that decide trees, besides the grammar itself."""
    digest = hashlib.sha256()
    for path in sorted((folder() / DATA).iterdir()):
        digest.update(f"{path.name}\n".encode() + path.read_bytes())
    return digest.hexdigest()


def _analysis(root: Node, words: Sequence[str]) -> Annotations:
    tags = _tags(root)
    heads, labels = dependencies(root, words)
    place = heads.index(0) + 1 if 0 in heads else 1
    heads[place - 1] = 0
    labels[place - 1] = "root"
    return Annotations(
        tuple(tags),
        tuple(place if head < 0 else head for head in heads),
        tuple("punct" if head < 0 else label for head, label in zip(heads, labels)),
    )


def _tags(root: Node) -> list[str]:
    """Return the tags of a tree from left to right."""
    tags, stack = [], [root]
    while stack:
        node = stack.pop()
        if node.children:
            stack += reversed(node.children)
        else:
            tags.append(node.label)
    return tags


def _without_tree(words: Sequence[str]) -> Annotations:
    """Return an analysis of words that have no tree: the first governs the others."""
    count = len(words)
    heads = tuple(min(1, place) for place in range(count))
    labels = tuple("dep" if place else "root" for place in range(count))
    return Annotations(("X",) * count, heads, labels)
