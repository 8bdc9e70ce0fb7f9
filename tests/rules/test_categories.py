"""Categories: their definition and what is wrong with bad ones."""

import hashlib
import tomllib
from pathlib import Path

import pytest

from spicepy.common.errors import GrammarError, InputError, SpicepyWarning
from spicepy.common.resources import folder
from spicepy.metrics.spice import Spice
from spicepy.rules.loading import load_grammar
from spicepy.rules.tuples import (
    BASIC,
    Category,
    categories_digest,
    read_categories,
    read_category,
    unique_names,
)

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
        ({"name": None}, "name is missing"),
        ({"length": 4}, "length is 4: give 1, 2 or 3"),
        ({"length": True}, "length is true"),
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


def test_shipped_categories() -> None:
    found = {c.name: c for c in read_categories("extended")}
    tables = tomllib.loads((folder() / "categories" / "extended.toml").read_text())

    assert {"Material", "Age", "Gender", "Spatial", "Action", "Body"} <= set(found)
    assert found["Color-any"].has(("gray", "grey"))
    assert found["Cardinality-any"].has(("11",))
    assert found["Size-any"].has(("big", "large"))
    assert found["Spatial"].has(("next to",))
    assert not found["Age"].has(("red",))
    for table in tables["category"]:
        assert table["source"].strip()
        assert table["why"].strip()
        assert len(set(table["words"])) == len(table["words"]), table["name"]
    unique_names([*BASIC, *found.values()])


def test_corrected_categories_keep_the_published_words() -> None:
    published = {c.name: c for c in load_grammar("spice-1.0").categories}
    further = {c.name: c for c in read_categories("extended")}

    for name, category in published.items():
        assert category.words is not None
        assert category.words <= (further[f"{name}-any"].words or frozenset())
        assert (category.match, further[f"{name}-any"].match) == ("printed", "any")


def test_categories_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('[[category]]\nname = "Pet"\nlength = 1\nwords = ["cat", "dog"]\n')

    assert read_categories(path) == [Category("Pet", 1, frozenset({"cat", "dog"}))]
    assert read_categories(str(path)) == read_categories(path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[[category]\n", "mine.toml: not valid TOML"),
        ("x = " + "[" * 99_999, "mine.toml: not valid TOML"),
        ("x = " + "1" * 5000, "mine.toml: not valid TOML"),
        ("", r"mine.toml: no \[\[category\]\] tables"),
        ('[category]\nname = "x"\n', r"no \[\[category\]\] tables"),
        ('[[categroy]]\nname = "x"\n', r"unknown key categroy; did you mean"),
        ('[[category]]\nname = "X"\nlength = 2\n', "mine.toml: category 'X': words is"),
    ],
)
def test_wrong_files(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(text)

    with pytest.raises((GrammarError, InputError), match=message):
        read_categories(path)


def test_all_wrong_categories_at_once(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('[[category]]\nname = "X"\n[[category]]\nname = "Y"\n')

    with pytest.raises(GrammarError) as caught:
        read_categories(path)

    assert len(str(caught.value).splitlines()) == 4


def test_a_name_that_is_taken_is_given_with_its_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('[[category]]\nname = "Color"\nlength = 2\nwords = ["red"]\n')

    with pytest.raises(GrammarError, match=r"mine\.toml: category 'Color': the"):
        Spice(categories=read_categories(path))


def test_plurals_are_warned_of(tmp_path: Path) -> None:
    """Graphs have lemmas; what has no singular, as glasses, is one."""
    path, words = tmp_path / "mine.toml", ["cats", "dog", "feet", "glasses", "bus"]
    path.write_text(f'[[category]]\nname = "X"\nlength = 1\nwords = {words}\n')

    with pytest.warns(SpicepyWarning) as caught:
        read_categories(path)

    assert [str(each.message).rpartition("; ")[2] for each in caught] == [
        "write 'cat'",
        "write 'foot'",
    ]


def test_unknown_name_is_answered_with_the_nearest() -> None:
    with pytest.raises(InputError, match=r"'extendd': .*did you mean 'extended'\?"):
        read_categories("extendd")


def test_digest_changes_with_every_part() -> None:
    base = Category("A", 1, frozenset({"x", "y"}))
    others = [
        Category("B", 1, frozenset({"x", "y"})),
        Category("A", 2, frozenset({"x", "y"})),
        Category("A", 1, frozenset({"x"})),
        Category("A", 1, frozenset({"x", "y"}), "any"),
        Category("A", 1, frozenset({"x", "y"}), digits=True),
    ]

    assert len({categories_digest([c]) for c in (base, *others)}) == 6
    assert categories_digest([base]) == categories_digest(
        [Category("A", 1, frozenset({"y", "x"}))]
    )
    assert categories_digest([base, others[0]]) == categories_digest([others[0], base])


def test_digest_is_that_of_the_form_written_out() -> None:
    form = (
        'spicepy-categories-1\n[{"digits":false,"length":1,"match":"printed",'
        '"name":"A","words":["x","y"]}]'
    )
    expected = hashlib.sha256(form.encode()).hexdigest()[:8]

    assert categories_digest([Category("A", 1, frozenset({"x", "y"}))]) == expected


def test_signature_names_further_categories() -> None:
    plain = Spice().signature()
    further = Spice(categories=read_categories("extended")).signature()

    assert "categories" not in plain
    assert further["categories"] == categories_digest(read_categories("extended"))
