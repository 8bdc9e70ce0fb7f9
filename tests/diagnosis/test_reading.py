"""Readings: the things of a caption, how many there are and what they are like."""

import pytest

from spicepy.diagnosis import Analysis, Scene
from spicepy.objects.amounts import Amount, sums, total

ONE = Amount(1, 1, "one")
TWO = Amount(2, 2, "number")


@pytest.fixture(scope="module")
def analysis() -> Analysis:
    """The analysis with the shipped lexicon."""
    return Analysis()


def things(caption: str, analysis: Analysis) -> dict[str, tuple[int, int | None]]:
    """Noun → from how many to how many."""
    found = analysis.reader.read([caption])[caption]
    known = ((thing.name, thing.amount) for thing in found.things)
    return {name: (a.low, a.high) for name, a in known if a is not None}


@pytest.mark.parametrize(
    ("caption", "expected"),
    [
        ("two dogs run", {"dog": (2, 2)}),
        ("two dogs next to each other", {"dog": (2, 2)}),
        ("two zebra next to each other", {"zebra": (2, 2)}),
        ("a row of two story houses", {"house": (3, None)}),
        ("a dog runs", {"dog": (1, 1)}),
        ("dogs run", {"dog": (2, None)}),
        ("a desk with a lot of food", {"desk": (1, 1)}),
        ("a lot of dogs run", {"dog": (4, None)}),
        ("a parking lot of a store", {"parking lot": (1, 1), "store": (1, 1)}),
        ("four slices of pizza on a table", {"table": (1, 1)}),
        ("two pieces of luggage", {"luggage": (2, 2)}),
        ("a couple of dogs run", {"dog": (2, 2)}),
        ("a group of dogs run", {"dog": (3, None)}),
        ("several dogs run", {"dog": (3, None)}),
        ("a pair of scissors", {}),
        ("747 airplane on a runway", {"runway": (1, 1)}),
        ("a couple stands on a beach", {"couple": (2, 2), "beach": (1, 1)}),
        ("a tall stack of luggage", {"luggage": (3, None)}),
        ("two beds with a cat on each", {"bed": (2, 2), "cat": (2, 2)}),
        ("two boys run, each holding a kite", {"boy": (2, 2), "kite": (2, 2)}),
        (
            "The image shows two boys on a lawn, each holding a kite.",
            {"boy": (2, 2), "kite": (2, 2), "lawn": (1, 1)},
        ),
        ("the woman are running", {}),
        ("two boys riding horses", {"boy": (2, 2), "horse": (2, None)}),
        # Those that were counted are not counted again.
        ("Three dogs run. The dogs are wet.", {"dog": (3, 3)}),
        ("Three dogs run. The other dogs sleep.", {"dog": (2, None)}),
    ],
)
def test_amounts(
    caption: str, expected: dict[str, tuple[int, int | None]], analysis: Analysis
) -> None:
    assert things(caption, analysis) == expected


@pytest.mark.parametrize(
    ("caption", "name"),
    [
        ("A hot dog is on a plate. The dog has mustard.", "hot dog"),
        ("A teddy bear sits on a bed. A child hugs the bear.", "teddy bear"),
        ("This is a living room with chairs. The room is bright.", "living room"),
        ("A man holds a cell phone. The phone is red.", "cellphone"),
    ],
)
def test_a_later_sentence_does_not_shorten_a_name(
    caption: str, name: str, analysis: Analysis
) -> None:
    found = analysis.reader.read([caption])[caption]
    own = [thing for thing in found.things if thing.name == name]

    assert len(own) == 2
    assert found.total(own) == ONE


def test_amounts_add_up() -> None:
    assert total([TWO, ONE]) == Amount(3, 3, "number")
    assert {a.low for a in sums([TWO, ONE])} == {1, 2, 3}
    assert Amount(2, None, "plural").meets(TWO)
    assert not Amount(3, None, "quantity").meets(TWO)


def claimed(caption: str, analysis: Analysis) -> set[str]:
    """The things that a caption claims to see."""
    found = analysis.reader.read([caption])[caption]
    return {thing.name for thing in found.things if found.claims(thing)}


@pytest.mark.parametrize(
    ("caption", "expected"),
    [
        ("a cat on a house or a coffee shop", {"cat"}),
        # Only what stands next to "or" is left open.
        ("a dog on a table, running or playing with a ball", {"dog", "table", "ball"}),
        ("a dog on a blue or green table", {"dog", "table"}),
        ("a dog on a cement or asphalt road", {"dog", "road"}),
        ("a street with no cars or people", {"street"}),
        # Forms that graphs of descriptions have leave nothing out here.
        (
            "A window has a frame. A dog looks at an object.",
            {"window", "frame", "dog", "object"},
        ),
        # A pronoun takes up what was only supposed.
        ("The girl might be cold. She holds a dog.", {"girl", "dog"}),
        ("The girl might be cold. A dog barks.", {"dog"}),
        # What "the image shows" is not a supposition.
        ("The man may leave, as the image shows a bag. A dog barks.", {"bag", "dog"}),
        (
            "The image captures a cat. It has toys, such as a ball.",
            {"cat", "toy", "ball"},
        ),
        ("The man may leave, as a bag lies there. A dog barks.", {"dog"}),
    ],
)
def test_claims(caption: str, expected: set[str], analysis: Analysis) -> None:
    assert claimed(caption, analysis) == expected


