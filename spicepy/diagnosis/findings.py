"""The errors of one image: each mistake is one finding of one kind.

In: a `Scene`. Out: its `ImageDiagnosis`.

    Scene ─ classes ─▶ counts, attributes, objects, roles ─▶ findings
"""

from collections.abc import Iterator
from typing import Final

from spicepy.diagnosis.activities import activities
from spicepy.diagnosis.attributes import attribute, values
from spicepy.diagnosis.classes import ObjectClass, classes, is_thing
from spicepy.diagnosis.confidence import is_settled
from spicepy.diagnosis.counting import count
from spicepy.diagnosis.objects import objects
from spicepy.diagnosis.reading import Thing
from spicepy.diagnosis.risk import risk
from spicepy.diagnosis.roles import misplaced, swapped
from spicepy.diagnosis.unsupported import unsupported
from spicepy.diagnosis.values import (
    KINDS,
    WRONG,
    Finding,
    ImageDiagnosis,
    Observation,
    Scene,
)
from spicepy.diagnosis.vocabulary import Vocabulary, mentioned
from spicepy.diagnosis.wording import wordings
from spicepy.diagnosis.words import ASPECTS
from spicepy.diagnosis.written import as_written

SUPPORT: Final = 2
"""References that must have an object, before a caption without it misses it."""


def diagnose_scene(
    scene: Scene, support: int = SUPPORT, vocabulary: Vocabulary | None = None
) -> ImageDiagnosis:
    """What the candidate of one image got right and wrong.

    An object is missed if `support` references have it (all, if there are fewer).
    """
    groups, lonely = classes(scene)
    observed: list[Observation] = []
    found: list[Finding] = []
    moved = dict(misplaced(scene, groups))
    places = {(finding.members[0], aspect) for finding, aspect in moved.items()}
    for group in groups:
        for seen, wrong in _observed(scene, group):
            observed.append(seen)
            if seen.verdict != "wrong":
                continue
            finding = _wrong(scene, group, seen, wrong)
            # A value that left its object is misplaced, not wrong as well.
            if (finding.members[0], seen.aspect) not in places:
                found.append(finding)
    done = list(activities(scene))
    explained = frozenset(id(thing) for _, parts in done for thing in parts)
    found += [*moved, *(finding for finding, _ in done)]
    found += [*objects(scene, groups, lonely, explained), *swapped(scene, groups)]
    found += [finding for group in groups for finding in wordings(scene, group)]
    found += list(unsupported(scene, groups, found))
    # A man for a woman is wrong, not more specific than "person" as well.
    mistaken = {f.members[0] for f in found if f.kind in ("wrong gender", "wrong age")}
    found = [f for f in found if f.kind != "more specific" or f.said not in mistaken]
    needed = min(support, len(scene.references))
    found = [f for f in found if f.kind != "missed object" or _is_said(f, needed)]
    found.sort(key=lambda finding: KINDS.index(finding.kind))
    observed.sort(key=lambda o: ASPECTS.index(o.aspect))
    mentions = sum(map(is_thing, scene.candidate.things))
    shared = tuple(group.support for group in groups if group.said)
    return ImageDiagnosis(
        scene.image_id,
        scene.counts,
        tuple(observed),
        tuple(found),
        mentions,
        shared,
        len(scene.references),
        risk(scene, found),
        mentioned(scene, vocabulary) if vocabulary else (),
    )


def _is_said(finding: Finding, needed: int) -> bool:
    return (finding.references or 0) >= needed


def _observed(
    scene: Scene, group: ObjectClass
) -> Iterator[tuple[Observation, Thing | None]]:
    for aspect in ASPECTS:
        if aspect == "count":
            counted = count(scene, group)
            if counted is not None:
                yield counted
        elif seen := attribute(scene, group, aspect):
            yield seen


def _wrong(
    scene: Scene, group: ObjectClass, seen: Observation, wrong: Thing | None
) -> Finding:
    thing = wrong or group.said[0]
    word = next(  # A number is written by its value: "two" and "2" are one.
        (
            a
            for a in thing.attributes
            if seen.aspect != "count"
            and seen.said in values(Thing("", attributes=(a,)), seen.aspect)
        ),
        str(seen.said),
    )
    written = as_written(thing, scene.candidate)
    return Finding(
        scene.image_id,
        WRONG[seen.aspect],
        (thing.name, word),
        seen.expected,
        seen.said,
        seen.references,
        written if word in written else f"{word} {written}",
        seen.aspect in ("count", "gender", "age")
        or is_settled(scene, group, thing, seen.aspect),
    )
