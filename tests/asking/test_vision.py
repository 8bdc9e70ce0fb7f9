"""Asking a vision model: a real server on the loopback, good and bad ones."""

# ruff: noqa: F811 (a fixture from another module)

import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from chat_server import Handler, picture_of, serving, slowly, well
from cli_run import run  # noqa: F401 (a fixture)

from spicepy.asking import vision
from spicepy.asking.answering import AnswerCache, answer_questions
from spicepy.asking.pictures import Picture, find_pictures
from spicepy.asking.questioning import questions
from spicepy.asking.vision import ChatModel, NoAnswerError, transformers_model
from spicepy.common.errors import InputError, ResourceError

PNG = b"\x89PNG\r\n\x1a\n"
CAPTIONS = {
    1: "two brown dogs on a sofa",
    2: "a man without a hat is riding a horse",
    3: "a red car",
}


@pytest.fixture
def pictures(tmp_path):
    paths = {}
    for number in CAPTIONS:
        paths[number] = tmp_path / f"{number}.png"
        paths[number].write_bytes(PNG + str(number).encode())
    return paths


def asked():
    return [(number, questions(caption)) for number, caption in CAPTIONS.items()]


def picture() -> Picture:
    return Picture(PNG + b"1", "image/png", Path("1.png"))


def test_a_request_is_one_of_the_protocol():
    with serving() as server:
        chat = ChatModel(server.url, "toy")
        assert chat(picture(), ["Is there a dog?"]) == ["Yes."]
        [body] = server.bodies
        assert body["model"] == "toy"
        assert body["temperature"] == 0
        assert body["logprobs"] is True
        assert server.asked[picture().data, "Is there a dog?"] == 1
        assert server.keys == [""]


def test_several_questions_in_one_go():
    with serving(lambda _, q: "yes" if "dog" in q else "no") as server:
        chat = ChatModel(server.url, "toy", together=3)
        own = ["Is there a dog?", "Is there a cat?", "Is the dog red?", "Is it night?"]
        assert chat(picture(), own) == ["yes", "no", "yes", "no"]
        assert server.requests == 2


def test_what_a_list_leaves_out_is_asked_singly():
    def forgetful(handler, body, own):
        if len(own) > 1:
            handler.say("1) yes\n3) no")
        else:
            well(handler, body, own)

    with serving(lambda *_: "no", forgetful) as server:
        chat = ChatModel(server.url, "toy", together=3)
        assert chat(picture(), ["A?", "B?", "C?"]) == ["yes", "no", "no"]


def test_probabilities_of_words_are_taken():
    def sure(handler, body, own):
        top = [{"token": "Yes", "logprob": -0.1}, {"token": " no", "logprob": -2.4}]
        content = [{"token": "Yes", "logprob": -0.1, "top_logprobs": top}]
        handler.say("Yes", logprobs={"content": content})

    with serving(behaviour=sure) as server:
        [answer] = ChatModel(server.url, "toy")(picture(), ["A?"])
    assert answer == pytest.approx(0.9, abs=0.02)


def test_a_server_without_probabilities_is_asked_without():
    def refusing(handler, body, own):
        if "logprobs" in body:
            message = {"error": {"message": "logprobs are not supported"}}
            handler.send(400, json.dumps(message).encode())
        else:
            well(handler, body, own)

    with serving(behaviour=refusing) as server:
        chat = ChatModel(server.url, "toy")
        assert chat(picture(), ["A?", "B?"]) == ["Yes.", "Yes."]
        assert server.requests == 3


def test_rate_limits_and_faults_are_waited_out(monkeypatch):
    status = iter([429, 503, 500])

    def limited(handler, body, own):
        if (code := next(status, None)) is None:
            well(handler, body, own)
        else:
            handler.send(code, b"slow down", {"Retry-After": "0.01"})

    with serving(behaviour=limited) as server:
        chat = ChatModel(server.url, "toy", pause=0.01)
        assert chat(picture(), ["A?"]) == ["Yes."]
        assert server.requests == 4


def cut_off(handler: Handler, body, own):
    handler.send_response(200)
    handler.send_header("Content-Length", "5000")
    handler.end_headers()
    handler.wfile.write(b'{"choices": [')
    handler.close_connection = True


def dripping(handler: Handler, body, own):
    handler.send_response(200)
    handler.send_header("Content-Length", "5000")
    handler.end_headers()
    for _ in range(40):
        handler.wfile.write(b" ")
        handler.wfile.flush()
        time.sleep(0.02)


def endless(handler: Handler, body, own):
    handler.send(200, b" " * 2_000_000)


def no_json(handler: Handler, body, own):
    handler.send(200, b"<html>Welcome</html>")


