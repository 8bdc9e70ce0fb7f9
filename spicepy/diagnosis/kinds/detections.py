"""Detections: findings and observations with the evidence for them.

Sections that belong to it:

* Wrong values: observations and findings of "wrong count", "wrong color" and so on.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from spicepy.diagnosis.alignment import AlignedScene
from spicepy.diagnosis.captions.caption import Thing
from spicepy.diagnosis.captions.items import values_of_attribute
from spicepy.diagnosis.findings import Finding, Kind, Observation, Verdict
from spicepy.diagnosis.lexicon.aspects import Value
from spicepy.diagnosis.object_classes import ExpectedValues, ObjectClass

Topic = tuple[str, ...]
"""The subject of a finding: ("missed", class), ("value", noun, aspect), …"""


@dataclass(slots=True, eq=False)
class Detection:
    """A finding, an observation, or both.

    Attributes:
        finding: An error or a remark.
        observation: The verdict on a value.
        topic: The subject of the finding, by which others may rule it out.
        rules_out: The topic of findings that are dropped in favour of this one: a class
            for which the candidate has another noun is not missed as well.
        fallback: Whether the finding is dropped if another one has its word.
        things: Things of the references that the finding explains, so that they are
            not missed as well.
        place: The position (from 1) of the word that the finding is about, 0 if
            unknown.
        mentions: How many references mention such a thing and could have agreed.
        agree: How many references agree with the candidate.
        conclusive: Whether only an error can explain the difference.
        exclusive: Whether the word excludes others, as a number in words does.
    """

    finding: Finding | None = None
    observation: Observation | None = None
    topic: Topic | None = None
    rules_out: Topic | None = None
    fallback: bool = False
    things: tuple[Thing, ...] = ()
    place: int = 0
    mentions: int = 0
    agree: int = 0
    conclusive: bool = False
    exclusive: bool = False


Question = Literal["wrong", "missing", "wording"]
Annotations = Literal["", "said", "missed", "number"]
Detector = Callable[[AlignedScene], Iterable[Detection]]
"""A function that returns all errors of one or several kinds in one image."""


@dataclass(frozen=True, slots=True)
class ErrorKind:
    """A kind of finding with all its properties.

    Attributes:
        name: Its name in tables, files and the report.
        detect: The detector that returns its findings; several kinds may share one.
        help: A description of the kind in one sentence.
        question: The question that it answers: what the caption says "wrong", what is
            "missing", or how its "wording" differs, which is no error.
        hallucinates: Whether it means that an object is not in the picture.
        needs_support: Whether readers choose how many references must have the thing.
        in_noun: Whether the noun alone may imply the value, as its number or gender.
        annotations: The claim that annotated objects can decide: that the "said" or the
            "missed" object is in the picture, or its "number"; "" if they decide none.
        explains: Whether its detector runs before the others, which do not call the
            things missed that it explains.
    """

    name: Kind
    detect: Detector
    help: str
    question: Question = "wrong"
    hallucinates: bool = False
    needs_support: bool = False
    in_noun: bool = False
    annotations: Annotations = ""
    explains: bool = False


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
    """Return the detection of a word that excludes words of the references.

    Args:
        scene: The image.
        kind: The kind of the finding.
        members: The candidate's tuple.
        said: The candidate's word.
        meant: The references' words that it excludes, one a reference.
        words: The caption's words that the finding is about.
        mentions: How many references mention such a thing.
        place: The position of the word in the caption, from 1.
        agree: How many references agree with the candidate.
    """
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
    """Return a finding about a noun of the candidate.

    Args:
        scene: The image.
        kind: The kind of the finding.
        thing: The candidate's thing.
        meant: The noun that references have in its place, None without one.
        references: How many references have that noun.
    """
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
    """Return the observation with a verdict on the candidate's value.

    Args:
        scene: The image.
        expected: The values that the references give a class.
        value: The value that the candidate should give.
        said: The candidate's value, None without one.
        verdict: The verdict.
    """
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
    """Return an observation, with a finding if its verdict is "wrong".

    Args:
        scene: The image.
        group: The class that the observation is about.
        seen: The observation.
        wrong: The thing whose value is wrong; by default the first one of the class.
        conclusive: Whether only an error can explain the difference.
        agree: How many references agree with the candidate.
        mentions: How many references could have given a value; by default those that
            have the class.
        exclusive: Whether the value surely excludes others.
    """
    if seen.verdict != "wrong":
        return Detection(observation=seen)
    thing = wrong or group.said[0]
    word, written = _word(scene, thing, seen), scene.candidate.as_written(thing)
    finding = Finding(
        scene.image_id,
        f"wrong {seen.aspect}",
        (thing.name, word),
        seen.expected,
        seen.said,
        seen.references,
        written if word in written else f"{word} {written}",
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
