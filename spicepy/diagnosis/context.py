"""Identity across captions: the class of a thing, and the gender of a person.

A man and a woman are in one class, but their attributes and relations are compared
apart.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final

from spicepy.diagnosis.alignment import AlignedScene, ObjectClass, PooledReferences
from spicepy.diagnosis.captions.caption import Reading, Thing
from spicepy.diagnosis.lexicon.lexicon import Lexicon
from spicepy.diagnosis.lexicon.nouns import Nouns

ClassRole = tuple[str, str]
"""The name of a class and, of a person, the gender or else the noun ("" of things)."""
Roles = Mapping[Thing, ClassRole]
Related = tuple[ClassRole, str, ClassRole]
"""A relation between two things that are in classes."""


def candidate_roles(scene: AlignedScene) -> Roles:
    """Return the role of each of the candidate's things that are in a class."""
    said = ((group, group.said) for group in scene.classes)
    return _roles(said, scene.lexicon.nouns)


def reference_roles(pooled: PooledReferences) -> Roles:
    """Return the role of each of the references' things."""
    things = ((group, group.things) for group in pooled.classes)
    return _roles(things, pooled.lexicon.nouns)


def _roles(
    things: Iterable[tuple[ObjectClass, Sequence[Thing]]], nouns: Nouns
) -> Roles:
    return {
        thing: (group.name, (thing.gender or thing.name) * nouns.is_person(thing.name))
        for group, own in things
        for thing in own
    }


def related(reading: Reading, roles: Roles) -> Iterator[Related]:
    """Yield the relations of a caption between things that are in classes."""
    for source, how, target in reading.relations:
        ends = reading.things[source], reading.things[target]
        first, second = (roles.get(end) for end in ends)
        if first is not None and second is not None:
            yield first, how, second


# Belongings: the owners of clothes.


def is_of_somebody_else(scene: AlignedScene, thing: Thing) -> bool:
    """Return whether a garment belongs to a person whom no reference mentions."""
    # The clothes of "a lady in blue watching a player" are not those of the player, a
    # man who wears white, so that they may be blue.
    nouns = scene.lexicon.nouns
    if not nouns.is_worn_or_part(thing.name):
        return False
    genders = {t.gender for text in scene.references for t in text.things} - {None}
    owner = _owner(scene.candidate, thing)
    if owner is None or not genders or owner.gender in genders:
        return False
    people = (t for t in scene.candidate.things if nouns.is_person(t.name))
    return any(other.gender in (None, *genders) for other in people)


def is_worn(scene: AlignedScene, thing: Thing) -> bool:
    """Return whether a thing is a garment that the candidate puts on somebody."""
    # Nobody wears "a pile of shoes", nor "a hat on a table".
    lexicon, reading = scene.lexicon, scene.candidate
    if lexicon.nouns.region(thing.name) is None:
        return False
    if not lexicon.relations.belonging.isdisjoint(reading.relations_to(thing)):
        return True
    is_living, is_locative = lexicon.nouns.is_living, lexicon.places.is_locative
    lies = any(
        reading.things[a] is thing and is_locative(how)
        for a, how, _ in reading.relations
    )
    heaped = thing.amount is not None and thing.amount.wording == "vague"
    return any(is_living(t.name) for t in reading.things) and not (lies or heaped)


def _owner(reading: Reading, thing: Thing) -> Thing | None:
    """Return the person with a relation to a garment, else the last one before it."""
    things = reading.things
    related = [things[a] for a, _, b in reading.relations if things[b] is thing]
    before = [other for other in things if other.place <= thing.place]
    people = [other for other in (*before, *related) if other.gender]
    return people[-1] if people else None


# Implications: nouns that are right although no reference has them.

_ENDS: Final = ("", ".", "!", "?", ":")  # What stands before a sentence.
_POSSESSIVE: Final = (("'s",), ("'",))


