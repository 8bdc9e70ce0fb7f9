"""Questions: every statement of a caption as a yes / no question about the picture.

In: captions. Out: `Question`s, each with its id, parents, category, tuple, the words of
the caption that it comes from, and the expected answer.
"""

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache
from itertools import islice
from os.path import isfile
from typing import Any, Final, overload

from spicepy.asking.entities import WORD_FILES, StatementWords
from spicepy.asking.reading import read_statements
from spicepy.asking.statements import PromptReader, Said, Statement
from spicepy.asking.wording import QuestionWording
from spicepy.captions.sample import ImageId, check_caption
from spicepy.common.errors import InputError, brief, unknown
from spicepy.common.json_values import json_line
from spicepy.common.resources import folder, read_table
from spicepy.common.tables import csv_text
from spicepy.pipeline import Pipeline
from spicepy.rules.loading import load_grammar

GRAMMAR: Final = "spicepy-1"
"""The grammar whose tuples are statements."""
VERSION: Final = "1"
"""The version of the questions; another one may ask otherwise."""
_BATCH: Final = 1_000  # The number of captions that are parsed in one go.


@dataclass(frozen=True, slots=True)
class Question:
    """One question about a picture.

    Attributes:
        id: Its number among the questions of its caption, from 1.
        parents: The ids of the questions that it presupposes, all lower: what color a
            hat is presupposes the hat.
        category: "entity", "attribute", "relation", "global" or "other".
        detail: The finer category: "whole", "part", "color", "count", "spatial", …
        tuple: (object), (object, value) or (subject, relation, object); (value) alone
            for what the picture as a whole is like.
        question: The question, in English.
        expected: "yes", or "no" if the caption says that it is not so.
        start, end: The piece of the caption that says it, in characters.
    """

    id: int
    parents: tuple[int, ...]
    category: str
    detail: str
    tuple: tuple[str, ...]
    question: str
    expected: str
    start: int
    end: int

    def to_dict(self, image_id: ImageId) -> dict[str, Any]:
        """Return the question of an image as plain values, ready for JSON."""
        values: dict[str, Any] = {"image_id": image_id, **asdict(self)}
        return values | {"parents": list(self.parents), "tuple": list(self.tuple)}


class Questioner:
    """Turns captions into questions.

    Args:
        cache: Where parsed captions are kept: see `Pipeline`.

    Raises:
        ResourceError: A word list or the parser is missing.
    """

    def __init__(self, cache: Any = None) -> None:
        grammar = replace(load_grammar(GRAMMAR), in_order=True)
        self.pipeline = Pipeline(grammar=grammar, cache=cache)
        self._prompts = PromptReader.shipped()
        self._words = StatementWords.shipped(self.pipeline.grammar)
        worn = self._words.is_worn
        self._wording = read_table(
            "questions.toml", lambda data: QuestionWording(data, worn)
        )

    def ask(self, captions: Iterable[str]) -> Iterator[list[Question]]:
        """Yield the questions of each caption, in their order.

        Raises:
            InputError: A caption is too long to be parsed.
        """
        pending = iter(captions)
        while batch := list(islice(pending, _BATCH)):
            yield from map(self._asked, self._read(batch))

    def signature(self) -> dict[str, str]:
        """Return what can change the questions, in a stable order."""
        parts = self.pipeline.signature()
        return {"questions": VERSION, **{k: parts[k] for k in ("grammar", "model")}}

    @property
    def version(self) -> str:
        """A digest of what can change the questions of a caption, and their ids."""
        files = (folder() / f"{name}.toml" for name in WORD_FILES)
        parts = (repr(self.signature()).encode(), *(f.read_bytes() for f in files))
        return hashlib.sha256(b"".join(parts)).hexdigest()[:8]

    def _read(self, captions: Sequence[str]) -> Iterator[Said]:
        """Yield each caption with its statements."""
        prompts = list(map(self._prompts.read, captions))
        texts = [prompt.lead + prompt.text for prompt in prompts]
        traces = self.pipeline.traces(texts)
        for caption, prompt, trace in zip(captions, prompts, traces, strict=True):
            yield read_statements(self._words, trace, prompt, caption)

    def _asked(self, said: Said) -> list[Question]:
        """Return the statements of a caption as questions with ids, each once."""
        numbers: dict[int, int] = {}
        asked: dict[str, Question] = {}
        for statement in said.statements:
            if self._wording.is_part(statement, said):
                continue
            text = self._wording.question(statement, said)
            known = asked.get(text)
            number = known.id if known else len(asked) + 1
            parents = _parents(statement, numbers)
            if statement.category == "entity" and not statement.denied:
                numbers[id(statement.things[0])] = number
            if known is None:
                kind = statement.category, statement.detail, statement.members
                expected = "no" if statement.denied else "yes"
                about = (*kind, text, expected, *statement.span)
                asked[text] = Question(number, parents, *about)
        return list(asked.values())


def _parents(statement: Statement, numbers: Mapping[int, int]) -> tuple[int, ...]:
    """Return the numbers of the statements that say that its things are there."""
    things = statement.things
    every = (*things, *(thing.whose for thing in things))
    above = (things[0].owner,) if statement.category == "entity" else every
    known = (numbers.get(id(thing)) for thing in above)
    return tuple(dict.fromkeys(number for number in known if number is not None))


@cache
def shared_questioner() -> Questioner:
    """Return a questioner with the default grammar, made once per process."""
    return Questioner()


@cache
def questions_version() -> str:
    """Return the digest that tells questions of this version from those of others."""
    return shared_questioner().version


