"""The speed of the exact parser, compared with the bundled parser.

In: captions of `silver-kbest/captions-01` of the shared data; the user's
`english-pcfg-3.6.0`. Out: captions per second of processor time, trees that are not the
original's, processor seconds until the first tree (warm caches) and peak memory, each
way in a process of its own: the exact parser with numba ("exact") and with numpy only
("plain", a tenth of the captions), and the bundled parser. Java's parser reads 28 to 40
captions a second and core (recorded once, on another machine). Exit status 0 if all
trees are the original's.

    python -m benchmarks.speed.exact --shared DIR [--limit N] [--record]
"""

import argparse
import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks import ROOT
from benchmarks.figures import figure, processor, run, table
from benchmarks.java_oracle import shared_parser
from benchmarks.parity.exact_captions import brackets, captions

WAYS = ("exact", "plain", "bundled")
COLUMNS = ("parser", "captions/s", "start s", "MB", "differ")


def main() -> int:
    """Measure each way in a process of its own."""
    parser = shared_parser(__doc__)
    parser.add_argument("--limit", type=int, default=2000, help="captions")
    parser.add_argument("--way", choices=WAYS, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.way:
        print(json.dumps(measure(options.way, options.shared, options.limit)))
        return 0
    print(f"{options.limit} captions, {processor()}")
    figure("captions", options.limit)
    rows, good = [], True
    for way in WAYS:
        # The first process fills the caches of the disk for later ones.
        found = [_in_process(way, options.shared, n) for n in (16, options.limit)][1]
        rows.append((way, *found.values(), *[""] * (len(COLUMNS) - 1 - len(found))))
        print("  ".join(f"{k} {v}" for k, v in zip(COLUMNS, rows[-1])))
        for name, value in found.items():
            figure(f"{way}.{name}", value)
        good &= not found.get("differ")
    table("speed", COLUMNS, rows)
    return int(not good)


def _in_process(way: str, shared: Path, limit: int) -> dict[str, Any]:
    command = [sys.executable, "-m", "benchmarks.speed.exact", "--shared", str(shared)]
    command += ["--way", way, "--limit", str(limit)]
    output = subprocess.run(
        command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True
    )
    found: dict[str, Any] = json.loads(output.stdout)
    return found


def measure(way: str, shared: Path, limit: int) -> dict[str, Any]:
    """Return the figures of one way."""
    known = list(captions(shared, limit=limit // 10 if way == "plain" else limit))
    start = time.process_time()
    parse = _bundled() if way == "bundled" else _exact(way)
    parse([["a", "dog", "runs"]])
    ready = time.process_time()
    trees = parse([words for words, _ in known])
    seconds = time.process_time() - ready
    found = {
        "speed": round(len(known) / seconds),
        "start": round(ready - start, 2),
        "megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    }
    if way != "bundled":  # the trees that differ
        found["differ"] = sum(
            tree is None or brackets(tree.root) != own
            for tree, (_, own) in zip(trees, known)
        )
    return found


def _exact(way: str) -> Callable[[list[list[str]]], Any]:
    from spicepy.parsing.exact import plain_chart
    from spicepy.parsing.exact.parser import Search, spelling
    from spicepy.parsing.exact.pcfg import EXACT, load_grammar

    chart = plain_chart if way == "plain" else None
    return Search(load_grammar(EXACT), spelling(), chart).trees


def _bundled() -> Callable[[list[list[str]]], Any]:
    from spicepy.parsing.parser import parse

    return lambda sentences: parse([" ".join(words) for words in sentences])


if __name__ == "__main__":
    raise SystemExit(run(main, "exact_speed"))
