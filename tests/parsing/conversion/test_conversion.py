"""Trees of phrases to dependencies: worked examples, and what holds for any tree."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.parity.brackets import read_brackets, read_example, write_brackets
from spicepy.common.errors import InputError
from spicepy.parsing.conversion import (
    Choice,
    Node,
    dependencies,
    first_conjunct,
    read,
    read_choice,
)
from spicepy.parsing.conversion.trees import Linked, link

OUTSIDE = set(read("words")["lists"]["outside"].split())
PHRASES = [
    *("NP", "NP", "VP", "VP", "S", "PP", "SBAR", "ADVP", "ADJP", "NP-TMP", "QP"),
    *("SQ", "SBARQ", "SINV", "WHNP", "WHADVP", "FRAG", "PRN", "CONJP", "UCP"),
    *("X", "NX", "NML", "RRC", "INTJ", "PRT", "MWE", "XS", "NP-SBJ", "odd"),
]
TAGS = [
    *("NN", "NNS", "NNP", "DT", "IN", "JJ", "VBZ", "VBG", "VBN", "CC", "TO", "RB"),
    *("CD", "PRP", "PRP$", "WDT", "WP", "WRB", "EX", "POS", "FW", "UH", "MD"),
    *(",", ":", ".", "-LRB-", "-RRB-", "$", "``", "''", "NFP", "HYPH", "odd"),
]
WORDS = [
    *("dog", "is", "that", "and", "to", "as", "well", "not", "at", "least", "all"),
    *("there", "seems", "today", "either", "'s", ":-)", "June", "than", "but", "etc"),
]


@st.composite
def trees(draw, depth: int = 4) -> tuple[Node, list[str]]:
    """A tree with words, of labels that parsers give and of others."""
    words: list[str] = []

    def tag() -> Node:
        words.append(draw(st.sampled_from(WORDS)))
        return Node(draw(st.sampled_from(TAGS)), (), len(words) - 1)

    def phrase(depth: int) -> Node:
        below = draw(st.integers(1, 4))
        inner = [depth > 0 and draw(st.booleans()) for _ in range(below)]
        return Node(
            draw(st.sampled_from(PHRASES)),
            tuple(phrase(depth - 1) if each else tag() for each in inner),
        )

    return phrase(depth), words


@given(trees())
def test_every_word_has_a_head_or_dependents_or_is_outside(tree) -> None:
    root, words = tree
    tags = tags_of(root)

    heads, labels = dependencies(root, words)

    assert len(heads) == len(labels) == len(words)
    assert (heads, labels) == dependencies(root, words)
    for place, (head, label, tag) in enumerate(zip(heads, labels, tags, strict=True)):
        assert -1 <= head <= len(words)
        assert head != place + 1
        if tag in OUTSIDE:
            assert (head, label) == (-1, "_")
        else:
            # In odd trees the original links a word twice; a governor that is
            # linked to the rest through such a word alone has no head.
            assert head >= 0 or place + 1 in heads
            assert label not in ("prep", "rel")
        assert (head == 0) == (label == "root")
    assert heads.count(0) <= 1


@given(trees())
def test_brackets_are_read_as_written(tree) -> None:
    assert read_brackets(write_brackets(tree[0])) == tree[0]


def tags_of(node: Node) -> list[str]:
    """The tags of a tree."""
    if not node.children:
        return [node.label]
    return [tag for child in node.children for tag in tags_of(child)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "(NP (NP DT/a NN/man) (VP VBG/riding (NP DT/a NN/horse CC/and NN/dog"
            " NN/cart) (PP RB/right IN/in (NP (NP NN/front) (PP IN/of (NP PRP$/his"
            " NN/house))))))",
            "2 det 0 root 2 acl 8 det 8 compound 5 cc 5 conj 3 dobj 11 advmod 11 case"
            " 3 nmod 14 case 14 nmod:poss 11 nmod",
        ),
        ("NN/dog", "0 root"),
        ("(ROOT (NP NN/dog))", "0 root"),
        ("(S (NP NNS/dogs) (VP VBP/bark) ./.)", "2 nsubj 0 root -1 _"),
        ("(X :/-)", "-1 _"),
    ],
)
def test_a_tree_is_converted(text: str, expected: str) -> None:
    heads, labels = dependencies(*read_example(text))

    found = " ".join(f"{h} {label}" for h, label in zip(heads, labels, strict=True))
    assert found == expected


def test_given_tags_decide_about_marks() -> None:
    tree, words = read_example("(NP DT/a HYPH/- NN/dog)")

    assert dependencies(tree, words)[0] == [3, 3, 0]
    assert dependencies(tree, words, ["DT", ":", "NN"])[0] == [3, -1, 0]


def test_a_long_sentence_is_converted() -> None:
    text = "(NP (NP NN) (PP IN " * 150 + "(NP NN)" + "))" * 150

    heads, _ = dependencies(read_brackets(text), ["w"] * 301)

    assert heads[:4] == [0, 3, 1, 5]


@pytest.mark.parametrize("text", ["(NP NN", "NP)", "", "()", "(NP NN) (NP NN)", "(NP)"])
def test_brackets_that_do_not_match_are_refused(text: str) -> None:
    with pytest.raises(InputError):
        read_brackets(text)


@pytest.mark.parametrize(
    ("labels", "head", "expected"),
    [
        ("NP CC NP", 2, 0),
        ("NP , NP CC NP", 4, 0),
        ("NP , NP , CC NP", 5, 0),
        ("CC NP", 1, 1),
        ("DT CC UH NP", 3, 3),
        ("NP NP", 1, 1),
    ],
)
def test_the_head_is_the_first_conjunct(labels: str, head: int, expected: int) -> None:
    children = [Linked(label, []) for label in labels.split()]

    assert first_conjunct(children, head) == expected


@pytest.mark.parametrize(
    ("rule", "place"),
    [("first NP VP", 2), ("last VP NP", 1), ("last-of VP NP", 2), ("first X", None)],
)
def test_a_head_rule_chooses(rule: str, place: int | None) -> None:
    choice = read_choice(rule)

    assert isinstance(choice, Choice)
    assert choice.index(["VP", "VP", "NP"]) == place


def test_links_know_their_places() -> None:
    top = link(*read_example("(NP DT/The NN/dog)"))

    the, dog = top.children[0].children
    assert (the.text, the.form, dog.index) == ("the", "The", 1)
    assert dog.parent is top.children[0]
    assert repr(top) == "(ROOT (NP DT/The NN/dog))"
