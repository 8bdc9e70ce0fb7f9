"""Writing and printing the results of commands with tables."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, Protocol

import typer

from spicepy.cli import _console as console
from spicepy.common.outputs import FileForm, R, check_distinct, check_output, write
from spicepy.common.pages import template_library
from spicepy.common.tables import Table, render
from spicepy.common.writing import STANDARD

if TYPE_CHECKING:
    from spicepy.metrics.base import Line

_DRAWN: Final = (".html", ".svg")


def _output(forms: str) -> Any:
    """Return an option for files whose extension names the form."""
    help_ = f"Write the result; by extension {forms}. May be repeated."
    return typer.Option("--output", "-o", help=help_)


Output = Annotated[
    list[Path] | None,
    _output(
        ".json (everything), .csv, .md or .tex (booktabs); - writes JSON to standard "
        "output"
    ),
]
PageOutput = Annotated[
    list[Path] | None,
    _output(".json and .csv (everything), .md, .tex (booktabs), .html (a page)"),
]
StudyOutput = Annotated[
    list[Path] | None,
    _output(
        ".json (everything), .csv, .md, .tex (booktabs), .html (with pictures), .svg"
    ),
]


def show_scores(lines: "Sequence[Line]", signature: str) -> None:
    """Print corpus scores, SPICE's by category, too, and their signatures."""
    columns = ("Metric", "Score", "Precision", "Recall", "Images")
    console.show_table(Table("Corpus scores", columns, tuple(lines), digits=4))
    console.out.print(signature.replace("; ", "\n"), markup=False)


def check_outputs(
    paths: Sequence[Path] | None,
    inputs: Sequence[object],
    forms: Iterable[str] = (),
    tables: Iterable[str] = (),
) -> list[Path]:
    """Check the names of output files before the work."""
    console.check_files(None, (), *inputs)
    check_distinct(list(paths or ()), tables)
    if any(path.suffix.lower() in _DRAWN for path in paths or ()):
        template_library()
    return [check_output(path, forms, inputs, tables) for path in paths or ()]


def to_standard_output(paths: Iterable[Path]) -> bool:
    """Return whether standard output is one of the files and so gets no tables."""
    return any(str(path) == STANDARD for path in paths)


class RowResult(Protocol):
    """A result with rows of data beside its tables."""

    def rows(self) -> Mapping[str, Table]:
        """Return the rows by name; "errors" or "" are the main ones."""
        ...


def csv_files(result: RowResult) -> dict[str, str]:
    """Return the main rows as CSV, and the tables beside them (`x-images.csv`)."""
    return {
        "" if name == "errors" else name: render(table, "csv")
        for name, table in result.rows().items()
    }


def report(
    result: R,
    paths: Sequence[Path],
    *,
    quiet: bool,
    forms: Mapping[str, FileForm[R]] | None = None,
) -> None:
    """Write a result's files, then print its tables (a reader may stop early)."""
    for path in paths:
        for written in write(result, path, forms):
            console.wrote(written)
    if to_standard_output(paths):
        return
    if not quiet or not paths:
        for table in result.tables():
            console.show_table(table)
