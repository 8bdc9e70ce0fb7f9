"""Facts: each thing a caption says, sentence by sentence, and how likely it is wrong.

In: a scene, the findings about it, and the analysis that found them. Out: a `Fact` for
every object, attribute and relation of the parts that describe the picture.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, replace

from spicepy.diagnosis.analysis import Analysis
from spicepy.diagnosis.captions.caption import Reading, Thing
from spicepy.diagnosis.captions.scene import Scene
from spicepy.diagnosis.evidence.features import CaptionEvidence
from spicepy.diagnosis.findings import Finding, Kind
from spicepy.diagnosis.kinds import IN_NOUN, UNCONFIRMED, WRONG
from spicepy.diagnosis.kinds.detection import Detection

Members = tuple[str, ...]
"""An object; with an attribute; or with a relation and another object."""


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing that a caption says.

    Attributes:
        sentence: The number of its sentence, from 1.
        members: The object; with an attribute; or with a relation and another object.
        wrong: How likely it is wrong, 0-1: as likely as the finding about it is right;
            without one, the less the references have that is like it, the likelier.
        kind: The kind of the finding that says so, "" without one.
    """

    sentence: int
    members: Members
    wrong: float
    kind: Kind

    @property
    def text(self) -> str:
        """Its members in a line: "dog, red"."""
        return ", ".join(self.members)


def facts_of(
    scene: Scene, findings: Iterable[Finding], analysis: Analysis
) -> list[Fact]:
    """Return what a candidate says, in its order; each statement once a sentence."""
    said = list(statements(scene.candidate))
    about = _likeliest(findings, {members for _, members in said})
    doubt = _doubts(scene, analysis)
    made: dict[tuple[int, Members], Fact] = {}
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
    """Yield facts after some of the findings about them were refuted or confirmed.

    Args:
        facts: The facts of a candidate.
        findings: The findings about it that stand, with their probabilities now. What
            none of them says any more is right.
    """
    told = list(facts)
    about = _likeliest(findings, {fact.members for fact in told})
    for fact in told:
        worst = _worst(fact.members, about)
        if worst:
            yield replace(fact, wrong=_chance(worst), kind=worst.kind)
        else:
            yield replace(fact, wrong=0.0, kind="") if fact.kind else fact


def statements(reading: Reading) -> Iterator[tuple[Thing, Members]]:
    """Yield each statement that a caption makes of the picture, and where it ends.

    What it only supposes is no statement.
    """
    things = reading.things
    told = [reading.claims(thing) for thing in things]
    for thing, own in zip(things, told):
        if own:
            yield thing, (thing.name,)
            yield from ((thing, (thing.name, value)) for value in thing.attributes)
    for source, how, target in reading.relations:
        if told[source] and told[target]:
            yield things[target], (things[source].name, how, things[target].name)


def _sentence(reading: Reading, thing: Thing) -> int:
    at = max(0, thing.place - 1)
    return reading.sentences[at] if at < len(reading.sentences) else 1


def _likeliest(
    findings: Iterable[Finding], said: Set[Members]
) -> dict[Members, Finding]:
    """Return the finding about each fact that is likeliest right.

    Args:
        findings: The findings about a candidate.
        said: All that it says. Of "dogs", the noun itself says how many there are; of
            "three dogs", a statement of its own.
    """
    about: dict[Members, Finding] = {}
    for finding in findings:
        if finding.kind in WRONG:
            for key in _keys(finding, said):
                known = about.get(key)
                if known is None or _chance(finding) > _chance(known):
                    about[key] = finding
    return about


def _worst(members: Members, about: Mapping[Members, Finding]) -> Finding | None:
    """Return the finding by which a fact is wrong: itself, or an object of it.

    Whoever is not there does nothing; of dogs, more than there are may do it.
    """
    first_word = "".join(members[1:2]).split(" ")[0]
    found = [about.get(key) for key in (members, (members[0], first_word))]
    objects = [about.get(key) for key in (members[:1], members[2:])]
    found += [f for f in objects if f is not None and len(f.members) == 1]
    return max(filter(None, found), key=_chance, default=None)


def _keys(finding: Finding, said: Set[Members]) -> Iterator[Members]:
    """Yield the members of the facts that a finding is about."""
    members = finding.members
    if finding.kind in IN_NOUN and members not in said:
        yield members[:1]
    yield members
    if len(members) > 1:
        yield members[0], members[1].split(" ")[0]


def _chance(finding: Finding) -> float:
    return finding.probability or 0.0


def _doubts(scene: Scene, analysis: Analysis) -> Callable[[Members, int], float]:
    """Return a function that says how likely a statement without a finding is wrong.

    As likely as the finding that no reference confirms it would be right, as far as the
    references have no similar word.
    """
    lexicon = analysis.lexicon
    aligned = analysis.aligner.align(scene, analysis.thresholds)
    evidence, near = CaptionEvidence(aligned), aligned.pooled.near
    support = {t.name: group.support for group in aligned.classes for t in group.said}

    def doubt(members: Members, place: int) -> float:
        if len(members) == 2 and members[1] in lexicon.names.no_properties:
            return 0.0  # "Visible" is whatever is there.
        kind = UNCONFIRMED[len(members)]
        finding = Finding(scene.image_id, kind, members)
        told = support.get(members[0], 0)
        agree = told if len(members) == 1 else 0
        detection = Detection(finding, place=place, told=told, agree=agree)
        features = evidence.features(detection, finding)
        chance = lexicon.weights.probability(kind, features) or 0.0
        return chance * (1 - near(finding.word or members[0].rpartition(" ")[2]))

    return doubt
