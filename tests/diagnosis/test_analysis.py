"""An analysis holds its lexicon, its thresholds and all that it remembers."""

from pathlib import Path

import pytest
from paths import ROOT

from spicepy.common.errors import ResourceError
from spicepy.diagnosis import Analysis, Finding, Scene, Thresholds, load_lexicon
from spicepy.diagnosis.analysis import resolve_conflicts
from spicepy.diagnosis.kinds import DETECTORS, KINDS, NAMES, WRONG, Detection
from spicepy.rules.tuples import SemanticTuple

WORDS = ROOT / "grammars" / "diagnosis.toml"


def read(analysis: Analysis, text: str) -> Scene:
    """A scene of tuples, candidate first: "bank puce | bank blue"."""
    candidate, *references = (
        analysis.reader.read_tuples([SemanticTuple(tuple(caption.split()))])
        for caption in text.split(" | ")
    )
    return Scene(1, candidate, tuple(references))


def kinds(analysis: Analysis, text: str) -> list[str]:
    """The kinds of findings."""
    return kinds_of(analysis, read(analysis, text))


def kinds_of(analysis: Analysis, scene: Scene) -> list[str]:
    return [f.kind for f in analysis.diagnose(scene).findings]


@pytest.fixture
def puce(tmp_path: Path) -> Path:
    """The shipped words, with puce as a colour of its own."""
    path = tmp_path / "words.toml"
    text = WORDS.read_text(encoding="utf-8")
    known = "values = { beige = "
    assert known in text
    path.write_text(text.replace(known, f'values = {{ puce = "puce", {known[11:]}'))
    return path


def test_two_lexicons_live_in_one_process(puce: Path) -> None:
    """Whichever asks first, none sees what the other one remembers."""
    text = "car puce | car blue | car blue"
    shipped, own = Analysis(), Analysis(load_lexicon(puce))

    def wrong(analysis: Analysis) -> list[str]:
        return [kind for kind in kinds(analysis, text) if kind in WRONG]

    assert wrong(shipped) == ["unsupported attribute"]
    assert wrong(own) == ["wrong color"]
    assert wrong(shipped) == ["unsupported attribute"]
    assert wrong(Analysis()) == ["unsupported attribute"]


def test_thresholds_are_those_of_the_analysis() -> None:
    text = "dog | kite | kite | kite | dog | dog"
    strict = Analysis(thresholds=Thresholds(missed=4))

    assert "missed object" in kinds(Analysis(), text)
    assert "missed object" not in kinds(strict, text)


def test_a_lexicon_adds_words(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('[colors]\nvalues = { puce = "brown" }\npatterns = ["wavy"]\n')
    shipped, own = load_lexicon(), load_lexicon(path)

    assert own.aspects.values["color"]["puce"] == "brown"
    assert own.aspects.patterns == shipped.aspects.patterns | {"wavy"}
    assert own.name.startswith("mine@")
    assert own.name != load_lexicon(WORDS).name


def test_added_values_are_not_part_of_a_noun(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('[colors]\nvalues = { puce = "brown" }\npatterns = ["gingham"]\n')
    shipped, own = Analysis(), Analysis(load_lexicon(path))

    def found(analysis: Analysis, said: str, reference: str) -> list[str]:
        readings = analysis.reader.read([said, reference])
        others = (readings[reference],) * 3
        return kinds_of(analysis, Scene(1, readings[said], others))

    assert "wrong color" in found(own, "a blue car", "a puce car")
    assert found(own, "a puce car", "a brown car") == ["unsupported word"]
    assert "missed color" in found(shipped, "a puce car", "a brown car")
    assert found(own, "a gingham shirt", "a red shirt") == ["unsupported attribute"]
    [car] = own.reader.read(["two puce cars"])["two puce cars"].things
    assert (car.name, car.attributes, car.amount.value) == ("car", ("2", "puce"), 2)


def test_a_lexicon_with_an_unknown_table_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "words.toml"
    path.write_text("[numbers]\nvalues = { one = 1 }\n", encoding="utf-8")

    with pytest.raises(ResourceError, match=r"words.toml: there is no table 'numbers'"):
        load_lexicon(path)
    with pytest.raises(ResourceError, match=r"absent.toml: cannot be read"):
        load_lexicon(tmp_path / "absent.toml")


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("colors = 1", r"colors is 1; it must be the table \[colors\]"),
        ('[colors]\nvalues = ["puce"]', r"colors\.values is \['puce'\]; .* a table"),
        (
            "[colors]\nvalues = { puce = 3 }",
            r"colors\.values\.puce is 3; .* lower case",
        ),
        (
            '[colors]\nvalues = { Puce = "brown" }',
            r"a name in colors\.values is 'Puce'",
        ),
        ('[colors]\nvalues = { puce = "Brown" }', r"colors\.values\.puce is 'Brown'"),
        ('[colors]\npatterns = ["gingham", ""]', r"a word in colors\.patterns is ''"),
        (
            '[no_things]\nwords = "car"',
            r"no_things\.words is 'car'; .* a list, such as",
        ),
        (
            '[implied]\nby = { knife = "cut" }',
            r"implied\.by\.knife is 'cut'; .* a list",
        ),
        (
            '[opposites]\nstate = ["wet"]',
            r"a word in opposites\.state is 'wet'; .* list",
        ),
        ("[colors]\nsource = 3", r"colors\.source is 3; it must be text"),
    ],
)
def test_words_of_another_form_are_refused(
    tmp_path: Path, text: str, fault: str
) -> None:
    path = tmp_path / "words.toml"
    path.write_text(text, encoding="utf-8")

    with pytest.raises(ResourceError, match=rf"words\.toml: {fault}"):
        load_lexicon(path)


def test_every_kind_says_what_it_is() -> None:
    assert len(set(NAMES)) == len(KINDS)
    assert set(DETECTORS) == {kind.detect for kind in KINDS}
    for kind in KINDS:
        assert kind.help.endswith(".")


def detection(kind: str, *members: str, **more: object) -> Detection:
    return Detection(Finding(1, kind, members, references=2), **more)  # type: ignore[arg-type]


def test_each_mistake_is_one_finding() -> None:
    detections = [
        detection("missed object", "dog", topic=("missed", "dog")),
        detection("confused object", "cat", rules_out=("missed", "dog")),
        detection("unsupported attribute", "cat", "red"),
        detection("misplaced attribute", "cat", "red", conclusive=True),
        detection("missed object", "kite"),
    ]

    found = [(f.kind, f.members[0]) for _, f in resolve_conflicts(detections, 2)]
    assert found == [
        ("missed object", "kite"),
        ("confused object", "cat"),
        ("misplaced attribute", "cat"),
    ]
    assert len(resolve_conflicts(detections, 3)) == 2
