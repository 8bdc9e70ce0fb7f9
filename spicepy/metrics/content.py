"""Captions compared by meaning: content recall, long captions, vocabularies.

Content recall is the share of the references' nouns and verbs that a candidate has. The
size of a vocabulary is not a sum over images; so systems get a table of them.

    references  a man rides a brown horse · a cowboy is riding
    nouns       man horse cowboy     verbs  ride
    candidate   a man sits on a horse
    recall      nouns 2 / 3 · verbs 0 / 1; softly, the similarity of the nearest word

Source: Chan et al. 2023, IC3 (content recall, exact and fuzzy); Hurlbert 1971, The
nonconcept of species diversity (expected number of types in a sample).
"""

from abc import abstractmethod
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cache
from itertools import chain, pairwise
from math import exp, lgamma
from pathlib import Path
from typing import Any, ClassVar, Final

import numpy as np

from spicepy.captions.reading import read_references
from spicepy.common.resources import read_table
from spicepy.common.tables import Cells, Table
from spicepy.common.threads import LRUCache, no_collector
from spicepy.graph.exchange import GraphSample
from spicepy.metrics.base import Array, MeanOfDefined, Statistics, defined_row, number
from spicepy.metrics.soft.matching import described, likeness
from spicepy.metrics.soft.metric import harmonic_mean
from spicepy.metrics.soft.table import load_table
from spicepy.parsing.trees import Parse
from spicepy.pipeline import Pipeline
from spicepy.rules.tuples import SemanticTuple
from spicepy.tokenization.samples import TokenisedSample, tokenised

GRAMMAR: Final = "spicepy-1"
CACHED: Final = 50_000
"""The number of captions whose words are kept from one `count` to the next."""

Words = tuple[frozenset[str], frozenset[str]]
"""The lemmas of a caption's nouns and of its verbs."""


@cache
def load_words(name: str) -> frozenset[str]:
    """Return a list of `grammars/content.toml`: "auxiliaries" or "uncounted"."""
    return read_table("content.toml", lambda data: frozenset(data[name]))


class ByMeaning(MeanOfDefined):
    """A metric of captions that are read by spicepy-1, and of word vectors."""

    name: ClassVar[str]

    def __init__(
        self,
        *,
        vectors: str | Path | None = None,
        model: str | None = None,
        jobs: int = 1,
        cache: str | Path | None = None,
    ) -> None:
        self.pipeline = Pipeline(grammar=GRAMMAR, model=model, jobs=jobs, cache=cache)
        self.table = load_table(vectors)

    def signature(self) -> Mapping[str, str]:
        """Return everything that can change the numbers."""
        return {
            "metric": self.name,
            **self.pipeline.signature(),
            "vectors": self.table.name,
            "averaging": "macro",
        }


class ContentRecall(ByMeaning):
    """The share of the references' nouns and verbs that the candidate says, 0-1."""

    # The references' words count once each, however many references have them. Which
    # words are nouns or verbs, the parser of spicepy-1 says: that of spice-1.0 imitates
    # the original's, which takes "rides" for a noun.
    name = "content-recall"

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._memory: LRUCache[str, Words] = LRUCache(CACHED)

    @property
    def keys(self) -> tuple[str, ...]:
        """Recall of nouns and verbs: of the same words, and by similarity."""
        kinds = ("nouns", "verbs", "nouns-soft", "verbs-soft")
        return tuple(f"{self.name}-{kind}" for kind in kinds)

    def count(self, samples: Sequence[TokenisedSample]) -> Statistics:
        """Parse captions: one row per image, with two columns for each key."""
        texts = list(map(self.pipeline.texts, samples))
        words = self._words(t for own, others in texts for t in (own, *others))
        rows = []
        for own, others in texts:
            sides = [
                (sorted(words[own][kind]), sorted(set().union(*named)))
                for kind in (0, 1)
                for named in [[words[text][kind] for text in others]]
            ]
            exact = [
                len(set(stated) & set(named)) / len(named) if named else None
                for stated, named in sides
            ]
            rows.append(defined_row([*exact, *(self._softly(*side) for side in sides)]))
        ids = tuple(sample.image_id for sample in samples)
        return Statistics(ids, np.array(rows).reshape(len(ids), 2 * len(self.keys)))

    def _softly(self, stated: Sequence[str], named: Sequence[str]) -> float | None:
        if not named:
            return None
        return float(likeness(named, stated, self.table).max(axis=1, initial=0).mean())

    def _words(self, texts: Iterable[str]) -> Mapping[str, Words]:
        distinct = dict.fromkeys(texts)
        known = self._memory.get(distinct)
        new = [text for text in distinct if text not in known]
        trees = self.pipeline.trees(line for text in new for line in text.split("\n"))
        for text in new:
            known[text] = content_words([trees[line] for line in text.split("\n")])
        self._memory.keep(known)
        return known


