"""Count what each system says right, says wrong and leaves out.

In: diagnoses of the same images. Out: a `SummaryBars`: the expected errors of a
caption; the shares of objects and of hallucinations; and the shares of right values for
each aspect of which the references give a value.

Differences between systems are tested image by image. A system is the best only if it
is significantly better than every other one.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from spicepy.diagnosis.findings import VERDICTS, ImageDiagnosis
from spicepy.diagnosis.kinds import HALLUCINATED, MISSED_OBJECTS
from spicepy.diagnosis.lexicon.aspects import ASPECTS, Aspect
from spicepy.diagnosis.results.diagnosis import Diagnosis
from spicepy.diagnosis.results.expectations import EXPECTED_OF, expectation
from spicepy.diagnosis.results.paired import clearly_best, corrected_p_values
from spicepy.diagnosis.results.tables import wilson
from spicepy.diagnosis.thresholds import SUPPORT
from spicepy.metrics.base import Array
from spicepy.reporting.summary_bars import Bar, Column, ExpectedErrors, SummaryBars

_PLURALS: Final = {"color": "colours", "gender": "gender", "age": "age"}


@dataclass(frozen=True, slots=True)
class Respect:
    """A respect in which systems are compared.

    Attributes:
        title: Its name, such as "counts".
        note: A phrase that describes what is counted.
        parts: The names of the parts of a bar; the share is that of the first part.
        count: A function that returns the number of each part in an image.
        higher: Whether a larger share is better.
        aspect: The aspect of objects that is compared, None for objects themselves.
    """

    title: str
    note: str
    parts: Sequence[str]
    count: Callable[[ImageDiagnosis], Sequence[int]]
    higher: bool = True
    aspect: Aspect | None = None


def bars_of(diagnoses: Mapping[str, Diagnosis]) -> SummaryBars:
    """Return expected errors, objects, aspects and hallucinations, as far as known."""
    systems = _in_one_order(list(diagnoses.values()))
    if not systems:
        return SummaryBars((), ())
    counted = [
        (respect, [np.array(list(map(respect.count, x)), float) for x in systems])
        for respect in _respects()
    ]
    known = [(r, numbers) for r, numbers in counted if any(n.any() for n in numbers)]
    named = list(EXPECTED_OF.items())
    means = [
        [np.array([getattr(i, name) for i in images], float) for images in systems]
        for _, name in named
    ]
    rates = [[_share(n) for n in numbers] for _, numbers in known]
    rates += [[_mean(n) for n in numbers] for numbers in means]
    by_system = [np.stack(columns, axis=-1) for columns in zip(*rates)]
    higher = [respect.higher for respect, _ in known] + [False] * len(named)
    p_values = corrected_p_values(by_system)
    best = clearly_best(by_system, p_values, higher)
    columns = [
        _column(respect, numbers, list(diagnoses.values()), first)
        for (respect, numbers), first in zip(known, best)
    ]
    expected = [
        ExpectedErrors(
            title,
            tuple(expectation(values.tolist()) for values in means[k]),
            best[len(known) + k],
            {pair: float(values[len(known) + k]) for pair, values in p_values.items()},
        )
        for k, (title, _) in enumerate(named)
    ]
    return SummaryBars(tuple(diagnoses), tuple(columns), tuple(expected))


def _respects() -> list[Respect]:
    note = f"things that at least {SUPPORT} references have"
    respects = [Respect("objects", note, ("right", "wrong", "absent"), _objects)]
    for aspect in ASPECTS:
        title = _PLURALS.get(aspect, f"{aspect}s")
        note = f"things of which the references give the {aspect}"
        count = _verdicts(aspect)
        respects.append(Respect(title, note, VERDICTS, count, aspect=aspect))
    note = "things in the candidates that no reference has or is like"
    parts = ("wrong", "unsaid", "right")
    last = Respect("hallucinations", note, parts, _hallucinations, higher=False)
    return [*respects, last]


def _in_one_order(diagnoses: Sequence[Diagnosis]) -> list[Sequence[ImageDiagnosis]]:
    """Return the images of each system in the order of the first system."""
    if not diagnoses:
        return []
    order = [image.image_id for image in diagnoses[0].by_image]
    by_id = [{image.image_id: image for image in d.by_image} for d in diagnoses]
    return [[images[image_id] for image_id in order] for images in by_id]


def _share(numbers: Array) -> Array:
    """Return (first part, sum of the parts): (images, parts) -> (images, 2)."""
    return np.stack([numbers[:, 0], numbers.sum(axis=1)], axis=1)


def _mean(numbers: Array) -> Array:
    """Return (number, 1), so that a rate is a mean: (images,) -> (images, 2)."""
    return np.stack([numbers, np.ones_like(numbers)], axis=1)


def _column(
    respect: Respect,
    numbers: Sequence[Array],
    diagnoses: Sequence[Diagnosis],
    best: int | None,
) -> Column:
    bars = []
    for k, (counts, diagnosis) in enumerate(zip(numbers, diagnoses)):
        parts = tuple(zip(respect.parts, map(int, counts.sum(axis=0))))
        bar = replace(_bar(parts), best=k == best)
        if respect.aspect is not None:
            error = diagnosis.summary(respect.aspect)["mean_absolute_error"]
            bar = replace(bar, mean_error=error)
        bars.append(bar)
    return Column(respect.title, respect.note, respect.higher, tuple(bars))


def _bar(parts: tuple[tuple[str, int], ...]) -> Bar:
    first, total = parts[0][1], sum(number for _, number in parts)
    low, high = wilson(first, total) or (None, None)
    return Bar(parts, first / total if total else None, low, high)


def _verdicts(aspect: Aspect) -> Callable[[ImageDiagnosis], Sequence[int]]:
    """Return a function that counts the verdicts on values of an aspect."""

    def count(image: ImageDiagnosis) -> Sequence[int]:
        found = [o.verdict for o in image.observations if o.aspect == aspect]
        return [found.count(verdict) for verdict in VERDICTS]

    return count


def _objects(image: ImageDiagnosis) -> Sequence[int]:
    """Return the numbers of the references' objects named, confused and missed."""
    needed = min(SUPPORT, image.references)
    sure = [f for f in image.findings if (f.references or 0) >= needed]
    instead = sum(f.kind in HALLUCINATED and f.expected is not None for f in sure)
    missed = sum(f.kind in MISSED_OBJECTS for f in sure)
    return sum(number >= needed for number in image.shared), instead, missed


def _hallucinations(image: ImageDiagnosis) -> Sequence[int]:
    """Return the numbers of invented, possibly invented and other objects said."""
    wrong = sum(finding.kind in HALLUCINATED for finding in image.findings)
    unsure = sum(kind in HALLUCINATED for kind in image.hidden)
    return wrong, unsure, max(0, image.mentions - wrong - unsure)
