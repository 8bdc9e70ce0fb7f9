"""`spicepy plot`: figures for papers."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from spicepy.cli import _console as console
from spicepy.cli import _options as options
from spicepy.cli.compare import read_systems


class Figure(StrEnum):
    """What to draw."""

    categories = "categories"
    distributions = "distributions"
    counts = "counts"
    colors = "colors"
    sizes = "sizes"


_ASPECTS = {Figure.counts: "count", Figure.colors: "color", Figure.sizes: "size"}


def plot_command(
    figure: Annotated[Figure, typer.Argument(help="What to draw.")],
    systems: Annotated[
        list[str], typer.Argument(metavar="SYSTEM...", help="One captions file each.")
    ],
    output: Annotated[
        Path, typer.Option("--output", "-o", help="A .pdf, .svg or .png file.")
    ],
    references: options.References = None,
    key: Annotated[
        str, typer.Option(help="The score whose distribution is drawn.")
    ] = "spice",
    common: options.Common = False,
    model: options.Model = None,
    jobs: options.Jobs = 1,
    quiet: options.Quiet = False,
) -> None:
    """Draw figures for papers (needs matplotlib: the extra `plot`).

    categories: F-scores of SPICE's categories with 95 % intervals;
    distributions: histograms of the images' scores; counts, colors, sizes:
    confusion of what the references and the candidates say of an object.

    Example: spicepy plot categories a.json b.json --references refs.json
    --output categories.pdf
    """
    from spicepy import plotting
    from spicepy.diagnosis import diagnose, scenes
    from spicepy.evaluation import evaluate
    from spicepy.metrics import MetricOptions, resolve

    console.check_output(output, plotting.FORMATS)
    name = "spice" if key.startswith("spice") else key
    chosen = resolve([name], MetricOptions(model=model, jobs=jobs))
    read = read_systems(systems, references, common=common)
    with console.progress_bar(quiet=quiet):
        evaluated = {name: evaluate(samples, chosen) for name, samples in read.items()}
    if figure is Figure.categories:
        plotting.plot_categories(evaluated, output)
    elif figure is Figure.distributions:
        plotting.plot_distributions(evaluated, output, key=key)
    else:
        found = {name: diagnose(scenes(e)) for name, e in evaluated.items()}
        plotting.plot_confusions(found, output, aspect=_ASPECTS[figure])
