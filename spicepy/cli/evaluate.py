"""`spicepy evaluate`: a captions file in, scores of all metrics out."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from spicepy.cli import _console as console
from spicepy.cli import _options as options
from spicepy.cli._bundles import Scoring, said, unbundled
from spicepy.cli._inputs import read_input
from spicepy.common.errors import InputError
from spicepy.common.tables import Table, csv_text

if TYPE_CHECKING:
    from spicepy.evaluation.evaluation import Evaluation
    from spicepy.metrics.base import Metric


@unbundled
def evaluate_command(
    samples: options.Samples = None,
    candidates: options.Candidates = None,
    references: options.References = None,
    metrics: options.Metrics = "spice",
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Write all scores as .json or .csv."),
    ] = None,
    tuples: Annotated[
        bool,
        typer.Option("--tuples", help="Add tuples and their matches to the JSON."),
    ] = False,
    graphs: Annotated[
        bool,
        typer.Option(
            "--graphs", help="FILE holds tuples instead of captions: no parsing."
        ),
    ] = False,
    common: options.Common = False,
    id_column: options.IdColumn = None,
    *,
    scoring: Scoring,
    quiet: options.Quiet = False,
) -> None:
    """Score candidate captions against references.

    FILE holds both, as SPICE JSON, JSON lines, CSV or TSV:

        [{"image_id": 1, "test": "two dogs run", "refs": ["dogs running", "…"]}]

    or give a COCO pair with --candidates and --references. `-` is standard
    input; files ending in .gz are unpacked. METEOR takes captions of at most
    2,000 words. In .csv files a caption that begins like a formula (=, +, -, @)
    gets an apostrophe before it.

    Examples:

        spicepy evaluate captions.json

        spicepy evaluate captions.json --metrics spice,bleu,meteor,cider-d

        spicepy evaluate --candidates results.json --references captions_val.json
        --metrics all --output scores.json
    """
    from spicepy.evaluation.evaluation import evaluate

    inputs = samples, candidates, references, *scoring.files()
    console.check_files(output, (".json", ".csv", ".json.gz", ".csv.gz"), *inputs)
    chosen = scoring.metrics(metrics)
    if graphs:
        result = _score_graphs(samples, metrics, chosen)
    else:
        read = read_input(
            samples, candidates, references, common=common, id_column=id_column
        )
        with console.progress_bar(quiet=quiet):
            result = evaluate(read, chosen)
    for warning in result.warnings:
        console.warn(warning)
    result = replace(result, warnings=(*said(metrics), *result.warnings))
    if tuples and not _tuples_shown(output, result):
        console.warn("--tuples is ignored: only a .json file of SPICE holds them")
    if output:
        with console.progress_bar(quiet=quiet):
            console.write_result(
                output,
                lambda: result.to_dict(tuples=tuples),
                lambda: scores_csv(result),
            )
        if not quiet:
            console.err.print(f"wrote {output}", markup=False)
    if not quiet or output is None:
        console.show_table(scores_table(result))
        console.out.print(result.signature.replace("; ", "\n"), markup=False)


def _score_graphs(
    samples: str | None, names: str, chosen: "Sequence[Metric]"
) -> "Evaluation":
    from spicepy.evaluation.evaluation import evaluate_graphs
    from spicepy.graph.reading import read_graphs

    if samples is None:
        raise InputError("--graphs needs FILE")
    if len(chosen) != 1:
        raise InputError(f"--graphs scores by one metric, not --metrics {names}")
    return evaluate_graphs(read_graphs(samples), chosen[0])


def _tuples_shown(output: Path | None, result: "Evaluation") -> bool:
    packed = str(output).lower().removesuffix(".gz")
    detailed = any(measured.statistics.details for measured in result.measured)
    return packed.endswith(".json") and detailed


def scores_table(result: "Evaluation") -> Table:
    """Corpus scores; SPICE has precision, recall and images by category, too."""
    rows = tuple(line for measured in result.measured for line in measured.lines())
    columns = ("Metric", "Score", "Precision", "Recall", "Images")
    return Table("Corpus scores", columns, rows, digits=4)


def scores_csv(result: "Evaluation") -> str:
    """A row an image: id, candidate, every score; the signature in each row."""
    columns = [result.image_scores(key) for key in result.keys]
    signature = result.signature
    rows = (
        [s.image_id, s.candidate, *(c[s.image_id] for c in columns), signature]
        for s in result.samples
    )
    return csv_text(["image_id", "candidate", *result.keys, "signature"], rows)
