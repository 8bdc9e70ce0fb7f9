"""Questions about a scene: what its captions say, and what they do not.

In: the candidate and the references of each image. Out: `SceneQuestions`: the questions
of the candidate, those of the references that it lacks, how many there are of what is
counted, and one about a thing of another image, which is expected not to be there.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from typing import Final

from spicepy.asking.questioning import Question, Questioner
from spicepy.captions.sample import ImageId, Sample

FOIL: Final = "other image"
NUMBER: Final = "number"
"""The details of questions about a thing of another image, and of "How many …?"."""
_LOOKED_AT: Final = 200
"""The most other images in which a thing is looked for that this one does not have."""
_MAX_SHARE: Final = 0.02
"""The greatest share of images whose captions name such a thing."""

Statement = tuple[tuple[str, ...], str]
"""The tuple of a question and the expected answer: "a dog" and "dogs" are one."""


def statement_of(question: Question) -> Statement:
    """Return what a question asks, in whatever words."""
    return question.tuple, question.expected


@dataclass(frozen=True, slots=True)
class SceneQuestions:
    """The questions about one image, all with ids of their own."""

    image_id: ImageId
    own: tuple[Question, ...]  # Those of the candidate.
    others: tuple[Question, ...]  # The further ones of the references.
    # "How many …?", with what most of those say who count.
    numbers: tuple[Question, ...]
    foils: tuple[Question, ...]  # About a thing that another image has; expected is no.
    supported: frozenset[Statement]  # What the candidate and a reference say.
    agreed: frozenset[Statement]  # What all references say.

    @property
    def all(self) -> tuple[Question, ...]:
        """All questions, in the order of their ids."""
        return (*self.own, *self.others, *self.numbers, *self.foils)


def ask_scenes(
    samples: Sequence[Sample], questioner: Questioner
) -> list[SceneQuestions]:
    """Return the questions about each image.

    Args:
        samples: Candidates with their references.
        questioner: What turns captions into questions.

    Raises:
        InputError: A caption is too long to be parsed.
    """
    texts = (text for s in samples for text in (s.candidate, *s.references))
    captions = dict.fromkeys(texts)
    asked = dict(zip(captions, questioner.ask(captions)))
    of_references = [[asked[text] for text in s.references] for s in samples]
    pairs = zip(samples, of_references)
    named = [_things([*lists, asked[s.candidate]]) for s, lists in pairs]
    made = []
    foils_of = _foils(of_references, named)
    for sample, lists, foils in zip(samples, of_references, foils_of, strict=True):
        own = asked[sample.candidate]
        stated = [frozenset(map(statement_of, each)) for each in lists]
        others = list(_renumbered(own, lists))
        numbers = list(_numbers(own, lists, len(own) + len(others)))
        last = len(own) + len(others) + len(numbers)
        every = frozenset[Statement]().union(*stated)
        about = partial(replace, id=last + 1, detail=FOIL, expected="no")
        foil = tuple(about(q, parents=(), start=0, end=0) for q in foils)
        asked_for = tuple(own), tuple(others), tuple(numbers), foil
        supported = frozenset(map(statement_of, own)) & every
        agreed = frozenset.intersection(*stated) if stated else every
        made.append(SceneQuestions(sample.image_id, *asked_for, supported, agreed))
    return made


def _things(lists: Sequence[Sequence[Question]]) -> set[str]:
    """Return the last words of all things that captions name."""
    every = chain.from_iterable(q.tuple for q in chain.from_iterable(lists))
    return {member.rpartition(" ")[2] for member in every}


def _renumbered(
    own: Sequence[Question], lists: Sequence[Sequence[Question]]
) -> Iterator[Question]:
    """Yield the questions that the candidate lacks, each once, with further ids."""
    ids: dict[Statement, int] = {}
    for question in own:
        ids.setdefault(statement_of(question), question.id)
    texts = {(q.question, q.expected): q.id for q in own}
    last = len(own)
    for questions in lists:
        stated = {question.id: statement_of(question) for question in questions}
        for question in questions:
            if stated[question.id] in ids:
                continue
            # Two words may be one question: somebody is asked for as a person.
            asked = question.question, question.expected
            number = texts.setdefault(asked, last + 1)
            ids[stated[question.id]] = number
            if number > last:
                last = number
                parents = tuple(ids[stated[parent]] for parent in question.parents)
                yield replace(question, id=last, parents=parents, start=0, end=0)


def _numbers(
    own: Sequence[Question], lists: Sequence[Sequence[Question]], last: int
) -> Iterator[Question]:
    """Yield a question for the number of each thing that a caption counts."""
    said: dict[str, list[str]] = {}
    plural: dict[str, str] = {}
    for question in chain(own, *lists):
        if question.detail == "count" and question.tuple[-1].isdigit():
            said.setdefault(question.tuple[0], []).append(question.tuple[-1])
            plural.setdefault(question.tuple[0], question.question)
    for place, (thing, values) in enumerate(said.items(), last + 1):
        name = plural[thing].partition(" there ")[2].rstrip("?").partition(" ")[2]
        if name:
            yield Question(
                *(place, (), "other", NUMBER, (thing,)),
                f"How many {name} are there?",
                max(values, key=values.count),
                *(0, 0),
            )


def _foils(
    lists: Sequence[Sequence[Sequence[Question]]], named: Sequence[set[str]]
) -> Iterator[list[Question]]:
    """Yield for each image a question about a thing of one of the next images, or none.

    A thing that two references name, so that it would be named here if it were here,
    and that few images have.
    """
    images = Counter(chain.from_iterable(named))
    seldom = max(1, len(lists) * _MAX_SHARE)
    salient = [
        [q for q in _agreed_things(own) if images[_head(q)] <= seldom] for own in lists
    ]
    for number, known in enumerate(named):
        steps = range(1, min(len(lists), _LOOKED_AT))
        others = (salient[(number + step) % len(lists)] for step in steps)
        fitting = (q for q in chain.from_iterable(others) if _head(q) not in known)
        yield [q for q in [next(fitting, None)] if q is not None]


def _agreed_things(lists: Sequence[Sequence[Question]]) -> Iterator[Question]:
    """Yield the things that two references name."""
    seen: Counter[Statement] = Counter()
    for question in chain.from_iterable(lists):
        is_thing = (question.category, question.detail) == ("entity", "whole")
        if is_thing and question.expected == "yes":
            seen[statement_of(question)] += 1
            if seen[statement_of(question)] == 2:
                yield question


def _head(question: Question) -> str:
    return question.tuple[0].rpartition(" ")[2]
