"""The files of a part of the parser: its names and its numbers.

Most numbers are rounded to multiples of a power of two (`arithmetic`). Those that
16 bits hold are written as whole numbers, and first the low bytes of all, then the
high ones, of which there are few different: a fifth smaller than as floats. Of whole
numbers that rise, as hashes do that are looked up by bisection, the steps are written,
which takes half the room. The key of an array says how it is written.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

MOST_BITS: Final = 15
"""The number of bits after the point that whole numbers can stand for."""

WHOLE: Final = "whole"
STEPS: Final = "steps"
"""Ways to write whole numbers: as they are, and as what each is above the last."""


def read_part(folder: Path) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """Return names and arrays.

    Raises:
        OSError, ValueError: Files are missing or damaged.
    """
    names = json.loads((folder / "names.json").read_text(encoding="utf-8"))
    with np.load(folder / "arrays.npz") as arrays:
        return names, dict(_unpacked(*entry) for entry in arrays.items())


def write_part(
    folder: Path, names: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]
) -> None:
    """Write names and arrays into a folder, which is created if it is missing."""
    folder.mkdir(parents=True, exist_ok=True)
    text = json.dumps(names, ensure_ascii=False, indent=0)
    (folder / "names.json").write_text(text + "\n", encoding="utf-8")
    # A wheel compresses its files itself; what is installed is to be read fast.
    savez: Any = np.savez
    savez(folder / "arrays.npz", **dict(_packed(*entry) for entry in arrays.items()))


def _packed(name: str, array: NDArray[Any]) -> tuple[str, NDArray[Any]]:
    """Return a key and the bytes of the numbers, (bytes of a number, ...)."""
    kind = array.dtype.str
    if array.dtype == np.float32:
        for bits in range(MOST_BITS + 1):
            numbers = array * np.float32(2**bits)
            with np.errstate(invalid="ignore"):  # more than 16 bits hold
                whole = numbers.astype("<i2")
            if np.array_equal(whole, numbers):
                return f"{name}/{2**bits}", _planes(whole)
    elif array.dtype.kind in "iu" and array.dtype.itemsize > 1:
        if array.ndim == 1 and len(array) and (array[1:] >= array[:-1]).all():
            steps = np.diff(array, prepend=array.dtype.type(0))
            return f"{name}/{STEPS}/{kind}", _planes(steps)
        return f"{name}/{WHOLE}/{kind}", _planes(array)
    return name, array


def _unpacked(key: str, array: NDArray[Any]) -> tuple[str, NDArray[Any]]:
    name, _, way = key.partition("/")
    if not way:
        return key, array
    way, _, kind = way.partition("/")
    numbers = _joined(array, kind or "<i2")
    if way == STEPS:
        return name, np.cumsum(numbers, dtype=numbers.dtype)
    if way == WHOLE:
        return name, numbers
    return name, numbers.astype(np.float32) / np.float32(way)


def _planes(whole: NDArray[Any]) -> NDArray[np.uint8]:
    """Return first the lowest bytes of all numbers, then the next."""
    planes = np.ascontiguousarray(whole)[..., None].view(np.uint8)
    return np.ascontiguousarray(np.moveaxis(planes, -1, 0))


def _joined(planes: NDArray[np.uint8], kind: str) -> NDArray[Any]:
    joined = np.empty((*planes.shape[1:], len(planes)), np.uint8)
    for number, plane in enumerate(planes):
        joined[..., number] = plane
    return joined.view(kind)[..., 0]
