"""Numbers as text of the pages."""

from collections.abc import Callable, Mapping
from typing import Any, Final


def score(value: Any, digits: int = 3) -> str:
    """Return a fraction; an undefined one is a dash."""
    if value is None or value != value:
        return "–"
    return f"{value:.{digits}f}"


def percent(share: float) -> str:
    """Return a share of 0-1 in whole percent; 0 and 100 stand for exact shares only."""
    return f"{min(max(round(100 * share), int(share > 0)), 100 - int(share < 1))} %"


def p_value(value: float) -> str:
    """Return a p-value, 0-1."""
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


FILTERS: Final[Mapping[str, Callable[..., str]]] = {
    "score": score,
    "percent": percent,
    "p_value": p_value,
}
"""The same as filters of templates."""
