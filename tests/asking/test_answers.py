"""Reading answers, and what they say of captions."""

import json
import math

import pytest
from typer.testing import CliRunner

import spicepy
from spicepy.asking.answers import Answer, AnswerBook, said
from spicepy.asking.questioning import Question, questions, questions_version
from spicepy.cli import command_line
from spicepy.common.errors import InputError
from spicepy.evaluation.verification import verify
from spicepy.metrics.faithful import Faithful, answered

CAPTIONS = [(1, "two brown dogs on a sofa"), (2, "a man without a hat rides a horse")]


@pytest.mark.parametrize(
    ("text", "yes"),
    [
        ("yes", True),
        ("Yes, there are two dogs.", True),
        ("**No**", False),
        ("Answer: no", False),
        (" NO.", False),
        ("True", True),
        ("maybe", None),
        ("I cannot see that", None),
        ("", None),
        ("no idea", None),
        ("Yes or no", None),
        ("Not sure", None),
        ("Nothing of the kind", None),
        ("yesterday", None),
    ],
)
def test_texts(text, yes):
    assert said(text) is yes


def test_other_answers():
    assert Answer.read(True) == Answer(True)
    assert Answer.read(None) == Answer(None)
    assert Answer.read(0.5) == Answer(True, 0.5)
    assert Answer.read(0) == Answer(False, 0.0)
    for value, words in ((1.5, "from 0 to 1"), (float("nan"), "from 0"), ([], "give")):
        with pytest.raises(spicepy.InputError, match=words):
            Answer.read(value)


def book(refuted=(), unknown=(), missing=(), model="toy"):
    made = AnswerBook(model)
    for image_id, caption in CAPTIONS:
        for question in questions(caption):
            if question.question in missing:
                continue
            yes = (question.expected == "yes") != (question.question in refuted)
            answer = Answer(None if question.question in unknown else yes)
            made.add(image_id, question.question, answer)
    return made


def test_all_hold():
    result = verify({"a": CAPTIONS}, [book()])
    [one] = result.by_model
    assert one.evaluations["a"].image_scores("faithful") == {1: 1.0, 2: 1.0}
    assert result.warnings == () or "no difference" in result.warnings[0]


def test_children_of_a_no_do_not_hold():
    asked = questions(CAPTIONS[0][1])
    found = answered(1, asked, book(refuted=["Are there dogs?"]))
    held = {q.question: holds for q, holds in zip(asked, found.holds)}
    assert held == {
        "Are there dogs?": False,
        "Is there a sofa?": True,
        "Are there two dogs?": False,
        "Are the dogs brown?": False,
        "Are the dogs on the sofa?": False,
    }
    assert [q.question for q in found.refuted] == ["Are there dogs?"]


def test_unknown_and_missing_answers_do_not_count():
    unknown, missing = "Are the dogs brown?", "Are there two dogs?"
    metric = Faithful(book(unknown=[unknown], missing=[missing]))
    [one, _] = metric.measure(CAPTIONS)
    assert [q.question for q in one.unknown] == [unknown]
    assert [q.question for q in one.missing] == [missing]
    assert one.row[:2] == [1.0, 1.0]
    result = verify({"a": CAPTIONS}, [metric.answers])
    assert "toy left 1 question unanswered" in result.warnings[0]
    assert missing in result.warnings[0]


def test_an_unknown_child_of_a_no_is_a_zero_and_not_unknown():
    found = Faithful(book(["Are there dogs?"], unknown=["Are the dogs brown?"]))
    [one, _] = found.measure(CAPTIONS)
    brown = [q.question for q in one.questions].index("Are the dogs brown?")
    assert one.holds[brown] is False
    assert one.unknown == []
    assert verify({"a": CAPTIONS}, [found.answers]).by_model[0].counts().rows[0][4] == 0


