"""Results of studies with their protocol, and the scores of many candidates.

All studies score through here, so that a key means the same in each.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, ClassVar
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from spicepy.captions.sample import ImageId
from spicepy.common.errors import InputError, counted, find_name
from spicepy.common.json_values import plain
from spicepy.common.progress import advance
from spicepy.common.resources import required
from spicepy.common.writing import Displayed
from spicepy.metrics.base import (
    Array,
    HeldOutCaption,
    Metric,
    UsesDocumentFrequencies,
    reference_count,
    signature_string,
    total,
)
from spicepy.tokenization.ptb import tokenize
from spicepy.tokenization.samples import TokenisedSample

_BLOCK = 20_000
"""The number of samples counted at once, which bounds memory.

Samples of one image should be neighbours, so that its captions are parsed once.
"""


class StudyResult(Displayed):
    """The result of a study: a dataclass with its protocol."""

    __slots__ = ()

    study: ClassVar[str]  # The name of the study in files
    unwritten: ClassVar[tuple[str, ...]] = ()  # Raw data, which files do not keep
    protocol: Mapping[str, Any]

    @property
    def notes(self) -> tuple[str, ...]:
        """The lines of the protocol, below the first table."""
        return tuple(f"{name}: {value}" for name, value in self.protocol.items())

    def to_dict(self) -> dict[str, Any]:
        """Return all but the raw data as plain values, `None` where undefined."""
        names = (each.name for each in fields(self))  # type: ignore[arg-type]
        kept = {n: plain(getattr(self, n)) for n in names if n not in self.unwritten}
        return {"study": self.study, **kept}


@dataclass(frozen=True, slots=True)
class SampleScores:
    """Scores of shape (samples, keys); NaN where a metric has none."""

    # `counted` holds each metric with its additive rows, shape (samples, columns).
    keys: tuple[str, ...]
    values: Array
    signatures: tuple[str, ...]
    counted: tuple[tuple[Metric, Array], ...]

    def __getitem__(self, key: str) -> Array:
        place = self.keys.index(find_name("score", key, self.keys))
        column: Array = self.values[:, place]
        return column

    def corpus(self, rows: NDArray[np.intp]) -> Array:
        """Return corpus scores (keys,) of some of the samples."""
        parts = [
            metric.corpus_scores(total(counts[rows]), len(rows))
            for metric, counts in self.counted
        ]
        return np.concatenate(parts)


def score(
    metrics: Sequence[Metric],
    samples: Sequence[TokenisedSample],
    *,
    documents: Sequence[Sequence[str]],
    left_out: Sequence[HeldOutCaption] | None = None,
) -> SampleScores:
    """Score samples with all metrics.

    Args:
        metrics: Metrics to score with.
        samples: Tokenised samples with distinct ids.
        documents: The tokenised captions of each image of the set, for the document
            frequencies of metrics that weigh n-grams by rarity.
        left_out: For each sample, a caption that does not count in these frequencies,
            with the other captions of its image; None counts all captions.

    Raises:
        ResourceError: scipy, which studies need afterwards, is missing.
    """
    required("scipy.stats", "a study of correlations")
    ready = [
        metric.for_documents(documents)
        if isinstance(metric, UsesDocumentFrequencies)
        else metric
        for metric in metrics
    ]
    blocks = [slice(i, i + _BLOCK) for i in range(0, len(samples), _BLOCK)]
    rows: list[list[Array]] = [[] for _ in metrics]
    for done, block in enumerate(blocks):
        for metric, parts in zip(ready, rows, strict=True):
            if left_out is not None and isinstance(metric, UsesDocumentFrequencies):
                metric = metric.without_caption(left_out[block])
            parts.append(metric.count(samples[block]).rows)
        advance("scoring", min((done + 1) * _BLOCK, len(samples)), len(samples))
    whole = tuple(np.concatenate(parts) for parts in rows)
    return SampleScores(
        tuple(key for metric in metrics for key in metric.keys),
        np.concatenate([m.image_scores(r) for m, r in zip(ready, whole)], axis=1),
        tuple(signature_string(m.signature(), reference_count(samples)) for m in ready),
        tuple(zip(ready, whole)),
    )


Captions = Mapping[ImageId, Sequence[str]]
Folds = Sequence[tuple[ImageId, int]]
"""The left-out captions: image id and position among the image's captions."""

MIN_WORDS = 5
MIN_CHARACTERS = 10


@dataclass(frozen=True, slots=True)
class Bound:
    """A named way to replace left-out captions; `source` describes it fully.

    `draw` receives tokenised captions, folds and a generator and returns one
    tokenised caption per fold.
    """

    name: str
    source: str
    draw: Callable[[Captions, Folds, np.random.Generator], list[str]]

    def replacements(self, captions: Captions, folds: Folds, seed: int) -> list[str]:
        """Return one caption per fold, whichever other bounds are drawn."""
        generator = np.random.default_rng([seed, crc32(self.name.encode())])
        return self.draw(captions, folds, generator)


