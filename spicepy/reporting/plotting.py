"""Figures for papers, drawn by matplotlib (the optional extra `plot`)."""

import math
from collections.abc import Mapping, Sequence
from io import BytesIO
from pathlib import Path
from textwrap import fill
from typing import Any

import numpy as np

from spicepy.common import writing
from spicepy.common.errors import InputError, ResourceError
from spicepy.common.pages import COLORS
from spicepy.common.settings import SEED
from spicepy.diagnosis.lexicon.aspects import Aspect
from spicepy.diagnosis.results.diagnosis import Diagnosis
from spicepy.diagnosis.results.sums import (
    ABSENT,
    UNSAID,
    ConfusionMap,
    confusion_map,
    in_order,
)
from spicepy.evaluation.evaluation import Evaluation
from spicepy.graph.formats import BLUE, FONT_SIZE, drawn, svg_of
from spicepy.graph.scene import SceneGraph
from spicepy.metrics.significance import Interval, bootstrap
from spicepy.metrics.spice import SpiceScore

FORMATS = (".pdf", ".svg", ".png")

_ROOM = 0.55  # inches a category takes on the axis
_HATCHES = ("", "///", "xxx", "...")
_DASHES = ("-", "--", ":", "-.")
_ABREAST = 3  # maps in a row
_CELL = 0.32  # inches
_LEGEND = 40  # letters in a line
_LETTER = 0.085  # inches a letter of a title takes


def check_path(path: Path) -> Path:
    """Return the path, if a figure can be drawn by matplotlib and written there."""
    writing.check_path(path, FORMATS)
    _matplotlib()
    return path


