"""Figures for papers, drawn by matplotlib (the optional extra `plot`).

In: the evaluations of one or several systems, or their diagnoses. Out: an image
file; the extension names the format (.pdf, .svg, .png).
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from spicepy.comparison import TITLES
from spicepy.diagnosis import Aspect, Diagnosis
from spicepy.errors import InputError, ResourceError
from spicepy.evaluation import Evaluation
from spicepy.significance import SEED, bootstrap

FORMATS = (".pdf", ".svg", ".png")
COLORS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#777777")
"""Okabe & Ito's colours, distinct for colour-blind readers."""


def plot_categories(
    systems: Mapping[str, Evaluation], path: Path, *, samples: int = 1000
) -> None:
    """Bars of the corpus F of SPICE and its categories, with 95 % intervals.

    Raises:
        InputError: SPICE was not computed, or the file's format is unknown.
        ResourceError: matplotlib is not installed.
    """
    plt = _pyplot(path)
    keys = [key for key in TITLES if key in next(iter(systems.values())).keys]
    if not keys:
        raise InputError("no SPICE scores: categories need --metrics spice")
    figure, axes = plt.subplots(figsize=(6.4, 3.2), layout="constrained")
    width = 0.8 / len(systems)
    for i, (name, evaluation) in enumerate(systems.items()):
        intervals = _intervals(evaluation, keys, samples)
        scores = [x.score for x in intervals]
        errors = [
            [x.score - x.low for x in intervals],
            [x.high - x.score for x in intervals],
        ]
        places = np.arange(len(keys)) + (i - (len(systems) - 1) / 2) * width
        axes.bar(
            places,
            scores,
            width * 0.92,
            yerr=errors,
            label=name,
            color=COLORS[i % len(COLORS)],
            error_kw={"elinewidth": 0.8},
        )
    axes.set_xticks(range(len(keys)), [TITLES[key] for key in keys])
    axes.set_ylabel("F-score")
    _finish(axes, systems)
    _save(figure, path)


def plot_distributions(
    systems: Mapping[str, Evaluation], path: Path, *, key: str = "spice"
) -> None:
    """Histograms of the images' scores named `key`, one line a system.

    Raises:
        InputError: There is no such score, or the file's format is unknown.
        ResourceError: matplotlib is not installed.
    """
    plt = _pyplot(path)
    figure, axes = plt.subplots(figsize=(4.8, 3.2), layout="constrained")
    found = {
        name: [v for v in e.image_scores(key).values() if v is not None]
        for name, e in systems.items()
    }
    highest = max((max(values, default=0.0) for values in found.values()), default=1.0)
    bins = np.linspace(0, max(highest, 1e-9), 26)
    for i, (name, values) in enumerate(found.items()):
        color = COLORS[i % len(COLORS)]
        axes.hist(values, bins=bins, histtype="step", label=name, color=color, lw=1.5)
        if values:
            axes.axvline(float(np.mean(values)), color=color, lw=0.8, ls="--")
    axes.set_xlabel(f"{TITLES.get(key, key)} of an image (dashed: mean)")
    axes.set_ylabel("images")
    _finish(axes, systems)
    _save(figure, path)


def plot_confusions(
    systems: Mapping[str, Diagnosis], path: Path, *, aspect: Aspect = "count"
) -> None:
    """Heat maps of the references' value against the candidate's, one a system.

    Raises:
        InputError: No system says any such value, or the format is unknown.
        ResourceError: matplotlib is not installed.
    """
    plt = _pyplot(path)
    cells = {name: d.confusion(aspect) for name, d in systems.items()}
    values = sorted(
        {v for found in cells.values() for pair in found for v in pair},
        key=lambda value: (isinstance(value, str), value),
    )
    if not values:
        raise InputError(f"no {aspect} is said both in candidates and references")
    size = max(2.6, 0.32 * len(values) + 1.2)
    figure, grid = plt.subplots(
        1,
        len(cells),
        figsize=(size * len(cells), size),
        layout="constrained",
        squeeze=False,
    )
    for axes, (name, found) in zip(grid[0], cells.items()):
        table = np.array([[found.get((e, s), 0) for s in values] for e in values])
        axes.imshow(np.log1p(table), cmap="Blues")
        ticks = range(len(values))
        axes.set_xticks(ticks, values, rotation=90 if aspect != "count" else 0)
        axes.set_yticks(ticks, values)
        axes.set(title=name, xlabel=f"{aspect} said", ylabel=f"{aspect} in references")
        for (row, column), number in np.ndenumerate(table):
            if number:
                dark = np.log1p(number) > 0.6 * np.log1p(table.max())
                color = "white" if dark else "black"
                axes.text(
                    column, row, number, ha="center", va="center", color=color, size=6
                )
    _save(figure, path)


def _intervals(evaluation: Evaluation, keys: list[str], samples: int) -> list[Any]:
    for measured in evaluation.measured:
        if keys[0] in measured.metric.keys:
            found = bootstrap(
                measured.metric, measured.statistics, samples=samples, seed=SEED
            )
            return [found[key] for key in keys]
    raise InputError(f"no score {keys[0]!r}")


def _pyplot(path: Path) -> Any:
    if path.suffix.lower() not in FORMATS:
        raise InputError(f"{path}: cannot draw this kind; use {', '.join(FORMATS)}")
    try:
        import matplotlib
    except ImportError:
        raise ResourceError(
            'figures need matplotlib: pip install "spicepy-captions[plot]"'
        ) from None
    matplotlib.use("agg")
    import matplotlib.pyplot as plt

    return plt


def _finish(axes: Any, systems: Mapping[str, Any]) -> None:
    axes.spines[["top", "right"]].set_visible(False)
    if len(systems) > 1:
        axes.legend(frameon=False)


def _save(figure: Any, path: Path) -> None:
    import matplotlib.pyplot as plt

    # No date inside the file: the same scores give the same bytes.
    kind = path.suffix.lower()
    metadata = {".pdf": {"CreationDate": None}, ".svg": {"Date": None}}.get(kind)
    figure.savefig(path, dpi=200, metadata=metadata)
    plt.close(figure)
