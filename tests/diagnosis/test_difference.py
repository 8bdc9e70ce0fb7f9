"""What a new version corrected and got wrong: from captions to numbers and a page."""

import pytest
from two_versions import NEW, OLD, REFERENCES

from spicepy.captions.sample import Sample
from spicepy.diagnosis import Diagnosis, Finding, ImageDiagnosis, diagnose, scenes
from spicepy.diagnosis.kinds import REMARKS
from spicepy.diagnosis.results.changes import question_of, sign_test
from spicepy.diagnosis.results.difference import Difference, compare_versions
from spicepy.diagnosis.results.listing import ReferenceComparison
from spicepy.evaluation.evaluation import unscored
from spicepy.reporting.changes import page, parts


def samples(captions: dict[int, str]) -> list[Sample]:
    return [Sample(i, caption, REFERENCES[i]) for i, caption in captions.items()]


@pytest.fixture(scope="module")
def found() -> Difference:
    versions = {"old": samples(OLD), "<b>new": samples(NEW)}
    return compare_versions(
        {n: (diagnose(scenes(unscored(s))), s) for n, s in versions.items()}
    )


def test_errors_are_corrected_replaced_and_new(found: Difference) -> None:
    changes = {(c.finding.image_id, c.finding.kind): c for c in found.changes}
    wrong = {b.name: b for b in found.errors["says wrong"]}

    assert changes[1, "wrong count"].change == "corrected"
    assert changes[2, "wrong color"].change == "new"
    assert changes[4, "wrong count"].change == "replaced"  # another wrong number
    assert changes[4, "wrong count"].replaced_by.members == ("bird", "5")
    count = wrong["wrong count"]
    assert (count.old, count.new) == (2, 1)
    assert count.numbers["corrected"] == count.numbers["replaced"] == 1
    whole = found.errors["says wrong"][0]
    assert whole.old == sum(b.old for b in found.errors["says wrong"][1:])
    assert {b.name for b in found.errors["remarks"]} <= set(REMARKS)


@pytest.mark.parametrize(
    ("old", "new", "change"),
    [
        ("a blue bus", "a red bus", "corrected"),
        ("a blue bus", "a bus", "dropped"),
        ("a blue bus", "a green bus", "replaced"),
        ("a blue bus", "the blue bus", "kept"),
        ("a bike", "a bus", "dropped"),
        ("a bike and a bus", "a bus", "dropped"),
        ("a bus", "a blue bus", "new"),
    ],
)
def test_what_became_of_a_wrong_statement(old: str, new: str, change: str) -> None:
    references = ("a red bus", "a red bus in a street", "one red bus")
    versions = {
        n: [Sample(1, text, references)] for n, text in (("a", old), ("b", new))
    }
    found = compare_versions(
        {n: (diagnose(scenes(unscored(s))), s) for n, s in versions.items()}
    )

    own = [c for c in found.changes if question_of(c.finding.kind) == "says wrong"]
    assert [c.change for c in own] == [change]


@pytest.mark.parametrize(
    ("new", "change"),
    [
        ("a man is standing in the rain", "corrected"),
        ("the man is walking in rain", "kept"),
        ("a man in the rain", "dropped"),
    ],
)
def test_what_became_of_a_wrong_activity(new: str, change: str) -> None:
    references = ("a man is standing in the rain", "a man stands in the rain") * 2
    captions = {"a": "a man is walking in the rain", "b": new}
    versions = {n: [Sample(1, text, references)] for n, text in captions.items()}
    found = compare_versions(
        {n: (diagnose(scenes(unscored(s))), s) for n, s in versions.items()}
    )

    assert [c.change for c in found.changes if c.finding.kind == "wrong activity"] == [
        change
    ]


@pytest.mark.parametrize(
    ("new", "change"),
    [("a cat in a garden", "kept"), ("a bear in a garden", "replaced")],
)
def test_what_became_of_a_confused_object(new: str, change: str) -> None:
    references = ("a dog in a garden", "the dog is in a garden") * 2
    captions = {"a": "a cat in the garden", "b": new}
    versions = {n: [Sample(1, text, references)] for n, text in captions.items()}
    found = compare_versions(
        {n: (diagnose(scenes(unscored(s))), s) for n, s in versions.items()}
    )

    [changed] = (c for c in found.changes if c.finding.kind == "confused object")
    assert changed.change == change


def test_a_confused_thing_may_be_replaced_by_an_invented_one() -> None:
    """A giraffe for a horse is too far from it to be a confusion."""
    references = ("a horse stands in a field", "a horse in a field") * 2
    captions = {"a": "a zebra stands in a field", "b": "a giraffe stands in a field"}
    versions = {n: [Sample(1, text, references)] for n, text in captions.items()}
    found = compare_versions(
        {n: (diagnose(scenes(unscored(s))), s) for n, s in versions.items()}
    )

    changes = {c.finding.members[0]: c.change for c in found.changes}
    assert changes == {"zebra": "replaced", "horse": "new"}


