"""Categories: their definition and what is wrong with bad ones."""

import pytest

from spicepy.categories import BASIC, Category, read_category, unique_names
from spicepy.errors import GrammarError

COLORS = {"name": "Color", "length": 2, "words": ["gray", "grey", "red"]}


def test_published_definition_tests_the_printed_word() -> None:
    color = read_category(COLORS)

    assert color == Category("Color", 2, frozenset({"gray", "grey", "red"}))
    assert color.has(("red",))
    assert not color.has(("gray", "grey"))
    assert not color.has(("dark",))


def test_corrected_definition_tests_every_word_and_digits() -> None:
    count = read_category(
        {"name": "Count", "length": 2, "words": ["two"], "match": "any", "digits": True}
    )

    assert count.has(("2", "two"))
    assert count.has(("17",))
    assert not count.has(("2nd",))


def test_basic_categories_hold_everything() -> None:
    assert [(c.name, c.length) for c in BASIC] == [
        ("Object", 1),
        ("Attribute", 2),
        ("Relation", 3),
    ]
    assert all(category.has(("any", "thing")) for category in BASIC)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"name": " "}, "name is ' '"),
        ({"name": None}, "name is None"),
        ({"length": 4}, "length is 4: give 1, 2 or 3"),
        ({"length": True}, "length is True"),
        ({"words": []}, "at least one word"),
        ({"words": "red"}, "at least one word"),
        ({"words": ["Red"]}, "words has 'Red'"),
        ({"words": ["red", 3]}, "words has 3"),
        ({"match": "all"}, "match is 'all'"),
        ({"digits": 1}, "digits is 1"),
        ({"wrods": []}, "unknown key wrods"),
    ],
)
def test_faults(change: dict[str, object], message: str) -> None:
    with pytest.raises(GrammarError, match=message):
        read_category(COLORS | change, "colors.toml, category")


def test_all_faults_at_once() -> None:
    with pytest.raises(GrammarError) as caught:
        read_category({"name": "X", "length": 9}, "mine.toml")

    assert str(caught.value).splitlines() == [
        "mine.toml 'X': length is 9: give 1, 2 or 3",
        "mine.toml 'X': words is missing or empty: list at least one word",
    ]


def test_names_must_differ() -> None:
    assert unique_names(BASIC) == BASIC
    for name in ("object", "ALL"):
        with pytest.raises(GrammarError, match="taken"):
            unique_names([*BASIC, Category(name, 1)])
