"""Study results as pictures and as a page: SVG and HTML from jinja2 templates.

In: a result of `loocv`, `correlate`, `pairs` or `stability`. Out: text without any
outside resource; captions never appear in it, names are escaped by the templates.
"""

from collections.abc import Iterator, Mapping, Sequence
from math import isnan
from typing import Any, NamedTuple

from markupsafe import Markup

from spicepy.common.errors import InputError
from spicepy.common.outputs import FileForm
from spicepy.common.pages import COLORS, policy, source, templates
from spicepy.common.tables import cell_text, numeric
from spicepy.study.accuracy import Accuracies
from spicepy.study.correlation import Correlations
from spicepy.study.learning import Stability
from spicepy.study.leave_one_out import Loocv
from spicepy.study.panels import (
    BOUNDS,
    CAPTIONS,
    SYSTEMS,
    bars,
    bound_panel,
    caption_panel,
    system_panel,
)
from spicepy.study.rank_matrix import RankMatrix
from spicepy.study.several_sets import Loocvs

Study = Loocv | Loocvs | Correlations | Accuracies | Stability

_BARS = 300  # width of the bars' plot
_DASHES = ("none", "7 3", "2 3")

_TEMPLATES = templates("spicepy.study")
_TEMPLATES.globals |= {"text": cell_text, "numeric": numeric}


def heat_map(matrix: RankMatrix) -> str:
    """Return a rank-correlation matrix as SVG: blue towards 1, orange towards -1."""
    margin = 16 + 7 * max(map(len, matrix.keys), default=0)
    cell = 44 if len(matrix.keys) <= 12 else 32
    return _render("heat_map.svg", matrix=matrix, margin=margin, cell=cell)


def curve(accuracies: Accuracies, category: str) -> str:
    """Accuracy of every key by number of references as SVG, bars of ± 1 sd."""
    found = [a for a in accuracies.accuracies if a.category == category]
    counts = [str(c or "all") for c in dict.fromkeys(a.references for a in found)]
    lines: dict[str, list[Point]] = {}
    for a in found:
        label = f"{a.key}, {a.references or 'all'} references: {a.accuracy:.3f}"
        lines.setdefault(a.key, []).append(Point(a.accuracy, a.sd, label))
    title = f"Accuracy by number of references, {category}"
    return _curve(title, f"references ({category})", counts, lines)


def learning_curve(found: Stability) -> str:
    """Return mean τ-b with the ranking on all images by number of images, as SVG."""
    lines = {
        key: [
            Point(a.tau, float("nan"), f"{key}, {a.images:,} images: {a.tau:.3f}")
            for a in found.curve(key)
            if not isnan(a.tau)
        ]
        for key in found.keys
    }
    drawn = {key: line for key, line in lines.items() if len(line) == len(found.sizes)}
    title = "τ-b with the ranking of the systems on all images"
    sizes = [f"{size:,}" for size in found.sizes]
    return _curve(title, "images", sizes, drawn)


class Point(NamedTuple):
    """A point of a curve, half the length of its bar (NaN: none), its label."""

    value: float
    sd: float
    label: str


