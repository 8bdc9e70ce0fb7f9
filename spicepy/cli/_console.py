"""What all commands share: the two consoles, a progress bar, output files."""

import csv
import gzip
import io
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeRemainingColumn,
)

from spicepy import tables
from spicepy.errors import InputError
from spicepy.progress import listening

out = Console(highlight=False, soft_wrap=True)
err = Console(stderr=True, highlight=False, soft_wrap=True)

_PIPED_WIDTH = 10_000


@contextmanager
def progress_bar(*, quiet: bool = False) -> Iterator[None]:
    """Show the progress of long stages on stderr, if that is a terminal."""
    if quiet or not err.is_terminal:
        yield
        return
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=err, transient=True) as bar:
        tasks: dict[str, TaskID] = {}

        def listener(stage: str, done: int, total: int) -> None:
            if stage not in tasks:
                tasks[stage] = bar.add_task(stage, total=total)
            bar.update(tasks[stage], completed=done, total=total)

        with listening(listener):
            yield


def show_table(table: tables.Table) -> None:
    """Print a table on the terminal; piped output is never cut to a width."""
    piped = Console(highlight=False, width=_PIPED_WIDTH)
    (out if out.is_terminal else piped).print(tables.to_rich(table))


def warn(message: str) -> None:
    """Print one warning line on stderr."""
    err.print(f"warning: {message}", style="yellow", markup=False)


def check_output(path: Path | None, extensions: tuple[str, ...]) -> None:
    """Refuse an output file of unknown kind or place before the slow work."""
    if path is None:
        return
    kind = Path(str(path).removesuffix(".gz")).suffix.lower()
    if kind not in extensions:
        raise InputError(
            f"{path}: cannot write this kind of file; use {' or '.join(extensions)}"
        )
    if path.is_dir() or not path.parent.is_dir():
        raise InputError(f"{path}: the folder {path.parent} does not exist")


def write_text(path: Path, text: str) -> None:
    """Write UTF-8 text, gzipped if the name ends in `.gz`."""
    data = text.encode("utf-8")
    try:
        path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    except OSError as error:
        raise InputError(f"{path}: cannot be written ({error.strerror})") from None


def to_json(value: Any) -> str:
    """JSON text as every command writes it."""
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"


def to_csv(header: list[str], rows: Iterator[list[Any]]) -> str:
    """CSV text; None becomes an empty cell."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return text.getvalue()


def write_result(
    path: Path, as_json: Callable[[], Any], as_csv: Callable[[], str]
) -> None:
    """Write a result as JSON or CSV, by the file's extension."""
    kind = Path(str(path).removesuffix(".gz")).suffix.lower()
    write_text(path, as_csv() if kind == ".csv" else to_json(as_json()))
