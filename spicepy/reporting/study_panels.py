"""Panels: metrics against people as points and bars, and bounds of data sets."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil, floor, isnan, log10, sqrt
from typing import Any

import numpy as np

from spicepy.common.errors import counted
from spicepy.study.captions import Correlation, Scatter, line
from spicepy.study.coefficients import SYMBOLS, Coefficient
from spicepy.study.leave_one_out import UPPER, Loocvs
from spicepy.study.systems import SystemCorrelation

_MAX_RADIUS = 5.0  # The radius of the point with most captions.
_LINE = 11  # The height of a label.
_LETTER = 5.3  # The mean width of a letter.
_NAME = 22  # The most letters of a system's name.

Limits = tuple[float, float]
Drawn = dict[str, Any]
"""The values of a template's bar, mark or panel by their names there."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A point with its radius and explanation, and the label beside it, if any."""

    x: float
    y: float
    radius: float
    title: str
    label: str = ""
    label_y: float = 0.0
    left: bool = False


@dataclass(frozen=True, slots=True)
class Size:
    """Width and height of a panel's plot."""

    width: float
    height: float


CAPTIONS = Size(150, 120)
BOUNDS = Size(220, 160)
SYSTEMS = Size(240, 200)


def caption_panel(correlation: Correlation) -> Drawn:
    """Return captions' scores against ratings; areas are numbers of captions."""
    points, size = correlation.scatter, CAPTIONS
    most = max(points.captions, default=1)
    axes = _axes(points, size)
    marks = tuple(
        Mark(
            *axes.place(x, y),
            max(0.8, _MAX_RADIUS * sqrt(n / most)),
            counted(n, "caption"),
        )
        for x, y, n in zip(points.scores, points.ratings, points.captions)
    )
    return axes.panel(
        _title(correlation.key, correlation.coefficients[0]), marks, points
    )


def system_panel(correlation: SystemCorrelation) -> Drawn:
    """Return every system by name."""
    size = SYSTEMS
    fitted = line(np.array(correlation.scores), np.array(correlation.ratings))
    points = Scatter(
        correlation.scores, correlation.ratings, (1,) * len(correlation.scores), *fitted
    )
    axes = _axes(points, size)
    marks: list[Mark] = []
    order = sorted(range(len(correlation.names)), key=lambda i: -correlation.ratings[i])
    for i in order:
        x, y = axes.place(correlation.scores[i], correlation.ratings[i])
        name = correlation.names[i]
        title = (
            f"{name}: {correlation.scores[i]:.3f}, people {correlation.ratings[i]:.3f}"
        )
        label = name if len(name) <= _NAME else f"{name[: _NAME - 1]}…"
        left = x > size.width / 2
        marks.append(Mark(x, y, 3.5, title, label, _free(marks, x, y, label), left))
    return axes.panel(
        _title(correlation.key, correlation.coefficients[0]), marks, points
    )


def bars(
    correlations: Sequence[Correlation], width: float
) -> tuple[list[Drawn], float]:
    """Return τ-b of every metric with its interval, best first, and the zero."""
    known = [c for c in correlations if not isnan(c["kendall-b"].value)]
    known.sort(key=lambda c: -c["kendall-b"].value)
    ends = [v for c in known for v in _ends(c["kendall-b"])]
    low, high = min([0.0, *ends]), max([0.0, *ends])
    scale = width / ((high - low) or 1.0)
    drawn = []
    for c in known:
        tau = c["kendall-b"]
        first, last = (scale * (v - low) for v in _ends(tau))
        start, end = sorted((scale * -low, scale * (tau.value - low)))
        lengths = {"start": start, "length": end - start, "low": first, "high": last}
        drawn.append({"key": c.key, **lengths, "text": f"{tau.value:.3f}"})
    return drawn, scale * -low


def _ends(coefficient: Coefficient) -> Limits:
    return (
        (coefficient.value, coefficient.value)
        if isnan(coefficient.low)
        else (coefficient.low, coefficient.high)
    )


