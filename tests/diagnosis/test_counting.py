"""Can it count? One definition, for a captioner and for people."""

import json

import pytest

from spicepy.diagnosis import Analysis, Scene
from spicepy.diagnosis.counting import CountingSkill, CountingSummary, measure
from spicepy.diagnosis.findings import VERDICTS
from spicepy.diagnosis.results.diagnosing import diagnose, scenes
from spicepy.diagnosis.results.sums import confusion_map
from spicepy.evaluation.evaluation import evaluate
from spicepy.reporting.summary import bars_of


@pytest.fixture(scope="module")
def analysis() -> Analysis:
    return Analysis()


def counting(analysis: Analysis, *rows: tuple[str, list[str]]) -> CountingSkill:
    readings = analysis.reader.read(t for c, rs in rows for t in (c, *rs))
    images = [
        (n, analysis.items(Scene(n, readings[c], tuple(readings[r] for r in rs))))
        for n, (c, rs) in enumerate(rows, 1)
    ]
    return measure(images, analysis.lexicon)


THREE_DOGS = ["Three dogs run.", "Three dogs on a lawn.", "Three dogs play."]


@pytest.mark.parametrize(
    ("candidate", "given", "right", "named"),
    [
        ("Three dogs rest.", 1, 1, 0),
        ("Two dogs rest.", 1, 0, 0),
        ("A dog rests.", 1, 0, 0),
        ("Dogs rest.", 0, 0, 1),
        ("Three puppies rest.", 1, 1, 0),
        ("A lawn.", 0, 0, 0),
    ],
)
def test_what_people_count(analysis, candidate, given, right, named) -> None:
    own = counting(analysis, (candidate, THREE_DOGS)).own

    found = own.things, own.given, own.right, own.named
    assert found == pytest.approx((1, given, right, named))


def test_the_example_of_a_wrong_number_names_the_thing(analysis: Analysis) -> None:
    bowls = ["Two bowls of soup.", "Two bowls on a table.", "Two bowls with spoons."]

    assert counting(analysis, ("A bowl of soup.", bowls)).example is not None
    assert counting(analysis, ("A plate of soup.", bowls)).example is None


@pytest.mark.parametrize(
    ("candidate", "multiplied"),
    [
        ("A bench with a bench.", 0),  # repeats itself, and tells no number
        ("A red bench and a bench.", 1),
        ("Two benches.", 1),
        ("A bench.", 0),
    ],
)
def test_what_a_caption_only_repeats_is_not_counted(
    analysis: Analysis, candidate: str, multiplied: int
) -> None:
    references = ["A bench.", "A bench stands in a park.", "A wooden bench."]
    own = counting(analysis, (candidate, references)).own

    assert (own.singles, own.multiplied) == pytest.approx((1, multiplied))


def test_people_are_told_apart_by_what_they_do(analysis: Analysis) -> None:
    references = ["Two men play.", "Two men on a court.", "Two men run."]
    found = counting(
        analysis, ("A man throws a ball and a man catches it.", references)
    )

    assert found.own.right == pytest.approx(1)


def test_a_wrong_number_makes_no_thing_that_people_count(analysis) -> None:
    """A denominator that grows with a system's own errors is none."""
    references = ["A dog.", "A cat and a dog."]
    found = counting(analysis, ("Four cats and two dogs.", references))

    assert (found.own.things, found.own.given) == (0, 0)
    assert found.sentence.startswith("The references count nothing")


def test_sentences_count_the_same_things(analysis) -> None:
    candidate = "Two sheep stand in a field. Both sheep are eating grass."
    found = counting(analysis, (candidate, ["two sheep", "two sheep eat"]))

    assert (found.own.given, found.own.right) == (1, 1)


def test_two_for_a_single_thing_is_told_beside(analysis) -> None:
    """It is the commonest wrong number, and none of what people count."""
    rows = [("Two dogs run.", ["A dog runs.", "A dog on a lawn.", "One dog."])] * 20
    found = counting(analysis, *rows, ("Two dogs rest.", THREE_DOGS))

    assert (found.own.singles, found.own.multiplied) == pytest.approx((20, 20))
    assert found.people.multiplied == 0
    assert "Says two or more for 100 % of what is one (people 0 %)." in found.sentence
    assert found.table().rows[0][-1] == pytest.approx(1)


