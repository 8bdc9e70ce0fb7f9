"""What the study commands share: options, metrics, printing and writing results."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from spicepy.cli import _console as console

if TYPE_CHECKING:
    from spicepy.study.figures import Study

Output = Annotated[
    list[Path] | None,
    typer.Option(
        "--output",
        "-o",
        help="Write the result; by extension .json (everything), .csv, .md, .tex "
        "(booktabs), .html (with pictures), .svg. May be repeated.",
    ),
]


def check_outputs(paths: Sequence[Path] | None, inputs: Sequence[object]) -> list[Path]:
    """Refuse a wrong output file before the work, not after it."""
    from spicepy.study.output import check_output

    console.check_files(None, (), *inputs)
    return [check_output(path, inputs) for path in paths or ()]


def report(result: "Study", paths: Sequence[Path], quiet: bool) -> None:
    """Print a result's tables, then write its files."""
    from spicepy.study.output import write

    if not quiet or not paths:
        for table in result.tables():
            console.show_table(table)
    for path in paths:
        for written in write(result, path):
            console.err.print(f"wrote {written}", markup=False)