def plot_categories(
    systems: Mapping[str, Evaluation], path: Path, *, samples: int = 1000
) -> None:
    """Plot the corpus F of SPICE and its categories as bars with 95 % intervals."""
    check_path(path)
    of_system = {name: _intervals(each, samples) for name, each in systems.items()}
    names = list(next(iter(of_system.values())))
    figure = _figure(max(6.4, _ROOM * len(names) * max(1, len(systems) / 3)), 3.2)
    axes = figure.subplots()
    width = 0.8 / len(systems)
    for i, (name, intervals) in enumerate(of_system.items()):
        places = np.arange(len(names)) + (i - (len(systems) - 1) / 2) * width
        axes.bar(
            places,
            [x.score for x in intervals.values()],
            width * 0.92,
            yerr=_errors(list(intervals.values())),
            label=name,
            color=COLORS[i % len(COLORS)],
            hatch=_HATCHES[i // len(COLORS) % len(_HATCHES)],
            error_kw={"elinewidth": 0.8},
        )
    crowded = len(names) > 8
    axes.set_xticks(
        range(len(names)),
        names,
        rotation=40 * crowded,
        ha="right" if crowded else "center",
    )
    axes.set_ylabel("F-score")
    _finish(axes, systems)
    _save(figure, path, next(iter(systems.values())).signature)


def plot_distributions(
    systems: Mapping[str, Evaluation], path: Path, *, key: str = "spice"
) -> None:
    """Plot histograms of the images' scores named `key`, one line per system."""
    # Images where the score is undefined are left out.
    check_path(path)
    of_system = {
        name: [v for v in e.image_scores(key).values() if not math.isnan(v)]
        for name, e in systems.items()
    }
    if not any(of_system.values()):
        raise InputError(f"{key} is undefined for all images; nothing to plot")
    most = (max(values, default=0.0) for values in of_system.values())
    highest = max(most, default=0.0)
    bins = np.linspace(0, highest or 1.0, 26)
    figure = _figure(4.8, 3.2)
    axes = figure.subplots()
    for i, (name, values) in enumerate(of_system.items()):
        color = COLORS[i % len(COLORS)]
        look = {"color": color, "ls": _DASHES[i // len(COLORS) % len(_DASHES)]}
        axes.hist(values, bins=bins, histtype="step", label=name, lw=1.5, **look)
        if values:
            axes.axvline(float(np.mean(values)), color=color, lw=0.8, ls="--")
    title = next(iter(systems.values())).titles.get(key, key)
    axes.set_xlabel(f"{title} of an image (dashed: mean)")
    axes.set_ylabel("images")
    _finish(axes, systems)
    _save(figure, path, next(iter(systems.values())).signature)


def plot_confusions(
    systems: Mapping[str, Diagnosis], path: Path, *, aspect: Aspect = "count"
) -> None:
    """Plot heat maps of the references' values against the candidates', by system."""
    # Each row has the shares of its objects; the diagonal is outlined. The last two
    # columns are objects that the candidate names without a value, and objects that it
    # does not name. Numbers of four or more share a row.
    check_path(path)
    if not any(d.confusion(aspect) for d in systems.values()):
        raise InputError(f"no {aspect} is said both in candidates and references")
    maps = {name: confusion_map(aspect, d.of(aspect)) for name, d in systems.items()}
    rows = in_order(aspect, {row for shown in maps.values() for row in shown.rows})
    width = max(3, _CELL * (len(rows) + 2) + 1.6)
    height = max(3, _CELL * len(rows) + 2)  # room for long names of systems and words
    across = min(_ABREAST, len(maps))
    down = -(-len(maps) // across)
    figure = _figure(width * across, height * down)
    grid = figure.subplots(down, across, squeeze=False)
    for axes, (name, own) in zip(grid.flat, maps.items()):
        axes.set_title(fill(name, int(0.8 * width / _LETTER)), size=10)
        _heat_map(axes, rows, own)
    for axes in grid.flat[len(maps) :]:
        axes.set_visible(False)
    _save(figure, path, next(iter(systems.values())).signature)


def plot_graph(graph: SceneGraph, path: Path) -> None:
    """Draw a scene graph: objects red, attributes green, relations blue."""
    if path.suffix.lower() == ".svg":
        writing.write_text(path, [svg_of(graph)])
        return
    (width, height), texts, arrows = drawn(graph)
    figure = _matplotlib().figure.Figure(figsize=(width / 72, height / 72))
    axes = figure.add_axes((0, 0, 1, 1), xlim=(0, width), ylim=(height, 0))
    axes.set_axis_off()
    for (x, y), words, color, bold in texts:
        look = {"color": color, "weight": "bold" if bold else "normal"}
        axes.text(x, y, words, size=FONT_SIZE, ha="center", parse_math=False, **look)
    for start, end in arrows:
        arrow = {"arrowstyle": "->", "color": BLUE, "shrinkA": 0, "shrinkB": 0}
        axes.annotate("", end, start, arrowprops=arrow)
    _save(figure, path, "")


def _heat_map(axes: Any, rows: Sequence[str], map_: ConfusionMap) -> None:
    """Draw the shares of rows in percent, and outline the diagonal."""
    from matplotlib.patches import Rectangle

    columns = [*rows, UNSAID, ABSENT]
    shares = np.array([[map_.share(row, c) for c in columns] for row in rows])
    axes.imshow(shares, cmap="Blues", vmin=0, vmax=1)
    axes.axvline(len(rows) - 0.5, color="0.6", lw=0.8)
    axes.set_xticks(range(len(columns)), columns, rotation=90)
    axes.set_yticks(
        range(len(rows)), [f"{row} ({map_.objects(row):.0f})" for row in rows]
    )
    for k in range(len(rows)):
        corner = k - 0.5, k - 0.5
        axes.add_patch(Rectangle(corner, 1, 1, fill=False, ec="0.2", lw=0.9))
    for (row, column), share in np.ndenumerate(shares):
        if share:
            color = "white" if share > 0.6 else "black"
            place = {"ha": "center", "va": "center"}
            axes.text(column, row, f"{100 * share:.0f}", color=color, size=6, **place)
    axes.set_xlabel("\n".join((f"{map_.aspect} said, % of the row", *map_.notes())))
    axes.set_ylabel(f"{map_.aspect} in references (objects)")


def _intervals(evaluation: Evaluation, samples: int) -> dict[str, Interval]:
    """Return SPICE and its categories by title, the paper's first."""
    measured = evaluation.with_details(SpiceScore)
    if measured is None:
        raise InputError("no SPICE scores: categories need SPICE among the metrics")
    bootstrapped = bootstrap(
        measured.metric, measured.statistics, samples=samples, seed=SEED
    )
    return {title: bootstrapped[key] for key, title in measured.metric.titles.items()}


def _errors(intervals: Sequence[Interval]) -> list[list[float]]:
    """Return the lengths of whiskers; a score may lie outside its interval."""
    below = [max(0.0, x.score - x.low) for x in intervals]
    return [below, [max(0.0, x.high - x.score) for x in intervals]]


def _matplotlib() -> Any:
    try:
        import matplotlib.figure
    except ImportError:
        raise ResourceError(
            'figures need matplotlib: pip install "spicepy-captions[plot]"'
        ) from None
    return matplotlib


def _figure(width: float, height: float) -> Any:
    """Return a figure that no backend shows, and that leaves the user's as it is."""
    return _matplotlib().figure.Figure(figsize=(width, height), layout="constrained")


def _finish(axes: Any, systems: Mapping[str, Any]) -> None:
    axes.spines[["top", "right"]].set_visible(False)
    if len(systems) > 1:
        handles, names = axes.get_legend_handles_labels()
        short = [fill(name, _LEGEND) for name in names]
        place = "outside upper center"
        axes.figure.legend(handles, short, frameon=False, loc=place, ncols=4)


def _save(figure: Any, path: Path, signature: str) -> None:
    """Write without a date, so that the same scores give the same bytes."""
    kind = path.suffix.lower()
    metadata = {
        ".pdf": {"CreationDate": None, "Subject": signature},
        ".svg": {"Date": None, "Description": signature},
        ".png": {"Description": signature},
    }.get(kind)
    drawn = BytesIO()
    with _matplotlib().rc_context({"svg.hashsalt": "spicepy"}):
        options = {"metadata": metadata, "bbox_inches": "tight"}
        figure.savefig(drawn, format=kind[1:], dpi=200, **options)
    with writing.written(path) as file:
        file.write(drawn.getbuffer())
