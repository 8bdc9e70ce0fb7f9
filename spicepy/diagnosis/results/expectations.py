"""Expected errors of a caption, and a sentence on how well a captioner counts.

In: the expected numbers of errors by image, or observations of counts. Out: an
`Expectation`, a table, or a sentence.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf, sqrt
from typing import Final

from spicepy.common.plurals import counted
from spicepy.common.tables import Table
from spicepy.diagnosis.findings import Observation

EXPECTED: Final = (
    "sums of the probabilities of all findings, listed or hidden; 95 % intervals"
)
"""The note below expected numbers."""
EXPECTED_OF: Final = {"says wrong": "risk", "leaves out": "omissions"}
"""Question -> the attribute of an `ImageDiagnosis` with its expected number."""
_Z: Final = 1.959964  # The normal quantile of a 95 % interval.
_WORST: Final = 3  # The number of object classes that the sentence names.
_IMPLIED: Final = (1, "many")  # The values that articles and plurals imply.


@dataclass(frozen=True, slots=True)
class Expectation:
    """A mean over images, such as an expected number of errors a caption.

    Attributes:
        mean: The mean; None without images.
        low, high: The ends of its 95 % interval (normal approximation).
    """

    mean: float | None
    low: float | None
    high: float | None


def expectation(numbers: Sequence[float]) -> Expectation:
    """Return the mean of the images' numbers with its interval."""
    n = len(numbers)
    if not n:
        return Expectation(None, None, None)
    mean = sum(numbers) / n
    spread = sum((x - mean) ** 2 for x in numbers) / max(1, n - 1)
    half = _Z * sqrt(spread / n)
    least = 0.0 if min(numbers) >= 0 else -inf
    return Expectation(mean, max(least, mean - half), mean + half)


def expectation_table(expectations: Mapping[str, Expectation], counts: str) -> Table:
    """Return a table of expected errors, with a note on how well the captioner counts.

    Args:
        expectations: Question -> expected number of errors.
        counts: The end of a sentence, from `counting`.
    """
    rows = [(name, e.mean, e.low, e.high) for name, e in expectations.items()]
    notes = (f"Can it count? It {counts}.", EXPECTED)
    title = "Expected errors of a caption"
    return Table(title, ("A caption", "mean", "from", "to"), rows, notes)


def counting(observations: Sequence[Observation]) -> str:
    """Return how well a captioner counts, as the end of a sentence.

    Numbers in words ("two dogs") are told apart from articles and plurals ("a dog",
    "dogs").

    Args:
        observations: Observations of counts.
    """
    numbered = [o for o in observations if not _is_implied(o)]
    given = [o for o in numbered if _is_number(o)]
    implied = sum(o.verdict == "wrong" for o in observations) - sum(
        o.verdict == "wrong" for o in given
    )
    text = (
        f"gives no number for the {counted(len(numbered), 'thing')} that people count"
    )
    if given:
        text = _accuracy(given, len(numbered))
    if implied:
        text += '; besides, "a" or a plural contradicts the references '
        text += counted(implied, "time")
    return text


def _accuracy(given: Sequence[Observation], numbered: int) -> str:
    """Return the share of right numbers, the size of errors, and the worst classes."""
    right = sum(o.verdict == "right" for o in given)
    text = (
        f"gives a number for {100 * len(given) / numbered:.0f} % of what people count; "
        f"of those {right} of {len(given)} right ({100 * right / len(given):.0f} %)"
    )
    distances = [
        abs(o.said - o.expected)
        for o in given
        if isinstance(o.said, int) and isinstance(o.expected, int)
    ]
    if distances:
        one = sum(d == 1 for d in distances) / len(distances)
        mean = sum(distances) / len(distances)
        text += f", off by one {100 * one:.0f} %, mean error {mean:.2f}"
    wrong = Counter(o.object for o in given if o.verdict == "wrong")
    ranked = sorted(wrong.items(), key=lambda item: (-item[1], item[0]))[:_WORST]
    worst = ", ".join(f"{name} ({n} wrong)" for name, n in ranked)
    return f"{text}; worst classes {worst}" if worst else text


def _is_implied(seen: Observation) -> bool:
    """Return whether neither side has a number in words: "a dog" for "dogs"."""
    wrong = seen.verdict == "wrong" and seen.in_words is False
    return wrong and seen.expected in _IMPLIED


def _is_number(seen: Observation) -> bool:
    """Return whether the candidate gives a number in words."""
    return isinstance(seen.said, int) and seen.in_words is not False