def test_images_that_not_all_systems_have_are_counted(tmp_path):
    for name, ids in (("a", [1, 2]), ("b", [2, 3, 4])):
        rows = ({"image_id": i, "caption": "a dog"} for i in ids)
        answers_file(tmp_path / f"{name}.jsonl", *rows)
    row = {"image_id": 2, "question": "Is there a dog?", "answer": "yes"}
    answers_file(tmp_path / "answers.jsonl", row)
    files = [f"{name}={tmp_path / name}.jsonl" for name in "ab"]
    done = run("verify", *files, "--answers", tmp_path / "answers.jsonl", "--common")
    assert done.exit_code == 0, done.output
    assert "left out, as not every system has them: 1 image of " in (
        " ".join(done.output.split())
    )


def test_a_share_that_is_unknown_is_null():
    caption = "a dog"
    answers = AnswerBook("toy")
    for question in questions(caption):
        answers.add(1, question.question, Answer(None))

    [model] = verify({"a": [(1, caption)]}, [answers], samples=10).to_dict()["models"]

    assert model["captions"][0]["faithful"] is None
    json.dumps(model, allow_nan=False)


@pytest.mark.parametrize(("text", "chance"), [("0.9", 0.9), ("1", 1), ("2e-05", 2e-5)])
def test_a_probability_may_be_text_as_csv_has_it(text, chance):
    assert Answer.read(text) == Answer(chance >= 0.5, chance)


def test_a_file_of_answers_will_do(tmp_path):
    rows = [
        f"{image_id},{question.question},0.9"
        for image_id, caption in CAPTIONS
        for question in questions(caption)
    ]
    answers = tmp_path / "answers.csv"
    answers.write_text("\n".join(["image_id,question,answer", *rows]))

    [model] = verify({"a": CAPTIONS}, answers, samples=10).by_model

    assert model.model == "answers"


def test_images_without_a_statement_of_a_category_are_not_counted():
    samples = [spicepy.Sample(*caption, ("a dog",)) for caption in CAPTIONS]

    lines = spicepy.evaluate(samples, [Faithful(book())]).lines()

    images = {line.title: line.images for line in lines}
    assert images["faithful"] == 2
    assert images["faithful-attribute"] == 1


def test_ids_without_a_version_are_warned_of(files):
    captions, answers = files
    rows = [
        {"image_id": image_id, "id": question.id, "answer": "yes"}
        for image_id, caption in CAPTIONS
        for question in questions(caption)
    ]
    answers_file(answers, *rows)

    done = run("verify", captions, "--answers", answers)

    assert done.exit_code == 0, done.output
    assert "an id without the version of the questions" in done.stderr


def test_what_is_denied_is_expected_to_be_no():
    metric = Faithful(book(refuted=["Is the man wearing a hat?"]))
    [_, two] = metric.measure(CAPTIONS)
    assert [q.question for q in two.refuted] == ["Is the man wearing a hat?"]
    assert two.row[:2] == [pytest.approx(3 / 4), 1.0]


def test_models_agree_or_not():
    books = [book(), book(refuted=["Is there a sofa?"], model="other")]
    result = verify({"a": CAPTIONS}, books)
    [agreement] = result.to_dict()["agreement"]
    assert agreement["questions"] == 9
    assert agreement["agreement"] == pytest.approx(8 / 9)
    assert result.tables()[-1].title == "Agreement of the answering models"


def test_systems_are_compared():
    other = [(1, "a sofa"), (2, "a horse")]
    result = verify({"a": CAPTIONS, "b": other}, [book(refuted=["Are there dogs?"])])
    [one] = result.by_model
    assert one.comparison.tests[0].key == "faithful"
    assert one.comparison.intervals["faithful"][1].score == 1.0
    version = questions_version()
    assert f"questions:{version}|grammar:spicepy-1@" in one.comparison.signature
    assert "answers:toy@" in one.comparison.signature


