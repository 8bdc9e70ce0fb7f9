"""Comparing systems: every score side by side, with confidence and significance.

Intervals and p-values come from the additive statistics alone: 1,000 resamples of 5,000
images take seconds. Each metric is resampled once per system, and all pairs share the
resamples.

Source: Anderson et al. 2016, SPICE, Table 2 (the layout by category); Koehn 2004
and Riezler & Maxwell 2005 (the tests, see `spicepy.metrics.significance`).
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from spicepy.common.errors import InputError, brief, counted, find_name, letters
from spicepy.common.json_values import plain
from spicepy.common.resources import required
from spicepy.common.settings import SEED, Correction, Family, check_settings
from spicepy.common.tables import Cells, P, Table, fitted, render
from spicepy.common.writing import Displayed
from spicepy.evaluation import pairwise
from spicepy.evaluation.evaluation import Evaluation
from spicepy.evaluation.options import metric_with
from spicepy.metrics.significance import (
    Interval,
    all_resampled,
    all_shuffled,
    intervals_of,
)

if TYPE_CHECKING:
    import pandas as pd

_WIDE = 10  # The most scores that are columns; more are rows.
_FEW = 30  # Below this number of images a mean says little.
_NAMED = 4  # The number of such scores that are named.
_SCREEN = 80  # The number of columns of a terminal.


@dataclass(frozen=True, slots=True)
class Layout:
    """How a table of scores is set."""

    # The keys or titles of the scores, in this order; none for all.
    columns: tuple[str, ...] = ()
    percent: bool = False  # Whether scores are multiplied by 100, as papers print them
    digits: int | None = None  # Decimals; by default 3, of percentages 1
    # Whether systems are columns; None: if there are more than ten scores.
    turned: bool | None = None

    @property
    def decimals(self) -> int:
        """The number of decimals."""
        return (1 if self.percent else 3) if self.digits is None else self.digits

    def chosen(self, titles: Mapping[str, str]) -> list[str]:
        """Return the keys of the scores that are shown."""
        known = {t: key for key, title in titles.items() for t in (title, key)}
        spelled = set(map(letters, known))
        computed = Counter(map(metric_with, titles))
        # The name of a metric stands for its only score: "meteor" for that without
        # paraphrases.
        for key in titles:
            if (owner := metric_with(key)) and computed[owner] == 1:
                known.setdefault(owner, key)
        for name in self.columns:
            owner = metric_with(name)
            if letters(name) not in spelled and owner not in (None, *computed):
                raise InputError(
                    f"column {brief(name)} is a score of {owner}, which is not "
                    f"computed: add {owner} to the metrics"
                )
        found = (find_name("column", name, known) for name in self.columns)
        return [known[name] for name in found] or list(titles)


@dataclass(frozen=True, slots=True, repr=False)
class Comparison(Displayed):
    """Scores of several systems on the same images.

    `intervals[key][i]` is the interval of system i. Scores are in their
    metric's range (0-1; CIDEr 0-10). `family` names the tests that were corrected
    together; `warnings` has the reasons for which no test can be significant.
    `signatures` has the signature of each score's metric by the score's key. `further`
    are tables of other analyses of the systems, shown after those of the scores.
    """

    systems: tuple[str, ...]
    intervals: Mapping[str, tuple[Interval, ...]]
    tests: tuple[pairwise.PairTest, ...]
    images: int
    samples: int
    seed: int
    level: float
    correction: str
    signatures: Mapping[str, str]
    titles: Mapping[str, str] = field(default_factory=dict)
    family: Family = "score"
    warnings: tuple[str, ...] = ()
    lower_is_better: frozenset[str] = frozenset()
    amounts: frozenset[str] = frozenset()
    undirected: frozenset[str] = frozenset()
    layout: Layout = Layout()
    further: tuple[Table, ...] = ()
    # The number of images that have a score, by its key, the fewest of all systems; and
    # of images without a caption, by the system, if there are any.
    scored: Mapping[str, int] = field(default_factory=dict)
    empty: Mapping[str, int] = field(default_factory=dict)

    @property
    def signature(self) -> str:
        """Everything that can change the numbers, of the further tables as well."""
        return self._signed(self.intervals, self.further)

    def to_dict(self) -> dict[str, Any]:
        """Return the numbers as plain values, None for an undefined one."""
        values = {"signature": self.signature, **plain(self)}
        for name in (
            *("signatures", "titles", "lower_is_better", "amounts", "undirected"),
            *("layout", "further"),
        ):
            del values[name]
        if self.further:
            parts = ("title", "columns", "rows", "notes")
            values["further"] = [
                {name: plain(getattr(table, name)) for name in parts}
                for table in self.further
            ]
        return values

    def __str__(self) -> str:
        """Return the table of scores, for `print`, in parts that fit a screen."""
        parts = fitted(self.scores(), _SCREEN)
        return "\n".join(render(part, "markdown") for part in parts)

    def title(self, key: str) -> str:
        """Return the title of a score's column, by default its key."""
        return self.titles.get(key, key)

    def _shown(self, key: str, *scores: float) -> list[float]:
        """Return scores as they are printed; numbers of things are not percentages."""
        percent = self.layout.percent and key not in self.amounts
        return [100 * score if percent else score for score in scores]

    def tables(self) -> tuple[Table, ...]:
        """Return scores; intervals; with two or more systems, tests."""
        tests = (self.significance(),) if self.tests else ()
        return (self.scores(), self.confidence(), *tests, *self.further)

    def _keys(self) -> list[str]:
        """Return the keys of the scores that the layout shows."""
        return self.layout.chosen({key: self.title(key) for key in self.intervals})

    def scores(self) -> Table:
        """Return one row per system, one column per score: the paper's Table 2.

        More than ten scores stand below each other, one column per system, unless the
        layout says otherwise. A score is bold if it is significantly better than those
        of all other systems.
        """
        keys = self._keys()
        best = self.clearly_best()
        rows: list[Cells] = [
            (system, *(self._shown(k, self.intervals[k][i].score)[0] for k in keys))
            for i, system in enumerate(self.systems)
        ]
        columns = ("System", *map(self.title, keys))
        marked = {
            (row, at)
            for at, key in enumerate(keys, 1)
            if (row := best[key]) is not None and key not in self.undirected
        }
        turned = self.layout.turned
        if len(keys) > _WIDE if turned is None else turned:
            names, *scores = zip(*rows)
            rows = [(t, *values) for t, values in zip(columns[1:], scores)]
            columns = ("Score", *names)
            marked = {(at - 1, row + 1) for row, at in marked}
        notes = [counted(self.images, "image"), *self._image_notes(keys)]
        if marked:
            level = f"{1 - self.level:g}"
            notes.append(
                "Bold: significantly better than every other system (paired "
                f"randomization, {self.correction}, p < {level})"
            )
        digits = self.layout.decimals
        table = Table("Scores", columns, rows, tuple(notes), digits, frozenset(marked))
        return replace(table, signature=self._signed(keys))

    def _image_notes(self, keys: Iterable[str]) -> Iterator[str]:
        """Yield what lacks captions, and the scores that are means of few images."""
        for system, number in self.empty.items():
            yield f"{system} has no words for {counted(number, 'image')}"
        numbers = sorted((self.scored.get(key, 0), self.title(key)) for key in keys)
        few = [f"{t} {n}" for n, t in numbers if 0 < n < min(_FEW, self.images)]
        if few:
            more = ", …" * (len(few) > _NAMED)
            yield f"scores of few images: {', '.join(few[:_NAMED])}{more}"

    def to_frame(self) -> "pd.DataFrame":
        """Return a pandas table with a row for each system and a column for each score.

        `pandas.DataFrame(comparison.tests)` has a row for each test.

        Raises:
            ResourceError: pandas is not installed.
        """
        pandas = required("pandas", "to_frame()")
        scores = {key: [i.score for i in each] for key, each in self.intervals.items()}
        return pandas.DataFrame(scores, pandas.Index(self.systems, name="system"))

    def _signed(self, keys: Iterable[str], further: Iterable[Table] = ()) -> str:
        """Return the distinct signatures of scores and tables, one after the other."""
        parts = [
            *map(self.signatures.__getitem__, keys),
            *(t.signature for t in further),
        ]
        return "; ".join(part for part in dict.fromkeys(parts) if part)

    def clearly_best(self) -> dict[str, int | None]:
        """Return for each score the system that is significantly better than the rest.

        By the corrected p-values of the paired randomization; None without one.
        """
        p_values = {(t.key, t.first, t.second): t for t in self.tests}
        found: dict[str, int | None] = {}
        for key, intervals in self.intervals.items():
            sign = -1 if key in self.lower_is_better else 1
            known = {
                name: sign * i.score
                for name, i in zip(self.systems, intervals)
                if i.score == i.score
            }
            first = max(known, key=known.__getitem__, default="")
            tests = [
                p_values.get((key, first, other)) or p_values.get((key, other, first))
                for other in known
                if other != first
            ]
            clear = bool(tests) and all(
                t is not None and t.corrected_randomization < 1 - self.level
                for t in tests
            )
            found[key] = self.systems.index(first) if clear else None
        return found

    def confidence(self) -> Table:
        """Return one row per score and system, with its bootstrap interval."""
        rows: list[Cells] = [
            (self.title(key), system, *self._shown(key, i.score, i.low, i.high))
            for key in self._keys()
            for system, i in zip(self.systems, self.intervals[key])
        ]
        note = (
            f"percentile bootstrap over {counted(self.images, 'image')}, "
            f"{self.samples} samples, seed {self.seed}"
        )
        percent = f"{100 * self.level:g} %"
        columns = ("Score", "System", "Value", f"{percent} low", f"{percent} high")
        digits = self.layout.decimals
        return Table("Confidence intervals", columns, rows, (note,), digits)

    def significance(self) -> Table:
        """Return one row per score and pair of systems: difference and p-values."""
        rows: list[Cells] = [
            (
                self.title(test.key),
                f"{test.first} - {test.second}",
                *self._shown(test.key, test.difference, test.low, test.high),
                *map(P, (test.p_bootstrap, test.p_randomization)),
                *map(P, (test.corrected_bootstrap, test.corrected_randomization)),
                *self._shown(test.key, test.detectable),
            )
            for test in self.tests
            if test.key in self._keys()
        ]
        columns = (
            *("Score", "Systems", "Difference", "low", "high"),
            *("p (bootstrap)", "p (randomization)"),
            *("corrected p (b)", "corrected p (r)", "detectable"),
        )
        size = _family_size(self.family, len(self.systems), len(self.intervals))
        together = "a score" if self.family == "score" else "the comparison"
        notes = (
            f"two-sided, {self.samples} samples (p from 1/{self.samples + 1}), "
            f"seed {self.seed}",
            f"correction: {self.correction}, over the tests of {together} ({size})",
            f"detectable: the smallest true difference that is found with a "
            f"probability of {pairwise.POWER:g} on images like these",
            *self.warnings,
        )
        digits = self.layout.decimals + 1
        return Table("Paired differences", columns, rows, notes, digits)


