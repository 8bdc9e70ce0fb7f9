"""Facts: each thing a caption says, sentence by sentence, and how likely it is wrong.

In: the reading of a candidate and the findings about it. Out: a `Fact` for every
object, attribute and relation of the parts that describe the picture.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from spicepy.diagnosis.captions.caption import Reading, Thing
from spicepy.diagnosis.findings import Finding, Kind
from spicepy.diagnosis.kinds import IN_NOUN, WRONG


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing that a caption says.

    Attributes:
        sentence: The number of its sentence, from 1.
        members: The object; with an attribute; or with a relation and another object.
        wrong: How likely it is wrong, 0-1; 0 if no finding is about it.
        kind: The kind of the finding that says so, "" without one.
    """

    sentence: int
    members: tuple[str, ...]
    wrong: float
    kind: Kind

    @property
    def text(self) -> str:
        """Its members in a line: "dog, red"."""
        return ", ".join(self.members)


def facts_of(reading: Reading, findings: Iterable[Finding]) -> list[Fact]:
    """Return what a caption says, in its order; each statement once a sentence."""
    about: dict[tuple[str, ...], Finding] = {}
    for finding in findings:
        if finding.kind in WRONG:
            for key in _keys(finding):
                known = about.get(key)
                if known is None or _chance(finding) > _chance(known):
                    about[key] = finding
    made = {(fact.sentence, fact.members): fact for fact in _all_facts(reading, about)}
    return sorted(made.values(), key=lambda fact: fact.sentence)


def _all_facts(
    reading: Reading, about: dict[tuple[str, ...], Finding]
) -> Iterator[Fact]:
    things = reading.things
    told = [reading.claims(thing) for thing in things]
    for thing, own in zip(things, told):
        if own:
            yield _fact(reading, thing, (thing.name,), about)
            for value in thing.attributes:
                yield _fact(reading, thing, (thing.name, value), about)
    for source, how, target in reading.relations:
        if told[source] and told[target]:
            members = things[source].name, how, things[target].name
            yield _fact(reading, things[target], members, about)


def _fact(
    reading: Reading,
    thing: Thing,
    members: tuple[str, ...],
    about: dict[tuple[str, ...], Finding],
) -> Fact:
    """Return a fact; what is said of a wrong object is wrong, too."""
    keys = [members[:1], members[-1:] if len(members) == 3 else (), members]
    keys += [(members[0], members[1].split(" ")[0])] if len(members) > 1 else []
    found = [about[key] for key in keys if key in about]
    at = max(0, thing.place - 1)
    sentence = reading.sentences[at] if at < len(reading.sentences) else 1
    if not found:
        return Fact(sentence, members, 0.0, "")
    worst = max(found, key=_chance)
    return Fact(sentence, members, _chance(worst), worst.kind)


def _keys(finding: Finding) -> Iterator[tuple[str, ...]]:
    """Yield the members of the facts that a finding is about."""
    members = finding.members
    if finding.kind in IN_NOUN:
        yield members[:1]
    yield members
    if len(members) > 1:
        yield members[0], members[1].split(" ")[0]


def _chance(finding: Finding) -> float:
    return finding.probability or 0.0
