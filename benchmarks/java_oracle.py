"""Recorded runs of the original SPICE as values, which the benchmarks share."""

import argparse
import gzip
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks import SHARED
from benchmarks.java_graphs import parse
from spicepy.graph.exchange import GraphSample
from spicepy.parsing.trees import Parse
from spicepy.rules.tuples import Proposals, SemanticTuple


@dataclass(frozen=True, slots=True)
class Recorded:
    """A caption with the original's trees (one a sentence) and proposals."""

    caption: str
    trees: tuple[Parse, ...]
    proposals: list[SemanticTuple]


def shared_parser(doc: str | None) -> argparse.ArgumentParser:
    """Return a parser of arguments that has `--shared`; `doc` is the benchmark's."""
    parser = argparse.ArgumentParser(description=(doc or "").split("\n")[0])
    parser.add_argument(
        "--shared",
        type=Path,
        default=SHARED,
        help="folder of the recorded data (default: $SPICEPY_SHARED or ../shared)",
    )
    return parser


def read_json(path: Path) -> Any:
    """Return the value in a file of JSON, gzip or plain."""
    data = path.read_bytes()
    return json.loads(gzip.decompress(data) if path.suffix == ".gz" else data)


def read_captions(path: Path) -> dict[str, Recorded]:
    """Read recorded captions (JSON lines, gzip) by their text."""
    return {row.caption: row for row in _rows(path)}


def _rows(path: Path) -> Iterator[Recorded]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            trees = tuple(parse(s["tokens"], s["basic"]) for s in row["sentences"])
            yield Recorded(row["caption"], trees, proposals(row["tuples"]))


def proposals(rows: list[list[str]]) -> list[SemanticTuple]:
    """Return recorded proposals; relations stand as [source, target, relation]."""
    return [
        SemanticTuple((row[0], row[2], row[1]) if len(row) == 3 else tuple(row))
        for row in rows
    ]


def read_scores(path: Path) -> list[dict[str, Any]]:
    """Read `[{image_id, test, refs, scores}]`, gzip or plain."""
    rows: list[dict[str, Any]] = read_json(path)
    return rows


def graph_samples(
    rows: Sequence[Mapping[str, Any]], made: Mapping[str, Proposals]
) -> list[GraphSample]:
    """Return rows of `read_scores` with the proposals of their captions."""
    return [
        GraphSample(
            row["image_id"],
            made[row["test"]],
            [made[text] for text in row["refs"]],
        )
        for row in rows
    ]
