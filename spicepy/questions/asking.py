"""Questions: every statement of a caption as a yes / no question about the picture.

In: captions. Out: `Question`s, each with its id, parents, category, tuple, the words of
the caption that it comes from, and the expected answer.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from spicepy.common.errors import InputError, shown
from spicepy.common.data_files import read_table
from spicepy.pipeline import Pipeline
from spicepy.questions.prompts import PromptReader
from spicepy.questions.statements import Said, StatementReader
from spicepy.questions.wording import Wording
from spicepy.samples.sample import check_caption

GRAMMAR: Final = "spicepy-1"
"""The grammar whose tuples are statements."""


@dataclass(frozen=True, slots=True)
class Question:
    """One question about a picture.

    Attributes:
        id: Its number among the questions of its caption, from 1.
        parents: The ids of questions that it presupposes: the colour of a hat presupposes
            the hat.
        category: "entity", "attribute", "relation", "global" or "other".
        detail: The finer category: "whole", "part", "color", "count", "spatial", …
        tuple: (object), (object, value) or (subject, relation, object).
        question: The question, in English.
        expected: "yes", or "no" if the caption denies it.
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


class Questioner:
    """Turns captions into questions.

    Args:
        pipeline: Grammar and parser; those of spicepy-1 by default.
    """

    def __init__(self, pipeline: Pipeline | None = None) -> None:
        self.pipeline = pipeline or Pipeline(grammar=GRAMMAR)
        self._prompts = PromptReader.shipped()
        self._statements = StatementReader.shipped(self.pipeline.grammar)
        worn = self._statements.garments
        self._wording = read_table("questions.toml", lambda data: Wording(data, worn))

    def ask(self, captions: Iterable[str]) -> Iterator[list[Question]]:
        """Yield the questions of each caption."""
        for said in self.read(captions):
            yield self._numbered(said)

    def read(self, captions: Iterable[str]) -> Iterator[Said]:
        """Yield each caption with its claims."""
        listed = list(captions)
        prompts = list(map(self._prompts.read, listed))
        traces = self.pipeline.traces([prompt.text for prompt in prompts])
        for caption, prompt, trace in zip(listed, prompts, traces, strict=True):
            yield self._statements.read(trace, prompt, caption)

    def _numbered(self, said: Said) -> list[Question]:
        """Return the claims of a caption as questions with ids."""
        asked: list[Question] = []
        numbers: dict[int, int] = {}
        for number, claim in enumerate(said.claims, 1):
            if claim.category == "entity":
                [thing] = claim.things
                numbers[id(thing)] = number
                above = [thing.owner] if thing.owner is not None else []
            else:
                above = list(claim.things)
            parents = (numbers.get(id(thing)) for thing in above)
            asked.append(
                Question(
                    number,
                    tuple(dict.fromkeys(p for p in parents if p is not None)),
                    claim.category,
                    claim.detail,
                    claim.members,
                    self._wording.question(claim, said),
                    "no" if claim.denied else "yes",
                    *claim.span,
                )
            )
        return asked


@cache
def _questioner() -> Questioner:
    return Questioner()


def questions(captions: Any) -> Any:
    listed = [captions] if isinstance(captions, str) else captions
    texts = [
        check_caption(t, "caption", f"caption {k}") for k, t in enumerate(listed, 1)
    ]
    asked = list(_questioner().ask(texts))
    return asked[0] if isinstance(captions, str) else asked
