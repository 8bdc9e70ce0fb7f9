"""Object vocabularies and the rates of hallucinated classes (CHAIR)."""

import re
from pathlib import Path

import pytest

from spicepy.common.errors import InputError
from spicepy.diagnosis import Analysis, Scene, diagnose, load_vocabulary
from spicepy.rules.tuples import SemanticTuple


def scene(candidate: str, *references: str) -> Scene:
    """A scene of nouns, with commas between."""
    read = Analysis().reader.read_tuples
    made = [
        read([SemanticTuple((noun,)) for noun in text.split(", ")])
        for text in (candidate, *references)
    ]
    return Scene(1, made[0], tuple(made[1:]))


@pytest.mark.parametrize(
    ("noun", "expected"),
    [
        ("dog", "dog"),
        ("puppy", "dog"),
        ("police officer", "person"),
        ("polar bear", "bear"),
        ("teddy bear", "teddy bear"),
        ("hot dog", "hot dog"),
        ("dining room table", "dining table"),
        ("cloud", None),
    ],
)
def test_classes_of_coco(noun: str, expected: str | None) -> None:
    nouns = Analysis().lexicon.nouns

    assert load_vocabulary().class_of(noun, nouns.is_person) == expected


def test_coco_has_80_classes() -> None:
    assert len(set(load_vocabulary().classes.values())) == 80


def test_hallucinated_classes() -> None:
    made = [scene("puppy, kite, cloud", "dog", "dog"), scene("man", "woman, cat")]
    rates = diagnose(made, vocabulary=load_vocabulary()).unnamed_classes()

    assert (rates.captions, rates.mentions) == (2, 3)
    assert (rates.per_caption, rates.per_mention) == (0.5, 1 / 3)
    assert rates.classes == (("kite", 1),)


def test_own_vocabulary(tmp_path: Path) -> None:
    path = tmp_path / "sea.toml"
    path.write_text('[classes]\nwhale = ["whale", "orca"]\n', encoding="utf-8")
    sea = load_vocabulary(path)
    diagnosis = diagnose([scene("orca, dog", "boat")], vocabulary=sea)

    assert diagnosis.unnamed_classes().classes == (("whale", 1),)
    name = diagnosis.to_dict()["unnamed_classes"]["vocabulary"]
    assert re.fullmatch(r"sea\.toml@[0-9a-f]{8}", name)
    assert diagnosis.tables()[-1].title == f"Classes of {name} that no reference names"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (None, "there is no vocabulary"),
        ("[classes", "not TOML"),
        ("words = 1", r"has no table \[classes\]"),
        ("[classes]\ndog = 1", "the class 'dog' is '1'"),
        (
            '[classes]\ndog = ["dog"]\nhound = ["dog"]',
            "the noun 'dog' is given to two classes, 'dog' and 'hound'",
        ),
    ],
)
def test_wrong_vocabularies(tmp_path: Path, text: str | None, message: str) -> None:
    path = tmp_path / "own.toml"
    if text is not None:
        path.write_text(text, encoding="utf-8")

    with pytest.raises(InputError, match=message):
        load_vocabulary(path)
