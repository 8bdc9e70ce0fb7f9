"""Leave-one-out over several data sets, compared in tables and a picture.

In: the captions of each data set. Out: a `Loocvs` with the `Loocv` of every set. As
lower bounds, each set gives random captions and gibberish for itself, and the captions
of the other sets are a further bound.

Source: Wang & Gaizauskas 2016, Cross-validating Image Description Datasets and
Evaluation Metrics (tables and figures across data sets).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Unpack

from spicepy.common.errors import InputError, counted, unknown
from spicepy.common.json_values import plain
from spicepy.common.tables import Cell, Cells, Table
from spicepy.metrics.base import Metric
from spicepy.study.leave_one_out import UPPER, Loocv, LoocvOptions, loocv
from spicepy.study.scoring import Bound, Captions, gibberish, other_sets, random_caption


@dataclass(frozen=True, slots=True)
class Loocvs:
    """The results of several data sets; `results[i]` is that of set `names[i]`."""

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
        notes = tuple(f"{name}: {value}" for name, value in self.protocol.items())
        title = "Leave-one-out cross-validation of several data sets"
        columns = ("metric", "bound", *self.names)
        main = Table(title, columns, tuple(self._means()), notes)
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
        title = "Data sets by what people reach"
        return Table(title, ("metric", *places), rows, notes)

    def to_dict(self) -> dict[str, Any]:
        """Return everything but the raw scores, as plain values."""
        results = [r.to_dict() for r in self.results]
        for result in results:
            del result["study"]
        return {
            "study": "loocvs",
            "protocol": plain(self.protocol),
            "signatures": list(self.signatures),
            "names": list(self.names),
            "results": results,
        }


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


def check_sets(result: Loocvs) -> None:
    """Refuse a result from a file whose parts do not fit each other.

    Raises:
        InputError: It has no sets, names are missing, or sets have other keys.
    """
    if not result.names or len(result.names) != len(result.results):
        raise InputError("names and results must be equally many, one or more")
    for i, each in enumerate(result.results):
        if each.keys != result.keys:
            raise InputError(f"results[{i}].keys: all sets need the same")
        for key in each.keys:
            if not any((s.bound, s.key) == (UPPER, key) for s in each.summaries):
                raise InputError(f"results[{i}].summaries: {UPPER!r} lacks {key!r}")
