"""METEOR's paraphrase table, compiled: its size, and the time to load it.

In: the table of an installed `pycocoevalcap`. Out: megabytes and seconds. Exit status 0
if it loads fast enough.

    python -m benchmarks.speed.paraphrases [--record]
"""

import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks.figures import figure, run
from spicepy.metrics.meteor.compiled_paraphrases import compile_table, load_table
from spicepy.metrics.meteor.paraphrases import packaged_table, read_paraphrases

TARGET = 0.3  # seconds to load


def main() -> int:
    """Print all figures; return 0 if the table loads fast enough."""
    path = packaged_table()
    if path is None:
        raise SystemExit("no table: pip install pycocoevalcap")
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder, "x.paraphrases")
        show("seconds to compile", seconds(lambda: compile_table(path, made)), 0)
        show("megabytes", made.stat().st_size / 1e6, 1)
        loading = seconds(lambda: load_table(made, 0))
        table = load_table(made, 0)
    show("phrases", len(table.hashes))
    show("entries", len(table.rewritings))
    show("seconds to load", loading, 2)
    show("seconds to read the source", seconds(lambda: read_paraphrases(path, ())), 1)
    return 0 if loading <= TARGET else 1


def seconds(work: Callable[[], object]) -> float:
    """Return the processor seconds that some work takes."""
    start = time.process_time()
    work()
    return time.process_time() - start


def show(name: str, value: float, digits: int | None = None) -> None:
    """Print and name a figure."""
    figure(name, value, digits)
    print(f"{name:32} {value:,.{digits or 0}f}")


if __name__ == "__main__":
    raise SystemExit(run(main, "paraphrases"))
