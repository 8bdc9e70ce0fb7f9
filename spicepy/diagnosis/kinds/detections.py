"""Detections: findings and observations with the evidence for them."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import log
from typing import Any, Final, Literal

from spicepy.diagnosis.alignment import (
    AlignedScene,
    ExpectedValues,
    ObjectClass,
    PooledReferences,
)
from spicepy.diagnosis.captions.caption import Thing
from spicepy.diagnosis.captions.items import values_of_attribute
from spicepy.diagnosis.findings import Finding, Kind, Observation, Verdict
from spicepy.diagnosis.lexicon.aspects import Value
from spicepy.metrics.base import Array

Topic = tuple[str, ...]
"""The subject of a finding: ("missed", class), ("value", noun, aspect), …"""


@dataclass(slots=True, eq=False)
class Detection:
    """A finding, an observation, or both."""

    finding: Finding | None = None  # An error or a remark
    observation: Observation | None = None  # The verdict on a value
    # The subject of the finding, by which others may rule it out.
    topic: Topic | None = None
    # The topic of findings that are dropped in favour of this one: a class for which
    # the candidate has another noun is not missed as well.
    rules_out: Topic | None = None
    fallback: bool = False  # Whether the finding is dropped if another one has its word
    # Things of the references that the finding explains, so that they are not missed as
    # well.
    things: tuple[Thing, ...] = ()
    # The position (from 1) of the word that the finding is about, 0 if unknown.
    place: int = 0
    mentions: int = 0  # How many references mention such a thing and could have agreed
    agree: int = 0  # How many references agree with the candidate
    conclusive: bool = False  # Whether only an error can explain the difference
    # Whether the word excludes others, as a number in words does.
    exclusive: bool = False


Question = Literal["wrong", "missing", "wording"]
Annotations = Literal["", "said", "missed", "number"]
Detector = Callable[[AlignedScene], Iterable[Detection]]
"""A function that returns all errors of one or several kinds in one image."""


@dataclass(frozen=True, slots=True)
class ErrorKind:
    """A kind of finding with all its properties."""

    name: Kind  # Its name in tables, files and the report
    # The detector that returns its findings; several kinds may share one.
    detect: Detector
    help: str  # A description of the kind in one sentence
    # The question that it answers: what the caption says "wrong", what is "missing", or
    # how its "wording" differs, which is not an error.
    question: Question = "wrong"
    hallucinates: bool = False  # Whether it means that an object is not in the picture
    # Whether readers choose how many references must have the thing.
    needs_support: bool = False
    # Whether the noun alone may imply the value, as its number or gender.
    in_noun: bool = False
    # The claim that annotated objects can decide: that the "said" or the "missed"
    # object is in the picture, or its "number"; "" if they decide none.
    annotations: Annotations = ""
    # Whether its detector runs before the others, which do not call the things missed
    # that it explains.
    explains: bool = False


def detection_of(
    scene: AlignedScene,
    kind: Kind,
    members: tuple[str, ...],
    words: str = "",
    references: int | None = None,
    **evidence: Any,
) -> Detection:
    """Return the detection of a finding, with its `evidence` (see `Detection`)."""
    # `words` are those of the caption that it is about, `references` support it.
    finding = Finding(scene.image_id, kind, members, references=references, words=words)
    return Detection(finding, **evidence)


def contradiction(
    scene: AlignedScene,
    kind: Kind,
    members: tuple[str, ...],
    *,
    said: str,
    meant: Sequence[str],
    words: str,
    mentions: int,
    place: int = 0,
    agree: int = 0,
) -> Detection:
    """Return the detection of a word that excludes words of the references."""
    # `members` are the candidate's tuple, `meant` the words that references have for
    # its word `said`, `words` what the finding quotes. `mentions` references mention
    # such a thing, and `agree` agree with the candidate.
    finding = Finding(scene.image_id, kind, members, meant[0], said, len(meant), words)
    conclusive = not agree and len(meant) >= scene.enough
    return Detection(
        finding, place=place, mentions=mentions, agree=agree, conclusive=conclusive
    )


def noun_finding(
    scene: AlignedScene,
    kind: Kind,
    thing: Thing,
    meant: str | None = None,
    references: int | None = None,
) -> Finding:
    """Return a finding about a noun of the candidate."""
    # `references` have the noun `meant` in its place, if there is one.
    words = scene.candidate.as_written(thing)
    said = None if meant is None else thing.name
    image_id, members = scene.image_id, (thing.name,)
    return Finding(image_id, kind, members, meant, said, references, words)


# Wrong values: observations and findings of "wrong count", "wrong color" and so on.


def observe(
    scene: AlignedScene,
    expected: ExpectedValues,
    value: Value,
    said: Value | None,
    verdict: Verdict,
) -> Observation:
    """Return the observation with a verdict on what is `said` for a `value`."""
    about = scene.image_id, expected.aspect, expected.object
    return Observation(*about, value, said, verdict, expected.support)


def unanswered(
    scene: AlignedScene, group: ObjectClass, expected: ExpectedValues
) -> Observation:
    """Return the observation for a candidate that gives no value."""
    verdict: Verdict = "unsaid" if group.said else "absent"
    return observe(scene, expected, expected.most_said, None, verdict)


def detection(
    scene: AlignedScene,
    group: ObjectClass,
    seen: Observation,
    wrong: Thing | None,
    *,
    conclusive: bool = True,
    agree: int = 0,
    mentions: int | None = None,
    exclusive: bool = False,
) -> Detection:
    """Return an observation, with a finding if its verdict is "wrong"."""
    # The thing that is `wrong` is by default the first one of the class. `mentions`
    # references could have given a value (by default those that have the class), and
    # `agree` agree; see `Detection`.
    if seen.verdict != "wrong":
        return Detection(observation=seen)
    thing = wrong or group.said[0]
    word = _word(scene, thing, seen)
    finding = Finding(
        scene.image_id,
        f"wrong {seen.aspect}",
        (thing.name, word),
        seen.expected,
        seen.said,
        seen.references,
        _written(scene, thing, seen, word),
    )
    return Detection(
        finding,
        seen,
        topic=("value", thing.name, seen.aspect),
        place=thing.place,
        mentions=group.support if mentions is None else mentions,
        agree=agree,
        conclusive=conclusive,
        exclusive=exclusive,
    )


def _word(scene: AlignedScene, thing: Thing, seen: Observation) -> str:
    """Return the attribute with the value; a count is written in digits."""
    if seen.aspect == "count":
        return str(seen.said)
    attributes = (
        attribute
        for attribute in thing.attributes
        if seen.said in values_of_attribute(attribute, seen.aspect, scene.lexicon)
    )
    return next(attributes, str(seen.said))


def _written(scene: AlignedScene, thing: Thing, seen: Observation, word: str) -> str:
    """Return the caption's words for a value and its noun: "two trains"."""
    noun, words = scene.candidate.as_written(thing), scene.candidate.words
    own = next(
        (t.amount for t in scene.candidate.things if t.place == thing.place), None
    )
    if seen.aspect == "count" and own is not None and own.value == seen.said:
        word = own.word
    if f" {word} " in f" {noun} " or (words and not {*word.split(" ")} <= {*words}):
        return noun
    of = " of" if f" {word} of " in f" {' '.join(words)} " else ""
    return f"{word}{of} {noun}"