def test_systems_that_drew_the_same_prompts_are_compared(files, tmp_path):
    captions, _ = files
    given = []
    for name, model in (("flux", "judge"), ("sd", "judge"), ("other", "another")):
        path = tmp_path / f"{name}.jsonl"
        rows = [
            {"image_id": i, "question": q.question, "answer": name}
            for i, caption in CAPTIONS
            for q in questions(caption)
        ]
        for row in rows:
            row |= {"model": model, "answer": "no" if name == "sd" else "yes"}
        path.write_text("\n".join(map(json.dumps, rows)))
        given.append(f"{name}={path}")

    output = tmp_path / "v.json"
    done = run(
        "verify", captions, "--answers", *given[:2], "--samples", "10", "-o", output
    )
    assert done.exit_code == 0, done.output
    [model] = json.loads(output.read_text())["models"]
    assert model["systems"] == ["flux", "sd"]
    [test] = [one for one in model["tests"] if one["key"] == "faithful"]
    assert test["difference"] > 0.5
    assert model["signature"].count("answers:judge@") == 2
    for arguments, words in (
        ((captions, "--answers", given[0], given[2]), "not comparable"),
        ((captions, "--answers", given[0], tmp_path / "sd.jsonl"), "give NAME=FILE"),
        ((captions, f"b={captions}", "--answers", *given[:2]), "twice"),
    ):
        with pytest.raises(InputError, match=words):
            run_raising("verify", *arguments)
    with pytest.raises(InputError, match="spicepy verify PROMPTS --answers NAME=FILE"):
        run_raising("compare", output, captions)


def test_evaluate_knows_the_metric():
    samples = [
        {"image_id": i, "candidate": caption, "references": ["a thing"]}
        for i, caption in CAPTIONS
    ]
    result = spicepy.evaluate(samples, metrics=["bleu", Faithful(book())])
    assert result.corpus_score("faithful") == 1.0
    assert math.isnan(result.corpus_score("faithful-global"))
    assert result.to_dict()["images"][0]["faithful-refuted"] == []


@pytest.fixture
def files(tmp_path):
    captions = tmp_path / "captions.json"
    rows = [{"image_id": i, "caption": caption} for i, caption in CAPTIONS]
    captions.write_text(json.dumps(rows), encoding="utf-8")
    return captions, tmp_path / "answers.jsonl"


def run(*arguments):
    return CliRunner().invoke(command_line(arguments[0]), list(map(str, arguments)))


def answers_file(path, *rows):
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")


def test_commands_go_together(files, tmp_path):
    captions, answers = files
    asked = tmp_path / "questions.jsonl"
    assert run("questions", captions, "-o", asked).exit_code == 0
    rows = [json.loads(line) for line in asked.read_text(encoding="utf-8").splitlines()]
    answers_file(answers, *({**row, "answer": row["expected"]} for row in rows))
    done = run("verify", captions, "--answers", answers, "-o", tmp_path / "r.json")
    assert done.exit_code == 0, done.output
    [model] = json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))["models"]
    assert model["model"] == "answers"
    assert [entry["faithful"] for entry in model["captions"]] == [1.0, 1.0]


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ({"image_id": 9, "id": 1, "answer": "yes"}, "no caption has this image"),
        ({"image_id": 1, "id": 77, "answer": "yes"}, "no question 77; the image has 5"),
        (
            {"image_id": 1, "question": "Is it blue?", "answer": "yes"},
            "no answer belongs to a question of these captions",
        ),
        ({"image_id": 1, "id": 1, "answer": 3}, "a probability is from 0"),
        ({"image_id": 1, "id": 1}, "no key 'answer'"),
        ({"id": 1, "answer": "yes"}, "no key 'image_id'"),
        ({"image_id": 1, "answer": "yes"}, "no key 'id' or 'question_id'"),
        ({"image_id": 1, "id": "first", "answer": "yes"}, "give its number"),
    ],
)
def test_bad_answers_are_named(row, words, files):
    captions, answers = files
    answers_file(answers, row)
    with pytest.raises(spicepy.InputError, match=words) as error:
        run_raising("verify", captions, "--answers", answers)
    assert "answers.jsonl" in str(error.value)


