"""The folder beside an output in which finished blocks are kept.

In: what is worked on, and finished blocks in any order. Out: which blocks are there;
at the end, the output. For `scores.jsonl` the folder is `scores.jsonl.part`:

    run.json             what is worked on, and how
    rows/part-000000.*   the rows of a block's output
    sums/000000.npz      a block's rows of statistics and counts

Each file is written whole or not at all, the rows last. So a run that is killed at any
moment loses the blocks that it was working on, and no other.
"""

import json
import os
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from spicepy.common.errors import InputError, shown
from spicepy.common.writing import write_text, written
from spicepy.metrics.base import Array

ENDINGS: Final = (".jsonl", ".parquet")
"""Outputs that are written in blocks; a name without ending is a folder of Parquet."""


@dataclass(frozen=True, slots=True)
class Done:
    """A finished block.

    Attributes:
        number: Its place among the blocks.
        rows: Its part of the output, as bytes of a file of its own.
        sums: Rows of statistics, one array a metric.
        facts: Whatever else the end needs, ready for JSON.
    """

    number: int
    rows: bytes
    sums: Sequence[Array] = ()
    facts: Any = None


@dataclass(frozen=True, slots=True)
class Folder:
    """The working folder of an output; safe for several processes at once.

    Attributes:
        output: A `.jsonl` or `.parquet` file, or a folder of Parquet files.
    """

    output: Path

    @property
    def path(self) -> Path:
        """The folder, beside the output."""
        return self.output.with_name(f"{self.output.name}.part")

    @property
    def corpus(self) -> Path:
        """The file of the corpus's scores, if the output is not a folder."""
        return self.output.with_suffix(".corpus.json")

    @property
    def ending(self) -> str:
        """The ending of the blocks' files."""
        return ".jsonl" if self.output.suffix.lower() == ".jsonl" else ".parquet"

    @property
    def is_folder(self) -> bool:
        """Whether the output is a folder."""
        return self.output.suffix.lower() not in ENDINGS

    @contextmanager
    def alone(self) -> Iterator[None]:
        """No other process works on this output during the `with` block.

        The folder is made and locked; the lock ends with the process, however that
        ends. A folder that stays empty is removed. Where folders cannot be locked
        (Windows, some file systems of clusters) nothing is checked.

        Raises:
            InputError: Another process works on it, or the folder cannot be made.
        """
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            lock = _locked(self.path)
        except BlockingIOError:
            raise InputError(
                f"{self.output} is being written by another process, which keeps its "
                f"blocks in {self.path}; wait for it, or write to another file"
            ) from None
        except OSError as error:
            raise InputError(f"{self.path}: cannot be used ({error})") from None
        try:
            yield
        finally:
            with suppress(OSError):
                os.rmdir(self.path)  # only if it is empty
            if lock is not None:
                os.close(lock)

    def begin(self, about: Mapping[str, Any]) -> None:
        """Make the folder, or go on in the one that is there.

        Args:
            about: All that the rows depend on, ready for JSON.

        Raises:
            InputError: The folder is of another run, or cannot be made.
        """
        if self.is_folder and self.output.exists():
            raise InputError(f"{self.output} exists; give the name of a new folder")
        run = self.path / "run.json"
        try:
            for part in ("rows", "sums"):
                (self.path / part).mkdir(parents=True, exist_ok=True)
            older = json.loads(run.read_text(encoding="utf-8")) if run.exists() else {}
        except (OSError, ValueError) as error:
            raise InputError(f"{self.path}: cannot be used ({error})") from None
        if not older:
            for left in self.path.glob("*/*"):  # of a run that ended, half removed
                left.unlink()
            write_text(run, json.dumps(about, ensure_ascii=False, indent=1) + "\n")
        elif older != dict(about):
            raise InputError(self._of_another(older, about))

    def _of_another(self, older: Any, about: Mapping[str, Any]) -> str:
        keys = [k for k in about if not isinstance(older, dict) or k not in older]
        keys += [k for k in about if k not in keys and older[k] != about[k]]
        key = keys[0] if keys else "run.json"
        was = older.get(key) if isinstance(older, dict) else older
        return (
            f"{self.path} holds an unfinished run with another {key} "
            f"({shown(was, 80)}, now {shown(about.get(key), 80)}); finish that one, "
            "remove the folder, or write to another file"
        )

    def numbers(self) -> set[int]:
        """The blocks that are there."""
        ends = f"part-*{self.ending}"
        found = {int(file.stem[5:]) for file in (self.path / "rows").glob(ends)}
        return {number for number in found if self._sums(number).exists()}

    def keep(self, done: Done) -> None:
        """Add a finished block.

        Raises:
            InputError: It cannot be written; the disk may be full.
        """
        facts = np.frombuffer(json.dumps(done.facts).encode(), np.uint8)
        with written(self._sums(done.number)) as file:
            np.savez(file, *done.sums, facts=facts)
        with written(self._rows(done.number)) as file:
            file.write(done.rows)

    def sums(self, blocks: int, metric: int) -> Iterator[Array]:
        """A metric's rows of statistics, block by block."""
        for number in range(blocks):
            with np.load(self._sums(number), allow_pickle=False) as file:
                yield file[f"arr_{metric}"]

    def facts(self, blocks: int) -> Iterator[Any]:
        """What each block's work found, in order."""
        for number in range(blocks):
            with np.load(self._sums(number), allow_pickle=False) as file:
                yield json.loads(file["facts"].tobytes())

    def finish(self, blocks: int, corpus: Iterable[str] | None = None) -> None:
        """Write the output and remove the folder.

        Args:
            blocks: How many there are.
            corpus: The JSON text of all scores of the corpus; it goes to
                `corpus.json` in an output folder, else beside the output.

        Raises:
            InputError: The output cannot be written; the folder stays as it is.
        """
        files = [self._rows(number) for number in range(blocks)]
        rows = self.path / "rows"
        if corpus is not None:
            path = rows / "corpus.json" if self.is_folder else self.corpus
            write_text(path, corpus)
        if self.is_folder:
            for passing in rows.glob(".spicepy-*"):  # of runs that were killed
                passing.unlink()
            os.rename(rows, self.output)
        else:
            with written(self.output) as file:
                (_join_parquet if self.ending == ".parquet" else _join)(files, file)
        with suppress(OSError):
            (self.path / "run.json").unlink()  # what is left is now of no run
            shutil.rmtree(self.path)

    def _rows(self, number: int) -> Path:
        return self.path / "rows" / f"part-{number:06}{self.ending}"

    def _sums(self, number: int) -> Path:
        return self.path / "sums" / f"{number:06}.npz"


def _locked(folder: Path) -> int | None:
    """An open folder that no other process has locked; None where that is unknown.

    Raises:
        BlockingIOError: Another process has locked it.
    """
    try:
        import fcntl
    except ImportError:
        return None
    opened = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(opened)
        raise
    except OSError:  # a file system without locks
        pass
    return opened


def _join(files: Sequence[Path], output: Any) -> None:
    for path in files:
        with path.open("rb") as file:
            shutil.copyfileobj(file, output, 1 << 20)


def _join_parquet(files: Sequence[Path], output: Any) -> None:
    from spicepy.samples.records import open_parquet
    from spicepy.scale.rows import parquet

    writer = parquet().ParquetWriter(output, open_parquet(files[0]).schema_arrow)
    with writer:
        for path in files:
            writer.write_table(open_parquet(path).read())
