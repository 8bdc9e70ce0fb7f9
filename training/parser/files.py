"""What training needs of a parser beside what spicepy does: its files, floats, words.

`spicepy.parsing.bundled.analyser` reads the files.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from spicepy.parsing.bundled.analyser import STEPS, WHOLE, Analyser
from spicepy.parsing.bundled.network import Network
from spicepy.parsing.trees import drop_unread_marks, positions_read

MAX_BITS: Final = 15
"""The number of bits after the point that whole numbers can stand for."""


def write_parser(folder: Path, parser: Analyser) -> None:
    """Write network and grammar into folders of their own."""
    write_part(folder / "network", parser.network.names, parser.network.arrays)
    if parser.grammar:
        write_part(folder / "grammar", parser.grammar.names, parser.grammar.arrays)


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
        for bits in range(MAX_BITS + 1):
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


def _planes(whole: NDArray[Any]) -> NDArray[np.uint8]:
    """Return first the lowest bytes of all numbers, then the next."""
    planes = np.ascontiguousarray(whole)[..., None].view(np.uint8)
    return np.ascontiguousarray(np.moveaxis(planes, -1, 0))


def floats_of(network: Network) -> dict[str, NDArray[np.float32]]:
    """Return the arrays of a network with the weights of states as floats."""
    a = network.arrays
    return {
        name: a[name] * a[f"{name} scale"] if f"{name} scale" in a else a[name]
        for name in a
        if not name.endswith(" scale")
    }


def without_punctuation(words: Sequence[str]) -> list[str]:
    """Return the words that are not punctuation marks, in lower case."""
    return drop_unread_marks(words, positions_read(words, commas=False))
