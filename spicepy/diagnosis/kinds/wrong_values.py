"""Wrong values: observations and findings of "wrong count", "wrong color" and so on."""

from spicepy.diagnosis.alignment import AlignedScene
from spicepy.diagnosis.captions.caption import Thing
from spicepy.diagnosis.findings import Finding, Observation, Verdict
from spicepy.diagnosis.kinds.detection import Detection
from spicepy.diagnosis.lexicon.aspects import Value
from spicepy.diagnosis.object_classes import (
    ExpectedValues,
    ObjectClass,
    values_of_attribute,
)


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
        conclusive: Whether nothing but an error explains the difference.
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
