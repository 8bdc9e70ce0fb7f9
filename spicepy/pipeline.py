"""The stages from captions to proposed tuples, in one place.

    captions ─ parse ─ (labels) ─ collapse ─ enhance ─ extract ─▶ proposals

In: tokenised captions and a grammar. Out: the proposed tuples of every distinct
caption. A caption is parsed once, however often it occurs.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache

from spicepy.collapsing import collapse
from spicepy.concepts import Lexicon
from spicepy.dependencies import DependencyGraph, Parse
from spicepy.dependency_words import DependencyWords
from spicepy.enhancing import enhance
from spicepy.extraction import extract
from spicepy.grammar import DEFAULT, Grammar, load_grammar
from spicepy.graph import SceneGraph
from spicepy.parsing import parse
from spicepy.tokenization import tokenize
from spicepy.tuples import SemanticTuple
from spicepy.wordnet import load_synonyms


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
    return {
        caption: extract(dependency_graph(tree, grammar), grammar)
        for caption, tree in zip(distinct, parses, strict=True)
    }


def dependency_graph(tree: Parse, grammar: Grammar) -> DependencyGraph:
    """The graph that the rules see: collapsed, propagated and enhanced."""
    words = _words(grammar)
    return enhance(collapse(tree, words), words)


@lru_cache(maxsize=8)
def _words(grammar: Grammar) -> DependencyWords:
    return DependencyWords.from_lists(grammar.lists)


def scene_graph(
    captions: str | Sequence[str],
    *,
    grammar: str = DEFAULT,
    model: str | None = None,
    synonyms: str = "bundled",
) -> SceneGraph:
    """The scene graph of a caption, or one graph of several captions.

    Args:
        captions: Raw text; several captions become one graph in which synonyms
            are one node, as SPICE does with the references of an image.
        grammar: Name of a grammar, or the path of its folder.
        model: Name of a spaCy model; the bundled caption parser by default.
        synonyms: "bundled" (WordNet 3.0), "nltk" (your NLTK corpus) or "none".

    Raises:
        GrammarError, InputError, ResourceError: A resource is wrong or missing.

    Example:
        >>> print(scene_graph("two dogs run"))
        (dog) (dog, run) (dog, two)
    """
    tokens = tokenize([captions] if isinstance(captions, str) else captions)
    proposals = propose(tokens, load_grammar(grammar), model=model)
    lexicon = Lexicon(load_synonyms(synonyms))
    return SceneGraph.from_proposals([proposals[text] for text in tokens], lexicon)
