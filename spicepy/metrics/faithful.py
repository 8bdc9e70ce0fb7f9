"""Faithfulness as a metric: the share of a caption's statements that hold.

References are not read.

A statement holds if its question is answered as expected. As in DSG, a question whose
parent does not hold is not asked: its statement does not hold, either, whatever answer
is given. Other questions without an answer, or with an unknown one, do not count.

Source: Cho et al. 2024, Davidsonian Scene Graph, section 3.3.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from spicepy.asking.answers import Answer, AnswerBook
from spicepy.asking.questioning import Question, shared_questioner
from spicepy.captions.sample import ImageId
from spicepy.common.errors import InputError
from spicepy.metrics.base import Array, MeanOfDefined, Statistics, defined_row, number
from spicepy.tokenization.samples import TokenisedSample, raw_samples

CATEGORIES: Final = ("entity", "attribute", "relation", "global", "other")
KEYS: Final = ("faithful", *(f"faithful-{name}" for name in CATEGORIES))
"""The share of all statements, and of those of each category."""


@dataclass(frozen=True, slots=True)
class CaptionAnswers:
    """The questions of a caption with their answers."""

    image_id: ImageId
    questions: tuple[Question, ...]
    answers: tuple[Answer | None, ...]
    holds: tuple[bool | None, ...]

    @property
    def row(self) -> list[float]:
        """The share that holds and 1, or 0 and 0 where undefined, for each key."""
        held = [
            [
                holds
                for question, holds in zip(self.questions, self.holds)
                if holds is not None and category in ("", question.category)
            ]
            for category in ("", *CATEGORIES)
        ]
        return defined_row(sum(h) / len(h) if h else None for h in held)

    @property
    def missing(self) -> list[Question]:
        """The questions without an answer that would have to be asked."""
        pairs = zip(self.questions, self.answers, self.holds)
        return [q for q, answer, holds in pairs if answer is None and holds is None]

    @property
    def unknown(self) -> list[Question]:
        """The questions whose answer is neither yes nor no, and no parent fails."""
        pairs = zip(self.questions, self.answers, self.holds)
        return [q for q, answer, holds in pairs if answer is not None and holds is None]

    @property
    def refuted(self) -> list[Question]:
        """The questions that are answered against what is expected."""
        return [
            question
            for question, answer in zip(self.questions, self.answers)
            if answer is not None
            and answer.yes is not None
            and answer.yes != (question.expected == "yes")
        ]


def answered(
    image_id: ImageId, questions: Sequence[Question], book: AnswerBook
) -> CaptionAnswers:
    """Return the questions of a caption with their answers, and which hold."""
    answers = [book.answer_to(image_id, question) for question in questions]
    holds: dict[int, bool | None] = {}
    for question, answer in zip(questions, answers):
        if any(holds.get(parent) is False for parent in question.parents):
            holds[question.id] = False
        elif answer is None or answer.yes is None:
            holds[question.id] = None
        else:
            holds[question.id] = answer.yes == (question.expected == "yes")
    held = tuple(holds[question.id] for question in questions)
    return CaptionAnswers(image_id, tuple(questions), tuple(answers), held)


class Faithful(MeanOfDefined):
    """The share of statements that hold in the picture, by a file of answers."""

    def __init__(self, answers: str | Path | AnswerBook) -> None:
        self.answers: AnswerBook = (
            answers if isinstance(answers, AnswerBook) else AnswerBook.load(answers)
        )
        self.questioner = shared_questioner()

    keys = KEYS

    def measure(
        self, captions: Sequence[tuple[ImageId, str]]
    ) -> tuple[CaptionAnswers, ...]:
        """Return captions, given as (image id, caption), with what holds of them."""
        asked = self.questioner.ask(caption for _, caption in captions)
        return tuple(
            answered(image_id, questions, self.answers)
            for (image_id, _), questions in zip(captions, asked, strict=True)
        )

    def count(self, samples: Sequence[TokenisedSample]) -> Statistics:
        """Reduce samples to rows of `CaptionAnswers`."""
        raw = raw_samples(samples, "faithful")
        measured = self.measure([(image_id, s.candidate) for image_id, s in raw])
        if measured and not any(a for m in measured for a in m.answers):
            asked = {m.image_id: m.questions for m in measured}
            self.answers.check(asked)
            raise InputError("no question of these captions has an answer")
        rows = np.array([m.row for m in measured]).reshape(-1, 2 * len(KEYS))
        return Statistics(tuple(s.image_id for s in samples), rows, measured)

    def image_entry(
        self, scores: Array, detail: Any, *, tuples: bool = False
    ) -> dict[str, Any]:
        """Return the shares, and the questions that the answers refute."""
        entry: dict[str, Any] = dict(zip(self.keys, map(number, scores)))
        if isinstance(detail, CaptionAnswers):
            entry["faithful-refuted"] = [q.question for q in detail.refuted]
        return entry

    def signature(self) -> Mapping[str, str]:
        """Return the version and grammar of the questions, and who answered what."""
        return {
            "metric": "faithful",
            **self.questioner.signature(),
            "questions": self.questioner.version,
            "answers": f"{self.answers.model}@{self.answers.digest}",
        }

    def protocol(self, signature: str) -> str:
        """Return the signature without the answers, but with the model, if known."""
        # Answers differ between systems that drew the pictures, or say other things.
        book = self.answers
        answers, judge = f"{book.model}@{book.digest}", book.model * book.named
        return signature.replace(f"answers:{answers}", f"answers:{judge}")
