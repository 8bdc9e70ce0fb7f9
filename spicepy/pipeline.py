"""The stages from captions to proposed tuples, in one place.

    captions ─ parse ─ (labels) ─ collapse ─ enhance ─ extract ─▶ proposals

In: tokenised captions and a grammar. Out: the proposed tuples of every distinct
caption. A caption is parsed once, however often it occurs.
"""

from collections.abc import Iterable
from typing import Final

from spicepy.common.collector import no_collector
from spicepy.dependencies.collapsing import collapse
from spicepy.dependencies.enhancing import enhance
from spicepy.dependencies.words import DependencyWords
from spicepy.extraction.engine import extract
from spicepy.extraction.tuples import SemanticTuple
from spicepy.grammar.values import Grammar
from spicepy.parsing.parser import parse
from spicepy.parsing.trees import DependencyGraph, Parse


def propose(
    captions: Iterable[str],
    grammar: Grammar,
    *,
    model: str | None = None,
    n_process: int = 1,
) -> dict[str, list[SemanticTuple]]:
    """Propose the semantic tuples of captions.

    Args:
        captions: Tokenised captions; repeated ones cost nothing.
        grammar: The rules.
        model: Name of a spaCy model; the bundled caption parser by default.
        n_process: Processes that parse.

    Returns:
        Caption -> its proposals, in the order of the rules.

    Raises:
        ResourceError: The model is missing or its labels are unknown.
    """
    distinct = list(dict.fromkeys(captions))
    parses = parse(distinct, model=model, n_process=n_process)
    with no_collector():
        return {
            caption: extract(dependency_graph(tree, grammar), grammar)
            for caption, tree in zip(distinct, parses, strict=True)
        }


def dependency_graph(tree: Parse, grammar: Grammar) -> DependencyGraph:
    """The graph that the rules see: collapsed, propagated and enhanced."""
    words = _words(grammar)
    return enhance(collapse(tree, words), words)


def _words(grammar: Grammar) -> DependencyWords:
    words = _WORDS.get(grammar.digest)
    if words is None:
        words = _WORDS[grammar.digest] = DependencyWords.from_lists(grammar.lists)
    return words


_WORDS: Final[dict[str, DependencyWords]] = {}
