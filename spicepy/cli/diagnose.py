"""`spicepy diagnose`: can it count? What is missed, invented, confused?"""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from spicepy.cli import _console as console
from spicepy.cli import _options as options
from spicepy.cli.evaluate import read_input

if TYPE_CHECKING:
    from spicepy.diagnosis import Diagnosis


def diagnose_command(
    samples: options.Samples = None,
    candidates: options.Candidates = None,
    references: options.References = None,
    quantities: Annotated[
        bool,
        typer.Option(
            "--quantities", help='Read "a couple", "a pair", "a dozen" as 2, 2, 12.'
        ),
    ] = False,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", help="Everything as .json; a row an error as .csv."
        ),
    ] = None,
    common: options.Common = False,
    model: options.Model = None,
    grammar: options.Grammar = "spice-1.0",
    wordnet: options.WordNet = "bundled",
    jobs: options.Jobs = 1,
    quiet: options.Quiet = False,
) -> None:
    """Show what a captioner gets wrong.

    For every number, colour and size that the references give an object: did
    the candidate say it right, wrong or not at all? And the most often missed
    and invented objects, attributes on the wrong object, and relations with
    their arguments swapped. Input as for `spicepy evaluate`.

    Example: spicepy diagnose captions.json --output errors.csv
    """
    from spicepy.diagnosis import diagnose, scenes
    from spicepy.evaluation import evaluate
    from spicepy.metrics import MetricOptions, resolve

    console.check_output(output, (".json", ".csv"))
    read = read_input(samples, candidates, references, common=common)
    chosen = MetricOptions(model=model, grammar=grammar, wordnet=wordnet, jobs=jobs)
    with console.progress_bar(quiet=quiet):
        evaluated = evaluate(read, resolve(["spice"], chosen))
        found = diagnose(scenes(evaluated), quantities=quantities)
    for warning in evaluated.warnings:
        console.warn(warning)
    if output:
        console.write_result(
            output,
            lambda: {"signature": evaluated.signature, **found.to_dict()},
            lambda: errors_csv(found),
        )
    if not quiet or output is None:
        for table in found.tables():
            console.show_table(table)


def errors_csv(found: "Diagnosis") -> str:
    """A row an error: image, kind, tuple or object, expected and said value."""
    rows = [
        [o.image_id, f"wrong {o.aspect}", o.object, o.expected, o.said]
        for o in found.observations
        if o.verdict == "wrong"
    ]
    rows += [
        [f.image_id, f.kind, ", ".join(f.members), None, None] for f in found.findings
    ]
    header = ["image_id", "error", "tuple", "expected", "said"]
    return console.to_csv(header, iter(rows))
