"""Facts: the statements of a caption, and the probability that each is wrong.

In: a scene, the findings about it, and the analysis that found them. Out: a `Fact` for
every object, attribute and relation in the parts that describe the picture; and a
`Judge`, which says how probable a statement is after a vision model's answer to it.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, replace
from math import sqrt
from typing import Final

from spicepy.asking.answers import AnswerBook
from spicepy.asking.questioning import Question
from spicepy.asking.scenes import SceneQuestions, statement_of
from spicepy.captions.sample import ImageId
from spicepy.common.tables import Cells, Table
from spicepy.diagnosis.analysis import Analysis
from spicepy.diagnosis.captions.caption import Reading, Scene, Thing
from spicepy.diagnosis.findings import Finding, Kind
from spicepy.diagnosis.kinds import IN_NOUN, UNCONFIRMED, WRONG
from spicepy.diagnosis.kinds.detections import CaptionEvidence, Detection

Statement = tuple[str, ...]
"""(object,), (object, attribute) or (object, relation, object)."""


@dataclass(frozen=True, slots=True)
class Fact:
    """One statement of a caption."""

    sentence: int  # The number of its sentence, from 1
    members: Statement  # (object,), (object, attribute) or (object, relation, object)
    # The probability that it is wrong, 0-1: that of the finding about it; without a
    # finding, the higher, the less similar the references' words are.
    wrong: float
    kind: Kind  # The kind of the finding about it, "" without one

    @property
    def text(self) -> str:
        """The members in a line: "dog, red"."""
        return ", ".join(self.members)


def facts_of(
    scene: Scene, findings: Iterable[Finding], analysis: Analysis
) -> list[Fact]:
    """Return the facts of a candidate in its order, each once a sentence."""
    said = list(statements(scene.candidate))
    about = _likeliest(findings, {members for _, members in said})
    doubt = _doubts(scene, analysis)
    made: dict[tuple[int, Statement], Fact] = {}
    for thing, members in said:
        sentence = _sentence(scene.candidate, thing)
        worst = _worst(members, about)
        made[sentence, members] = (
            Fact(sentence, members, _chance(worst), worst.kind)
            if worst
            else Fact(sentence, members, doubt(members, thing.place), "")
        )
    return sorted(made.values(), key=lambda fact: fact.sentence)


def revised(facts: Iterable[Fact], findings: Iterable[Finding]) -> Iterator[Fact]:
    """Yield facts after some of the findings about them were refuted or confirmed."""
    # A fact whose finding is refuted, and so not among the `findings`, is right.
    stated = list(facts)
    about = _likeliest(findings, {fact.members for fact in stated})
    for fact in stated:
        worst = _worst(fact.members, about)
        if worst:
            yield replace(fact, wrong=_chance(worst), kind=worst.kind)
        else:
            yield replace(fact, wrong=0.0, kind="") if fact.kind else fact


def statements(reading: Reading) -> Iterator[tuple[Thing, Statement]]:
    """Yield the members of each statement with the last thing in it."""
    # Suppositions are not statements.
    things = reading.things
    claimed = [reading.claims(thing) for thing in things]
    for thing, is_claimed in zip(things, claimed):
        if is_claimed:
            yield thing, (thing.name,)
            yield from ((thing, (thing.name, value)) for value in thing.attributes)
    for source, how, target in reading.relations:
        if claimed[source] and claimed[target]:
            yield things[target], (things[source].name, how, things[target].name)


def _sentence(reading: Reading, thing: Thing) -> int:
    at = max(0, thing.place - 1)
    return reading.sentences[at] if at < len(reading.sentences) else 1


def _likeliest(
    findings: Iterable[Finding], said: Set[Statement]
) -> dict[Statement, Finding]:
    """Return members of a fact -> the most probable finding about it."""
    # `said` are the members of all facts. The number of "three dogs" is a fact of its
    # own; that of "dogs" belongs to the fact (dog).
    about: dict[Statement, Finding] = {}
    for finding in findings:
        if finding.kind in WRONG:
            for key in _keys(finding, said):
                known = about.get(key)
                if known is None or _chance(finding) > _chance(known):
                    about[key] = finding
    return about


def _worst(members: Statement, about: Mapping[Statement, Finding]) -> Finding | None:
    """Return the most probable finding by which a fact is wrong, None without one."""
    # It is about the fact itself or about one of its objects: an object that is not in
    # the picture has no attributes and relations. Findings about an object's number do
    # not make its relations wrong.
    first_word = "".join(members[1:2]).split(" ")[0]
    candidates = [about.get(key) for key in (members, (members[0], first_word))]
    objects = [about.get(key) for key in (members[:1], members[2:])]
    candidates += [f for f in objects if f is not None and len(f.members) == 1]
    return max(filter(None, candidates), key=_chance, default=None)


def _keys(finding: Finding, said: Set[Statement]) -> Iterator[Statement]:
    """Yield the members of the facts that a finding is about."""
    members = finding.members
    if finding.kind in IN_NOUN and members not in said:
        yield members[:1]
    yield members
    if len(members) > 1:
        yield members[0], members[1].split(" ")[0]


def _chance(finding: Finding) -> float:
    """Return the probability of a finding, 0 if it has none."""
    return finding.probability or 0.0


def _doubts(scene: Scene, analysis: Analysis) -> Callable[[Statement, int], float]:
    """Return statement without a finding -> the probability that it is wrong, 0-1."""
    # This is the probability that a finding "no reference confirms it" would have,
    # times 1 minus the cosine to the references' most similar word.
    lexicon = analysis.lexicon
    aligned = analysis.aligner.align(scene, analysis.thresholds)
    evidence, near = CaptionEvidence(aligned), aligned.pooled.near
    support = {t.name: group.support for group in aligned.classes for t in group.said}

    def doubt(members: Statement, place: int) -> float:
        if len(members) == 2 and members[1] in lexicon.names.no_properties:
            return 0.0  # Attributes such as "visible" are true of every object.
        kind = UNCONFIRMED[len(members)]
        finding = Finding(scene.image_id, kind, members)
        mentions = support.get(members[0], 0)
        agree = mentions if len(members) == 1 else 0
        detection = Detection(finding, place=place, mentions=mentions, agree=agree)
        features = evidence.features(detection, finding)
        chance = lexicon.weights.probability(kind, features) or 0.0
        return chance * (1 - near(finding.word or members[0].rpartition(" ")[2]))

    return doubt


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
        if not judge.tells:
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
