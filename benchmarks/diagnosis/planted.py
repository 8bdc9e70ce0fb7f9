"""Planted errors: precision and recall of the error analysis.

`fixtures/planted/scenes.json` holds scenes whose candidate has one planted
error, or none; what should be found is recorded beside each. For every kind of
error: how many were planted, found, and found without having been planted.

Precision and recall count findings of the same image, kind and tuple. First on
tuples corrected by hand (`tuples.json`: the finder alone), then on the parser's.
"""

import argparse
import json
from collections import Counter
from typing import Any

from rich.console import Console

from benchmarks import FIXTURES
from benchmarks.figures import figure, run
from spicepy.common.tables import Cell, Table, to_rich
from spicepy.diagnosis import diagnose, scenes
from spicepy.diagnosis.kinds import NAMES
from spicepy.evaluation.evaluation import Evaluation, evaluate, evaluate_graphs
from spicepy.graph.exchange import GraphSample
from spicepy.metrics.spice import Spice
from spicepy.rules.tuples import SemanticTuple

FOLDER = FIXTURES / "planted"
TARGET = 0.98  # of the finder alone

UNCONFIRMED = ("wrong color", "wrong size", "wrong material", "unsupported attribute")
"""Kinds that are also of what no reference contradicts; then nothing is expected."""
Key = tuple[str, str, tuple[str, ...]]
"""Image, kind, tuple."""


def planted(records: list[dict[str, Any]]) -> set[Key]:
    """Return the errors that were planted."""
    return {
        (record["image_id"], error["error"], tuple(error["tuple"]))
        for record in records
        for error in record["planted"]
    }


def found(evaluation: Evaluation) -> set[Key]:
    """Return the errors that the references contradict; not what nobody confirms."""
    return {
        (str(f.image_id), f.kind, f.members)
        for f in diagnose(scenes(evaluation)).findings
        if f.kind not in UNCONFIRMED or f.expected is not None
    }


def by_hand(
    records: list[dict[str, Any]], tuples: dict[str, list[list[str]]]
) -> Evaluation:
    """Return the scenes scored on tuples corrected by hand."""
    proposals = {c: [SemanticTuple(tuple(t)) for t in x] for c, x in tuples.items()}
    graphs = [
        GraphSample(
            record["image_id"],
            proposals[record["test"]],
            tuple(proposals[reference] for reference in record["refs"]),
        )
        for record in records
    ]
    return evaluate_graphs(graphs, Spice())


def parsed(records: list[dict[str, Any]]) -> Evaluation:
    """Return the scenes scored as captions."""
    samples = [{k: r[k] for k in ("image_id", "test", "refs")} for r in records]
    return evaluate(samples)


def table(title: str, expected: set[Key], reported: set[Key]) -> Table:
    """Precision and recall by kind of error."""
    rows: list[tuple[Cell, ...]] = []
    for kind in (*NAMES, "all"):
        wanted = {key for key in expected if kind in (key[1], "all")}
        given = {key for key in reported if kind in (key[1], "all")}
        hits = len(wanted & given)
        precision = hits / len(given) if given else None
        recall = hits / len(wanted) if wanted else None
        rows.append((kind, len(wanted), len(given), hits, precision, recall))
    columns = ("Error", "planted", "reported", "found", "precision", "recall")
    return Table(f"Planted errors, {title}", columns, tuple(rows))


def record_sums(name: str, results: Table) -> None:
    """Name the sums over all kinds of error."""
    planted, reported, found, precision, recall = results.rows[-1][1:]
    figure("planted", int(planted or 0))
    figure(f"{name}.reported", int(reported or 0))
    figure(f"{name}.found", int(found or 0))
    figure(f"{name}.precision", float(precision or 0), 2)
    figure(f"{name}.recall", float(recall or 0), 2)


def show_mistakes(
    records: list[dict[str, Any]], expected: set[Key], reported: set[Key]
) -> None:
    """Say what was not found, and what was found without being planted."""
    captions = {r["image_id"]: r["test"] for r in records}
    sides = {"not found": expected - reported, "not planted": reported - expected}
    for name, keys in sides.items():
        for image, kind, members in sorted(keys):
            print(f"{name}: {image} {kind} {members}: {captions[image]}")


def main() -> int:
    """Print all figures; return 0 if every target is met."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--verbose", action="store_true", help="list the mistakes")
    options = parser.parse_args()
    records = json.loads((FOLDER / "scenes.json").read_text(encoding="utf-8"))
    tuples = json.loads((FOLDER / "tuples.json").read_text(encoding="utf-8"))
    expected = planted(records)
    clean = {r["image_id"] for r in records if not r["planted"]}
    console = Console(width=100)
    results = {}
    for title, evaluation in (
        ("tuples by hand", by_hand(records, tuples)),
        ("parsed captions", parsed(records)),
    ):
        reported = found(evaluation)
        results[title] = table(title, expected, reported)
        record_sums(title.split()[0], results[title])
        console.print(to_rich(results[title]))
        spoilt = Counter(image for image, *_ in reported if image in clean)
        print(f"findings in {len(spoilt)} of {len(clean)} scenes without an error")
        if options.verbose:
            show_mistakes(records, expected, reported)
    figure("scenes", len(records))
    precision, recall = results["tuples by hand"].rows[-1][4:]
    good = min(float(precision or 0), float(recall or 0)) >= TARGET
    print(f"target: the finder alone, precision and recall >= {TARGET}: {good}")
    return 0 if good else 1


if __name__ == "__main__":
    raise SystemExit(run(main, "planted_errors"))
