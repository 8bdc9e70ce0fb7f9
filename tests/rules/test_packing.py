"""Packed tuples and trees: all fields come back."""

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spicepy.parsing.trees import Parse
from spicepy.pipeline import Pipeline
from spicepy.rules.tuples import (
    Packed,
    SemanticTuple,
    pack,
    pack_tree,
    packable,
    unpack_tree,
)

CAPTION = "Two dogs are near a stop sign, and a man's hat is bright red."

words = st.text(st.characters(exclude_characters="\x1d\x1e\x1f"), max_size=8)
several = st.lists(words, max_size=3).map(tuple)
tuples = st.builds(
    SemanticTuple,
    st.lists(words, min_size=1, max_size=3).map(tuple),
    rule=words,
    tokens=st.lists(st.integers(0, 2_000), max_size=3).map(tuple),
    written=several,
    same=several,
    heads=several,
)


def fields(proposals) -> list[tuple[object, ...]]:
    """All fields, of which `==` compares only the members."""
    return [
        (t.members, t.rule, t.tokens, t.written, t.same, t.heads) for t in proposals
    ]


@given(st.lists(tuples, max_size=4))
def test_every_field_of_tuples_comes_back(proposals: list[SemanticTuple]) -> None:
    found = Packed(pack(proposals))

    assert fields(found) == fields(proposals)
    assert len(found) == len(proposals)
    assert pack(found) == pack(proposals)


@pytest.mark.parametrize("grammar", ["spice-1.0", "spicepy-1"])
def test_captions(grammar: str) -> None:
    pipeline = Pipeline(grammar=grammar)
    text = pipeline.text(CAPTION)
    [(trees, proposals)] = pipeline.read([text])

    assert fields(Packed(pack(proposals))) == fields(proposals)
    for tree, line in zip(trees, text.split("\n"), strict=True):
        assert unpack_tree(pack_tree(tree), line) == tree


def test_a_packed_caption_is_a_sequence() -> None:
    proposals = [SemanticTuple(("dog",)), SemanticTuple(("dog", "two"), "number")]
    packed = Packed(pack(proposals))

    assert packed[1].rule == "number"
    assert packed[:1] == (proposals[0],)
    assert packed == proposals
    assert pickle.loads(pickle.dumps(packed)).text == packed.text
    assert list(Packed("")) == []


def test_an_empty_tree() -> None:
    empty = Parse((), (), (), (), ())

    assert unpack_tree(pack_tree(empty), "") == empty


def test_what_cannot_be_packed() -> None:
    assert packable("a dog – “runs” 🐕")
    assert not packable("a \x1e dog")
