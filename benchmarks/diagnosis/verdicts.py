"""Findings read by hand, by kind and by who wrote the captions.

Reads `fixtures/verdicts/verdicts.csv`. A debatable finding is not right. Samples 11 and
13 to 25 are of findings that are listed by default.
"""

import csv
from collections import Counter

from benchmarks import FIXTURES
from benchmarks.figures import figure, run

PATH = FIXTURES / "verdicts" / "verdicts.csv"
LISTED = {
    "17": "people",
    "25": "large models",
    "11": "captioners",
    "24": "latest captioners",
    "19": "smallcap",
    "21": "omissions",
}
"""Latest sample of listed findings -> who wrote the captions."""


def main() -> int:
    """Print all figures; return 0 if every target is met."""
    with PATH.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    print(f"{'':24}{'read':>5}{'right':>7}{'debatable':>11}{'wrong':>7}")
    for kind in dict.fromkeys(row["error"] for row in rows):
        show(kind, Counter(r["verdict"] for r in rows if r["error"] == kind))
    for sample, title in LISTED.items():
        own = Counter(row["verdict"] for row in rows if row["sample"] == sample)
        show(title, own)
        for verdict in ("right", "debatable"):
            figure(f"{title}.{verdict}", own[verdict] / own.total(), 2)
    every = Counter(row["verdict"] for row in rows)
    figure("read", every.total())
    for verdict in ("right", "debatable", "wrong"):
        figure(verdict, every[verdict])
    return 0


def show(kind: str, found: Counter[str]) -> None:
    """Print and name the figures of one line."""
    right = found["right"] / found.total()
    print(
        f"{kind:24}{found.total():5}{found['right']:7}{found['debatable']:11}"
        f"{found['wrong']:7}{right:11.2f}"
    )
    figure(f"{kind}.read", found.total())
    figure(f"{kind}.share", right, 2)


if __name__ == "__main__":
    raise SystemExit(run(main, "verdicts"))
