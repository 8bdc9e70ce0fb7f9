"""The statistics that one metric counted, and the signature of its numbers."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from math import isnan, nan
from typing import Any, Final, NamedTuple

import numpy as np

from spicepy.captions.sample import ImageId, Sample
from spicepy.common.errors import counted
from spicepy.common.tables import Table
from spicepy.common.writing import Displayed
from spicepy.metrics.base import Array, CorpusScoreRow, Metric, Statistics, total
from spicepy.metrics.ngrams.frequencies import DocumentFrequencies
from spicepy.metrics.ngrams.grams import count_grams, encode
from spicepy.tokenization.samples import TokenisedSample
from spicepy.words.morphology import read_function_words
from spicepy.words.wordnet import load_wordnet


@dataclass(frozen=True)
class Measured:
    """One metric's statistics over the samples, and the scores they give."""

    metric: Metric
    statistics: Statistics
    signature: str

    @cached_property
    def images(self) -> Array:
        """Scores of the images, shape (images, keys); NaN where undefined."""
        return self.metric.image_scores(self.statistics.rows)

    @cached_property
    def sums(self) -> tuple[Array, int]:
        """The sum of the images' rows, (columns,), and how many images there are."""
        rows = self.statistics.rows
        return total(rows), len(rows)

    def image_entry(self, index: int, *, tuples: bool) -> dict[str, Any]:
        """Return JSON-ready scores of one image; undefined ones are None."""
        details = self.statistics.details
        detail = details[index] if details else None
        return self.metric.image_entry(self.images[index], detail, tuples=tuples)


class Summed(NamedTuple):
    """One metric's sums over images whose rows are not kept; see `Measured`."""

    metric: Metric
    sums: tuple[Array, int]
    signature: str


class CorpusScores(Displayed):
    """The scores of a corpus by some metrics, whether its images are kept or not."""

    __slots__ = ()
    measured: Sequence[Measured | Summed]
    warnings: tuple[str, ...]

    @property
    def keys(self) -> tuple[str, ...]:
        """The names of all numbers, e.g. ("spice", "spice-object", …, "bleu-1")."""
        return tuple(key for m in self.measured for key in m.metric.keys)

    @property
    def signature(self) -> str:
        """Everything that can change the numbers, one part per metric."""
        return "; ".join(m.signature for m in self.measured)

    def scores(self) -> dict[str, float]:
        """Return every corpus score by its key, plain floats; NaN where undefined."""
        return {
            key: plain_score(score)
            for m in self.measured
            for key, score in zip(m.metric.keys, m.metric.corpus_scores(*m.sums))
        }

    def lines(self) -> list[CorpusScoreRow]:
        """Return corpus scores as lines of a table."""
        return [line for m in self.measured for line in m.metric.lines(*m.sums)]

    def tables(self) -> tuple[Table, ...]:
        """Return the table of corpus scores, with the signatures as notes."""
        columns = ("Metric", "Score", "Precision", "Recall", "Images")
        notes = tuple(m.signature for m in self.measured)
        table = Table("Corpus scores", columns, self.lines(), notes, digits=4)
        return (replace(table, signature=self.signature),)

    def _entry(self, images: object) -> dict[str, Any]:
        """Return the JSON-ready result, with what it holds of the images."""
        corpus: dict[str, Any] = {}
        for m in self.measured:
            corpus |= m.metric.corpus_entry(*m.sums)
        return {
            "signature": self.signature,
            "warnings": list(self.warnings),
            "corpus": corpus,
            "images": images,
        }


def plain_score(score: float) -> float:
    """Return a plain number; one and the same NaN, so that results can be equal."""
    return nan if isnan(score) else float(score)


# Captions without words, which are scored, with a warning that has their number.

_NAMED: Final = 5