def test_ids_of_questions_of_another_version_are_refused(files):
    captions, answers = files
    row = {"image_id": 1, "id": 1, "answer": "yes"}
    own = questions_version()
    answers_file(answers, {**row, "version": own})
    assert run("verify", captions, "--answers", answers).exit_code == 0
    answers_file(answers, {**row, "version": "00c0ffee"})
    with pytest.raises(spicepy.InputError, match=f"version 00c0ffee, but .* {own}"):
        run_raising("verify", captions, "--answers", answers)
    # The words of a question are what they are in every version.
    worded = {**row, "version": "00c0ffee", "question": "Are there dogs?"}
    answers_file(answers, worded)
    assert run("verify", captions, "--answers", answers).exit_code == 0


def run_raising(*arguments):
    done = run(*arguments)
    if done.exception and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done


def test_two_answers_to_one_question(files):
    captions, answers = files
    row = {"image_id": 1, "id": 1, "answer": "yes"}
    answers_file(answers, row, row)
    assert run("verify", captions, "--answers", answers).exit_code == 0
    answers_file(answers, row, {**row, "answer": "no"})
    with pytest.raises(spicepy.InputError, match="answered twice, in two ways"):
        run_raising("verify", captions, "--answers", answers)


def test_answers_of_another_version_are_warned_of(files):
    captions, answers = files
    answers_file(
        answers,
        {"image_id": 1, "question": "Are there dogs?", "answer": "yes"},
        {"image_id": 1, "question": "Is there any dog?", "answer": "yes"},
    )
    done = run("verify", captions, "--answers", answers)
    assert done.exit_code == 0
    assert "1 answer of 2 belong" in " ".join(done.output.split()) or done.stderr


def test_what_is_missing_on_the_command_line(files):
    captions, _ = files
    with pytest.raises(spicepy.InputError, match="no answers"):
        run_raising("verify", captions)
    with pytest.raises(spicepy.InputError, match="--images and --vqa-model must be"):
        run_raising("verify", captions, "--vqa", "http://localhost:1/v1")
    with pytest.raises(spicepy.InputError, match="--answers FILE"):
        spicepy.evaluate(
            [{"image_id": 1, "candidate": "a", "references": ["a"]}], ["faithful"]
        )


@pytest.mark.parametrize("number", [3, "3", "three", "There are 3 cows."])
def test_numbers_are_answers_by_id_as_well(tmp_path, number):
    path = tmp_path / "a.jsonl"
    answers_file(path, {"image_id": 1, "id": 7, "answer": number})
    question = Question(7, (), "other", "number", ("cow",), "How many cows?", "3", 0, 0)
    book = AnswerBook.load(path)
    book.check({1: [question]})
    answer = book.answer_to(1, question)
    assert answer is not None
    assert (answer.yes, answer.text) == (None, str(number))


def test_numbers_above_one_answer_nothing_else(tmp_path):
    path = tmp_path / "a.jsonl"
    answers_file(path, {"image_id": 1, "id": 1, "answer": 3})
    with pytest.raises(spicepy.InputError, match="a probability is from 0 to 1"):
        AnswerBook.load(path).check({1: spicepy.questions("a cow")})


@pytest.mark.parametrize(
    ("rows", "line"),
    [
        ([(1, 9, "yes"), (1, 1, "7")], 1),
        ([(1, 1, "7"), (1, 9, "yes")], 1),
        ([(1, 1, "yes"), (1, 2, "8"), (1, 1, "yes"), (2, 1, "yes")], 2),
        ([(1, 9, "yes"), (1, 1, "yes"), (1, 9, "yes")], 1),
    ],
)
def test_the_first_wrong_answer_is_named(tmp_path, rows, line):
    keys = ("image_id", "id", "answer")
    path = tmp_path / "answers.jsonl"
    path.write_text("".join(json.dumps(dict(zip(keys, row))) + "\n" for row in rows))
    with pytest.raises(spicepy.InputError, match=f"line {line} "):
        AnswerBook.load(path).check({1: spicepy.questions("a red cow"), 2: []})


