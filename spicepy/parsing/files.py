"""A folder in, the names and the numbers of a part of the parser out, and back."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray


def read_part(folder: Path) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """Return names and arrays.

    Raises:
        OSError, ValueError: Files are missing or damaged.
    """
    names = json.loads((folder / "names.json").read_text(encoding="utf-8"))
    with np.load(folder / "arrays.npz") as arrays:
        return names, dict(arrays)


def write_part(
    folder: Path, names: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]
) -> None:
    """Write names and arrays into a folder, which is made if it is not there."""
    folder.mkdir(parents=True, exist_ok=True)
    text = json.dumps(names, ensure_ascii=False, indent=0)
    (folder / "names.json").write_text(text + "\n", encoding="utf-8")
    savez: Any = np.savez_compressed
    savez(folder / "arrays.npz", **arrays)
