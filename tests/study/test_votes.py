"""People against people, systems in pairs and ranked captions, by hand."""

from math import isnan
from pathlib import Path

import pytest
from toys import Overlap

from spicepy.study.accuracy import ALL, Ceiling, pairs, split_agreement
from spicepy.study.preferences import Pair, Ranked, rankings_csv, read_pairs

REFERENCES = ("a dog runs",)
GOOD, FAIR, POOR = "a dog", "a cat", "two cats"  # overlaps 1, 1/2, 0


@pytest.mark.parametrize(
    ("votes", "agreement"),
    [
        ((2, 0), 1.0),
        ((1, 1), 0.0),
        ((3, 1), 0.5),  # the one vote makes either half even
        ((2, 1), 2 / 3 * 0.5),  # one vote against two: even, or the other way
        ((24, 24), 0.1134),  # both halves even: 24C12 squared of 48C24 splits, .2268
    ],
)
def test_halves_of_votes(votes: tuple[int, int], agreement: float) -> None:
    assert split_agreement(votes) == pytest.approx(agreement, abs=1e-4)


def test_an_even_half_has_the_credit_of_a_tie() -> None:
    assert split_agreement((3, 1), credit=0) == 0
    assert split_agreement((3, 1), credit=1) == 1


def test_ceilings_are_means_over_pairs_by_category() -> None:
    given = [
        Pair(1, GOOD, POOR, "a", REFERENCES, "HC", (2, 0)),
        Pair(2, GOOD, POOR, "a", REFERENCES, "HC", (3, 1)),
        Pair(3, GOOD, POOR, "a", REFERENCES, "HI", (5, 0)),
        Pair(4, GOOD, POOR, "a", REFERENCES, "HI", (1, 0)),
        Pair(5, GOOD, POOR, "a", REFERENCES, "HI"),
    ]
    found = pairs(given, metrics=[Overlap()])

    assert found.ceilings == (
        Ceiling("HC", 0.75, 2, 3.0),
        Ceiling("HI", 1.0, 1, 5.0),
        Ceiling(ALL, pytest.approx(2.5 / 3), 3, pytest.approx(11 / 3)),
    )
    assert found.tables()[1].title == "Agreement of people"
    assert pairs(given[-1:], metrics=[Overlap()]).ceilings == ()


def test_triplets_have_votes(fixtures: Path) -> None:
    preferences, _ = read_pairs(fixtures / "triplets.jsonl")

    assert all(p.votes and sum(p.votes) == 6 for p in preferences)
    assert all(
        p.votes and (p.votes[0] > p.votes[1]) == (p.preferred == "a")
        for p in preferences
    )


def in_pairs(first: str, second: str, preferred: str, systems: str) -> Pair:
    a, b = systems
    return Pair(7, first, second, preferred, REFERENCES, systems=(a, b))


DUELS = [
    in_pairs(GOOD, FAIR, "a", "AB"),
    in_pairs(FAIR, POOR, "b", "BC"),
    in_pairs(POOR, GOOD, "b", "CA"),
    in_pairs(FAIR, "a bus", "a", "AC"),
    in_pairs(GOOD, POOR, "a", "AA"),
]


def test_wins_of_systems_by_hand() -> None:
    """People: A 3 of 3, B 0 of 2, C 1 of 3; the metric: A 2.5, B 1, C 0.5.

    r: deviations (5, -4, -1)/9 and (2, 0, -2)/6 give 6/27 / sqrt(42/81 * 2/9).
    """
    found = pairs(DUELS, metrics=[Overlap()])
    overlap = next(w for w in found.wins if w.key == "overlap")
    table = found.tables()[-1]

    assert overlap.systems == ("A", "B", "C")
    assert overlap.pairs == (3, 2, 3)
    assert overlap.people == pytest.approx((1, 0, 1 / 3))
    assert overlap.metric == pytest.approx((5 / 6, 1 / 2, 1 / 6))
    assert overlap.pearson == pytest.approx(6 / 27 / (42 / 81 * 2 / 9) ** 0.5)
    assert table.title == f"Share of pairs that each system wins, {ALL}"
    assert [row[0] for row in table.rows] == ["A", "B", "C", "r with people", "p"]
    assert pairs(DUELS[:1], metrics=[Overlap()]).wins == ()


def test_captions_of_an_image_are_ranked() -> None:
    """A's good caption has won 3 of its 3 pairs, B's fair one none of 2."""
    ranked = pairs(DUELS, metrics=[Overlap()]).rankings
    good, fair = ranked[0], ranked[1]

    assert (good.caption, good.system, good.pairs, good.won) == (GOOD, "A", 3, 1)
    assert (good.people, good.ranks[0]) == (1, 1)
    assert (fair.caption, fair.system, fair.won, fair.people) == (FAIR, "B", 0, 4)
    assert fair.scores[0] == 0.5
    assert fair.ranks[0] == 2  # beside A's "a cat" and C's "a bus"
    text = rankings_csv(ranked, ("overlap", "length"))
    assert text.splitlines()[1] == f"7,{GOOD},A,3,1.0,1,1.0,1,2.0,1"


def test_an_undefined_score_ranks_last() -> None:
    one = pairs([Pair(1, "dog", GOOD, "b", REFERENCES)], metrics=[Overlap()])
    dog, good = one.rankings

    assert isinstance(dog, Ranked)
    assert isnan(dog.scores[1])
    assert (dog.ranks[1], good.ranks[1]) == (2, 1)
