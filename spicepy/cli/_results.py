"""Writing and printing the results of commands with tables."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from spicepy.captions.records import ColumnNames
from spicepy.cli import _console as console
from spicepy.cli._options import CommonToAll, ReadingOptions, References
from spicepy.common import writing
from spicepy.common.errors import InputError, brief
from spicepy.common.files import check_distinct_inputs, unpacked_name
from spicepy.common.pages import template_library
from spicepy.common.tables import Table

if TYPE_CHECKING:
    from spicepy.captions.sample import Sample
    from spicepy.evaluation.evaluation import Evaluation
    from spicepy.metrics.base import Metric

_DRAWN: Final = (".html", ".svg")
_CAPTIONS: Final = (".json", ".jsonl", ".ndjson", ".csv", ".tsv", ".parquet", ".txt")


def _output(forms: str) -> str:
    """Return the help of an option for files whose extension names the form."""
    return f"Write the result; by extension {forms}. May be repeated."


Output = Annotated[
    list[Path] | None,
    _output(
        ".json (everything), .csv, .md or .tex (booktabs); - writes JSON to standard "
        "output"
    ),
]
TableOutput = Annotated[
    list[Path] | None,
    _output(
        ".json (everything), .csv, .xlsx, .md or .tex (booktabs); - writes JSON to "
        "standard output"
    ),
]
PageOutput = Annotated[
    list[Path] | None,
    _output(".json and .csv (everything), .md, .tex (booktabs), .html (a page)"),
]
StudyOutput = Annotated[
    list[Path] | None,
    _output(
        ".json (everything), .csv, .md, .tex (booktabs), .html (with pictures), .svg"
    ),
]


def check_outputs(
    paths: Sequence[Path] | None,
    inputs: Sequence[object],
    forms: Iterable[str] = (),
    tables: Iterable[str] = (),
) -> list[Path]:
    """Check the names of output files before the work."""
    console.check_files(None, (), *inputs)
    writing.check_distinct(list(paths or ()), tables)
    if any(path.suffix.lower() in _DRAWN for path in paths or ()):
        template_library()
    return [writing.check_output(path, forms, inputs, tables) for path in paths or ()]


def to_standard_output(paths: Iterable[Path]) -> bool:
    """Return whether standard output is one of the files and so gets no tables."""
    return any(str(path) == writing.STANDARD for path in paths)


def report(
    result: writing.R,
    paths: Sequence[Path],
    *,
    quiet: bool,
    forms: Mapping[str, writing.FileForm[writing.R]] | None = None,
    tables: Iterable[Table] | None = None,
) -> None:
    """Write a result's files, then print its tables (a reader may stop early)."""
    # If `quiet`, no tables are printed if there are files; `tables` are by default
    # those of the result.
    with console.progress_bar(quiet=quiet):
        files = [file for path in paths for file in writing.write(result, path, forms)]
    for file in files:
        console.wrote(file)
    if to_standard_output(paths):
        return
    if not quiet or not paths:
        for table in result.tables() if tables is None else tables:
            console.show_table(table)


# Caption files of commands: one set, or a set for each system.


@dataclass(kw_only=True)
class InputOptions(ReadingOptions):
    """Files that hold candidates and references, or a COCO pair of files."""

    samples: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="FILE", help="Candidates and references in one file, or more."
        ),
    ] = None
    candidates: Annotated[
        str | None, "Candidates of a COCO pair: image_id, caption."
    ] = None
    references: References = None
    common: Annotated[bool, "Score only images that both sides have."] = False

    def inputs(self) -> list[str | None]:
        """Return the files that the options name; None where there is none."""
        return [*(self.samples or ()), self.candidates, self.references]

    def again(self) -> "Callable[[], Iterator[tuple[str, Sample]]]":
        """Return a function that yields all samples with their places.

        Files that cannot be read record by record are read once and kept.
        """
        if self.samples and not self.candidates and not self.references:
            from spicepy.captions.streams import Source

            return Source(self.samples, naming=self.naming()).samples
        read = self.read()
        return lambda: ((f"sample {n}", sample) for n, sample in enumerate(read, 1))

    def read(self) -> "list[Sample]":
        """Return the samples."""
        from spicepy.captions.reading import read_pair, read_samples

        naming, files, references = self.naming(), self.samples, self.references
        if not files:
            if self.candidates is None or references is None:
                raise InputError(
                    "no captions: give FILE, or both --candidates and --references"
                )
            files = [self.candidates]
        elif self.candidates:
            raise InputError(
                "give either FILE or the pair --candidates and --references, not both"
            )
        if len(files) > 1 or parted(files[0])[0]:
            return _of_files(files, references, naming)
        if references is None:
            hint = "give the pair --candidates FILE --references FILE, or name the "
            hint += "columns: --candidate-column, --references-column ref1,ref2"
            return read_samples(files[0], naming=naming, hint=hint)
        return read_pair(files[0], references, common=self.common, naming=naming)


