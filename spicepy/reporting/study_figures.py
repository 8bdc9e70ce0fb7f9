"""Study results as pictures and as a page: SVG and HTML from jinja2 templates.

The text needs no other file and has no captions; the templates escape names.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import isnan
from pathlib import Path
from typing import Any, NamedTuple, Protocol, get_args

from spicepy.captions.sample import keys_of
from spicepy.common.errors import InputError, brief, counted
from spicepy.common.files import load_json, name_of, read_text
from spicepy.common.json_values import from_plain
from spicepy.common.pages import COLORS, Templates, policy, safe
from spicepy.common.tables import Table, cell_text, numeric
from spicepy.common.writing import FileForm
from spicepy.reporting.study_panels import (
    BOUNDS,
    CAPTIONS,
    SYSTEMS,
    bars,
    bound_panel,
    caption_panel,
    system_panel,
)
from spicepy.study.accuracy import Accuracies, of_references
from spicepy.study.coefficients import RankMatrix
from spicepy.study.correlation import Correlations, Stability
from spicepy.study.leave_one_out import Loocv, Loocvs

Study = Loocv | Loocvs | Correlations | Accuracies | Stability

_BARS = 300  # width of the bars' plot
_DASHES = ("none", "7 3", "2 3")

_TEMPLATES = Templates(
    "spicepy.reporting", {"text": cell_text, "numeric": numeric}, folder="studies"
)


def heat_map(matrix: RankMatrix) -> str:
    """Return a rank-correlation matrix as SVG: blue towards 1, orange towards -1."""
    margin = 16 + 7 * max(map(len, matrix.keys), default=0)
    cell = 44 if len(matrix.keys) <= 12 else 32
    return _render("heat_map.svg", matrix=matrix, margin=margin, cell=cell)


def curve(accuracies: Accuracies, category: str) -> str:
    """Return the accuracy of every key by number of references as SVG, with ± 1 sd."""
    chosen = [a for a in accuracies.accuracies if a.category == category]
    counts = [str(c or "all") for c in dict.fromkeys(a.references for a in chosen)]
    lines: dict[str, list[Point]] = {}
    for a in chosen:
        label = f"{a.key}, {of_references(a.references)}: {a.accuracy:.3f}"
        sd = 0.0 if isnan(a.sd) else a.sd
        point = Point(a.accuracy, a.accuracy - sd, a.accuracy + sd, label)
        lines.setdefault(a.key, []).append(point)
    title = f"Accuracy by number of references, {category}"
    return draw_lines(title, f"references ({category})", counts, lines)


def learning_curve(result: Stability) -> str:
    """Return mean τ-b with the ranking on all images by number of images, as SVG."""
    lines = {
        key: [
            Point(
                a.tau, a.tau, a.tau, f"{key}, {counted(a.images, 'image')}: {a.tau:.3f}"
            )
            for a in result.curve(key)
            if not isnan(a.tau)
        ]
        for key in result.keys
    }
    drawn = {key: line for key, line in lines.items() if len(line) == len(result.sizes)}
    title = "τ-b with the ranking of the systems on all images"
    sizes = [f"{size:,}" for size in result.sizes]
    return draw_lines(title, "images", sizes, drawn)


class Point(NamedTuple):
    """A point of a line, the ends of its bar (its value: no bar), its label."""

    value: float
    low: float
    high: float
    label: str


def draw_lines(
    title: str, across: str, names: Sequence[str], lines: Mapping[str, Sequence[Point]]
) -> str:
    """Return lines as SVG; a line may end before the others."""
    # `across` is the kind of the names, which are places from the left in equal steps.
    ends = [end for line in lines.values() for p in line for end in (p.low, p.high)]
    limits = min(ends, default=0.0) - 0.02, max(ends, default=1.0) + 0.02
    drawn = [
        (
            key,
            COLORS[k % len(COLORS)],
            _DASHES[k // len(COLORS) % len(_DASHES)],
            [
                (*(_height(v, limits) for v in (p.value, p.low, p.high)), p.label)
                for p in line
            ],
        )
        for k, (key, line) in enumerate(lines.items())
    ]
    ticks = [(v, _height(v, limits)) for v in _ticks(*limits)]
    return _render(
        "curve.svg", title=title, across=across, counts=names, lines=drawn, ticks=ticks
    )


def bounds_figure(result: Loocvs) -> str:
    """Return upper and lower bounds of all data sets, one panel per metric, as SVG."""
    colors = {name: COLORS[k % len(COLORS)] for k, name in enumerate(result.bounds)}
    return _render(
        "bounds.svg",
        panels=[bound_panel(result, key, colors, BOUNDS) for key in result.keys],
        names=result.names,
        bounds=list(colors.items()),
        width=BOUNDS.width,
        height=BOUNDS.height,
    )


def caption_scatter(result: Correlations, human: str) -> str:
    """Return scores of captions against human ratings, one panel per metric, as SVG.

    Source: Anderson et al. 2016, SPICE, figure 3 (there over systems).
    """
    panels = [caption_panel(c) for c in result.captions if c.human == human and c.items]
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


def system_scatter(result: Correlations, human: str) -> str:
    """Return corpus scores of systems against human ratings, with names, as SVG.

    Source: Anderson et al. 2016, SPICE, figure 3.
    """
    panels = [system_panel(s) for s in result.systems if s.human == human and s.names]
    return _render(
        "panels.svg",
        title=f"Systems: metrics against {human}",
        panels=panels,
        size=SYSTEMS,
        columns=3,
        opacity=0.9,
        legend=f"across: corpus score; upwards: mean of {human}; line: least squares",
    )


def tau_bars(result: Correlations, human: str) -> str:
    """Return τ-b of every metric with its interval as SVG."""
    chosen = [c for c in result.captions if c.human == human]
    drawn, zero = bars(chosen, _BARS)
    resampled = result.protocol.get("interval", "none") != "none"
    level = 100 * float(result.protocol.get("level", 0.95))
    return _render(
        "bars.svg",
        title=f"Kendall's τ-b with {human}",
        bars=drawn,
        zero=zero,
        width=_BARS,
        margin=16 + 7 * max((len(bar["key"]) for bar in drawn), default=0),
        legend=f"whiskers: {level:g} % interval" if resampled else "",
    )


class Shown(Protocol):
    """A result that a section can show, beside its pictures."""

    @property
    def protocol(self) -> Mapping[str, object]:
        """The protocol of the comparison, line by line."""

    @property
    def signatures(self) -> Sequence[str]:
        """Everything that can change the numbers."""

    def tables(self) -> Sequence[Table]:
        """Return the tables; the first stands open."""


def section(result: Shown, figures: Iterable[tuple[str, str]] | None = None) -> str:
    """Return the result as an HTML `<section>`: protocol, tables and pictures."""
    # It has no style: `page` and the report add theirs. `figures` are titles and SVG
    # pictures; those of a study's result if None.
    drawn = list(_titled(result) if figures is None else figures)
    first, *others = result.tables()
    return _render(
        "section.html",
        result=result,
        first=first,
        others=others,
        figures=drawn,
        folded=bool(drawn) or figures is not None,
    )


def page(result: Shown, figures: Iterable[tuple[str, str]] | None = None) -> str:
    """Return the result as a self-contained HTML page; see `section`."""
    title = result.tables()[0].title
    style = _TEMPLATES.source("style.css")
    return _render(
        "page.html",
        title=title,
        section=safe(section(result, figures)),  # escaped by its own template
        style=safe(style),
        policy=policy(style),
    )


def pictures(figures: Iterable[tuple[str, str]], missing: str) -> list[str]:
    """Return the pictures of titled ones; the message `missing` says why if none is."""
    drawn = [picture for _, picture in figures]
    if not drawn:
        raise InputError(missing)
    return drawn


_NO_PICTURE = (
    "this result has no picture; loocv draws its rank correlations, correlate metrics "
    "against people, pairs the accuracies of several numbers of references"
)
PICTURES: Mapping[str, FileForm[Study]] = {
    ".html": lambda result: [page(result)],
    ".svg": lambda result: pictures(_titled(result), _NO_PICTURE),
}
"""The forms of a study's result beside those of every result: a page, and one
picture a file."""


def _titled(result: object) -> Iterator[tuple[str, str]]:
    """Yield the title and SVG text of every picture."""
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
    if isinstance(result, Accuracies):
        several = len({a.references for a in result.accuracies}) > 1
        for category in dict.fromkeys(a.category for a in result.accuracies if several):
            title = f"Accuracy by number of references, {category}"
            yield title, curve(result, category)


def _against_people(result: Correlations) -> Iterator[tuple[str, str]]:
    """Yield bars, captions and systems, for each human column."""
    for human in dict.fromkeys(c.human for c in result.captions):
        yield f"Kendall's τ-b with {human}, captions", tau_bars(result, human)
        yield f"Captions: metrics against {human}", caption_scatter(result, human)
    for human in dict.fromkeys(s.human for s in result.systems if s.names):
        yield f"Systems: metrics against {human}", system_scatter(result, human)


def _height(value: float, limits: tuple[float, float]) -> float:
    return (value - limits[0]) / (limits[1] - limits[0])


def _ticks(low: float, high: float) -> list[float]:
    step = next(s for s in (0.01, 0.02, 0.05, 0.1, 0.2, 0.5) if (high - low) / s <= 8)
    first = int(low / step) + 1
    return [k * step for k in range(first, int(high / step) + 1)]


def _render(name: str, **values: Any) -> str:
    return _TEMPLATES.render(name, **values)


# Read the results of studies from their JSON files.

_HEADING = ("schema_version", "spicepy", "study")
_KINDS = {kind.study: kind for kind in get_args(Study)}
_WRITTEN = (
    "--output FILE.json of spicepy loocv, correlate, pairs or stability writes one"
)
_NO_STUDY = f"not a study's result; {_WRITTEN}"


def read_result(path: str | Path) -> Study:
    """Read the result of a study from the `.json` file that it was written to.

    Raises:
        InputError: The file is missing, is not a result, or a part of it is wrong.
    """
    text, name = read_text(path), name_of(path)
    try:
        values = load_json(text, name)
    except InputError as error:
        raise InputError(f"{error}; {_WRITTEN}") from None
    if not isinstance(values, dict):
        raise InputError(f"{name}: a JSON {type(values).__name__}, {_NO_STUDY}")
    study = values.get("study")
    if not isinstance(study, str) or study not in _KINDS:
        raise InputError(f"{name}: an object ({keys_of(values)}), {_NO_STUDY}")
    known = {n: v for n, v in values.items() if n not in _HEADING}
    try:
        result: Study = from_plain(_KINDS[study], known)
        section(result)  # Files are not trusted: what can be shown is whole.
    except Exception as error:
        reason = f"{type(error).__name__}: {brief(str(error), 80)}"
        raise InputError(
            f"{name}: a part of this result of {study} is missing or wrong ({reason}); "
            f"{_WRITTEN}"
        ) from None
    return result
