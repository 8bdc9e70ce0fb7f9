"""Mentions and claims by our parser."""

import pytest

from spicepy.objects.claims import ClaimReader
from spicepy.objects.mentions import load_parsed_reader

READER = load_parsed_reader()


@pytest.mark.parametrize(
    ("caption", "expected"),
    [
        ("a bag of cat food", []),
        ("a hot dog and a dog", ["hot dog", "dog"]),
        ("a street with no dogs", []),
        ("there are no cars or trucks", []),
        ("The image does not show any people.", []),
        ("a room without a bed", []),
        ("a painting of a horse on the wall", []),
        ("a picture of a dog", ["dog"]),
        ("a kite shaped like a bird", ["kite"]),
        ("a toy horse and a horse statue", []),
        ("men on a bus with vases", ["person", "bus", "vase"]),
        ("an orange cat", ["cat"]),
        ("a man seated at a table", ["person", "dining table"]),
        ("a couple of giraffes by a desk", ["giraffe"]),
        ("a baby elephant", ["elephant"]),
        ("a ski lift by a bus stop", []),
        ("two glasses of wine", ["wine glass"]),
        ("", []),
    ],
)
def test_only_objects_that_are_there_are_named(caption: str, expected: list) -> None:
    [found] = READER.read([caption]).values()

    assert list(found.names) == expected


@pytest.mark.parametrize(
    ("caption", "expected"),
    [
        ("two dogs and a few people", [("dog", 2, "exact"), ("person", 2, "vague")]),
        (
            "three men on two red cars",
            [("person", 3, "subset"), ("car", 2, "modified")],
        ),
        ("a two-story building", []),
        ("a pair of scissors", []),
        ("two pieces of pizza", []),
        (
            "a pair of zebras and both giraffes",
            [("zebra", 2, "exact"), ("giraffe", 2, "exact")],
        ),
        ("a herd of ten cows", [("cow", 10, "exact")]),
        ("12 donuts", [("donut", 12, "exact")]),
        ("a dog", [("dog", 1, "singular")]),
        ("a single dog", [("dog", 1, "one")]),
        ("a large group of people", [("person", 7, "vague")]),
        ("Two people sit. Three more people stand.", [("person", 5, "exact")]),
    ],
)
def test_claims_say_how_many(caption: str, expected: list) -> None:
    [found] = ClaimReader(READER).read([caption]).values()

    assert [(c.name, c.number, c.claim_type) for c in found] == expected
