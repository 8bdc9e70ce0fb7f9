"""What the study commands share: option texts, printing and writing results."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from spicepy.study.figures import Study
from spicepy.study.output import check_output, write
from spicepy.tables import to_rich

Metrics = Annotated[
    str,
    typer.Option(
        help="Names separated by commas: spice, bleu, rouge, meteor, cider, cider-d …"
    ),
]
Seed = Annotated[int, typer.Option(help="Of everything random; kept in the result.")]
Output = Annotated[
    list[Path] | None,
    typer.Option(
        "--output",
        "-o",
        help="Write the result; by extension .json (everything), .csv, .md, .tex "
        "(booktabs), .html (with pictures), .svg. May be repeated.",
    ),
]


def check_outputs(paths: Sequence[Path] | None) -> list[Path]:
    """Refuse a wrong output file before the work, not after it."""
    return [check_output(path) for path in paths or ()]


def report(result: Study, paths: Sequence[Path]) -> None:
    """Print a result's tables, then write its files."""
    console = Console()
    for table in result.tables():
        console.print(to_rich(table))
    for path in paths:
        written = ", ".join(map(str, write(result, path)))
        Console(stderr=True).print(f"wrote {written}", highlight=False, markup=False)