@dataclass(frozen=True, slots=True)
class EmptyCaptions:
    """The candidates and references without words, and the first images of each."""

    candidates: int = 0
    references: int = 0
    first: tuple[ImageId, ...] = ()
    first_references: tuple[ImageId, ...] = ()

    @classmethod
    def among(cls, tokenised: Sequence[TokenisedSample]) -> "EmptyCaptions":
        """Count the captions without words of some samples."""
        empty = [s.image_id for s in tokenised if not _has_words(s.candidate)]
        blank = [
            s.image_id for s in tokenised for r in s.references if not _has_words(r)
        ]
        return cls(len(empty), len(blank), tuple(empty[:_NAMED]), tuple(blank[:_NAMED]))

    def __add__(self, other: "EmptyCaptions") -> "EmptyCaptions":
        """Return the counts of two parts, in their order."""
        return EmptyCaptions(
            self.candidates + other.candidates,
            self.references + other.references,
            (*self.first, *other.first)[:_NAMED],
            (*self.first_references, *other.first_references)[:_NAMED],
        )

    def sentences(self) -> Iterator[str]:
        """Yield the sentences of the warning, if there are any."""
        if count := self.candidates:
            many = counted(count, "candidate has", "candidates have")
            zero = "scores 0" if count == 1 else "score 0"
            yield f"{many} no words and {zero} ({_images(count, self.first)})"
        if count := self.references:
            many = counted(count, "reference has", "references have")
            yield f"{many} no words ({_images(count, self.first_references)})"


def _images(count: int, first: Sequence[ImageId]) -> str:
    """Return the first images of some captions for a message: "image 1, 2, …"."""
    names = ", ".join(map(repr, dict.fromkeys(first)))
    return f"image {names}{', …' if count > len(first) else ''}"


def _has_words(tokenised: str) -> bool:
    """Return whether a caption has a letter or digit; "...!!" leaves the token "!!"."""
    return any(map(str.isalnum, tokenised))


# Signs that scores are high or low for another reason than the captions' quality.

_SPECIAL: Final = re.compile(
    r"</?s>|<\|[^|>]{1,30}\|>|<(?:eos|bos|sos|pad|unk|start|end|image|sep|cls)>"
    r"|\[(?:PAD|CLS|SEP|UNK|EOS|BOS|MASK|INST|/INST)\]",
    re.I,
)
_MARKDOWN: Final = re.compile(
    r"\*\*[^*\n]+\*\*|^#{1,6} |```|^\s*(?:[-*+]|\d+\.) .+\n", re.M
)
_MISSING: Final = frozenset(["nan", "none", "null", "n/a", "<na>"])
_SENTENCES: Final = re.compile(r"[.!?]\s+\w")
_UNSPACED: Final = re.compile(r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff]{4}")
"""Letters of scripts that set no blanks between words: Thai, Japanese, Chinese."""
_MIN_IMAGES: Final = 3
_MIN_WORDS: Final = 8
LONGER: Final = 20
"""By how many words captions are much longer than their references: CIDEr-D multiplies
by exp(-20² / 72) = .004 then."""
_USUAL: Final = 0.2
"""The share of function words above which captions are English without further look;
English captions have .4 to .5, other languages at most .1."""


def signs_among(
    raw: Sequence[Sample],
    tokenised: Sequence[TokenisedSample],
    metrics: Sequence[Metric],
) -> Counter[str]:
    """Return how many captions show each sign; parts add up to the whole."""
    counts: Counter[str] = Counter(images=len(raw))
    words: Counter[str] = Counter()
    for sample, tokens in zip(raw, tokenised):
        text, own = sample.candidate, tokens.candidate.split()
        others = [len(reference.split()) for reference in tokens.references]
        words.update(own)
        counts["special"] += bool(_SPECIAL.search(text))
        counts["markdown"] += bool(_MARKDOWN.search(text))
        counts["missing"] += text.strip().lower() in _MISSING
        counts["sentences"] += bool(_SENTENCES.search(text))
        counts["unspaced"] += bool(_UNSPACED.search(tokens.candidate))
        counts["leak"] += bool(own) and tokens.candidate in tokens.references
        counts["long"] += len(own) >= sum(others) / len(others) + LONGER
    letters = {word: n for word, n in words.items() if any(map(str.isalpha, word))}
    counts["words"] = sum(letters.values())
    counts["english"] = _english(letters)
    for metric in metrics:
        frequencies = getattr(metric, "frequencies", None)
        if isinstance(frequencies, DocumentFrequencies):
            counts["weighed"] += len(words)
            counts["in frequencies"] += _known_to(frequencies, list(words))
    return counts


