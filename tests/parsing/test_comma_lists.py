"""Lists whose first item was read as a part of a name."""

from spicepy.parsing.comma_lists import with_items
from spicepy.parsing.trees import Annotations


def read(sentence: str) -> tuple[list[str], Annotations]:
    """Words, and their tree, from word/head/label."""
    words, heads, labels = zip(*(x.split("/") for x in sentence.split()), strict=True)
    tags = ("NN",) * len(words)
    return list(words), Annotations(tags, tuple(map(int, heads)), labels)


def test_a_comma_parts_items_of_a_list() -> None:
    words, tree = read(
        "room/0/root with/6/case a/6/det toilet/6/compound ,/6/punct sink/1/nmod "
        "and/6/cc tub/6/conj"
    )

    parted = with_items(words, tree)

    assert parted.heads == (0, 4, 4, 1, 6, 4, 4, 4)
    assert parted.labels[3:] == ("nmod", "punct", "conj", "cc", "conj")


def test_a_name_of_two_words_is_the_first_item() -> None:
    words, tree = read(
        "tank/4/compound top/4/compound ,/4/punct tie/0/root and/4/cc hat/4/conj"
    )

    parted = with_items(words, tree)

    assert parted.heads == (2, 0, 4, 2, 2, 2)
    assert parted.labels[0] == "compound"


def test_an_adjective_read_as_a_noun_is_no_item() -> None:
    words, tree = read("silver/4/compound ,/4/punct metal/4/amod fridge/0/root")

    assert with_items(words, tree) == tree
