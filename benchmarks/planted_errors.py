"""Planted errors: does the error finder find them, and nothing else?

`fixtures/planted/scenes.json` holds scenes whose candidate has one planted
error, or none; what should be found is recorded beside each. For every kind of
error: how many were planted, found, and found without having been planted.

Precision and recall count findings of the same image, kind and tuple.
"""

import argparse
import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from rich.console import Console

from spicepy.diagnosis import KINDS, diagnose, scenes
from spicepy.evaluation import evaluate
from spicepy.tables import Cell, Table, to_rich

SCENES = Path(__file__).parent.parent / "fixtures" / "planted" / "scenes.json"
TARGET = 0.95

Key = tuple[str, str, tuple[str, ...]]
"""Image, kind, tuple."""


def planted(records: list[dict[str, Any]]) -> set[Key]:
    """What should be found."""
    return {
        (record["image_id"], error["error"], tuple(error["tuple"]))
        for record in records
        for error in record["planted"]
    }


def found(records: list[dict[str, Any]]) -> set[Key]:
    """What the error finder reports."""
    samples = [{k: r[k] for k in ("image_id", "test", "refs")} for r in records]
    diagnosis = diagnose(scenes(evaluate(samples)))
    return {(str(f.image_id), f.kind, f.members) for f in diagnosis.findings}


def table(expected: set[Key], reported: set[Key]) -> Table:
    """Precision and recall by kind of error."""
    rows: list[tuple[Cell, ...]] = []
    for kind in (*KINDS, "all"):
        wanted = {key for key in expected if kind in (key[1], "all")}
        given = {key for key in reported if kind in (key[1], "all")}
        hits = len(wanted & given)
        precision = hits / len(given) if given else None
        recall = hits / len(wanted) if wanted else None
        rows.append((kind, len(wanted), len(given), hits, precision, recall))
    columns = ("Error", "planted", "reported", "found", "precision", "recall")
    return Table("Planted errors", columns, tuple(rows))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scenes", type=Path, default=SCENES)
    parser.add_argument("--verbose", action="store_true", help="list the mistakes")
    options = parser.parse_args()
    records = json.loads(options.scenes.read_text(encoding="utf-8"))
    expected, reported = planted(records), found(records)
    result = table(expected, reported)
    console = Console(width=100)
    console.print(to_rich(result))
    clean = {r["image_id"] for r in records if not r["planted"]}
    spoilt = Counter(image for image, *_ in reported if image in clean)
    print(f"{len(records)} scenes; findings in {len(spoilt)} of {len(clean)} clean ones")
    if options.verbose:
        captions = {r["image_id"]: r["test"] for r in records}
        for name, keys in (
            ("not found", expected - reported),
            ("not planted", reported - expected),
        ):
            for image, kind, members in sorted(keys):
                print(f"{name}: {image} {kind} {members}: {captions[image]}")
    precision, recall = result.rows[-1][4:]
    good = min(float(precision or 0), float(recall or 0)) >= TARGET
    print(f"target: precision and recall of all errors >= {TARGET}: {good}")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
