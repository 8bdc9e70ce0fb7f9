"""Pairwise accuracy: tie rules, categories, sampled references, triplets."""

import json
from math import nan
from pathlib import Path

import numpy as np
import pytest
from toys import Overlap

from spicepy.common.errors import InputError
from spicepy.study.accuracy import ALL, MEAN, pairs
from spicepy.study.preferences import Pair, read_pairs

REFERENCES = ("a dog runs", "a big dog")
PAIRS = [
    Pair(1, "a dog", "a cat", "a", REFERENCES, "HC"),
    Pair(2, "a cat", "a dog sits", "b", REFERENCES, "HC"),
    Pair(3, "a dog sits", "a cat", "b", REFERENCES, "HI"),
    Pair(4, "a dog", "a big dog runs", "a", REFERENCES, "HI"),
]


@pytest.mark.parametrize(
    ("ties", "expected"), [("half", 0.625), ("strict", 0.5), ("equal", 0.75)]
)
def test_tie_rules(ties: str, expected: float) -> None:
    """1 right, 2 right (2/3 > 1/2), 3 wrong, 4 a tie of 1 and 1."""
    found = pairs(PAIRS, metrics=[Overlap()], ties=ties)

    assert found.accuracy("overlap").accuracy == expected
    assert found.accuracy("overlap").tied == 0.25


def test_categories_and_their_mean() -> None:
    found = pairs([*PAIRS, PAIRS[0]], metrics=[Overlap()])

    assert found.accuracy("overlap", "HC").accuracy == 1
    assert found.accuracy("overlap", "HC").pairs == 3
    assert found.accuracy("overlap", "HI").accuracy == 0.25
    assert found.accuracy("overlap", MEAN).accuracy == 0.625
    assert found.accuracy("overlap", ALL).accuracy == 3.5 / 5


def test_an_undefined_score_loses_and_two_are_a_tie() -> None:
    given = [
        Pair(1, "a dog", "dog", "a", REFERENCES),
        Pair(2, "dog", "cat", "a", REFERENCES),
    ]
    found = pairs(given, metrics=[Overlap()], ties="strict")

    assert found.accuracy("length").accuracy == 0.5
    assert found.accuracy("length").tied == 0.5


def test_equal_references_are_removed_before_sampling() -> None:
    given = [
        Pair(1, "A dog.", "a cat", "b", ("a dog", "a cat sits")),
        Pair(2, "a dog", "a cat", "b", ("a cat",)),
    ]
    removed = pairs(given, metrics=[Overlap()])
    kept = pairs(given, metrics=[Overlap()], remove_equal=False)

    assert removed.protocol["pairs left without references"] == 1
    assert removed.accuracy("overlap").accuracy == 1
    assert kept.accuracy("overlap").accuracy == 0.75


def test_numbers_of_references(fixtures: Path) -> None:
    preferences, even = read_pairs(fixtures / "pairs.jsonl")
    found = pairs(preferences, metrics=[Overlap()], references=[1, 3, None], repeats=5)
    again = pairs(preferences, metrics=[Overlap()], references=[1, 3, None], repeats=5)
    one, every = found.accuracy("overlap", ALL, 1), found.accuracy("overlap", ALL)

    assert even == 0
    assert found.to_dict() == again.to_dict()
    assert one.sd > 0
    assert np.isnan(every.sd)
    assert one.accuracy < every.accuracy
    assert [t.columns for t in found.tables()][1] == (
        ("metric", "1", "1 sd", "3", "3 sd", "all", "all sd")
    )
    json.dumps(found.to_dict(), allow_nan=False)


def test_triplet_votes_become_pairs_by_majority(fixtures: Path) -> None:
    preferences, even = read_pairs(fixtures / "triplets.jsonl")

    assert even == 1
    assert [p.preferred for p in preferences] == ["a", "b"] * 4
    assert all(len(p.references) == 6 for p in preferences)


def test_votes_decide_where_no_preference_is_given(tmp_path: Path) -> None:
    path = tmp_path / "p.csv"
    path.write_text(
        "image_id,candidate_a,candidate_b,votes_a,votes_b,reference_1,reference_2\n"
        "1,a,b,3,8,r,\n2,a,b,5,5,r,s\n"
    )

    assert read_pairs(path) == ([Pair(1, "a", "b", "b", ("r",), votes=(3, 8))], 1)


VOTES = {"candidate_a": "a", "candidate_b": "b", "references": ["r"]}


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ({"candidate_a": "a"}, "line 1: no key 'candidate_b', 'references'"),
        (
            {"candidate_a": "a", "candidate_b": "b", "references": ["r"]},
            "no 'preferred'",
        ),
        (
            {
                "image_id": 4,
                "candidate_a": "a",
                "candidate_b": "b",
                "references": ["r"],
                "preferred": "c",
            },
            "image 4.*preferred is 'c'",
        ),
        ({"A": "a", "B": "b", "C": "c", "rating": 0}, "rating is 0; it must be 1"),
        ({"A": "a", "B": "b", "C": "c", "rating": True}, "rating is true"),
        (VOTES | {"votes_a": nan, "votes_b": 1}, "no numbers 'votes_a'"),
        (VOTES | {"votes_a": 10**400, "votes_b": 1}, "no numbers 'votes_a'"),
        (VOTES | {"preferred": "a", "category": []}, "category is .*must be a text"),
    ],
)
def test_wrong_pairs_are_named(tmp_path: Path, record: dict, message: str) -> None:
    path = tmp_path / "p.jsonl"
    path.write_text(json.dumps(record) + "\n")

    with pytest.raises(InputError, match=message):
        read_pairs(path)


def test_wrong_options_are_named() -> None:
    with pytest.raises(InputError, match="known: half, strict, equal"):
        pairs(PAIRS, metrics=[Overlap()], ties="none")
    with pytest.raises(InputError, match="numbers of 1 or more"):
        pairs(PAIRS, metrics=[Overlap()], references=[0])
    with pytest.raises(InputError, match="repeats is 0"):
        pairs(PAIRS, metrics=[Overlap()], repeats=0)