@pytest.mark.parametrize(
    ("given", "right", "expected"),
    [
        (105, 105, "counts about as often and as well as people"),
        (105, 101, "counts about as often and as well as people"),
        (105, 96, "counts about as often as people and a little less well than people"),
        (105, 60, "counts about as often as people and less well than people"),
        (105, 40, "counts about as often as people and poorly"),
        (60, 30, "counts less often and less well than people"),
        (20, 8, "counts rarely and poorly"),
        (0, 0, "does not count"),
    ],
)
def test_a_difference_from_people_is_significant(given, right, expected) -> None:
    people = CountingSummary(things=108, given=105, right=105)
    own = CountingSummary(things=108, given=given, right=right)

    assert CountingSkill(own, people).judgment == expected


@pytest.mark.parametrize(
    ("right", "expected"), [(0, "more often (55 %)"), (53, "as often (55 %)")]
)
def test_always_saying_two_is_right_as_often_or_more_often(right, expected) -> None:
    own = CountingSummary(things=100, given=100, right=right, twos=55)
    people = CountingSummary(things=100, given=100, right=100)

    told = f"always saying two would be right {expected}"
    assert told in CountingSkill(own, people).sentence


def test_one_reference_is_nothing_to_compare_with(analysis) -> None:
    found = counting(analysis, ("Two dogs rest.", ["Three dogs."]))

    assert found.sentence.startswith("Counts, but cannot be compared with people")


def test_references_are_measured_likewise(analysis) -> None:
    found = counting(analysis, ("Two dogs rest.", [*THREE_DOGS, "Dogs on a lawn."]))

    people = found.people
    assert (people.things, people.given, people.right) == pytest.approx((1, 0.75, 0.75))


def test_the_sentence_names_a_wrong_number(analysis) -> None:
    found = counting(analysis, ("Two dogs rest.", THREE_DOGS))

    assert found.sentence.endswith("Says 2 for 3 (dog), image 1.")
    assert "0 % of them right (people 100 %)" in found.sentence


def test_tables_figures_and_the_verdict_agree(analysis, fixtures) -> None:
    """One definition of what people count, wherever numbers are shown."""
    samples = json.loads((fixtures / "scenes.json").read_text(encoding="utf-8"))
    made = scenes(evaluate(samples[:200], "bleu"), analysis=analysis)
    found = diagnose(made, analysis=analysis)
    own, row = found.counting.own, found.summary("count")
    [bar] = next(c for c in bars_of({"a": found}).columns if c.title == "counts").bars
    drawn = confusion_map("count", found.of("count"))
    right = own.right / own.things

    assert 0 < right < 1
    assert row["observations"] == pytest.approx(own.things, abs=0.01)
    assert round(row["observations"]) == round(bar.total)
    for summary in (row, *found.by_object("count").values()):
        parts = sum(summary[verdict] for verdict in VERDICTS)
        assert parts == pytest.approx(summary["observations"], abs=0.02)
        share = summary["right"] / summary["observations"]
        assert summary["right_share"] == pytest.approx(share, abs=0.01)
    assert f"({own.things:.1f} in all)" in found.counting.table().notes[0]
    assert row["right_share"] == pytest.approx(right) == pytest.approx(bar.share)
    assert row["accuracy"] == pytest.approx(own.right_share)
    assert row["mean_absolute_error"] == pytest.approx(own.error / own.given)
    assert sum(map(drawn.objects, drawn.rows)) == pytest.approx(own.things)
    assert bar.mean_error == row["mean_absolute_error"]


def test_references_that_disagree_share_the_verdict(analysis) -> None:
    """Beside all but one reference, three is right in two of three comparisons."""
    references = ["Three dogs run.", "Two dogs on a lawn.", "Two dogs play."]
    readings = analysis.reader.read(["Three dogs rest.", *references])
    made = Scene(1, readings["Three dogs rest."], tuple(map(readings.get, references)))
    seen = [o for o in analysis.diagnose(made).observations if o.aspect == "count"]

    assert [(o.verdict, o.expected) for o in seen] == [("wrong", 2), ("right", 3)]
    assert [o.weight for o in seen] == pytest.approx([1 / 3, 2 / 3])


def test_without_numbers_it_does_not_count(analysis) -> None:
    found = counting(analysis, ("Dogs rest.", THREE_DOGS))

    assert found.sentence.startswith("Does not count: gives no number for the 1 thing")
    assert [row[0] for row in found.table().rows][:2] == ["this system", "people"]
