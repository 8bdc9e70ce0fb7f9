"""Trees of the original's grammar get the original's dependencies."""

from itertools import islice

import pytest

from benchmarks.parity.brackets import read_brackets
from benchmarks.parity.conversion import Case, cases
from spicepy.parsing.conversion import dependencies


def differing(some: list[Case]) -> list[Case]:
    """The trees whose dependencies are not the original's."""
    return [
        case
        for case in some
        if dependencies(read_brackets(case.bracket), case.words, case.best)
        != (case.heads, case.labels)
    ]


def test_a_sample_of_rare_constructions_is_equal(shared) -> None:
    found = list(islice(cases(shared / "oracle/parser/rare.txt.xz", False), 1500))

    assert differing(found) == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "own_tags", "allowed"),
    [
        ("silver-kbest/captions-01.txt.xz", False, 0),
        ("silver-kbest/captions-factual.txt.xz", False, 0),
        ("oracle/parser/rare.txt.xz", False, 0),
        ("oracle/parser/synthetic.txt.xz", True, 1),
    ],
)
def test_twenty_thousand_trees_are_equal(shared, name, own_tags, allowed) -> None:
    every = cases(shared / name, own_tags)

    assert len(differing(list(islice(every, 0, 20_000)))) <= allowed
