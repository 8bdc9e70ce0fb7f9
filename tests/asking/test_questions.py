"""Statements of captions and the questions that ask for them."""

import csv
import json
from pathlib import Path

import pytest

import spicepy
from spicepy.asking.questioning import (
    FORMATS,
    Asked,
    Questioner,
    questions_version,
    written,
)
from spicepy.asking.statements import PromptReader
from spicepy.asking.words import progressive

FIXTURE = Path(__file__).parents[2] / "fixtures" / "questions.tsv"
ROWS = [
    line.split("\t")
    for line in FIXTURE.read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
]


@pytest.mark.parametrize(("caption", "wanted"), ROWS, ids=[row[0] for row in ROWS])
def test_questions(caption, wanted):
    asked = spicepy.questions(caption)
    shown = [("" if q.expected == "yes" else "not: ") + q.question for q in asked]
    assert shown == wanted.split(" | ")


@pytest.mark.parametrize("caption", [row[0] for row in ROWS])
def test_every_question_is_complete(caption):
    asked = spicepy.questions(caption)
    assert [q.id for q in asked] == list(range(1, len(asked) + 1))
    for question in asked:
        assert all(parent < question.id for parent in question.parents)
        assert 0 <= question.start < question.end <= len(caption)
        assert question.question.endswith("?")
        assert 1 <= len(question.tuple) <= 3
    said = [(q.category, q.tuple) for q in asked]
    assert len(set(said)) == len(said)


def test_what_is_no_caption_is_refused(tmp_path):
    captions = tmp_path / "captions.txt"
    captions.write_text("a cat\n")
    for given in (str(captions), {1: "a cat"}, 3):
        with pytest.raises(spicepy.InputError, match="give"):
            spicepy.questions(given)
    assert spicepy.questions("a screen that shows captions.txt")


def test_questions_that_were_read_are_good():
    """Those of 208 captions were read one by one; few may be new or bad."""
    read = {}
    lines = FIXTURE.with_name("questions_read.tsv").read_text(encoding="utf-8")
    for line in lines.splitlines()[1:]:
        caption, question, good = line.split("\t")
        read.setdefault(caption, {})[question] = good == "1"
    asked = spicepy.questions(list(read))
    found = [
        known.get(question.question)
        for own, known in zip(asked, read.values())
        for question in own
    ]
    assert found.count(None) <= 0.03 * len(found), "read what is new, and record it"
    assert found.count(False) <= 0.03 * len(found)


@pytest.mark.parametrize(
    ("caption", "wanted"),
    [
        (
            "A girl is between her mother and her father and between two dogs.",
            ["mother and father", "dog"],
        ),
        ("No dog is between the cat and the bird.", ["cat and bird"]),
    ],
)
def test_each_between_has_its_own_ends(caption, wanted):
    [own] = spicepy.questions([caption])

    assert [q.tuple[2] for q in own if q.tuple[1:2] == ("between",)] == wanted


def test_spans_are_what_was_said():
    caption = "The man is tall. He is holding a red umbrella."
    spans = {q.question: caption[q.start : q.end] for q in spicepy.questions(caption)}
    assert spans["Is there a man?"] == "man"
    assert spans["Is the umbrella red?"] == "red"
    assert spans["Is the man holding the umbrella?"].startswith("He is holding")


def test_parents_are_the_things():
    asked = spicepy.questions("a man in a red shirt on a horse")
    by_id = {q.id: q for q in asked}
    parents = {
        q.question: [by_id[parent].question for parent in q.parents] for q in asked
    }
    assert parents["Is the shirt red?"] == ["Is there a shirt?"]
    assert parents["Is the man on the horse?"] == [
        "Is there a man?",
        "Is there a horse?",
    ]


@pytest.mark.parametrize(
    "caption", ["", "...", "?!", "'", '"stop"', "\n\n", "by", "8k"]
)
def test_captions_without_statements(caption):
    for question in spicepy.questions(caption):
        assert question.question.endswith("?")


