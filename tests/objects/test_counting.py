"""Numbers that captions say, against those of annotated objects."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spicepy.objects import chair, counting
from spicepy.objects.claims import Claim, ClaimReader
from spicepy.objects.counting_results import measure_counting
from spicepy.objects.instances import ImageObjects, Instances
from spicepy.objects.readers import load_reader
from spicepy.objects.vocabulary import load_count_words

WORDS = load_count_words()


def scored(claim: Claim, number: int, *, crowd: bool = False) -> counting.ScoredClaim:
    objects = ImageObjects(
        {claim.name: number}, frozenset([claim.name] if crowd else [])
    )
    [found] = counting.caption_counts(1, "", [claim], objects, WORDS).claims
    return found


@pytest.mark.parametrize(
    ("name", "said", "high", "claim_type", "true", "crowd", "verdict"),
    [
        ("dog", 2, 2, "exact", 2, False, "scored"),
        ("dog", 2, 2, "exact", 3, False, "scored"),
        ("dog", 2, 2, "exact", 0, False, "absent"),
        ("dog", 9, 9, "exact", 5, True, "consistent"),
        ("dog", 2, 2, "exact", 5, True, "refuted"),
        ("person", 3, None, "subset", 5, False, "consistent"),
        ("person", 3, None, "subset", 2, False, "refuted"),
        ("person", 2, 11, "vague", 12, False, "refuted"),
        ("person", 7, None, "vague", 3, True, "consistent"),
        ("person", 1, 1, "one", 1, False, "uncounted"),
        ("book", 2, 2, "exact", 2, False, "uncounted"),
    ],
)
def test_verdicts(name, said, high, claim_type, true, crowd, verdict) -> None:
    claim = Claim(name, said, high, claim_type, "", name)

    assert scored(claim, true, crowd=crowd).verdict == verdict


def test_large_numbers_are_clipped() -> None:
    assert scored(Claim("dog", 40, 40, "exact", "", "dog"), 11).error == 1


ROWS = st.lists(
    st.tuples(*(st.integers(0, 20) for _ in range(7))), min_size=1, max_size=5
)


@given(ROWS)
def test_chair_scores_of_sums_are_shares(rows: list[tuple[int, ...]]) -> None:
    totals = np.array(
        [(min(1, h), h, h + m, r, r + t, r + n, k) for h, m, r, t, n, k, _ in rows],
        float,
    ).sum(axis=0)
    scores = chair.corpus_scores(totals, len(rows))
    shares = scores[:5]

    assert ((shares >= 0) & (shares <= 1) | np.isnan(shares)).all()


def test_no_mention_is_undefined_for_a_corpus_and_0_for_a_caption() -> None:
    row = np.zeros((1, 7))

    assert np.isnan(chair.corpus_scores(row[0], 1)[1])
    assert (chair.caption_scores(row) == 0).all()


@pytest.mark.parametrize(
    ("caption", "low", "high"),
    [
        ("one of the dogs is running", 2, None),
        ("two of the dogs are running", 2, None),
        ("two dogs are running", 2, 2),
        ("a pair of dogs is running", 2, 2),
    ],
)
def test_some_of_the_objects_are_the_least(
    caption: str, low: int, high: int | None
) -> None:
    [claim] = ClaimReader(load_reader("clean")).read([caption])[caption]

    assert (claim.low, claim.high) == (low, high)


def test_every_claim_is_in_a_table() -> None:
    """Numbers of single things have a row, and refuted bounds a note."""
    numbers = {1: 1, 2: 2, 3: 3, 4: 12}
    images = {image: ImageObjects({"dog": n}) for image, n in numbers.items()}
    metric = counting.Counting(Instances(("x",), ("dog",), images, {}))
    captions = [(image, "two dogs") for image in numbers]
    captions += [(1, "two red dogs"), (2, "two red dogs")]
    found = measure_counting(captions, metric)
    by_true = {name: row["claims"] for name, row in found.by_true().items()}

    assert {name for name, claims in by_true.items() if claims} == {*"123", "12-"}
    assert sum(by_true.values()) == found.groups()["tier A"]["claims"] == 4
    notes = " ".join(found.tables()[0].notes)
    assert "2 claims of a bound" in notes
    assert "1 hold, annotated objects refute 1" in notes