def needs_no_reference(scene: AlignedScene, thing: Thing) -> bool:
    """Return whether a noun without a counterpart in the references is not an error."""
    # It is none if the references have it as one word ("skateboard" for "skate board")
    # or imply it (cutting a cake implies a knife), if the candidate denies it ("without
    # a shirt"), if it names no visible thing (an event such as "game", a word that
    # WordNet does not have, or one that stands for any thing), if it is a possessive as
    # in "the men's bathroom", and if it is a proper name such as "Crown Victoria".
    nouns = scene.lexicon.nouns
    after = scene.candidate.words[thing.place : thing.place + 1]
    if nouns.is_living(thing.name) and after in _POSSESSIVE and not thing.amount:
        return True
    if nouns.is_event(thing.name) or not nouns.is_known(thing.name):
        return True
    if not nouns.generic.isdisjoint((thing.name, thing.head)):
        return True
    if is_proper(scene, thing):
        return True
    words, start = scene.candidate.words, max(0, thing.place - 2)
    joined = "".join(words[start : thing.place])
    if thing.head in scene.candidate.denied:
        return True
    pooled = scene.pooled
    if joined in pooled.words or nouns.is_among(thing.name, pooled.meanings):
        return True
    return is_implied(thing.name, pooled.words, scene.lexicon)


def is_proper(scene: AlignedScene, thing: Thing) -> bool:
    """Return whether a rare noun has a capital letter within a sentence."""
    # No noun of a caption that is mostly in capitals is taken for a proper name.
    if thing.name in scene.lexicon.omission.nouns:
        return False
    before, noun, _ = scene.candidate.caption.partition(thing.name.title())
    words = scene.candidate.caption.split()
    small = 2 * sum(word.islower() for word in words) > len(words)
    inside = before.rstrip()[-1:] not in _ENDS
    return small and bool(noun) and inside


def is_implied(noun: str, words: frozenset[str], lexicon: Lexicon) -> bool:
    """Return whether one of the words implies the thing that a noun names."""
    return not words.isdisjoint(lexicon.unsaid.implied.get(noun, ()))


def is_joined(scene: AlignedScene, word: str) -> bool:
    """Return whether the references write a word and its neighbour as one word."""
    words = scene.candidate.words
    joined = {a + b for a, b in pairwise(words) if word in (a, b)}
    return not joined.isdisjoint(scene.pooled.words)


# Locations: the things of a caption that say where something is or happens.


def is_located(reading: Reading, thing: Thing, lexicon: Lexicon) -> bool:
    """Return whether a thing is the location of another one: "on a bench"."""
    nouns, places = lexicon.nouns, lexicon.places
    if nouns.is_living(thing.name) or nouns.region(thing.name) is not None:
        return False
    if thing.name in lexicon.quantities.vague:  # "In a line" is not a location.
        return False
    if has_locative(reading, thing, lexicon):
        return True
    return places.is_place(thing.name) and not any(reading.relations_to(thing))


def has_locative(reading: Reading, thing: Thing, lexicon: Lexicon) -> bool:
    """Return whether a preposition of place stands before a thing."""
    return any(map(lexicon.places.is_locative, reading.relations_to(thing)))


def is_beside(reading: Reading, thing: Thing, lexicon: Lexicon) -> bool:
    """Return whether someone is beside a thing, and so may be in any place."""
    return any(map(lexicon.places.is_beside, reading.relations_to(thing)))


def stands_beside(scene: AlignedScene, group: ObjectClass) -> bool:
    """Return whether a reference has someone beside a place instead of in it."""
    return any(
        is_beside(text, thing, scene.lexicon)
        for text, things in zip(scene.references, group.of_reference, strict=True)
        for thing in things
    )


def place_of(scene: AlignedScene) -> ObjectClass | None:
    """Return the unsaid class that most references, and enough, have as location."""
    # Classes that are places of their own (`Places.is_site`) come before others.
    is_site, located = scene.lexicon.places.is_site, scene.pooled.once(_locations)
    enough = (g for g in scene.unsaid if g.support >= scene.enough)
    locations = (g for g in enough if g.name in located)
    return max(locations, key=lambda g: (is_site(g.name), g.support), default=None)


def is_location(scene: AlignedScene, group: ObjectClass) -> bool:
    """Return whether a class is a place and the location in half of its references."""
    is_place = scene.lexicon.places.is_place(group.name)
    return is_place and group.name in scene.pooled.once(_locations)


def has_confirmed_location(scene: AlignedScene, unsaid: ObjectClass) -> bool:
    """Return whether the candidate has a location that a reference confirms."""
    # A path is none for `unsaid` woods that a reference has beside it if more
    # references have the woods, or enough do.
    places, located = scene.lexicon.places, scene.pooled.once(_locations)
    return any(
        has_locative(scene.candidate, thing, scene.lexicon)
        for group in scene.classes
        if not group.is_together_with(unsaid)
        or scene.enough > unsaid.support <= group.support
        if group.said and (places.is_place(group.name) or group.name in located)
        for thing in group.said
    )


