"""Findings of many kinds in captions written for this project (`findings.tsv`)."""

import csv
from pathlib import Path

import pytest
from paths import ROOT

from spicepy.diagnosis import Analysis, Finding, Scene
from spicepy.diagnosis.results.diagnosing import beside_others

FOUND = 0.1
"""A mistake is found from this probability on: three references tell little."""
SHOWN = 0.5
"""What is not a mistake may not be shown by default."""


def rows() -> list[dict[str, str]]:
    """Candidates with references, kinds and words found, and kinds that are wrong."""
    path = Path(ROOT) / "fixtures" / "findings.tsv"
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


@pytest.fixture(scope="module")
def analysis() -> Analysis:
    analysis = Analysis()
    texts = [t for r in rows() for t in (r["candidate"], *references(r))]
    analysis.reader.read(texts)
    return analysis


def references(row: dict[str, str]) -> list[str]:
    return row["references"].split(" | ")


def has(finding: Finding, text: str) -> bool:
    """Whether a finding is meant by "kind: word", "kind: " or ": word"."""
    kind, _, word = text.partition(": ")
    about = f"{finding.text} {finding.words} {finding.expected} {finding.said}"
    return finding.kind.startswith(kind) and word in about


@pytest.mark.parametrize("row", rows(), ids=lambda row: row["candidate"][:40])
def test_what_is_wrong_is_found_and_nothing_else_shown(
    analysis: Analysis, row: dict[str, str]
) -> None:
    readings = analysis.reader.read([row["candidate"], *references(row)])
    others = tuple(readings[text] for text in references(row))
    findings = analysis.diagnose(Scene(1, readings[row["candidate"]], others)).findings
    likely = [f for f in findings if (f.probability or 0) >= FOUND]
    shown = [f for f in findings if (f.probability or 0) >= SHOWN]

    for wanted in filter(None, row["found"].split("; ")):
        assert any(has(f, wanted) for f in likely), wanted
    for wrong in filter(None, row["not found"].split(", ")):
        kind, _, value = wrong.partition(" expecting ")
        about = [f for f in shown if f.kind == kind]
        assert not [f for f in about if not value or str(f.expected) == value]


def test_other_systems_are_evidence() -> None:
    """What only one of several systems sees is more probably invented."""
    analysis = Analysis()
    texts = {
        "a": "a man and a cat on a sofa",
        "b": "a man sits",
        "c": "a man and a cat",
    }
    references = "a man sits on a sofa", "a man on a couch"
    read = analysis.reader.read([*texts.values(), *references])
    scenes = {
        name: [Scene(1, read[text], tuple(map(read.get, references)))]
        for name, text in texts.items()
    }

    def cat(scene: Scene) -> float:
        found = analysis.diagnose(scene).findings
        return next(f.probability for f in found if f.members == ("cat",))

    alone = cat(scenes["a"][0])
    doubted = beside_others({name: scenes[name] for name in "ab"})["a"][0]
    shared = beside_others({name: scenes[name] for name in "ac"})["a"][0]
    same = beside_others({"a": scenes["a"], "copy": scenes["a"]})["a"][0]
    assert cat(shared) < cat(same) == alone < cat(doubted)
