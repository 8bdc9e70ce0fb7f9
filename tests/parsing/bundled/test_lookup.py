"""Numbers are found in a hash table as in a dictionary."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spicepy.parsing.bundled.weights import Lookup, scattered

NUMBERS = st.integers(1, 50) | st.integers(1, 2**31)


@given(st.dictionaries(NUMBERS, st.integers(0, 1000)), st.lists(NUMBERS))
def test_what_is_found_is_what_a_dictionary_has(
    known: dict[int, int], asked: list[int]
) -> None:
    table = Lookup(np.array([*known], np.intp), np.array([*known.values()], np.intp))
    asked = [*asked, *known]

    places, values = table.find(scattered(np.array(asked, np.intp)))

    assert [asked[n] for n in places] == [key for key in asked if key in known]
    assert values.tolist() == [known[key] for key in asked if key in known]


@given(st.integers(0, 2**31), st.integers(0, 2**31))
def test_a_sum_may_be_scattered_before_it_is_added_up(one: int, other: int) -> None:
    parts = scattered(np.array([one], np.intp)) + scattered(np.array([other], np.intp))

    assert parts == scattered(np.array([one + other], np.intp))


def test_keys_are_not_too_large() -> None:
    with pytest.raises(ValueError, match="4294967296"):
        Lookup(np.array([1, 2**32]), np.array([0, 0]))
