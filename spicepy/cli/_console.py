"""Parts that all commands share: the two consoles, progress, output files.

What people read is printed without control characters (`printable`); files and pipes
get the data as they are.
"""

import os
import sys
from collections.abc import Iterator, Mapping, Sized
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from rich import progress as bars
from rich.console import Console
from rich.text import Text

from spicepy.common import tables
from spicepy.common.errors import InputError, counted, printable
from spicepy.common.progress import Listener, listening, log_lines
from spicepy.common.writing import STANDARD, check_path, json_parts, written

# Progress bars on a terminal, one for each stage at work.


@contextmanager
def shown(console: Console) -> Iterator[Listener]:
    """Yield a listener that shows a bar for each stage."""
    columns = (
        bars.TextColumn("{task.description}"),
        bars.BarColumn(),
        bars.MofNCompleteColumn(),
        _Rate(),
        bars.TimeRemainingColumn(),
    )
    with bars.Progress(*columns, console=console, transient=True) as bar:
        tasks: dict[str, bars.TaskID] = {}

        def listener(stage: str, done: int, total: int) -> None:
            if stage not in tasks:
                tasks[stage] = bar.add_task(stage, total=total or None)
            bar.update(tasks[stage], completed=done, total=total or None)

        yield listener


class _Rate(bars.ProgressColumn):
    """A column with the items per second, once they are known."""

    def render(self, task: bars.Task) -> Text:
        """Return text such as "3,120/s"."""
        return Text(f"{task.speed:,.0f}/s" if task.speed else "")


class _Console(Console):
    """A console that shows control characters of texts instead of obeying them."""

    def print(self, *objects: Any, **options: Any) -> None:
        """Print as rich does."""
        shown = (printable(o) if isinstance(o, str) else o for o in objects)
        super().print(*shown, **options)


_PLAIN: Final[dict[str, Any]] = {"highlight": False, "emoji": False, "markup": False}

out = _Console(**_PLAIN, soft_wrap=True)
err = _Console(**_PLAIN, stderr=True, soft_wrap=True)

_PIPED_WIDTH = 10_000


@contextmanager
def progress_bar(*, quiet: bool = False) -> Iterator[None]:
    """Show the progress of long stages on stderr: a bar, or lines in a log."""
    if quiet:
        yield
        return
    if not err.is_terminal:
        with listening(log_lines(err.print)):
            yield
        return

    with shown(err) as listener, listening(listener):
        yield


def show_table(table: tables.Table) -> None:
    """Print a table that has something in it; piped output is never cut to a width."""
    if not table.rows and not table.notes:
        return
    if out.is_terminal:
        for part in tables.fitted(table, out.width):
            out.print(tables.to_rich(part, "" if out.color_system else "*"))
        return
    piped = Console(**_PLAIN, width=_PIPED_WIDTH)
    piped.print(tables.to_rich(table, "*"))


def write_out(text: str, encoding: str | None = None) -> None:
    """Write data to standard output: as they are, or, to a terminal, printable."""
    with written(STANDARD) as file:
        if sys.stdout.isatty():
            text = printable(text)
        takes_bytes = hasattr(sys.stdout, "buffer")
        own = sys.stdout.encoding, sys.stdout.errors or "strict"
        own = own if takes_bytes and not encoding else (encoding or "utf-8", "strict")
        file.write(text.encode(*own))


def wrote(path: object) -> None:
    """Print on stderr that a file was written, unless it is standard output."""
    if str(path) == STANDARD:
        return
    err.print(f"wrote {path}")


def warn(*messages: str) -> None:
    """Print warnings on stderr, a line each."""
    for message in messages:
        err.print(f"warning: {message}", style="yellow")


def warn_of_less(read: Mapping[str, Sized], kept: Mapping[str, Sized]) -> None:
    """Warn of the images of each system that the others do not have."""
    fewer = {n: len(s) - len(kept[n]) for n, s in read.items()}
    lost = ", ".join(f"{counted(k, 'image')} of {n}" for n, k in fewer.items() if k)
    if lost:
        warn(f"left out, as not every system has them: {lost}")


def check_files(output: Path | None, kinds: tuple[str, ...], *inputs: object) -> None:
    """Check the names of input and output files before the slow work."""
    if "" in inputs:
        raise InputError("an empty name was given for a file to read")
    if output is not None:
        check_path(output, kinds, inputs)


def argument(text: str) -> str:
    """Return a text from the command line, UTF-8 even where the locale is not."""
    try:
        return text if text.isascii() else os.fsencode(text).decode()
    except UnicodeError:
        return text


def label(file: str) -> str:
    """Return a file's name without its folder, as valid UTF-8."""
    return os.fsencode(Path(file).name).decode("utf-8", "replace")


def to_json(value: Any) -> str:
    """Return JSON text as every command writes it; see `json_parts`."""
    return "".join(json_parts(value))
