"""Matches counted by masks are those counted by sorting all n-grams."""

from hypothesis import given
from hypothesis import strategies as st

from spicepy.metrics.ngrams.bleu import ORDERS, Bleu, _counted_matches, clipped_matches
from spicepy.metrics.ngrams.grams import encode
from spicepy.tokenization.samples import TokenisedSample

CAPTIONS = st.lists(st.sampled_from("abc"), max_size=64).map(" ".join)
IMAGES = st.lists(
    st.tuples(CAPTIONS, st.lists(CAPTIONS, min_size=1, max_size=4)),
    min_size=1,
    max_size=4,
)


@given(IMAGES)
def test_masks_count_as_sorting_does(images) -> None:
    samples = [TokenisedSample(i, c, tuple(r)) for i, (c, r) in enumerate(images)]
    table = encode(samples)

    found = clipped_matches(table, ORDERS)

    assert found is not None
    for n, own in zip(ORDERS, found):
        assert own.tolist() == _counted_matches(table, n).tolist()


def test_longer_candidates_than_masks_are_counted_by_sorting() -> None:
    long = TokenisedSample(1, "a b " * 40, ("a b a b", "b a"))

    assert clipped_matches(encode([long]), ORDERS) is None
    assert Bleu().count([long]).rows[0, :4].tolist() == [4, 3, 2, 1]
