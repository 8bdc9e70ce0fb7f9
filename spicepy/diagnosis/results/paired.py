"""Paired tests: whether the error rates of two systems differ significantly.

In: for each system the parts of its rates, image by image: the number counted, and the
number it is divided by. Out: p-values, and the system that is better than all others.

Source: Riezler & Maxwell 2005, On Some Pitfalls in Automatic Evaluation and
Significance Testing for MT, section 4 (approximate randomisation).
"""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Final

import numpy as np

from spicepy.common.settings import SEED
from spicepy.evaluation.correction import adjust
from spicepy.evaluation.resampling import Extremes, chunks
from spicepy.metrics.base import Array

LEVEL: Final = 0.05
"""A corrected p-value below this is significant."""
_SHUFFLES: Final = 2000  # How often the captions of both systems are swapped.

Pair = tuple[int, int]
"""The numbers of two systems."""


def paired_p_values(systems: Sequence[Array]) -> dict[Pair, Array]:
    """Return the two-sided p-values (rates,) for every pair of systems.

    A rate is the sum of its first parts over images, divided by the sum of its second
    parts; a rate that is undefined has the p-value NaN.

    Args:
        systems: The parts of each system's rates, (images, 2, rates), all in the same
            order of images.
    """
    pairs = list(combinations(range(len(systems)), 2))
    if not pairs or not len(systems[0]):
        return {}
    images, *shape = systems[0].shape
    flat = [parts.reshape(images, -1) for parts in systems]
    totals = [parts.sum(axis=0) for parts in flat]
    rates = [_rates(whole, shape) for whole in totals]
    extremes = {(a, b): Extremes.of(rates[a] - rates[b]) for a, b in pairs}
    generator = np.random.default_rng(SEED)
    for count in chunks(_SHUFFLES, images):
        swapped = generator.integers(0, 2, (count, images)).astype(np.float64)
        sums = [swapped @ parts for parts in flat]
        for (a, b), own in extremes.items():
            moved = sums[b] - sums[a]
            first = _rates(totals[a] + moved, shape)
            own.add(first - _rates(totals[b] - moved, shape))
    return {pair: own.p_values() for pair, own in extremes.items()}


def corrected_p_values(systems: Sequence[Array]) -> dict[Pair, Array]:
    """Return `paired_p_values`, Holm-corrected for the number of pairs."""
    p_values = paired_p_values(systems)
    if not p_values:
        return {}
    corrected = [adjust(column) for column in zip(*p_values.values())]
    return dict(zip(p_values, np.array(corrected).T, strict=True))


def clearly_best(
    systems: Sequence[Array], p_values: Mapping[Pair, Array], higher: Sequence[bool]
) -> list[int | None]:
    """Return for each rate the system that is significantly better than every other.

    Args:
        systems: See `paired_p_values`.
        p_values: What `corrected_p_values` returns.
        higher: For each rate, whether a higher one is better.
    """
    if not p_values:
        return [None] * len(higher)
    rates = [_rates(parts.sum(axis=0), ()) for parts in systems]
    return [
        best(
            [float(own[k]) for own in rates], {p: v[k] for p, v in p_values.items()}, up
        )
        for k, up in enumerate(higher)
    ]


def best(
    rates: Sequence[float], p_values: Mapping[Pair, float], higher: bool
) -> int | None:
    """Return the best system if it differs significantly from every other.

    Args:
        rates: The rate of each system, NaN if it is undefined.
        p_values: The corrected p-value of each pair of systems.
        higher: Whether a higher rate is better.
    """
    known = [k for k, rate in enumerate(rates) if rate == rate]
    if len(known) < 2:
        return None
    first = (max if higher else min)(known, key=lambda k: rates[k])
    others = ((min(first, k), max(first, k)) for k in known if k != first)
    return first if all(p_values[pair] < LEVEL for pair in others) else None


def _rates(sums: Array, shape: Sequence[int]) -> Array:
    """Return the rates of sums of parts: (..., 2 * rates) -> (..., rates)."""
    parts = sums.reshape(*sums.shape[:-1], *shape) if shape else sums
    counted, whole = parts[..., 0, :], parts[..., 1, :]
    with np.errstate(invalid="ignore", divide="ignore"):
        rates: Array = counted / np.where(whole > 0, whole, np.nan)
    return rates
