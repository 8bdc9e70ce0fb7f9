"""The reading of a caption: things with values, relations between them, and verbs.

"two dogs chase a red ball"  →  dog ×2, ball ×1 (red), dog –chase→ ball

Sections that belong to it:

* Verbs: find the verbs of a caption with their agents and objects.
* Scenes: the readings of one image's captions.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Final

from spicepy.captions.sample import ImageId
from spicepy.diagnosis.lexicon.nouns import Age, Gender
from spicepy.graph.matching import Counts
from spicepy.objects.amounts import Amount

# Verbs: find the verbs of a caption with their agents and objects.
#
# In: the tags, lemmas, things and relations of a caption. Out: `Verb`s.
#
#     "a boy is sweeping the floor"  →  sweep, agent boy, object floor

Relation = tuple[int, str, int]
_FINITE: Final = ("VB", "VBZ", "VBP", "VBG", "VBD")
_ALL: Final = (*_FINITE, "VBN")


@dataclass(frozen=True, slots=True)
class Verb:
    """A verb of a caption.

    Attributes:
        lemma: "sweep".
        place: Its position in the caption, from 1.
        agent: The number of the thing that is its agent, -1 if unknown.
        object: The number of the thing that is its object, -1 without one.
        finite: False for participles such as "parked", which may be passive.
    """

    lemma: str
    place: int
    agent: int
    object: int
    finite: bool


def find_verbs(
    tags: Sequence[str],
    lemmas: Sequence[str],
    attributes: Sequence[Sequence[str]],
    relations: Sequence[Relation],
) -> Iterator[Verb]:
    """Yield the verbs in the order of the caption.

    Args:
        tags: The tags of the words.
        lemmas: The lemmas of the words.
        attributes: The attributes of each thing.
        relations: The relations between things, by their numbers.
    """
    for place, tag, lemma in zip(count(1), tags, lemmas):
        if tag in _ALL:
            own = [r for r in relations if r[1].split(" ")[0] == lemma]
            agents = [source for source, _, _ in own]
            agents += [k for k, said in enumerate(attributes) if lemma in said]
            objects = [target for _, how, target in own if how == lemma]
            yield Verb(
                lemma,
                place,
                agents[0] if agents else -1,
                objects[0] if objects else -1,
                tag in _FINITE,
            )


@dataclass(frozen=True, slots=True, eq=False)
class Thing:
    """One object of one caption; things are compared by identity, not by value.

    Attributes:
        name: Its lemma, "tennis racket".
        place: The position (from 1) of its last word in the caption, 0 if unknown.
        amount: How many there are, None if the caption leaves it open.
        attributes: The lemmas of its attributes in the order of the caption.
        gender: The gender of a person by noun, attribute or pronoun; None if unknown.
        age: The age of a person by noun and attribute; None if unknown.
        pronouns: The positions of the pronouns that refer to it.
        restricted: Whether there may be others of the name: "two people in helmets".
    """

    name: str
    place: int = 0
    amount: Amount | None = None
    attributes: tuple[str, ...] = ()
    gender: Gender | None = None
    age: Age | None = None
    pronouns: tuple[int, ...] = ()
    restricted: bool = False

    @property
    def head(self) -> str:
        """The last word of the name."""
        return self.name.rpartition(" ")[2]


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """The reading of one caption.

    Attributes:
        caption: The caption as it was written.
        words: Its tokens; empty if only tuples are known.
        lemmas: All word forms and lemmas, and pairs of neighbours joined to one word.
        things: Its things in the order of the caption.
        relations: (number of a thing, relation, number of a thing).
        others: Nouns that are in no thing's name: "apple" in "an apple coloured sofa".
        unclaimed: Positions of words that the caption does not claim to see: after
            "possibly", beside "or" ("a house or a shop"), and in the parts of a long
            caption that do not describe the picture.
        sentences: The number of the sentence of each word, from 1.
        verbs: Its verbs; empty if only tuples are known.
        denied: The nouns of things that the caption says are absent: "without a hat".
        content: Lemmas of nouns, verbs, adjectives and numbers, without auxiliaries.
        tags: The parts of speech of the words; empty if only tuples are known.
        unnamed: Words that only stand in names of other things: "train" in "train
            station", "dog" in "hot dog".
    """

    caption: str
    words: tuple[str, ...]
    lemmas: frozenset[str]
    things: tuple[Thing, ...]
    relations: tuple[tuple[int, str, int], ...] = ()
    others: tuple[str, ...] = ()
    unclaimed: frozenset[int] = frozenset()
    sentences: tuple[int, ...] = ()
    verbs: tuple[Verb, ...] = ()
    denied: tuple[str, ...] = ()
    content: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    unnamed: frozenset[str] = frozenset()

    @property
    def named(self) -> frozenset[str]:
        """The lemmas without those that only stand in names of other things."""
        return self.lemmas - self.unnamed if self.unnamed else self.lemmas

    def claims(self, thing: Thing) -> bool:
        """Return whether the caption claims that a thing is in the picture."""
        return thing.place not in self.unclaimed

    def as_written(self, thing: Thing) -> str:
        """Return the words of the caption that name a thing."""
        if 0 < thing.place <= len(self.words):
            start = max(0, thing.place - len(thing.name.split(" ")))
            return " ".join(self.words[start : thing.place])
        return thing.name

    def relations_to(self, thing: Thing) -> list[str]:
        """Return the relations that have a thing as their target."""
        return [
            how for _, how, target in self.relations if self.things[target] is thing
        ]


# Scenes: the readings of one image's captions.


@dataclass(frozen=True, slots=True)
class Scene:
    """The readings of one image's candidate and references.

    Attributes:
        image_id: The image.
        candidate: The reading of the candidate.
        references: The readings of the references.
        counts: SPICE's counts by category ("All", "Object", …), if SPICE was scored.
    """

    image_id: ImageId
    candidate: Reading
    references: tuple[Reading, ...]
    counts: Mapping[str, Counts] = field(default_factory=dict)
