"""The one way from captions to scene graphs: all stages are joined here.

    caption ─ tokenise ─▶ tokens ─ parse ─▶ Parse ─ collapse, enhance ─▶
    DependencyGraph ─ extract ─▶ proposals ─ merge ─▶ SceneGraph

In: a grammar, a parser and synonyms, by name. Out: a `Pipeline`, which gives the
proposals of many captions, a caption's scene graph, or a `Trace` with the value
after every stage.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypedDict

from spicepy.common.collector import no_collector
from spicepy.common.moved import deprecated
from spicepy.common.sharing import Recent
from spicepy.common.shipped import GRAMMAR
from spicepy.dependencies.collapsing import collapse
from spicepy.dependencies.enhancing import enhance
from spicepy.dependencies.graphs import DependencyGraph
from spicepy.dependencies.words import DependencyWords
from spicepy.extraction.engine import extract
from spicepy.extraction.tuples import Proposals, SemanticTuple
from spicepy.grammar.loading import load_grammar
from spicepy.grammar.values import Grammar
from spicepy.graph.concepts import Lexicon
from spicepy.graph.scene import SceneGraph
from spicepy.parsing.parser import model_signature, parse
from spicepy.parsing.trees import Parse
from spicepy.results.plain import plain
from spicepy.tokenization.ptb import SIGNATURE, tokenize
from spicepy.words.wordnet import load_synonyms

REMEMBERED: Final = 50_000
"""Captions whose proposals a pipeline keeps: references of the next system."""


class PipelineOptions(TypedDict, total=False):
    """What a pipeline is made of, by name.

    grammar: a shipped grammar's name, the path of a folder, or a `Grammar`;
        "spice-1.0" by default.
    model: an installed spaCy model's name; the bundled caption parser if None.
    synonyms: "bundled" (WordNet 3.0), "nltk" (your NLTK corpus) or "none".
    jobs: processes that parse; 1 is best below some 20,000 captions.
    n_process: an older name of `jobs`.
    """

    grammar: str | Grammar
    model: str | None
    synonyms: str
    jobs: int
    n_process: int


@dataclass(frozen=True, slots=True)
class Trace:
    """The values between the stages, from caption to scene graph."""

    caption: str
    parse: Parse
    dependencies: DependencyGraph
    proposals: list[SemanticTuple]
    graph: SceneGraph

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values, ready for JSON."""
        return {
            "caption": self.caption,
            "parse": plain(self.parse),
            "edges": [list(edge) for edge in self.dependencies.edges],
            "proposals": plain(self.proposals),
        }


class Pipeline:
    """Grammar, parser and synonyms, ready for captions; safe in threads.

    Args:
        grammar, model, synonyms, jobs: See `PipelineOptions`.

    Raises:
        GrammarError: The grammar is wrong.
        InputError: An option has an unknown value.
        ResourceError: WordNet is missing (a missing model shows at first use).
    """

    def __init__(
        self,
        *,
        grammar: str | Grammar = GRAMMAR,
        model: str | None = None,
        synonyms: str = "bundled",
        jobs: int = 1,
        n_process: int | None = None,
    ) -> None:
        self.grammar = (
            grammar if isinstance(grammar, Grammar) else load_grammar(grammar)
        )
        self.model = model
        self.jobs = jobs
        if n_process is not None:
            deprecated("n_process is now jobs")
            self.jobs = n_process
        self.lexicon = Lexicon(load_synonyms(synonyms))
        self._words = DependencyWords.from_lists(self.grammar.lists)
        self._memory: Recent[str, Proposals] = Recent(REMEMBERED)

    def __getstate__(self) -> dict[str, Any]:
        """What is pickled: not the captions remembered."""
        return {**vars(self), "_memory": Recent(REMEMBERED)}

    def propose(self, captions: Iterable[str]) -> Mapping[str, Proposals]:
        """Propose the semantic tuples of tokenised captions.

        The latest `REMEMBERED` captions are remembered, and always those of the
        last call.

        Returns:
            Caption -> its proposals, in the order of the rules.

        Raises:
            ResourceError: The model is missing or its labels are unknown.
        """
        distinct = dict.fromkeys(captions)
        known = self._memory.get(distinct)
        new = sorted(caption for caption in distinct if caption not in known)
        made = dict(zip(new, self.make(new), strict=True))
        found = {c: known[c] if c in known else made[c] for c in distinct}
        self._memory.keep(found)
        return found

    def make(self, captions: Sequence[str]) -> list[Proposals]:
        """`propose` without the memory: parse and extract, caption by caption."""
        trees = parse(captions, model=self.model, n_process=self.jobs)
        with no_collector():
            return list(map(self.extract, trees))

    def dependencies(self, tree: Parse) -> DependencyGraph:
        """The graph that the rules read: collapsed, propagated and enhanced."""
        return enhance(collapse(tree, self._words), self._words)

    def extract(self, tree: Parse) -> list[SemanticTuple]:
        """The proposals of one caption's tree, in the order of the rules."""
        return extract(self.dependencies(tree), self.grammar)

    def graph(self, captions: Iterable[Proposals]) -> SceneGraph:
        """The one scene graph of the proposals of one or several captions."""
        return SceneGraph.from_proposals(captions, self.lexicon)

    def parse(self, captions: Sequence[str]) -> list[SceneGraph]:
        """The scene graph of each caption, as it was written."""
        # Each caption is a document of its own: its graph depends on it alone.
        tokens = [tokenize([caption])[0] for caption in captions]
        proposals = self.propose(tokens)
        return [self.graph([proposals[text]]) for text in tokens]

    def trace(self, caption: str) -> Trace:
        """Every stage of one caption, as it was written."""
        [tree] = parse(tokenize([caption]), model=self.model)
        edges = self.dependencies(tree)
        proposals = extract(edges, self.grammar)
        return Trace(caption, tree, edges, proposals, self.graph([proposals]))

    def signature(self) -> dict[str, str]:
        """What can change the graph of a caption, in a stable order."""
        return {
            "grammar": f"{self.grammar.name}@{self.grammar.digest[:8]}",
            "model": model_signature(self.model),
            "tokeniser": SIGNATURE,
            "synonyms": self.lexicon.synonyms.signature,
        }
