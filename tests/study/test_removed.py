"""References that equal a candidate, counted by system; a warning where uneven."""

import pytest
from toys import Overlap

from spicepy.study.correlation import correlate
from spicepy.study.datasets import Judgment, Removed, uneven

COPY, OTHER = "a dog runs", "a dog that runs"


def judgments(copies: dict[str, int], images: int = 20) -> list[Judgment]:
    """Each system copies the reference of so many images, and writes its own else."""
    return [
        Judgment(
            i,
            f"{COPY} {i}" if i < copied else f"the dog {i}",
            (f"{COPY} {i}", OTHER),
            {"human": (i % 5,)},
            system,
        )
        for system, copied in copies.items()
        for i in range(images)
    ]


def test_what_was_removed_is_counted_by_system() -> None:
    found = correlate(judgments({"A": 15, "B": 1}), metrics=[Overlap()], samples=0)
    table = found.tables()[-1]

    assert found.removed == (Removed("A", 20, 15, 15, 0), Removed("B", 20, 1, 1, 0))
    assert table.title == "References equal to a candidate"
    assert table.rows == (("A", 20, 15, 15, 0), ("B", 20, 1, 1, 0))


def test_a_system_that_loses_more_than_the_others_is_named() -> None:
    """15 and 1 where 8 and 8 are expected: chi-squared 49/8 + 49/8 = 12.25."""
    uneven_ones = judgments({"A": 15, "B": 1})
    [warning] = correlate(uneven_ones, metrics=[Overlap()], samples=0).warnings

    assert warning.startswith(
        "15 of the 16 references removed for being equal to a candidate are those of "
        "system A, which wrote 20 of 40 captions"
    )
    for equal in ("image", "keep"):
        found = correlate(uneven_ones, metrics=[Overlap()], samples=0, equal=equal)
        assert found.warnings == ()
    even = correlate(judgments({"A": 9, "B": 7}), metrics=[Overlap()], samples=0)
    assert even.warnings == ()


def test_few_removed_references_may_be_chance() -> None:
    """3 and 0: chi-squared 3; 3 of one of four alike systems: 9; of ten: 27."""
    assert uneven([Removed("A", 20, 3, 3, 0), Removed("B", 20, 0, 0, 0)]) is None
    assert uneven([Removed("A", 20, 0, 0, 0), Removed("B", 20, 0, 0, 0)]) is None
    assert uneven([Removed("A", 20, 9, 9, 0)]) is None


@pytest.mark.parametrize(("equal", "left_out"), [("own", (1, 0)), ("image", (1, 1))])
def test_captions_left_without_references_count(equal: str, left_out: tuple) -> None:
    """The one reference of image 1 is A's caption; B's loses it only with "image"."""
    given = [
        Judgment(1, "a dog", ("a dog",), {"human": (1,)}, "A"),
        Judgment(1, "a cat", ("a dog",), {"human": (2,)}, "B"),
        Judgment(2, "a dog runs", ("a dog",), {"human": (3,)}, "A"),
        Judgment(3, "a cat", ("a dog",), {"human": (4,)}, "B"),
    ]
    found = correlate(given, metrics=[Overlap()], samples=0, equal=equal)

    assert tuple(r.left_out for r in found.removed) == left_out
