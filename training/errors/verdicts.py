"""Verdicts of readers on findings: the project's own file, and files from a report.

In: `fixtures/verdicts/verdicts.csv`, whose captions are in `../shared`, and CSV files
as *Export verdicts* on a report's page saves them, which hold the captions themselves.
Out: verdicts, each with the rows that it is about.
"""

import csv
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from training import ROOT
from training.errors import labels
from training.errors.labels import Row

OWN: Final = ROOT / "fixtures" / "verdicts" / "verdicts.csv"
TARGETS: Final = {"right": 1.0, "debatable": 0.5, "wrong": 0.0}
"""Verdict -> the probability that people would call the finding right."""
LISTED: Final = ("21", "26", "27")
"""Samples of findings that were listed, nearly all of them right: they tell nothing of
less probable ones, and are not learnt from."""
EXPORTED: Final = ("row", "error", "verdict", "tuple", "candidate", "references")
"""The columns that are read of an exported file; `references` is a JSON list."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """A verdict on a finding.

    Attributes:
        data: The data set, or the name of a system.
        kind: The kind of the finding.
        about: The tuple of the finding; "" if the kind occurs once in the caption.
        target: One of `TARGETS`.
    """

    data: str
    kind: str
    about: str
    target: float


def own_verdicts(shared: Path) -> Iterator[tuple[Verdict, Row]]:
    """Yield the verdicts of the project's file, data set by data set."""
    with OWN.open(encoding="utf-8", newline="") as file:
        found = [r for r in csv.DictReader(file) if r["sample"] not in LISTED]
    for data in dict.fromkeys(row["data"] for row in found):
        rows = labels.judged_rows(shared, data)
        for read in (row for row in found if row["data"] == data):
            yield from ((_verdict(read), row) for row in rows(read["row"]))


def exported_verdicts(files: Iterable[Path]) -> list[tuple[Verdict, Row]]:
    """Return the verdicts of files that a report's page exported.

    Raises:
        ValueError: A file lacks a column, or a row has no verdict or no references.
    """
    return [pair for file in files for pair in _exported(file)]


def _exported(path: Path) -> Iterator[tuple[Verdict, Row]]:
    with path.open(encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file)
        lacking = [c for c in EXPORTED if c not in (reader.fieldnames or ())]
        if lacking:
            raise ValueError(
                f"{path}: no column {lacking[0]!r}: give a file that *Export verdicts* "
                "of a report saved"
            )
        for number, read in enumerate(reader, 2):
            try:
                verdict, references = _verdict(read), json.loads(read["references"])
            except (KeyError, TypeError, ValueError) as error:
                raise ValueError(
                    f"{path}: row {number}: {error!r}: the verdict must be one of "
                    f"{', '.join(TARGETS)}, and references a JSON list of captions"
                ) from None
            row = {"image_id": read["row"], "candidate": read["candidate"]}
            yield verdict, {**row, "references": references}


def _verdict(read: Mapping[str, str]) -> Verdict:
    target = TARGETS[read["verdict"]]
    return Verdict(read.get("data", ""), read["error"], read["tuple"], target)
