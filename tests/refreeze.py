"""Write anew what tests compare with, after a change that is meant.

    python -m tests.refreeze [NAME …]      all records, or those named

`examples` are the graphs of the examples of the shipped grammars (parses.jsonl),
`constructions` the graphs of `fixtures/constructions.txt`, the others what
`test_frozen.py` compares. Read each graph that is new or has changed; look at the
difference before it is committed, and name each number that moved in the CHANGELOG.
"""

import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))  # as for the tests

import frozen
from paths import ROOT

from benchmarks.parity.freeze_examples import freeze, shipped
from spicepy.pipeline import Pipeline

CONSTRUCTIONS = ROOT / "fixtures/constructions.txt"


def examples() -> None:
    """Write the graphs of examples that a card has now."""
    for folder in shipped():
        freeze(folder)


def constructions() -> None:
    """Write the graphs of the captions of all constructions."""
    lines = CONSTRUCTIONS.read_text(encoding="utf-8").splitlines()
    captions = lines[::2]
    graphs = map(str, Pipeline(grammar="spicepy-1").parse(captions))
    made = [f"    {graph}" for graph in graphs]
    text = "".join(f"{c}\n{g}\n" for c, g in zip(captions, made, strict=True))
    CONSTRUCTIONS.write_text(text, encoding="utf-8")
    old, new = (dict(zip(captions, each)) for each in (lines[1::2], made))
    report("constructions", frozen.changes(old, new))


def record(name: str) -> None:
    """Write a record of `fixtures/frozen` and say what moved."""
    before = frozen.read(name) if (frozen.FROZEN / f"{name}.json").exists() else {}
    frozen.write(name)
    report(name, frozen.changes(before, frozen.read(name)))


def report(name: str, moved: Sequence[str]) -> None:
    """Print what moved in a record."""
    print(f"{name}: {len(moved)} changed", *moved, sep="\n  ")


RECORDS: Mapping[str, Callable[[], None]] = {
    "examples": examples,
    "constructions": constructions,
    **{name: partial(record, name) for name in frozen.RECORDS},
}
"""What writes each record; the order matters, since later ones read earlier ones."""


if __name__ == "__main__":
    names = sys.argv[1:] or list(RECORDS)
    if unknown := sorted(set(names) - set(RECORDS)):
        raise SystemExit(f"no record {unknown[0]!r}; there are: {', '.join(RECORDS)}")
    for name in names:
        RECORDS[name]()
