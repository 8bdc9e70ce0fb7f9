"""`spicepy compare`: several systems' captions in, a table for the paper out."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from spicepy.cli import _console as console
from spicepy.cli import _options as options
from spicepy.cli._inputs import read_complete
from spicepy.cli._metrics import choose
from spicepy.cli._results import Output, check_outputs, report
from spicepy.common.errors import InputError
from spicepy.evaluation.significance import SEED, Correction, check_settings

if TYPE_CHECKING:
    from spicepy.samples.sample import Sample


def compare_command(
    systems: options.Systems,
    references: options.References = None,
    metrics: options.Metrics = "spice",
    samples: options.Resamples = 1000,
    level: options.Level = 0.95,
    correction: Annotated[
        Correction, typer.Option(help="For many comparisons.")
    ] = "holm",
    common: Annotated[
        bool,
        typer.Option("--common", help="Compare the images that all systems have."),
    ] = False,
    seed: options.Seed = SEED,
    model: options.Model = None,
    grammar: options.Grammar = "spice-1.0",
    wordnet: options.WordNet = "bundled",
    categories: options.Categories = None,
    paraphrases: options.Paraphrases = None,
    frequencies: options.Frequencies = None,
    jobs: options.Jobs = 1,
    output: Output = None,
    quiet: options.Quiet = False,
) -> None:
    """Compare systems: scores, confidence intervals and significance.

    Each SYSTEM is a file of candidates (image_id, caption) with the references
    in --references, or a file that holds its references too (SPICE JSON). A
    system is named after its file.

    Examples:

        spicepy compare a.json b.json --references captions_val.json

        spicepy compare a.json b.json --references refs.json
        --metrics spice,bleu,cider-d --output table.tex
    """
    from spicepy.evaluation.comparison import compare
    from spicepy.evaluation.evaluation import evaluate

    inputs = [*systems, references, paraphrases, frequencies, categories, grammar]
    paths = check_outputs(output, inputs)
    check_settings(samples, level, seed)
    chosen = choose(
        metrics,
        model=model,
        grammar=grammar,
        wordnet=wordnet,
        categories=categories,
        paraphrases=paraphrases,
        frequencies=frequencies,
        jobs=jobs,
    )
    read = read_systems(systems, references, common=common)
    with console.progress_bar(quiet=quiet):
        evaluated = {name: evaluate(s, chosen) for name, s in read.items()}
        result = compare(
            evaluated, samples=samples, seed=seed, level=level, correction=correction
        )
    for name, evaluation in evaluated.items():
        for warning in evaluation.warnings:
            console.warn(f"{name}: {warning}")
    report(result, paths, quiet=quiet)


def read_systems(
    files: list[str], references: str | None, *, common: bool
) -> "dict[str, list[Sample]]":
    """Each system's samples by its name, checked to be of the same images."""
    from spicepy.evaluation.comparison import check_images, common_images
    from spicepy.samples.reading import read_candidates, read_references
    from spicepy.samples.sample import pair

    if len(set(files)) < len(files):
        raise InputError("the same file is given twice")
    names = system_names(files)
    if references is None:
        systems = {
            n: read_complete(f, "give them with --references FILE")
            for n, f in zip(names, files)
        }
    else:
        known = read_references(references)
        candidates = {n: read_candidates(f) for n, f in zip(names, files)}
        everything = {i: "" for found in candidates.values() for i in found}
        pair(everything, known, common=common)  # both ways, over all systems
        systems = {
            n: pair(found, known, common=True) for n, found in candidates.items()
        }
    if not common:
        check_images(systems)
    kept = common_images(systems)
    check_images(kept)  # the same references
    return kept


def system_names(files: list[str]) -> list[str]:
    """Files' names without folder and extension; whole paths if these collide."""
    names = []
    for file in files:
        path = Path(console.label(file).removesuffix(".gz"))
        known = path.suffix.lower() in (".json", ".jsonl", ".csv", ".tsv")
        names.append(path.stem if known else path.name)
    whole = [os.fsencode(file).decode("utf-8", "replace") for file in files]
    return names if len(set(names)) == len(names) else whole
