"""Answers: what a vision model says to questions about pictures.

In: files of answers, or answers as Python values. Out: an `AnswerBook`, which finds the
answer to a question of an image.

An answer is `true` or `false`, a probability of "yes" (0-1), or text that begins with
yes or no. Other text ("maybe", "I cannot see …") is unknown: neither yes nor no.
"""

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from numbers import Real
from pathlib import Path
from typing import Any, Final, Self

from spicepy.asking.questioning import Question, questions_version
from spicepy.captions.reading import first, locate, read_records
from spicepy.captions.sample import ImageId
from spicepy.common.errors import InputError, brief, counted
from spicepy.common.files import name_of

HOW_MANY: Final = "How many "
"""The beginning of questions that a number answers."""
_KEYS: Final = ("answer", "probability", "text", "response", "output")
_YES: Final = re.compile(r"(?:yes|yeah|yep|true|correct)\b", re.I)
_NO: Final = re.compile(
    r"(?:no|nope|false|incorrect)\b(?! (?:idea|information|way to))", re.I
)
_EITHER: Final = re.compile(r"(?:yes (?:or|and) no|no (?:or|and) yes|yes/no)\b", re.I)
_NUMBER: Final = re.compile(r"\d+(?:\.0)?")
_PROBABILITY: Final = re.compile(r"(?:0|1|0?\.\d+|[01]\.\d*|\d(?:\.\d+)?e-\d+)", re.I)
"""A probability of yes as text, as CSV has it."""
_MARKS: Final = r"[\s*_\"'`“”‘’#>(\[-]*"
_LEAD: Final = re.compile(
    rf"^{_MARKS}(?:(?:so,? )?(?:(?:the )?(?:final |correct )?answer(?: is)?|a)\b"
    rf"{_MARKS}(?::|(?<=is)\s){_MARKS})?",
    re.I,
)
_THOUGHT: Final = re.compile(r"^.*</think(?:ing)?>|^\s*<think(?:ing)?>.*", re.I | re.S)
"""It matches what a model thinks before its answer, or all text if that has no end."""
_LETTER: Final = re.compile(r"([yn])[\s.*)\]]*", re.I)
_ABSENT: Final = re.compile(
    r"there(?: is|'s|’s| are) (?:no|not an?|not any)\b(?! (?:doubt|question|way|clear|"
    r"information|indication|evidence|reason|sign|telling|mention))",
    re.I,
)
"""A sentence that denies what a question asks for: "There is no dog."."""


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer.

    Attributes:
        yes: Whether it is yes; None if it is unknown.
        probability: The probability of "yes", 0-1, if the model gave one.
        text: The words of the model, if the question begins "How many", or may begin
            so since only its id is known.
        given: The text of an answer that says neither yes nor no, for messages.
    """

    yes: bool | None
    probability: float | None = None
    text: str = ""
    given: str = field(default="", compare=False)

    @classmethod
    def read(cls, value: Any, where: str = "answer") -> Self:
        """Read an answer as a model gives it.

        Args:
            value: true or false, a number from 0 to 1 (also as text, as CSV has it),
                text, or null for unknown.
            where: The beginning of error messages: the file and line.

        Raises:
            InputError: It is a number outside 0-1, or another kind of value.

        Example:
            >>> Answer.read("Yes, there are two.").yes, Answer.read("Maybe").yes
            (True, None)
        """
        if isinstance(value, bool) or value is None:
            return cls(value)
        if isinstance(value, str) and _PROBABILITY.fullmatch(value.strip()):
            value = float(value)
        if isinstance(value, Real):
            if not 0 <= float(value) <= 1:
                raise InputError(
                    f"{where}: the answer is {brief(value)}; a probability is from 0 "
                    "to 1"
                )
            return cls(float(value) >= 0.5, float(value))
        if isinstance(value, str):
            yes = said(value)
            return cls(yes, given=value if yes is None else "")
        raise InputError(
            f"{where}: the answer is {brief(value)}; give yes or no, text that begins "
            "with one of them, or a probability"
        )


def said(text: str) -> bool | None:
    """Return whether a text says yes or no at its beginning; None for neither.

    >>> said("<think>A dog?</think> The answer is no."), said("Y"), said("N/A")
    (False, True, None)
    """
    bare = _LEAD.sub("", _THOUGHT.sub("", text, count=1), count=1)
    if _EITHER.match(bare):
        return None
    if letter := _LETTER.fullmatch(bare):
        return letter[1].lower() == "y"
    if _YES.match(bare):
        return True
    return False if _NO.match(bare) or _ABSENT.match(bare) else None


@dataclass
class AnswerBook:
    """Answers by image and question.

    Attributes:
        model: The name of the model that answered.
        named: Whether the answers name it; otherwise it is called after their file.
        given: (image id as text, question) -> answer; the id of the question for
            answers that do not repeat it.
        places: Key -> where the answer stands, for messages.
        versions: Version of the questions, "" where there is none, -> where an answer
            by id names it.
    """

    model: str = "unknown"
    given: dict[tuple[str, str | int], Answer] = field(default_factory=dict)
    places: dict[tuple[str, str | int], str] = field(default_factory=dict)
    versions: dict[str, str] = field(default_factory=dict)
    named: bool = True

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Read a file of answers: JSON lines, a JSON list, CSV or Parquet.

        A row has `image_id`, `question` or `id` (as `spicepy questions` writes them),
        `answer`, and perhaps `probability` (which counts then), `model`, and the
        `version` of the questions, without which ids are taken as they are.

        Raises:
            InputError: The file is wrong, or a question is answered in two ways.
        """
        records = read_records(path)
        models = dict.fromkeys(str(r["model"]) for _, r in records if r.get("model"))
        name = Path(name_of(path)).name.removesuffix(".gz").rpartition(".")[0]
        book = cls("+".join(models) or name or "unknown", named=bool(models))
        for where, record in records:
            image_id, place = locate(record, where)
            key = _key(record, place)
            value = first(record, _KEYS, place)
            given = record.get("probability")
            value = value if given is None else given
            book.add(image_id, key, _answer(key, value, place), place)
            if isinstance(key, int):
                book.versions.setdefault(str(record.get("version") or ""), place)
        return book

    def add(
        self, image_id: ImageId, question: str | int, answer: Answer, where: str = ""
    ) -> None:
        """Add the answer to a question, which is given as text or by its id.

        Raises:
            InputError: The question has another answer already.
        """
        key = str(image_id), question
        known = self.find(image_id, question)
        if known is not None and known != answer:
            raise InputError(
                f"{where}: {brief(question)} is answered twice, in two ways; the other "
                f"answer is at {self.places[key]}"
            )
        self.places.setdefault(key, where)
        self.given[key] = answer

    def find(self, image_id: ImageId, question: str | int) -> Answer | None:
        """Return the answer to a question, None if there is none."""
        return self.given.get((str(image_id), question))

    def answer_to(self, image_id: ImageId, question: Question) -> Answer | None:
        """Return the answer to a question by its words, or else by its id."""
        found = self.find(image_id, question.question)
        return self.find(image_id, question.id) if found is None else found

    def __len__(self) -> int:
        """Return the number of answers."""
        return len(self.given)

    @property
    def digest(self) -> str:
        """A digest of all answers, for signatures."""
        lines = sorted(
            f"{image}\0{question}\0{answer.yes}\0{answer.probability}"
            for (image, question), answer in self.given.items()
        )
        return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:8]

    def check(self, asked: Mapping[ImageId, Iterable[Question]]) -> list[str]:
        """Check that the answers belong to questions; return warnings.

        Args:
            asked: The questions of each image, of all its captions.

        Raises:
            InputError: An answer given by id belongs to no question of its image or to
                questions of another version, or no answer at all belongs to any
                question.
        """
        for version, where in self.versions.items():
            if version and version != questions_version():
                raise InputError(
                    f"{where}: the answer names its question by an id of questions of "
                    f"version {version}, but this spicepy asks those of version "
                    f"{questions_version()}, whose ids may mean others; give each "
                    "answer its `question` in words, or ask anew"
                )
        known = {str(image_id): list(own) for image_id, own in asked.items()}
        others = self._others(known)
        first = self._foreign(others[0], known) if others else ""
        if others and len(others) == len(self):
            raise InputError(
                f"no answer belongs to a question of these captions; the first: {first}"
            )
        warnings = []
        if "" in self.versions:
            warnings.append(
                f"{self.versions['']}: the answer names its question by an id without "
                "the version of the questions, whose ids may have meant others; keep "
                "`version` as `spicepy questions` writes it, or give the `question`"
            )
        if others:
            verb = "belongs" if len(others) == 1 else "belong"
            warnings.append(
                f"of {counted(len(self), 'answer')}, {len(others):,} {verb} to no "
                f"question of these captions; the first: {first}"
            )
        return warnings

    def _others(
        self, known: Mapping[str, Sequence[Question]]
    ) -> list[tuple[str, str | int]]:
        """Return what answers no question; raise an error if an id or number does."""
        many: dict[tuple[str, str | int], bool] = {}  # Whether a number answers it.
        for image, questions in known.items():
            for q in questions:
                many[image, q.question] = number = q.question.startswith(HOW_MANY)
                many[image, q.id] = number and many.get((image, q.id), True)
        for key, answer in self.given.items():  # in the order of the file
            if key not in many and isinstance(key[1], int):
                raise InputError(self._foreign(key, known))
            if not many.get(key, True) and _NUMBER.fullmatch(answer.text):
                # Reading it as a probability raises the error, unless it is 0 or 1.
                Answer.read(float(answer.text), self.places[key])
        return [key for key in self.given if key not in many]

    def _foreign(
        self, key: tuple[str, str | int], known: Mapping[str, Sequence[Question]]
    ) -> str:
        """Return a sentence on an answer that belongs to no question."""
        image, question = key
        where = self.places[key]
        if image not in known:
            return f"{where}: no caption has this image"
        if isinstance(question, int):
            return (
                f"{where}: no question {question}; the image has "
                f"{counted(len(known[image]), 'question')}"
            )
        return (
            f"{where}: {brief(question)} is not a question of this image; answers to "
            "questions of other captions or of another version do not count"
        )


def _answer(key: str | int, value: Any, place: str) -> Answer:
    """Read the answer to a question; that to an unknown one may be a number."""
    text = "" if value is None else str(value).strip()
    if isinstance(key, str):
        many = key.startswith(HOW_MANY)
        return Answer(None, text=text) if many else Answer.read(value, place)
    number = _NUMBER.fullmatch(text)
    answer = Answer(None) if number and float(text) > 1 else Answer.read(value, place)
    return replace(answer, text=text) if number or answer.yes is None else answer


def _key(record: Mapping[str, Any], place: str) -> str | int:
    """Return the question of an answer, or its id."""
    question = record.get("question")
    if isinstance(question, str) and question.strip():
        return question.strip()
    number = first(record, ("id", "question_id"), place, also="question")
    if isinstance(number, str) and number.isdecimal():
        number = int(number)
    if isinstance(number, bool) or not isinstance(number, int):
        raise InputError(
            f"{place}: the id of the question is {brief(number)}; give its number"
        )
    return number
