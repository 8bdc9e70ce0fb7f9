"""Caption files of commands: one set, or a set for each system."""

import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from spicepy.cli import _console as console
from spicepy.common.errors import InputError
from spicepy.common.files import check_distinct_inputs, is_read_once
from spicepy.samples.foreign import PLAIN, Naming

if TYPE_CHECKING:
    from spicepy.evaluation.evaluation import Evaluation
    from spicepy.metrics.base import Metric
    from spicepy.samples.sample import Sample


def read_input(
    files: list[str],
    candidates: str | None,
    references: str | None,
    *,
    common: bool = False,
    naming: Naming = PLAIN,
) -> "list[Sample]":
    """Return samples from files that hold both sides, or from a pair of files."""
    from spicepy.samples.reading import read_pair
    from spicepy.samples.sample import unique
    from spicepy.samples.streams import Source

    if files:
        if candidates:
            raise InputError(
                "give either FILE or the pair --candidates and --references, not both"
            )
        if references:
            raise InputError(
                "captions without references go with --candidates: give "
                f"--candidates {files[0]} --references {references}"
            )
        hint = "give the pair --candidates FILE --references FILE"
        if len(files) == 1:
            return _read_complete(files[0], hint, naming)
        samples = Source(files, naming=naming).samples()
        return unique((sample for _, sample in samples), "the files")
    if candidates is None or references is None:
        raise InputError(
            "no captions: give FILE, or both --candidates and --references"
        )
    return read_pair(candidates, references, common=common, naming=naming)


def read_systems(
    files: list[str], references: str | None, *, common: bool
) -> "dict[str, list[Sample]]":
    """Return each system's samples by its name; all must have the same images."""
    from spicepy.evaluation.systems import check_images, common_images
    from spicepy.samples.reading import read_candidates, read_references
    from spicepy.samples.sample import pair

    check_distinct_inputs(files)
    names = system_names(files)
    if references is None:
        systems = {
            n: _read_complete(f, "give them with --references FILE")
            for n, f in zip(names, files)
        }
    else:
        known = read_references(references)
        candidates = {n: read_candidates(f) for n, f in zip(names, files)}
        everything = {i: "" for samples in candidates.values() for i in samples}
        pair(everything, known, common=common)  # both ways, over all systems
        systems = {
            n: pair(samples, known, common=True) for n, samples in candidates.items()
        }
    if not common:
        check_images(systems)
    kept = common_images(systems)
    check_images(kept)  # the same references
    return kept


def evaluate_systems(
    systems: "Mapping[str, list[Sample]]", metrics: "Sequence[Metric]"
) -> "dict[str, Evaluation]":
    """Score each system, and print the warnings about its captions."""
    from spicepy.evaluation.evaluation import evaluate

    evaluated = {}
    for name, samples in systems.items():
        evaluated[name] = evaluate(samples, metrics)
        console.warn(*(f"{name}: {text}" for text in evaluated[name].warnings))
    return evaluated


def system_names(files: list[str]) -> list[str]:
    """Return names of files without folder and extension; paths if these collide."""
    names = []
    for file in files:
        path = Path(console.label(file).removesuffix(".gz"))
        known = path.suffix.lower() in (".json", ".jsonl", ".csv", ".tsv")
        names.append(path.stem if known else path.name)
    whole = [os.fsencode(file).decode("utf-8", "replace") for file in files]
    return names if len(set(names)) == len(names) else whole


def _read_complete(file: str, hint: str, naming: Naming = PLAIN) -> "list[Sample]":
    """Return samples of a file that must hold candidates and references.

    Raises:
        InputError: See `read_samples`; `hint` follows if the file holds one side
            alone.
    """
    from spicepy.samples.reading import read_samples

    try:
        return read_samples(file, naming=naming)
    except InputError as error:
        if not (sides := _only_side(file, naming)):
            raise
        raise InputError(f"{file} holds {sides}; {hint}") from error


def _only_side(file: str, naming: Naming) -> str:
    """Return the side that a file holds without the other one, "" if it is unclear."""
    from spicepy.samples.reading import read_candidates, read_records, read_references

    if is_read_once(file):
        return ""
    for side, other, read, others in (
        ("candidates", "references", read_candidates, {"references", "refs"}),
        ("references", "candidates", read_references, {"candidate", "test"}),
    ):
        with suppress(InputError):
            read(file, naming=naming)
            records = read_records(file, naming)
            both = any(others & record.keys() for _, record in records)
            return "" if both else f"{side} without {other}"
    return ""
