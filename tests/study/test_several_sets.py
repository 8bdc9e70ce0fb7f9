"""Several data sets side by side, by hand; files and pictures."""

import json
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from toys import Overlap

from spicepy.common.errors import InputError
from spicepy.common.writing import write
from spicepy.reporting.study_figures import PICTURES, bounds_figure, page, read_result
from spicepy.study.leave_one_out import UPPER, Loocvs, loocv_sets
from spicepy.study.scoring import other_sets

DOGS = {1: ("a dog", "a dog"), 2: ("one dog", "the dog")}
CATS = {1: ("two cats", "two cats"), 2: ("three cats", "three cats")}
BUSES = {1: ("a bus", "that car")}
OTHERS = "caption of the other sets"


@pytest.fixture(scope="module")
def found() -> Loocvs:
    sets = {"dogs": DOGS, "cats": CATS, "buses": BUSES}
    return loocv_sets(sets, metrics=[Overlap()], lower=False)


def test_sets_are_ranked_by_what_people_reach(found: Loocvs) -> None:
    """Overlap of dogs 1, 1, 1/2, 1/2; of cats always 1; of buses 0."""
    assert found.ranked("overlap") == [("cats", 1.0), ("dogs", 0.75), ("buses", 0.0)]
    assert found.tables()[1].rows[0] == (
        "overlap",
        "cats 1.000",
        "dogs 0.750",
        "buses 0.000",
    )
    assert found["dogs"].summary("overlap").micro == 0.75
    assert found.tables()[0].columns == ("metric", "bound", "dogs", "cats", "buses")
    assert found.tables()[0].rows[0] == ("overlap", UPPER, 0.75, 1.0, 0.0)


def test_the_mixture_takes_every_set_as_often() -> None:
    """A large set does not outweigh a small one; none of the set's own is drawn."""
    large = dict.fromkeys(range(50), ("a cat", "a big cat"))
    bound = other_sets({"cats": large, "buses": {1: ("a bus",)}})
    folds = [(1, 0)] * 4000
    drawn = Counter(bound.draw(DOGS, folds, np.random.default_rng(0)))

    assert drawn["a bus"] == pytest.approx(2000, abs=150)
    assert drawn["a cat"] == pytest.approx(1000, abs=150)
    assert set(drawn) == {"a bus", "a cat", "a big cat"}


def test_gibberish_has_the_words_of_its_own_set() -> None:
    """Each set has one word: its own gibberish is always right, the other's never."""
    sets = {n: dict.fromkeys((1, 2), (n, n)) for n in ("dog", "cat")}
    result = loocv_sets(sets, metrics=[Overlap()], lower=True)
    for name in sets:
        bounds = {
            s.bound: s.micro for s in result[name].summaries if s.key == "overlap"
        }
        assert bounds["gibberish, average length"] == 1
        assert bounds[OTHERS] == 0


def test_pictures_and_files(tmp_path: Path) -> None:
    sets = {"dogs": DOGS, "cats": CATS}
    result = loocv_sets(sets, metrics=[Overlap()], lower=True)
    root = ElementTree.fromstring(bounds_figure(result))
    (path,) = write(result, tmp_path / "x.json", PICTURES)
    read = read_result(path)

    marks = 2 * 2 * 4 + 4  # keys, sets, bounds; the legend
    assert len(list(root.iter("{http://www.w3.org/2000/svg}circle"))) == marks
    assert isinstance(read, Loocvs)
    assert read.to_dict() == result.to_dict()
    assert page(read) == page(result)
    values = json.loads(path.read_text())
    values["names"].pop()
    path.write_text(json.dumps(values))
    with pytest.raises(InputError, match="is missing or wrong"):
        read_result(path)


def test_one_set_is_refused() -> None:
    with pytest.raises(InputError, match="1 data set; two or more are needed"):
        loocv_sets({"dogs": DOGS}, metrics=[Overlap()])
