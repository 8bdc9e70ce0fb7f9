"""Figures that README and docs cite, with their sources.

A benchmark names what it finds with `figure` and `table`. Run with `--record` (or
`--record=NAME`), it writes them to `benchmarks/records/NAME.json`, beside the command,
the date, and the versions of spicepy and its bundled parser; `docs/refresh.py` brings
them into the pages.
"""

import datetime
import json
import platform
import re
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from benchmarks import ROOT
from spicepy.common import __version__
from spicepy.parsing.parser import model_signature

Value = float | int | str

FOLDER = ROOT / "benchmarks" / "records"
_VALUES: dict[str, Value] = {}
_TABLES: dict[str, dict[str, Sequence[object]]] = {}


def figure(name: str, value: Value, digits: int | None = None) -> None:
    """Name a figure; `digits` rounds it. Blanks and commas of a name become "-"."""
    rounded = isinstance(value, float) and digits is not None
    _VALUES[re.sub(r"[^\w.-]+", "-", name)] = (
        round(float(value), digits) if rounded else value
    )


def table(name: str, columns: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """Name a table; its cells are shown as they are."""
    _TABLES[name] = {"columns": columns, "rows": rows}


def run(main: Callable[[], int], name: str) -> int:
    """Run a benchmark; write its figures if the command has `--record`.

    Args:
        main: The benchmark; returns its exit code.
        name: The name of its record, unless the command gives another one.
    """
    wanted = [word for word in sys.argv if word.split("=")[0] == "--record"]
    sys.argv[:] = [word for word in sys.argv if word not in wanted]
    command = " ".join(["python -m", _module(), *sys.argv[1:]])
    status = main()
    if wanted:
        record = {
            "made_by": command,
            "date": datetime.date.today().isoformat(),
            "spicepy": __version__,
            "parser": model_signature(None),
            "processor": processor(),
            "values": _VALUES,
            "tables": _TABLES,
        }
        text = json.dumps(record, ensure_ascii=False, indent=1) + "\n"
        FOLDER.mkdir(exist_ok=True)
        name = wanted[0].partition("=")[2] or name
        (FOLDER / f"{name}.json").write_text(text, encoding="utf-8")
    return status


def processor() -> str:
    """Return the processor's name, for figures that depend on it."""
    with suppress(OSError):
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8")
        lines = (line.partition(":") for line in text.splitlines())
        found = {name.strip(): value.strip() for name, _, value in lines}
        wide = "AVX-512" if "avx512f" in found.get("flags", "") else "no AVX-512"
        if name := found.get("model name"):
            return f"{name} ({wide})"
    return platform.processor() or platform.machine()


def _module() -> str:
    """Return the name of the module that was started with `python -m`."""
    spec = getattr(sys.modules["__main__"], "__spec__", None)
    return spec.name.removesuffix(".__main__") if spec else sys.argv[0]
