"""Answering: the questions about many pictures, put to a vision model.

In: captions with their questions, the pictures, and a model. Out: an `AnswerBook`.

A question is asked once for each picture, whoever's caption it comes from, and only if
the statements that it presupposes hold. What was answered is kept at once, in a file of
SQLite, by the digest of the picture, the question and the model: a run that was stopped
or killed goes on where it was.
"""

import json
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from spicepy.asking.answers import Answer, AnswerBook
from spicepy.asking.pictures import Picture, check_picture
from spicepy.asking.questioning import Question
from spicepy.asking.vision import Answering, ChatModel, NoAnswerError
from spicepy.captions.sample import ImageId
from spicepy.common.errors import InputError, ResourceError, brief, counted
from spicepy.common.progress import advance
from spicepy.common.resources import data_folder

NAME: Final = "answers.sqlite"
"""The file of answers in the folder of the user's data."""


class AnswerCache:
    """Answers that were given, in a file; safe in threads and processes.

    Args:
        path: The file; by default `NAME` in the folder of the user's data.

    Raises:
        InputError: The file cannot be made or opened, or is not a file of answers.
    """

    def __init__(self, path: str | Path | None = None) -> None:
        self.path = Path(path) if path else data_folder() / NAME
        self._lock = threading.Lock()
        try:
            if not path:
                self.path.parent.mkdir(parents=True, exist_ok=True)
            self._database = sqlite3.connect(
                self.path, timeout=60, check_same_thread=False, isolation_level=None
            )
            self._database.execute("PRAGMA journal_mode = WAL")
            self._database.execute("PRAGMA synchronous = NORMAL")  # survives a kill
            self._database.execute(
                "CREATE TABLE IF NOT EXISTS answers (picture TEXT, question TEXT, "
                "model TEXT, answer TEXT, PRIMARY KEY (picture, question, model)) "
                "WITHOUT ROWID"
            )
        except (sqlite3.Error, OSError) as error:
            raise InputError(f"{self.path}: no file of answers ({error})") from None

    def get(self, picture: str, model: str) -> dict[str, Any]:
        """Return the answers to questions about a picture, by question."""
        with self._lock:
            rows = self._execute(
                "SELECT question, answer FROM answers WHERE picture = ? AND model = ?",
                (picture, model),
            )
        return {question: json.loads(answer) for question, answer in rows}

    def put(self, picture: str, model: str, answers: Mapping[str, Any]) -> None:
        """Keep answers; they are on disk when this returns."""
        with self._lock:
            self._execute("BEGIN IMMEDIATE", ())
            for question, answer in answers.items():
                self._execute(
                    "INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?)",
                    (picture, question, model, json.dumps(answer)),
                )
            self._execute("COMMIT", ())

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    def _execute(self, statement: str, values: Sequence[str]) -> list[tuple[str, str]]:
        try:
            return self._database.execute(statement, values).fetchall()
        except sqlite3.Error as error:
            raise ResourceError(
                f"{self.path}: {error}; free space on the disk?"
            ) from None


@dataclass(frozen=True)
class Answered:
    """The result of a run."""

    book: AnswerBook
    asked: int  # The number of questions that the model was asked now.
    kept: int  # The number of answers that earlier runs had kept.
    refused: tuple[str, ...] = ()  # A sentence for each picture that was refused.

    @property
    def warnings(self) -> tuple[str, ...]:
        """Notes for the reader of the answers."""
        if not self.refused:
            return ()
        return (
            f"{counted(len(self.refused), 'picture')} could not be asked about; the "
            f"first: {self.refused[0]}",
        )


