"""The folder beside an output in which finished blocks are kept.

For `scores.jsonl` the folder is `scores.jsonl.part`:

    run.json             the input and the options
    rows/part-000000.*   the rows of a block's output
    sums/000000.npz      a block's rows of statistics and counts, and a seal

Each file is written whole or not at all, the rows last, so that a run that is killed
loses only the blocks that it was working on. The folder is private. A folder that
spicepy did not make, or that belongs to another user, is refused, and only files that a
run has written are ever removed.
"""

import hashlib
import io
import json
import os
import re
import shutil
import stat
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import IO, Any, Final

import numpy as np

from spicepy.captions.records import open_parquet
from spicepy.common.errors import InputError, SpicepyWarning, brief, counted, reason_of
from spicepy.common.files import load_json, read_text, readable
from spicepy.common.json_values import json_line
from spicepy.common.resources import required
from spicepy.common.writing import check_writable, write_text, written, written_together
from spicepy.metrics.base import Array

# Rows of an output as the bytes of a file: JSON lines, Parquet.


def json_lines(rows: Iterable[Mapping[str, Any]]) -> bytes:
    """Return one object per line."""
    return "".join(f"{json_line(row)}\n" for row in rows).encode()


def fits_parquet(image_id: object) -> bool:
    """Return whether a Parquet column of integers or text can hold an image id."""
    return not isinstance(image_id, int) or -(2**63) <= image_id < 2**63


def check_ids(too_large: int | None) -> None:
    """Refuse an image id that Parquet cannot hold (see `fits_parquet`)."""
    if too_large is not None:
        raise InputError(
            f"the image id {brief(too_large, 60)} has more than the 64 bits that "
            "Parquet holds: write .jsonl, or give the ids as text"
        )


def parquet_bytes(columns: Mapping[str, Any], types: Mapping[str, Any]) -> bytes:
    """Return a Parquet file of columns with their Arrow types; None or NaN is null."""
    arrow = required("pyarrow", "Parquet output")
    arrays = {
        name: arrow.array(values, types[name], from_pandas=True)
        for name, values in columns.items()
    }
    file = io.BytesIO()
    parquet().write_table(arrow.table(arrays), file)
    return file.getvalue()


def join_files(files: Sequence[Path], output: IO[bytes], ending: str) -> None:
    """Write the rows of files into one; `ending` is ".jsonl" or ".parquet"."""
    if ending == ".jsonl":
        for path in files:
            with path.open("rb") as file:
                shutil.copyfileobj(file, output, 1 << 20)
        return
    schema = open_parquet(files[0]).schema_arrow
    with parquet().ParquetWriter(output, schema) as writer:
        for path in files:
            writer.write_table(open_parquet(path).read())


def parquet() -> Any:
    """Return `pyarrow.parquet`."""
    return required("pyarrow.parquet", "Parquet output")


# The two files of a finished block: its rows, and its sums with a seal.
#
# The seal is the SHA-256 of the run, the block's number, its facts, its sums and its
# rows.


@dataclass(frozen=True, slots=True)
class BlockResult:
    """A finished block."""

    number: int  # Its place among the blocks
    rows: bytes  # Its part of the output, as bytes of a file of its own
    sums: Sequence[Array] = ()  # Rows of statistics, one array per metric
    facts: Any = None  # Further facts for the result, ready for JSON


def save(done: BlockResult, rows: Path, sums: Path, run: bytes) -> None:
    """Write the files of a block."""
    seal = np.frombuffer(_seal(done, run), np.uint8)
    with written(sums) as file:
        np.savez(file, *done.sums, facts=_bytes_of(done.facts), seal=seal)
    with written(rows) as file:
        file.write(done.rows)


def is_sound(number: int, rows: Path, sums: Path, run: bytes) -> bool:
    """Return whether these are files that `save` has written of that block and run."""
    try:
        with readable(sums, "npz"), np.load(sums, allow_pickle=False) as file:
            arrays = [file[f"arr_{at}"] for at in range(len(file.files) - 2)]
            facts = json.loads(file["facts"].tobytes())
            seal: bytes = file["seal"].tobytes()
            done = BlockResult(number, rows.read_bytes(), arrays, facts)
            return _seal(done, run) == seal
    except InputError:  # a damaged file has anything in it, such as no arrays
        return False