def content_words(trees: Sequence[Parse]) -> Words:
    """Return the lemmas of nouns and of verbs of a caption's sentences."""
    tagged = [pair for tree in trees for pair in zip(tree.tags, tree.lemmas)]
    nouns = {lemma for tag, lemma in tagged if tag.startswith("NN")}
    verbs = {lemma for tag, lemma in tagged if tag.startswith("VB")}
    return (
        frozenset(nouns - load_words("uncounted")),
        frozenset(verbs - load_words("auxiliaries")),
    )


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The words of captions: how often words and pairs of neighbours occur."""

    captions: int
    counts: Counter[str]
    pairs: Counter[tuple[str, str]]

    @classmethod
    def of(cls, captions: Iterable[str]) -> "Vocabulary":
        """Return the vocabulary of tokenised captions."""
        words = [caption.split() for caption in captions]
        pairs = Counter(pair for caption in words for pair in pairwise(caption))
        return cls(len(words), Counter(chain.from_iterable(words)), pairs)

    def expected(self, tokens: int) -> float:
        """Return the expected number of types in a random sample of that many tokens.

        The sample is drawn without replacement; `tokens` is at most `counts.total()`.
        """
        total = self.counts.total()
        missing = sum(
            types * exp(_log_missed(total, count, tokens))
            for count, types in Counter(self.counts.values()).items()
            if count <= total - tokens
        )
        return len(self.counts) - missing


def _log_missed(total: int, count: int, tokens: int) -> float:
    """Return the logarithm of the probability that a sample lacks a word."""
    ways = lgamma(total - count + 1) - lgamma(total - count - tokens + 1)
    return ways - lgamma(total + 1) + lgamma(total - tokens + 1)


def vocabulary_table(
    systems: Mapping[str, Sequence[str]], training: str | Path | None = None
) -> Table:
    """Return a table of the vocabulary of each system's tokenised captions."""
    # More captions have more words; so the table has the number of types that is
    # expected at equal length, that of the system with the fewest tokens. With a file
    # of `training` captions, read as references are, it has the share of captions that
    # are none of them, token by token.
    found = {name: Vocabulary.of(captions) for name, captions in systems.items()}
    known: frozenset[str] = frozenset()
    if training is not None:
        read = chain.from_iterable(read_references(training).values())
        known = frozenset(tokenised(read).values())
    least = min(each.counts.total() for each in found.values())
    rows: list[Cells] = []
    for name, each in found.items():
        tokens, pairs = each.counts.total(), each.pairs.total()
        rows.append(
            (
                *(name, each.captions, tokens, len(each.counts)),
                round(each.expected(least)),
                tokens / each.captions,
                len(each.counts) / tokens if tokens else None,
                len(each.pairs) / pairs if pairs else None,
                *_share_of_novel(systems[name], known),
            )
        )
    columns = (
        *("System", "captions", "tokens", "types", f"types in {least:,}"),
        *("length", "distinct-1", "distinct-2"),
        *(("novel",) if known else ()),
    )
    notes: tuple[str, ...] = (
        f"types in {least:,}: expected in a random sample of {least:,} tokens, so that "
        "longer texts do not have more",
        "distinct-n: distinct n-grams by all n-grams; the more captions, the lower",
    )
    if known:
        notes += (f"novel: captions that are not in {Path(str(training)).name}",)
    return Table("Vocabulary", columns, rows, notes)


