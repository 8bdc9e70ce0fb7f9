"""Listing: which findings are listed, and how many of them are right in sum."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spicepy.diagnosis import Analysis, Diagnosis, Scene
from spicepy.diagnosis.findings import Finding, ImageDiagnosis
from spicepy.diagnosis.results.listing import (
    COMPARED,
    Listing,
    ReferenceComparison,
    compare_references,
)

ANALYSIS = Analysis()
PROBABILITIES = st.lists(st.floats(0, 1), max_size=30)


def images(
    *probabilities: float, captions: int = 100, references: int = 5
) -> list[ImageDiagnosis]:
    """As many captions, the first of them with a finding of each probability."""
    findings = [
        Finding(k, "wrong count", ("dog", "3"), 2, 3, probability=p)
        for k, p in enumerate(probabilities)
    ]
    found = [(f,) for f in findings] + [()] * (captions - len(findings))
    return [
        ImageDiagnosis(k, {}, (), own, references=references)
        for k, own in enumerate(found)
    ]


def people(*probabilities: float, detail: float = 1.0) -> ReferenceComparison:
    return ReferenceComparison(
        100, probabilities=tuple(sorted(probabilities)), detail=detail
    )


def scene(number: int, candidate: str, *references: str) -> Scene:
    readings = ANALYSIS.reader.read([candidate, *references])
    others = tuple(readings[reference] for reference in references)
    return Scene(number, readings[candidate], others)


def test_the_share_of_right_findings_is_estimated_by_those_of_people() -> None:
    listing = people(0.6).listing(images(*[0.9] * 10), 0.5)

    assert listing.share == pytest.approx(1 - 0.8 * 2 / 10)


def test_with_few_references_the_share_is_drawn_towards_the_probabilities() -> None:
    """What is listed and what comes first have one estimate."""
    found, own = images(*[0.6] * 10), [(0.6, 5)] * 10
    references, numbers = people(), [5] * 100

    listing = references.listing(found, 0.5)

    assert listing.share == pytest.approx((0.92 + 0.6) / 2)
    assert references.share_of_first(10, own, numbers) == pytest.approx(listing.share)
    many = replace(references, captions=10_000).listing(found, 0.5)
    assert many.share == pytest.approx(1, abs=0.01)


def test_nothing_is_hidden_if_people_get_as_many() -> None:
    """The reader chooses what is shown; the share says what it is worth."""
    found = images(*[0.6] * 10)
    shown = Diagnosis(tuple(found), people=people(*[0.7] * 10)).believed()

    assert shown.listing.share == pytest.approx(0.12)
    assert len(shown.findings) == 10


def test_the_share_of_the_first_findings_is_estimated() -> None:
    own = [(0.9, 5)] * 10 + [(0.6, 5)] * 10
    references, numbers = people(0.95, *[0.7] * 9), [5] * 100

    first, all_ = (references.share_of_first(n, own, numbers) for n in (10, 20))

    assert first == pytest.approx(1 - 0.8 * 2 / 10)
    assert all_ == pytest.approx(1 - 0.8 * 11 / 20)
    unknown = ReferenceComparison().share_of_first(10, own, numbers)
    assert unknown == pytest.approx(0.9)
    assert references.share_of_first(10, [], numbers) == 0


def test_images_with_too_few_references_have_the_share_of_their_probabilities() -> None:
    """What people get with many references says nothing of one reference."""
    references = people(*[0.7] * 9)
    some = [(0.6, 1)] * 5 + [(0.6, 5)] * 5

    few = references.share_of_first(10, [(0.6, 1)] * 10, [1] * 100)
    both = references.share_of_first(10, some, [1] * 900 + [5] * 50)
    listed = images(*[0.6] * 10, references=1)

    assert few == pytest.approx(0.6)
    assert both == pytest.approx((5 * 0.6 + 5 - 0.8 * 10 * 50 / 100) / 10)
    assert references.listing(listed, 0.5).share == pytest.approx(0.6)


def test_images_with_many_references_do_not_speak_for_all() -> None:
    many = scene(1, "a dog", *["a dog", "a cat", "a bus", "a dog runs"] * 5)
    few = [scene(k, "a dog", "a dog", "a dog", "a dog") for k in range(2, 5)]

    assert compare_references([many, *few], ANALYSIS).captions == 4 * 3


def test_captions_with_less_detail_have_fewer_wrong_findings() -> None:
    found = images(*[0.6] * 10)
    same, less = (
        people(*[0.6] * 4, detail=x).listing(found, 0.5).share or 0 for x in (1, 0.5)
    )

    assert same < less


def test_long_captions_are_not_compared_with_short_references() -> None:
    listing = people(*[0.6] * 50, detail=8).listing(images(*[0.6] * 10), 0.5)

    assert listing == Listing(0.5)


@given(PROBABILITIES, PROBABILITIES, st.floats(0.01, 1))
def test_no_improbable_finding_is_listed(
    own: list[float], others: list[float], precision: float
) -> None:
    listing = people(*others).listing(images(*own), precision)

    assert listing.precision == precision
    assert listing.share is None or 0 <= listing.share <= 1


@given(PROBABILITIES, PROBABILITIES)
def test_all_findings_are_listed_on_request(
    own: list[float], others: list[float]
) -> None:
    found = Diagnosis(tuple(images(*own)), people=people(*others))

    assert found.believed(0).findings == found.findings


def test_each_reference_is_compared_with_the_others() -> None:
    dogs = ["two dogs play", "two dogs run", "two dogs", "three cats sleep"]
    compared = compare_references([scene(1, "a dog", *dogs)], ANALYSIS)

    assert compared.captions == 4
    assert compared.risk.mean is not None
    assert compared.probabilities[-1] > 0.5  # The cats.


def test_two_references_are_too_few_to_be_compared() -> None:
    compared = compare_references([scene(1, "a cat", "a dog", "a dog")], ANALYSIS)

    assert compared == ReferenceComparison()
    assert compared.listing(images(0.6), 0.5) == Listing(0.5)


def test_references_of_many_images_are_sampled() -> None:
    one = scene(1, "a dog", "a dog", "a big dog", "a cat")
    many = [Scene(k, one.candidate, one.references) for k in range(COMPARED + 50)]

    assert 500 <= compare_references(many, ANALYSIS).captions <= COMPARED


def test_references_are_compared_once_for_several_systems() -> None:
    first = [scene(1, "a dog", "a dog", "a big dog", "a cat")]
    second = [scene(1, "a red bus at night", "a dog", "a big dog", "a cat")]
    known = compare_references(first, ANALYSIS)
    again = compare_references(second, ANALYSIS, known)

    assert again.probabilities == known.probabilities
    assert again.detail != known.detail