def compare(
    systems: Mapping[str, Evaluation],
    *,
    samples: int | None = None,
    seed: int = SEED,
    level: float = 0.95,
    correction: Correction = "holm",
    family: Family = "score",
) -> Comparison:
    """Compare systems evaluated by the same metrics on the same images.

    `spicepy.compare` has the same options, and scores captions first.

    Raises:
        InputError: The systems' metrics or images differ, or an option is wrong.
    """
    if not systems:
        raise InputError("no systems to compare")
    if not isinstance(systems, Mapping):
        raise InputError("systems: a mapping of names to evaluations is expected")
    for name, one in systems.items():
        if not isinstance(one, Evaluation):
            raise InputError(f"{name}: found {brief(one)}; an evaluation is expected")
    pairwise.check_correction(correction, family)
    check_settings(samples or 2, level, seed)
    pairwise.check_comparable(systems)
    names, first = tuple(systems), next(iter(systems.values()))
    size = _family_size(family, len(names), len(first.keys))
    sharing = 1 if correction == "none" else size
    if samples is None:
        samples = samples_for(len(names), len(first.keys), level, correction, family)
    measured = pairwise.rows_by_metric(systems)
    drawn = all_resampled(measured, samples, seed)
    swapped = all_shuffled(measured, samples, seed)
    intervals: dict[str, tuple[Interval, ...]] = {}
    tests: list[pairwise.PairTest] = []
    for (metric, rows), resampled, p_values in zip(measured, drawn, swapped):
        each = [intervals_of(metric, r, d, level) for r, d in zip(rows, resampled)]
        intervals |= dict(zip(metric.keys, zip(*each), strict=True))
        for (i, j), p_value in p_values.items():
            tests += pairwise.pair_tests(
                metric,
                (names[i], names[j]),
                (rows[i], rows[j]),
                resampled[i] - resampled[j],
                p_value,
                level=level,
                sharing=sharing,
            )
    # The scores of the papers come first.
    order = [*first.titles, *(key for key in first.keys if key not in first.titles)]
    images = len(first.samples)
    warning = pairwise.floor_warning(size, samples, images, level, correction)
    return Comparison(
        names,
        {key: intervals[key] for key in order},
        pairwise.corrected(tests, correction, family, order),
        *(images, samples, seed, level, correction),
        titles=first.titles,
        family=family,
        warnings=(warning,) if warning and tests else (),
        lower_is_better=first.lower_is_better,
        amounts=first.amounts,
        undirected=first.undirected,
        **_of_images(systems),
    )