def test_from_questions_to_diagnosis(tmp_path):
    rows = [
        {"image_id": 1, "candidate": "a cat sleeps", "references": ["a dog sleeps"]},
        {"image_id": 2, "candidate": "two cows", "references": ["three cows graze"]},
    ]
    captions, asked = tmp_path / "c.json", tmp_path / "q.jsonl"
    captions.write_text(json.dumps(rows))
    done = run("questions", captions, "-r", captions, "-o", asked)
    assert done.exit_code == 0, done.output
    questions = [json.loads(line) for line in asked.read_text().splitlines()]
    assert "How many cows are there?" in {q["question"] for q in questions}
    answers, others = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    answers_file(answers, *({**q, "answer": q["expected"]} for q in questions))
    answers_file(others, {"image_id": 9, "question": "?", "answer": 1})
    done = run("diagnose", captions, "--answers", answers)
    assert done.exit_code == 0, done.output
    assert "Answers of a" in done.output
    done = run("diagnose", captions, "--answers", others)
    assert "belongs to a question" in str(done.exception)


def test_a_file_of_questions_has_an_ending_of_its_format(tmp_path):
    captions = tmp_path / "c.txt"
    captions.write_text("a cat\n")
    for name in ("q.json", "q.xlsx", "q.md", "q.csv"):
        done = run("questions", captions, "-o", tmp_path / name)
        assert "cannot hold --format jsonl" in str(done.exception), name
    for name in ("q.jsonl", "q.jsonl.gz", "q.txt", "q"):
        assert run("questions", captions, "-o", tmp_path / name).exit_code == 0
    for form, name in (("pope", "q.json"), ("tifa", "t.json"), ("dsg", "d.csv")):
        done = run("questions", captions, "--format", form, "-o", tmp_path / name)
        assert done.exit_code == 0, done.exception


def test_captions_that_are_no_text_to_ask_about_are_named(tmp_path):
    captions = tmp_path / "odd.json"
    texts = ["**Two dogs** run.", "", "a cat"]
    rows = [{"image_id": k, "caption": text} for k, text in enumerate(texts, 1)]
    captions.write_text(json.dumps(rows))
    done = run("questions", captions, "-o", tmp_path / "q.jsonl")

    assert done.exit_code == 0
    assert "warning: left-overs: 1 candidate has Markdown" in done.stderr
    assert "1 caption gives no question; the first: image 2" in done.stderr


@pytest.mark.parametrize(
    ("text", "yes"),
    [
        ("<think>Is there a dog? I see one.</think>\nYes", True),
        ("Well, no dog here.</think> **No**", False),
        ("<think>Yes, there might be", None),
        ("The answer is no", False),
        ("Final answer: Yes.", True),
        ("The correct answer is: **yes**", True),
        ("So the answer is no.", False),
        ("There is no dog in the picture.", False),
        ("There are not any dogs.", False),
        ("There's no umbrella", False),
        ("There is no way to tell.", None),
        ("There is no doubt about it.", None),
        ("Y", True),
        ("n.", False),
        ("N/A", None),
        ("A: yes", True),
        ("A dog is there", None),
        ("The answer is unclear", None),
        ("Maybe", None),
        ("I cannot see that", None),
        ("Nothing of the kind", None),
        ("Yellow", None),
    ],
)
def test_what_free_text_says(text: str, yes: bool | None) -> None:
    assert said(text) is yes
    assert Answer.read(text).yes is yes


def test_answers_that_are_not_understood_are_warned_of() -> None:
    answers = AnswerBook("m")
    answers.add(1, "Is there a dog?", Answer.read("Perhaps a wolf"))
    found = verify({"mine": [(1, "a dog")]}, answers)

    [text] = [w for w in found.warnings if "neither" in w]
    assert text == (
        "mine: neither yes nor no in 1 of 1 answer by m (not counted); the first: "
        "image 1, Is there a dog? (answer: 'Perhaps a wolf')"
    )