def load_sums(sums: Path, metric: int) -> Array:
    """Return a metric's rows of statistics, if the file was not damaged."""
    return _load(sums, f"arr_{metric}")


def load_facts(sums: Path) -> Any:
    """Return the facts of the block, if the file was not damaged."""
    return json.loads(_load(sums, "facts").tobytes())


def _load(sums: Path, name: str) -> Array:
    try:
        with readable(sums, "npz"), np.load(sums, allow_pickle=False) as file:
            array: Array = file[name]
            if not isinstance(array, np.ndarray):
                raise ValueError(f"{name} is not an array")
    except InputError as error:
        raise InputError(
            f"{error}; run the same command again to compute the block anew"
        ) from None
    return array


def _seal(done: BlockResult, run: bytes) -> bytes:
    digest = hashlib.sha256(run)
    shapes = [(str(array.dtype), array.shape) for array in done.sums]
    digest.update(repr((done.number, shapes, len(done.rows))).encode())
    for array in (_bytes_of(done.facts), *done.sums):
        digest.update(np.ascontiguousarray(array).tobytes())
    digest.update(done.rows)
    return digest.digest()


def _bytes_of(facts: Any) -> Array:
    return np.frombuffer(json.dumps(facts).encode(), np.uint8)


# The folder, which one process at a time may use.


def lock_folder(folder: Path) -> int | None:
    """Open and lock a folder; None where folders cannot be locked."""
    try:
        import fcntl
    except ImportError:
        return _locked_file(folder)
    opened = os.open(folder, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0))
    try:
        fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(opened)
        raise
    except OSError:  # a file system without locks
        pass
    return opened


def unlock_folder(folder: Path, lock: int | None) -> None:
    """Release a lock."""
    if lock is not None:
        os.close(lock)
        with suppress(OSError):  # only Windows has one
            os.unlink(_lock_file(folder))


def _lock_file(folder: Path) -> str:
    return f"{folder}.lock"


def _locked_file(folder: Path) -> int | None:
    """Open and lock a file beside a folder, as Windows can; None if nothing can be."""
    try:
        windows: Any = import_module("msvcrt")
    except ImportError:
        return None
    opened = os.open(_lock_file(folder), os.O_RDWR | os.O_CREAT, 0o600)
    try:
        windows.locking(opened, windows.LK_NBLCK, 1)
    except OSError:
        os.close(opened)
        raise BlockingIOError from None
    return opened


_FINISHED: Final = {"work": "finished"}
"""The run.json of a folder that is being removed."""
_ROWS: Final = re.compile(r"part-(\d{6,})\.(?:jsonl|parquet)")
_SUMS: Final = re.compile(r"\d{6,}\.npz")
_TEMPORARY: Final = re.compile(r"\.spicepy-[0-9a-f]{16}")
"""Names of files that runs write; the last one of those that are not yet whole."""

ENDINGS: Final = (".jsonl", ".parquet")
"""Outputs that are written in blocks; a name without ending is a folder of Parquet."""


def _without(value: Any, other: Any) -> Any:
    """Return the parts of a value that another one lacks; all of it if that has all.

    >>> _without("SPICE|refs:4|model:a; BLEU", "SPICE|refs:4|model:b; BLEU")
    'model:a'
    """
    if isinstance(value, str) and isinstance(other, str):
        parts, others = _PART.split(value), _PART.split(other)
        return ", ".join(part for part in parts if part not in others) or value
    if isinstance(value, dict) and isinstance(other, dict):
        own = {k: v for k, v in value.items() if k not in other or other[k] != v}
        return own or value
    return value


def _metrics_changed(was: str, now: str) -> str:
    """Return which metrics of two signatures are in one of them alone.

    >>> _metrics_changed("SPICE|refs:4; BLEU|refs:4", "BLEU|refs:4; METEOR|refs:4")
    'without SPICE now, with METEOR now'
    """
    before, after = (
        [part.partition("|")[0] for part in str(text).split("; ")]
        for text in (was, now)
    )
    lost = ", ".join(name for name in before if name not in after)
    new = ", ".join(name for name in after if name not in before)
    changes = ((f"without {lost} now", lost), (f"with {new} now", new))
    return ", ".join(text for text, names in changes if names)


