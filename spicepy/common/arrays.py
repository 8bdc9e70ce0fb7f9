"""Arrays from `.npz` files that others may have written or damaged.

Arrays have numbers or texts, never objects. The size that an array claims to have is
compared with the size of the file before any memory is allocated.
"""

import zipfile
from collections.abc import Iterable
from math import prod
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from spicepy.common.errors import InputError, brief
from spicepy.common.files import GIB, readable, unpacked_limit

_KINDS: Final = "biufU"
_HEADERS: Final = {
    (1, 0): np.lib.format.read_array_header_1_0,
    (2, 0): np.lib.format.read_array_header_2_0,
}


def read_arrays(
    path: str | Path, needed: Iterable[str], optional: Iterable[str] = ()
) -> dict[str, NDArray[Any]]:
    """Read arrays by name from a `.npz` file; `optional` ones need not be there."""
    wanted = tuple(needed)
    with readable(path, "npz"), zipfile.ZipFile(path) as archive:
        there = {info.filename: info for info in archive.infolist()}
        for name in wanted:
            if f"{name}.npy" not in there:
                raise InputError(f"{path}: has no array {name!r}")
        names = [*wanted, *(name for name in optional if f"{name}.npy" in there)]
        size = sum(there[f"{name}.npy"].file_size for name in names)
        if size > unpacked_limit() * GIB:
            raise InputError(
                f"{path}: unpacks to {size / GIB:,.1f} GiB, more than the limit of "
                f"{unpacked_limit():g} GiB (environment variable SPICEPY_UNPACKED_GIB)"
            )
        return {name: _array(archive, there[f"{name}.npy"], path) for name in names}


def _array(
    archive: zipfile.ZipFile, info: zipfile.ZipInfo, path: str | Path
) -> NDArray[Any]:
    with archive.open(info) as file:
        version = np.lib.format.read_magic(file)
        if version not in _HEADERS:
            raise ValueError(f"version {version} of arrays")
        shape, fortran, kind = _HEADERS[version](file)
        where = f"{path}: the array {brief(info.filename)}"
        if kind.kind not in _KINDS or any(length < 0 for length in shape):
            raise InputError(f"{where} holds {str(kind)[:100]}; numbers are needed")
        size, held = prod(shape) * kind.itemsize, info.file_size - file.tell()
        if size != held:
            raise InputError(
                f"{where} claims to have the shape {brief(shape)}, {size:,} bytes, "
                f"but holds {held:,} bytes"
            )
        data = bytearray(file.read())
    # Reading to the end has compared the archive's check sum.
    array = np.frombuffer(data, kind) if size else np.empty(0, kind)
    return array.reshape(shape, order="F" if fortran else "C")