def _share_of_novel(captions: Sequence[str], known: Set[str]) -> tuple[float, ...]:
    if not known:
        return ()
    return (sum(caption not in known for caption in captions) / len(captions),)


# Long captions and objects by meaning: scores after CAPTURE and ALOHa.
#
# Captions are read by the grammar spicepy-1; nouns that do not name a thing ("view",
# "background") do not count. Both follow the papers' definitions with the parser,
# WordNet and word vectors of spicepy in place of a trained parser, a language model and
# sentence vectors, so that their numbers are not those of the papers.
#
#     capture-like  what is equal, then what is synonymous, counts 1; of the rest, each
#                   counts as much as the most similar of the other side's rest
#     aloha-like    each object of the candidate gets a partner of its own among the
#                   references' objects; the least similar pair is the score
#
# Source: Dong et al. 2024, Benchmarking and Improving Detail Image Caption (CAPTURE);
# Petryk et al. 2024, ALOHa: A New Measure for Hallucination in Captioning Models.

KINDS: Final = ("objects", "attributes", "relations")
WEIGHTS: Final = (5, 5, 2)  # How much each kind weighs in capture-like, as published

Concepts = list[list[tuple[str, ...]]]
"""For each kind the distinct (object), (object, value), (subject, relation, object)."""


class _OfConcepts(ByMeaning):
    """The part that both metrics share: captions as concepts that count."""

    def count(self, samples: Sequence[TokenisedSample]) -> Statistics:
        """Parse and match: one row per image, with two columns for each key."""
        return self.count_graphs(self.pipeline.propose_samples(samples))

    def count_graphs(self, samples: Sequence[GraphSample]) -> Statistics:
        """Match given tuples, as `count` does with captions."""
        with no_collector():
            found = [
                self._measure(_concepts([s.candidate]), _concepts(s.references))
                for s in samples
            ]
        rows = np.array([defined_row(scores) for scores, _ in found])
        return Statistics(
            tuple(sample.image_id for sample in samples),
            rows.reshape(len(samples), 2 * len(self.keys)),
            tuple(detail for _, detail in found),
        )

    @abstractmethod
    def _measure(
        self, own: Concepts, others: Concepts
    ) -> tuple[Sequence[float | None], Any]:
        """Return the scores of an image, None for an undefined one, and its details."""

    def _synonymous(self, one: Sequence[str], other: Sequence[str]) -> bool:
        find = self.pipeline.lexicon
        return all(find[a].keys & find[b].keys for a, b in zip(one, other))


def _concepts(captions: Iterable[Iterable[SemanticTuple]]) -> Concepts:
    """Return the concepts of all captions that count, each once."""
    uncounted = load_words("uncounted")
    kinds: list[dict[tuple[str, ...], None]] = [{}, {}, {}]
    for caption in captions:
        for kind, term, source, target in described((), caption).concepts:
            if uncounted.isdisjoint((source, target)):
                members = [(source,), (source, term), (source, term, target)]
                kinds[kind][members[kind]] = None
    return [list(kind) for kind in kinds]