def test_the_same_captions_give_the_same_questions():
    captions = [row[0] for row in ROWS]
    several = spicepy.questions(captions)
    assert several == list(Questioner().ask(captions))
    assert several == [spicepy.questions(caption) for caption in captions]


def test_wrong_captions():
    with pytest.raises(spicepy.InputError, match="caption 2"):
        spicepy.questions(["a dog", 7])
    with pytest.raises(spicepy.InputError, match="give a string, or several"):
        spicepy.questions(7)


@pytest.mark.parametrize(
    ("verb", "form"),
    [
        ("ride", "riding"),
        ("sit", "sitting"),
        ("lie", "lying"),
        ("ski", "skiing"),
        ("play", "playing"),
        ("see", "seeing"),
        ("run", "running"),
        ("look", "looking"),
        ("open", "opening"),
        ("fix", "fixing"),
        ("dye", "dyeing"),
    ],
)
def test_progressive(verb, form):
    assert progressive(verb) == form


@pytest.mark.parametrize(
    ("caption", "left"),
    [
        ("a sign with 'one way' on it", "a sign on it"),
        ("the dogs' tails", "the dogs' tails"),
        ("a cat --ar 16:9", "a cat"),
        ("a painting of a horse on the wall", "a painting of a horse on the wall"),
        ("an oil painting of a horse", "a horse"),
    ],
)
def test_prompts_keep_every_place(caption, left):
    prompt = PromptReader.shipped().read(caption)
    assert len(prompt.text) == len(caption)
    assert " ".join(prompt.text.split()) == left
    for at, character in enumerate(prompt.text):
        assert character in (caption[at], " ", ",")


def asked() -> list[Asked]:
    captions = {1: "two dogs", "b, c": 'a red sign that says "no, thanks"'}
    return [Asked(i, text, spicepy.questions(text)) for i, text in captions.items()]


def test_own_lines():
    rows = [json.loads(line) for line in written(asked())]
    assert list(rows[0]) == [
        *("image_id", "id", "parents", "category", "detail", "tuple", "question"),
        *("expected", "start", "end", "version"),
    ]
    assert rows[1] == {
        "image_id": 1,
        "id": 2,
        "parents": [1],
        "category": "other",
        "detail": "count",
        "tuple": ["dog", "2"],
        "question": "Are there two dogs?",
        "expected": "yes",
        "start": 0,
        "end": 8,
        "version": questions_version(),
    }


def test_dsg_has_no_questions_that_no_should_answer():
    caption = "a man without a hat"
    denied = [Asked(1, caption, spicepy.questions(caption))]
    assert len("".join(written(denied, "dsg")).splitlines()) == len(denied) + 1


def test_dsg_csv():
    rows = list(csv.DictReader("".join(written(asked(), "dsg")).splitlines()))
    assert rows[0]["dependency"] == "0"
    assert rows[1]["tuple"] == "other - count (dog, ==2)"
    assert rows[1]["dependency"] == "1"
    assert {row["item_id"] for row in rows} == {"1", "b, c"}
    assert 'other - text rendering (sign, "no, thanks")' in {r["tuple"] for r in rows}


def test_tifa_and_pope():
    tifa = json.loads("".join(written(asked(), "tifa")))
    assert tifa[0]["choices"] == ["yes", "no"]
    assert {row["element_type"] for row in tifa} >= {"object", "counting", "color"}
    pope = [json.loads(line) for line in written(asked(), "pope")]
    assert [row["question_id"] for row in pope] == list(range(1, len(pope) + 1))
    assert set(FORMATS) == {"jsonl", "dsg", "tifa", "pope"}
    with pytest.raises(spicepy.InputError, match="unknown format 'xml'"):
        list(written(asked(), "xml"))


def test_a_caption_may_begin_with_a_space():
    [asked] = spicepy.questions([" boy is looking at something at the park"])
    assert asked[0].question == "Is there a boy?"