def _locations(pooled: PooledReferences) -> set[str]:
    """Return the names of the classes that are locations."""
    return {group.name for group in pooled.classes if _locates(pooled, group)}


def _locates(pooled: PooledReferences, group: ObjectClass) -> bool:
    """Return whether half of the references with a class locate something there."""
    # Clothes, parts of a body and tools are not locations, and neither are backgrounds
    # such as clouds.
    name, lexicon = group.name, pooled.lexicon
    places = lexicon.places
    if lexicon.nouns.is_worn_or_part(name) or places.is_handled(name):
        return False
    if name in lexicon.unsaid.backgrounds and not places.is_place(name):
        return False
    place = places.is_place(name)
    located = sum(
        any(
            is_located(text, thing, lexicon)
            and (place or not is_beside(text, thing, lexicon))
            for thing in things
        )
        for text, things in zip(pooled.texts, group.of_reference, strict=True)
    )
    return 2 * located >= group.support


# Semantic roles: a thing as the subject or object of a relation, or as the topic. A
# candidate may have taken one thing for another if both are played, both are the topic
# of the caption, or both have someone on them.

Role = tuple[str, str]  # ("subject", verb), ("object", relation) or ("topic", "")


def is_in_its_role(
    scene: AlignedScene, thing: Thing, of_reference: Sequence[Iterable[Thing]]
) -> bool:
    """Return whether a reference has one of its things in the role of `thing`."""
    own = set(roles(scene.candidate, thing))
    return any(
        not own.isdisjoint(roles(text, other))
        for text, things in zip(scene.references, of_reference, strict=True)
        for other in things
    )


def roles(reading: Reading, thing: Thing) -> Iterator[Role]:
    """Yield the roles of a thing in a caption; "sit in" and "sit on" are one role."""
    number = reading.things.index(thing)
    if number == 0:
        yield "topic", ""
    verbs = [verb.lemma for verb in reading.verbs if verb.agent == number]
    for lemma in verbs:
        yield "subject", lemma
    relations = reading.relations_to(thing)
    if number and not verbs and not relations:
        relations = ["with"]  # "A man and a dog" says what "a man with a dog" does.
    for how in relations:
        yield "object", " ".join("on" if w == "in" else w for w in how.split(" "))


# Totals: how many things of one name a candidate has, over all its noun phrases.

_DEFINITE: Final = ("the", "both")
_PHRASE: Final = 3  # The number of words before a noun that may belong to its phrase


def added_up(scene: AlignedScene, group: ObjectClass, *, more: bool) -> ObjectClass:
    """Return a class whose things of one name are one thing with their total."""
    # "A man in blue and a man in red" are two men. If the candidate has `more` things
    # without a name ("and one is standing", "two others"), totals have no upper bound.
    by_name: dict[str, list[Thing]] = {}
    for thing in group.said:
        if thing.amount is not None:
            by_name.setdefault(thing.name, []).append(thing)
    if all(len(own) == 1 for own in by_name.values()) and not more:
        return group
    said = []
    for own in by_name.values():
        amount = scene.candidate.total(own)
        if more and amount is not None:
            amount = replace(amount, high=None)
        said.append(replace(own[0], amount=amount))
    said += [thing for thing in group.said if thing.amount is None]
    return group.of_candidate(said)


def has_more(scene: AlignedScene) -> bool:
    """Return whether a candidate says "one" twice or "others" outside its phrases."""
    # "One of them", "the others" and "two dogs, one brown and one black" are among
    # those that were counted.
    reading, quantities = scene.candidate, scene.lexicon.quantities
    words, more = ("", *reading.words, ""), quantities.uncounted
    ones = [
        place
        for place, word in enumerate(words)
        if word == "one"
        and words[place + 1] != "of"
        and words[place - 1] not in quantities.rest
    ]
    counted = (
        thing.amount.low
        for thing in reading.things
        if thing.amount and thing.amount.in_words and ones and thing.place < ones[0]
    )
    if len(ones) > 1 and len(ones) > max(counted, default=1):
        return True
    inside = {
        place
        for thing in reading.things
        for place in range(thing.place - _PHRASE, thing.place)
    }
    return any(
        word in more and place not in inside and words[place - 1] not in _DEFINITE
        for place, word in enumerate(words)
    )