# Features: the evidence for and against each finding of a caption, as numbers, from
# which `lexicon.weights` computes how likely the finding is right.

FEATURES: Final = (
    *("bias", "against", "mentions", "agree", "replaced", "conclusive", "left_out"),
    *("near", "close", "rest", "length", "references", "rare", "late", "several"),
    *("exclusive", "matched", "topic", "consensus", "rarity", "fit", "weight"),
    *("known", "raised", "many"),
    *("long", "long_near", "long_raised", "long_exclusive"),
)
"""The names of the features.

* bias: 1.
* against, mentions, agree: the shares of the references that contradict the candidate,
  that mention such a thing, and that agree with the candidate.
* replaced: whether the references have something in its place.
* conclusive: whether nothing but an error explains the difference.
* left_out: the log-odds that people leave such a thing out.
* near: the cosine of the word to the most similar word of the references.
* close: its cosine to what the references have in its place.
* rest: the share of the other content words that no reference supports.
* length: the log-ratio of the content words of the candidate and of the references.
* references: the logarithm of their number, 0 for five.
* rare: the share of the candidate's nouns that captions seldom have.
* late: the position of the word in the caption, 0-1.
* several: whether the candidate has several things of the name.
* exclusive: whether the word excludes others, as a number in words or a specific verb.
* matched: the share of the candidate's other things that the references have.
* topic: whether the references have the candidate's first thing.
* consensus: the share of the references' content words that another reference has.
* rarity: how rare the words of the candidate are in captions, 0-1: people, and
  captioners that write as people do, use rare words and are seldom wrong.
* fit: how similar the candidate is to the references as a whole, a cosine.
* weight: how much a caption depends on the word: the length of its vector.
* known: the log-odds that a person uses the word, given the words of the references.
* raised: by how much the references raise these log-odds: references with a dog raise
  those of "puppy", but not those of "cat".
* many: `references` if `conclusive`, else 0: the more references contradict a
  candidate, the less likely is any other explanation.
* long, long_near, long_raised, long_exclusive: 1, `near`, `raised` and `exclusive` in
  an answer much longer than the references, where all others are 0; in captions these
  are 0. Answers name much that captions leave out, so that what tells of captions tells
  nothing of them. This was measured beside outlines, and so is limited to objects and
  numbers of COCO's 80 classes.
"""
_OUTLINED: Final = ("invented object", "wrong count")  # What outlines can decide.
_USUAL: Final = 5  # The usual number of references of an image.
_MIN_CHANCE: Final = 0.005  # Probabilities are kept this far from 0 and 1.


