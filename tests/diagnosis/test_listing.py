"""Listing: what captions say wrong is listed only if it is likely right in sum."""

from math import inf

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


def images(*probabilities: float, captions: int = 100) -> list[ImageDiagnosis]:
    """As many captions, the first of them with a finding of each probability."""
    findings = [
        Finding(k, "wrong count", ("dog", "3"), 2, 3, probability=p)
        for k, p in enumerate(probabilities)
    ]
    first = [ImageDiagnosis(f.image_id, {}, (), (f,)) for f in findings]
    rest = range(len(first), captions)
    return first + [ImageDiagnosis(k, {}, (), ()) for k in rest]


def people(*probabilities: float, detail: float = 1.0) -> ReferenceComparison:
    return ReferenceComparison(
        100, probabilities=tuple(sorted(probabilities)), detail=detail
    )


def scene(number: int, candidate: str, *references: str) -> Scene:
    readings = ANALYSIS.reader.read([candidate, *references])
    others = tuple(readings[reference] for reference in references)
    return Scene(number, readings[candidate], others)


def test_findings_are_listed_if_people_get_few_of_them() -> None:
    listing = people(0.6).listing(images(*[0.6] * 10), 0.5)

    assert listing.says_wrong == 0.5
    assert listing.share == pytest.approx(1 - 0.8 * 2 / 10)


def test_nothing_is_listed_if_people_get_as_many() -> None:
    found = images(*[0.6] * 10)
    listing = people(*[0.7] * 10).listing(found, 0.5)
    shown = Diagnosis(tuple(found), people=people(*[0.7] * 10)).believed()

    assert listing.says_wrong == inf
    assert shown.findings == ()
    assert shown.hidden() == {"wrong count": 10}


def test_surer_findings_are_listed_if_people_get_fewer_of_those() -> None:
    own = [0.55] * 5 + [0.9] * 5
    listing = people(*[0.52] * 9).listing(images(*own), 0.5)

    assert listing.says_wrong == 0.9
    assert listing.is_raised


def test_people_count_down_to_what_is_left_out() -> None:
    own = [0.55] * 5 + [0.9] * 5
    listing = people(*[0.6] * 9).listing(images(*own), 0.5)

    assert listing.says_wrong == inf  # Though people have nothing from .9 on.


def test_one_caption_is_listed_by_its_own_evidence() -> None:
    references = ReferenceComparison(5)

    assert references.listing(images(0.6, captions=1), 0.5).says_wrong == 0.5


def test_captions_with_less_detail_have_fewer_wrong_findings() -> None:
    found = images(*[0.6] * 10)
    same, less = (
        people(*[0.6] * 9, detail=x).listing(found, 0.5).says_wrong for x in (1, 0.5)
    )

    assert (same, less) == (inf, 0.5)


def test_long_captions_are_not_compared_with_short_references() -> None:
    listing = people(*[0.6] * 50, detail=8).listing(images(*[0.6] * 10), 0.5)

    assert listing == Listing(0.5, 0.5)


@given(PROBABILITIES, PROBABILITIES, st.floats(0.01, 1))
def test_no_improbable_finding_is_listed(
    own: list[float], others: list[float], precision: float
) -> None:
    listing = people(*others).listing(images(*own), precision)

    assert listing.says_wrong >= precision
    assert listing.share is None or 0 <= listing.share <= 1


@given(PROBABILITIES, PROBABILITIES)
def test_all_findings_are_listed_on_request(
    own: list[float], others: list[float]
) -> None:
    found = Diagnosis(tuple(images(*own)), people=people(*others))

    assert found.believed(0).findings == found.findings


def test_omissions_and_remarks_do_not_depend_on_people() -> None:
    missed = Finding(1, "missed object", ("dog",), probability=0.6)

    assert Listing(0.5, inf).has(missed)


def test_each_reference_is_compared_with_the_others() -> None:
    dogs = ["two dogs play", "two dogs run", "two dogs", "three cats sleep"]
    compared = compare_references([scene(1, "a dog", *dogs)], ANALYSIS)

    assert compared.captions == 4
    assert compared.risk.mean is not None
    assert compared.probabilities[-1] > 0.5  # The cats.


def test_two_references_are_too_few_to_be_compared() -> None:
    compared = compare_references([scene(1, "a cat", "a dog", "a dog")], ANALYSIS)

    assert compared == ReferenceComparison()
    assert compared.listing(images(0.6), 0.5).says_wrong == 0.5


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
