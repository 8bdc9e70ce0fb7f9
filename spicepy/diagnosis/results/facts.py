"""Facts: the statements of a caption, and the probability that each is wrong.

In: a scene, the findings about it, and the analysis that found them. Out: a `Fact` for
every object, attribute and relation in the parts that describe the picture.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, replace

from spicepy.diagnosis.analysis import Analysis
from spicepy.diagnosis.captions.caption import Reading, Scene, Thing
from spicepy.diagnosis.findings import Finding, Kind
from spicepy.diagnosis.kinds import IN_NOUN, UNCONFIRMED, WRONG
from spicepy.diagnosis.kinds.detections import CaptionEvidence, Detection

Statement = tuple[str, ...]
"""(object,), (object, attribute) or (object, relation, object)."""


@dataclass(frozen=True, slots=True)
class Fact:
    """One statement of a caption.

    Attributes:
        sentence: The number of its sentence, from 1.
        members: (object,), (object, attribute) or (object, relation, object).
        wrong: The probability that it is wrong, 0-1: that of the finding about it;
            without a finding, the higher, the less similar the references' words are.
        kind: The kind of the finding about it, "" without one.
    """

    sentence: int
    members: Statement
    wrong: float
    kind: Kind

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
    """Yield facts after some of the findings about them were refuted or confirmed.

    Args:
        facts: The facts of a candidate.
        findings: The findings that remain, with their new probabilities. A fact whose
            finding is refuted is right.
    """
    stated = list(facts)
    about = _likeliest(findings, {fact.members for fact in stated})
    for fact in stated:
        worst = _worst(fact.members, about)
        if worst:
            yield replace(fact, wrong=_chance(worst), kind=worst.kind)
        else:
            yield replace(fact, wrong=0.0, kind="") if fact.kind else fact


def statements(reading: Reading) -> Iterator[tuple[Thing, Statement]]:
    """Yield the members of each statement with the last thing in it.

    Suppositions are not statements.
    """
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
    """Return members of a fact -> the most probable finding about it.

    Args:
        findings: The findings about a candidate.
        said: The members of all its facts. The number of "three dogs" is a fact of its
            own; that of "dogs" belongs to the fact (dog).
    """
    about: dict[Statement, Finding] = {}
    for finding in findings:
        if finding.kind in WRONG:
            for key in _keys(finding, said):
                known = about.get(key)
                if known is None or _chance(finding) > _chance(known):
                    about[key] = finding
    return about


def _worst(members: Statement, about: Mapping[Statement, Finding]) -> Finding | None:
    """Return the most probable finding by which a fact is wrong, None without one.

    It is about the fact itself or about one of its objects: an object that is not in
    the picture has no attributes and relations. Findings about an object's number do
    not make its relations wrong.
    """
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
    """Return a function of a statement without a finding: how likely it is wrong, 0-1.

    This is the probability that a finding "no reference confirms it" would have, times
    1 minus the cosine to the references' most similar word.
    """
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
