"""`spicepy diff`: the errors that a new version of a captioner fixed or made."""

from typing import Annotated

import typer

from spicepy.cli import _console as console
from spicepy.cli import _options as options
from spicepy.cli._options import ReadingOptions, with_option_groups
from spicepy.cli._results import (
    PageOutput,
    check_outputs,
    csv_files,
    read_systems,
    report,
)
from spicepy.common.errors import InputError
from spicepy.common.files import is_read_once, read_text
from spicepy.common.settings import RELIABLE

_TABLES = ("kinds", "values", "patterns")


@with_option_groups
def diff_command(
    old: Annotated[str, typer.Argument(help="Captions of the old version.")],
    new: Annotated[str, typer.Argument(help="Captions of the new version.")],
    references: options.References = None,
    precision: options.Precision = RELIABLE,
    common: options.CommonToAll = False,
    jobs: options.Jobs = 1,
    cache: options.Cache = None,
    *,
    reading: ReadingOptions,
    output: PageOutput = None,
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
    from spicepy.diagnosis.analysis import Analysis
    from spicepy.diagnosis.captions.reader import analysis_pipeline
    from spicepy.diagnosis.results.diagnosing import diagnose, scenes
    from spicepy.diagnosis.results.difference import compare_versions
    from spicepy.evaluation.evaluation import unscored
    from spicepy.reporting.changes import PAGE

    paths = check_outputs(output, [old, new, references], PAGE, _TABLES)
    naming = reading.naming()
    try:
        read = read_systems([old, new], references, common=common, naming=naming)
    except InputError as error:
        _check_is_no_result(old, new, error)
        raise
    pipeline = analysis_pipeline(jobs, cache)
    analysis = Analysis(pipeline=pipeline)
    with console.progress_bar(quiet=quiet):
        versions, people = {}, None
        for name, samples in read.items():
            looked_at = scenes(unscored(samples), analysis=analysis)
            diagnosis = diagnose(looked_at, analysis=analysis, known=people)
            versions[name], people = (diagnosis, samples), diagnosis.people
    signature = "|".join(f"{k}:{v}" for k, v in pipeline.signature().items())
    result = compare_versions(versions, signature, analysis, precision)
    report(result, paths, quiet=quiet, forms={**PAGE, ".csv": csv_files})


def _check_is_no_result(old: str, new: str, error: InputError) -> None:
    """Raise an error for a result of `diagnose`, which holds no captions."""
    for file in (old, new):
        blamed = str(error).startswith(file) and not is_read_once(file)
        if blamed and '"by_image"' in read_text(file):
            raise InputError(
                f"{file}: a result of `spicepy diagnose`; diff compares the captions "
                "that it was made from: give both captions files, and --references"
            ) from error
