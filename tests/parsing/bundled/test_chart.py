"""The best of each key, as a dictionary would have it."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from spicepy.parsing.bundled.chart import SCORES, best

SCORED = st.tuples(st.integers(0, 2**25), st.integers(-9, 9) | st.integers(-SCORES, 9))


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(-2, 2)) | SCORED))
def test_the_first_of_the_best_scores_of_each_key_is_found(
    rows: list[tuple[int, int]],
) -> None:
    keys = np.array([key for key, _ in rows], np.intp)
    scores = np.array([score for _, score in rows], np.int32)

    found = best(keys, scores).tolist()

    first: dict[int, int] = {}
    for place, (key, score) in enumerate(rows):
        if key not in first or score > rows[first[key]][1]:
            first[key] = place
    assert found == [first[key] for key in sorted(first)]
