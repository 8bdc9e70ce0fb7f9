"""`spicepy compare`: scores of several systems, as a table for a paper."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from spicepy.cli import _console as console
from spicepy.cli import _options as options
from spicepy.cli._options import (
    PaperOptions,
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
from spicepy.common.writing import FORMS, FileForm

if TYPE_CHECKING:
    from spicepy.common.tables import Table
    from spicepy.evaluation.comparison import Comparison
    from spicepy.evaluation.evaluation import Evaluation


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
    patterns: Annotated[
        bool,
        typer.Option(
            "--patterns",
            help="Show whether systems can count, and what they do more often than "
            "people do to each other.",
        ),
    ] = False,
    common: options.CommonToAll = False,
    seed: options.Seed = SEED,
    *,
    reading: ReadingOptions,
    scoring: ScoringOptions,
    output: Output = None,
    paper: PaperOptions,
    transpose: Annotated[
        bool, typer.Option("--transpose", help="Make systems the columns.")
    ] = False,
    quiet: options.Quiet = False,
) -> None:
    """Compare systems: scores, confidence intervals and significance.

    Each SYSTEM is a file of candidates (image_id, caption) with the references
    in --references, or a file that holds its references too (SPICE JSON). A
    system is named after its file.

    Examples:

        spicepy compare a.json b.json --references captions_val.json

        spicepy compare a.json b.json --references refs.json
        --metrics bleu,meteor,cider-d,spice --output table.tex --percent
        --columns bleu-4,meteor,cider-d,spice
    """
    from spicepy.evaluation.comparison import compare, pairs_of, samples_for
    from spicepy.evaluation.pairwise import effort

    paths = check_outputs(output, [*systems, references, *scoring.files()])
    check_settings(samples or 2, level, seed)
    chosen = scoring.metrics(metrics)
    titles = {key: m.titles.get(key, key) for m in chosen for key in m.keys}
    # Papers have a row for each system, however many scores there are.
    printed = paper.layout(turned=transpose or None)
    pasted = paper.layout(turned=transpose)
    printed.chosen(titles)
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
        if patterns:
            result = replace(result, further=_patterns(evaluated, scoring))
    console.warn(*result.warnings)
    shown, given = replace(result, layout=printed), replace(result, layout=pasted)
    forms = {form: partial(_written, FORMS[form], given) for form in (".tex", ".md")}
    report(shown, paths, quiet=quiet, forms=forms)


def _written(
    form: FileForm["Comparison"], given: "Comparison", _: "Comparison"
) -> Iterable[str] | Mapping[str, str] | Mapping[str, bytes]:
    """Return what a form writes of a comparison with the layout of a paper."""
    return form(given)


def _patterns(
    systems: "dict[str, Evaluation]", scoring: ScoringOptions
) -> "tuple[Table, ...]":
    """Return the tables of how systems count and of what they do systematically."""
    from spicepy.diagnosis.analysis import Analysis
    from spicepy.diagnosis.captions.reader import analysis_pipeline
    from spicepy.diagnosis.counting import counting_table
    from spicepy.diagnosis.results.diagnosing import habits, scenes
    from spicepy.diagnosis.results.tables import patterns_by_system

    analysis = Analysis(pipeline=analysis_pipeline(scoring.jobs, scoring.cache))
    found = {
        name: habits(list(scenes(each, analysis=analysis)), analysis)
        for name, each in systems.items()
    }
    return (
        counting_table({name: own["counting"] for name, own in found.items()}),
        patterns_by_system({name: own["patterns"] for name, own in found.items()}),
    )