def _of_images(systems: Mapping[str, Evaluation]) -> dict[str, Any]:
    """Return signatures, and how many images have a score, or no candidate."""
    signatures: dict[str, dict[str, None]] = {}
    scored: dict[str, int] = {}
    for part in (part for system in systems.values() for part in system.measured):
        defined = np.count_nonzero(~np.isnan(part.images), axis=0)
        for key, number in zip(part.metric.keys, map(int, defined)):
            scored[key] = min(number, scored.get(key, number))
            signatures.setdefault(key, {})[part.signature] = None
    empty = {
        name: sum(not sample.candidate.strip() for sample in system.samples)
        for name, system in systems.items()
    }
    return {
        "signatures": {key: "; ".join(own) for key, own in signatures.items()},
        "scored": scored,
        "empty": {name: number for name, number in empty.items() if number},
    }


def samples_for(
    systems: int,
    scores: int,
    level: float = 0.95,
    correction: Correction = "holm",
    family: Family = "score",
) -> int:
    """Return the number of resamples that `compare` takes by default."""
    # It is as many as the number of tests in a family needs, 1,000 or more, but for
    # more than some 20 systems no more than are made in half a minute.
    tests = 1 if correction == "none" else _family_size(family, systems, scores)
    return pairwise.resamples_for(tests, level, pairs_of(systems))


def pairs_of(systems: int) -> int:
    """Return the number of pairs of systems, 1 if there is none."""
    return max(1, systems * (systems - 1) // 2)


def _family_size(family: Family, systems: int, scores: int) -> int:
    return pairs_of(systems) * (scores if family == "all" else 1)
