"""The noun hierarchy: hypernyms with their distance, and its table's form."""

from spicepy.words.wordnet import load_hierarchy
from training.words.wordnet import hypernym_table


def test_above_a_synset_with_distances() -> None:
    hierarchy = load_hierarchy()
    [dog, *_], [canine, *_] = hierarchy.synsets("dog"), hierarchy.synsets("canid")
    [entity] = hierarchy.synsets("entity")

    assert hierarchy.above(dog)[dog] == 0
    assert hierarchy.above(dog)[canine] == 1
    assert hierarchy.above(dog)[entity] == hierarchy.depth(dog) == 13 - 5
    assert hierarchy.hypernyms(entity) == []


def test_names_of_several_words() -> None:
    hierarchy = load_hierarchy()

    assert hierarchy.synsets("tennis racket")
    assert hierarchy.synsets("carrot car") == ()


def test_table_has_relative_lines() -> None:
    """Offsets may have moved: only their order counts."""
    lines = [
        "  1 licence",
        "00000010 03 n 01 entity 0 000 | what is",
        "00000030 03 n 02 dog 0 hound 0 002 @ 00000020 n 0000 ~ 00000040 n 0000 | x",
        "00000020 03 n 01 animal 0 001 @ 00000010 n 0000 | lives",
        "00000040 03 n 01 rex 0 002 @i 00000030 n 0000 @ 00000010 n 0000 | a dog",
    ]

    assert hypernym_table(lines) == b"\n-1\n-1\n-1 -3\n"