def _english(words: Mapping[str, int]) -> int:
    """Return how many of the words are English; all, if many are function words."""
    usual = read_function_words()
    total = sum(words.values())
    if sum(n for word, n in words.items() if word in usual) >= _USUAL * total:
        return total
    return sum(n for word, n in words.items() if word in usual or _in_wordnet(word))


@cache
def _in_wordnet(word: str) -> bool:
    wordnet = load_wordnet()
    forms = {word, *(f for part in "nvar" for f in wordnet.base_forms(word, part))}
    return any(wordnet.senses(form) for form in forms)


def _known_to(frequencies: DocumentFrequencies, words: list[str]) -> int:
    """Return how many words, as n-grams of one word, have a document frequency."""
    if not words:
        return 0
    sample = TokenisedSample(0, " ".join(words), ("",))
    table = encode([sample], frequencies.vocabulary)
    return int(np.isin(count_grams(table, 1).codes, frequencies.codes[0]).sum())


_SIGNS: Final = {
    "leak": (
        "leak: {} equal to a reference of the image; take them out of the references, "
        "or the images out of the model's training"
    ),
    "special": (
        "left-overs: {} special tokens of a model, such as </s> or [PAD], which count "
        "as words; remove them first"
    ),
    "markdown": (
        "left-overs: {} Markdown, such as **bold** or lists, whose signs count as "
        "words; remove it first"
    ),
    "missing": (
        'left-overs: {} "nan" or the like, the text of a missing value, and scored as '
        "a caption"
    ),
    "long": (
        "length: {} at least twenty words more than the references; CIDEr-D is near 0 "
        "for such captions whatever they say, and precision of n-grams is low"
    ),
    "unspaced": (
        "no blanks: {} no blanks between words, so that n-grams are whole captions; "
        "cut the text into words first"
    ),
    "sentences": (
        "sentences: {} several sentences, which SPICE reads as one, as coco-caption "
        "does; --sentences split reads them one by one"
    ),
}
"""Signs of captions, and the sentence about them."""
_ANY: Final = ("special", "markdown", "missing")
"""Signs that count however few captions show them; the others must be in most."""
_LANGUAGE: Final = (
    "language: most words of the candidates are not English; SPICE, METEOR and the "
    "analysis of errors read English alone and mean nothing here"
)
_FREQUENCIES: Final = (
    "frequencies: no n-gram of the candidates is in the table of document frequencies, "
    "which was counted on another vocabulary, such as numbers of words"
)


def sign_sentences(
    counts: Mapping[str, int], metrics: Sequence[Metric]
) -> Iterator[str]:
    """Yield a sentence for each sign that enough captions show."""
    for sign, sentence in _SIGNS.items():
        number = counts[sign]
        if sign == "leak" and counts["images"] < _MIN_IMAGES:
            continue
        pipelines = (getattr(metric, "pipeline", None) for metric in metrics)
        joined = any(getattr(one, "sentences", "") == "join" for one in pipelines)
        if sign == "sentences" and not joined:
            continue
        if number > (0 if sign in _ANY else counts["images"] / 2):
            is_one = sign in ("leak", "missing")
            forms = ("is", "are") if is_one else ("has", "have")
            one, many = (f"candidate{s} {f}" for s, f in zip(("", "s"), forms))
            yield sentence.format(counted(number, one, many))
    if counts["words"] >= _MIN_WORDS and counts["english"] < counts["words"] / 2:
        yield _LANGUAGE
    if counts["weighed"] and not counts["in frequencies"]:
        yield _FREQUENCIES
