"""Findings beside a vision model's answers: struck out, confirmed, and new ones."""

import pytest

import spicepy
from spicepy.asking.answers import Answer, AnswerBook
from spicepy.asking.questioning import shared_questioner
from spicepy.asking.scenes import FOIL, NUMBER, SceneQuestions, ask_scenes
from spicepy.captions.sample import Sample
from spicepy.diagnosis.results.answers import (
    MIN_SHARE,
    AnswerEvidence,
    Judge,
    _priors,
)

SCENES = [
    Sample(
        1, "a dog and a cat are sleeping", ("a dog sleeps on a rug", "a dog on a rug")
    ),
    Sample(2, "two horses run", ("three horses run", "three horses are running")),
    Sample(3, "a red kite flies", ("a kite flies", "a kite in the sky")),
    Sample(4, "a boat on a lake", ("a boat on a lake", "a boat on the lake")),
]


@pytest.fixture(scope="module")
def asked() -> list[SceneQuestions]:
    return ask_scenes(SCENES, shared_questioner())


def test_questions_of_references_follow_with_ids_of_their_own(
    asked: list[SceneQuestions],
) -> None:
    [first, second, *_] = asked
    assert [q.id for q in first.all] == list(range(1, len(first.all) + 1))
    assert "Is there a rug?" in {q.question for q in first.others}
    assert all(parent < q.id for q in first.others for parent in q.parents)
    [number] = second.numbers
    assert (number.question, number.expected) == ("How many horses are there?", "3")


def test_a_thing_of_another_image_is_expected_not_to_be_there(
    asked: list[SceneQuestions],
) -> None:
    for scene in asked:
        [foil] = scene.foils
        assert foil.expected == "no"
        assert foil.tuple not in {q.tuple for q in (*scene.own, *scene.others)}


def answers(asked: list[SceneQuestions], told: dict[str, bool | str]) -> AnswerBook:
    """Return answers that are right but for those told."""
    book = AnswerBook("oracle")
    for scene in asked:
        references = {q.tuple for q in scene.others} | {t for t, _ in scene.supported}
        for q in scene.all:
            said = told.get(q.question, q.tuple in references and q.detail != FOIL)
            if q.detail == NUMBER:
                answer = Answer(None, text=str(told.get(q.question, q.expected)))
            else:
                answer = Answer(bool(said))
            book.add(scene.image_id, q.question, answer)
    return book


def probability(kind: str, thing: str, book: AnswerBook | None = None) -> float | None:
    """Return how probable a finding about a thing is, None if there is no such one."""
    found = spicepy.diagnose(SCENES, answers=book, precision=0)
    own = (f for f in found.findings if (f.kind, f.members[0]) == (kind, thing))
    return next((f.probability for f in own), None)


def test_the_picture_strikes_out_and_confirms(asked: list[SceneQuestions]) -> None:
    before = probability("invented object", "cat")
    absent = probability("invented object", "cat", answers(asked, {}))
    there = answers(asked, {"Is there a cat?": True})
    present = probability("invented object", "cat", there)
    assert (present or 0) < before < absent


def test_an_unsupported_word_that_the_picture_lacks_is_invented() -> None:
    references = ("a bus on a street", "a city bus parked", "a bus drives")
    street = Sample(1, "a large bus and some people on the street", references)
    [scene] = ask_scenes([street], shared_questioner())
    book = AnswerBook("oracle")
    for question in scene.own:
        book.add(1, question.question, Answer("people" not in question.tuple))

    def kinds(known: AnswerBook | None) -> list[str]:
        found = spicepy.diagnose([street], answers=known, precision=0)
        return [f.kind for f in found.findings if f.members == ("people",)]

    assert kinds(None) == ["unsupported word"]
    assert kinds(book) == ["invented object"]


def test_an_omission_is_confirmed_by_the_picture(asked: list[SceneQuestions]) -> None:
    before = probability("missed object", "rug")
    assert probability("missed object", "rug", answers(asked, {})) > before
    book = answers(asked, {"Is there a rug?": False})
    assert (probability("missed object", "rug", book) or 0) < before


