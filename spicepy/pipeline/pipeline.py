"""From captions to scene graphs, in one go or stage by stage.

    caption ─ split, tokenise ─▶ sentences ─ parse ─▶ Parse ─ collapse, enhance or
    turn ─▶ DependencyGraph ─ extract, resolve, normalise ─▶ proposals ─ merge ─▶
    SceneGraph

In: a grammar, a parser and synonyms, by name. Out: a `Pipeline`, which gives the
proposals of many captions, a caption's scene graph, or a `Trace` with the value
after every stage.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, Final, get_args

from spicepy.common.collector import no_collector
from spicepy.common.data_files import GRAMMAR
from spicepy.common.errors import InputError, shown
from spicepy.common.processes import start
from spicepy.common.threads import LRUCache
from spicepy.common.version import __version__
from spicepy.common.words.wordnet import load_synonyms
from spicepy.extraction.coreference import Sentence, resolve, resolves
from spicepy.extraction.dependencies.collapsing import collapse
from spicepy.extraction.dependencies.enhancing import enhance
from spicepy.extraction.dependencies.graphs import DependencyGraph
from spicepy.extraction.dependencies.words import DependencyWords
from spicepy.extraction.engine import annotate, extract
from spicepy.extraction.normalising import normalise
from spicepy.extraction.packing import (
    Packed,
    is_packed,
    pack,
    pack_tree,
    packable,
    unpack_tree,
)
from spicepy.extraction.rewriting import rewrite
from spicepy.extraction.tuples import Proposals, SemanticTuple
from spicepy.grammar.loading import load_grammar
from spicepy.grammar.values import Grammar
from spicepy.graph.concepts import Lexicon
from spicepy.graph.reading import GraphSample
from spicepy.graph.scene import SceneGraph
from spicepy.parsing.loading import DEFAULT, named_by_environment
from spicepy.parsing.parser import (
    model_fingerprint,
    model_signature,
    read,
    spread,
    worth_a_process,
)
from spicepy.parsing.trees import Parse
from spicepy.pipeline.cache.digests import code_digest
from spicepy.pipeline.cache.namespace import Namespace, open_cache
from spicepy.pipeline.trace import Trace
from spicepy.samples.sample import Sentences
from spicepy.tokenization.lengths import SHORT, check_length
from spicepy.tokenization.ptb import SIGNATURE, tokenize
from spicepy.tokenization.samples import TokenisedSample
from spicepy.tokenization.sentences import split_sentences

REMEMBERED: Final = 50_000
"""Captions whose proposals a pipeline keeps: references of the next system."""


class Pipeline:
    """Grammar, parser and synonyms, ready for captions; safe in threads.

    Captions come as *text*: the tokens of a sentence joined by blanks, one sentence
    a line. Tokenised captions of coco-caption are text of one sentence.

    Args:
        grammar, model, synonyms, sentences, jobs, cache: See `PipelineOptions`.

    Raises:
        GrammarError: The grammar is wrong.
        InputError: An option has an unknown value, or the cache cannot be made.
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
        cache: str | Path | None = None,
    ) -> None:
        if sentences is not None and sentences not in get_args(Sentences):
            raise InputError(f"sentences are {shown(sentences)}; use 'join' or 'split'")
        self.grammar = (
            grammar if isinstance(grammar, Grammar) else load_grammar(grammar)
        )
        self.model = model or self.grammar.parser or named_by_environment()
        self.sentences = sentences or ("split" if resolves(self.grammar) else "join")
        self.jobs = jobs
        if self.jobs < 1:
            raise InputError(f"jobs is {self.jobs}; it must be at least 1")
        if self.jobs > 1:
            start()
        self.cache = open_cache(cache)
        self.lexicon = Lexicon(load_synonyms(synonyms))
        self._words = DependencyWords.from_lists(self.grammar.lists)
        self._no_items = self.grammar.lists.get("no-items")
        self._memory: LRUCache[str, Proposals] = LRUCache(REMEMBERED)

    def __getstate__(self) -> dict[str, Any]:
        """Return what is pickled: not the captions remembered."""
        return {**vars(self), "_memory": LRUCache(REMEMBERED)}

    def text(self, caption: str) -> str:
        """Return a raw caption as text, on which alone all further stages depend."""
        if self.sentences == "split":
            return "\n".join(split_sentences(caption, self._no_items))
        return tokenize([caption])[0]

    def check(self, caption: str, where: str) -> None:
        """Refuse a caption, as it was written, that is too long to be parsed.

        Args:
            caption: The caption.
            where: The image that the caption belongs to, for the message.

        Raises:
            InputError: See `spicepy.tokenization.lengths.check_length`.
        """
        if len(caption) > SHORT:
            check_length(self.text(caption), where)

    def texts(self, sample: TokenisedSample) -> tuple[str, tuple[str, ...]]:
        """Return a sample's candidate and references as text.

        Raises:
            InputError: A caption is too long; names the image.
        """
        raw = sample.raw
        if self.sentences == "join" or raw is None:
            own, others = sample.candidate, sample.references
        else:
            own, others = (
                self.text(raw.candidate),
                tuple(map(self.text, raw.references)),
            )
        for text in (own, *others):
            check_length(text, f"image {shown(sample.image_id)}")
        return own, others

    def propose(self, texts: Iterable[str]) -> Mapping[str, Proposals]:
        """Propose the semantic tuples of captions.

        The latest `REMEMBERED` captions are remembered, and always those of the
        last call.

        Returns:
            Text -> its proposals, in the order of the rules.

        Raises:
            InputError: A caption is too long (`spicepy.tokenization.lengths`).
            ResourceError: The model is missing or its labels are unknown.
        """
        distinct = dict.fromkeys(texts)
        known = self._memory.get(distinct)
        new = sorted(text for text in distinct if text not in known)
        for text in new:
            check_length(text)
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
        shelf = self.shelf("tuples")
        found: dict[str, Proposals] = {
            text: Packed(result)
            for text, result in shelf.get(texts).items()
            if is_packed(result)
        }
        new = [text for text in texts if text not in found]
        worth = worth_a_process(self.model)
        for batch, made in spread(
            self._batch, new, self.jobs, away=self._packed, worth=worth
        ):
            shelf.put(batch, map(pack, made))
            found.update(zip(batch, made, strict=True))
        return [found[text] for text in texts]

    def read(self, texts: Sequence[str]) -> list[tuple[list[Parse], Proposals]]:
        """Return the trees of a caption's sentences and its proposals, text by text."""
        for text in texts:
            check_length(text)
        split = [text.split("\n") for text in texts]
        of_line = self.trees([line for own in split for line in own])
        with no_collector():
            of_text = [[of_line[line] for line in own] for own in split]
            return [(found, self.extract(*found)) for found in of_text]

    def _batch(self, texts: Sequence[str]) -> list[Proposals]:
        """Return the proposals of captions of about the same length."""
        split = [text.split("\n") for text in texts]
        lines = list(dict.fromkeys(line for own in split for line in own))
        of_line = dict(zip(lines, read(lines, model=self.model), strict=True))
        with no_collector():
            return [self.extract(*(of_line[line] for line in own)) for own in split]

    def _packed(self, texts: Sequence[str]) -> list[Proposals]:
        """Return the same, as it travels between processes."""
        made = zip(texts, self._batch(texts), strict=True)
        return [Packed(pack(own)) if packable(text) else own for text, own in made]

    def trees(self, lines: Iterable[str]) -> dict[str, Parse]:
        """Return the tree of each sentence."""
        shelf = self.shelf("trees")
        kept = shelf.get(dict.fromkeys(lines)).items()
        found: dict[str, Parse] = {}
        for line, result in kept:
            with suppress(ValueError):  # damaged
                found[line] = unpack_tree(result, line)
        new = [line for line in lines if line not in found]
        work, worth = partial(read, model=self.model), worth_a_process(self.model)
        for batch, trees in spread(work, new, self.jobs, worth=worth):
            shelf.put(batch, map(pack_tree, trees))
            found.update(zip(batch, trees, strict=True))
        return found

    def shelf(self, kind: str) -> Namespace:
        """Return where results are kept: "tuples" of captions or "trees" of sentences.

        What they depend on: this code, the parser, for tuples the grammar, and the
        text, in which all is said that the tokeniser and `sentences` have done.
        """
        if self.cache is None:
            return Namespace(None, {})
        basis = {
            "kind": kind,
            "code": code_digest(),
            "parser": model_fingerprint(self.model),
        }
        names = {"version": __version__, "model": self.model or DEFAULT}
        if kind == "tuples":
            basis["rules"] = self.grammar.digest
            names["grammar"] = self.grammar.name
        return Namespace(self.cache, basis, names)

    def collapsed(self, tree: Parse) -> DependencyGraph:
        """Return the graph that a grammar's rewrite rules read, if it has any."""
        graph = collapse(tree, self._words)
        return graph if self.grammar.rewrites else enhance(graph, self._words)

    def dependencies(self, tree: Parse) -> DependencyGraph:
        """Return the graph that the rules read.

        Prepositions stand in labels and conjuncts share their governors. A grammar
        with rewrite rules shapes the graph by them; for others, quantity phrases and
        pronouns are enhanced as in SPICE.
        """
        return rewrite(self.collapsed(tree), self.grammar)

    def extract(self, *trees: Parse) -> Proposals:
        """Return the proposals of a caption, from the tree of each of its sentences."""
        return self._extract(list(map(self.dependencies, trees)))

    def _extract(self, graphs: Sequence[DependencyGraph]) -> Proposals:
        sentences = [Sentence(graph, extract(graph, self.grammar)) for graph in graphs]
        if resolves(self.grammar):
            found = resolve(sentences, self.grammar)
        else:
            found = [tuple_ for one in sentences for tuple_ in one.proposals]
        return normalise(found, self.grammar, len(graphs))

    def _notes(self, graphs: Sequence[DependencyGraph]) -> Iterator[SemanticTuple]:
        """Yield the notes of all sentences; positions count through the caption."""
        start = 0
        for graph in graphs:
            for note in annotate(graph, self.grammar):
                tokens = tuple(t + start if t else 0 for t in note.tokens)
                yield replace(note, tokens=tokens)
            start += len(graph.words) - len(graph.copies)

    def graph(self, captions: Iterable[Proposals]) -> SceneGraph:
        """Return the one scene graph of the proposals of one or several captions."""
        return SceneGraph.from_proposals(captions, self.lexicon)

    def parse(self, captions: Sequence[str]) -> list[SceneGraph]:
        """Return the scene graph of each caption, as it was written."""
        texts = list(map(self.text, captions))
        proposals = self.propose(texts)
        return [self.graph([proposals[text]]) for text in texts]

    def trace(self, caption: str) -> Trace:
        """Return every stage of one caption, as it was written."""
        [found] = self.traces([caption])
        return found

    def traces(self, captions: Sequence[str]) -> Iterator[Trace]:
        """Yield every stage of each caption, as it was written; parsed in one go."""
        texts = list(map(self.text, captions))
        for text in texts:
            check_length(text)
        split = [text.split("\n") for text in texts]
        of_line = self.trees([line for own in split for line in own])
        for caption, own in zip(captions, split, strict=True):
            parses = tuple(of_line[line] for line in own)
            graphs = tuple(map(self.dependencies, parses))
            found = self._extract(graphs)
            noted = tuple(self._notes(graphs))
            yield Trace(caption, parses, graphs, found, self.lexicon, noted)

    def signature(self) -> dict[str, str]:
        """Return what can change the graph of a caption, in a stable order."""
        split = {"sentences": "split"} if self.sentences == "split" else {}
        return {
            "grammar": f"{self.grammar.name}@{self.grammar.digest[:8]}",
            "model": model_signature(self.model),
            "tokeniser": SIGNATURE,
            **split,
            "synonyms": self.lexicon.synonyms.signature,
        }
