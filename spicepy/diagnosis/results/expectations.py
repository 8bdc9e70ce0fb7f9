"""Expected numbers of errors, and how well a captioner counts, in one line.

In: the expected numbers of images, or observations of counts. Out: an `Expectation`, a
table, a sentence.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Final

from spicepy.common.tables import Cell, Table
from spicepy.diagnosis.findings import Observation

_Z: Final = 1.959964  # Of a 95 % interval.
_WORST: Final = 3  # Classes that the sentence names.


@dataclass(frozen=True, slots=True)
class Expectation:
    """An expected number a caption.

    Attributes:
        mean: The mean over images, from 0; None without images.
        low, high: The ends of its 95 % interval (normal approximation).
    """

    mean: float | None
    low: float | None
    high: float | None


def expectation(numbers: Sequence[float]) -> Expectation:
    """Return the mean of expected numbers with its interval."""
    n = len(numbers)
    if not n:
        return Expectation(None, None, None)
    mean = sum(numbers) / n
    spread = sum((x - mean) ** 2 for x in numbers) / max(1, n - 1)
    half = _Z * sqrt(spread / n)
    return Expectation(mean, max(0.0, mean - half), mean + half)


def expectation_table(expectations: Mapping[str, Expectation], counts: str) -> Table:
    """Return a table of expected numbers, with how well the captioner counts below."""
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (name, e.mean, e.low, e.high) for name, e in expectations.items()
    )
    notes = (
        "sums of the probabilities of all findings, listed or hidden; 95 % intervals",
        counts,
    )
    return Table("Expected a caption", ("A caption", "mean", "from", "to"), rows, notes)


def counting(observations: Sequence[Observation]) -> str:
    """Return in a sentence how well a captioner counts.

    Args:
        observations: Observations of counts.
    """
    given = [o for o in observations if o.said is not None]
    right = sum(o.verdict == "right" for o in given)
    if not given:
        return f"gives no number for the {len(observations)} things that people count"
    distances = [
        abs(o.said - o.expected)
        for o in given
        if isinstance(o.said, int) and isinstance(o.expected, int)
    ]
    wrong = Counter(o.object for o in given if o.verdict == "wrong")
    share = 100 * len(given) / len(observations)
    text = (
        f"gives a number for {share:.0f} % of what people count; "
        f"of those {right} of {len(given)} right ({100 * right / len(given):.0f} %)"
    )
    if distances:
        one = sum(d == 1 for d in distances) / len(distances)
        mean = sum(distances) / len(distances)
        text += f", off by one {100 * one:.0f} %, mean error {mean:.2f}"
    ranked = sorted(wrong.items(), key=lambda item: (-item[1], item[0]))[:_WORST]
    worst = ", ".join(f"{name} ({n} wrong)" for name, n in ranked)
    return f"{text}; worst classes {worst}" if worst else text
