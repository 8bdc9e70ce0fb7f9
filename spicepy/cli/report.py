"""`spicepy report` and `plot`: a page or a figure of scores."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from spicepy.cli import _console as console
from spicepy.cli import _options as options
from spicepy.cli._options import AnalysisOptions, ScoringOptions
from spicepy.cli._results import SystemsOptions, evaluate_systems, named_files
from spicepy.common.errors import find_name
from spicepy.common.pages import template_library
from spicepy.common.settings import SEED
from spicepy.common.writing import check_output

if TYPE_CHECKING:
    from spicepy.diagnosis.lexicon.aspects import Aspect


def report_command(
    systems: options.Systems,
    output: Annotated[Path, "The page to write, ending in .html."],
    images: Annotated[
        str | None,
        "Show the images: a folder, or a path or URL with {image_id}, such as "
        "photos/{image_id:012d}.jpg (from the report's folder; widths to 1000).",
    ] = None,
    studies: Annotated[
        list[str] | None,
        "A section on a study: the .json that loocv, correlate, pairs or "
        "stability wrote. May be repeated.",
    ] = None,
    table: Annotated[
        Path | None,
        "Also write the opening view as tables: .tex (booktabs, what is significantly "
        "best in bold), .md, .csv or .json.",
    ] = None,
    metrics: options.Metrics = "spice",
    samples: options.Resamples = None,
    seed: options.Seed = SEED,
    *,
    reading: SystemsOptions,
    scoring: ScoringOptions,
    analysing: AnalysisOptions,
    quiet: options.Quiet = False,
) -> None:
    """Write a self-contained HTML report of one or several systems.

    What each system gets right, wrong and leaves unsaid (objects, counts, colors …),
    what is confused with what, errors by kind with examples; scores with intervals;
    and every image with its captions, tuples and scene graphs, and the partners of
    concepts if spice-soft is among the metrics; studies of metrics and data sets, if
    given. With --instances, what annotated objects say: hallucination, counting, and
    of each error whether they confirm it. With --answers, what a vision model's answers
    say of the errors. Input as for `spicepy compare`. The page opens from disk and
    fetches nothing.

    Examples:

        spicepy report a.json b.json --references captions_val.json
        --output report.html

        spicepy report a.json --references refs.json --output report.html
        --images val2014

        spicepy report a.json b.json --references refs.json --output report.html
        --instances instances_val2014.json

        spicepy report a.json b.json --references refs.json --output report.html
        --study loocv.json --study pairs.json
    """
    from spicepy.asking.answers import AnswerBook
    from spicepy.objects.vocabulary import COCO
    from spicepy.reporting.page import FORMATS, image_sources, write_report
    from spicepy.reporting.study_figures import read_result

    files, made = named_files(systems), named_files(studies or [])
    inputs = [*files.values(), *made.values(), reading.references, *scoring.files()]
    console.check_files(output, FORMATS, *inputs)
    template_library()
    if table is not None:
        check_output(table, inputs=[*inputs, output])
    results = {name: read_result(file) for name, file in made.items()}
    chosen = scoring.metrics(_with_evidence(metrics, scoring))
    read = reading.read(files)
    analysis = analysing.analysis(scoring.jobs, scoring.cache)
    if images is not None:  # checks the pattern before the slow work
        image_sources(images, [s.image_id for s in next(iter(read.values()))], output)
    with console.progress_bar(quiet=quiet):
        evaluated = evaluate_systems(read, chosen)
        written = write_report(
            evaluated,
            output,
            images=images,
            studies=results,
            samples=samples,
            seed=seed,
            table=table,
            pipeline=analysis.reader.pipeline,
            vocabulary=str(scoring.vocabulary or COCO),
            answers=AnswerBook.load(scoring.answers) if scoring.answers else None,
        )
    for file in () if quiet else written:
        console.wrote(file)


def _with_evidence(metrics: str, scoring: ScoringOptions) -> str:
    """Return the metrics, with those that annotations or answers make possible."""
    named = {name.strip().lower() for name in metrics.split(",")}
    if scoring.instances and not named & {"chair", "counting"}:
        metrics += ",chair,counting"
    if scoring.answers and "faithful" not in named:
        metrics += ",faithful"
    return metrics


Figure = Literal["categories", "distributions", "counts", "colors", "sizes"]
_ASPECTS: "dict[str, Aspect]" = {"counts": "count", "colors": "color", "sizes": "size"}


def plot_command(
    figure: Annotated[Figure, typer.Argument(help="The figure to draw.")],
    systems: options.Systems,
    output: Annotated[Path, "A .pdf, .svg or .png file."],
    metrics: options.Metrics = "spice",
    key: Annotated[
        str | None, "distributions: the score drawn, as bleu-4; the first."
    ] = None,
    *,
    reading: SystemsOptions,
    scoring: ScoringOptions,
    analysing: AnalysisOptions,
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
    from spicepy.diagnosis.results.diagnosing import diagnose, scenes
    from spicepy.reporting import plotting

    # Notebooks name a backend here that only they have; matplotlib reads it at once.
    os.environ["MPLBACKEND"] = "agg"
    files = named_files(systems)
    inputs = [*files.values(), reading.references, *scoring.files()]
    console.check_files(output, plotting.FORMATS, *inputs)
    plotting.check_path(output)
    names = metrics if figure == "distributions" else "spice"
    chosen = scoring.metrics(names)
    keys = [name for metric in chosen for name in metric.keys]
    key = keys[0] if key is None else find_name("score", key, keys)
    read = reading.read(files)
    with console.progress_bar(quiet=quiet):
        evaluated = evaluate_systems(read, chosen)
    if figure == "categories":
        plotting.plot_categories(evaluated, output)
    elif figure == "distributions":
        plotting.plot_distributions(evaluated, output, key=key)
    else:
        analysis = analysing.analysis(scoring.jobs, scoring.cache)
        diagnoses, people = {}, None
        for name, each in evaluated.items():
            looked_at = scenes(each, analysis=analysis)
            diagnoses[name] = diagnose(looked_at, analysis=analysis, known=people)
            people = diagnoses[name].people
        plotting.plot_confusions(diagnoses, output, aspect=_ASPECTS[figure])
    if not quiet:
        console.wrote(output)