def bound_panel(
    loocvs: Loocvs, key: str, colors: Mapping[str, str], size: Size
) -> Drawn:
    """Return all data sets' bounds of one key, micro; the upper one with ± 1 sd."""
    rows = [
        (i, name, s, s.sd if s.bound == UPPER and s.sd == s.sd else 0.0)
        for i, (name, result) in enumerate(zip(loocvs.names, loocvs.results))
        for s in result.summaries
        if s.key == key and s.micro == s.micro
    ]
    ends = [s.micro + side * sd for _, _, s, sd in rows for side in (-1, 1)]
    axes = _Axes((0.0, float(len(loocvs.names))), _limits([0.0, *ends]), size)
    marks = []
    for i, name, s, sd in rows:
        x, y = axes.place(i + 0.5, s.micro)
        bar = y - axes.place(0, s.micro + sd)[1]
        title = f"{name}, {s.bound}: {s.micro:.3f}"
        color = colors[s.bound]
        marks.append({"x": x, "y": y, "bar": bar, "color": color, "title": title})
    ticks = tuple((axes.place(0, v)[1], t) for v, t in _ticks(*axes.y))
    return {"key": key, "marks": marks, "ticks": ticks}


@dataclass(frozen=True, slots=True)
class _Axes:
    x: Limits
    y: Limits
    size: Size

    def place(self, score: float, rating: float) -> tuple[float, float]:
        x = (score - self.x[0]) / (self.x[1] - self.x[0]) * self.size.width
        y = (rating - self.y[0]) / (self.y[1] - self.y[0]) * self.size.height
        return x, self.size.height - y

    def panel(self, title: str, marks: Sequence[Mark], points: Scatter) -> Drawn:
        """Return marks with their regression line and the ticks of both axes."""
        return {
            "title": title,
            "marks": marks,
            "ends": self._ends(points),
            "x_ticks": [(self.place(v, 0)[0], t) for v, t in _ticks(*self.x)],
            "y_ticks": [(self.place(0, v)[1], t) for v, t in _ticks(*self.y)],
        }

    def _ends(self, points: Scatter) -> tuple[float, float, float, float] | None:
        """Return the regression line between the outer points, within the range."""
        if isnan(points.slope):
            return None
        x = np.array([min(points.scores), max(points.scores)])
        if points.slope:
            first, last = sorted((y - points.intercept) / points.slope for y in self.y)
            x = np.clip(x, first, last)
        y = points.intercept + points.slope * x
        return (*self.place(x[0], y[0]), *self.place(x[1], y[1]))


def _axes(points: Scatter, size: Size) -> _Axes:
    return _Axes(_limits(points.scores), _limits(points.ratings), size)


def _limits(values: Sequence[float]) -> Limits:
    """Return the values' range and a margin of a twentieth."""
    low, high = min(values, default=0.0), max(values, default=1.0)
    margin = (high - low) / 20 or 0.5
    return low - margin, high + margin


def _ticks(low: float, high: float) -> list[tuple[float, str]]:
    """Return two to five round values between the ends, and their text."""
    rough = (high - low) / 4
    unit = 10 ** floor(log10(rough))
    step = next(k * unit for k in (1, 2, 5, 10) if k * unit >= rough)
    digits = max(0, -floor(log10(step) + 1e-9))
    first, last = ceil(low / step), floor(high / step)
    return [(k * step, f"{k * step + 0.0:.{digits}f}") for k in range(first, last + 1)]


def _title(key: str, coefficient: Coefficient) -> str:
    value = "–" if isnan(coefficient.value) else f"{coefficient.value:.2f}"
    return f"{key}, {SYMBOLS[coefficient.name]} {value}"


def _free(marks: Sequence[Mark], x: float, y: float, label: str) -> float:
    """Return a height for a label where it covers no earlier one."""
    width = max(len(label), 1) * _LETTER
    while any(
        abs(m.label_y - y) < _LINE
        and abs(m.x - x) < max(width, len(m.label) * _LETTER) + 12
        for m in marks
    ):
        y += 1
    return y
