"""Punctuation marks that are read as commas, and those that come back after parsing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spicepy.parsing.trees import (
    Annotations,
    drop_unread_marks,
    positions_read,
    with_punctuation,
)

WORDS = ["A", "man", "(", "tall", ")", ",", "``", "waves", "!"]
SENTENCES = st.lists(
    st.sampled_from(["man", "Red", "&", ",", "-lrb-", ".", "--", "'", "“"])
)


@pytest.mark.parametrize(
    ("commas", "read"),
    [(False, "a man tall waves"), (True, "a man , tall , , waves")],
)
def test_brackets_and_commas_are_read_as_commas(commas: bool, read: str) -> None:
    assert " ".join(drop_unread_marks(WORDS, positions_read(WORDS, commas))) == read


@pytest.mark.parametrize("commas", [False, True])
def test_a_sentence_of_marks_alone_has_one_root(commas: bool) -> None:
    words = [",", "!", "("]

    analysis = with_punctuation(words, positions_read(words, commas), Annotations())

    assert analysis.heads == (0, 1, 1)
    assert analysis.tags == (",", ".", "-LRB-")


def test_marks_that_were_read_keep_heads_and_tags_of_their_own() -> None:
    words = ["men", ",", "tall", "."]
    read = Annotations(("NN", "NN", "JJ"), (0, 3, 1), ("root", "dep", "amod"))

    analysis = with_punctuation(words, positions_read(words, True), read)

    assert analysis.tags == ("NN", ",", "JJ", ".")
    assert analysis.heads == (0, 3, 1, 1)
    assert analysis.labels == ("root", "punct", "amod", "punct")


@given(SENTENCES, st.booleans())
def test_every_word_has_one_place_and_there_is_one_root(
    words: list[str], commas: bool
) -> None:
    places = positions_read(words, commas)
    size = len(places)
    read = Annotations(
        ("NN",) * size,
        tuple(range(size)),
        tuple("dep" if at else "root" for at in range(size)),
    )

    analysis = with_punctuation(words, places, read)

    assert len(analysis.tags) == len(analysis.heads) == len(words)
    if words:
        assert analysis.heads.count(0) == analysis.labels.count("root") == 1
