"""How many objects captions name, and which they deny: one reader for every command."""

import json

import pytest
from paths import ROOT

from spicepy.diagnosis import Analysis
from spicepy.diagnosis.captions.items import items_of
from spicepy.objects.amounts import load_amount_words
from spicepy.objects.claims import ClaimReader
from spicepy.objects.readers import load_reader

LINES = (ROOT / "fixtures/amounts.jsonl").read_text(encoding="utf-8").splitlines()
SENTENCES = {record["caption"]: record["claims"] for record in map(json.loads, LINES)}


@pytest.fixture(scope="module")
def claims() -> dict[str, dict[str, list[int | None]]]:
    """Sentence → class → low and high."""
    read = ClaimReader(load_reader("clean")).read(list(SENTENCES))
    return {
        caption: {claim.name: [claim.low, claim.high] for claim in said}
        for caption, said in read.items()
    }


@pytest.mark.parametrize("caption", SENTENCES)
def test_classes_have_low_and_high_numbers(caption: str, claims) -> None:
    assert claims[caption] == SENTENCES[caption]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("two", (2, 2)),
        ("twenty-two", (22, 22)),
        ("a hundred and five", (105, 105)),
        ("2-3", (2, 3)),
        ("at least two", (2, None)),
        ("dog", None),
    ],
)
def test_numbers_alone(words: str, expected: tuple[int, int | None] | None) -> None:
    assert load_amount_words().numbers.number(words) == expected


@pytest.mark.parametrize(
    ("caption", "noun"),
    [
        ("two of the dogs are brown", "dog"),
        ("a dozen sheep graze", "sheep"),
        ("several people", "people"),
        ("a herd of elephants", "elephant"),
        ("a few cats", "cat"),
        ("many people", "people"),
        ("at least two cars", "car"),
        ("two to three cats", "cat"),
        ("two hundred birds", "bird"),
        ("dozens of sheep", "sheep"),
        ("more than two cars", "car"),
        ("two or three cats", "cat"),
        ("up to four dogs", "dog"),
        ("no more than two dogs", "dog"),
    ],
)
def test_counting_and_the_analysis_agree(caption: str, noun: str) -> None:
    [claim] = ClaimReader(load_reader("clean")).read([caption])[caption]
    things = Analysis().reader.read([caption])[caption].things
    [amount] = [thing.amount for thing in things if thing.name == noun]

    assert amount is not None
    assert (amount.low, amount.high) == (claim.low, claim.high)


@pytest.mark.parametrize(
    "caption",
    ["a toy horse", "a statue of a dog", "half of a pizza", "a woman's purse"],
)
def test_what_is_no_instance_has_no_amount(caption: str) -> None:
    things = Analysis().reader.read([caption])[caption].things
    nouns = ("horse", "dog", "pizza", "woman")

    assert all(thing.amount is None for thing in things if thing.name in nouns)


@pytest.mark.parametrize(
    ("caption", "denied"),
    [
        ("a man without a hat", {"hat"}),
        ("the road is empty of cars", {"car"}),
        ("neither dogs nor cats are there", {"dog", "cat"}),
        ("a room with no bed or couch", {"bed", "couch"}),
        ("nobody is on the bench", {"person"}),
        ("not only a dog", set()),
        ("no more than two dogs", set()),
    ],
)
def test_the_analysis_denies_the_same(caption: str, denied: set[str]) -> None:
    reading = Analysis().reader.read([caption])[caption]

    assert set(reading.denied) == denied
    assert denied.isdisjoint(thing.name for thing in reading.things)


@pytest.mark.parametrize(
    "caption",
    ["there seems to be a cat", "there could be a dog and a cat", "it may be a cat"],
)
def test_the_analysis_does_not_claim_what_is_only_possible(caption: str) -> None:
    reading = Analysis().reader.read([caption])[caption]
    assert not ClaimReader(load_reader("clean")).read([caption])[caption]
    assert {thing.place for thing in reading.things} <= reading.unclaimed


def test_further_things_without_a_noun_leave_the_number_open() -> None:
    caption = "two dogs run, and two more follow"
    first, *_ = Analysis().reader.read([caption])[caption].things
    assert first.amount is not None
    assert (first.amount.low, first.amount.high) == (2, None)


def test_people_who_are_counted_together_count_once_in_the_analysis() -> None:
    caption = "three people, a man and two women, cut a cake"
    analysis = Analysis()
    [reading] = analysis.reader.read([caption]).values()
    assert items_of(reading, analysis.lexicon).amounts["person"] == 3
