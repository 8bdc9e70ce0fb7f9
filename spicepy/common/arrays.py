"""Arrays from `.npz` files that others may have written or damaged."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from spicepy.common.errors import InputError
from spicepy.common.files import GIB, readable, unpacked_limit

_KINDS: Final = "biufU"  # Numbers and texts


def read_arrays(
    path: str | Path, needed: Iterable[str], optional: Iterable[str] = ()
) -> dict[str, NDArray[Any]]:
    """Read arrays by name from a `.npz` file; `optional` ones need not be there."""
    wanted = tuple(needed)
    with readable(path, "npz"), np.load(path, allow_pickle=False) as archive:
        for name in wanted:
            if name not in archive.files:
                raise InputError(f"{path}: has no array {name!r}")
        names = [*wanted, *(name for name in optional if name in archive.files)]
        sizes = {info.filename: info.file_size for info in archive.zip.infolist()}
        size = sum(sizes[f"{name}.npy"] for name in names)
        if size > unpacked_limit() * GIB:
            raise InputError(
                f"{path}: unpacks to {size / GIB:,.1f} GiB, more than the limit of "
                f"{unpacked_limit():g} GiB (environment variable SPICEPY_UNPACKED_GIB)"
            )
        arrays = {name: archive[name] for name in names}
    for name, array in arrays.items():
        if array.dtype.kind not in _KINDS:
            kind = str(array.dtype)[:100]
            raise InputError(
                f"{path}: the array {name!r} holds {kind}; numbers are needed"
            )
    return arrays