class CaptureLike(_OfConcepts):
    """F of objects, attributes and relations, weighted 5 : 5 : 2; after CAPTURE."""

    name = "capture-like"

    @property
    def keys(self) -> tuple[str, ...]:
        """The score and its parts, all 0-1, each with precision, recall and F."""
        # "-exact" is the score if only equal concepts match, "-synonyms" if synonyms
        # also do.
        whole = ("exact", "synonyms", "precision", "recall")
        parts = (f"{k}{part}" for k in KINDS for part in ("", "-precision", "-recall"))
        return (self.name, *(f"{self.name}-{part}" for part in (*whole, *parts)))

    def _measure(
        self, own: Concepts, others: Concepts
    ) -> tuple[Sequence[float | None], Any]:
        kinds = [self._kind(*sides) for sides in zip(own, others)]
        whole: list[float | None] = [None] * 5
        occurring = [kind for kind in kinds if kind is not None]
        if occurring:
            weights = [w for w, kind in zip(WEIGHTS, kinds) if kind is not None]
            precision, recall, f = np.average(occurring, axis=0, weights=weights)
            whole = [f[2], f[0], f[1], precision[2], recall[2]]
        none = [None] * 3
        parts = (none if k is None else [k[2, 2], k[0, 2], k[1, 2]] for k in kinds)
        return [*whole, *chain.from_iterable(parts)], None

    def _kind(
        self, own: Sequence[tuple[str, ...]], others: Sequence[tuple[str, ...]]
    ) -> Array | None:
        """Return precision, recall and F (rows) of the concepts of one kind."""
        # The columns are: equal concepts alone; also synonyms; also similar ones. None
        # if neither side has any.
        if not own and not others:
            return None
        equal = set(own) & set(others)
        left, right = ([c for c in side if c not in equal] for side in (own, others))
        pairs = [(a, b) for a in left for b in right if self._synonymous(a, b)]
        synonyms = [{a for a, _ in pairs}, {b for _, b in pairs}]
        rest = (
            [" ".join(concept) for concept in side if concept not in same]
            for side, same in zip((left, right), synonyms)
        )
        similar = likeness(next(rest), next(rest), self.table)
        shares = np.zeros((2, 3))
        for at, side in enumerate((own, others)):
            softly = similar.max(axis=1 - at, initial=0).sum()
            matched = np.cumsum([len(equal), len(synonyms[at]), softly])
            shares[at] = matched / max(len(side), 1)
        return np.vstack([shares, harmonic_mean(*shares)])


class AlohaLike(_OfConcepts):
    """The similarity of the least supported object of a caption; after ALOHa."""

    name = "aloha-like"

    @property
    def keys(self) -> tuple[str, ...]:
        """The least and the mean similarity of a candidate's objects, 0-1."""
        return (self.name, f"{self.name}-mean")

    def _measure(
        self, own: Concepts, others: Concepts
    ) -> tuple[Sequence[float | None], Any]:
        stated, named = ([term for (term,) in side[0]] for side in (own, others))
        if not stated:
            return (None, None), ()
        similar = likeness(stated, named, self.table)
        for row, one in zip(similar, stated):
            row[[self._synonymous([one], [other]) for other in named]] = 1
        found = tuple(
            (term, None, 0.0)
            if place is None
            else (term, named[place], float(similar[at, place]))
            for at, (term, place) in enumerate(zip(stated, assign(similar)))
        )
        values = [value for _, _, value in found]
        return (min(values), sum(values) / len(values)), found

    def image_entry(
        self, scores: Array, detail: Any, *, tuples: bool = False
    ) -> dict[str, Any]:
        """Return the scores, and each object with its partner and similarity."""
        entry: dict[str, Any] = dict(zip(self.keys, map(number, scores)))
        return entry | {"aloha-like-objects": [list(pair) for pair in detail or ()]}


def assign(similar: Array) -> list[int | None]:
    """Return a column for each row, each column once, so that the sum is largest."""
    # The Hungarian method; None for rows beyond the number of columns.
    rows, columns = similar.shape
    size = max(rows, columns)
    cost = np.zeros((rows, size))
    cost[:, :columns] = -similar
    owner = np.full(size, -1)
    of_rows, of_columns = np.zeros(rows), np.zeros(size)
    for row in range(rows):
        least, before = np.full(size, np.inf), np.full(size, -1)
        seen = np.zeros(size, np.bool_)
        column, at = -1, row
        while at >= 0:  # until a column is free
            reduced = cost[at] - of_rows[at] - of_columns
            better = ~seen & (reduced < least)
            least[better], before[better] = reduced[better], column
            column = int(np.where(seen, np.inf, least).argmin())
            step = least[column]
            of_rows[[row, *owner[seen]]] += step
            of_columns[seen] -= step
            least[~seen] -= step
            seen[column] = True
            at = int(owner[column])
        while column >= 0:  # each column of the path gets the row before it
            previous = int(before[column])
            owner[column] = owner[previous] if previous >= 0 else row
            column = previous
    place = {int(row): column for column, row in enumerate(owner[:columns])}
    return [place.get(row) for row in range(rows)]
