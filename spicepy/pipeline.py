"""The one way from captions to scene graphs: all stages are joined here.

    caption ─ split, tokenise ─▶ sentences ─ parse ─▶ Parse ─ collapse, enhance or
    turn ─▶ DependencyGraph ─ extract, resolve, normalise ─▶ proposals ─ merge ─▶
    SceneGraph

In: a grammar, a parser and synonyms, by name. Out: a `Pipeline`, which gives the
proposals of many captions, a caption's scene graph, or a `Trace` with the value
after every stage.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, Final, TypedDict, get_args

from spicepy.common.collector import no_collector
from spicepy.common.errors import InputError, shown
from spicepy.common.moved import deprecated
from spicepy.common.plain import plain
from spicepy.common.sharing import Recent
from spicepy.common.shipped import GRAMMAR
from spicepy.dependencies.collapsing import collapse
from spicepy.dependencies.enhancing import enhance
from spicepy.dependencies.graphs import DependencyGraph
from spicepy.dependencies.words import DependencyWords
from spicepy.extraction.coreference import Sentence, resolve, resolves
from spicepy.extraction.engine import extract, notes
from spicepy.extraction.forms import normalise
from spicepy.extraction.tuples import Proposals, SemanticTuple
from spicepy.extraction.turning import turn
from spicepy.grammar.loading import load_grammar
from spicepy.grammar.values import Grammar
from spicepy.graph.concepts import Lexicon
from spicepy.graph.reading import GraphSample
from spicepy.graph.scene import SceneGraph
from spicepy.parsing.parser import model_signature, parse
from spicepy.parsing.trees import Parse
from spicepy.samples.sample import Sentences
from spicepy.tokenization.ptb import SIGNATURE, tokenize
from spicepy.tokenization.samples import TokenisedSample
from spicepy.tokenization.sentences import split_sentences
from spicepy.words.wordnet import load_synonyms

REMEMBERED: Final = 50_000
"""Captions whose proposals a pipeline keeps: references of the next system."""


class PipelineOptions(TypedDict, total=False):
    """What a pipeline is made of, by name.

    Attributes:
        grammar: A shipped grammar's name, the path of a folder, or a `Grammar`;
            "spice-1.0" by default.
        model: An installed spaCy model's name or a bundled parser's; by default the
            one that the grammar is written for.
        synonyms: "bundled" (WordNet 3.0), "nltk" (your NLTK corpus) or "none".
        sentences: "join" or "split"; by default "split" for grammars that say what
            pronouns mean (spicepy-1), else "join".
        jobs: Processes that parse; 1 is best below some 20,000 captions.
        n_process: An older name of `jobs`.
    """

    grammar: str | Grammar
    model: str | None
    synonyms: str
    sentences: Sentences | None
    jobs: int
    n_process: int


@dataclass(frozen=True, slots=True)
class Trace:
    """The values between the stages, from caption to scene graph.

    `parses` and `dependencies` have an entry a sentence. `notes` are what the caption
    says without words, beside the graph (see `extraction.engine.notes`).
    """

    caption: str
    parses: tuple[Parse, ...]
    dependencies: tuple[DependencyGraph, ...]
    proposals: Proposals
    graph: SceneGraph
    notes: Proposals = ()

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values, ready for JSON."""
        sentences = [
            {"parse": plain(tree), "edges": [list(edge) for edge in graph.edges]}
            for tree, graph in zip(self.parses, self.dependencies, strict=True)
        ]
        [first, *others] = sentences
        found = {"sentences": sentences} if others else first
        # Most tuples stand as a rule made them, and have no other wording.
        proposals = [
            {
                k: v
                for k, v in entry.items()
                if v or k not in ("written", "same", "heads")
            }
            for entry in plain(self.proposals)
        ]
        return {"caption": self.caption, **found, "proposals": proposals}


