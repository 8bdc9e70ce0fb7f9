"""`spicepy compare`: scores of several systems, as a table for a paper."""

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
    Output,
    check_outputs,
    evaluate_systems,
    read_systems,
    report,
)
from spicepy.common.settings import SEED, Correction, Family, check_settings


@with_option_groups
def compare_command(
    systems: options.Systems,
    references: options.References = None,
    metrics: options.Metrics = "spice",
    samples: options.Resamples = None,
    level: options.Level = 0.95,
    correction: Annotated[
        Correction, typer.Option(help="For many comparisons.")
    ] = "holm",
    family: Annotated[
        Family,
        typer.Option(
            help="Tests that are corrected together: all pairs of systems for one "
            "score, or all of the comparison."
        ),
    ] = "score",
    common: options.CommonToAll = False,
    seed: options.Seed = SEED,
    *,
    reading: ReadingOptions,
    scoring: ScoringOptions,
    output: Output = None,
    quiet: options.Quiet = False,
) -> None:
    """Compare systems: scores, confidence intervals and significance.

    Each SYSTEM is a file of candidates (image_id, caption) with the references
    in --references, or a file that holds its references too (SPICE JSON). A
    system is named after its file.

    Examples:

        spicepy compare a.json b.json --references captions_val.json

        spicepy compare a.json b.json --references refs.json
        --metrics spice,bleu,cider-d --output table.tex
    """
    from spicepy.evaluation.comparison import compare, pairs_of, samples_for
    from spicepy.evaluation.pairwise import effort

    paths = check_outputs(output, [*systems, references, *scoring.files()])
    check_settings(samples or 2, level, seed)
    chosen = scoring.metrics(metrics)
    naming = reading.naming()
    read = read_systems(systems, references, common=common, naming=naming)
    scores = sum(len(metric.keys) for metric in chosen)
    if samples is None:
        samples = samples_for(len(read), scores, level, correction, family)
    long = effort(pairs_of(len(read)), samples, scores)
    if long and not quiet:
        console.err.print(long, markup=False)
    with console.progress_bar(quiet=quiet):
        evaluated = evaluate_systems(read, chosen)
        result = compare(
            evaluated,
            samples=samples,
            seed=seed,
            level=level,
            correction=correction,
            family=family,
        )
    console.warn(*result.warnings)
    report(result, paths, quiet=quiet)