class CaptionEvidence:
    """Computes the features of the findings about one candidate.

    Args:
        scene: The image.
    """

    def __init__(self, scene: AlignedScene) -> None:
        self.scene = scene
        self.number = len(scene.references)

    def features(self, detection: Detection, finding: Finding) -> list[float]:
        """Return the features of a finding, in the order of `FEATURES`."""
        scene, n = self.scene, self.number
        noun, word = finding.members[0], self._word(finding)
        lexicon, reading = scene.lexicon, scene.candidate
        expected, at = finding.expected, detection.place
        close = lexicon.similarity.cosine(word, str(expected)) if expected else 0.0
        odds = lexicon.expected_words.log_odds(word, scene.pooled.once(_context))
        many, near = log(n / _USUAL), scene.pooled.near(word)
        raised, exclusive = odds.known - odds.usual, float(detection.exclusive)
        outlined = finding.kind in _OUTLINED and lexicon.is_common(noun)
        outlined = outlined and word == noun.rpartition(" ")[2]  # Not its modifier
        long = self._long if outlined else 0.0
        evidence = [
            1.0,
            (finding.references or 0) / n,
            detection.mentions / n,
            detection.agree / n,
            float(expected is not None),
            float(detection.conclusive),
            _log_odds(lexicon.omission.left_out(noun, n)),
            near,
            close,
            self._rest({word, *noun.split(" ")}),
            self._length,
            many,
            self._rare,
            at / max(1, len(reading.words)),
            float(sum(thing.name == noun for thing in reading.things) > 1),
            exclusive,
            self._matched_besides(noun),
            float(bool(reading.things) and reading.things[0].name in self._matched),
            scene.pooled.once(_consensus),
            self._rarity,
            self._fit,
            lexicon.similarity.weight(word),
            odds.known,
            raised,
            many * detection.conclusive,
        ]
        # Who tells of one person leaves open that others are there: outlines refute
        # two in three of "two people" for one.
        one = finding.expected == 1 and lexicon.nouns.is_person(noun)
        of_answers = [1.0, near, raised, 0.0 if one else exclusive]
        if not long:
            return [*evidence, *[0.0] * len(of_answers)]
        return [
            *((1 - long) * value for value in evidence),
            *(long * value for value in of_answers),
        ]

    def _word(self, finding: Finding) -> str:
        """Return the word that is wrong if the finding is right."""
        # It is the "golf" of a golf ball if the references have a ball.
        *before, noun = finding.members[0].split(" ")
        if finding.kind == "wrong count":
            return noun
        named = before and noun in self.scene.pooled.words
        if finding.word and self.scene.lexicon.similarity.rarity(finding.word) == 1:
            return str(finding.said or finding.word)  # "gray" for "greyish"
        return finding.word or (before[-1] if named else noun)

    @cached_property
    def _matched(self) -> frozenset[str]:
        """The names of the candidate's things that the references have."""
        return frozenset(t.name for group in self.scene.classes for t in group.said)

    def _matched_besides(self, noun: str) -> float:
        others = [
            t.name in self._matched
            for t in self.scene.candidate.things
            if t.name != noun
        ]
        return sum(others) / len(others) if others else 1.0

    @cached_property
    def _support(self) -> dict[str, float]:
        """Content word -> its support in the references, 0-1."""
        near = self.scene.pooled.near
        return {word: near(word) for word in self.scene.candidate.content}

    @cached_property
    def _rarity(self) -> float:
        words, rarity = (
            self.scene.candidate.content,
            self.scene.lexicon.similarity.rarity,
        )
        return sum(map(rarity, words)) / len(words) if words else 0.0

    @cached_property
    def _fit(self) -> float:
        """The mean cosine of the candidate to a reference, from -1 to 1."""
        own = self.scene.lexicon.similarity.of_text(self.scene.candidate.content)
        others = self.scene.pooled.once(_directions)
        return float(sum(own @ other for other in others)) / self.number

    def _rest(self, about: set[str]) -> float:
        others = [s for word, s in self._support.items() if word not in about]
        return 1 - sum(others) / len(others) if others else 0.0

    @cached_property
    def _length(self) -> float:
        usual = self.scene.pooled.once(_length)
        return log((1 + len(self.scene.candidate.content)) / (1 + usual))

    @cached_property
    def _long(self) -> float:
        """1 for an answer of more than 2e times the usual length, 0 for a short one."""
        return min(1.0, max(0.0, self._length - log(2)))

    @cached_property
    def _rare(self) -> float:
        frequent = self.scene.lexicon.omission.nouns
        things = self.scene.candidate.things
        return sum(t.name not in frequent for t in things) / max(1, len(things))


def _consensus(pooled: PooledReferences) -> float:
    """Return the share of the references' content words that another one has, too."""
    numbers = Counter(word for text in pooled.texts for word in set(text.content))
    words = numbers.total()
    return sum(n for n in numbers.values() if n > 1) / words if words else 0.0


def _directions(pooled: PooledReferences) -> list[Array]:
    """Return the direction of each reference's content words as a vector."""
    of_text = pooled.lexicon.similarity.of_text
    return [of_text(text.content) for text in pooled.texts]


def _context(pooled: PooledReferences) -> Array:
    """Return the references as a context for `ExpectedWords.log_odds`."""
    evidence_of = pooled.lexicon.expected_words.evidence_of
    return evidence_of(text.content for text in pooled.texts)


def _length(pooled: PooledReferences) -> float:
    """Return the mean number of content words of a reference."""
    return sum(len(text.content) for text in pooled.texts) / len(pooled.texts)


def _log_odds(share: float) -> float:
    share = min(max(share, _MIN_CHANCE), 1 - _MIN_CHANCE)
    return log(share / (1 - share))
