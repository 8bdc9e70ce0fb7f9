"""Findings of the error analysis beside a vision model's answers about the picture.

    invented: dog; "Is there a dog?" — yes  →  struck out
    invented: dog; "Is there a dog?" — no   →  more probable
    missed: dog;   "Is there a dog?" — yes  →  more probable: it is there
    the caption says a red hat; no finding; "Is the hat red?" — no  →  wrong color

By Bayes' rule: the odds that a statement is true are multiplied by how much more
often the model gives this answer to true statements than to false ones, which is
measured on the same pictures (`Judge`). So a model that guesses changes
nothing, and five people are overruled only by one that is seldom wrong. What no
finding tells of begins with the share of false statements among those like it, of
which no finding tells either, estimated from the answers and the model's errors.
"""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import sqrt
from typing import Final

from spicepy.asking.answers import AnswerBook
from spicepy.asking.questioning import Question, Questioner
from spicepy.asking.scenes import SceneQuestions, Statement, ask_scenes, statement_of
from spicepy.captions.sample import ImageId, Sample
from spicepy.common.tables import Cells, Table
from spicepy.diagnosis.analysis import expected_number
from spicepy.diagnosis.findings import Finding, ImageDiagnosis, Kind
from spicepy.diagnosis.kinds import MISSING, REMARKS, WRONG, is_omission
from spicepy.objects.amounts import load_amount_words
from spicepy.words.numerals import find_numerals

# How far a model's answers can be believed, and what they say.

_NORMAL: Final = 1.645
MIN_SHARE: Final = 0.005
"""The least share of false statements that is believed of any group."""


@dataclass(frozen=True, slots=True)
class Judge:
    """How far a model's answers can be believed, measured on the same pictures."""

    model: str  # Its name
    # true, yes: How many statements that all references make it was asked about, and
    # how many of them it said yes to.
    true: int
    yes: int
    # false, no: How many things of other images it was asked about, and how many of
    # them it said no to.
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

    @property
    def tells(self) -> bool:
        """Whether it says yes to what is true more often than to what is false.

        By more than chance would have it (one-sided, 5 %; Agresti and Caffo 2000). The
        answers of a model that always says yes tell nothing.
        """
        of_true, of_false = self.sensitivity, 1 - self.specificity
        variance = of_true * (1 - of_true) / (self.true + 2)
        variance += of_false * (1 - of_false) / (self.false + 2)
        return of_true - of_false > _NORMAL * sqrt(variance)

    def truth(self, prior: float, *, yes: bool) -> float:
        """Return the probability that a statement is true after the answer to it."""
        if not self.tells:
            return prior
        if yes:
            of_true, of_false = self.sensitivity, 1 - self.specificity
        else:
            of_true, of_false = 1 - self.sensitivity, self.specificity
        true = prior * of_true
        return true / (true + (1 - prior) * of_false)

    def share_false(self, answers: Iterable[bool]) -> float:
        """Return the least share of false statements that the answers to them leave."""
        # The lower end of a one-sided interval of 95 % (Agresti and Coull 1998).
        said = list(answers)
        by_error = 1 - self.sensitivity
        if not said or not self.tells:
            return MIN_SHARE
        number = len(said) + _NORMAL**2
        no = (said.count(False) + _NORMAL**2 / 2) / number
        own, errors = no * (1 - no) / number, by_error * self.sensitivity
        doubt = _NORMAL * sqrt(own + errors / (self.true + 2))
        share = (no - by_error - doubt) / (self.specificity - by_error)
        return min(max(share, MIN_SHARE), 1 - MIN_SHARE)


@dataclass(frozen=True)
class AnswerEvidence:
    """The evidence that the answers of one model give."""

    judge: Judge  # How far they can be believed
    asked: int  # The number of statements of candidates that were answered
    refuted: int  # The number of findings that were struck out
    found: int  # The number of findings that no reference shows
    # (who, numbers given, right by the model's numbers) for the captioner and for
    # people.
    numbers: tuple[tuple[str, int, int], ...]

    def table(self) -> Table:
        """Return the evidence as a table."""
        judge = self.judge
        rows: list[Cells] = [
            ("answered statements of the captions", self.asked, None),
            (
                "yes to what all references say",
                judge.true,
                _share(judge.yes, judge.true),
            ),
            (
                "no to things of other images",
                judge.false,
                _share(judge.no, judge.false),
            ),
            ("findings that the picture refutes", self.refuted, None),
            ("errors that only the picture shows", self.found, None),
        ]
        rows += [
            (f"numbers of {who} that {judge.model} counts", n, _share(k, n))
            for who, n, k in self.numbers
        ]
        notes = ["of numbers: the share that is as the model counts"]
        if not judge.false:
            notes.append(
                "the answers change nothing: none is about a thing of another image, "
                "and whether the model can say no is unknown; `spicepy questions -r` "
                "asks about such things"
            )
        elif not judge.tells:
            notes.append(
                "the answers change nothing: the model says yes to what the images "
                "show hardly more often than to what they do not show"
            )
        return Table(
            f"Answers of {judge.model}", ("", "number", "share"), rows, tuple(notes)
        )


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


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


