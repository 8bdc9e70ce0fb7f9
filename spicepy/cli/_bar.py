"""A bar a stage on a terminal, while it is under way.

In: what a stage says of its progress (`common.progress`). Out: rich's bars.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TaskID,
    TextColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from spicepy.common.progress import Listener


@contextmanager
def shown(console: Console) -> Iterator[Listener]:
    """Give a listener that shows a bar for each stage it hears of."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        _Rate(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console, transient=True) as bar:
        tasks: dict[str, TaskID] = {}

        def listener(stage: str, done: int, total: int) -> None:
            if stage not in tasks:
                tasks[stage] = bar.add_task(stage, total=total or None)
            bar.update(tasks[stage], completed=done, total=total or None)

        yield listener


class _Rate(ProgressColumn):
    """Items a second, once it is known."""

    def render(self, task: Task) -> Text:
        """Such as "3,120/s"."""
        return Text(f"{task.speed:,.0f}/s" if task.speed else "")
