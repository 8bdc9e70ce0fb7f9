"""Nouns beside numbers."""

from spicepy.common.errors import counted


def test_one_is_singular() -> None:
    assert counted(1, "image") == "1 image"
    assert counted(0, "image") == "0 images"
    assert counted(2_000, "row is", "rows are") == "2,000 rows are"
