"""Captions verified against pictures, by the answers of vision models."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

from spicepy.asking.answers import AnswerBook
from spicepy.asking.questioning import Question
from spicepy.captions.sample import ImageId, Sample
from spicepy.common.errors import InputError, brief, counted
from spicepy.common.json_values import plain
from spicepy.common.settings import SEED
from spicepy.common.tables import Cells, Table
from spicepy.common.writing import Displayed
from spicepy.evaluation.comparison import Comparison, compare
from spicepy.evaluation.evaluation import Evaluation
from spicepy.evaluation.measured import Measured
from spicepy.metrics.base import signature_string
from spicepy.metrics.faithful import CATEGORIES, CaptionAnswers, Faithful
from spicepy.tokenization.samples import TokenisedSample

_TITLES = {
    "faithful": "All",
    **{f"faithful-{name}": name.capitalize() for name in CATEGORIES},
}


Answers = AnswerBook | str | Path  # The answers of one model, or their file


@dataclass(frozen=True)
class Verification:
    """The scores of systems by the answers of one model, with intervals and tests."""

    model: str
    evaluations: Mapping[str, Evaluation]
    comparison: Comparison
    warnings: tuple[str, ...] = ()

    def details(self, system: str) -> tuple[CaptionAnswers, ...]:
        """Return the questions and answers of each caption of a system."""
        details: tuple[CaptionAnswers, ...] = (
            self.evaluations[system].measured[0].statistics.details
        )
        return details

    def entries(self) -> Iterator[dict[str, Any]]:
        """Yield for each caption its share, and what is refuted or missing."""
        for system, evaluation in self.evaluations.items():
            scores = evaluation.image_scores("faithful")
            for sample, detail in zip(evaluation.samples, self.details(system)):
                yield {
                    "system": system,
                    "image_id": sample.image_id,
                    "caption": sample.candidate,
                    "faithful": scores[sample.image_id],
                    "questions": len(detail.questions),
                    "refuted": [_short(q) for q in detail.refuted],
                    "unknown": [_short(q) for q in detail.unknown],
                    "missing": [_short(q) for q in detail.missing],
                }

    def counts(self) -> Table:
        """Return how many questions of each system are answered, and how."""
        rows: list[Cells] = []
        for system in self.evaluations:
            details = self.details(system)
            asked = sum(len(d.questions) for d in details)
            kinds = [
                sum(len(getattr(d, kind)) for d in details)
                for kind in ("refuted", "unknown", "missing")
            ]
            rows.append((system, len(details), asked, *kinds))
        columns = ("System", "captions", "questions", "refuted", "unknown", "missing")
        return Table("Questions", columns, rows, (f"answers by {self.model}",))


def _short(question: Question) -> dict[str, Any]:
    return {"id": question.id, "question": question.question}


@dataclass(frozen=True, repr=False)
class VerifiedCaptions(Displayed):
    """Captions verified by one or several models; JSON-ready and as tables."""

    by_model: tuple[Verification, ...]

    @property
    def warnings(self) -> tuple[str, ...]:
        """Notes on the answers and on the tests, for the reader of the tables."""
        return tuple(
            text
            for each in self.by_model
            for text in (*each.warnings, *each.comparison.warnings)
        )

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values."""
        models = [
            {
                "model": each.model,
                **each.comparison.to_dict(),
                "captions": plain(list(each.entries())),
            }
            for each in self.by_model
        ]
        names = ("first", "second", "questions", "agreement", "kappa")
        agreement = [dict(zip(names, row)) for row in self._agreements()]
        return {"models": models, "agreement": agreement}

    def tables(self) -> tuple[Table, ...]:
        """Return scores, intervals and tests of each model, and their agreement."""
        tables = [
            t for x in self.by_model for t in (*x.comparison.tables(), x.counts())
        ]
        if rows := list(self._agreements()):
            columns = ("First", "Second", "questions", "agreement", "kappa")
            tables.append(Table("Agreement of the answering models", columns, rows))
        return tuple(tables)

    def _agreements(self) -> Iterator[tuple[str, str, int, float | None, float | None]]:
        """Yield for each pair of models how often they agree, and Cohen's kappa."""
        for first, second in combinations(self.by_model, 2):
            pairs = Counter(_answer_pairs(first, second))
            number = sum(pairs.values())
            if not number:
                yield first.model, second.model, 0, None, None
                continue
            same = (pairs[True, True] + pairs[False, False]) / number
            a = (pairs[True, True] + pairs[True, False]) / number
            b = (pairs[True, True] + pairs[False, True]) / number
            chance = a * b + (1 - a) * (1 - b)
            kappa = (same - chance) / (1 - chance) if chance < 1 else None
            yield first.model, second.model, number, same, kappa


