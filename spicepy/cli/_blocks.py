"""Commands whose output is written in blocks: data of any size, stopped and gone on.

In: what a command was given. Out: files of rows, and the scores of the corpus.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from spicepy.cli import _console as console
from spicepy.cli._bundles import Scoring, said
from spicepy.cli._inputs import read_input
from spicepy.cli._results import scores_table
from spicepy.common.errors import InputError
from spicepy.common.writing import check_path

if TYPE_CHECKING:
    from spicepy.samples.sample import Sample
    from spicepy.scale.survey import Samples

KINDS: Final = (".json", ".csv", ".jsonl", ".parquet", ".json.gz", ".csv.gz")
_BLOCKS: Final = (".jsonl", ".parquet")


@dataclass(frozen=True, slots=True)
class Given:
    """Where samples come from: files that hold both sides, or a COCO pair."""

    files: list[str]
    candidates: str | None = None
    references: str | None = None
    common: bool = False
    id_column: str | None = None

    def samples(self) -> "Samples":
        """All samples with their places, again at each call.

        Files that cannot be read record by record are read once and kept.
        """
        if self.files and not self.candidates and not self.references:
            from spicepy.samples.streams import Source

            return Source(self.files, id_column=self.id_column).samples
        read = read_input(
            self.files,
            self.candidates,
            self.references,
            common=self.common,
            id_column=self.id_column,
        )

        def again() -> "Iterator[tuple[str, Sample]]":
            return ((f"sample {number}", s) for number, s in enumerate(read, 1))

        return again


def in_blocks(output: str | None) -> bool:
    """Whether an output is written in blocks: JSON lines, Parquet, a folder."""
    name = str(output or "").lower()
    return name.endswith((*_BLOCKS, "/", "\\"))


def score_in_blocks(
    given: Given,
    output: str,
    names: str,
    scoring: Scoring,
    *,
    tuples: bool,
    quiet: bool,
) -> None:
    """Score samples in blocks and print the scores of the corpus."""
    from spicepy.scale.evaluating import evaluate_stream

    path = check_block_output(output, *given.files, given.candidates, given.references)
    console.check_files(None, (), *scoring.files())
    metrics = replace(scoring, jobs=1).metrics(names)
    if tuples and path.suffix.lower() != ".jsonl":
        console.warn("--tuples is ignored: only a .json or .jsonl file holds them")
    with console.progress_bar(quiet=quiet), kept(path):
        result = evaluate_stream(
            given.samples(),
            path,
            metrics,
            tuples=tuples,
            jobs=scoring.jobs,
            said=said(names),
        )
    for warning in result.warnings[len(said(names)) :]:
        console.warn(warning)
    if quiet:
        return
    console.err.print(f"wrote {path} ({result.images:,} images)", markup=False)
    console.show_table(scores_table(result.lines()))
    console.out.print(result.signature.replace("; ", "\n"), markup=False)


def check_block_output(output: str, *inputs: object) -> Path:
    """The path of an output in blocks, if it can be written.

    Raises:
        InputError: See `spicepy.common.writing.check_path`.
    """
    path = Path(output)
    if "" in inputs:
        raise InputError("an empty name was given for a file to read")
    if path.suffix.lower() in _BLOCKS:
        return check_path(path, _BLOCKS, inputs)
    if path.exists():
        raise InputError(f"{output} exists; give the name of a new folder")
    if not path.parent.is_dir():
        raise InputError(f"{output}: the folder {path.parent} does not exist")
    return path


@contextmanager
def kept(output: Path) -> Iterator[None]:
    """Say what is kept if the work is stopped."""
    from spicepy.scale.folder import Folder

    folder = Folder(output)
    try:
        yield
    except (KeyboardInterrupt, SystemExit):
        if folder.path.exists():
            console.err.print(
                f"stopped; {len(folder.numbers()):,} blocks are kept in {folder.path}: "
                "the same command goes on from there",
                markup=False,
            )
        raise
