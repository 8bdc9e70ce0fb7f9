"""JSON with one item a line is what the standard library writes."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spicepy.common.fast_json import to_indented_json

PLAIN = st.none() | st.booleans() | st.integers() | st.floats() | st.text()
KEYS = st.text() | st.integers()


@settings(max_examples=25)
@given(
    st.recursive(
        PLAIN,
        lambda inner: (
            st.lists(inner) | st.dictionaries(KEYS, inner) | st.tuples(inner, inner)
        ),
    )
)
def test_text_is_that_of_the_standard_library(value):
    assert to_indented_json(value) == json.dumps(value, ensure_ascii=False, indent=1)


def test_what_is_no_json_is_refused():
    with pytest.raises(TypeError, match="set is not JSON serializable"):
        to_indented_json({"a": [{1}]})
