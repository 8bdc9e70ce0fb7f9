"""Questions in files: JSON lines of our own, and the formats of published tools.

In: the questions of captions. Out: the text of a file.

* JSON lines (`.jsonl`): a question a line, `Question.to_dict`, and `version`, the
  digest of what makes the questions: ids of another version are other questions.
* DSG's CSV (Cho et al. 2024): `item_id, text, proposition_id, dependency,
  category_broad, category_detailed, tuple, question_natural_language`; parents are
  separated by commas, 0 for none.
* TIFA's JSON (Hu et al. 2023): a list of `id`, `caption`, `element`, `question`,
  `choices`, `answer`, `element_type`; no parents.
* POPE's JSON lines (Li et al. 2023): `question_id`, `image`, `text`, `label`.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from spicepy.asking.questioning import Question, questions_version
from spicepy.captions.sample import ImageId
from spicepy.common.errors import unknown
from spicepy.common.json_values import json_line
from spicepy.common.tables import csv_text


@dataclass(frozen=True, slots=True)
class Asked:
    """A caption with its questions."""

    image_id: ImageId
    caption: str
    questions: Sequence[Question]


def own_lines(asked: Iterable[Asked]) -> Iterator[str]:
    """Yield JSON lines of our own, a question a line, each with its version."""
    for each in asked:
        for question in each.questions:
            row = question.to_dict(each.image_id) | {"version": questions_version()}
            yield json_line(row) + "\n"


_DSG: Final = (
    *("item_id", "text", "proposition_id", "dependency", "category_broad"),
    *("category_detailed", "tuple", "question_natural_language"),
)


def dsg_csv(asked: Iterable[Asked]) -> Iterator[str]:
    """Yield the rows of DSG's CSV."""
    rows = (
        (
            *(each.image_id, each.caption, question.id),
            ",".join(map(str, question.parents)) or "0",
            *(question.category, question.detail, dsg_tuple(question)),
            question.question,
        )
        for each in asked
        for question in each.questions
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
            "element": each.caption[question.start : question.end],
            "question": question.question,
            "choices": ["yes", "no"],
            "answer": question.expected,
            "element_type": _tifa_type(question),
        }
        for each in asked
        for question in each.questions
    ]
    yield json.dumps(entries, ensure_ascii=False, indent=2) + "\n"


_TIFA: Final = {
    **{"color": "color", "material": "material", "shape": "shape"},
    **{"count": "counting", "action": "activity", "spatial": "spatial"},
    **{"text rendering": "other", "whole": "object", "part": "object"},
}


def _tifa_type(question: Question) -> str:
    fallback = "attribute" if question.category == "attribute" else "other"
    return _TIFA.get(question.detail, fallback)


def pope_lines(asked: Iterable[Asked]) -> Iterator[str]:
    """Yield POPE's JSON lines; questions are numbered through the file."""
    number = 0
    for each in asked:
        for question in each.questions:
            number += 1
            entry = {
                "question_id": number,
                "image": str(each.image_id),
                "text": question.question,
                "label": question.expected,
            }
            yield json_line(entry) + "\n"


FORMATS: Final[dict[str, Callable[[Iterable[Asked]], Iterator[str]]]] = {
    "jsonl": own_lines,
    "dsg": dsg_csv,
    "tifa": tifa_json,
    "pope": pope_lines,
}
"""The formats by name."""


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
