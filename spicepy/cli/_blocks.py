"""Commands whose output is written in blocks: data of any size, in resumable runs."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, Literal

from spicepy.cli import _console as console
from spicepy.cli._options import ScoringOptions, metric_notes
from spicepy.cli._results import InputOptions
from spicepy.common.errors import InputError, counted
from spicepy.common.progress import listening_to
from spicepy.common.writing import check_path, check_unread

if TYPE_CHECKING:
    from spicepy.scale.blocks import T
    from spicepy.scale.jobs import Corpus

BLOCKS: Final = (".jsonl", ".parquet")


def in_blocks(output: str | None) -> bool:
    """Return whether an output is written in blocks: JSON lines, Parquet, a folder."""
    return (output or "").lower().endswith((*BLOCKS, "/", "\\"))


Engine = Literal["local", "ray"]
EngineOption = Annotated[
    Engine, "The engine for outputs in blocks: this machine, or Ray."
]
AddressOption = Annotated[
    str | None, "Address of a running Ray cluster, or auto; by default, start Ray here."
]


@dataclass(frozen=True, slots=True)
class Workers:
    """The engine that works on the blocks, from the options of a command."""

    engine: Engine = "local"
    address: str | None = None
    jobs: int = 1

    def check(self, output: str | None) -> None:
        """Refuse options without effect: Ray for other outputs, or its address."""
        if self.engine == "ray" and not in_blocks(output):
            raise InputError(
                "--engine ray writes in blocks: give --output with a name ending in "
                ".jsonl, .parquet or / (a folder)"
            )
        if self.address is not None and self.engine != "ray":
            raise InputError("--address is for --engine ray")

    @contextmanager
    def corpus(
        self, items: "Callable[[], Iterator[tuple[str, T]]]"
    ) -> "Iterator[Corpus[T]]":
        """Yield a corpus; --jobs are Ray's workers, all processors by default."""
        from spicepy.scale.jobs import Corpus

        if self.engine == "ray":
            from spicepy.scale.ray_cluster import Cluster

            cluster = Cluster(self.address, self.jobs if self.jobs > 1 else None)
            with cluster.running() as run:
                yield Corpus(items, run=run)
        else:
            yield Corpus(items, self.jobs)


def score_in_blocks(
    given: InputOptions,
    output: str,
    names: str,
    scoring: ScoringOptions,
    workers: Workers,
    *,
    tuples: bool,
    quiet: bool,
) -> None:
    """Score samples in blocks and print the scores of the corpus."""
    from spicepy.scale.evaluating import evaluate_corpus

    path = check_block_output(output, *given.inputs(), *scoring.files())
    metrics = replace(scoring, jobs=1).metrics(names)
    if tuples and path.suffix.lower() != ".jsonl":
        console.warn("--tuples is ignored: only a .json or .jsonl file holds them")
    with (
        console.progress_bar(quiet=quiet),
        kept(path),
        workers.corpus(given.again()) as corpus,
    ):
        result = evaluate_corpus(
            corpus, path, metrics, tuples=tuples, further=metric_notes(names)
        )
    console.warn(*result.warnings[len(metric_notes(names)) :])
    if quiet:
        return
    console.wrote(f"{path} ({counted(result.images, 'image')})")
    for table in result.tables():
        console.show_table(table)


def check_block_output(output: str, *inputs: object) -> Path:
    """Return the path of an output in blocks, if it can be written.

    No input may be the file of the corpus's scores, or lie in the folder that is kept
    beside the output.
    """
    path = Path(output)
    console.check_files(None, (), *inputs)
    from spicepy.scale.folder import Folder

    folder = Folder(path)
    check_unread([] if folder.is_folder else [folder.corpus], inputs)
    working = os.path.realpath(folder.path)
    for each in inputs:
        if each and working in map(str, Path(os.path.realpath(str(each))).parents):
            raise InputError(
                f"{each} is read as input and would be removed with {folder.path}, in "
                "which blocks of the output are kept; write to another file"
            )
    if path.suffix.lower() in BLOCKS:
        return check_path(path, BLOCKS, inputs)
    if path.exists():
        raise InputError(f"{output} exists; give the name of a new folder")
    if not path.parent.is_dir():
        raise InputError(f"{output}: the folder {path.parent} does not exist")
    return path


@contextmanager
def kept(output: Path) -> Iterator[None]:
    """Print what an earlier run has left, and what is kept if this one stops."""
    from spicepy.scale.folder import Folder
    from spicepy.scale.jobs import RESUMING

    folder = Folder(output)

    def resuming(done: int, _: int) -> None:
        console.err.print(
            f"resuming {output}: {counted(done, 'block')} finished by an earlier run",
        )

    try:
        with listening_to(RESUMING, resuming):
            yield
    except (KeyboardInterrupt, SystemExit) as stopped:
        if folder.path.exists():
            what = counted(len(folder.numbers()), "block is", "blocks are")
            what += f" kept in {folder.path}: the "
            what += "same command resumes from them"
            if isinstance(stopped, KeyboardInterrupt):
                stopped.add_note(what)
            else:
                console.err.print(f"stopped; {what}")
        raise
