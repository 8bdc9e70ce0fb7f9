"""A document tokenised in blocks, wherever it is cut, as in one piece."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spicepy.tokenization.ptb import Following, tokenize

PIECES = (
    *("a", "K", "K.", "U.S.", "Inc.", "Mr.", "no.", "A dog", "The", "The ", "It", "7"),
    *("", " ", "\t", "\u00a0", "\u2003", "\n", "\x85", ".", ",", "'", "'s", "n't", '"'),
    *("<", ">", "<b>", "<a t=", '<a t="', "<a t='", '">', "'>", '" u="', "<!--", "/>"),
    *("etc.", "Pt", "Corp.", "Ltd", "fig.", "3.5", "😀", "Mr", "x.y", "<a b c='"),
)
captions = st.lists(
    st.lists(st.sampled_from(PIECES), max_size=4).map("".join)
    | st.lists(st.sampled_from(PIECES), max_size=4).map(" ".join),
    min_size=1,
    max_size=12,
)


def in_blocks(document: list[str], size: int, fed: int = 1) -> list[str]:
    found = []
    for start in range(0, len(document), size):
        block, rest = document[start : start + size], document[start + size :]
        following = Following(block)
        for at in range(0, len(rest), fed):
            following.add(rest[at : at + fed])
        found += tokenize(block, punctuation=True, following=following.text)
    return found


@given(captions, st.integers(1, 4), st.integers(1, 3))
def test_cut_anywhere(document: list[str], size: int, fed: int) -> None:
    assert in_blocks(document, size, fed) == tokenize(document, punctuation=True)


@pytest.mark.parametrize(
    "document",
    [
        ["the letter K.", "A dog"],
        ["the letter K.", "The dog"],
        ["the letter K.", "", " ", "", "", "The", "dog"],
        ["the letter K.", "The"],
        ["made by Inc.", '<a title="', "still", "open", '">', "x"],
        ["made by Inc.", '<a title="', "still", "open", "<b>"],
        ["made by Inc.", "<a title='", '"', "' u=\"", "'", '"  >', "The"],
        ["in the U.S.", "<b>", "The"],
        ["see fig.", "7 dogs"],
        ["it's", "'s"],
        ["Inc. <a b c='", "a", "'>"],
        ["K. <a b c='", "<a t='>", ""],
    ],
)
def test_the_rules_that_look_ahead(document: list[str]) -> None:
    for size in (1, 2, 3):
        assert in_blocks(document, size) == tokenize(document, punctuation=True)


def test_two_captions_are_enough() -> None:
    following = Following(["A bus."])

    following.add(["The dog", "A cat", "A bird"])

    assert following.decided
    assert following.text == "The dog\n"


def test_nothing_is_kept_between_quotes() -> None:
    following = Following(["by Inc."])

    following.add(['<a title="', *["long text"] * 1000, 'end">', "The"])

    assert following.decided
    assert len(following.text or "") < 40
