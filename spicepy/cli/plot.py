"""`spicepy plot`: figures for papers."""

import os
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from spicepy.cli import _console as console
from spicepy.cli import _options as options
from spicepy.cli._options import (
    ReadingOptions,
    ScoringOptions,
    with_option_groups,
)
from spicepy.cli._results import evaluate_systems, read_systems
from spicepy.common.errors import unknown

if TYPE_CHECKING:
    from spicepy.diagnosis.lexicon.aspects import Aspect


class Figure(StrEnum):
    """The figures that can be drawn."""

    categories = "categories"
    distributions = "distributions"
    counts = "counts"
    colors = "colors"
    sizes = "sizes"


_ASPECTS: "dict[Figure, Aspect]" = {
    Figure.counts: "count",
    Figure.colors: "color",
    Figure.sizes: "size",
}


@with_option_groups
def plot_command(
    figure: Annotated[Figure, typer.Argument(help="The figure to draw.")],
    systems: options.Systems,
    output: Annotated[
        Path, typer.Option("--output", "-o", help="A .pdf, .svg or .png file.")
    ],
    references: options.References = None,
    metrics: options.Metrics = "spice",
    key: Annotated[
        str | None,
        typer.Option(help="distributions: the score drawn, as bleu-4; the first."),
    ] = None,
    common: options.CommonToAll = False,
    *,
    reading: ReadingOptions,
    scoring: ScoringOptions,
    quiet: options.Quiet = False,
) -> None:
    """Draw figures for papers (needs matplotlib: the extra `plot`).

    categories: F-scores of SPICE's categories with 95 % intervals;
    distributions: histograms of the images' scores; counts, colors, sizes:
    confusion of what the references and the candidates say of an object.

    Examples:

        spicepy plot categories a.json b.json --references refs.json
        --output categories.pdf

        spicepy plot distributions a.json b.json --references refs.json
        --metrics bleu --key bleu-4 --output bleu.pdf
    """
    from spicepy.diagnosis.analysis import Analysis
    from spicepy.diagnosis.captions.reader import analysis_pipeline
    from spicepy.diagnosis.results.diagnosing import diagnose, scenes
    from spicepy.reporting import plotting

    # Notebooks name a backend here that only they have; matplotlib reads it at once.
    os.environ["MPLBACKEND"] = "agg"
    inputs = [*systems, references, *scoring.files()]
    console.check_files(output, plotting.FORMATS, *inputs)
    plotting.check_path(output)
    names = metrics if figure is Figure.distributions else "spice"
    chosen = scoring.metrics(names)
    keys = [name for metric in chosen for name in metric.keys]
    if key is not None and key not in keys:
        raise unknown("score", key, keys)
    naming = reading.naming()
    read = read_systems(systems, references, common=common, naming=naming)
    with console.progress_bar(quiet=quiet):
        evaluated = evaluate_systems(read, chosen)
    if figure is Figure.categories:
        plotting.plot_categories(evaluated, output)
    elif figure is Figure.distributions:
        plotting.plot_distributions(evaluated, output, key=key or keys[0])
    else:
        pipeline = analysis_pipeline(scoring.jobs, scoring.cache)
        analysis = Analysis(pipeline=pipeline)
        diagnoses, people = {}, None
        for name, each in evaluated.items():
            looked_at = scenes(each, analysis=analysis)
            diagnoses[name] = diagnose(looked_at, analysis=analysis, known=people)
            people = diagnoses[name].people
        plotting.plot_confusions(diagnoses, output, aspect=_ASPECTS[figure])
    if not quiet:
        console.wrote(output)