def answer_questions(
    asked: Iterable[tuple[ImageId, Sequence[Question]]],
    pictures: Mapping[ImageId, Path],
    answer: Answering,
    *,
    model: str,
    cache: AnswerCache | None = None,
    parallel: int = 1,
) -> Answered:
    """Ask a vision model the questions about pictures.

    Args:
        asked: The questions of each caption; an image may have several captions.
        pictures: The file of each image.
        answer: The model: a `ChatModel`, or any function of a picture and questions
            that gives an answer to each.
        model: Its name, under which answers are kept.
        cache: Where answers are kept; None keeps none.
        parallel: The number of pictures that are asked about at the same time.

    Raises:
        InputError: A picture is missing or no picture; the model gave a wrong number of
            answers, or an answer of a wrong kind.
        ResourceError: The model cannot be asked. What was answered is in the cache.
    """
    by_image: dict[ImageId, list[Sequence[Question]]] = {}
    for image_id, questions in asked:
        by_image.setdefault(image_id, []).append(questions)
    lacking = [image_id for image_id in by_image if image_id not in pictures]
    if lacking:
        raise InputError(f"image {brief(lacking[0])} has no picture")
    for image_id in by_image:
        check_picture(pictures[image_id])
    book, counts, refused = AnswerBook(model), [0, 0], []
    stop = threading.Event()
    with ThreadPoolExecutor(parallel, "asking") as pool:
        jobs = {
            pool.submit(
                _of_picture, pictures[image_id], listed, answer, model, cache, stop
            ): image_id
            for image_id, listed in by_image.items()
        }
        try:
            for done, job in enumerate(as_completed(jobs), 1):
                answers, new, trouble = job.result()
                for question, given in answers.items():
                    book.add(jobs[job], question, given, f"image {jobs[job]}")
                counts[0] += new
                counts[1] += len(answers) - new
                refused += [trouble] if trouble else []
                advance("asking", done, len(jobs))
        except BaseException:
            # What is being asked now is still answered and kept; nothing else is begun.
            stop.set()
            if isinstance(answer, ChatModel):
                answer.stop()
            for job in jobs:
                job.cancel()
            raise
    if refused and not len(book):
        raise ResourceError(f"no picture could be asked about: {refused[0]}")
    return Answered(book, counts[0], counts[1], tuple(refused))


def _of_picture(
    path: Path,
    listed: Sequence[Sequence[Question]],
    answer: Answering,
    model: str,
    cache: AnswerCache | None,
    stop: threading.Event,
) -> tuple[dict[str, Answer], int, str]:
    """Ask about one picture, children after their parents.

    Returns its answers, how many are new, and what went wrong.
    """
    picture = Picture.load(path)
    digest = picture.digest
    known = cache.get(digest, model) if cache else {}
    answers: dict[str, Answer] = {}
    new, trouble = 0, ""
    while ready := list(dict.fromkeys(_ready(listed, answers))):
        unknown = [question for question in ready if question not in known]
        for own in _parts(unknown, answer):
            if stop.is_set():
                return answers, new, ""
            try:
                given = _given(answer, picture, own)
            except NoAnswerError as error:
                trouble = str(error)
                break
            if cache:
                cache.put(digest, model, given)
            known |= given
            new += len(own)
        where = f"{path}, answers of {model}"
        answers |= {
            question: Answer.read(known[question], f"{where}, {brief(question)}")
            for question in ready
            if question in known
        }
        if trouble:
            break
    return answers, new, trouble


def _parts(questions: Sequence[str], answer: Answering) -> Iterator[Sequence[str]]:
    """Yield the questions that go into one request, whose answers are kept at once."""
    size = answer.together if isinstance(answer, ChatModel) else max(1, len(questions))
    return (questions[at : at + size] for at in range(0, len(questions), size))


def _given(
    answer: Answering, picture: Picture, questions: Sequence[str]
) -> dict[str, Any]:
    """Return the answers of a model, checked."""
    given = list(answer(picture, questions))
    if len(given) != len(questions):
        raise InputError(
            f"{picture.path}: {counted(len(questions), 'question')}, but the model "
            f"gave {counted(len(given), 'answer')}"
        )
    for question, value in zip(questions, given):
        Answer.read(value, f"{picture.path}, {brief(question)}")
    return dict(zip(questions, map(_plain, given)))


def _plain(value: Any) -> Any:
    """Return an answer as JSON holds it: numbers of numpy and torch as floats."""
    return value if value is None or isinstance(value, bool | str) else float(value)


def _ready(
    listed: Sequence[Sequence[Question]], answers: Mapping[str, Answer]
) -> Iterator[str]:
    """Yield the questions without an answer whose parents all are answered and hold."""
    for questions in listed:
        holds: dict[int, bool] = {}
        for question in questions:
            given = answers.get(question.question)
            parents = all(holds.get(parent, False) for parent in question.parents)
            if given is None and parents:
                yield question.question
            expected = question.expected == "yes"
            # After an unknown answer its children are still asked.
            right = given is not None and given.yes in (expected, None)
            holds[question.id] = parents and right