def other_json(handler: Handler, body, own):
    handler.send(200, b'{"choices": []}')


def deep(handler: Handler, body, own):
    handler.send(200, b"[" * 100_000)


def silent(handler: Handler, body, own):
    handler.close_connection = True


@pytest.mark.parametrize(
    ("behaviour", "words"),
    [
        (cut_off, "cut off|Incomplete|incomplete|missing"),
        (dripping, "too long"),
        (endless, "more than 1,000,000 bytes"),
        (no_json, "the reply is not JSON: '"),
        (other_json, "does not follow the chat protocol"),
        (deep, "not JSON"),
        (silent, "closed|Remote"),
    ],
)
def test_bad_replies_end_in_a_sentence(behaviour, words, monkeypatch):
    monkeypatch.setattr(vision, "RETRIES", 1)
    with serving(behaviour=behaviour) as server:
        chat = ChatModel(server.url, "toy", timeout=0.3, pause=0.01)
        with pytest.raises(ResourceError, match=words) as error:
            chat(picture(), ["A?"])
    assert "after 2 requests" in str(error.value)


def test_a_slow_server_times_out(monkeypatch):
    monkeypatch.setattr(vision, "RETRIES", 0)
    done = threading.Event()
    with serving(behaviour=lambda *_: done.wait(5)) as server:
        chat = ChatModel(server.url, "toy", timeout=0.2, pause=0.01)
        with pytest.raises(ResourceError, match="timed out"):
            chat(picture(), ["A?"])
        done.set()


def test_nobody_listens():
    """An address that never answered is given up soon, one that did is not."""
    with serving() as server:
        chat = ChatModel(server.url, "toy", pause=0.01)
        other = ChatModel(server.url, "toy", pause=0.01)
        assert chat(picture(), ["A?"]) == ["Yes."]
    with pytest.raises(ResourceError, match=r"after 7 requests.*cannot be reached"):
        chat(picture(), ["B?"])
    with pytest.raises(ResourceError, match=r"after 3 requests.*cannot be reached"):
        other(picture(), ["A?"])


@pytest.mark.parametrize("status", [401, 403, 404])
def test_a_refusal_is_not_repeated_and_hides_the_key(status, monkeypatch):
    monkeypatch.setenv("SPICEPY_VQA_KEY", "sk-secret")

    def refuse(handler, body, own):
        message = {"error": {"message": "bad key sk-secret\x1b[31m"}}
        handler.send(status, json.dumps(message).encode())

    with serving(behaviour=refuse) as server:
        with pytest.raises(ResourceError, match=f"refused: status {status}") as error:
            ChatModel(server.url, "toy")(picture(), ["A?"])
        assert server.requests == 1
        assert server.keys == ["Bearer sk-secret"]
    assert "sk-secret" not in str(error.value)
    assert "\x1b" not in str(error.value)


def test_redirects_are_not_followed(monkeypatch):
    monkeypatch.setenv("SPICEPY_VQA_KEY", "sk-secret")
    with serving() as other:
        target = other.url

        def lead(handler, body, own):
            handler.send(307, b"", {"Location": f"{target}/chat/completions"})

        with (
            serving(behaviour=lead) as server,
            pytest.raises(ResourceError, match="leads to"),
        ):
            ChatModel(server.url, "toy")(picture(), ["A?"])
        assert not other.requests


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("localhost:8000", "give the address"),
        ("file:///etc/passwd", "give the address"),
        ("http://me:sk-secret@host/v1", "environment variable"),
    ],
)
def test_addresses_are_checked(url, words):
    with pytest.raises(InputError, match=words) as error:
        ChatModel(url, "toy")
    assert "secret" not in str(error.value)


def test_children_of_a_no_are_not_asked(pictures, tmp_path):
    def says(picture_, question):
        return "no" if question == "Are there dogs?" else "yes"

    with serving(says) as server:
        chat = ChatModel(server.url, "toy")
        answered = answer_questions(asked(), pictures, chat, model="toy", parallel=2)
        said = {question for _, question in server.asked}
    assert "Are there two dogs?" not in said
    assert "Is there a sofa?" in said
    assert answered.book.find(1, "Are there dogs?").yes is False
    assert answered.asked == sum(server.asked.values()) == len(server.asked)


