"""The command `spicepy diagnose`: the errors of a system's captions, by kind."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Annotated, Final

import typer

from spicepy.cli import _console as console
from spicepy.cli import _options as options
from spicepy.cli import _results as results
from spicepy.cli._options import AnalysisOptions, SpiceOptions
from spicepy.common.resources import required
from spicepy.common.settings import RELIABLE
from spicepy.common.writing import FileForm, csv_files

if TYPE_CHECKING:
    from spicepy.diagnosis.annotations import AnnotatedDiagnosis
    from spicepy.diagnosis.results.diagnosis import Diagnosis

TABLES: Final = (
    *("patterns", "values", "images", "categories", "objects", "confusion"),
    *("ranking", "facts"),
)
"""The tables that are written beside the errors, as `x-images.csv`."""


def diagnose_command(
    *,
    given: results.InputOptions,
    precision: options.Precision = RELIABLE,
    vocabulary: Annotated[
        str,
        typer.Option(
            help="Object classes whose inventions are counted: coco-80, or a TOML file "
            "with a table of classes."
        ),
    ] = "coco-80",
    instances: Annotated[
        list[str] | None,
        f"{options.ANNOTATED}, one file or several; errors that they refute "
        "are struck out, those that they confirm listed.",
    ] = None,
    answers: Annotated[
        str | None,
        "Answers of a vision model to the questions of `spicepy questions "
        "--references`: what the picture refutes is an error, what it confirms is "
        "struck out, as far as the model's own errors allow.",
    ] = None,
    facts: Annotated[
        bool,
        "List everything that captions say, sentence by sentence, with how likely it "
        "is wrong; for long captions.",
    ] = False,
    all_: Annotated[bool, "Print all tables, not the first screen."] = False,
    scoring: SpiceOptions,
    analysing: AnalysisOptions,
    output: results.TableOutput = None,
    bom: Annotated[bool, "Begin CSV files with a byte order mark, for Excel."] = False,
    quiet: options.Quiet = False,
) -> None:
    """Show what a captioner gets wrong.

    Prints a verdict and what matters most: can it count, what it does systematically
    (more often than people do to each other), the most probable errors. With --all all
    tables: precision and recall by category; for every number, color, size, material,
    gender and age that the references give an object, whether the candidate said it
    right, wrong or not at all; and the most often missed, invented and confused
    objects, wrong values, garments, activities and places, attributes on the wrong
    object, and relations with their arguments swapped. Captions are read by the
    grammar spicepy-1, whatever `--grammar` SPICE is scored with (for --all and files
    only: the first screen shows no score). With --instances,
    also CHAIR and counting against annotated objects. Input as for `spicepy evaluate`.

    A .json file holds every image and all sums. A .csv file holds a row for each
    error, with the captions and the pattern that it is an example of; x-patterns (a row
    for each habit), x-values, x-images, x-categories, x-objects, x-confusion and
    x-ranking are written next to x.csv, with --facts also x-facts, a row for each
    statement. An .xlsx file has them as sheets (`pip install
    'spicepy-captions[excel]'`).

    Example: spicepy diagnose captions.json --output errors.csv
    """
    from spicepy.asking.answers import AnswerBook
    from spicepy.diagnosis.annotations import (
        beside_annotations,
        grounded,
        grounding_metrics,
    )
    from spicepy.diagnosis.results import rows
    from spicepy.diagnosis.results.diagnosing import beside_answers, diagnose, scenes
    from spicepy.diagnosis.results.tables import doubted_facts
    from spicepy.evaluation.evaluation import evaluate, unscored
    from spicepy.objects.instances import read_instances
    from spicepy.objects.vocabulary import load_vocabulary

    inputs = [*given.inputs(), vocabulary, answers, *scoring.files()]
    inputs += instances or ()
    paths = results.check_outputs(output, inputs, [".xlsx"], TABLES)
    if any(path.suffix.lower() == ".xlsx" for path in paths):
        required("xlsxwriter", "an .xlsx file")
    classes = load_vocabulary(vocabulary)
    chosen = scoring.metrics("spice")
    if not (all_ or paths):  # The first screen shows no score, and scoring takes time.
        chosen = []
    read = given.read()
    annotated = read_instances(instances) if instances else None
    book = None if answers is None else AnswerBook.load(answers)
    if annotated is not None:
        chosen += grounding_metrics(annotated, vocabulary, scoring.jobs, scoring.cache)
    analysis = analysing.analysis(scoring.jobs, scoring.cache)
    with console.progress_bar(quiet=quiet):
        evaluated = evaluate(read, chosen) if chosen else unscored(read)
        diagnosis = diagnose(
            scenes(evaluated, analysis=analysis),
            precision=precision if annotated is None and book is None else 0,
            vocabulary=classes,
            signature=evaluated.signature,
            analysis=analysis,
            facts=facts,
        )
        if book is not None:
            diagnosis = beside_answers(diagnosis, read, book)
            if annotated is None:
                diagnosis = diagnosis.believed(precision)
    console.warn(*evaluated.warnings)
    result: Diagnosis | AnnotatedDiagnosis = diagnosis
    if annotated is not None:
        nouns = analysis.lexicon.nouns
        judged = beside_annotations(
            diagnosis, annotated, classes, nouns, precision=precision
        )
        result = replace(judged, grounded=grounded(evaluated))
        diagnosis = judged.diagnosis
    if not (results.to_standard_output(paths) or (quiet and paths)):
        for sentence in result.verdict:
            console.out.print(sentence)
    shown = result.tables() if all_ else result.first_screen()
    if facts and not all_:
        shown += (doubted_facts(diagnosis.by_image, diagnosis.facts),)
    forms: Mapping[str, FileForm[Diagnosis | AnnotatedDiagnosis]] = {
        ".csv": partial(csv_files, mark=bom),
        ".xlsx": rows.workbook,
    }
    results.report(result, paths, quiet=quiet, forms=forms, tables=shown)
