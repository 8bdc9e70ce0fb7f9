"""Questions about a scene: what its captions say, and what they do not.

In: the candidate and the references of each image. Out: `SceneQuestions`: the questions
of the candidate, those of the references that it lacks, how many there are of what is
counted, and one about a thing of another image, which is expected not to be there. A
model's answers to what all references say, and to what belongs to another image, tell
how far it can be believed.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from math import sqrt
from typing import Final

from spicepy.asking.answers import AnswerBook
from spicepy.asking.questioning import Question, Questioner
from spicepy.captions.sample import ImageId, Sample
from spicepy.common.tables import Cells, Table

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
    """The questions about one image, all with ids of their own.

    Attributes:
        image_id: The image.
        own: The questions of the candidate.
        others: The further questions of the references.
        numbers: "How many dogs are there?", for what the candidate or a reference
            counts; expected is what most of those who count say.
        foils: A question about a thing that another image has; expected is no.
        supported: The statements of the candidate that a reference makes as well.
        agreed: The statements that all references make.
    """

    image_id: ImageId
    own: tuple[Question, ...]
    others: tuple[Question, ...]
    numbers: tuple[Question, ...]
    foils: tuple[Question, ...]
    supported: frozenset[Statement]
    agreed: frozenset[Statement]

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
    captions = dict.fromkeys(
        text for sample in samples for text in (sample.candidate, *sample.references)
    )
    asked = dict(zip(captions, questioner.ask(captions)))
    of_references = [[asked[text] for text in s.references] for s in samples]
    named = [
        _things([*lists, asked[s.candidate]])
        for s, lists in zip(samples, of_references)
    ]
    made = []
    foils_of = _foils(of_references, named)
    for sample, lists, foils in zip(samples, of_references, foils_of, strict=True):
        own = asked[sample.candidate]
        stated = [frozenset(map(statement_of, each)) for each in lists]
        others = list(_renumbered(own, lists))
        numbers = list(_numbers(own, lists, len(own) + len(others)))
        last = len(own) + len(others) + len(numbers)
        every = frozenset[Statement]().union(*stated)
        made.append(
            SceneQuestions(
                sample.image_id,
                tuple(own),
                tuple(others),
                tuple(numbers),
                tuple(_as_foil(question, last + 1) for question in foils),
                frozenset(map(statement_of, own)) & every,
                frozenset.intersection(*stated) if stated else every,
            )
        )
    return made


def _things(lists: Sequence[Sequence[Question]]) -> set[str]:
    """Return the last words of all things that captions name."""
    return {
        member.rpartition(" ")[2]
        for question in chain.from_iterable(lists)
        for member in question.tuple
    }


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


def _as_foil(question: Question, number: int) -> Question:
    about = ("entity", FOIL, question.tuple, question.question, "no")
    return Question(number, (), *about, 0, 0)


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


# How far a model's answers can be believed, and what they say.

_NORMAL: Final = 1.645
MIN_SHARE: Final = 0.005
"""The least share of false statements that is believed of any group."""


@dataclass(frozen=True, slots=True)
class Judge:
    """How far a model's answers can be believed, measured on the same pictures.

    Attributes:
        model: Its name.
        true, yes: How many statements that all references make it was asked about, and
            how many of them it said yes to.
        false, no: How many things of other images it was asked about, and how many of
            them it said no to.
    """

    model: str
    true: int
    yes: int
    false: int
    no: int

    @property
    def sensitivity(self) -> float:
        """The share of true statements to which it says yes, by Laplace's rule."""
        return (self.yes + 1) / (self.true + 2)

    @property
    def specificity(self) -> float:
        """The share of false statements to which it says no, by Laplace's rule."""
        return (self.no + 1) / (self.false + 2)

    def truth(self, prior: float, *, yes: bool) -> float:
        """Return the probability that a statement is true after the answer to it."""
        if yes:
            of_true, of_false = self.sensitivity, 1 - self.specificity
        else:
            of_true, of_false = 1 - self.sensitivity, self.specificity
        true = prior * of_true
        return true / (true + (1 - prior) * of_false)

    def share_false(self, answers: Iterable[bool]) -> float:
        """Return the least share of false statements that the answers to them leave.

        The lower end of a one-sided interval of 95 % (Agresti and Coull 1998).
        """
        said = list(answers)
        by_error = 1 - self.sensitivity
        if not said or self.specificity <= by_error:
            return MIN_SHARE
        number = len(said) + _NORMAL**2
        no = (said.count(False) + _NORMAL**2 / 2) / number
        own, errors = no * (1 - no) / number, by_error * self.sensitivity
        doubt = _NORMAL * sqrt(own + errors / (self.true + 2))
        share = (no - by_error - doubt) / (self.specificity - by_error)
        return min(max(share, MIN_SHARE), 1 - MIN_SHARE)


@dataclass(frozen=True)
class AnswerEvidence:
    """What the answers say.

    Attributes:
        judge: How far they can be believed.
        asked: The number of statements of candidates that were answered.
        refuted: The number of findings that were struck out.
        found: The number of findings that no reference shows.
        numbers: (who, numbers given, right by the model's numbers) for the captioner
            and for people.
    """

    judge: Judge
    asked: int
    refuted: int
    found: int
    numbers: tuple[tuple[str, int, int], ...]

    def table(self) -> Table:
        """Return the evidence as a table."""
        judge = self.judge
        rows: list[Cells] = [
            ("answered statements of the captions", self.asked, None),
            ("yes to what all references say", judge.true, judge.sensitivity),
            ("no to things of other images", judge.false, judge.specificity),
            ("findings that the picture refutes", self.refuted, None),
            ("errors that only the picture shows", self.found, None),
        ]
        rows += [
            (
                f"numbers of {who} that {judge.model} counts",
                n,
                k / n if n else None,
            )
            for who, n, k in self.numbers
        ]
        note = "of numbers: the share that is as the model counts"
        return Table(
            f"Answers of {judge.model}", ("", "number", "share"), rows, (note,)
        )


def judge_of(asked: Iterable[SceneQuestions], book: AnswerBook) -> Judge:
    """Measure how often a model is right about what is known."""
    true, false = [], []
    for scene in asked:
        known = [
            q
            for q in (*scene.own, *scene.others)
            if q.expected == "yes" and statement_of(q) in scene.agreed
        ]
        true += [yes for _, yes in answered(known, scene.image_id, book)]
        false += [yes for _, yes in answered(scene.foils, scene.image_id, book)]
    return Judge(book.model, len(true), sum(true), len(false), false.count(False))


def answered(
    questions: Iterable[Question], image_id: ImageId, book: AnswerBook
) -> Iterator[tuple[Question, bool]]:
    """Yield the questions that are answered by yes or no, with whether it is yes."""
    for question in questions:
        answer = book.answer_to(image_id, question)
        if answer is not None and answer.yes is not None:
            yield question, answer.yes