def test_few_answers_do_not_overrule_people(asked: list[SceneQuestions]) -> None:
    book = answers(asked, {"Is there a lake?": False})
    assert probability("invented object", "lake") is None
    assert probability("invented object", "lake", book) < 0.5


def test_counting_is_measured_by_the_models_numbers(
    asked: list[SceneQuestions],
) -> None:
    found = spicepy.diagnose(SCENES, answers=answers(asked, {}))
    assert [right for _, _, right in found.answers.numbers] == [0, 1]
    book = answers(asked, {"How many horses are there?": "There are two horses."})
    other = spicepy.diagnose(SCENES, answers=book).answers.numbers
    assert other[0] == ("the captions", 1, 1)


def test_a_judge_that_guesses_changes_nothing() -> None:
    guessing = Judge("x", true=100, yes=50, false=100, no=50)
    for yes in (True, False):
        assert guessing.truth(0.9, yes=yes) == pytest.approx(0.9)
    sure = Judge("x", true=1000, yes=990, false=1000, no=990)
    assert sure.truth(0.9, yes=False) < 0.15
    assert Judge("x", 0, 0, 0, 0).truth(0.3, yes=True) == pytest.approx(0.3)
    always = Judge("x", true=33, yes=33, false=12, no=0)
    assert always.truth(0.4, yes=True) == 0.4
    assert always.share_false([True] * 70) == MIN_SHARE
    assert "change nothing" in str(AnswerEvidence(always, 71, 0, 0, ()).table().notes)
    never = AnswerEvidence(Judge("x", true=6, yes=6, false=0, no=0), 6, 0, 0, ())
    assert "none is about a thing of another image" in str(never.table().notes)


def test_shares_of_answers_are_those_that_were_given() -> None:
    judge = Judge("x", true=33, yes=33, false=12, no=12)
    shares = [row[2] for row in AnswerEvidence(judge, 71, 0, 0, ()).table().rows]
    assert shares[1:3] == [1, 1]


def test_the_share_of_false_statements_allows_for_the_judges_errors() -> None:
    judge = Judge("x", true=1000, yes=900, false=1000, no=900)
    assert judge.share_false([True] * 90 + [False] * 10) < 0.05
    assert judge.share_false([True] * 500 + [False] * 500) == pytest.approx(
        0.45, abs=0.06
    )


def test_one_answer_tells_little_of_a_group() -> None:
    judge = Judge("x", true=1000, yes=800, false=1000, no=800)
    assert judge.share_false([False]) < 0.5


def test_what_findings_tell_of_does_not_count_for_what_they_miss() -> None:
    # Twenty zebras are invented, which findings tell; the judge errs once in five.
    samples = [
        Sample(n, "a boat, a zebra and a lake", ("a boat", "a small boat"))
        for n in range(20)
    ]
    scenes = ask_scenes(samples, shared_questioner())
    book = AnswerBook("errs")
    for scene in scenes:
        for q in scene.own:
            wrong = scene.image_id % 5 == 0
            book.add(scene.image_id, q.question, Answer(("zebra" in q.tuple) == wrong))
    judge = Judge("errs", true=1000, yes=800, false=1000, no=800)
    zebra = ("zebra",), "yes"
    told = {(n, zebra) for n in range(20)}
    every = _priors(scenes, book, judge, ())
    others = _priors(scenes, book, judge, told)
    assert others["entity", False] > 0.95 > 0.8 > every["entity", False]


def test_no_question_is_asked_twice_about_an_image() -> None:
    """Somebody is asked for as a person."""
    sample = Sample(1, "a person on a horse", ("someone on a horse", "a horse"))
    [scene] = ask_scenes([sample], shared_questioner())
    texts = [question.question for question in scene.all]
    assert sorted(texts) == sorted(set(texts))
