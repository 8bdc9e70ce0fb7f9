"""Every stage of one caption, kept: what `spicepy explain` shows.

In: a raw caption. Out: its tokens, tree, dependency graph and proposals.
"""

from dataclasses import dataclass
from typing import Any

from spicepy.extraction.engine import extract
from spicepy.extraction.tuples import SemanticTuple
from spicepy.grammar.loading import DEFAULT, load_grammar
from spicepy.graph.concepts import Lexicon
from spicepy.graph.scene import SceneGraph
from spicepy.parsing.parser import parse
from spicepy.parsing.trees import DependencyGraph, Parse
from spicepy.pipeline import dependency_graph
from spicepy.results.plain import plain
from spicepy.samples.sample import check_caption
from spicepy.tokenization.ptb import tokenize


@dataclass(frozen=True, slots=True)
class Explanation:
    """The values between the stages, from caption to proposals."""

    caption: str
    parse: Parse
    dependencies: DependencyGraph
    proposals: list[SemanticTuple]

    def graph(self, lexicon: Lexicon | None = None) -> SceneGraph:
        """The scene graph of the proposals."""
        return SceneGraph.from_proposals([self.proposals], lexicon)

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values, ready for JSON."""
        return {
            "caption": self.caption,
            "parse": plain(self.parse),
            "edges": [list(edge) for edge in self.dependencies.edges],
            "proposals": plain(self.proposals),
        }


def explain(
    caption: str, *, grammar: str = DEFAULT, model: str | None = None
) -> Explanation:
    """Run one caption through all stages.

    Raises:
        InputError: The caption is no string.
        GrammarError, ResourceError: The grammar or model is wrong or missing.
    """
    caption = check_caption(caption, "caption", "explain")
    rules = load_grammar(grammar)
    [tree] = parse(tokenize([caption]), model=model)
    edges = dependency_graph(tree, rules)
    return Explanation(caption, tree, edges, extract(edges, rules))