def _of_files(
    files: Sequence[str], references: str | None, naming: ColumnNames
) -> "list[Sample]":
    """Return the samples of files that hold both sides; say what to do with others."""
    from spicepy.captions.reading import only_side
    from spicepy.captions.sample import unique
    from spicepy.captions.streams import Source
    from spicepy.evaluation.options import METRICS

    last = files[-1]
    if last.lower() in METRICS and not os.path.exists(last):
        raise InputError(f"{last}: no such file; write --metrics spice,{last}")
    several = (
        f"one system is read here; for several: `spicepy compare {' '.join(files)} "
        f"--references {references or 'FILE'}`, or `spicepy report` for their errors "
        "as well"
    )
    if references or any(name for name, _ in map(parted, files)):
        raise InputError(several)
    try:
        samples = Source(files, naming=naming).samples()
        return unique((sample for _, sample in samples), "the files")
    except InputError as error:
        sides = [only_side(file, naming).partition(" ")[0] for file in files]
        if sorted(sides) == ["candidates", "references"]:
            pair = " ".join(f"--{s} {f}" for s, f in sorted(zip(sides, files)))
            several = f"the files hold one side each: give {pair}"
        elif set(sides) != {"candidates"}:
            raise
        raise InputError(several) from error


@dataclass(kw_only=True)
class SystemsOptions(ReadingOptions):
    """Options of reading several systems' captions of the same images."""

    references: References = None
    common: CommonToAll = False

    def read(self, files: Mapping[str, str]) -> "dict[str, list[Sample]]":
        """Return the samples of each system's file; all must have the same images."""
        from spicepy.captions.reading import (
            read_candidates,
            read_references,
            read_samples,
        )
        from spicepy.captions.sample import joined, pair
        from spicepy.evaluation.pairwise import check_images, common_images

        naming, common = self.naming(), self.common
        if self.references is None:
            hint = "give them with --references FILE"
            systems = {
                n: read_samples(f, naming=naming, hint=hint) for n, f in files.items()
            }
        else:
            known = read_references(self.references, naming=naming.of_references())
            candidates = {
                n: known.by_their_ids(read_candidates(f, naming=naming.of_candidates()))
                for n, f in files.items()
            }
            everything = {i: "" for samples in candidates.values() for i in samples}
            try:
                pair(everything, known, common=common)  # both ways, over all systems
            except InputError as error:
                raise InputError(f"{error}{known.hint()}") from None
            systems = {n: joined(samples, known) for n, samples in candidates.items()}
        if not common:
            check_images(systems)
        kept = common_images(systems)
        console.warn_of_less(systems, kept)
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


def parted(given: str) -> tuple[str, str]:
    """Return the parts of NAME=FILE; without a name, "" and the file."""
    name, equals, file = given.partition("=")
    if not equals or os.path.exists(given) or "/" in name or "\\" in name:
        return "", given  # a file's own name may have the sign
    pattern = file == writing.STANDARD or "{" in file
    if not name or not (pattern or os.path.exists(file)):
        other = f", and none called {file}" if file else ""
        raise InputError(f"{given}: no such file{other} (NAME=FILE names a system)")
    return name, file


def named_files(given: Iterable[str]) -> dict[str, str]:
    """Return the files of systems by name: NAME=FILE, or else the name of the file."""
    pairs = [parted(each) for each in given]
    check_distinct_inputs(file for _, file in pairs)
    own = iter(system_names([file for name, file in pairs if not name]))
    names = [name or next(own) for name, _ in pairs]
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"two systems are called {brief(name)}; give other names")
    return dict(zip(names, (file for _, file in pairs)))


def system_names(files: Sequence[str]) -> list[str]:
    """Return names of files without folder and extension; paths if these collide."""
    names = []
    for file in files:
        path = Path(unpacked_name(console.label(file)))
        names.append(path.stem if path.suffix.lower() in _CAPTIONS else path.name)
    whole = [os.fsencode(file).decode("utf-8", "replace") for file in files]
    return names if len(set(names)) == len(names) else whole
