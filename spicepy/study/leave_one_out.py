"""Leave-one-out cross-validation of a data set.

Every caption in turn is the candidate against the other
captions of its image: the scores of people are the upper bound of each metric. The same
folds give lower bounds if the left-out caption is replaced by one that does not
describe the image (`spicepy.study.scoring`).

Source: Wang & Gaizauskas 2016, Cross-validating Image Description Datasets and
Evaluation Metrics.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, field
from typing import Any, TypedDict, Unpack

import numpy as np
from numpy.typing import NDArray

from spicepy.captions.sample import ImageId, is_sequence, listed
from spicepy.common.errors import InputError, brief, counted, find_name, unknown
from spicepy.common.settings import SEED, check_seed
from spicepy.common.tables import Cell, Cells, Table
from spicepy.evaluation.evaluation import metrics_of
from spicepy.metrics.base import Array, Metric
from spicepy.study.coefficients import RankMatrix, check_coefficient, rank_rows
from spicepy.study.scoring import (
    Bound,
    Captions,
    StudyResult,
    gibberish,
    other_sets,
    random_caption,
    score,
)
from spicepy.tokenization.samples import TokenisedSample, tokenised


@dataclass(frozen=True, slots=True)
class Fold:
    """A left-out caption, its position (from 0) and the other captions of its image."""

    # `references` are the other captions, or a sample of them.
    image_id: ImageId
    position: int
    left_out: str
    others: tuple[str, ...]
    references: tuple[str, ...]


def make_folds(
    captions: Mapping[ImageId, Sequence[str]],
    *,
    seed: int,
    references: int | None = None,
    images: int | None = None,
) -> list[Fold]:
    """Return all folds of the images that have enough captions."""
    # Of the other captions of each fold, `references` are sampled without replacement
    # and in their order; and the folds of `images` images. All are kept by default.
    _check(references, images)
    needed = (references or 1) + 1
    usable = [image for image, listed in captions.items() if len(listed) >= needed]
    if not usable:
        raise InputError(
            f"no image has {needed} captions or more, so none can be left out "
            f"(captions are given for {listed(list(captions))})"
        )
    if images is not None and images < len(usable):
        drawn = np.random.default_rng([seed, 1]).permutation(len(usable))[:images]
        usable = [usable[i] for i in sorted(drawn)]
    generator = np.random.default_rng([seed, 2])
    folds = []
    for image in usable:
        own = tuple(captions[image])
        for k, caption in enumerate(own):
            others = chosen = own[:k] + own[k + 1 :]
            if references is not None and references < len(others):
                kept = generator.permutation(len(others))[:references]
                chosen = tuple(others[i] for i in sorted(kept))
            folds.append(Fold(image, k, caption, others, chosen))
    return folds


def _check(references: int | None, images: int | None) -> None:
    for name, value in (("references", references), ("images", images)):
        if value is not None and value < 1:
            raise InputError(f"{name} is {value}; it must be 1 or more")


UPPER = "upper bound"

Owners = NDArray[np.intp]  # The number of the image of each fold


@dataclass(frozen=True, slots=True)
class Summary:
    """The scores of all folds under one bound, for one key.

    `micro` is the mean over captions, with `sd`, `median`, `min` and `max` over
    captions; `macro` is the mean over images of the image means; `image_sd` is
    the mean and `image_sd_sd` the sd of the sd's within images. Every sd has
    n - 1 degrees of freedom. `captions` counts the folds with a score,
    `images` the images with at least one.
    """

    bound: str
    key: str
    micro: float
    macro: float
    sd: float
    median: float
    min: float
    max: float
    image_sd: float
    image_sd_sd: float
    captions: int
    images: int


@dataclass(frozen=True, slots=True, repr=False)
class Loocv(StudyResult):
    """The result of a leave-one-out run; `folds` and `scores` hold its raw data.

    `folds[i]` is (image id, position) of left-out caption i; `scores` maps each
    bound to an array of shape (folds, keys). Files do not keep them: both are empty
    in a result that was read from one.
    """

    study = "loocv"
    unwritten = ("folds", "scores")

    protocol: Mapping[str, Any]
    signatures: tuple[str, ...]
    keys: tuple[str, ...]
    summaries: tuple[Summary, ...]
    rank_correlations: tuple[RankMatrix, ...]
    folds: tuple[tuple[ImageId, int], ...] = field(default=(), repr=False)
    scores: Mapping[str, Array] = field(default_factory=dict, repr=False)

    def summary(self, key: str, bound: str = UPPER) -> Summary:
        """Return the summary of one key under one bound."""
        if bound not in (bounds := [s.bound for s in self.summaries]):
            raise unknown("bound", bound, bounds)
        known = {s.key: s for s in self.summaries if s.bound == bound}
        return known[find_name("score", key, known)]

    def tables(self) -> tuple[Table, ...]:
        """Return all bounds and keys, then the rank correlations."""
        columns = (
            *("bound", "metric", "micro", "macro", "sd", "median", "min", "max"),
            *("mean sd in images", "sd of these", "captions"),
        )
        rows = tuple(astuple(s)[:-1] for s in self.summaries)
        main = Table("Leave-one-out cross-validation", columns, rows, self.notes)
        return main, *(matrix.table() for matrix in self.rank_correlations)


class LoocvOptions(TypedDict, total=False):
    """Options of `loocv` beside its data, metrics and bounds; see there."""

    references: int | None
    images: int | None
    corrected: bool
    coefficients: Sequence[str]
    seed: int


def loocv(
    captions: Captions,
    *,
    metrics: Sequence[str | Metric],
    bounds: Sequence[Bound] = (),
    references: int | None = None,
    images: int | None = None,
    corrected: bool = False,
    coefficients: Sequence[str] = ("kendall-b",),
    seed: int = SEED,
) -> Loocv:
    """Cross-validate a data set against itself.

    Args:
        captions: Captions of each image as written. Images with fewer than
            two, or than `references` + 1, are left out and counted.
        metrics: Registry names or metrics.
        bounds: Lower bounds to score beside the upper bound.
        references: Use this many of the other captions, sampled for each fold;
            all by default.
        images: Use the folds of this many images, sampled; all by default.
            Document frequencies always come from all images.
        corrected: Take the left-out caption out of the document frequencies of
            its own fold. By default they are those of the whole set.
        coefficients: Names of the rank correlations between metrics.
        seed: Random seed of all sampling.

    Raises:
        InputError: No image has enough captions, or an option is wrong.
    """
    check_seed(seed)
    for key, texts in captions.items():
        if not is_sequence(texts):
            raise InputError(
                f"image {brief(key)}: found {brief(texts)}; a list of captions is "
                "expected"
            )
    for name in coefficients:
        check_coefficient(name)
    _check_names(bounds)
    scorers = list(metrics_of(metrics))
    make_folds(captions, seed=seed, references=references, images=images)
    words = tokenised([c for listed in captions.values() for c in listed])
    whole = {key: tuple(words[c] for c in listed) for key, listed in captions.items()}
    folds = make_folds(whole, seed=seed, references=references, images=images)
    names = [UPPER, *(bound.name for bound in bounds)]
    left_out = [(f.left_out, f.others) for f in folds for _ in names]
    scored = score(
        scorers,
        list(_samples(whole, folds, bounds, seed)),
        documents=list(whole.values()),
        left_out=left_out if corrected else None,
    )
    scores = {name: scored.values[i :: len(names)] for i, name in enumerate(names)}
    owners = _owners(folds)
    return Loocv(
        _protocol(captions, folds, bounds, references, corrected, seed),
        scored.signatures,
        scored.keys,
        tuple(
            _summary(bound, key, column, owners)
            for bound, values in scores.items()
            for key, column in zip(scored.keys, values.T, strict=True)
        ),
        tuple(_matrices(scores[UPPER], scored.keys, owners, coefficients)),
        tuple((fold.image_id, fold.position) for fold in folds),
        scores,
    )


def _check_names(bounds: Sequence[Bound]) -> None:
    names = [UPPER, *(bound.name for bound in bounds)]
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"the bound {brief(name)} is given twice")


def _samples(
    captions: Captions, folds: Sequence[Fold], bounds: Sequence[Bound], seed: int
) -> Iterator[TokenisedSample]:
    """Return the left-out caption of each fold, then the replacements of each bound."""
    places = [(fold.image_id, fold.position) for fold in folds]
    columns = [[fold.left_out for fold in folds]]
    columns += [bound.replacements(captions, places, seed) for bound in bounds]
    number = 0
    for fold, candidates in zip(folds, zip(*columns, strict=True), strict=True):
        for candidate in candidates:
            yield TokenisedSample(number, candidate, fold.references)
            number += 1


def _owners(folds: Sequence[Fold]) -> Owners:
    numbers: dict[ImageId, int] = {}
    return np.array([numbers.setdefault(f.image_id, len(numbers)) for f in folds])


def _matrices(
    scores: Array, keys: Sequence[str], owners: Owners, coefficients: Sequence[str]
) -> Iterator[RankMatrix]:
    means = np.stack([_by_image(column, owners)[1] for column in scores.T], axis=1)
    for name in coefficients:
        yield rank_rows("image", name, keys, means)
        yield rank_rows("caption", name, keys, scores)


def _summary(bound: str, key: str, scores: Array, owners: Owners) -> Summary:
    counts, means, variances = _by_image(scores, owners)
    scored = scores[~np.isnan(scores)]
    spreads = np.sqrt(variances[counts > 1])
    return Summary(
        bound,
        key,
        micro=_or_nan(np.mean, scored),
        macro=_or_nan(np.mean, means[counts > 0]),
        sd=_or_nan(np.std, scored, ddof=1),
        median=_or_nan(np.median, scored),
        min=_or_nan(np.min, scored),
        max=_or_nan(np.max, scored),
        image_sd=_or_nan(np.mean, spreads),
        image_sd_sd=_or_nan(np.std, spreads, ddof=1),
        captions=len(scored),
        images=int((counts > 0).sum()),
    )


def _by_image(scores: Array, owners: Owners) -> tuple[Array, Array, Array]:
    """Return number, mean and variance (n - 1) of each image's defined scores."""
    images = int(owners.max()) + 1
    known = ~np.isnan(scores)
    owners, scores = owners[known], scores[known]
    counts = np.bincount(owners, minlength=images).astype(np.float64)
    with np.errstate(invalid="ignore", divide="ignore"):
        means = np.bincount(owners, scores, images) / counts
        squares = np.bincount(owners, (scores - means[owners]) ** 2, images)
        return counts, means, squares / (counts - 1)