def test_kept_answers_are_not_asked_again(pictures, tmp_path):
    with serving() as server:
        for expected in (True, False):
            cache = AnswerCache(tmp_path / "kept.sqlite")
            chat = ChatModel(server.url, "toy")
            answered = answer_questions(
                asked(), pictures, chat, model="toy", cache=cache
            )
            cache.close()
            assert bool(answered.asked) is expected
        assert max(server.asked.values()) == 1
        # Another model is asked anew, and so is another picture.
        cache = AnswerCache(tmp_path / "kept.sqlite")
        again = answer_questions(asked(), pictures, chat, model="other", cache=cache)
        assert again.asked == answered.kept
        pictures[3].write_bytes(PNG + b"new")
        again = answer_questions(asked(), pictures, chat, model="toy", cache=cache)
        assert again.asked == len(questions(CAPTIONS[3]))


def test_a_refused_picture_leaves_the_others(pictures):
    def refuse_two(handler, body, own):
        if picture_of(body).endswith(b"2"):
            handler.send(413, b"too large")
        else:
            well(handler, body, own)

    with serving(behaviour=refuse_two) as server:
        chat = ChatModel(server.url, "toy")
        answered = answer_questions(asked(), pictures, chat, model="toy")
    [sentence] = answered.refused
    assert "413" in sentence
    assert "2.png" in sentence
    assert answered.book.find(1, "Are there dogs?").yes is True
    assert answered.book.find(2, "Is there a man?") is None


def test_any_function_answers(pictures):
    def answer(picture, own):
        return [0.8 if "dog" in question else None for question in own]

    answered = answer_questions(asked(), pictures, answer, model="mine")
    assert answered.book.find(1, "Are there dogs?").probability == 0.8
    assert answered.book.find(3, "Is there a car?").yes is None


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (lambda picture, own: [], "the model gave 0 answers"),
        (lambda picture, own: [2.0] * len(own), "from 0 to 1"),
        (lambda picture, own: [{}] * len(own), "give yes or no"),
    ],
)
def test_wrong_answers_of_functions(answer, words, pictures):
    with pytest.raises(InputError, match=words):
        answer_questions(asked(), pictures, answer, model="mine")


def test_pictures_are_checked_before_anything_is_asked(pictures):
    pictures[3].write_bytes(b"<html>")
    with pytest.raises(InputError, match=r"3\.png: no picture"):
        answer_questions(asked(), pictures, lambda *_: 1 / 0, model="mine")
    pictures[3].write_bytes(b"")
    with pytest.raises(InputError, match="an empty file"):
        answer_questions(asked(), pictures, lambda *_: 1 / 0, model="mine")
    with pictures[3].open("wb") as file:
        file.truncate(30_000_000)
    with pytest.raises(InputError, match="30,000,000 bytes"):
        answer_questions(asked(), pictures, lambda *_: 1 / 0, model="mine")


def test_pictures_are_found(tmp_path):
    for name in ("7.png", "COCO_val2014_000000000042.jpg", "a b.jpg", "notes.txt"):
        (tmp_path / name).write_bytes(PNG)
    found = find_pictures(str(tmp_path), [7, 42, "a b"])
    assert [path.name for path in found.values()] == [
        "7.png",
        "COCO_val2014_000000000042.jpg",
        "a b.jpg",
    ]
    pattern = str(tmp_path / "COCO_val2014_{image_id:012d}.jpg")
    assert find_pictures(pattern, [42])[42].name.endswith("42.jpg")
    with pytest.raises(InputError, match="no file for 1 image of 2; the first is 8"):
        find_pictures(str(tmp_path), [7, 8])
    with pytest.raises(InputError, match="neither a folder nor a path"):
        find_pictures("nowhere", [7])
    with pytest.raises(InputError, match="does not fit"):
        find_pictures(pattern, ["x"])


class Pipeline:
    task = "visual-question-answering"

    def __call__(self, image, question):
        return [{"answer": "yes", "score": 0.6}, {"answer": "no", "score": 0.2}]


def test_transformers_pipelines(tmp_path):
    images = pytest.importorskip("PIL.Image")
    path = tmp_path / "1.png"
    images.new("RGB", (2, 2)).save(path)
    own = Picture.load(path)
    assert transformers_model(Pipeline())(own, ["A?"]) == [pytest.approx(0.75)]
    with pytest.raises(NoAnswerError, match="no picture"):
        transformers_model(Pipeline())(picture(), ["A?"])


def test_the_command_asks_and_resumes(run, monkeypatch, pictures, tmp_path):
    monkeypatch.setenv("SPICEPY_VQA_KEY", "sk-secret")
    captions = tmp_path / "captions.json"
    rows = [{"image_id": i, "caption": text} for i, text in CAPTIONS.items()]
    captions.write_text(json.dumps(rows), encoding="utf-8")
    with serving() as server:
        _, _, _, *arguments = _command(captions, server.url, tmp_path)
        arguments.remove("--quiet")
        first = run(*arguments)
        # Another process has nothing in memory.
        again = _run(captions, server.url, tmp_path)
        for done in (first, again):
            assert done.returncode == 0, done.stderr
            assert "toy" in done.stdout
            assert "sk-secret" not in done.stdout + done.stderr
        assert max(server.asked.values()) == 1


