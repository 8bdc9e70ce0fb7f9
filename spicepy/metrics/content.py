"""Content recall: the references' nouns and verbs in a candidate; and vocabularies.

The size of a vocabulary is not a sum over images; so systems get a table of them.

    references  a man rides a brown horse · a cowboy is riding
    nouns       man horse cowboy     verbs  ride
    candidate   a man sits on a horse
    recall      nouns 2 / 3 · verbs 0 / 1; softly, the similarity of the nearest word

Source: Chan et al. 2023, IC3 (content recall, exact and fuzzy); Hurlbert 1971, The
nonconcept of species diversity (expected number of types in a sample).
"""

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
from spicepy.common.threads import LRUCache
from spicepy.metrics.base import MeanOfDefined, Statistics, defined_row
from spicepy.metrics.soft.bags import likeness
from spicepy.metrics.soft.table import load_table
from spicepy.parsing.trees import Parse
from spicepy.pipeline import Pipeline
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
