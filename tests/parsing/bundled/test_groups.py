"""Groups of sentences of one length, and batches of them."""

from collections.abc import Iterable

from hypothesis import given
from hypothesis import strategies as st

from spicepy.parsing.bundled.scores import Group, batches, by_length


@given(
    st.lists(st.integers(1, 12), max_size=40),
    st.integers(1, 30),
    st.booleans(),
    st.sampled_from([1.0, 1.5, 100.0]),
)
def test_packs_hold_every_sentence_once_and_are_as_large_as_allowed(
    lengths: list[int], largest: int, heavy: bool, longer: float
) -> None:
    sentences = [["word"] * length for length in lengths]

    found = list(
        batches(
            by_length(sentences),
            largest,
            (lambda length: length**2) if heavy else (lambda _: 1),
            longer,
        )
    )

    places = [n for batch in found for group in batch for n in group.places.tolist()]
    assert sorted(places) == list(range(len(sentences)))
    assert [lengths[n] for n in places] == sorted(lengths)
    for batch in found:
        own = [len(words) for group in batch for words in group.sentences]
        weight = sum(n**2 for n in own) if heavy else len(own)
        assert weight <= largest or len(own) == 1
        assert own[-1] <= longer * own[0]
        assert all(len(x) == g.length for g in batch for x in g.sentences)


def sizes(found: Iterable[list[Group]]) -> list[list[int]]:
    return [[len(group.places) for group in batch] for batch in found]


def test_a_pack_is_filled_up_with_longer_sentences() -> None:
    groups = by_length([["a"], ["a", "b"], ["a", "b"], ["c", "d"], ["c", "d"]])

    assert sizes(batches(groups, 3)) == [[1, 2], [2]]


def test_groups_of_one_length_are_put_together() -> None:
    groups = by_length([["a", "b"], ["c", "d"]])

    assert sizes(batches([*groups, *groups], 9)) == [[4]]
