"""How many images a ranking needs: two coins by hand, order, files, pictures."""

import json
from math import comb, isnan
from pathlib import Path
from xml.etree import ElementTree

import pytest
from toys import Overlap

from spicepy.captions.sample import Sample
from spicepy.common.errors import InputError
from spicepy.common.writing import write
from spicepy.evaluation.evaluation import Evaluation, evaluate
from spicepy.reporting.study_figures import PICTURES, learning_curve, page, read_result
from spicepy.study.correlation import stability


def right_on(*images: int, total: int = 3) -> Evaluation:
    """A system whose one-word captions are right on these images only."""
    words = ["dog" if i in images else "cat" for i in range(total)]
    samples = [Sample(i, word, ("a dog",)) for i, word in enumerate(words)]
    return evaluate(samples, [Overlap()])


def test_two_systems_by_hand() -> None:
    """A is better on two of three images, B on one.

    A sample of n ranks them rightly if more than half of it are A's: the mean of τ
    is the chance of that less the chance of the opposite. Equal numbers are no
    ranking; they are left out.
    """
    found = stability(
        {"A": right_on(0, 1), "B": right_on(2)}, sizes=[1, 3, 2], samples=20_000
    )
    one, two, three = found.curve("overlap")
    most = sum(comb(3, k) * 2**k for k in (2, 3)) / 27

    assert (one.images, two.images, three.images) == (1, 2, 3)
    assert one.tau == pytest.approx(2 / 3 - 1 / 3, abs=0.02)
    assert three.tau == pytest.approx(2 * most - 1, abs=0.02)
    assert two.tau == pytest.approx((4 / 9 - 1 / 9) / (5 / 9), abs=0.02)
    assert one.same == pytest.approx(2 / 3, abs=0.01)
    assert two.same == pytest.approx(4 / 9, abs=0.01)
    assert one.low == -1
    assert isnan(found.curve("length")[0].tau)
    assert found.enough("overlap") is None
    enough = {row[0]: row[-1] for row in found.tables()[0].rows}
    assert enough["overlap"] == "> 3"
    assert enough["length"] is None


def test_a_clear_order_needs_few_images() -> None:
    """On every image A is right; B on half of them; C on none."""
    systems = {
        "A": right_on(*range(40), total=40),
        "B": right_on(*range(20), total=40),
        "C": right_on(total=40),
    }
    found = stability(systems, samples=200)

    assert found.sizes == (10, 20, 40)
    assert found.enough("overlap") == 10
    assert found.curve("overlap")[-1].tau == found.curve("overlap")[-1].same == 1
    assert found.tables()[0].rows[0] == ("overlap", *([1.0] * 3), "10")
    assert stability(systems, samples=200).to_dict() == found.to_dict()


def test_the_result_is_written_drawn_and_read(tmp_path: Path) -> None:
    found = stability({"A": right_on(0, 1), "B": right_on(2)}, sizes=[1, 3])
    (path,) = write(found, tmp_path / "x.json", PICTURES)
    root = ElementTree.fromstring(learning_curve(found))
    read = read_result(path)

    assert read.to_dict() == found.to_dict()
    assert page(read) == page(found)
    assert len(list(root.iter("{http://www.w3.org/2000/svg}circle"))) == 2
    values = json.loads(path.read_text())
    values["agreements"].pop()
    path.write_text(json.dumps(values))
    with pytest.raises(InputError, match="is missing or wrong"):
        read_result(path)


def test_wrong_options_are_named() -> None:
    both = {"A": right_on(0), "B": right_on(1)}
    with pytest.raises(InputError, match="needs two systems or more, found 1"):
        stability({"A": right_on(0)})
    with pytest.raises(InputError, match=r"\[0, 5\]; they must be from 1"):
        stability(both, sizes=[5, 0])
    with pytest.raises(InputError, match="B lacks"):
        stability({"A": right_on(0), "B": right_on(1, total=2)})
