"""Precision of findings by kind, from the verdicts of a reader.

Reads `fixtures/verdicts/verdicts.csv`. The last column is the precision that
`grammars/diagnosis.toml` holds: a debatable finding is not right, and one right and
one wrong finding are added (Laplace's rule), since none is sure after ten.

Of findings that rest on enough, a kind's newest samples count: rules were mended after
the earlier ones. Of those that do not, all samples do.
"""

import csv
from collections import Counter

from benchmarks import FIXTURES
from benchmarks.figures import figure, run
from spicepy.common.settings import RELIABLE

PATH = FIXTURES / "verdicts" / "verdicts.csv"


NEWEST = ({"4", "5", "6"}, {"3"}, {"1", "2"})
"""Samples; the first that have a kind count."""


def verdicts(sure: str) -> dict[str, Counter[str]]:
    """Kind -> verdict -> how often, of findings that are sure ("yes") or not ("no")."""
    with PATH.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    found: dict[str, Counter[str]] = {}
    for kind in dict.fromkeys(row["error"] for row in rows):
        own = [row for row in rows if row["error"] == kind]
        known = [row for row in own if row["sure"] == sure]
        if sure == "no" and all(row["sure"] != "yes" for row in own):
            continue  # A kind that never rests on enough.
        if sure == "yes":
            newest = ([r for r in known if r["sample"] in some] for some in NEWEST)
            known = next(filter(None, newest), own)
        if known:
            found[kind] = Counter(row["verdict"] for row in known)
    return found


def precision(found: Counter[str]) -> float:
    """Return the share of right ones by Laplace's rule."""
    return (found["right"] + 1) / (found.total() + 2)


def main() -> int:
    """Print all figures; return 0 if every target is met."""
    every: Counter[str] = Counter()
    print(
        f"{'':24}{'read':>5}{'right':>7}{'debatable':>11}{'wrong':>7}{'precision':>11}"
    )
    shown: Counter[str] = Counter()
    for sure, title in (("yes", ""), ("no", ", unsure")):
        for kind, found in verdicts(sure).items():
            every.update(found)
            show(f"{kind}{title}", found, precision(found))
            if precision(found) >= RELIABLE:
                shown.update(found)
    show("all", every, every["right"] / every.total())
    show("shown by default", shown, shown["right"] / shown.total())
    figure("shown by default.share", shown["right"] / shown.total(), 2)
    half = (shown["right"] + shown["debatable"] / 2) / shown.total()
    print(f"shown by default, debatable ones as half: {half:.2f}")
    figure("shown by default.half", half, 2)
    figure("read", every.total())
    figure("right", every["right"])
    figure("debatable", every["debatable"])
    figure("wrong", every["wrong"])
    return 0


def show(kind: str, found: Counter[str], share: float) -> None:
    """One line."""
    print(
        f"{kind:24}{found.total():5}{found['right']:7}{found['debatable']:11}"
        f"{found['wrong']:7}{share:11.2f}"
    )
    figure(f"{kind}.read", found.total())
    figure(f"{kind}.precision", share, 2)


if __name__ == "__main__":
    raise SystemExit(run(main, "verdicts"))
