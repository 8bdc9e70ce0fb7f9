"""Two nouns: the same, more general or specific, related, siblings, or others."""

import pytest

from spicepy.diagnosis import load_lexicon

NOUNS = load_lexicon().nouns


@pytest.mark.parametrize(
    ("said", "meant", "expected"),
    [
        ("dog", "dog", "same"),
        ("bike", "bicycle", "same"),
        ("poodle", "dog", "more specific"),
        ("animal", "zebra", "more general"),
        ("puppy", "dog", "more specific"),
        ("thing", "kite", "more general"),
        ("man", "person", "more specific"),
        ("someone", "woman", "more general"),
        ("man", "surfer", "related"),
        ("road", "sidewalk", "related"),
        ("racket", "tennis racket", "more general"),
        ("toilet", "bathroom", "other"),
        ("yacht", "boat", "related"),
        ("dog", "cat", "sibling"),
        ("fork", "spoon", "sibling"),
        ("dog", "table", "other"),
        ("man", "dog", "other"),
    ],
)
def test_grades(said: str, meant: str, expected: str) -> None:
    assert NOUNS.grade(said, meant) == expected


def test_people_are_no_animals() -> None:
    assert NOUNS.is_person("goalkeeper")
    assert NOUNS.is_person("young lady")
    assert NOUNS.is_person("crowd")
    assert not NOUNS.is_person("mannequin")
    assert not NOUNS.is_person("horse")


@pytest.mark.parametrize("noun", ["hotdog", "trailer", "taco", "tiger", "washer"])
def test_captions_mean_no_people_by_words_for_things(noun: str) -> None:
    assert not NOUNS.is_person(noun)


def test_animals_whose_first_sense_is_a_person_are_living() -> None:
    assert NOUNS.is_living("tiger")
    assert not NOUNS.is_living("head")


def test_body_parts() -> None:
    assert NOUNS.is_body_part("hand")
    assert not NOUNS.is_body_part("glove")


def test_made_up_names_have_things_inside() -> None:
    assert NOUNS.modifiers("carrot car") == ("carrot",)
    assert NOUNS.modifiers("ice cream") == ()


def test_what_a_thing_is_made_for_is_not_inside() -> None:
    assert NOUNS.modifiers("horse trailer") == ()
