"""Object classes: things of several captions that may be one and the same.

In: things of the references, caption by caption. Out: an `ObjectClass` with all that
follows from the references alone: how many have it, how they count it, which values
they give it. The candidate's things are added to a copy.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from spicepy.diagnosis.captions.caption import Thing
from spicepy.diagnosis.captions.items import values_of_thing
from spicepy.diagnosis.lexicon.aspects import ASPECTS, Aspect, Value
from spicepy.diagnosis.lexicon.lexicon import Lexicon
from spicepy.objects.amounts import Amount


@dataclass(frozen=True, slots=True)
class ExpectedValues:
    """The colours (sizes, …) that the references give the things of a class.

    Attributes:
        aspect: The aspect.
        object: The name of the class.
        numbers: Value -> the number of references that say it.
        support: The number of references that give a value; some give several.
    """

    aspect: Aspect
    object: str
    numbers: Counter[Value]
    support: int

    @property
    def most_said(self) -> Value:
        """The value that most references say."""
        return self.numbers.most_common(1)[0][0]


@dataclass(slots=True, eq=False)
class ObjectClass:
    """Things of several captions that may be one and the same.

    Attributes:
        name: The noun that most references use.
        of_reference: For each reference, its things of the class.
        of_people: Whether the things are people.
        names: Noun of the references -> the number of things that have it.
        forms: These nouns, their last words and their spellings as one word.
        support: The number of references that have such a thing.
        amounts: For each reference, the amounts of its things.
        explicit: The amounts of those references that give a number in words.
        expected: Aspect -> the values that the references give such a thing; without
            aspects of which they give none.
        said: The candidate's things of the class.
    """

    name: str
    of_reference: Sequence[Sequence[Thing]]
    of_people: bool
    names: Counter[str]
    forms: frozenset[str]
    support: int
    amounts: Sequence[Sequence[Amount]]
    explicit: Sequence[Sequence[Amount]]
    expected: Mapping[Aspect, ExpectedValues]
    said: list[Thing] = field(default_factory=list)

    @property
    def things(self) -> list[Thing]:
        """All things of the references."""
        return [thing for things in self.of_reference for thing in things]

    def is_together_with(self, other: "ObjectClass") -> bool:
        """Return whether a reference has things of both classes."""
        pairs = zip(self.of_reference, other.of_reference, strict=True)
        return any(a and b for a, b in pairs)

    def of_candidate(self, said: list[Thing]) -> "ObjectClass":
        """Return the class with things of a candidate."""
        about = (self.name, self.of_reference, self.of_people, self.names, self.forms)
        counted = (self.support, self.amounts, self.explicit, self.expected)
        return ObjectClass(*about, *counted, said)


def class_of(
    name: str, of_reference: Sequence[Sequence[Thing]], lexicon: Lexicon
) -> ObjectClass:
    """Return a class without any thing of a candidate.

    Args:
        name: The noun that most references use.
        of_reference: For each reference, its things of the class.
        lexicon: The words of the error analysis.
    """
    things = [thing for things in of_reference for thing in things]
    # Most classes have no value at all.
    valued = any(t.attributes or t.gender or t.age for t in things)
    every = [
        _expected(aspect, name, of_reference, lexicon)
        for aspect in (ASPECTS if valued else ())
    ]
    amounts = [known_amounts(own) for own in of_reference]
    return ObjectClass(
        name,
        of_reference,
        lexicon.nouns.is_person(name),
        Counter(thing.name for thing in things),
        frozenset(form for thing in things for form in _forms(thing)),
        sum(map(bool, of_reference)),
        amounts,
        [own for own in amounts if any(amount.in_words for amount in own)],
        {values.aspect: values for values in every if values.numbers},
    )


def _expected(
    aspect: Aspect,
    name: str,
    of_reference: Sequence[Sequence[Thing]],
    lexicon: Lexicon,
) -> ExpectedValues:
    own = [
        dict.fromkeys(v for t in things for v in values_of_thing(t, aspect, lexicon))
        for things in of_reference
    ]
    numbers = Counter(value for values in own for value in values)
    return ExpectedValues(aspect, name, numbers, sum(map(bool, own)))


def _forms(thing: Thing) -> tuple[str, str, str]:
    """Return a noun, its last word, and its spelling as one word."""
    return thing.name, thing.head, thing.name.replace(" ", "")


def is_named_in(thing: Thing, words: frozenset[str]) -> bool:
    """Return whether the words of a caption include a thing's noun or its last word."""
    return not words.isdisjoint(_forms(thing))


def is_named_whole_in(thing: Thing, words: frozenset[str], lexicon: Lexicon) -> bool:
    """Return whether the words of a caption include a thing's noun.

    The last word is enough for names that WordNet lacks: "wooden table", but not
    "polar bear".
    """
    if not is_named_in(thing, words):
        return False
    parts = frozenset(thing.name.split(" "))
    return parts <= words or not lexicon.nouns.is_name(thing.name)


def distinct(things: Sequence[Thing]) -> list[Thing]:
    """Return the first thing of each name, in order."""
    by_name: Mapping[str, Thing] = {thing.name: thing for thing in reversed(things)}
    return list(by_name.values())[::-1]


def known_amounts(things: Iterable[Thing]) -> list[Amount]:
    """Return the amounts of those things whose amount is known."""
    return [thing.amount for thing in things if thing.amount is not None]
