"""Metrics from the options of a command, with what the user should know of them."""

from typing import TYPE_CHECKING, Any

from spicepy.cli import _console as console

if TYPE_CHECKING:
    from spicepy.metrics.base import Metric


def choose(names: str, **options: Any) -> "list[Metric]":
    """Metrics by comma-separated names, made with the fields of `MetricOptions`.

    Options that no metric reads, and names that are easily taken for others, are
    answered by a warning.
    """
    from spicepy.metrics.registry import MetricOptions, resolve, unused

    asked, settings = names.split(","), MetricOptions(**options)
    found = list(resolve(asked, settings))
    for name in unused(asked, settings):
        console.warn(f"--{name} is ignored: none of the metrics ({names}) uses it")
    for note in said(names):
        console.warn(note)
    return found


def said(names: str) -> list[str]:
    """The registry's notes on the metrics named."""
    from spicepy.metrics.registry import notes

    return notes(names.split(","))
