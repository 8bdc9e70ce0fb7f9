"""`spicepy pope`: answers to yes-or-no questions about objects."""

from typing import Annotated

import typer

from spicepy.cli import _options as options
from spicepy.cli._results import Output, check_outputs, report


def pope_command(
    answers: Annotated[
        str,
        typer.Argument(
            metavar="ANSWERS", help="JSON lines or a list: question_id, answer (text)."
        ),
    ],
    questions: Annotated[
        list[str],
        typer.Argument(
            metavar="QUESTIONS",
            help="JSON lines or a list: question_id, label (yes, no); a file for each "
            "split.",
        ),
    ],
    output: Output = None,
    quiet: options.Quiet = False,
) -> None:
    """Score answers to questions such as "Is there a dog in the image?" (POPE).

    Accuracy, precision, recall and F1 of "yes", and the share of "yes". Answers are
    read as the published script reads them: "no" if the first sentence has the word
    "no" or "not", else "yes". Without question_id, answers stand in the order of the
    questions. Of several splits (random, popular, adversarial) each is shown, and the
    mean. How many answers have neither yes nor no is told.

    Example: spicepy pope answers.jsonl coco_pope_random.json
    """
    from spicepy.objects.pope import measure_splits

    paths = check_outputs(output, [answers, *questions])
    report(measure_splits(answers, questions), paths, quiet=quiet)