def _answer_pairs(
    first: Verification, second: Verification
) -> Iterator[tuple[bool, bool]]:
    """Yield the answers of both models to each question that both know."""
    for system in first.evaluations:
        for a, b in zip(first.details(system), second.details(system), strict=True):
            for one, other in zip(a.answers, b.answers, strict=True):
                if one and other and one.yes is not None and other.yes is not None:
                    yield one.yes, other.yes


def verify(
    systems: Mapping[str, Sequence[tuple[ImageId, str]]],
    answers: Answers | Sequence[Answers] | Mapping[str, Answers],
    *,
    samples: int | None = None,
    level: float = 0.95,
    seed: int = SEED,
) -> VerifiedCaptions:
    """Verify captions by answers.

    Args:
        systems: The captions of each system, as (image id, caption); all have the same
            images.
        answers: The answers of a model, or of each of several: files, or what
            `AnswerBook.load` returns. Or the answers about each system's own pictures
            by its name: systems that drew the same prompts.
        samples: Number of bootstrap samples and random shuffles.
        level: Confidence level of the intervals, 0-1.
        seed: Random seed.

    Raises:
        InputError: Systems have different images, or answers belong to no question.
    """
    if isinstance(answers, Mapping):
        if answers.keys() != systems.keys():
            raise InputError(
                f"answers of {', '.join(answers)} for {', '.join(systems)}; each "
                "system needs its own"
            )
        books = [{name: _book(answers[name]) for name in systems}]
    else:
        given = [answers] if isinstance(answers, Answers) else [*answers]
        books = [dict.fromkeys(systems, book) for book in map(_book, given)]
    if not books:
        raise InputError("no answers: give at least one file of them")
    return VerifiedCaptions(
        tuple(
            _verify(systems, each, samples=samples, level=level, seed=seed)
            for each in books
        )
    )


def _book(answers: Answers) -> AnswerBook:
    return answers if isinstance(answers, AnswerBook) else AnswerBook.load(answers)


def _verify(
    systems: Mapping[str, Sequence[tuple[ImageId, str]]],
    books: Mapping[str, AnswerBook],
    **settings: Any,
) -> Verification:
    evaluations = {}
    asked: dict[int, dict[ImageId, list[Question]]] = {}
    for name, captions in systems.items():
        metric = _TitledFaithful(books[name])
        own = asked.setdefault(id(books[name]), {})
        raw = tuple(Sample(image_id, text, ()) for image_id, text in captions)
        tokens = tuple(TokenisedSample(s.image_id, "", (), raw=s) for s in raw)
        statistics = metric.count(tokens)
        for detail in statistics.details:
            own.setdefault(detail.image_id, []).extend(detail.questions)
        signature = signature_string(metric.signature(), "0")
        measured = Measured(metric, statistics, signature)
        evaluations[name] = Evaluation(raw, tokens, (measured,))
    checked = {id(book): book.check(asked[id(book)]) for book in books.values()}
    foreign = (text for texts in checked.values() for text in texts)
    model = "+".join(dict.fromkeys(book.model for book in books.values()))
    comparison = compare(evaluations, **settings)
    warnings = (*foreign, *_missing(evaluations, model))
    return Verification(model, evaluations, comparison, warnings)


def _missing(evaluations: Mapping[str, Evaluation], model: str) -> Iterator[str]:
    """Yield sentences on questions that have no answer, or no clear one."""
    for system, evaluation in evaluations.items():
        details = evaluation.measured[0].statistics.details
        lacking = [(d.image_id, q) for d in details for q in d.missing]
        if lacking:
            image_id, question = lacking[0]
            yield (
                f"{system}: {model} left {counted(len(lacking), 'question')} "
                f"unanswered (not counted); the first: image {image_id}, "
                f"question {question.id}: {question.question}"
            )
        pairs = [
            (d.image_id, question, answer)
            for d in details
            for question, answer in zip(d.questions, d.answers)
            if answer is not None
        ]
        unread = [each for each in pairs if each[2].yes is None]
        if 2 * len(unread) >= max(1, len(pairs)):
            image_id, question, answer = unread[0]
            told = f" (answer: {brief(answer.given, 80)})" if answer.given else ""
            yield (
                f"{system}: neither yes nor no in {len(unread):,} of "
                f"{counted(len(pairs), 'answer')} by {model} (not counted); the first: "
                f"image {image_id}, {question.question}{told}"
            )


class _TitledFaithful(Faithful):
    """The metric with short titles of its categories, for tables of it alone."""

    @property
    def titles(self) -> Mapping[str, str]:
        return _TITLES
