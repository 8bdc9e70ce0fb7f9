"""Study results as pictures and as a page: SVG and HTML from jinja2 templates.

In: a result of `loocv`, `correlate` or `pairs`. Out: text without any outside
resource; captions never appear in it, names are escaped by the templates.
"""

from collections.abc import Iterator, Mapping
from math import isnan
from typing import Any

from markupsafe import Markup

from spicepy.common.errors import InputError
from spicepy.common.outputs import Form
from spicepy.common.pages import COLORS, policy, source, templates
from spicepy.common.tables import cell_text, numeric
from spicepy.study.accuracy import Accuracies, Accuracy
from spicepy.study.correlation import Correlations
from spicepy.study.leaveoneout import Loocv
from spicepy.study.rankmatrix import RankMatrix

Study = Loocv | Correlations | Accuracies

_DASHES = ("none", "7 3", "2 3")

_TEMPLATES = templates("spicepy.study")
_TEMPLATES.globals |= {"text": cell_text, "numeric": numeric}


def heat_map(matrix: RankMatrix) -> str:
    """A rank-correlation matrix as SVG: blue towards 1, orange towards -1."""
    margin = 16 + 7 * max(map(len, matrix.keys), default=0)
    cell = 44 if len(matrix.keys) <= 12 else 32
    return _render("heat_map.svg", matrix=matrix, margin=margin, cell=cell)


def curve(accuracies: Accuracies, category: str) -> str:
    """Accuracy of every key by number of references as SVG, bars of ± 1 sd."""
    found = [a for a in accuracies.accuracies if a.category == category]
    counts = list(dict.fromkeys(a.references for a in found))
    ends = [a.accuracy + side * _spread(a) for a in found for side in (-1, 1)]
    low, high = min(ends) - 0.02, max(ends) + 0.02
    lines = []
    for k, key in enumerate(dict.fromkeys(a.key for a in found)):
        color = COLORS[k % len(COLORS)]
        dash = _DASHES[k // len(COLORS) % len(_DASHES)]
        points = [_point(a, (low, high)) for a in found if a.key == key]
        lines.append((key, color, dash, points))
    ticks = [(v, _height(v, (low, high))) for v in _ticks(low, high)]
    return _render(
        "curve.svg", category=category, counts=counts, lines=lines, ticks=ticks
    )


def section(result: Study) -> str:
    """The result as an HTML `<section>`: protocol, tables and pictures.

    It brings no style of its own: `page` and the report give it theirs.
    """
    drawn = list(_titled(result))
    first, *others = result.tables()
    return _render(
        "section.html", result=result, first=first, others=others, figures=drawn
    )


def page(result: Study) -> str:
    """The result as a self-contained HTML page."""
    title = result.tables()[0].title
    style = source(_TEMPLATES, "style.css")
    return _render(
        "page.html",
        title=title,
        section=Markup(section(result)),  # escaped by its own template
        style=Markup(style),
        policy=policy(style),
    )


def figures(result: Study) -> Iterator[str]:
    """The result's pictures as SVG text.

    Raises:
        InputError: It has none.
    """
    drawn = [picture for _, picture in _titled(result)]
    if not drawn:
        raise InputError(
            "this result has no picture; loocv draws its rank correlations, pairs the "
            "accuracies of several numbers of references"
        )
    return iter(drawn)


def _html(result: Study) -> Iterator[str]:
    yield page(result)


PICTURES: Mapping[str, Form[Study]] = {".html": _html, ".svg": figures}
"""The forms of a study's result beside those of every result: a page, and one
picture a file."""


def _titled(result: Study) -> Iterator[tuple[str, str]]:
    """Title and SVG text of every picture."""
    if isinstance(result, Loocv):
        for matrix in result.rank_correlations:
            yield matrix.table().title, heat_map(matrix)
    if isinstance(result, Accuracies) and len(set(_counts(result))) > 1:
        for category in dict.fromkeys(a.category for a in result.accuracies):
            title = f"Accuracy by number of references, {category}"
            yield title, curve(result, category)


def _counts(accuracies: Accuracies) -> list[int | None]:
    return [a.references for a in accuracies.accuracies]


def _point(accuracy: Accuracy, limits: tuple[float, float]) -> tuple[float, float, str]:
    """Height of a point, half the length of its bar (0-1 of the plot), its label."""
    height = _height(accuracy.accuracy, limits)
    bar = _spread(accuracy) / (limits[1] - limits[0])
    label = f"{accuracy.key}, {accuracy.references or 'all'} references: "
    return height, bar, f"{label}{accuracy.accuracy:.3f}"


def _spread(accuracy: Accuracy) -> float:
    return 0.0 if isnan(accuracy.sd) else accuracy.sd


def _height(value: float, limits: tuple[float, float]) -> float:
    return (value - limits[0]) / (limits[1] - limits[0])


def _ticks(low: float, high: float) -> list[float]:
    step = next(s for s in (0.01, 0.02, 0.05, 0.1, 0.2) if (high - low) / s <= 8)
    first = int(low / step) + 1
    return [k * step for k in range(first, int(high / step) + 1)]


def _render(name: str, **values: Any) -> str:
    return _TEMPLATES.get_template(name).render(**values)
