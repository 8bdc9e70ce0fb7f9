"""`spicepy compare`, `check`, `diff` and `stability`: systems beside each other."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from spicepy.cli import _console as console
from spicepy.cli import _options as options
from spicepy.cli import _results as results
from spicepy.cli._options import AnalysisOptions, PaperOptions, ScoringOptions
from spicepy.common.errors import InputError, SpicepyError, brief
from spicepy.common.settings import RELIABLE, SEED, Correction, Family, check_settings
from spicepy.common.writing import FORMS, FileForm, write_text

if TYPE_CHECKING:
    from spicepy.common.tables import Table
    from spicepy.diagnosis.analysis import Analysis
    from spicepy.evaluation.comparison import Comparison
    from spicepy.evaluation.evaluation import Evaluation

_TABLES = ("kinds", "values", "patterns")


def compare_command(
    systems: options.Systems,
    metrics: options.Metrics = "spice",
    samples: options.Resamples = None,
    level: options.Level = 0.95,
    correction: Annotated[Correction, "For many comparisons."] = "holm",
    family: Annotated[
        Family,
        "Tests that are corrected together: all pairs of systems for one score, or all "
        "of the comparison.",
    ] = "score",
    patterns: Annotated[
        bool,
        "Show whether systems can count, and what they do more often than people do to "
        "each other.",
    ] = False,
    words: Annotated[
        bool, "Show how many different words systems and references have."
    ] = False,
    training: Annotated[
        str | None,
        "As --words, with the share of captions that are not among those of a "
        "file, which systems were trained on.",
        {"metavar": "FILE"},
    ] = None,
    seed: options.Seed = SEED,
    *,
    reading: results.SystemsOptions,
    scoring: ScoringOptions,
    analysing: AnalysisOptions,
    output: results.Output = None,
    paper: PaperOptions,
    transpose: Annotated[bool, "Make systems the columns."] = False,
    quiet: options.Quiet = False,
) -> None:
    """Compare systems: scores, confidence intervals and significance.

    Each SYSTEM is a file of candidates (image_id, caption) with the references
    in --references, or a file that holds its references too (SPICE JSON). A
    system is named after its file, or as NAME=FILE says.

    Examples:

        spicepy compare a.json b.json --references captions_val.json

        spicepy compare full=a.json ablation=b.json --references refs.json

        spicepy compare a.json b.json --references refs.json
        --metrics bleu,meteor,cider-d,spice --output table.tex --percent
        --columns bleu-4,meteor,cider-d,spice
    """
    from spicepy.evaluation.comparison import compare, pairs_of, samples_for
    from spicepy.evaluation.pairwise import effort

    files = results.named_files(systems)
    inputs = [*files.values(), reading.references, training, *scoring.files()]
    paths = results.check_outputs(output, inputs)
    check_settings(samples or 2, level, seed)
    chosen = scoring.metrics(metrics)
    titles = {key: m.titles.get(key, key) for m in chosen for key in m.keys}
    # Papers have a row for each system, however many scores there are.
    printed = paper.layout(turned=transpose or None)
    pasted = paper.layout(turned=transpose)
    printed.chosen(titles)
    read = reading.read(files)
    scores = sum(len(metric.keys) for metric in chosen)
    if samples is None:
        samples = samples_for(len(read), scores, level, correction, family)
    long = effort(pairs_of(len(read)), samples, scores)
    if long and not quiet:
        console.err.print(long)
    with console.progress_bar(quiet=quiet):
        evaluated = results.evaluate_systems(read, chosen)
        result = compare(
            evaluated,
            samples=samples,
            seed=seed,
            level=level,
            correction=correction,
            family=family,
        )
        further = [_words(evaluated, training)] if words or training else []
        if patterns:
            analysis = analysing.analysis(scoring.jobs, scoring.cache)
            further += _patterns(evaluated, analysis)
        result = replace(result, further=tuple(further))
    console.warn(*result.warnings)
    shown, given = replace(result, layout=printed), replace(result, layout=pasted)
    # Forms of papers have the layout of a paper, whatever is shown.
    forms: dict[str, FileForm[Comparison]] = {
        ".tex": lambda _: FORMS[".tex"](given),
        ".md": lambda _: FORMS[".md"](given),
    }
    results.report(shown, paths, quiet=quiet, forms=forms)


def _words(systems: "dict[str, Evaluation]", training: str | None) -> "Table":
    """Return the table of the vocabulary of systems, and of the references."""
    from spicepy.metrics.content import vocabulary_table

    captions = {
        name: [sample.candidate for sample in each.tokenised]
        for name, each in systems.items()
    }
    first = next(iter(systems.values()))
    people = [text for sample in first.tokenised for text in sample.references]
    return vocabulary_table({**captions, "(references)": people}, training)


def _patterns(systems: "dict[str, Evaluation]", analysis: "Analysis") -> "list[Table]":
    """Return tables of how systems count and of their patterns, signed."""
    from spicepy.diagnosis.counting import counting_table
    from spicepy.diagnosis.results.diagnosing import habits, scenes
    from spicepy.diagnosis.results.tables import patterns_by_system

    found, read = {}, []
    for name, each in systems.items():
        read = list(scenes(each, analysis=analysis))
        found[name] = habits(read, analysis)
    tables = (
        counting_table({name: own["counting"] for name, own in found.items()}),
        patterns_by_system({name: own["patterns"] for name, own in found.items()}),
    )
    signature = analysis.signature(read)
    return [replace(table, signature=signature) for table in tables]


def diff_command(
    old: Annotated[str, typer.Argument(help="Captions of the old version.")],
    new: Annotated[str, typer.Argument(help="Captions of the new version.")],
    precision: options.Precision = RELIABLE,
    jobs: options.Jobs = 1,
    cache: options.Cache = None,
    *,
    reading: results.SystemsOptions,
    analysing: AnalysisOptions,
    output: results.PageOutput = None,
    quiet: options.Quiet = False,
) -> None:
    """Show what a new version of a captioner corrected and what it got wrong.

    What both versions do systematically, more often than people do to each other. What
    it says wrong and what it leaves out, each kind by kind: how many errors the new
    version corrected, dropped (it says nothing of it any more), replaced by
    another one, or made, whether the images that changed outweigh chance (sign test),
    and examples with both captions. The errors are those of `spicepy diagnose`; input
    as for `spicepy compare`. Both versions need captions of the same images with the
    same references.

    A .json or .csv file lists every error with what became of it; .html is a page
    with pictures.

    Example: spicepy diff old.json new.json --references refs.json
    """
    from spicepy.diagnosis.results.diagnosing import diagnose, scenes
    from spicepy.diagnosis.results.difference import compare_versions
    from spicepy.evaluation.evaluation import unscored
    from spicepy.reporting.changes import PAGE

    files = results.named_files([old, new])
    paths = results.check_outputs(
        output, [*files.values(), reading.references], PAGE, _TABLES
    )
    read = reading.read(files)
    analysis = analysing.analysis(jobs, cache)
    with console.progress_bar(quiet=quiet):
        versions, people = {}, None
        for name, samples in read.items():
            captions = unscored(samples)
            console.warn(*(f"{name}: {text}" for text in captions.warnings))
            looked_at = scenes(captions, analysis=analysis)
            diagnosis = diagnose(looked_at, analysis=analysis, known=people)
            versions[name], people = (diagnosis, samples), diagnosis.people
    result = compare_versions(versions, diagnosis.signature, analysis, precision)
    results.report(result, paths, quiet=quiet, forms=PAGE)


def stability_command(
    systems: options.Systems,
    metrics: options.Metrics = "spice",
    images: Annotated[
        str | None,
        "Numbers of images to try, such as 100,500,1000.",
        {"show_default": "10,20,50,100 … and all"},
    ] = None,
    samples: Annotated[int, "Samples of each size.", {"min": 2}] = 1000,
    seed: options.Seed = SEED,
    *,
    reading: results.SystemsOptions,
    scoring: ScoringOptions,
    output: results.StudyOutput = None,
    quiet: options.Quiet = False,
) -> None:
    """Estimate how many images are enough to rank the systems as all images do.

    Samples of each size are drawn from the images, with replacement; the table and
    the curve give Kendall's τ-b between the ranking on a sample and that on all
    images, by metric. Rankings with a τ of 0.9 or more count as the same.
    Input as for `spicepy compare`.

    Example: spicepy stability a.json b.json c.json --references refs.json
    -m spice,cider-d -o curve.html
    """
    from spicepy.reporting.study_figures import PICTURES
    from spicepy.study.correlation import stability

    files = results.named_files(systems)
    inputs = [*files.values(), reading.references, *scoring.files()]
    paths = results.check_outputs(output, inputs, PICTURES)
    check_settings(samples, 0.95, seed)
    sizes = None if images is None else _sizes(images)
    chosen = scoring.metrics(metrics)
    read = reading.read(files)
    with console.progress_bar(quiet=quiet):
        evaluated = results.evaluate_systems(read, chosen)
        result = stability(evaluated, sizes=sizes, samples=samples, seed=seed)
    results.report(result, paths, quiet=quiet, forms=PICTURES)


def _sizes(text: str) -> list[int]:
    """Return numbers of images: "100,500" -> [100, 500]."""
    try:
        return [int(part) for part in text.split(",")]
    except ValueError:
        raise InputError(
            f"--images is {brief(text)}; it must be numbers, such as 100,500,1000"
        ) from None


GitHub = Annotated[bool, "Print failures as annotations of GitHub Actions."]


def check_command(
    new: Annotated[str, typer.Argument(help="Captions of the new version.")],
    against: Annotated[str, "Captions of the old version."],
    max_drop: Annotated[
        str | None, "The most that scores may fall: spice=.005,bleu-4=.01."
    ] = None,
    max_rise: Annotated[
        str | None, "The most that scores may rise, such as chair-i=.01."
    ] = None,
    limits: Annotated[
        Path | None,
        r"A file of limits: \[max-drop], \[max-rise], significant = true.",
        {"metavar": "FILE.toml"},
    ] = None,
    significant: Annotated[
        bool, "Fail only if a change beyond its limit is significant."
    ] = False,
    samples: options.Resamples = None,
    seed: options.Seed = SEED,
    *,
    reading: results.SystemsOptions,
    scoring: ScoringOptions,
    github: GitHub = False,
    output: Annotated[
        list[Path] | None,
        "Write the result; by extension .xml (JUnit), .md (a summary), .json, "
        ".csv or .tex. May be repeated.",
    ] = None,
    quiet: options.Quiet = False,
) -> None:
    """Check that no score of a new version is worse than the old one by too much.

    Exit code 0 if every score is within its limit, 1 if one is not, 2 for a wrong file
    or option. Scores are named as in `spicepy compare`; their metrics are found by
    their names. Input as for `spicepy compare`.

    Example: spicepy check new.json --against old.json --references refs.json
    --max-drop spice=.005,bleu-4=.01 --significant -o check.xml
    """
    from spicepy.evaluation.comparison import compare
    from spicepy.evaluation.limits import (
        Check,
        check,
        metrics_for,
        on_scales,
        parse_limits,
        read_limits,
    )

    files = results.named_files([against, new])
    inputs = [*files.values(), reading.references, limits, *scoring.files()]
    paths = results.check_outputs(output, inputs, (".xml",))
    with _told_to_the_build(paths, github=github):
        chosen = parse_limits(max_drop, "drop") if max_drop else []
        chosen += parse_limits(max_rise, "rise") if max_rise else []
        if limits is not None:
            further, wanted = read_limits(limits)
            named = {(limit.key, limit.kind): limit for limit in (*further, *chosen)}
            chosen, significant = list(named.values()), significant or wanted
        metrics = scoring.metrics(",".join(metrics_for(chosen, scoring.outside())))
        chosen = on_scales(chosen, metrics)
        read = reading.read(files)
        with console.progress_bar(quiet=quiet):
            evaluated = results.evaluate_systems(read, metrics)
            compared = compare(evaluated, samples=samples, seed=seed)
        result = check(compared, chosen, significant=significant)
    console.warn(*result.warnings)
    results.report(result, paths, quiet=quiet, forms={".xml": Check.junit_file})
    if github:
        console.write_out("".join(result.annotations()))
    if not result.passed:
        raise typer.Exit(1)


@contextmanager
def _told_to_the_build(paths: Iterable[Path], *, github: bool) -> Iterator[None]:
    """Say also in the files for builds why nothing could be checked."""
    # A build shows its files whatever the exit code, also those of the day before.
    from spicepy.evaluation.limits import unchecked

    try:
        yield
    except SpicepyError as error:
        for path in paths:
            if text := unchecked(str(error), path.suffix.lower()):
                write_text(path, text)
        if github:
            text = str(error).replace("\n", "%0A")  # An annotation is one line.
            console.write_out(f"::error title=spicepy check::{text}\n")
        raise