def random_caption() -> Bound:
    """Return a random caption of another image of the same set.

    Source: Wang & Gaizauskas 2016, Cross-validating Image Description Datasets
    and Evaluation Metrics, lower bounds (so are the other bounds here).
    """

    def draw(
        captions: Captions, folds: Folds, generator: np.random.Generator
    ) -> list[str]:
        if len(captions) < 2:
            raise InputError("one image only: there is no other image to draw from")
        pool = [(image, c) for image, listed in captions.items() for c in listed]
        owner = {image: i for i, image in enumerate(captions)}
        owners = np.array([owner[image] for image, _ in pool])
        excluded = np.array([owner[image] for image, _ in folds])
        drawn = generator.integers(0, len(pool), len(folds))
        while (wrong := np.flatnonzero(owners[drawn] == excluded)).size:
            drawn[wrong] = generator.integers(0, len(pool), len(wrong))
        return [pool[i][1] for i in drawn]

    return Bound("random caption", "a caption of another image of the set", draw)


def other_set(name: str, captions: Captions) -> Bound:
    """Return a random caption of another data set, whose captions are raw."""
    pool = _tokenised([c for listed in captions.values() for c in listed], name)
    return _pick(
        f"caption of {name}", f"{counted(len(pool), 'caption')} of {name}", pool
    )


def other_sets(sets: Mapping[str, Captions]) -> Bound:
    """Return a random raw caption of the mixture of several other data sets.

    Every set is as likely, whatever its size, and so is every caption of it.
    """
    pools = [
        _tokenised([c for listed in captions.values() for c in listed], name)
        for name, captions in sets.items()
    ]

    def draw(
        captions: Captions, folds: Folds, generator: np.random.Generator
    ) -> list[str]:
        chosen = generator.integers(0, len(pools), len(folds))
        places = generator.random(len(folds))
        return [pools[k][int(p * len(pools[k]))] for k, p in zip(chosen, places)]

    source = f"captions of {', '.join(sets)}, each set as often"
    return Bound("caption of the other sets", source, draw)


def sentences(name: str, lines: Sequence[str]) -> Bound:
    """Return a random sentence of a text, e.g. of the Brown corpus.

    Sentences of fewer than 5 words or 10 characters are left out.
    """
    long = [
        s for s in lines if len(s.split()) >= MIN_WORDS and len(s) >= MIN_CHARACTERS
    ]
    if not long:
        raise InputError(
            f"{name}: no sentence of at least {MIN_WORDS} words and "
            f"{MIN_CHARACTERS} characters"
        )
    limits = f"≥ {MIN_WORDS} words, ≥ {MIN_CHARACTERS} characters"
    source = f"{counted(len(long), 'sentence')} of {name}, {limits}"
    return _pick(f"sentence of {name}", source, _tokenised(long, name))


def gibberish(
    words: int | None = None, name: str = "", lines: Sequence[str] | None = None
) -> Bound:
    """Return words drawn independently from a unigram distribution.

    Every caption has `words` of them, by default as many as the set's have on average.
    They are those of the text `lines`, by default of the set itself.
    """
    if words is not None and not 1 <= words <= 1000:
        raise InputError(
            f"a gibberish caption of {words} words; 1 to 1000 are possible"
        )
    other = None if lines is None else _words(_tokenised(lines, name))

    def draw(
        captions: Captions, folds: Folds, generator: np.random.Generator
    ) -> list[str]:
        texts = [c for listed in captions.values() for c in listed]
        length = words or round(float(np.mean([len(c.split()) for c in texts])))
        pool = _words(texts) if other is None else other
        drawn = pool[generator.integers(0, len(pool), (len(folds), length))]
        return [" ".join(row) for row in drawn]

    size = counted(words, "word") if words else "average length"
    origin = f" of {name}" if name else ""
    return Bound(
        f"gibberish{origin}, {size}",
        f"words from the unigram distribution of {name or 'the set'}, {size}",
        draw,
    )


def _pick(name: str, source: str, pool: Sequence[str]) -> Bound:
    def draw(
        captions: Captions, folds: Folds, generator: np.random.Generator
    ) -> list[str]:
        return [pool[i] for i in generator.integers(0, len(pool), len(folds))]

    return Bound(name, source, draw)


def _tokenised(lines: Sequence[str], name: str) -> list[str]:
    lines_left = [line for line in tokenize(lines) if line]
    if not lines_left:
        raise InputError(f"{name}: no words to draw from")
    return lines_left


def _words(lines: Sequence[str]) -> np.ndarray:
    """Return every word as often as it occurs, for uniform draws by frequency."""
    return np.array([word for line in lines for word in line.split()], dtype=object)
