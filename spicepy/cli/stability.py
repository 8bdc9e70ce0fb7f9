"""`spicepy stability`: how many images a ranking of systems needs."""

from typing import Annotated

import typer

from spicepy.cli import _console as console
from spicepy.cli import _options as options
from spicepy.cli._options import (
    ReadingOptions,
    ScoringOptions,
    with_option_groups,
)
from spicepy.cli._results import (
    StudyOutput,
    check_outputs,
    evaluate_systems,
    read_systems,
    report,
)
from spicepy.common.errors import InputError, brief
from spicepy.common.settings import SEED, check_settings


@with_option_groups
def stability_command(
    systems: options.Systems,
    references: options.References = None,
    metrics: options.Metrics = "spice",
    images: Annotated[
        str | None,
        typer.Option(
            help="Numbers of images to try, such as 100,500,1000.",
            show_default="10,20,50,100 … and all",
        ),
    ] = None,
    samples: Annotated[int, typer.Option(min=2, help="Samples of each size.")] = 1000,
    common: options.CommonToAll = False,
    seed: options.Seed = SEED,
    *,
    reading: ReadingOptions,
    scoring: ScoringOptions,
    output: StudyOutput = None,
    quiet: options.Quiet = False,
) -> None:
    """Estimate how many images are enough to rank the systems as all images do.

    Samples of each size are drawn from the images, with replacement; the table and
    the curve give Kendall's τ-b between the ranking on a sample and that on all
    images, by metric. Rankings with a τ of 0.9 or more are taken for the same.
    Input as for `spicepy compare`.

    Example: spicepy stability a.json b.json c.json --references refs.json
    -m spice,cider-d -o curve.html
    """
    from spicepy.reporting.study_figures import PICTURES
    from spicepy.study.learning import stability

    inputs = [*systems, references, *scoring.files()]
    paths = check_outputs(output, inputs, PICTURES)
    check_settings(samples, 0.95, seed)
    sizes = None if images is None else _sizes(images)
    chosen = scoring.metrics(metrics)
    naming = reading.naming()
    read = read_systems(systems, references, common=common, naming=naming)
    with console.progress_bar(quiet=quiet):
        evaluated = evaluate_systems(read, chosen)
        result = stability(evaluated, sizes=sizes, samples=samples, seed=seed)
    report(result, paths, quiet=quiet, forms=PICTURES)


def _sizes(text: str) -> list[int]:
    """Return numbers of images: "100,500" -> [100, 500]."""
    try:
        return [int(part) for part in text.split(",")]
    except ValueError:
        raise InputError(
            f"--images is {brief(text)}; it must be numbers, such as 100,500,1000"
        ) from None