def _or_nan(function: Any, values: Array, ddof: int = 0) -> float:
    if len(values) <= ddof:
        return float("nan")
    return float(function(values, ddof=ddof) if ddof else function(values))


def _protocol(
    captions: Captions,
    folds: Sequence[Fold],
    bounds: Sequence[Bound],
    references: int | None,
    corrected: bool,
    seed: int,
) -> dict[str, Any]:
    frequencies = "left-out caption taken out" if corrected else "not corrected"
    return {
        "folds": len(folds),
        "images": len({fold.image_id for fold in folds}),
        "images in the set": len(captions),
        "references": f"{references}, sampled" if references else "all others",
        "document frequencies": f"of the whole set, {frequencies}",
        **{bound.name: bound.source for bound in bounds},
        "seed": seed,
    }


@dataclass(frozen=True, slots=True, repr=False)
class Loocvs(StudyResult):
    """The results of several data sets; `results[i]` is that of set `names[i]`."""

    study = "loocvs"
    unwritten = ("results",)  # See `to_dict`

    protocol: Mapping[str, Any]
    signatures: tuple[str, ...]
    names: tuple[str, ...]
    results: tuple[Loocv, ...]

    def __getitem__(self, name: str) -> Loocv:
        if name not in self.names:
            raise unknown("data set", name, self.names)
        return self.results[self.names.index(name)]

    @property
    def keys(self) -> tuple[str, ...]:
        """The scores, in order."""
        return self.results[0].keys

    @property
    def bounds(self) -> tuple[str, ...]:
        """The bounds of any set, in order."""
        return tuple(dict.fromkeys(s.bound for r in self.results for s in r.summaries))

    def ranked(self, key: str) -> list[tuple[str, float]]:
        """Return the data sets by their upper bound of a key (micro), highest first."""
        means = [
            (name, result.summary(key).micro)
            for name, result in zip(self.names, self.results, strict=True)
        ]
        known = [(name, value) for name, value in means if value == value]
        return sorted(known, key=lambda pair: -pair[1])

    def tables(self) -> tuple[Table, ...]:
        """Return the means, ranks by key, spreads and rank correlations of the sets."""
        title = "Leave-one-out cross-validation of several data sets"
        columns = ("metric", "bound", *self.names)
        main = Table(title, columns, tuple(self._means()), self.notes)
        matrices = [
            matrix.table(f"{name}: ")
            for name, result in zip(self.names, self.results, strict=True)
            for matrix in result.rank_correlations
        ]
        return (main, self._ranking(), self._spreads(), *matrices)

    def _means(self) -> Iterator[tuple[Cell, ...]]:
        """Yield one row per key and bound, one column per set: means over captions."""
        summaries = [
            {(s.key, s.bound): s.micro for s in result.summaries}
            for result in self.results
        ]
        for key in self.keys:
            for bound in self.bounds:
                yield key, bound, *(means.get((key, bound)) for means in summaries)

    def _spreads(self) -> Table:
        columns = (
            *("data set", "metric", "bound", "micro", "macro", "sd", "median"),
            *("captions", "images"),
        )
        rows = [
            (
                *(name, s.key, s.bound, s.micro, s.macro, s.sd, s.median),
                *(s.captions, s.images),
            )
            for name, result in zip(self.names, self.results, strict=True)
            for s in result.summaries
        ]
        return Table("Means and spreads", columns, rows)

    def _ranking(self) -> Table:
        rows: list[Cells] = []
        for key in self.keys:
            texts = [f"{name} {value:.3f}" for name, value in self.ranked(key)]
            rows.append((key, *texts, *("–",) * (len(self.names) - len(texts))))
        places = tuple(str(place) for place in range(1, len(self.names) + 1))
        notes = ("the upper bound (micro): what people reach on the set",)
        return Table("Data sets by what people reach", ("metric", *places), rows, notes)

    def to_dict(self) -> dict[str, Any]:
        """Return everything but the raw scores, as plain values."""
        results = [result.to_dict() for result in self.results]
        for result in results:
            del result["study"]
        return {**super(Loocvs, self).to_dict(), "results": results}


