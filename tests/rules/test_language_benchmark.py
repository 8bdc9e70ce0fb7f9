"""How benchmarks/accuracy/language.py judges a sentence."""

import pytest

from benchmarks.accuracy.language import Sentence, check
from spicepy.pipeline import Pipeline


@pytest.mark.parametrize(
    ("caption", "unwanted"),
    [
        ("A cat sleeps, its eyes closed.", ("eye", "closed")),
        ("A man in a shirt.", ("man", "in", "shirt")),
        ("A street is lined with trees.", ("street", "line with", "tree")),
    ],
)
def test_unwanted_tuple_counts_however_it_is_printed(
    caption: str, unwanted: tuple[str, ...]
) -> None:
    sentence = Sentence("kind", caption, (), (unwanted,))
    other = Sentence("kind", caption, (), (("dog", "closed"),))
    assert check([sentence, other], Pipeline(grammar="spicepy-1")) == [False, True]
