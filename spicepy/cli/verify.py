"""`spicepy verify`: the share of captions' statements that hold in the pictures."""

from typing import Annotated

import typer

from spicepy.cli import _console as console
from spicepy.cli import _options as options
from spicepy.cli._inputs import system_names
from spicepy.cli._results import Output, check_outputs, report
from spicepy.cli.questions import read_image_captions
from spicepy.common.errors import InputError
from spicepy.common.files import check_distinct_inputs
from spicepy.common.settings import SEED, check_settings


def verify_command(
    captions: Annotated[
        list[str],
        typer.Argument(
            metavar="CAPTIONS", help="One file a system: image_id, caption."
        ),
    ],
    answers: Annotated[
        list[str] | None,
        typer.Option(
            help="Answers of a vision model to the questions of `spicepy questions`: "
            "image_id, question or id, answer (yes, no, a probability, text that "
            "begins so). May be repeated for several models."
        ),
    ] = None,
    samples: options.Resamples = None,
    level: options.Level = 0.95,
    seed: options.Seed = SEED,
    output: Output = None,
    quiet: options.Quiet = False,
) -> None:
    """Verify captions against pictures by a vision model's answers.

    For each caption the share of its statements that hold, over all and by category:
    means over captions with intervals, and tests between systems. As in DSG, a statement
    whose parent does not hold does not hold, either. Unknown answers ("maybe", "I cannot
    see that") and missing ones are counted and listed, and are no zeros.

    Examples:

        spicepy questions captions.json -o questions.jsonl

        spicepy verify captions.json --answers answers.jsonl
    """
    from spicepy.asking.answers import AnswerBook
    from spicepy.grounding.verification import verify

    files = answers or []
    if not files:
        raise InputError(
            "no answers: give a vision model's with --answers FILE; `spicepy questions` "
            "writes the questions"
        )
    paths = check_outputs(output, [*captions, *files])
    check_settings(samples or 2, level, seed)
    check_distinct_inputs(captions)
    with console.progress_bar(quiet=quiet):
        systems = {
            name: read_image_captions(file)
            for name, file in zip(system_names(captions), captions)
        }
        books = [AnswerBook.load(file) for file in files]
        result = verify(systems, books, samples=samples, level=level, seed=seed)
    console.warn(*result.warnings)
    report(result, paths, quiet=quiet)
