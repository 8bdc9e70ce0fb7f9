"""`spicepy correlate`: metrics against human scores."""

from typing import Annotated

import typer

from spicepy.cli import _console as console
from spicepy.cli import _options as options
from spicepy.cli._options import ScoringOptions, with_option_groups
from spicepy.cli._results import StudyOutput, check_outputs, report
from spicepy.common.settings import SEED, Equal, Raters, check_settings

JudgmentsArgument = Annotated[
    str,
    typer.Argument(help="Rated captions, JSON lines, JSON or CSV; - for stdin."),
]
HumanOption = Annotated[
    list[str] | None,
    typer.Option(
        help="Column with human scores. May be repeated.", show_default="human"
    ),
]
RatersOption = Annotated[
    Raters,
    typer.Option(help="Correlate with the mean rating, or with every rating."),
]
EqualOption = Annotated[
    Equal,
    typer.Option(
        help="A reference equal to a candidate: removed for that candidate (own) "
        "or for all of the image (image), or kept (keep)."
    ),
]
SystemScoresOption = Annotated[
    str | None,
    typer.Option(
        help="Ratings of whole systems: a file with a system and one or "
        "more numbers a record. The captions then need no human column."
    ),
]
SamplesOption = Annotated[
    int, typer.Option(min=0, help="Bootstrap samples of the intervals; 0 for none.")
]


@with_option_groups
def correlate_command(
    judgments: JudgmentsArgument,
    human: HumanOption = None,
    metrics: options.Metrics = "all",
    raters: RatersOption = "average",
    equal: EqualOption = "own",
    system_scores: SystemScoresOption = None,
    samples: SamplesOption = 1000,
    level: options.Level = 0.95,
    seed: options.Seed = SEED,
    *,
    scoring: ScoringOptions,
    output: StudyOutput = None,
    quiet: options.Quiet = False,
) -> None:
    """Correlate metrics with human ratings of the same captions.

    One rated caption a record:

    {"image_id": 7, "system": "B", "candidate": "a dog runs",
    "references": ["a dog is running", "…"], "human": [3, 4, 4]}

    A human column holds a number or a list of numbers, one a rater; in CSV
    "3;4;4", and every column that begins with "reference" is a reference. With
    "system" given (three or more systems) corpus scores are correlated as well,
    and metrics compared by the Williams test. Several raters: their agreement.

    Examples:

        spicepy correlate judgments.jsonl --human human -o table.tex

        spicepy correlate captions.jsonl --system-scores challenge.csv
    """
    from spicepy.reporting.study_figures import PICTURES
    from spicepy.study import correlation
    from spicepy.study.datasets import read_judgments
    from spicepy.study.systems import read_system_ratings

    inputs = [judgments, system_scores, *scoring.files()]
    paths = check_outputs(output, inputs, PICTURES)
    check_settings(samples or 2, level, seed)  # 0: no intervals
    chosen = scoring.metrics(metrics)
    columns = human or (("human",) if system_scores is None else ())
    given = None if system_scores is None else read_system_ratings(system_scores)
    with console.progress_bar(quiet=quiet):
        result = correlation.correlate(
            read_judgments(judgments, columns),
            metrics=chosen,
            raters=raters,
            equal=equal,
            samples=samples,
            level=level,
            seed=seed,
            system_ratings=given,
        )
    console.warn(*result.warnings)
    report(result, paths, quiet=quiet, forms=PICTURES)
