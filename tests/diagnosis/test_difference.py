"""What a new version fixed and broke: from captions to numbers and a page."""

import pytest
from two_versions import NEW, OLD, REFERENCES

from spicepy.diagnosis import diagnose, scenes
from spicepy.diagnosis.results.difference import Difference, compare_versions, sign_test
from spicepy.evaluation.evaluation import evaluate
from spicepy.reporting.changes import page, parts
from spicepy.samples.sample import Sample


def samples(captions: dict[int, str]) -> list[Sample]:
    return [Sample(i, caption, REFERENCES[i]) for i, caption in captions.items()]


@pytest.fixture(scope="module")
def found() -> Difference:
    versions = {"old": samples(OLD), "<b>new": samples(NEW)}
    return compare_versions(
        {n: (diagnose(scenes(evaluate(s, []))), s) for n, s in versions.items()}
    )


def test_errors_are_fixed_broken_and_kept(found: Difference) -> None:
    changes = {(c.finding.image_id, c.finding.kind): c.change for c in found.changes}
    errors = {b.name: b for b in found.errors}

    assert changes[1, "wrong count"] == "fixed"
    assert changes[2, "wrong color"] == "broken"
    assert changes[4, "wrong count"] == "kept"  # another wrong number
    count = errors["wrong count"]
    assert (count.old, count.new, count.gone, count.added) == (2, 1, 1, 0)
    whole = errors["all errors"]
    kinds = [b for name, b in errors.items() if "specific" not in name and b != whole]
    assert whole.gone == sum(b.gone for b in kinds if b.name != "unsupported object")


def test_values_that_became_right(found: Difference) -> None:
    right = {b.name: b for b in found.right}

    assert (right["count"].old, right["count"].new, right["count"].added) == (0, 1, 1)
    assert (right["color"].old, right["color"].gone) == (1, 1)


def test_sign_test() -> None:
    assert sign_test(0, 0) == 1
    assert sign_test(5, 5) == 1
    assert sign_test(0, 6) == pytest.approx(2 / 64)
    assert sign_test(6, 0) == sign_test(0, 6)
    assert sign_test(2, 8) == pytest.approx(0.109375)
    assert 0 < sign_test(900, 1100) < 1e-4


def test_the_same_captions_differ_in_nothing() -> None:
    looked_at = diagnose(scenes(evaluate(samples(OLD), [])))
    same = compare_versions({n: (looked_at, samples(OLD)) for n in ("a", "b")})

    assert {c.change for c in same.changes} == {"kept"}
    assert all(b.p_value == 1 and b.old == b.new for b in same.errors)
    assert "No error was fixed, none was made." in page(same)


def test_page_is_inert_and_marks_words(found: Difference) -> None:
    text = page(found)

    assert 'a <mark class="words">' in text
    assert "&lt;b&gt;new" in text
    assert "<b>new" not in text
    assert "<script" not in text
    assert " style=" not in text
    assert parts("Two Dogs run", "2 dogs") == ("Two ", "Dogs", " run")
    assert parts("a dog", "cat") == ("a dog", "", "")
