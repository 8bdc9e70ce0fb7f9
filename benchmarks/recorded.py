"""Recorded runs of the original SPICE, as values: shared by the benchmarks."""

import argparse
import gzip
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from spicepy.extraction.tuples import SemanticTuple
from spicepy.parsing.trees import Parse

SHARED = Path(__file__).parent.parent.parent / "shared"


@dataclass(frozen=True, slots=True)
class Recorded:
    """A caption with the original's trees (one a sentence) and proposals."""

    caption: str
    trees: tuple[Parse, ...]
    proposals: list[SemanticTuple]


def shared_option(parser: argparse.ArgumentParser) -> None:
    """Add `--shared DIR`: the folder of recorded data."""
    parser.add_argument(
        "--shared",
        type=Path,
        default=Path(os.environ.get("SPICEPY_SHARED", SHARED)),
        help="folder of the recorded data (default: $SPICEPY_SHARED or ../shared)",
    )


def read_captions(path: Path) -> dict[str, Recorded]:
    """Read recorded captions (JSON lines, gzip) by their text."""
    return {row.caption: row for row in _rows(path)}


def _rows(path: Path) -> Iterator[Recorded]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            trees = tuple(map(_tree, row["sentences"]))
            yield Recorded(row["caption"], trees, proposals(row["tuples"]))


def proposals(rows: list[list[str]]) -> list[SemanticTuple]:
    """Recorded proposals; relations are recorded as [source, target, relation]."""
    return [
        SemanticTuple((row[0], row[2], row[1]) if len(row) == 3 else tuple(row))
        for row in rows
    ]


def read_scores(path: Path) -> list[dict[str, Any]]:
    """Read `[{image_id, test, refs, scores}]`, gzip or plain."""
    data = path.read_bytes()
    if path.suffix == ".gz":
        data = gzip.decompress(data)
    rows: list[dict[str, Any]] = json.loads(data)
    return rows


def _tree(sentence: dict[str, Any]) -> Parse:
    words, tags, lemmas = zip(*sentence["tokens"])
    heads, labels = [0] * len(words), ["root"] * len(words)
    for label, head, dependent in sentence["basic"]:
        heads[int(dependent) - 1] = int(head)
        labels[int(dependent) - 1] = label
    return Parse(words, tags, lemmas, tuple(heads), tuple(labels))