def kinds(analysis: Analysis, candidate: str, *references: str) -> list[str]:
    """The kinds of findings."""
    readings = analysis.reader.read([candidate, *references])
    scene = Scene(1, readings[candidate], tuple(readings[r] for r in references))
    return [finding.kind for finding in analysis.diagnose(scene).findings]


def test_implied_numbers_are_numbers(analysis: Analysis) -> None:
    two = ("two dogs run", "two dogs are running")

    assert kinds(analysis, "a dog runs", *two) == ["wrong count"]
    assert kinds(analysis, "dogs run", *two) == ["missed count"]
    assert "wrong count" in kinds(analysis, "a group of dogs run", *two)


def test_groups_add_up(analysis: Analysis) -> None:
    parts = ("two men and a woman dance", "two men dance with a woman")

    assert kinds(analysis, "three people dance", *parts) == []
    assert kinds(analysis, "four people dance", *parts) == ["wrong count"]


def test_gender_by_noun_and_pronoun(analysis: Analysis) -> None:
    women = ("a woman is riding a horse", "a person is riding her horse")

    assert kinds(analysis, "a man is riding a horse", *women) == ["wrong gender"]
    assert kinds(analysis, "a person is riding a horse", *women) == []


def test_a_pronoun_tells_no_age(analysis: Analysis) -> None:
    caption = "he holds a donut"
    [person, _] = analysis.reader.read([caption])[caption].things

    assert (person.gender, person.age) == ("male", None)


def test_a_woman_in_black_wears_black_clothes(analysis: Analysis) -> None:
    found = kinds(analysis, "a woman in a red dress", "a woman in black is dancing")

    assert "wrong color" in found


@pytest.mark.parametrize(
    ("caption", "names"),
    [
        ("two men watch a martial arts match", {"man", "martial arts match"}),
        ("two boys use others computer", {"boy", "computer"}),
        ("a man wears sunglasses", {"man", "sunglasses"}),
        ("a man wears sun glasses", {"man", "sunglasses"}),
        ("a tall green forking tree", {"tree"}),
        ("a girl drives a sports car", {"girl", "sports car"}),
        ("a unk dog near a UNK", {"dog"}),
        ("a man with a <unk> near a dog", {"man", "dog"}),
    ],
)
def test_names_are_dictionary_words(
    caption: str, names: set[str], analysis: Analysis
) -> None:
    reading = analysis.reader.read([caption])[caption]

    assert {thing.name for thing in reading.things} == names


def test_participles_before_nouns_are_verbs(analysis: Analysis) -> None:
    for caption in ("a large forking tree", "two forking roads", "a forking trail"):
        [thing] = analysis.reader.read([caption])[caption].things

        assert "fork" in thing.attributes


def test_a_word_that_names_a_thing_is_no_verb(analysis: Analysis) -> None:
    caption = "a man in a suit and tie on a skateboard"
    reading = analysis.reader.read([caption])[caption]

    assert "tie" in [thing.name for thing in reading.things]
    assert not reading.verbs


def test_placeholders_are_no_objects(analysis: Analysis) -> None:
    candidate = "a woman stands in front of a unk store"
    references = ("a woman stands in front of a shop", "a woman in front of a store")
    for text in (candidate, "a woman stands near a UNK in front of a store"):
        readings = analysis.reader.read([text, *references])
        scene = Scene(1, readings[text], tuple(readings[r] for r in references))
        image = analysis.diagnose(scene)

        assert not any("unk" in " ".join(f.members) for f in image.findings)
        assert image.mentions == 2


def test_what_a_thing_is_made_of_is_its_material(analysis: Analysis) -> None:
    metal = ["a metal bench", "a bench made of metal", "a bench is made of metal"]
    assert kinds(analysis, "a bench made of wood", *metal) == ["wrong material"]
    assert kinds(analysis, "a bench made of metal", *metal) == []


def test_quoted_words_are_not_claimed(analysis: Analysis) -> None:
    caption = 'a sign with "Women" on a wall'
    reading = analysis.reader.read([caption])[caption]

    assert [reading.words[place - 1] for place in reading.unclaimed] == ["women"]


def test_what_a_sign_reads_is_not_claimed(analysis: Analysis) -> None:
    caption = 'a sign that reads "Women" on a wall'
    reading = analysis.reader.read([caption])[caption]

    assert "women" not in reading.words
    assert [thing.name for thing in reading.things] == ["sign", "wall"]


def test_a_caption_that_is_a_quotation_is_claimed(analysis: Analysis) -> None:
    caption = '"a dog on a mat"'

    assert not analysis.reader.read([caption])[caption].unclaimed


def test_the_baby_of_an_animal_is_no_child(analysis: Analysis) -> None:
    caption = "a mother zebra and her baby"
    things_ = analysis.reader.read([caption])[caption].things

    assert [(thing.name, thing.age) for thing in things_] == [("zebra", None)] * 2


def test_a_stuffed_bear_is_a_toy(analysis: Analysis) -> None:
    caption = "a stuffed bear on a bed"
    [bear, _] = analysis.reader.read([caption])[caption].things

    assert bear.name == "toy"


def test_a_baby_beside_a_dog_is_a_child(analysis: Analysis) -> None:
    caption = "a baby and a dog"

    assert analysis.reader.read([caption])[caption].things[0].age == "child"
