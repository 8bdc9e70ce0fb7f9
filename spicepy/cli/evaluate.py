"""`spicepy evaluate`: scores of captions by all metrics."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from spicepy.cli import _blocks as blocks_of
from spicepy.cli import _console as console
from spicepy.cli import _options as options
from spicepy.cli._options import ScoringOptions, metric_notes
from spicepy.cli._results import InputOptions, check_outputs, report
from spicepy.common.errors import InputError
from spicepy.common.writing import FORMS, STANDARD, FileForm, result_json

if TYPE_CHECKING:
    from spicepy.evaluation.evaluation import Evaluation
    from spicepy.metrics.base import Metric


def evaluate_command(
    *,
    given: InputOptions,
    metrics: options.Metrics = "spice",
    output: Annotated[
        list[str] | None,
        "Write all scores as .json or .csv (-: JSON to standard output), "
        "those of the corpus as .tex (booktabs) or .md (may be repeated); or in "
        "blocks, for data of any size, as .jsonl, .parquet or a folder/ of Parquet "
        "files.",
    ] = None,
    tuples: Annotated[bool, "Add tuples and their matches to the JSON."] = False,
    graphs: Annotated[
        bool, "FILE holds tuples instead of captions: no parsing."
    ] = False,
    engine: blocks_of.EngineOption = "local",
    address: blocks_of.AddressOption = None,
    scoring: ScoringOptions,
    quiet: options.Quiet = False,
) -> None:
    """Score candidate captions against references.

    FILE holds both, as SPICE JSON, JSON lines, CSV, TSV or Parquet:

        [{"image_id": 1, "test": "two dogs run", "refs": ["dogs running", "…"]}]

    or give a COCO pair with --candidates and --references. `-` is standard
    input; files ending in .gz, .bz2 or .xz are unpacked. METEOR takes captions of at
    most 2,000 words. In .csv files a caption that begins like a formula (=, +, -, @)
    gets an apostrophe before it.

    With an output in blocks, memory stays the same whatever the size of FILE, --jobs
    processes score blocks of their own, and the same command resumes a run that was
    stopped or killed. Each line or row is an image; the scores of the corpus go to
    NAME.corpus.json.

    Examples:

        spicepy evaluate captions.json

        spicepy evaluate captions.json --metrics spice,bleu,meteor,cider-d

        spicepy evaluate --candidates results.json --references captions_val.json
        --metrics all --output scores.json

        spicepy evaluate part-*.parquet --output scores.jsonl --jobs 8

        spicepy evaluate part-*.parquet --output scores/ --engine ray --address auto
    """
    from spicepy.evaluation.evaluation import evaluate

    workers = blocks_of.Workers(engine, address, scoring.jobs)
    blocks = (
        [] if graphs else [name for name in output or () if blocks_of.in_blocks(name)]
    )
    workers.check(blocks[0] if blocks else None)
    if blocks:
        if len(output or ()) > 1:
            raise InputError(f"{blocks[0]} is written in blocks; give no other output")
        blocks_of.score_in_blocks(
            given, blocks[0], metrics, scoring, workers, tuples=tuples, quiet=quiet
        )
        return

    def as_json(result: "Evaluation") -> list[Iterator[str]]:
        return result_json(result.to_dict(tuples=tuples))

    forms: dict[str, FileForm[Evaluation]] = {}
    forms |= {".json": as_json, ".json.gz": as_json, ".csv.gz": FORMS[".csv"]}
    kinds = (*forms, *(() if graphs else blocks_of.BLOCKS))
    inputs = *given.inputs(), *scoring.files()
    paths = check_outputs([Path(name) for name in output or ()], inputs, kinds)
    chosen = scoring.metrics(metrics)
    if graphs:
        result = _score_graphs(given.samples or (), metrics, chosen)
    else:
        read = given.read()
        with console.progress_bar(quiet=quiet):
            result = evaluate(read, chosen)
    console.warn(*result.warnings)
    result = replace(result, warnings=(*metric_notes(metrics), *result.warnings))
    detailed = any(measured.statistics.details for measured in result.measured)
    if tuples and not (detailed and any(map(_is_json, paths))):
        console.warn(
            "--tuples is ignored: only a .json or .jsonl file of SPICE holds them"
        )
    report(result, paths, quiet=quiet, forms=forms)
    if not quiet:
        _mention_exact(result.signature)


def _mention_exact(signature: str) -> None:
    """Mention exact scores if the user has added the original's grammar."""
    from spicepy.parsing.exact.pcfg import EXACT, added_models
    from spicepy.parsing.parser import model_signature

    used = f"model:{model_signature()}" in signature
    if used and any(model.name == EXACT for model in added_models()):
        console.err.print(f"exact scores of SPICE 1.0: --model {EXACT}")


def _score_graphs(
    files: Sequence[str], names: str, chosen: "Sequence[Metric]"
) -> "Evaluation":
    from spicepy.evaluation.evaluation import evaluate_graphs
    from spicepy.graph.exchange import read_graphs

    if len(files) != 1:
        raise InputError("--graphs needs one FILE")
    if len(chosen) != 1:
        raise InputError(f"--graphs scores by one metric, not --metrics {names}")
    return evaluate_graphs(read_graphs(files[0]), chosen[0])


def _is_json(path: Path) -> bool:
    return str(path).lower().removesuffix(".gz").endswith((".json", STANDARD))
