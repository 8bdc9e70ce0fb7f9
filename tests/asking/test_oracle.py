"""An oracle that knows the annotated objects of the pictures, put through a server."""

import json
from pathlib import Path

import pytest
from chat_server import serving

from spicepy.asking.answering import answer_questions
from spicepy.asking.questioning import Question, questions
from spicepy.asking.vision import ChatModel
from spicepy.evaluation.verification import verify
from spicepy.objects.instances import read_instances
from spicepy.objects.vocabulary import load_vocabulary

FOLDER = Path(__file__).parents[2] / "fixtures" / "annotations"
PNG = b"\x89PNG\r\n\x1a\n"


class Oracle:
    """Answers about objects and numbers from annotations; others "I cannot tell"."""

    def __init__(self, asked: dict[int, list[Question]]) -> None:
        self.instances = read_instances([FOLDER / "instances.json"])
        self.vocabulary = load_vocabulary("coco-80")
        self.asked = {(i, q.question): q for i, own in asked.items() for q in own}

    def __call__(self, picture: bytes, text: str) -> str:
        image_id = int(picture.removeprefix(PNG))
        question = self.asked[image_id, text]
        counts = self.instances.images[image_id].counts
        name = self.vocabulary.class_of(question.tuple[0], lambda _: False)
        if name is None or question.category not in ("entity", "other"):
            return "I cannot tell."
        number = counts.get(name, 0)
        if question.detail == "count" and question.tuple[1].isdigit():
            return "Yes." if number == int(question.tuple[1]) else f"No, {number}."
        return "Yes." if number else "No."


@pytest.mark.parametrize("together", [1, 4])
def test_the_oracle_finds_what_is_wrong(tmp_path, together):
    rows = json.loads((FOLDER / "captions.json").read_text(encoding="utf-8"))
    captions = [(row["image_id"], row["caption"]) for row in rows]
    asked = {image_id: questions(caption) for image_id, caption in captions}
    pictures = {}
    for image_id in asked:
        pictures[image_id] = tmp_path / f"{image_id}.png"
        pictures[image_id].write_bytes(PNG + str(image_id).encode())
    with serving(Oracle(asked)) as server:
        chat = ChatModel(server.url, "oracle", together=together)
        answered = answer_questions(asked.items(), pictures, chat, model="oracle")
    [result] = verify({"a": captions}, [answered.book]).by_model
    refuted = {
        (entry["image_id"], question["question"])
        for entry in result.entries()
        for question in entry["refuted"]
    }
    assert refuted == {
        (2, "Is there a dog?"),
        (4, "Is there a kite?"),
        (5, "Are there three zebras?"),
        (6, "Is there a horse?"),
    }
