"""What a finding rests on: enough to be believed, or too little to be listed."""

import csv

import pytest
from paths import ROOT

from spicepy.common.settings import RELIABLE
from spicepy.diagnosis import Analysis, Scene, diagnose
from spicepy.diagnosis.kinds import NAMES


@pytest.fixture(scope="module")
def analysis() -> Analysis:
    """The analysis with the shipped lexicon."""
    return Analysis()


def sure(
    analysis: Analysis, candidate: str, *references: str
) -> dict[tuple[str, str], bool]:
    """(kind, noun or value) -> whether the finding rests on enough."""
    readings = analysis.reader.read([candidate, *references])
    scene = Scene(1, readings[candidate], tuple(readings[r] for r in references))
    return {(f.kind, f.members[-1]): f.sure for f in analysis.diagnose(scene).findings}


KITCHEN = (
    "a woman cooks soup in a kitchen",
    "a woman is cooking in her kitchen",
    "a woman stirs a pot in the kitchen",
    "a cook in a small kitchen",
)


def test_a_horse_would_be_named_but_a_window_may_be_there(analysis: Analysis) -> None:
    horse = sure(analysis, "a woman with a horse in a kitchen", *KITCHEN)
    window = sure(analysis, "a woman with a window in a kitchen", *KITCHEN)

    assert horse["invented object", "horse"]
    assert not window["invented object", "window"]


def test_what_goes_with_the_scene_may_be_there(analysis: Analysis) -> None:
    found = sure(analysis, "a woman with a sink in a kitchen", *KITCHEN)

    assert not found["invented object", "sink"]


def test_few_references_leave_out_more(analysis: Analysis) -> None:
    left_out = analysis.lexicon.omission.left_out

    assert left_out("window", 1) > left_out("window", 5) > left_out("horse", 5)


def test_rare_nouns_are_left_out_as_their_sort_is(analysis: Analysis) -> None:
    left_out = analysis.lexicon.omission.left_out

    assert 0 < left_out("wildebeest", 4) < left_out("contraption", 4)


def test_half_of_the_references_miss_a_thing_for_sure(analysis: Analysis) -> None:
    doors = ("a dog by a door", "a dog at the door", "a dog near a door")
    plain = ("a dog sits", "a dog is sitting", "a dog waits")

    assert sure(analysis, "a dog", *doors, *plain)["missed object", "door"]
    few = sure(analysis, "a dog", *doors[:2], *plain)
    assert not few["missed object", "door"]
    cats = ("a dog and a cat", "a cat beside a dog")
    assert sure(analysis, "a dog", *cats, *plain)["missed object", "cat"]


def test_one_coat_among_several_people_settles_no_colour(analysis: Analysis) -> None:
    one = ("a man in a blue coat waits", "a man is waiting", "a man waits")
    some = ("a man in a blue coat waits", "three men are waiting", "men wait")
    red = "a man in a red coat waits"

    assert sure(analysis, red, *one)["wrong color", "red"]
    assert not sure(analysis, red, *some)["wrong color", "red"]


def test_a_shirt_may_be_below_a_jacket(analysis: Analysis) -> None:
    jackets = ("a man in a jacket is reading", "a man wearing a jacket reads")
    dresses = ("a girl in a dress is reading", "a girl wearing a dress reads")

    found = sure(analysis, "a man in a shirt is reading", *jackets)
    assert not found["wrong clothing", "shirt"]
    found = sure(analysis, "a girl in a shirt is reading", *dresses)
    assert found["wrong clothing", "shirt"]


def test_a_garment_that_one_reference_has_is_not_sure(analysis: Analysis) -> None:
    people = ("a girl in a dress walks", "a girl walks", "a girl is walking")

    found = sure(analysis, "a girl in a shirt", *people)
    assert not found["wrong clothing", "shirt"]


def test_references_that_differ_settle_no_activity(analysis: Analysis) -> None:
    same = ("a dog swims", "a dog is swimming", "a dog swims in a lake")
    other = ("a dog swims", "a dog is digging", "a dog barks")

    assert sure(analysis, "a dog is climbing", *same)["wrong activity", "climb"]
    assert not sure(analysis, "a dog is climbing", *other)["wrong activity", "climb"]


def test_what_rests_on_little_is_not_listed_by_default(analysis: Analysis) -> None:
    candidate = "a woman with a window in a kitchen"
    readings = analysis.reader.read([candidate, *KITCHEN])
    scene = Scene(1, readings[candidate], tuple(readings[r] for r in KITCHEN))

    listed = diagnose([scene], precision=RELIABLE).findings
    assert "invented object" not in {f.kind for f in listed}
    assert "invented object" in {f.kind for f in diagnose([scene]).findings}


def test_verdicts_are_of_known_kinds() -> None:
    path = ROOT / "fixtures" / "verdicts" / "verdicts.csv"
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))

    assert {row["error"] for row in rows} <= set(NAMES)
    assert {row["verdict"] for row in rows} == {"right", "debatable", "wrong"}
    assert {row["sure"] for row in rows} <= {"yes", "no", "gone"}