# Findings beside the answers.

_KINDS: Final[Mapping[str, Kind]] = {
    **{"entity": "invented object", "attribute": "unsupported attribute"},
    **{"relation": "unsupported relation", "color": "wrong color"},
    **{"count": "wrong count", "size": "wrong size", "material": "wrong material"},
}
"""Category or detail of a question -> the kind of error if its statement is false."""
_BY_NOUN: Final = frozenset(["wrong gender", "wrong age"])
"""The kinds that are in a noun: the question is whether such a thing is there."""
_ROUNDING: Final = 1e-9
STRUCK: Final = 0.5
"""The probability below which a finding is struck out, if the answer is against it."""


class AnsweredImages:
    """The findings of images as a vision model's answers leave them.

    Args:
        samples: The candidates and references of the images.
        book: The answers of one model.
        images: Their findings, also improbable ones.
    """

    def __init__(
        self,
        samples: Sequence[Sample],
        book: AnswerBook,
        images: Iterable[ImageDiagnosis],
    ) -> None:
        self._book = book
        self._scenes = ask_scenes(samples, Questioner())
        self._of_image = {scene.image_id: scene for scene in self._scenes}
        self.asked = {scene.image_id: scene.all for scene in self._scenes}
        self._judge = judge_of(self._scenes, book)
        self._told = {
            (image.image_id, statement)
            for image in images
            for statement in _told(image, self._of_image[image.image_id])
        }
        self._priors = _priors(self._scenes, book, self._judge, self._told)
        self._refuted = self._found = 0

    def judged(self, image: ImageDiagnosis) -> ImageDiagnosis:
        """Return an image with the findings that stand, and what the picture shows."""
        scene = self._of_image[image.image_id]
        judged = [_judged(f, scene, self._book, self._judge) for f in image.findings]
        standing = [finding for finding in judged if finding is not None]
        new = list(_shown(image, scene, self._book, self._judge, self._priors))
        self._refuted += len(judged) - len(standing)
        self._found += len(new)
        findings = (*standing, *new)
        return replace(
            image,
            findings=findings,
            risk=expected_number(f for f in findings if f.kind in WRONG),
            omissions=expected_number(filter(is_omission, findings)),
        )

    def evidence(self) -> AnswerEvidence:
        """Return what the answers said of the images that were judged."""
        said = (answered(s.own, s.image_id, self._book) for s in self._scenes)
        return AnswerEvidence(
            self._judge,
            sum(len(list(each)) for each in said),
            self._refuted,
            self._found,
            tuple(_numbers(self._scenes, self._book)),
        )


def _told(image: ImageDiagnosis, scene: SceneQuestions) -> Iterator[Statement]:
    """Yield the statements of a candidate of which a finding tells."""
    for finding in image.findings:
        known = _question_of(finding, scene.own)
        if known is not None and finding.kind not in REMARKS:
            yield statement_of(known)


def _priors(
    asked: Iterable[SceneQuestions],
    book: AnswerBook,
    judge: Judge,
    told: Container[tuple[ImageId, Statement]],
) -> dict[tuple[str, bool], float]:
    """Return the share of true statements by category and whether references agree."""
    # Of those of which no finding tells: most that are false have one.
    said: dict[tuple[str, bool], list[bool]] = {}
    for scene in asked:
        for question, yes in answered(scene.own, scene.image_id, book):
            statement = statement_of(question)
            if question.expected == "yes" and (scene.image_id, statement) not in told:
                known = statement in scene.supported
                said.setdefault((question.category, known), []).append(yes)
    return {group: 1 - judge.share_false(answers) for group, answers in said.items()}


