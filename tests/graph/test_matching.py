"""Matching and counts: the original's 32 recorded cases, and invariants."""

import json
import math

import pytest
from hypothesis import given
from paths import ROOT
from strategies import CAPTIONS, PROPOSALS

from benchmarks.java_oracle import proposals
from spicepy.graph.concepts import ConceptLexicon
from spicepy.graph.matching import Counts
from spicepy.metrics.spice import SpiceScore, score_proposals
from spicepy.rules.tuples import Category, SemanticTuple
from spicepy.words.wordnet import load_synonyms

LEXICON = ConceptLexicon(load_synonyms())
CASES = json.loads((ROOT / "fixtures/spice_scoring_cases.json").read_text())
COLOR = Category("Color", 2, frozenset({"gray", "grey", "red"}))


def score(candidate: list[list[str]], *references: list[list[str]]) -> SpiceScore:
    return score_proposals(
        proposals(candidate), [proposals(rows) for rows in references], LEXICON
    )


def flagged(entry: list[dict[str, object]]) -> list[list[object]]:
    return sorted([row["tuple"], row["matched"]] for row in entry)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_recorded_case(case: dict[str, list[list[str]]]) -> None:
    """Merged tuples and match flags, printed as the original prints them."""
    found = score(case["candidate_proposals"], case["reference_proposals"])

    entry = found.to_dict(tuples=True)
    assert flagged(entry["candidate_tuples"]) == sorted(case["candidate_tuples"])
    assert flagged(entry["reference_tuples"]) == sorted(case["reference_tuples"])


def test_recall_may_pass_one() -> None:
    found = score(
        [["bicycle"], ["motorcycle"]], [["bike"], ["bicycle"], ["motorcycle"]]
    )

    assert found.counts["All"] == Counts(2, 0, -1)
    assert (found.recall, found.f) == (2.0, 4 / 3)


def test_matched_missing_and_spurious_tuples() -> None:
    found = score(
        [["dog"], ["dog", "red"], ["dog", "sofa", "on"]],
        [["dog"], ["cat"]],
        [["dog", "couch", "on"]],
    )

    assert [str(t) for t in found.matched] == ["(dog)", "(dog, on, sofa)", "(sofa)"]
    assert [str(t) for t in found.spurious] == ["(dog, red)"]
    assert [str(t) for t in found.missing] == ["(cat)"]


def test_a_merged_attribute_leaves_its_category() -> None:
    matching = score([["a", "gray"]], [["a", "gray"], ["a", "grey"]]).matching

    assert matching.counts(COLOR) == Counts(0, 1, 0, defined=False)
    assert math.isnan(matching.counts(COLOR).f)
    any_word = Category("Color", 2, COLOR.words, "any")
    assert matching.counts(any_word) == Counts(1, 0, 0)


@pytest.mark.parametrize(
    ("counts", "scores"),
    [
        (Counts(0, 0, 0), (0.0, 0.0, 0.0)),
        (Counts(0, 3, 0), (0.0, 0.0, 0.0)),
        (Counts(0, 0, 3), (0.0, 0.0, 0.0)),
        (Counts(1, 1, 3), (1 / 2, 1 / 4, 1 / 3)),
        (Counts(0, 2, 0, defined=False), (math.nan, math.nan, math.nan)),
    ],
)
def test_zero_rules(counts: Counts, scores: tuple[float, ...]) -> None:
    found = (counts.precision, counts.recall, counts.f)
    assert found == pytest.approx(scores, rel=0, abs=0, nan_ok=True)


@given(PROPOSALS)
def test_identity_scores_one(candidate: list[SemanticTuple]) -> None:
    found = score_proposals(candidate, [candidate], LEXICON)

    assert found.f == (1.0 if candidate else 0.0)
    assert not found.spurious


@given(PROPOSALS, CAPTIONS)
def test_counts_agree(
    candidate: list[SemanticTuple], references: list[list[SemanticTuple]]
) -> None:
    """Flags add up to counts; lengths add up to all; precision is a share."""
    found = score_proposals(candidate, references, LEXICON)
    counts = found.counts

    assert len(found.matched) == counts["All"].tp
    assert len(found.spurious) == counts["All"].fp
    for field in ("tp", "fp", "fn"):
        parts = ("Object", "Attribute", "Relation")
        total = sum(getattr(counts[name], field) for name in parts)
        assert total == getattr(counts["All"], field)
    assert 0 <= found.precision <= 1
    assert found.recall >= 0


@given(PROPOSALS, CAPTIONS)
def test_repeated_tuples_change_nothing(
    candidate: list[SemanticTuple], references: list[list[SemanticTuple]]
) -> None:
    doubled = [tuple_ for tuple_ in candidate for _ in range(2)]
    repeated = [[tuple_ for tuple_ in row for _ in range(2)] for row in references]

    assert score_proposals(doubled, repeated, LEXICON) == score_proposals(
        candidate, references, LEXICON
    )


@given(PROPOSALS, CAPTIONS)
def test_exact_scores_ignore_the_order_of_references(
    candidate: list[SemanticTuple], references: list[list[SemanticTuple]]
) -> None:
    exact = ConceptLexicon(load_synonyms("none"))

    assert score_proposals(candidate, references, exact) == score_proposals(
        list(reversed(candidate)), list(reversed(references)), exact
    )
