"""How likely a finding is right, by its own evidence."""

import csv

import pytest
from paths import ROOT

from spicepy.common.settings import RELIABLE
from spicepy.diagnosis import Analysis, Scene, diagnose
from spicepy.diagnosis.kinds import NAMES, WRONG


@pytest.fixture(scope="module")
def analysis() -> Analysis:
    """The analysis with the shipped lexicon."""
    return Analysis()


def stated(
    analysis: Analysis, candidate: str, *references: str
) -> dict[tuple[str, str], float]:
    """(kind, noun or value) -> how likely the finding is right."""
    readings = analysis.reader.read([candidate, *references])
    scene = Scene(1, readings[candidate], tuple(readings[r] for r in references))
    findings = analysis.diagnose(scene).findings
    return {(f.kind, f.members[-1]): f.probability or 0 for f in findings}


KITCHEN = (
    "a woman cooks soup in a kitchen",
    "a woman is cooking in her kitchen",
    "a woman stirs a pot in the kitchen",
    "a cook in a small kitchen",
)


def test_a_horse_would_be_named_but_a_window_may_be_there(analysis: Analysis) -> None:
    horse = stated(analysis, "a woman with a horse in a kitchen", *KITCHEN)
    window = stated(analysis, "a woman with a window in a kitchen", *KITCHEN)

    assert horse["invented object", "horse"] > window["invented object", "window"]


def test_what_goes_with_the_scene_may_be_there(analysis: Analysis) -> None:
    sink = stated(analysis, "a woman with a sink in a kitchen", *KITCHEN)
    horse = stated(analysis, "a woman with a horse in a kitchen", *KITCHEN)

    assert sink["invented object", "sink"] < horse["invented object", "horse"]


def test_few_references_leave_out_more(analysis: Analysis) -> None:
    left_out = analysis.lexicon.omission.left_out

    assert left_out("window", 1) > left_out("window", 5) > left_out("horse", 5)


def test_rare_nouns_are_left_out_as_their_sort_is(analysis: Analysis) -> None:
    left_out = analysis.lexicon.omission.left_out

    assert 0 < left_out("wildebeest", 4) < left_out("contraption", 4)


def test_the_more_references_have_it_the_likelier_it_is_missed(
    analysis: Analysis,
) -> None:
    doors = ("a dog by a door", "a dog at the door", "a dog near a door")
    plain = ("a dog sits", "a dog is sitting", "a dog waits")
    another = "a dog at a door"

    many = stated(analysis, "a dog", *doors, another, *plain[1:])
    few = stated(analysis, "a dog", *doors, *plain)
    missed = "missed object", "door"
    assert many[missed] > few[missed]


def test_one_coat_among_several_people_settles_no_colour(analysis: Analysis) -> None:
    one = ("a man in a blue coat waits", "a man is waiting", "a man waits")
    some = ("a man in a blue coat waits", "three men are waiting", "men wait")
    red = "a man in a red coat waits"

    assert (
        stated(analysis, red, *one)["wrong color", "red"]
        > stated(analysis, red, *some)["wrong color", "red"]
    )


def test_a_shirt_may_be_below_a_jacket(analysis: Analysis) -> None:
    jackets = ("a man in a jacket is reading", "a man wearing a jacket reads")
    dresses = ("a girl in a dress is reading", "a girl wearing a dress reads")

    below = stated(analysis, "a man in a shirt is reading", *jackets)
    instead = stated(analysis, "a girl in a shirt is reading", *dresses)
    assert below["wrong clothing", "shirt"] < instead["wrong clothing", "shirt"]


def test_contradiction_beats_absence(analysis: Analysis) -> None:
    blue = ("a man in a blue coat waits", "a man is waiting in a blue coat")
    silent = ("a man in a coat waits", "a man is waiting in a coat")
    red = "a man in a red coat waits"

    assert (
        stated(analysis, red, *blue)["wrong color", "red"]
        > stated(analysis, red, *silent)["wrong color", "red"]
    )


def test_risk_is_the_expected_number_of_wrong_statements(analysis: Analysis) -> None:
    candidate = "two women with a red horse in a kitchen"
    readings = analysis.reader.read([candidate, *KITCHEN])
    scene = Scene(1, readings[candidate], tuple(readings[r] for r in KITCHEN))
    image = analysis.diagnose(scene)

    wrong = [f.probability or 0 for f in image.findings if f.kind in WRONG]
    assert image.risk >= sum(wrong) > 0


def test_what_is_replaced_is_left_out(analysis: Analysis) -> None:
    dogs = ("a black dog runs", "a black dog is running", "the dog is black")

    def omissions(candidate: str) -> float:
        readings = analysis.reader.read([candidate, *dogs])
        return analysis.diagnose(
            Scene(1, readings[candidate], tuple(readings[r] for r in dogs))
        ).omissions

    assert omissions("a white dog runs") > omissions("a black dog runs")
    assert omissions("a black cat runs") > omissions("a black dog runs")


def test_hidden_findings_are_counted_and_keep_their_weight(analysis: Analysis) -> None:
    candidate = "a woman with a sink in a kitchen"
    readings = analysis.reader.read([candidate, *KITCHEN])
    scene = Scene(1, readings[candidate], tuple(readings[r] for r in KITCHEN))
    every, listed = diagnose([scene]), diagnose([scene], precision=RELIABLE)

    left_out = len(every.findings) - len(listed.findings)
    unmeasured = sum(len(image.unmeasured) for image in listed.by_image)
    assert sum(listed.hidden().values()) == left_out - unmeasured > 0
    assert listed.risk == every.risk


def test_what_rests_on_little_is_not_listed_by_default(analysis: Analysis) -> None:
    candidate = "a woman with a sink in a kitchen"
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
