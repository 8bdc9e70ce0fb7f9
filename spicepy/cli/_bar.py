"""Progress bars on a terminal, one for each stage at work.

In: the progress that stages report (`common.progress`). Out: rich's bars.
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
    """Yield a listener that shows a bar for each stage."""
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
    """A column with the items per second, once they are known."""

    def render(self, task: Task) -> Text:
        """Return text such as "3,120/s"."""
        return Text(f"{task.speed:,.0f}/s" if task.speed else "")