def loocv_sets(
    sets: Mapping[str, Captions],
    *,
    metrics: Sequence[str | Metric],
    lower: bool = False,
    words: int | None = None,
    bounds: Sequence[Bound] = (),
    **options: Unpack[LoocvOptions],
) -> Loocvs:
    """Cross-validate several data sets, each against itself.

    Args:
        sets: Captions of each image, as written, by the sets' names.
        metrics: Registry names or metrics.
        lower: Add lower bounds: a caption of another image, one of the other sets,
            and gibberish from the set's own unigrams.
        words: Words of a gibberish caption; the set's average by default.
        bounds: Lower bounds that all sets share.
        options: references, images, corrected, coefficients, seed; see `loocv`.

    Raises:
        InputError: Fewer than two sets, or see `loocv`.
    """
    if len(sets) < 2:
        raise InputError(f"{counted(len(sets), 'data set')}; two or more are needed")
    results = []
    for name, captions in sets.items():
        others = {other: own for other, own in sets.items() if other != name}
        low = [random_caption(), other_sets(others), gibberish(words)] if lower else []
        studies = loocv(captions, metrics=metrics, bounds=[*low, *bounds], **options)
        results.append(studies)
    protocol = {}
    for name, result in zip(sets, results, strict=True):
        folds, size = result.protocol["folds"], result.protocol["images"]
        protocol[f"data set {name}"] = (
            f"{counted(folds, 'fold')} of {counted(size, 'image')}"
        )
    common = {
        name: results[0].protocol[name]
        for name in ("references", "document frequencies")
    }
    if lower:
        common["caption of the other sets"] = "each other set as often"
    signatures = dict.fromkeys(s for r in results for s in r.signatures)
    return Loocvs(
        {**protocol, **common, "seed": results[0].protocol["seed"]},
        tuple(signatures),
        tuple(sets),
        tuple(results),
    )
