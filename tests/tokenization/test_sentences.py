"""Splitting captions into sentences."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spicepy.grammar.loading import load_grammar
from spicepy.tokenization.ptb import tokenize
from spicepy.tokenization.sentences import split_sentences


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("A man rides a horse. He waves!", ["a man rides a horse", "he waves"]),
        ("Is it a cat? No; a dog.", ["is it a cat", "no", "a dog"]),
        ("Dr. Lee holds a 2.5 kg fish.", ["dr. lee holds a 2.5 kg fish"]),
        ("It is on the right.The moon shines.", None),
        ('She says "stop." Then she runs.', ["she says stop", "then she runs"]),
        ("A red car\n\nA blue bus", ["a red car", "a blue bus"]),
        ("a red car\nbeside a bus", ["a red car beside a bus"]),
        ("A dog ... a cat", ["a dog a cat"]),
        ("A dog (with a cat.) sits.", ["a dog -lrb- with a cat", "-rrb- sits"]),
        ("a dog", ["a dog"]),
        ("... !", [""]),
        ("", [""]),
    ],
)
def test_sentences(text: str, sentences: list[str] | None) -> None:
    expected = sentences or ["it is on the right", "the moon shines"]

    assert split_sentences(text) == expected


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("eggs, bacon and toast", "eggs and bacon and toast"),
        ("A dog runs, jumps and barks.", "a dog runs and jumps and barks"),
        ("a bed, a lamp, and a desk", "a bed and a lamp and a desk"),
        (
            "cars, two red buses, a van or a bike",
            "cars and two red buses and a van or a bike",
        ),
        ("a tall, thin man", "a tall , thin man"),
        ("In a park, dogs and cats play", "in a park , dogs and cats play"),
        ("a man, smiling and waving", "a man , smiling and waving"),
        (
            "people walking, talking and laughing",
            "people walking and talking and laughing",
        ),
        ("a man, tall and thin, walks", "a man , tall and thin , walks"),
        ("a boy, who sings and dances", "a boy , who sings and dances"),
        (", a and b", "a and b"),
        ("a,", "a"),
        ("a, b", "a , b"),
        ("a bed, a lamp, and a desk, too", "a bed and a lamp and a desk , too"),
        ("a man -- in a suit -- walks", "a man , in a suit , walks"),
        (", ,a dog,, ,", "a dog"),
    ],
)
def test_commas_of_a_series_say_and(text: str, words: str) -> None:
    no_items = load_grammar("spicepy-1").lists["no-items"]

    assert split_sentences(text, no_items) == [words]


def test_without_the_list_commas_are_left_out() -> None:
    assert split_sentences("eggs, bacon and toast") == ["eggs bacon and toast"]


def test_ten_thousand_commas_take_no_time() -> None:
    found = split_sentences(", ".join(["a dog"] * 10_000) + " and a cat", [])

    assert found[0].count(" and ") == 10_000


def test_one_sentence_is_tokenised_as_ever() -> None:
    caption = "A woman's dog, 3 cats & one bird (asleep) in the U.S."

    assert split_sentences(caption) == tokenize([caption])


@given(st.text(max_size=80))
def test_any_text_gives_sentences(text: str) -> None:
    found = split_sentences(text)

    assert found
    assert found == [""] or all(found)
