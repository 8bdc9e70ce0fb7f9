"""`spicepy check`: a gate for builds: no score may fall or rise beyond its limit."""

from pathlib import Path
from typing import Annotated

import typer

from spicepy.cli import _console as console
from spicepy.cli import _options as options
from spicepy.cli._options import ReadingOptions, ScoringOptions, with_option_groups
from spicepy.cli._results import (
    check_outputs,
    evaluate_systems,
    read_systems,
    report,
)
from spicepy.common.settings import SEED

Against = Annotated[str, typer.Option(help="Captions of the old version.")]
MaxDrop = Annotated[
    str | None,
    typer.Option(help="The most that scores may fall: spice=.005,bleu-4=.01."),
]
MaxRise = Annotated[
    str | None,
    typer.Option(help="The most that scores may rise, such as chair-i=.01."),
]
Limits = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE.toml",
        help="A file of limits: [max-drop], [max-rise], significant = true.",
    ),
]
Significant = Annotated[
    bool,
    typer.Option(
        "--significant", help="Fail only if a change beyond its limit is significant."
    ),
]
GitHub = Annotated[
    bool,
    typer.Option("--github", help="Print failures as annotations of GitHub Actions."),
]
CheckOutput = Annotated[
    list[Path] | None,
    typer.Option(
        "--output",
        "-o",
        help="Write the result; by extension .xml (JUnit), .md (a summary), .json, "
        ".csv or .tex. May be repeated.",
    ),
]


@with_option_groups
def check_command(
    new: Annotated[str, typer.Argument(help="Captions of the new version.")],
    against: Against,
    references: options.References = None,
    max_drop: MaxDrop = None,
    max_rise: MaxRise = None,
    limits: Limits = None,
    significant: Significant = False,
    samples: options.Resamples = None,
    common: options.CommonToAll = False,
    seed: options.Seed = SEED,
    *,
    reading: ReadingOptions,
    scoring: ScoringOptions,
    github: GitHub = False,
    output: CheckOutput = None,
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
    from spicepy.evaluation.limits import Check, check, metrics_for, parse_limits
    from spicepy.evaluation.limits import read_limits as read_file

    inputs = [new, against, references, limits, *scoring.files()]
    paths = check_outputs(output, inputs, (".xml",))
    chosen = parse_limits(max_drop, "drop") if max_drop else []
    chosen += parse_limits(max_rise, "rise") if max_rise else []
    if limits is not None:
        further, wanted = read_file(limits)
        chosen, significant = chosen + further, significant or wanted
    metrics = scoring.metrics(",".join(metrics_for(chosen)))
    naming = reading.naming()
    read = read_systems([against, new], references, common=common, naming=naming)
    with console.progress_bar(quiet=quiet):
        evaluated = evaluate_systems(read, metrics)
        compared = compare(evaluated, samples=samples, seed=seed)
    result = check(compared, chosen, significant=significant)
    report(result, paths, quiet=quiet, forms={".xml": Check.junit_file})
    if github:
        console.write_out("".join(result.annotations()))
    if not result.passed:
        raise typer.Exit(1)