def _curve(
    title: str, across: str, names: Sequence[str], lines: Mapping[str, Sequence[Point]]
) -> str:
    """Return lines over names in equal steps."""
    bars = {key: [_spread(p) for p in line] for key, line in lines.items()}
    ends = [
        p.value + side * bar
        for key, line in lines.items()
        for p, bar in zip(line, bars[key], strict=True)
        for side in (-1, 1)
    ]
    limits = min(ends, default=0.0) - 0.02, max(ends, default=1.0) + 0.02
    drawn = [
        (
            key,
            COLORS[k % len(COLORS)],
            _DASHES[k // len(COLORS) % len(_DASHES)],
            [
                (_height(p.value, limits), bar / (limits[1] - limits[0]), p.label)
                for p, bar in zip(line, bars[key], strict=True)
            ],
        )
        for k, (key, line) in enumerate(lines.items())
    ]
    ticks = [(v, _height(v, limits)) for v in _ticks(*limits)]
    return _render(
        "curve.svg", title=title, across=across, counts=names, lines=drawn, ticks=ticks
    )


def bounds_figure(found: Loocvs) -> str:
    """Upper and lower bounds of all data sets, a panel a metric, as SVG."""
    colors = {name: COLORS[k % len(COLORS)] for k, name in enumerate(found.bounds)}
    return _render(
        "bounds.svg",
        panels=[bound_panel(found, key, colors, BOUNDS) for key in found.keys],
        names=found.names,
        bounds=list(colors.items()),
        width=BOUNDS.width,
        height=BOUNDS.height,
    )


def caption_scatter(found: Correlations, human: str) -> str:
    """Return scores of captions against people's, a panel a metric, as SVG.

    Source: Anderson et al. 2016, SPICE, figure 3 (there over systems).
    """
    panels = [caption_panel(c) for c in found.captions if c.human == human and c.items]
    return _render(
        "panels.svg",
        title=f"Captions: metrics against {human}",
        panels=panels,
        size=CAPTIONS,
        columns=4,
        opacity=0.5,
        legend=f"across: score; upwards: {human}; area: number of captions; line: "
        "least squares",
    )


def system_scatter(found: Correlations, human: str) -> str:
    """Return corpus scores of systems against people's, with names, as SVG.

    Source: Anderson et al. 2016, SPICE, figure 3.
    """
    panels = [system_panel(s) for s in found.systems if s.human == human and s.names]
    return _render(
        "panels.svg",
        title=f"Systems: metrics against {human}",
        panels=panels,
        size=SYSTEMS,
        columns=3,
        opacity=0.9,
        legend=f"across: corpus score; upwards: mean of {human}; line: least squares",
    )


def tau_bars(found: Correlations, human: str) -> str:
    """τ-b of every metric with its interval as SVG."""
    chosen = [c for c in found.captions if c.human == human]
    drawn, zero = bars(chosen, _BARS)
    resampled = found.protocol.get("interval", "none") != "none"
    level = 100 * float(found.protocol.get("level", 0.95))
    return _render(
        "bars.svg",
        title=f"Kendall's τ-b with {human}",
        bars=drawn,
        zero=zero,
        width=_BARS,
        margin=16 + 7 * max((len(bar.key) for bar in drawn), default=0),
        legend=f"whiskers: {level:g} % interval" if resampled else "",
    )


def section(result: Study) -> str:
    """Return the result as an HTML `<section>`: protocol, tables and pictures.

    It brings no style of its own: `page` and the report give it theirs.
    """
    drawn = list(_titled(result))
    first, *others = result.tables()
    return _render(
        "section.html", result=result, first=first, others=others, figures=drawn
    )


def page(result: Study) -> str:
    """Return the result as a self-contained HTML page."""
    title = result.tables()[0].title
    style = source(_TEMPLATES, "style.css")
    return _render(
        "page.html",
        title=title,
        section=Markup(section(result)),  # escaped by its own template
        style=Markup(style),
        policy=policy(style),
    )


def draw_figures(result: Study) -> Iterator[str]:
    """Return the result's pictures as SVG text.

    Raises:
        InputError: It has none.
    """
    drawn = [picture for _, picture in _titled(result)]
    if not drawn:
        raise InputError(
            "this result has no picture; loocv draws its rank correlations, correlate "
            "metrics against people, pairs the accuracies of several numbers of "
            "references"
        )
    return iter(drawn)


def _html(result: Study) -> Iterator[str]:
    yield page(result)


PICTURES: Mapping[str, FileForm[Study]] = {".html": _html, ".svg": draw_figures}
"""The forms of a study's result beside those of every result: a page, and one
picture a file."""


def _titled(result: Study) -> Iterator[tuple[str, str]]:
    """Title and SVG text of every picture."""
    if isinstance(result, Loocv):
        for matrix in result.rank_correlations:
            yield matrix.table().title, heat_map(matrix)
    if isinstance(result, Loocvs):
        yield "Bounds of the data sets", bounds_figure(result)
        for name, each in zip(result.names, result.results):
            for matrix in each.rank_correlations:
                yield matrix.table(f"{name}: ").title, heat_map(matrix)
    if isinstance(result, Stability):
        yield (
            "Mean τ-b with the ranking of the systems on all images",
            learning_curve(result),
        )
    if isinstance(result, Correlations):
        yield from _against_people(result)
    if isinstance(result, Accuracies) and len(set(_counts(result))) > 1:
        for category in dict.fromkeys(a.category for a in result.accuracies):
            title = f"Accuracy by number of references, {category}"
            yield title, curve(result, category)


def _against_people(result: Correlations) -> Iterator[tuple[str, str]]:
    """Bars, captions and systems, for each human column."""
    for human in dict.fromkeys(c.human for c in result.captions):
        yield f"Kendall's τ-b with {human}, captions", tau_bars(result, human)
        yield f"Captions: metrics against {human}", caption_scatter(result, human)
    for human in dict.fromkeys(s.human for s in result.systems if s.names):
        yield f"Systems: metrics against {human}", system_scatter(result, human)


def _counts(accuracies: Accuracies) -> list[int | None]:
    return [a.references for a in accuracies.accuracies]


def _spread(point: Point) -> float:
    return 0.0 if isnan(point.sd) else point.sd


def _height(value: float, limits: tuple[float, float]) -> float:
    return (value - limits[0]) / (limits[1] - limits[0])


def _ticks(low: float, high: float) -> list[float]:
    step = next(s for s in (0.01, 0.02, 0.05, 0.1, 0.2, 0.5) if (high - low) / s <= 8)
    first = int(low / step) + 1
    return [k * step for k in range(first, int(high / step) + 1)]


def _render(name: str, **values: Any) -> str:
    return _TEMPLATES.get_template(name).render(**values)
