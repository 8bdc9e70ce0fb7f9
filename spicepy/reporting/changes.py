"""The page of a difference: what a new version of a captioner fixed and broke.

In: a `Difference`. Out: one HTML file without a script, that fetches nothing.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from spicepy.common.outputs import FileForm
from spicepy.common.pages import Templates, policy, safe
from spicepy.common.version import __version__
from spicepy.diagnosis.results.difference import ALL, Balance, ChangedError, Difference
from spicepy.reporting.numbers import FILTERS


def page(result: Difference) -> str:
    """Return the result as a self-contained HTML page."""
    style = _TEMPLATES.source("style.css")
    errors = [(b, b.gone, b.added) for b in result.errors]  # better, worse
    right = [(b, b.added, b.gone) for b in result.right]
    return _TEMPLATES.render(
        "changes.html",
        result=result,
        version=__version__,
        charts=[
            ("Errors", "fixed", "broken", errors, _most(errors)),
            ("Said right", "became right", "no longer right", right, _most(right)),
        ],
        examples=_examples(result),
        style=safe(style),
        policy=policy(style),
    )


def parts(caption: str, words: str) -> tuple[str, str, str]:
    """Split a caption before and after the words of an error, if it has them."""
    start = caption.lower().find(words.lower()) if words else -1
    if start < 0 and " " in words:
        return parts(caption, words.partition(" ")[2])
    if start < 0:
        return caption, "", ""
    end = start + len(words)
    return caption[:start], caption[start:end], caption[end:]


def _most(rows: list[tuple[Balance, int, int]]) -> int:
    """Return the largest change, for the scale of bars; that of the sum is left out."""
    single = [max(numbers) for b, *numbers in rows if b.name != ALL]
    return max(single, default=0) or 1


def _examples(
    result: Difference,
) -> list[tuple[str, list[ChangedError], list[ChangedError]]]:
    """(kind, fixed, broken) where there is one of either."""
    groups = [
        (b.name, result.examples(b.name, "fixed"), result.examples(b.name, "broken"))
        for b in result.errors
    ]
    return [row for row in groups if row[1] or row[2]]


def _html(result: Any) -> Iterator[str]:
    yield page(result)


PAGE: Mapping[str, FileForm[Any]] = {".html": _html}
"""The form of a difference beside those of every result."""

_VALUES = {"parts": parts, "all_errors": ALL}
_TEMPLATES = Templates("spicepy.reporting", _VALUES, FILTERS)
