"""Figures for papers, drawn by matplotlib (the optional extra `plot`).

In: the evaluations of one or several systems, or their diagnoses. Out: an image
file; the extension names the format (.pdf, .svg, .png).
"""

from collections.abc import Mapping, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np

from spicepy.common import writing
from spicepy.common.errors import InputError, ResourceError
from spicepy.common.pages import COLORS
from spicepy.diagnosis.diagnosis import Diagnosis
from spicepy.diagnosis.words import Aspect, Value, by_size
from spicepy.evaluation.evaluation import Evaluation
from spicepy.evaluation.significance import SEED, Interval, bootstrap
from spicepy.metrics.spice.image import SpiceScore

FORMATS = (".pdf", ".svg", ".png")

_ROOM = 0.55  # inches a category takes on the axis


def check_path(path: Path) -> Path:
    """The path, if a figure can be drawn and written there.

    Raises:
        InputError: See `spicepy.common.writing.check_path`.
        ResourceError: matplotlib is not installed.
    """
    writing.check_path(path, FORMATS)
    _pyplot()
    return path


def plot_categories(
    systems: Mapping[str, Evaluation], path: Path, *, samples: int = 1000
) -> None:
    """Bars of the corpus F of SPICE and its categories, with 95 % intervals.

    Args:
        systems: The evaluation of each system by its name.
        path: The file to write.
        samples: Bootstrap samples of the intervals.

    Raises:
        InputError: SPICE was not computed, or see `check_path`.
        ResourceError: matplotlib is not installed.
    """
    check_path(path)
    found = {name: _intervals(each, samples) for name, each in systems.items()}
    names = list(next(iter(found.values())))
    figure, axes = _figure(max(6.4, _ROOM * len(names) * max(1, len(systems) / 3)), 3.2)
    width = 0.8 / len(systems)
    for i, (name, intervals) in enumerate(found.items()):
        places = np.arange(len(names)) + (i - (len(systems) - 1) / 2) * width
        axes.bar(
            places,
            [x.score for x in intervals.values()],
            width * 0.92,
            yerr=_errors(list(intervals.values())),
            label=name,
            color=COLORS[i % len(COLORS)],
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
    _save(figure, path)


def plot_distributions(
    systems: Mapping[str, Evaluation], path: Path, *, key: str = "spice"
) -> None:
    """Histograms of the images' scores named `key`, one line a system.

    Images where the score is undefined are left out.

    Raises:
        InputError: There is no such score, or see `check_path`.
        ResourceError: matplotlib is not installed.
    """
    check_path(path)
    found = {
        name: [v for v in e.image_scores(key).values() if v is not None]
        for name, e in systems.items()
    }
    highest = max((max(values, default=0.0) for values in found.values()), default=0.0)
    bins = np.linspace(0, highest or 1.0, 26)
    figure, axes = _figure(4.8, 3.2)
    for i, (name, values) in enumerate(found.items()):
        color = COLORS[i % len(COLORS)]
        axes.hist(values, bins=bins, histtype="step", label=name, color=color, lw=1.5)
        if values:
            axes.axvline(float(np.mean(values)), color=color, lw=0.8, ls="--")
    title = next(iter(systems.values())).titles.get(key, key)
    axes.set_xlabel(f"{title} of an image (dashed: mean)")
    axes.set_ylabel("images")
    _finish(axes, systems)
    _save(figure, path)


def plot_confusions(
    systems: Mapping[str, Diagnosis], path: Path, *, aspect: Aspect = "count"
) -> None:
    """Heat maps of the references' value against the candidate's, one a system.

    Raises:
        InputError: No system says any such value, or see `check_path`.
        ResourceError: matplotlib is not installed.
    """
    check_path(path)
    cells = {name: d.confusion(aspect) for name, d in systems.items()}
    said = {v for found in cells.values() for pair in found for v in pair}
    if not said:
        raise InputError(f"no {aspect} is said both in candidates and references")
    values = _axis(said, aspect)
    size = max(2.6, 0.32 * len(values) + 1.2)
    plt = _pyplot()
    figure, grid = plt.subplots(
        1,
        len(cells),
        figsize=(size * len(cells), size),
        layout="constrained",
        squeeze=False,
    )
    for axes, (name, found) in zip(grid[0], cells.items()):
        axes.set(title=name, xlabel=f"{aspect} said", ylabel=f"{aspect} in references")
        _heat_map(axes, values, found)
    _save(figure, path)


def _axis(said: set[Value], aspect: Aspect) -> list[Value]:
    """One to ten and what else is said; words by the alphabet."""
    always: set[Value] = set(range(1, 11)) if aspect == "count" else set()
    return sorted(always | said, key=by_size)


def _heat_map(
    axes: Any, values: Sequence[Value], cells: Mapping[tuple[Value, Value], int]
) -> None:
    """Shades by the logarithm, so that rare confusions stay visible."""
    table = np.array([[cells.get((e, s), 0) for s in values] for e in values])
    shades = np.log1p(table)
    axes.imshow(shades, cmap="Blues")
    words = any(isinstance(value, str) for value in values)
    axes.set_xticks(range(len(values)), values, rotation=90 if words else 0)
    axes.set_yticks(range(len(values)), values)
    for (row, column), number in np.ndenumerate(table):
        if number:
            color = "white" if shades[row, column] > 0.6 * shades.max() else "black"
            place = {"ha": "center", "va": "center"}
            axes.text(column, row, number, color=color, size=6, **place)


def _intervals(evaluation: Evaluation, samples: int) -> dict[str, Interval]:
    """SPICE and its categories by title, the paper's first."""
    measured = evaluation.with_details(SpiceScore)
    if measured is None:
        raise InputError("no SPICE scores: categories need SPICE among the metrics")
    found = bootstrap(measured.metric, measured.statistics, samples=samples, seed=SEED)
    return {title: found[key] for key, title in measured.metric.titles.items()}


def _errors(intervals: Sequence[Interval]) -> list[list[float]]:
    """Lengths below and above the bars; a score may lie outside its interval."""
    below = [max(0.0, x.score - x.low) for x in intervals]
    return [below, [max(0.0, x.high - x.score) for x in intervals]]


def _pyplot() -> Any:
    try:
        import matplotlib
    except ImportError:
        raise ResourceError(
            'figures need matplotlib: pip install "spicepy-captions[plot]"'
        ) from None
    matplotlib.use("agg")
    import matplotlib.pyplot as plt

    return plt


def _figure(width: float, height: float) -> tuple[Any, Any]:
    found: tuple[Any, Any] = _pyplot().subplots(
        figsize=(width, height), layout="constrained"
    )
    return found


def _finish(axes: Any, systems: Mapping[str, Any]) -> None:
    axes.spines[["top", "right"]].set_visible(False)
    if len(systems) > 1:
        axes.legend(frameon=False)


def _save(figure: Any, path: Path) -> None:
    """Write without a date, so that the same scores give the same bytes."""
    kind = path.suffix.lower()
    metadata = {".pdf": {"CreationDate": None}, ".svg": {"Date": None}}.get(kind)
    plt = _pyplot()
    drawn = BytesIO()
    try:
        with plt.rc_context({"svg.hashsalt": "spicepy"}):
            figure.savefig(drawn, format=kind[1:], dpi=200, metadata=metadata)
    finally:
        plt.close(figure)
    with writing.written(path) as file:
        file.write(drawn.getbuffer())