def test_the_pictures_of_several_systems_are_asked_about(run, pictures, tmp_path):
    captions = tmp_path / "captions.json"
    rows = [{"image_id": i, "caption": text} for i, text in CAPTIONS.items()]
    captions.write_text(json.dumps(rows), encoding="utf-8")
    folders = {name: tmp_path / name for name in ("sd", "flux")}
    for name, folder in folders.items():
        folder.mkdir()
        for number in CAPTIONS:
            (folder / f"{number}.png").write_bytes(PNG + f"{name}{number}".encode())
    named = [f"{name}={folder}" for name, folder in folders.items()]
    with serving() as server:
        command = _command(captions, server.url, tmp_path)[3:]
        command[2:4] = ["--images", *named]
        done = run(*command)
        assert done.returncode == 0, done.stderr
        [model] = json.loads((tmp_path / "result.json").read_text())["models"]
        assert (model["systems"], model["model"]) == (["sd", "flux"], "toy")
        assert {picture[8:10] for picture, _ in server.asked} == {b"sd", b"fl"}
        command[2:5] = ["--images", str(folders["sd"]), str(folders["flux"])]
        assert "give one folder, or NAME=FOLDER for each" in run(*command).stderr


def _command(captions, url, folder):
    return [
        *(sys.executable, "-m", "spicepy", "verify", str(captions)),
        *("--images", str(folder), "--vqa", url, "--vqa-model", "toy"),
        *("--kept-answers", str(folder / "kept.sqlite"), "--quiet"),
        *("-o", str(folder / "result.json"), "--parallel", "8"),
    ]


def _run(captions, url, folder):
    command = [c for c in _command(captions, url, folder) if c != "--quiet"]
    environment = {**os.environ, "SPICEPY_VQA_KEY": "sk-secret"}
    return subprocess.run(
        command, capture_output=True, text=True, env=environment, timeout=120
    )


@pytest.mark.slow
def test_three_times_stopped_nothing_is_asked_twice(tmp_path):
    """10,000 questions; what was answered is kept when the command is stopped."""
    rows = []
    generator = random.Random(7)
    words = [
        "dog",
        "cat",
        "horse",
        "car",
        "boat",
        "kite",
        "ball",
        "cake",
        "bird",
        "sheep",
    ]
    colors = ["red", "blue", "green", "black", "white", "brown", "yellow"]
    total = 0
    for number in range(1, 1_300):
        a, b = generator.sample(words, 2)
        c, d = generator.sample(colors, 2)
        text = f"a {c} {a} next to a {d} {b} on a table, under a tree"
        rows.append({"image_id": number, "caption": text})
        total += len(questions(text))
        (tmp_path / f"{number}.png").write_bytes(PNG + str(number).encode())
    assert total >= 10_000
    captions = tmp_path / "captions.json"
    captions.write_text(json.dumps(rows), encoding="utf-8")
    with serving(behaviour=slowly) as server:
        for _ in range(3):
            begun = server.requests
            process = subprocess.Popen(_command(captions, server.url, tmp_path))
            while server.requests < begun + 1_500 and process.poll() is None:
                time.sleep(0.05)
            process.send_signal(signal.SIGTERM)
            assert process.wait(60) == 143
        assert subprocess.run(_command(captions, server.url, tmp_path)).returncode == 0
        assert len(server.asked) == sum(server.asked.values())
        assert len(server.asked) >= 10_000


@pytest.mark.slow
def test_three_times_killed_nothing_answered_is_asked_again(tmp_path):
    """SIGKILL leaves no time to keep what is being asked, and only that is repeated."""
    rows = []
    for number in range(150):
        rows.append({"image_id": number, "caption": "a red dog and a blue cat run"})
        (tmp_path / f"{number}.png").write_bytes(PNG + str(number).encode())
    captions = tmp_path / "captions.json"
    captions.write_text(json.dumps(rows), encoding="utf-8")
    with serving(behaviour=slowly) as server:
        command = _command(captions, server.url, tmp_path)
        for _ in range(3):
            begun = server.requests
            process = subprocess.Popen(command)
            while server.requests < begun + 100 and process.poll() is None:
                time.sleep(0.01)
            process.kill()
            process.wait()
        assert subprocess.run(command).returncode == 0
    assert len(server.asked) >= 600
    assert sum(server.asked.values()) - len(server.asked) <= 3 * 8
