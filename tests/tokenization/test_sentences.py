"""Splitting captions into sentences."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spicepy.tokenization.ptb import tokenize
from spicepy.tokenization.samples import split_sentences


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
        ("So: - **Dog**: It sits. **Sky:** Blue.", ["so", "it sits", "blue"]),
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
        ("eggs, bacon and toast", "eggs , bacon and toast"),
        ("A tall, thin man.", "a tall , thin man"),
        ("a man -- in a suit -- walks", "a man , in a suit , walks"),
        (", ,a dog,, ,", "a dog"),
        ("two drinks: a coffee and a juice", "two drinks , a coffee and a juice"),
        ("the girls' hats", "the girls 's hats"),
        ("a sign that says 'no dogs' hangs", "a sign that says no dogs hangs"),
        (",", ""),
    ],
)
def test_commas_between_words_may_stay(text: str, words: str) -> None:
    assert split_sentences(text, commas=True) == [words]


def test_commas_are_left_out() -> None:
    assert split_sentences("eggs, bacon -- and toast") == ["eggs bacon and toast"]


def test_one_sentence_is_tokenised_as_ever() -> None:
    caption = "A woman's dog, 3 cats & one bird (asleep) in the U.S."

    assert split_sentences(caption) == tokenize([caption])


@given(st.text(max_size=80))
def test_any_text_gives_sentences(text: str) -> None:
    found = split_sentences(text)

    assert found
    assert found == [""] or all(found)


def test_quoted_text_after_a_word_of_saying_is_left_out() -> None:
    caption = 'A sign says "no dogs" and a "big" dog.'
    kept = ["a sign says and a big dog"]
    assert split_sentences(caption, quoting={"says"}) == kept
    assert split_sentences(caption) == ["a sign says no dogs and a big dog"]
    unclosed = "A sign says ``no dogs on a lawn"
    assert split_sentences(unclosed, quoting={"says"}) == split_sentences(unclosed)
