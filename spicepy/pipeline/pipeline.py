"""Turn captions into scene graphs, in one go or stage by stage.

    caption ─ split, tokenise ─▶ sentences ─ parse ─▶ Parse ─ collapse, enhance or
    rewrite ─▶ DependencyGraph ─ extract, resolve, normalise ─▶ proposals ─ merge ─▶
    SceneGraph

A `Trace` has the value after every stage.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import chain
from numbers import Integral
from os import PathLike
from typing import Any, Final, TypeVar, get_args

from spicepy.common import __version__
from spicepy.common.errors import Caller, InputError, brief, check_kind, options_of
from spicepy.common.settings import PipelineOptions, Sentences
from spicepy.common.threads import LRUCache, no_collector
from spicepy.graph.concepts import ConceptLexicon
from spicepy.graph.exchange import GraphSample
from spicepy.graph.scene import SceneGraph
from spicepy.parsing.parser import (
    DEFAULT,
    captions_per_process,
    fingerprint,
    loaded_name,
    map_batches,
    model_signature,
    most_words,
    named_by_environment,
    read,
)
from spicepy.parsing.trees import Parse
from spicepy.pipeline.cache import Namespace, code_digest, open_cache
from spicepy.pipeline.stages import Stages, Trace
from spicepy.rules.coreference import resolves
from spicepy.rules.loading import load_grammar
from spicepy.rules.tuples import (
    Packed,
    Proposals,
    facts,
    pack,
    pack_tree,
    packable,
    unpack,
    unpack_tree,
)
from spicepy.rules.values import Grammar
from spicepy.tokenization.ptb import SIGNATURE
from spicepy.tokenization.samples import SHORT, TokenisedSample, check_length
from spicepy.words.wordnet import load_synonyms

T = TypeVar("T")

CACHED: Final = 50_000
"""The number of captions whose proposals a pipeline keeps: references of the next
system."""


def _check(options: PipelineOptions) -> None:
    """Refuse options that are neither a name, nor a path, nor a grammar."""
    for name in ("grammar", "synonyms", "model", "cache"):
        value = getattr(options, name)
        if value is not None or name in ("grammar", "synonyms"):
            kinds: Any = str | PathLike | Grammar
            check_kind(f"{name} is", value, kinds, "it must be a name or a path")
    jobs: object = options.jobs
    if not isinstance(jobs, Integral) or isinstance(jobs, bool) or jobs < 1:
        raise InputError(f"jobs is {brief(jobs)}; it must be a whole number from 1")


class Pipeline:
    """Grammar, parser and synonyms, ready for captions; safe in threads.

    Captions come as *text*: the tokens of a sentence joined by blanks, one sentence
    a line. Tokenised captions of coco-caption are text of one sentence.

    Args:
        caller: The function, or the name of the class, that makes it, for messages.
        options: grammar, model, synonyms, sentences, jobs, cache; see
            `PipelineOptions`.

    Raises:
        GrammarError: The grammar is wrong.
        InputError: An option is unknown or has an unknown value, or the cache cannot
            be made.
        ResourceError: WordNet is missing (a missing model shows at first use).
    """

    def __init__(self, *, caller: Caller = "Pipeline", **options: Any) -> None:
        given = options_of(PipelineOptions, caller, options)
        _check(given)
        grammar, sentences = given.grammar, given.sentences
        if sentences is not None and sentences not in get_args(Sentences):
            raise InputError(f"sentences are {brief(sentences)}; use 'join' or 'split'")
        self.grammar = (
            grammar if isinstance(grammar, Grammar) else load_grammar(grammar)
        )
        named = given.model or self.grammar.parser or named_by_environment()
        self.model = named and loaded_name(named)
        self.sentences = sentences or ("split" if resolves(self.grammar) else "join")
        self.jobs = int(given.jobs)
        self.cache = open_cache(given.cache)
        distinct = self.grammar.distinct_words
        self.lexicon = ConceptLexicon(load_synonyms(given.synonyms), distinct=distinct)
        self.stages = Stages(self.grammar, self.sentences)
        self._memory: LRUCache[str, Proposals] = LRUCache(CACHED)

    def __getstate__(self) -> dict[str, Any]:
        """Return the state to pickle: everything but the cached captions."""
        return {**vars(self), "_memory": LRUCache(CACHED)}

    def text(self, caption: str) -> str:
        """Normalise a raw caption to the text on which all later stages depend."""
        return self.stages.text(caption)

    def check(self, caption: str, where: str) -> None:
        """Refuse a raw caption that is too long; `where` names its image."""
        if len(caption) > SHORT:
            self._check_length(self.text(caption), where)

    def _check_length(self, text: str, where: str = "") -> None:
        check_length(text, where, most_words(self.model))

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
            self._check_length(text, f"image {brief(sample.image_id)}")
        return own, others

    def propose(self, texts: Iterable[str]) -> Mapping[str, Proposals]:
        """Propose the semantic tuples of captions.

        The latest `CACHED` captions are kept, and always those of the last call.

        Returns:
            Text -> its proposals, in the order of the rules; only those that the
            caption states, neither denies nor supposes.

        Raises:
            InputError: A caption is too long (`spicepy.tokenization.samples`).
            ResourceError: The model is missing or its labels are unknown.
        """
        return {text: facts(made) for text, made in self._all_proposals(texts).items()}

    def _all_proposals(self, texts: Iterable[str]) -> Mapping[str, Proposals]:
        """Return `propose` with what captions deny and suppose."""
        distinct = dict.fromkeys(texts)
        known = self._memory.get(distinct)
        new = sorted(text for text in distinct if text not in known)
        for text in new:
            self._check_length(text)
        made = dict(zip(new, self.make(new), strict=True))
        proposals = {t: known[t] if t in known else made[t] for t in distinct}
        self._memory.keep(proposals)
        return proposals

    def propose_samples(self, samples: Sequence[TokenisedSample]) -> list[GraphSample]:
        """Propose the tuples of samples' candidates and references."""
        texts = list(map(self.texts, samples))
        candidates = (candidate for candidate, _ in texts)
        # References last: the next system has them again.
        references = (text for _, others in texts for text in others)
        proposals = self.propose(chain(candidates, references))
        return [
            GraphSample(
                sample.image_id,
                proposals[candidate],
                tuple(proposals[text] for text in others),
            )
            for sample, (candidate, others) in zip(samples, texts, strict=True)
        ]

    def make(self, texts: Sequence[str]) -> list[Proposals]:
        """Return the proposals of each text, whatever their mood; nothing is kept."""
        made = self._results(
            "tuples",
            texts,
            self._proposals,
            pack,
            lambda packed, _: unpack(packed),
            away=self._packed,
        )
        return [made[text] for text in texts]

    def trees(self, lines: Iterable[str]) -> dict[str, Parse]:
        """Return the tree of each sentence."""
        work = partial(read, model=self.model)
        return self._results("trees", lines, work, pack_tree, unpack_tree)

    def read(self, texts: Sequence[str]) -> list[tuple[list[Parse], Proposals]]:
        """Return the trees of a caption's sentences and its proposals, text by text."""
        for text in texts:
            self._check_length(text)
        of_line = self.trees(line for text in texts for line in text.split("\n"))
        return [(trees, facts(all_)) for trees, all_ in self._extracted(texts, of_line)]

    def _results(
        self,
        kind: str,
        texts: Iterable[str],
        make: Callable[[list[str]], list[T]],
        pack: Callable[[T], str],
        unpack: Callable[[str, str], T],
        *,
        away: Callable[[list[str]], list[T]] | None = None,
    ) -> dict[str, T]:
        """Return the result of each text; make and keep those that the cache lacks."""
        # `away` does in another process what `make` does here. `unpack`, which also
        # gets the text, raises `ValueError` for a damaged string.
        namespace, distinct = self.namespace(kind), list(dict.fromkeys(texts))
        results: dict[str, T] = {}
        for text, packed in namespace.get(distinct).items():
            with suppress(ValueError):
                results[text] = unpack(packed, text)
        new = [text for text in distinct if text not in results]
        per_process = captions_per_process(self.model)
        for batch, made in map_batches(
            make, new, self.jobs, away=away, per_process=per_process
        ):
            namespace.put(batch, map(pack, made))
            results.update(zip(batch, made, strict=True))
        return results

    def _proposals(self, texts: Sequence[str]) -> list[Proposals]:
        """Return the proposals of captions of about the same length."""
        lines = list(dict.fromkeys(line for t in texts for line in t.split("\n")))
        of_line = dict(zip(lines, read(lines, model=self.model), strict=True))
        return [proposals for _, proposals in self._extracted(texts, of_line)]

    def _packed(self, texts: Sequence[str]) -> list[Proposals]:
        """Return the same proposals in the form that is sent between processes."""
        made = zip(texts, self._proposals(texts), strict=True)
        return [Packed(pack(new)) if packable(text) else new for text, new in made]

    def _extracted(
        self, texts: Sequence[str], of_line: Mapping[str, Parse]
    ) -> list[tuple[list[Parse], Proposals]]:
        """Return the trees and the proposals of each caption."""
        with no_collector():
            split = ([of_line[line] for line in text.split("\n")] for text in texts)
            return [(trees, self.stages.extract(trees)) for trees in split]

    def namespace(self, kind: str) -> Namespace:
        """Return where results are kept: "tuples" of captions or "trees" of sentences.

        Results depend on this code, the parser, for tuples the grammar, and the text,
        which is the output of the tokeniser and of `sentences`.
        """
        if self.cache is None:
            return Namespace(None, {})
        basis = {"kind": kind, "code": code_digest(), "parser": fingerprint(self.model)}
        names = {"version": __version__, "model": self.model or DEFAULT}
        if kind == "tuples":
            basis["rules"] = self.grammar.digest
            names["grammar"] = self.grammar.name
        return Namespace(self.cache, basis, names)

    def graph(self, captions: Iterable[Proposals]) -> SceneGraph:
        """Return the one scene graph of the proposals of one or several captions."""
        return SceneGraph.from_proposals(captions, self.lexicon)

    def parse(
        self, captions: Sequence[str], *, instances: bool = False
    ) -> list[SceneGraph]:
        """Return the scene graph of each raw caption.

        Args:
            captions: Raw text.
            instances: Whether two things of one name ("one woman … another woman")
                are two nodes, which scores do not have; one node otherwise.
        """
        if instances:
            return [trace.instances for trace in self.traces(captions)]
        texts = list(map(self.text, captions))
        proposals = self._all_proposals(texts)
        return [self.graph([proposals[text]]) for text in texts]

    def trace(self, caption: str) -> Trace:
        """Return every stage of one raw caption."""
        [trace] = self.traces([caption])
        return replace(trace, spelling=self.stages.spelling(caption))

    def traces(self, captions: Sequence[str]) -> Iterator[Trace]:
        """Yield every stage of each raw caption; parsed in one go."""
        texts = list(map(self.text, captions))
        for text in texts:
            self._check_length(text)
        of_line = self.trees(line for text in texts for line in text.split("\n"))
        for caption, text in zip(captions, texts, strict=True):
            parses = tuple(of_line[line] for line in text.split("\n"))
            graphs = tuple(map(self.stages.dependencies, parses))
            proposals = self.stages.propose(graphs)
            unreal = tuple(tuple_ for tuple_ in proposals if tuple_.mood)
            stated = facts(proposals)
            yield Trace(caption, parses, graphs, stated, self.lexicon, unreal)

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