@pytest.mark.parametrize(
    ("new", "change"),
    [("a man in a garden", "kept"), ("a woman in a garden", "replaced")],
)
def test_what_became_of_an_invented_person(new: str, change: str) -> None:
    references = ("a tree in a garden", "the tree is in a garden") * 2
    captions = {"a": "a man and a tree in the garden", "b": f"{new} and a tree"}
    versions = {n: [Sample(1, text, references)] for n, text in captions.items()}
    found = compare_versions(
        {n: (diagnose(scenes(unscored(s))), s) for n, s in versions.items()}
    )

    [changed] = (c for c in found.changes if c.finding.kind == "invented object")
    assert changed.change == change


@pytest.mark.parametrize(
    ("new", "change"),
    [
        ("two plates on a table", "kept"),
        ("two white plates", "kept"),
        ("four plates on a table", "corrected"),
        ("some food on a table", "dropped"),
    ],
)
def test_what_became_of_a_wrong_count(new: str, change: str) -> None:
    references = ("four plates on a table", "four plates of food") * 2
    versions = {
        n: [Sample(1, text, references)]
        for n, text in (("a", "two plates on a table"), ("b", new))
    }
    found = compare_versions(
        {n: (diagnose(scenes(unscored(s))), s) for n, s in versions.items()}
    )

    own = [c.change for c in found.changes if c.finding.kind == "wrong count"]
    assert own == [change]


@pytest.mark.parametrize(
    ("new", "change"),
    [
        ("a red bus", "corrected"),
        ("a bus", "kept"),
        ("a street", "replaced"),  # by a missed object
        ("a green bus", "dropped"),  # and a wrong colour is new
    ],
)
def test_what_became_of_a_missed_color(new: str, change: str) -> None:
    """It is right only if the new version says the colour."""
    references = ("a red bus", "a red bus in a street", "one red bus")
    versions = {
        n: [Sample(1, text, references)] for n, text in (("a", "a bus"), ("b", new))
    }
    found = compare_versions(
        {n: (diagnose(scenes(unscored(s))), s) for n, s in versions.items()}
    )

    own = [c.change for c in found.changes if c.finding.kind == "missed color"]
    assert own == [change]


def test_an_error_that_is_hidden_in_one_version_is_kept() -> None:
    def image(probability: float) -> ImageDiagnosis:
        finding = Finding(1, "wrong count", ("dog", "3"), 2, 3, probability=probability)
        return ImageDiagnosis(1, {}, (), (finding,))

    both = {
        n: (Diagnosis((image(p),)), samples({1: n}))
        for n, p in (("a", 0.7), ("b", 0.6))
    }
    found = compare_versions(both, precision=0.65)

    assert [c.change for c in found.changes] == ["kept"]


def test_what_is_listed_does_not_depend_on_the_order_of_versions() -> None:
    def version(number: int, detail: float) -> tuple[Diagnosis, list[Sample]]:
        wrong = Finding(1, "wrong count", ("dog", "3"), 2, 3, probability=0.6)
        images = (ImageDiagnosis(1, {}, (), (wrong,) * number),)
        people = ReferenceComparison(1, probabilities=(0.55,), detail=detail)
        return Diagnosis(images, people=people), samples({1: "three dogs"})

    versions = {"a": version(1, 0.2), "b": version(4, 2.0)}
    totals = []
    for both in (versions, dict(reversed(versions.items()))):
        found = compare_versions(both, precision=0.5).errors["says wrong"]
        totals.append(sum(balance.old + balance.new for balance in found))

    assert totals[0] == totals[1]


def test_expected_numbers_are_tested(found: Difference) -> None:
    wrong, left_out = found.expected

    assert (wrong.name, left_out.name) == ("says wrong", "leaves out")
    assert wrong.new - wrong.old == pytest.approx(wrong.difference.mean)
    assert wrong.difference.low < wrong.difference.mean < wrong.difference.high
    assert 0 < wrong.p_value <= 1


def test_values_that_became_right(found: Difference) -> None:
    right = {b.name: b for b in found.right}

    assert (right["count"].old, right["count"].new, right["count"].won) == (0, 1, 1)
    assert (right["color"].old, right["color"].lost) == (1, 1)


def test_sign_test() -> None:
    assert sign_test(0, 0) == 1
    assert sign_test(5, 5) == 1
    assert sign_test(0, 6) == pytest.approx(2 / 64)
    assert sign_test(6, 0) == sign_test(0, 6)
    assert sign_test(2, 8) == pytest.approx(0.109375)
    assert 0 < sign_test(900, 1100) < 1e-4


def test_the_same_captions_differ_in_nothing() -> None:
    looked_at = diagnose(scenes(unscored(samples(OLD))))
    same = compare_versions({n: (looked_at, samples(OLD)) for n in ("a", "b")})

    assert {c.change for c in same.changes} == {"kept"}
    balances = [b for found in same.errors.values() for b in found]
    assert all(b.p_value == 1 and b.old == b.new for b in balances)
    assert "Both versions make the same errors." in page(same)


def test_page_is_inert_and_marks_words(found: Difference) -> None:
    text = page(found)

    assert 'a <mark class="words">' in text
    assert "&lt;b&gt;new" in text
    assert "<b>new" not in text
    assert "<script" not in text
    assert " style=" not in text
    assert parts("Two Dogs run", "2 dogs") == ("Two ", "Dogs", " run")
    assert parts("a dog", "cat") == ("a dog", "", "")
