"""How often is a finding right? Verdicts of a reader, by kind.

Reads `fixtures/verdicts/verdicts.csv`. The last column is the precision that
`grammars/diagnosis.toml` holds: a debatable finding is half right, and one right and
one wrong finding are added (Laplace's rule), since none is sure after ten.
"""

import csv
from collections import Counter
from pathlib import Path

from record import figure, run

from spicepy.diagnosis.values import RELIABLE

PATH = Path(__file__).parent.parent / "fixtures" / "verdicts" / "verdicts.csv"


def verdicts() -> dict[str, Counter[str]]:
    """Kind -> verdict -> how often."""
    found: dict[str, Counter[str]] = {}
    with PATH.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            found.setdefault(row["error"], Counter())[row["verdict"]] += 1
    return found


def precision(found: Counter[str]) -> float:
    """The share of right ones, debatable ones half, by Laplace's rule."""
    return (found["right"] + found["debatable"] / 2 + 1) / (found.total() + 2)


def main() -> int:
    every: Counter[str] = Counter()
    print(
        f"{'':18}{'read':>5}{'right':>7}{'debatable':>11}{'wrong':>7}{'precision':>11}"
    )
    for kind, found in verdicts().items():
        every.update(found)
        show(kind, found, precision(found))
    show("all", every, every["right"] / every.total())
    default = sum(
        (own for own in verdicts().values() if precision(own) >= RELIABLE), Counter()
    )
    show("shown by default", default, default["right"] / default.total())
    figure("read", every.total())
    figure("right", every["right"])
    figure("debatable", every["debatable"])
    figure("wrong", every["wrong"])
    return 0


def show(kind: str, found: Counter[str], share: float) -> None:
    """One line."""
    print(
        f"{kind:18}{found.total():5}{found['right']:7}{found['debatable']:11}"
        f"{found['wrong']:7}{share:11.2f}"
    )
    figure(f"{kind}.read", found.total())
    figure(f"{kind}.precision", share, 2)


if __name__ == "__main__":
    raise SystemExit(run(main, __file__))
