"""A folder in, the names and the numbers of a part of the parser out, and back.

Most numbers are rounded to multiples of a power of two (`arithmetic`). Those that
16 bits hold are written as whole numbers, and first the low bytes of all, then the
high ones, of which there are few different: a fifth smaller than as floats.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

MOST_BITS: Final = 15
"""Bits after the point that whole numbers can stand for."""


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
    """Write names and arrays into a folder, which is made if it is not there."""
    folder.mkdir(parents=True, exist_ok=True)
    text = json.dumps(names, ensure_ascii=False, indent=0)
    (folder / "names.json").write_text(text + "\n", encoding="utf-8")
    savez: Any = np.savez_compressed
    savez(folder / "arrays.npz", **dict(_packed(*entry) for entry in arrays.items()))


def _packed(name: str, array: NDArray[Any]) -> tuple[str, NDArray[Any]]:
    """Return "name/256" and two bytes (2, ...) for each multiple of 1 / 256."""
    if array.dtype == np.float32:
        for bits in range(MOST_BITS + 1):
            numbers = array * np.float32(2**bits)
            with np.errstate(invalid="ignore"):  # more than 16 bits hold
                whole = numbers.astype("<i2")
            if np.array_equal(whole, numbers):
                planes = np.moveaxis(_bytes(whole), -1, 0)
                return f"{name}/{2**bits}", np.ascontiguousarray(planes)
    return name, array


def _unpacked(key: str, array: NDArray[Any]) -> tuple[str, NDArray[Any]]:
    name, _, divisor = key.partition("/")
    if not divisor:
        return key, array
    whole = np.ascontiguousarray(np.moveaxis(array, 0, -1)).view("<i2")[..., 0]
    return name, whole.astype(np.float32) / np.float32(divisor)


def _bytes(whole: NDArray[np.int16]) -> NDArray[np.uint8]:
    return np.ascontiguousarray(whole)[..., None].view(np.uint8)
