"""The page of a difference: the errors that a new version of a captioner changed."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from spicepy.common import __version__
from spicepy.common.pages import Templates, policy, safe
from spicepy.common.writing import FileForm
from spicepy.diagnosis.results import changes
from spicepy.diagnosis.results.difference import Difference
from spicepy.reporting.page import FILTERS


@dataclass(frozen=True, slots=True)
class BalanceBar:
    """A row of a chart: the numbers in both versions, and the changes."""

    name: str  # The kind or aspect
    # old, new: The numbers in the old and the new version.
    old: int
    new: int
    # (part, number) of the changes for the worse, left of the middle; a part has a
    # colour.
    worse: tuple[tuple[str, int], ...]
    # (part, number) of the changes for the better, right of the middle.
    better: tuple[tuple[str, int], ...]
    p_value: float  # The p-value of the sign test, 0-1

    @property
    def most(self) -> int:
        """The longer side of its bar."""
        return max(sum(n for _, n in side) for side in (self.worse, self.better))

    def bars(self, most: int) -> Iterator[tuple[str, float, float]]:
        """Yield (part, start, length) of the bar, from -100 to 100."""
        start = -100 * sum(n for _, n in self.worse) / most
        for part, number in (*self.worse, *self.better):
            yield part, start, 100 * number / most
            start += 100 * number / most


Chart = tuple[str, tuple[tuple[str, ...], tuple[str, ...]], list[BalanceBar]]
"""A title, the names of what is worse and of what is better, and the rows."""


def page(result: Difference) -> str:
    """Return the result as a self-contained HTML page."""
    style = _TEMPLATES.source("style.css")
    charts: list[Chart] = [
        (question.capitalize(), _COLUMNS, list(map(_of_errors, found)))
        for question, found in result.errors.items()
    ]
    right = [
        BalanceBar(
            b.name, b.old, b.new, (("wrong", b.lost),), (("right", b.won),), b.p_value
        )
        for b in result.right
    ]
    charts.append(("Said right", (("no longer right",), ("became right",)), right))
    return _TEMPLATES.render(
        "changes.html",
        result=result,
        version=__version__,
        charts=[(*chart, _most(chart[-1])) for chart in charts if chart[-1]],
        examples=_examples(result),
        style=safe(style),
        policy=policy(style),
    )


_COLUMNS: Final = (("new errors",), ("corrected", "dropped", "replaced"))


def _of_errors(balance: changes.Balance) -> BalanceBar:
    numbers = balance.numbers
    better = (
        ("right", numbers["corrected"]),
        ("unsaid", numbers["dropped"]),
        ("replaced", numbers["replaced"]),
    )
    worse = (("wrong", numbers["new"]),)
    system = balance.name, balance.old, balance.new
    return BalanceBar(*system, worse, better, balance.p_value)


def parts(caption: str, words: str) -> tuple[str, str, str]:
    """Split a caption before and after the words of an error, if it has them."""
    start = caption.lower().find(words.lower()) if words else -1
    if start < 0 and " " in words:
        return parts(caption, words.partition(" ")[2])
    if start < 0:
        return caption, "", ""
    end = start + len(words)
    return caption[:start], caption[start:end], caption[end:]


def _most(rows: list[BalanceBar]) -> int:
    """Return the largest change of a kind, which sets the scale of the bars."""
    return max((row.most for row in rows if row.name != changes.ALL), default=0) or 1


def _examples(
    result: Difference,
) -> list[tuple[str, list[tuple[changes.Change, list[changes.ChangedError]]]]]:
    """Return the examples of each kind that changed, by change."""
    groups = [
        (b.name, [(c, result.examples(b.name, c)) for c in changes.CHANGES[:-1]])
        for found in result.errors.values()
        for b in found
    ]
    shown = [(kind, [(c, e) for c, e in listed if e]) for kind, listed in groups]
    return [(kind, listed) for kind, listed in shown if listed]


PAGE: Mapping[str, FileForm[Any]] = {".html": lambda result: [page(result)]}
"""The form of a difference beside those of every result."""

_VALUES = {"parts": parts, "all_errors": changes.ALL}
_TEMPLATES = Templates("spicepy.reporting", _VALUES, FILTERS)
