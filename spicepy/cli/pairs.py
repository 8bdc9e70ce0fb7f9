"""`spicepy pairs`: metrics against human preferences."""

from pathlib import Path
from typing import Annotated

import typer

from spicepy.cli import _console as console
from spicepy.cli import _options as options
from spicepy.cli._options import ScoringOptions, with_option_groups
from spicepy.cli._results import StudyOutput, check_outputs, report
from spicepy.common.errors import InputError, brief, counted
from spicepy.common.settings import SEED, Ties
from spicepy.common.writing import check_distinct, write_text

FileArgument = Annotated[
    str,
    typer.Argument(
        metavar="PAIRS", help="Pairs or triplet votes, JSON lines, JSON or CSV."
    ),
]
ReferencesOption = Annotated[
    str,
    typer.Option(help="Numbers of references to try, such as 1,5,10,all."),
]
RepeatsOption = Annotated[
    int, typer.Option(min=1, help="Samples of references for each number.")
]
TiesOption = Annotated[
    Ties,
    typer.Option(help="A tie counts half, as wrong (strict) or as right (equal)."),
]
KeepEqualOption = Annotated[
    bool,
    typer.Option(
        "--keep-equal",
        help="Leave references equal to a candidate in place (removed otherwise).",
    ),
]
RankingsOption = Annotated[
    Path | None,
    typer.Option(
        help="Write the captions of each image, ranked by people and by each "
        "metric, to this .csv file."
    ),
]


@with_option_groups
def pairs_command(
    file: FileArgument,
    metrics: options.Metrics = "all",
    references: ReferencesOption = "all",
    repeats: RepeatsOption = 10,
    ties: TiesOption = "half",
    keep_equal: KeepEqualOption = False,
    rankings: RankingsOption = None,
    seed: options.Seed = SEED,
    *,
    scoring: ScoringOptions,
    output: StudyOutput = None,
    quiet: options.Quiet = False,
) -> None:
    """Count how often metrics prefer the caption that people preferred.

    One pair a record ("preferred" may be given as "votes_a" and "votes_b"):

    {"image_id": 7, "candidate_a": "…", "candidate_b": "…", "preferred": "a",
    "category": "HC", "references": ["…", "…"]}

    or one vote on a triplet a record (is B or C closer to A? 1: B, -1: C);
    votes on the same pair are gathered, the majority decides:

    {"pair": 0, "A": "…", "B": "…", "C": "…", "rating": 1}

    Votes show how well people agree. With "system_a" and "system_b" given, the
    share of its pairs that each system wins is compared, too. With several numbers
    of references: mean and sd over repeated samples, and
    the curve in .html and .svg output.

    Example: spicepy pairs pairs.jsonl --references 1,5,10,20,50 -o curve.svg
    """
    from spicepy.reporting.study_figures import PICTURES
    from spicepy.study import accuracy
    from spicepy.study.preferences import rankings_csv, read_pairs

    inputs = [file, *scoring.files()]
    paths = check_outputs(output, inputs, PICTURES)
    console.check_files(rankings, (".csv",), *inputs)
    check_distinct([*paths, *([rankings] if rankings else [])])
    chosen = scoring.metrics(metrics)
    counts = _counts(references)
    preferences, even = read_pairs(file)
    if even:
        console.warn(
            f"{counted(even, 'pair')} left out: as many votes for one caption as for "
            "the other"
        )
    with console.progress_bar(quiet=quiet):
        result = accuracy.pairs(
            preferences,
            metrics=chosen,
            references=counts,
            repeats=repeats,
            ties=ties,
            remove_equal=not keep_equal,
            seed=seed,
        )
    if rankings is not None:
        write_text(rankings, rankings_csv(result.rankings, result.keys))
        console.wrote(rankings)
    report(result, paths, quiet=quiet, forms=PICTURES)


def _counts(text: str) -> list[int | None]:
    """Return numbers of references: "1,5,all" -> [1, 5, None]."""
    try:
        return [
            None if part.strip() == "all" else int(part) for part in text.split(",")
        ]
    except ValueError:
        raise InputError(
            f"--references is {brief(text)}; "
            "it must be numbers or 'all', such as 1,5,all"
        ) from None