def _judged(
    finding: Finding, scene: SceneQuestions, book: AnswerBook, judge: Judge
) -> Finding | None:
    """Return a finding after the answer to its question; None if it is struck out."""
    # A word that no reference supports is an invented object if the picture lacks it.
    if finding.kind in REMARKS:
        return finding
    missing = finding.kind in MISSING
    questions = (*scene.others, *scene.own) if missing else scene.own
    question = _question_of(finding, questions)
    said = next(answered(filter(None, [question]), scene.image_id, book), None)
    if said is None:
        return finding
    asked, yes = said
    if finding.kind == "unsupported word" and asked.category == "entity" and not yes:
        finding = replace(finding, kind=_KINDS[asked.category])
    before = STRUCK if finding.probability is None else finding.probability
    true = judge.truth(before if missing else 1 - before, yes=yes)
    after = true if missing else 1 - true
    # A judge that tells nothing leaves the probability, but for its last digit.
    struck = after < min(before, STRUCK) * (1 - _ROUNDING)
    return None if struck else finding.judged(after)


def _question_of(finding: Finding, questions: Iterable[Question]) -> Question | None:
    """Return the question whether the statement of a finding is true."""
    members = finding.members[:1] if finding.kind in _BY_NOUN else finding.members
    asked = [
        q for q in questions if q.expected == "yes" and len(q.tuple) == len(members)
    ]
    exact = (q for q in asked if q.tuple == members)
    alike = (q for q in asked if _heads(q.tuple) == _heads(members))
    return next(exact, None) or next(alike, None)


def _heads(members: Sequence[str]) -> list[str]:
    """Return the last word of each member, and the first one of a relation."""
    relation = len(members) == 3
    return [
        m.partition(" ")[0] if relation and at == 1 else m.rpartition(" ")[2]
        for at, m in enumerate(members)
    ]


def _shown(
    image: ImageDiagnosis,
    scene: SceneQuestions,
    book: AnswerBook,
    judge: Judge,
    priors: Mapping[tuple[str, bool], float],
) -> Iterator[Finding]:
    """Yield what the picture refutes and no finding tells of."""
    # As in DSG, what presupposes a refuted statement is not told of again.
    told = set(_told(image, scene))
    caption = image.captions[0] if image.captions else ""
    refuted: set[int] = set()
    for question, yes in answered(scene.own, scene.image_id, book):
        kind = _KINDS.get(question.detail) or _KINDS.get(question.category)
        if yes or question.expected != "yes" or kind is None:
            continue
        refuted.add(question.id)
        if statement_of(question) in told or not refuted.isdisjoint(question.parents):
            continue
        group = question.category, statement_of(question) in scene.supported
        prior = priors.get(group, 1 - MIN_SHARE)
        wrong = 1 - judge.truth(prior, yes=False)
        words = caption[question.start : question.end]
        value = question.tuple[-1] if len(question.tuple) > 1 else None
        found = Finding(image.image_id, kind, question.tuple, None, value, 0, words)
        yield found.judged(wrong)


def _numbers(
    asked: Iterable[SceneQuestions], book: AnswerBook
) -> Iterator[tuple[str, int, int]]:
    """Yield how many numbers the captioner and people give, and how many are right."""
    given: dict[str, list[bool]] = {"the captions": [], "references": []}
    for scene in asked:
        counted = {
            question.tuple[0]: number
            for question in scene.numbers
            if (number := _number(book, scene.image_id, question)) is not None
        }
        for who, questions in (
            ("the captions", scene.own),
            ("references", scene.others),
        ):
            given[who] += [
                int(question.tuple[1]) == counted[question.tuple[0]]
                for question in questions
                if question.detail == "count" and question.tuple[1].isdigit()
                if question.tuple[0] in counted
            ]
    for who, right in given.items():
        yield who, len(right), sum(right)


def _number(book: AnswerBook, image_id: ImageId, question: Question) -> int | None:
    """Return the number that answers "How many …?"; None without a single one."""
    answer = book.answer_to(image_id, question)
    if answer is None or not answer.text:
        return 0 if answer is not None and answer.yes is False else None
    words = answer.text.lower().replace(".", " ").replace(",", " ").split()
    if words[:1] in (["no"], ["none"], ["zero"]):
        return 0
    found = find_numerals(words, ("",) * len(words), load_amount_words().numbers)
    return found[0].low if found and found[0].low == found[0].high else None