class Pipeline:
    """Grammar, parser and synonyms, ready for captions; safe in threads.

    Captions come as *text*: the tokens of a sentence joined by blanks, one sentence
    a line. Tokenised captions of coco-caption are text of one sentence.

    Args:
        grammar, model, synonyms, sentences, jobs: See `PipelineOptions`.

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
        sentences: Sentences | None = None,
        jobs: int = 1,
        n_process: int | None = None,
    ) -> None:
        if sentences is not None and sentences not in get_args(Sentences):
            raise InputError(f"sentences are {shown(sentences)}; use 'join' or 'split'")
        self.grammar = (
            grammar if isinstance(grammar, Grammar) else load_grammar(grammar)
        )
        self.model = model or self.grammar.parser or None
        self.sentences = sentences or ("split" if resolves(self.grammar) else "join")
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

    def text(self, caption: str) -> str:
        """A caption, as it was written, as text; its stages depend on it alone."""
        if self.sentences == "split":
            return "\n".join(split_sentences(caption))
        return tokenize([caption])[0]

    def texts(self, sample: TokenisedSample) -> tuple[str, tuple[str, ...]]:
        """A sample's candidate and references as text."""
        raw = sample.raw
        if self.sentences == "join" or raw is None:
            return sample.candidate, sample.references
        return self.text(raw.candidate), tuple(map(self.text, raw.references))

    def propose(self, texts: Iterable[str]) -> Mapping[str, Proposals]:
        """Propose the semantic tuples of captions.

        The latest `REMEMBERED` captions are remembered, and always those of the
        last call.

        Returns:
            Text -> its proposals, in the order of the rules.

        Raises:
            ResourceError: The model is missing or its labels are unknown.
        """
        distinct = dict.fromkeys(texts)
        known = self._memory.get(distinct)
        new = sorted(text for text in distinct if text not in known)
        made = dict(zip(new, self.make(new), strict=True))
        found = {t: known[t] if t in known else made[t] for t in distinct}
        self._memory.keep(found)
        return found

    def propose_samples(self, samples: Sequence[TokenisedSample]) -> list[GraphSample]:
        """Propose the tuples of samples' candidates and references."""
        texts = list(map(self.texts, samples))
        candidates = (candidate for candidate, _ in texts)
        # References last: the next system has them again.
        references = (text for _, own in texts for text in own)
        found = self.propose(chain(candidates, references))
        return [
            GraphSample(
                sample.image_id, found[candidate], tuple(found[text] for text in own)
            )
            for sample, (candidate, own) in zip(samples, texts, strict=True)
        ]

    def make(self, texts: Sequence[str]) -> list[Proposals]:
        """`propose` without the memory."""
        return [proposals for _, proposals in self.read(texts)]

    def read(self, texts: Sequence[str]) -> list[tuple[list[Parse], Proposals]]:
        """The trees of a caption's sentences and its proposals, text by text."""
        split = [text.split("\n") for text in texts]
        lines = list(dict.fromkeys(line for own in split for line in own))
        trees = parse(lines, model=self.model, n_process=self.jobs)
        with no_collector():
            of_line = dict(zip(lines, trees, strict=True))
            of_text = [[of_line[line] for line in own] for own in split]
            return [(found, self.extract(*found)) for found in of_text]

    def collapsed(self, tree: Parse) -> DependencyGraph:
        """The graph that a grammar's turn cards read, if it has any."""
        graph = collapse(tree, self._words)
        return graph if self.grammar.turns else enhance(graph, self._words)

    def dependencies(self, tree: Parse) -> DependencyGraph:
        """The graph that the rules read.

        Prepositions stand in labels and conjuncts share their governors. A grammar
        with turn cards shapes the graph by them; for others, quantity phrases and
        pronouns are enhanced as in SPICE.
        """
        return turn(self.collapsed(tree), self.grammar)

    def extract(self, *trees: Parse) -> Proposals:
        """The proposals of a caption, from the tree of each of its sentences."""
        return self._extract(list(map(self.dependencies, trees)))

    def _extract(self, graphs: Sequence[DependencyGraph]) -> Proposals:
        sentences = [Sentence(graph, extract(graph, self.grammar)) for graph in graphs]
        if resolves(self.grammar):
            found = resolve(sentences, self.grammar)
        else:
            found = [tuple_ for one in sentences for tuple_ in one.proposals]
        return normalise(found, self.grammar)

    def _notes(self, graphs: Sequence[DependencyGraph]) -> Iterator[SemanticTuple]:
        """The notes of all sentences; positions count through the caption."""
        start = 0
        for graph in graphs:
            for note in notes(graph, self.grammar):
                tokens = tuple(t + start if t else 0 for t in note.tokens)
                yield replace(note, tokens=tokens)
            start += len(graph.words) - len(graph.copies)

    def graph(self, captions: Iterable[Proposals]) -> SceneGraph:
        """The one scene graph of the proposals of one or several captions."""
        return SceneGraph.from_proposals(captions, self.lexicon)

    def parse(self, captions: Sequence[str]) -> list[SceneGraph]:
        """The scene graph of each caption, as it was written."""
        texts = list(map(self.text, captions))
        proposals = self.propose(texts)
        return [self.graph([proposals[text]]) for text in texts]

    def trace(self, caption: str) -> Trace:
        """Every stage of one caption, as it was written."""
        [found] = self.traces([caption])
        return found

    def traces(self, captions: Sequence[str]) -> Iterator[Trace]:
        """Every stage of each caption, as it was written; parsed in one go."""
        split = [self.text(caption).split("\n") for caption in captions]
        lines = list(dict.fromkeys(line for own in split for line in own))
        trees = parse(lines, model=self.model, n_process=self.jobs)
        of_line = dict(zip(lines, trees, strict=True))
        for caption, own in zip(captions, split, strict=True):
            parses = tuple(of_line[line] for line in own)
            graphs = tuple(map(self.dependencies, parses))
            found = self._extract(graphs)
            noted = tuple(self._notes(graphs))
            yield Trace(caption, parses, graphs, found, self.graph([found]), noted)

    def signature(self) -> dict[str, str]:
        """What can change the graph of a caption, in a stable order."""
        split = {"sentences": "split"} if self.sentences == "split" else {}
        return {
            "grammar": f"{self.grammar.name}@{self.grammar.digest[:8]}",
            "model": model_signature(self.model),
            "tokeniser": SIGNATURE,
            **split,
            "synonyms": self.lexicon.synonyms.signature,
        }