DIGEST: Final = "digest of the captions"
"""The key of what identifies the captions of a run."""
_PART: Final = re.compile(r"; |\|")  # What stands between the parts of a signature


@dataclass(frozen=True, slots=True)
class Folder:
    """The working folder of an output; safe for several processes at once."""

    output: Path  # A `.jsonl` or `.parquet` file, or a folder of Parquet files

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
        """Lock the output against other processes, or refuse it."""
        # The folder is made and locked; the lock ends with the process, however that
        # ends. A folder that stays empty is removed. Windows cannot lock folders: there
        # a file beside it is locked. On file systems without locks nothing is checked.
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            if not self.is_folder:
                check_writable(self.output)
            with suppress(FileExistsError):
                self.path.mkdir(mode=0o700)
            self._check_own()
            lock = lock_folder(self.path)
        except BlockingIOError:
            raise InputError(
                f"{self.output} is being written by another process, which keeps its "
                f"blocks in {self.path}; wait for it, or write to another file"
            ) from None
        except OSError as error:
            raise InputError(
                f"{self.path}: cannot be used ({reason_of(error)})"
            ) from None
        try:
            yield
        finally:
            with suppress(OSError):
                os.rmdir(self.path)  # only if it is empty
            unlock_folder(self.path, lock)

    def _check_own(self) -> None:
        """Refuse a folder that may be somebody else's, or that holds links."""
        places = [self.path, self.path / "rows", self.path / "sums"]
        for place in filter(os.path.lexists, places):
            status = place.lstat()
            owned = not hasattr(os, "getuid") or status.st_uid == os.getuid()
            if not stat.S_ISDIR(status.st_mode):
                raise self._foreign(f"{place} is not a folder")
            shared = (
                place == self.path and os.name == "posix" and status.st_mode & 0o022
            )
            if shared or not owned:
                raise self._foreign(f"others than this user can write to {place}")
        present = {entry.name for entry in os.scandir(self.path)}
        others = sorted(name for name in present if not _TEMPORARY.fullmatch(name))
        if others and "run.json" not in present:
            raise self._foreign(f"it holds {brief(others[0], 80)}, but no run.json")
        for place in (self.path / "run.json", *self._files()):
            if place.is_symlink() or (place.exists() and not place.is_file()):
                raise self._foreign(f"{place} is not a plain file")

    def _foreign(self, why: str) -> InputError:
        return InputError(
            f"{self.path}: unfinished blocks of {self.output.name} would be kept "
            f"there, but spicepy did not make what is there ({why}); move it away, or "
            "write to another file"
        )

    def begin(self, about: Mapping[str, Any]) -> None:
        """Make the folder, or resume in the one that exists, unless of another run."""
        # `about` is all that the rows depend on, ready for JSON. Damaged blocks are
        # deleted with a warning, so that they are computed again.
        if self.is_folder and self.output.exists():
            raise InputError(f"{self.output} exists; give the name of a new folder")
        run = self.path / "run.json"
        try:
            older = load_json(read_text(run), str(run)) if run.exists() else None
        except InputError as error:
            raise InputError(
                f"{error}; remove the folder {self.path} to begin anew, or write to "
                "another file"
            ) from None
        if older is None or older == _FINISHED:
            self._remove(self._files())  # of a run that ended, half removed
            write_text(run, json.dumps(about, ensure_ascii=False, indent=1) + "\n")
        elif older != dict(about):
            raise InputError(self._other_run(older, about))
        try:
            for part in ("rows", "sums"):
                (self.path / part).mkdir(exist_ok=True)
        except OSError as error:
            raise InputError(
                f"{self.path}: cannot be used ({reason_of(error)})"
            ) from None
        self._delete_damaged()

    def _delete_damaged(self) -> None:
        run = self._run()
        damaged = [
            number
            for number in sorted(self.numbers())
            if not is_sound(number, self._rows(number), self._sums(number), run)
        ]
        self._remove(map(self._sums, damaged))
        if damaged:
            listed = ", ".join(map(str, damaged[:10])) + ", …" * (len(damaged) > 10)
            warnings.warn(
                f"{self.path}: {counted(len(damaged), 'block is', 'blocks are')} "
                f"damaged and will be computed again ({listed})",
                SpicepyWarning,
                stacklevel=2,
            )

    def _other_run(self, older: Any, about: Mapping[str, Any]) -> str:
        keys = [k for k in about if not isinstance(older, dict) or k not in older]
        keys += [k for k in about if k not in keys and older[k] != about[k]]
        key = keys[0] if keys else "run.json"
        was, now = older.get(key) if isinstance(older, dict) else older, about.get(key)
        if key in (DIGEST, "images", "captions"):
            what = "with other captions; the input was changed since"
            numbers = f" ({key}: {was:,}, now {now:,})" if isinstance(was, int) else ""
            what += numbers if key != DIGEST else ""
        elif key == "signature" and (changes := _metrics_changed(str(was), str(now))):
            what = f"by other metrics ({changes})"
        else:
            was, now = _without(was, now), _without(now, was)
            what = f"in which {key!r} is {brief(was)}, now {brief(now)}"
        return (
            f"{self.path} holds an unfinished run {what}; finish that one, remove the "
            "folder, or write to another file"
        )

    def numbers(self) -> set[int]:
        """Return the numbers of the finished blocks."""
        files = (self.path / "rows").glob(f"part-*{self.ending}")
        numbers = {int(m[1]) for file in files if (m := _ROWS.fullmatch(file.name))}
        return {number for number in numbers if self._sums(number).exists()}

    def keep(self, done: BlockResult) -> None:
        """Add a finished block."""
        save(done, self._rows(done.number), self._sums(done.number), self._run())

    def sums(self, blocks: int, metric: int) -> Iterator[Array]:
        """Yield a metric's rows of statistics, block by block."""
        for number in range(blocks):
            yield load_sums(self._sums(number), metric)

    def facts(self, blocks: int) -> Iterator[Any]:
        """Yield the result of each block, in order."""
        for number in range(blocks):
            yield load_facts(self._sums(number))

    def finish(self, blocks: int, corpus: str | None = None) -> None:
        """Write the output, join the blocks and remove the folder."""
        # `corpus`, the JSON text of the corpus's scores, goes to `corpus.json` in an
        # output folder, else beside the output. Files that spicepy did not write stay
        # where they are, and the folder with them.
        files = [self._rows(number) for number in range(blocks)]
        rows = self.path / "rows"
        if self.is_folder:
            if corpus is not None:
                write_text(rows / "corpus.json", corpus)
            self._remove(
                file for file in self._files() if _TEMPORARY.fullmatch(file.name)
            )
            for file in {*rows.iterdir()} - {*files, rows / "corpus.json"}:
                os.rename(file, self.path / file.name)  # no part of the output
            os.rename(rows, self.output)
        else:
            places = [self.output] if corpus is None else [self.output, self.corpus]
            with written_together(places) as [output, *others]:
                join_files(files, output, self.ending)
                for other in others:
                    # JSON has a form of its own for what UTF-8 cannot hold.
                    other.write((corpus or "").encode("utf-8", "backslashreplace"))
        with suppress(OSError):
            write_text(self.path / "run.json", json.dumps(_FINISHED))
            self._remove(self._files())
            for name in ("rows", "sums"):
                with suppress(OSError):
                    (self.path / name).rmdir()
            if os.listdir(self.path) == ["run.json"]:
                (self.path / "run.json").unlink()
                self.path.rmdir()

    def _files(self) -> Iterator[Path]:
        """Yield the files that runs write into the folder, except run.json."""
        for part, names in (("", _TEMPORARY), ("rows", _ROWS), ("sums", _SUMS)):
            with suppress(FileNotFoundError):
                for entry in os.scandir(self.path / part):
                    if names.fullmatch(entry.name) or _TEMPORARY.fullmatch(entry.name):
                        yield Path(entry.path)

    def _remove(self, files: Iterable[Path]) -> None:
        for file in list(files):
            with suppress(FileNotFoundError):
                file.unlink()

    def _run(self) -> bytes:
        """Return a digest of the input and the options of the run."""
        return hashlib.sha256((self.path / "run.json").read_bytes()).digest()

    def _rows(self, number: int) -> Path:
        return self.path / "rows" / f"part-{number:06}{self.ending}"

    def _sums(self, number: int) -> Path:
        return self.path / "sums" / f"{number:06}.npz"
