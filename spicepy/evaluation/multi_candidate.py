"""Several candidates of one image: the best one, one graph of all, their diversity."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, count, pairwise
from typing import Any

import numpy as np

from spicepy.captions.sample import ImageId, check_id, check_references, listed
from spicepy.common.errors import InputError, brief
from spicepy.graph.matching import match
from spicepy.metrics.base import Array, Metric, UsesDocumentFrequencies
from spicepy.metrics.ngrams.bleu import Bleu
from spicepy.metrics.ngrams.cider import Cider
from spicepy.metrics.ngrams.frequencies import DocumentFrequencies
from spicepy.metrics.spider import Spider
from spicepy.pipeline import Pipeline
from spicepy.tokenization.ptb import tokenize
from spicepy.tokenization.samples import TokenisedSample

Captions = Mapping[Any, Sequence[str]]  # Image id -> captions


@dataclass(frozen=True, slots=True)
class MultiCandidateScores:
    """Scores of images with several candidates; NaN where undefined."""

    image_ids: tuple[ImageId, ...]  # The images in the order of the candidates
    corpus: dict[str, float]  # Score by name
    images: dict[str, Array]  # Scores of the images by name, (images,), in their order


def best(
    candidates: Captions, references: Captions, metric: Metric | None = None
) -> MultiCandidateScores:
    """Return the best score among the candidates of each image: SPIDEr-max by default.

    Captions are raw, by image id; the metric is one whose corpus score is the mean of
    the images. The score is named by the metric's first key: "spider-max".

    Source: Labbé, Pellegrini and Pinquier (2022), "Is my automatic audio captioning
        system so bad? SPIDEr-max".
    """
    images = _tokenised(candidates, references)
    metric = Spider() if metric is None else metric
    # Document frequencies are those of the images, however many candidates.
    if isinstance(metric, UsesDocumentFrequencies):
        metric = metric.for_documents([list(r) for _, _, r in images])
    samples = [
        TokenisedSample(at, text, r)
        for at, (text, r) in enumerate((t, r) for _, c, r in images for t in c)
    ]
    scores = metric.image_scores(metric.count(samples).rows)[:, 0]
    starts = np.cumsum([0, *(len(c) for _, c, _ in images[:-1])])
    return _means(
        images, {f"{metric.keys[0]}-max": np.maximum.reduceat(scores, starts)}
    )


def allspice(
    candidates: Captions, references: Captions, pipeline: Pipeline | None = None
) -> MultiCandidateScores:
    """Return SPICE of the one scene graph of all candidates of an image.

    Captions are raw, by image id. Under "allspice" is F, under "allspice-precision" and
    "allspice-recall" are its parts; the corpus scores are the means.

    Source: Luo and Shakhnarovich (2020), "Analysis of diversity-accuracy tradeoff
        in image captioning".
    """
    images = _tokenised(candidates, references)
    pipeline = Pipeline() if pipeline is None else pipeline
    proposals = pipeline.propose(text for _, c, r in images for text in (*c, *r))
    scores = []
    for _, own, others in images:
        sides = (pipeline.graph([proposals[t] for t in side]) for side in (own, others))
        counts = match(*sides).counts()
        scores.append((counts.f, counts.precision, counts.recall))
    names = ("allspice", "allspice-precision", "allspice-recall")
    return _means(images, dict(zip(names, np.array(scores, float).T)))


def diversity(
    candidates: Captions, references: Captions | None = None
) -> MultiCandidateScores:
    """Return how much the candidates of an image differ from one another.

    Returns:
        * "mbleu-1" … "mbleu-4", the mean BLEU of each candidate against the other
          ones of its image; low is diverse;
        * "distinct-1" and "distinct-2", distinct n-grams by all n-grams of the
          candidates, 0-1;
        * "self-cider", 0-1, from the eigenvalues of the candidates' mutual CIDEr
          (plain cosine); document frequencies are those of the references, or of
          the candidates if there are none.

        NaN for an image with one candidate (distinct-n: with no n-gram); the corpus
        scores are means over the images where they are defined.

    Raises:
        InputError: An image has no candidates, or lacks references.

    Source: Shetty et al. (2017), "Speaking the Same Language" (mBLEU); Li et al.
        (2016), "A Diversity-Promoting Objective Function" (distinct-n); Wang and
        Chan (2019), "Describing like humans: on diversity in image captioning"
        (self-CIDEr).
    """
    images = _tokenised(candidates, references)
    captions = [c for _, c, _ in images]
    documents = [r or c for _, c, r in images]
    scores = {f"mbleu-{n}": s for n, s in enumerate(_mutual_bleu(captions), 1)}
    for n in (1, 2):
        scores[f"distinct-{n}"] = np.array([_distinct(texts, n) for texts in captions])
    scores["self-cider"] = _self_cider(captions, documents)
    return _means(images, scores)


Image = tuple[ImageId, tuple[str, ...], tuple[str, ...]]
"""Id, candidates and references, tokenised."""


def _tokenised(candidates: Captions, references: Captions | None) -> list[Image]:
    if not candidates:
        raise InputError("no candidates: at least one image is needed")
    own: dict[ImageId, tuple[str, ...]] = {}
    for key, texts in candidates.items():
        if isinstance(texts, str) or not texts:
            raise InputError(
                f"image {brief(key)}: the candidates are {brief(texts)}; they must be "
                "a list of one or more captions"
            )
        own[check_id(key, "candidates")] = check_references(list(texts), f"image {key}")
    others: dict[ImageId, tuple[str, ...]] = dict.fromkeys(own, ())
    if references is not None:
        missing = [key for key in own if key not in references]
        if missing:
            raise InputError(f"candidates without references: {listed(missing)}")
        others = {
            key: check_references(list(references[key]), f"image {brief(key)}")
            for key in own
        }
    sides = []
    for side in (own, others):
        tokens = iter(tokenize([text for texts in side.values() for text in texts]))
        sides.append([tuple(next(tokens) for _ in texts) for texts in side.values()])
    return list(zip(own, *sides))


def _means(
    images: Sequence[Image], scores: Mapping[str, Array]
) -> MultiCandidateScores:
    corpus = {}
    for name, values in scores.items():
        defined = values[~np.isnan(values)]
        corpus[name] = float(defined.mean()) if len(defined) else float("nan")
    return MultiCandidateScores(
        tuple(key for key, _, _ in images), corpus, dict(scores)
    )


def _mutual_bleu(captions: Sequence[tuple[str, ...]]) -> Array:
    """Return mean BLEU of candidates against their siblings: (4, images)."""
    number, metric = count(), Bleu()
    samples = [
        TokenisedSample(next(number), text, texts[:at] + texts[at + 1 :])
        for texts in captions
        if len(texts) > 1
        for at, text in enumerate(texts)
    ]
    means = np.full((len(captions), 4), np.nan)
    if samples:
        scores = metric.image_scores(metric.count(samples).rows)
        sizes = [len(texts) if len(texts) > 1 else 0 for texts in captions]
        for row, (start, end) in zip(means, pairwise(np.cumsum([0, *sizes]))):
            if end > start:
                row[:] = scores[start:end].mean(axis=0)
    return means.T


def _distinct(texts: Sequence[str], n: int) -> float:
    grams = [
        gram
        for words in map(str.split, texts)
        for gram in zip(*(words[at:] for at in range(n)))
    ]
    return len(set(grams)) / len(grams) if grams else float("nan")


def _self_cider(
    captions: Sequence[tuple[str, ...]], documents: Sequence[tuple[str, ...]]
) -> Array:
    """Return -log_m(r): r is the share of the largest of the m singular values."""
    images = [TokenisedSample(at, "", d) for at, d in enumerate(documents)]
    frequencies = DocumentFrequencies.of(images, name="set")
    metric = Cider(damped=False, stemming=False, frequencies=frequencies, scale=1.0)
    pairs = [
        (image, i, j, TokenisedSample(0, texts[i], (texts[j],)))
        for image, texts in enumerate(captions)
        for i, j in combinations(range(len(texts)), 2)
    ]
    kernels = [np.eye(len(texts)) for texts in captions]
    if pairs:
        samples = [replace(one, image_id=at) for at, (*_, one) in enumerate(pairs)]
        for (image, i, j, _), value in zip(pairs, metric.count(samples).rows[:, 0]):
            kernels[image][i, j] = kernels[image][j, i] = value
    return np.array([_spread(kernel) for kernel in kernels], float)


def _spread(kernel: Array) -> float:
    if len(kernel) < 2:
        return float("nan")
    values = np.sqrt(np.maximum(np.linalg.eigvalsh(kernel), 0.0))
    share = values.max() / values.sum()
    return float(max(0.0, -np.log(share) / np.log(len(kernel))))