@overload
def questions(captions: str) -> list[Question]: ...
@overload
def questions(captions: list[str] | tuple[str, ...]) -> list[list[Question]]: ...


def questions(
    captions: str | list[str] | tuple[str, ...],
) -> list[Question] | list[list[Question]]:
    """Put every statement of a caption, or of each of several, as a question.

    Args:
        captions: Raw text; several give a list of questions for each, in their order.

    Raises:
        InputError: A caption is not a string, or too long to be parsed.
        ResourceError: The parser or a word list is missing.

    Example:
        >>> for question in questions("two brown dogs"):
        ...     print(question.id, question.parents, question.question)
        1 () Are there dogs?
        2 (1,) Are there two dogs?
        3 (1,) Are the dogs brown?
    """
    listed = [captions] if isinstance(captions, str) else captions
    if not isinstance(listed, Iterable) or isinstance(listed, Mapping):
        raise InputError(
            f"captions: found {brief(captions)}; give a string, or several"
        )
    if isinstance(captions, str) and "." in captions and isfile(captions):
        raise InputError(
            f"captions: {brief(captions)} is the name of a file; give the captions in "
            "it, or use `spicepy questions`"
        )
    texts = [
        check_caption(text, "caption", f"caption {number}")
        for number, text in enumerate(listed, 1)
    ]
    asked = list(shared_questioner().ask(texts))
    return asked[0] if isinstance(captions, str) else asked


# Questions in files: JSON lines of our own, and the formats of published tools: DSG
# (Cho et al. 2024), TIFA (Hu et al. 2023), POPE (Li et al. 2023).


@dataclass(frozen=True, slots=True)
class Asked:
    """A caption with its questions."""

    image_id: ImageId
    caption: str
    questions: Sequence[Question]


def own_lines(asked: Iterable[Asked]) -> Iterator[str]:
    """Yield JSON lines of our own, a question a line, each with its version.

    Ids of another version are other questions.
    """
    for each in asked:
        for question in each.questions:
            row = question.to_dict(each.image_id) | {"version": questions_version()}
            yield json_line(row) + "\n"


_DSG: Final = (
    *("item_id", "text", "proposition_id", "dependency", "category_broad"),
    *("category_detailed", "tuple", "question_natural_language"),
)


def dsg_csv(asked: Iterable[Asked]) -> Iterator[str]:
    """Yield DSG's CSV: the right answer is always yes; no parents are 0."""
    rows = (
        (
            *(each.image_id, each.caption, q.id),
            ",".join(map(str, q.parents)) or "0",
            *(q.category, q.detail, dsg_tuple(q), q.question),
        )
        for each in asked
        for q in each.questions
        if q.expected == "yes"
    )
    yield csv_text(_DSG, rows)


def dsg_tuple(question: Question) -> str:
    """Return a tuple as DSG prints it: "relation - spatial (dog, sofa, on)"."""
    members: tuple[str, ...] = question.tuple
    if len(members) == 3:
        members = (members[0], members[2], members[1])
    if question.detail == "count":
        members = (members[0], f"=={members[1]}")
    if question.detail == "text rendering":
        members = (members[0], json.dumps(members[1], ensure_ascii=False))
    return f"{question.category} - {question.detail} ({', '.join(members)})"


def tifa_json(asked: Iterable[Asked]) -> Iterator[str]:
    """Yield TIFA's JSON; its types of elements stand for our categories."""
    entries = [
        {
            "id": str(each.image_id),
            "caption": each.caption,
            "element": each.caption[q.start : q.end],
            "question": q.question,
            "choices": ["yes", "no"],
            "answer": q.expected,
            "element_type": _TIFA.get(q.detail, _TIFA.get(q.category, "other")),
        }
        for each in asked
        for q in each.questions
    ]
    yield json.dumps(entries, ensure_ascii=False, indent=2) + "\n"


_TIFA: Final = {
    **{"color": "color", "material": "material", "shape": "shape"},
    **{"count": "counting", "action": "activity", "spatial": "spatial"},
    **{"text rendering": "other", "whole": "object", "part": "object"},
    "attribute": "attribute",
}


def pope_lines(asked: Iterable[Asked]) -> Iterator[str]:
    """Yield POPE's JSON lines; questions are numbered through the file."""
    rows = ((each.image_id, q) for each in asked for q in each.questions)
    for number, (image_id, question) in enumerate(rows, 1):
        entry = {"question_id": number, "image": str(image_id)}
        entry |= {"text": question.question, "label": question.expected}
        yield json_line(entry) + "\n"


FORMATS: Final[dict[str, Callable[[Iterable[Asked]], Iterator[str]]]] = {
    **{"jsonl": own_lines, "dsg": dsg_csv},
    **{"tifa": tifa_json, "pope": pope_lines},
}
"""The formats by name."""
ENDINGS: Final = {
    **{"jsonl": (".jsonl", ".ndjson"), "dsg": (".csv",)},
    **{"tifa": (".json",), "pope": (".json", ".jsonl")},
}
"""The endings of their files; POPE's own files of JSON lines end in .json."""


def written(asked: Iterable[Asked], form: str = "jsonl") -> Iterator[str]:
    """Yield the text of a file of questions, part by part.

    Args:
        asked: Captions with their questions.
        form: A name of `FORMATS`.

    Raises:
        InputError: The format is not known.
    """
    if form not in FORMATS:
        raise unknown("format", form, FORMATS)
    return FORMATS[form](asked)
