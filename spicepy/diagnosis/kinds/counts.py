"""Wrong counts: the number of things of a class in the candidate and the references.

In: an aligned scene. Out: a finding for each class whose number in the candidate is
wrong, given explicitly ("two dogs") or by the article ("a dog").

A number of the candidate is right if one reference has things of the class that add up
to it: "three people" fits "two men and a woman". It is wrong if no reference has.
"A dog" means one dog; "dogs" means several: wrong for one dog, and no answer for "two
dogs".
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import Final

from spicepy.diagnosis.alignment import AlignedScene, ObjectClass, known_amounts
from spicepy.diagnosis.captions.caption import Thing
from spicepy.diagnosis.context import added_up, has_locative, has_more
from spicepy.diagnosis.findings import Observation
from spicepy.diagnosis.kinds.detections import Detection, detection
from spicepy.diagnosis.lexicon.aspects import Value
from spicepy.objects.amounts import Amount, sums, total

_DISSENT: Final = 4
"""A number is confirmed if at least one in this many references agrees."""
_COUNTED: Final = ("same", "more general")
"""Grades of a noun to the nouns whose things it counts."""


def detect(scene: AlignedScene) -> Iterator[Detection]:
    """Yield a finding for each class whose number is wrong."""
    # An amount that more references contradict than confirm is a finding that is not
    # conclusive.
    more = has_more(scene)
    for known in scene.classes:
        group = added_up(scene, known, more=more) if known.said else known
        for thing, conclusive in _candidates(scene, group):
            seen = _observe_wrong(scene, group, thing)
            if not (
                _is_some_of(thing, seen.expected, group)
                or _differs_in_gender(thing, group)
            ):
                yield _detection(scene, group, seen, thing, conclusive)
                break


def _candidates(
    scene: AlignedScene, group: ObjectClass
) -> Iterator[tuple[Thing, bool]]:
    """Yield things whose number may be wrong, and whether references settle it."""
    if (wrong := next(_wrong(scene, group), None)) is not None:
        yield wrong, True
    if (people := _all_people(scene, group)) is not None:
        yield people, True
    if (doubtful := _doubtful(scene, group)) is not None:
        yield doubtful, False


def _detection(
    scene: AlignedScene,
    group: ObjectClass,
    seen: Observation,
    thing: Thing,
    conclusive: bool,
) -> Detection:
    found = detection(
        scene,
        group,
        seen,
        thing,
        conclusive=conclusive,
        agree=_fitting(scene, group, thing)[0],
        mentions=len(group.explicit),
        exclusive=thing.amount is not None and thing.amount.in_words,
    )
    # A number that the candidate leaves open, against the references, is not missed.
    return replace(found, observation=None, rules_out=("missed count", group.name))


def _all_people(scene: AlignedScene, group: ObjectClass) -> Thing | None:
    """Return several people together, if most references count more or fewer."""
    # "A man and a woman" are two, for three people. References that give no number have
    # no say, nor those of whose people the candidate may only tell of some.
    own = known_amounts(group.said)
    if not (group.of_people and group.explicit) or not 1 < len(own) == len(group.said):
        return None
    every = total(own)
    known = [total(amounts) for amounts in group.amounts if amounts]
    exact = [a for a in known if a.low > 1 and a.high == a.low]
    enough = max(scene.enough, len(scene.references) / 2)
    if every.high != every.low or any(map(every.meets, exact)) or len(exact) < enough:
        return None
    amount = Amount(every.low, every.low, "number", str(every.low))
    return replace(group.said[0], name="people", amount=amount, gender=None, age=None)


def _doubtful(scene: AlignedScene, group: ObjectClass) -> Thing | None:
    """Return the first thing whose amount more references contradict than confirm."""
    for thing in group.said:
        if thing.amount is None or scene.lexicon.nouns.is_worn_or_part(thing.name):
            continue
        one_of_many = group.of_people and thing.amount.wording == "one"
        more = thing.amount.high is None and _has_others(scene)
        if not (one_of_many or more):
            agree, against = _fitting(scene, group, thing)
            if against > agree:
                return thing
    return None


def _fitting(scene: AlignedScene, group: ObjectClass, thing: Thing) -> tuple[int, int]:
    """Return how many references the thing's number fits, and how many it does not."""
    # It fits a reference if some of its things of the class add up to the number.
    said = thing.amount
    counted = _counted(scene, group, thing)
    if said is None or not counted:
        return 0, 0
    fits = sum(_fits(said, [own]) for own in counted)
    return fits, len(counted) - fits


def _is_enough(agreeing: int, counting: int) -> bool:
    """Return whether enough of the references that count agree; one of five is not."""
    return agreeing > 0 and _DISSENT * agreeing >= counting


def _wrong(scene: AlignedScene, group: ObjectClass) -> Iterator[Thing]:
    """Yield the candidate's things whose amounts fit no reference."""
    together = sums(known_amounts(group.said), least=2)
    if any(_fits(amount, group.amounts) for amount in together):
        return
    for thing in group.said:
        if thing.amount is None:
            continue
        counted = _counted(scene, group, thing)
        if (
            _weighs(scene, thing.amount, group, counted)
            and not _agrees(scene, thing.amount, counted, people=group.of_people)
            and not (thing.amount.wording == "one" and _is_singled_out(scene, group))
            and not (thing.amount.high is None and _has_others(scene))
        ):
            yield thing


def _counted(
    scene: AlignedScene, group: ObjectClass, thing: Thing
) -> list[Sequence[Amount]]:
    """Return the amounts, by reference, of the things that may be the candidate's."""
    if _is_audience(scene, group, thing) or _is_one_of(scene, group, thing):
        return []
    fitting: Sequence[Sequence[Amount]] = [
        [
            other.amount
            for other in things
            if other.amount is not None
            and _may_be_one(thing, other)
            and _count_alike(scene, thing, other)
        ]
        for things in _countable(scene, group, thing)
    ]
    # If all genders differ, the numbers of all people are compared.
    if group.of_people and not any(fitting):
        fitting = group.amounts
    return [own for own in fitting if own]


def _is_one_of(scene: AlignedScene, group: ObjectClass, thing: Thing) -> bool:
    """Return whether a thing may be one of several: a ship of "two boats"."""
    if thing.amount is None or thing.amount.wording != "one":
        return False
    others = {thing.name} | scene.lexicon.nouns.generic
    several = (t for t in group.said if t.amount and t.amount.low > 1)
    return any(t.name not in others and _may_be_one(thing, t) for t in several)


def _count_alike(scene: AlignedScene, thing: Thing, other: Thing) -> bool:
    """Return whether the number of a reference's thing can contradict a thing's."""
    # "Appliances" and "furniture" leave open how many ovens and couches there are.
    nouns, alike = scene.lexicon.nouns, scene.lexicon.places.count_alike
    is_open = other.amount is None or other.amount.high is None
    names = thing.name, other.name
    if not is_open or nouns.is_person(other.name):
        return alike(*names)
    apart = nouns.family(thing.name).isdisjoint(nouns.family(other.name))
    return alike(*names) and not (apart and nouns.grade(*names) == "more specific")


def _countable(
    scene: AlignedScene, group: ObjectClass, thing: Thing
) -> Sequence[Sequence[Thing]]:
    """Return what a noun counts in each reference: a sheep and a cat are animals."""
    # People are in one class anyway.
    grade = scene.lexicon.nouns.grade
    if group.of_people or grade(thing.name, group.name) != "more general":
        return group.of_reference
    return [
        [t for t in text.things if grade(thing.name, t.name) in _COUNTED]
        for text in scene.references
    ]


def _is_singled_out(scene: AlignedScene, group: ObjectClass) -> bool:
    """Return whether a third of the references single out one of several things."""
    # In "two men, one in a hat", "a man" of the candidate can be that one. "One
    # another" singles nobody out.
    singled = [
        any(
            word == "one" and after != "another"
            for word, after in zip_longest(text.words, text.words[1:])
        )
        for text, things in zip(scene.references, group.of_reference, strict=True)
        if any(amount.low > 1 for amount in known_amounts(things))
    ]
    return any(singled) and 3 * sum(singled) >= len(singled)


def _has_others(scene: AlignedScene) -> bool:
    """Return whether a reference has an unknown number of further things ("others")."""
    more = scene.lexicon.quantities.uncounted
    return any(not more.isdisjoint(text.words) for text in scene.references)


def _agrees(
    scene: AlignedScene,
    amount: Amount,
    counted: Sequence[Sequence[Amount]],
    *,
    people: bool,
) -> bool:
    """Return whether an amount agrees with the references."""
    # * An article ("a dog") must agree with the total of one reference; for people,
    #   with a part of one reference, since a caption may be about one of several
    #   people.
    # * A plural ("dogs") must fit a third of the references.
    # * A number in words must be the total of enough references with exact numbers (see
    #   `_is_enough`), or fit half of them in part. If these have articles and plurals
    #   only, it must fit a third of all references. It is not wrong if several
    #   references count and most of them differ from each other.
    if amount.wording == "one":
        if people:
            return _fits(amount, counted)
        return any(amount.meets(total(own)) for own in counted)
    if not amount.in_words:
        return 3 * sum(_fits(amount, [own]) for own in counted) >= len(counted)
    exact = [own for own in counted if all(a.high is not None for a in own)]
    if _is_enough(sum(amount.meets(total(own)) for own in exact), len(exact)):
        return True
    if not any(said.in_words for own in exact for said in own):
        return 3 * sum(_fits(amount, [own]) for own in counted) >= len(counted)
    [(_, same), *_] = Counter(map(total, exact)).most_common(1)
    if 2 * same <= len(exact) > scene.thresholds.references:
        return True
    return 2 * sum(_fits(amount, [own]) for own in exact) >= len(exact)


def _is_some_of(thing: Thing, expected: Value, group: ObjectClass) -> bool:
    """Return whether a restricted number is that of some of more things."""
    # Two people in helmets may be among four people, but not among four in helmets.
    said = thing.amount
    if said is None or not thing.restricted or not said.in_words:
        return False
    if any(
        t.restricted and t.amount and t.amount.low == expected for t in group.things
    ):
        return False
    return isinstance(expected, str) or said.low < expected


def _differs_in_gender(thing: Thing, group: ObjectClass) -> bool:
    """Return whether as many people are there, and not all of the thing's gender."""
    # "Two men" for a man and a woman is a wrong gender and not a wrong number.
    own = known_amounts(group.said)
    if not (thing.gender and own) or len(own) < len(group.said):
        return False
    every = total(own)
    exact = [a for a in map(total, filter(None, group.amounts)) if a.high is not None]
    agree = sum(map(every.meets, exact))
    genders = {t.gender for t in group.things} - {None, thing.gender}
    return bool(genders) and agree > 0 and 2 * agree >= len(exact)


def _weighs(
    scene: AlignedScene,
    amount: Amount,
    group: ObjectClass,
    counted: Sequence[Sequence[Amount]],
) -> bool:
    """Return whether the references can show that an amount is wrong."""
    # A number in words needs enough references with any amount. An article needs enough
    # references with a number above one; for people, with a small number in words.
    # Beside such a number plurals count as well, if no reference has a single thing. A
    # plural needs exact numbers in half of the references. Articles and plurals of
    # clothes and parts of the body are never wrong, nor are plurals of places ("walks
    # through the streets").
    needed = scene.enough
    if amount.in_words:
        return len(counted) >= needed
    if scene.lexicon.nouns.is_worn_or_part(group.name):
        return False
    if amount.wording == "one":
        few = scene.thresholds.small_number
        more = sum(
            any(_is_few(a, few) if group.of_people else _is_more(a) for a in own)
            for own in counted
        )
        is_plain = not group.of_people and not scene.lexicon.places.is_place(group.name)
        if more and is_plain and not any(amount.meets(total(own)) for own in counted):
            more = sum(total(own).low > 1 for own in counted)
        return more >= needed
    if scene.lexicon.places.is_place(group.name):
        return False
    alone = len(known_amounts(group.said)) == 1
    against = sum(all(a.high for a in own) for own in counted)
    return alone and against >= max(needed, len(scene.references) / 2)


def _is_more(amount: Amount) -> bool:
    """Return whether an amount is surely more than one, and not just a plural."""
    return amount.wording in ("number", "quantity") or amount.low > 2


def _is_few(amount: Amount, few: int) -> bool:
    """Return whether an amount is a small number in words."""
    # A caption names all of two or three people, but "a man" may be one of a crowd.
    return amount.in_words and amount.low <= few


def _is_audience(scene: AlignedScene, group: ObjectClass, thing: Thing) -> bool:
    """Return whether a thing is a crowd that watches others, or that they are in."""
    if thing.head not in scene.lexicon.people.crowds:
        return False
    is_group = thing.head in scene.lexicon.quantities.groups
    beside = is_group and any(t.head != thing.head for t in group.said)
    return beside or has_locative(scene.candidate, thing, scene.lexicon)


def _may_be_one(first: Thing, second: Thing) -> bool:
    """Return whether two things can be one: they have no different genders."""
    return not (first.gender and second.gender) or first.gender == second.gender


def _fits(amount: Amount, counted: Sequence[Sequence[Amount]]) -> bool:
    """Return whether some amounts of one reference add up to an amount."""
    return any(amount.meets(other) for own in counted for other in sums(own))


def _most_said(counted: Sequence[Sequence[Amount]]) -> Amount:
    """Return the total that most references have; exact ones come first in a tie."""
    totals = [total(amounts) for amounts in counted]
    numbers = Counter((a.low, a.high) for a in totals)
    return max(totals, key=lambda a: (numbers[a.low, a.high], a.high is not None))


def _observe_wrong(
    scene: AlignedScene, group: ObjectClass, thing: Thing
) -> Observation:
    """Return the observation for a number that fits no reference, or too few."""
    # The expected number is that of the things which the noun counts: of "two men and a
    # woman" it is two for "a man" and three for "a person". References that agree with
    # the candidate's number have no say, and numbers in words come before articles.
    said, counted = thing.amount, _counted(scene, group, thing)
    against = [own for own in counted if said and not said.meets(total(own))]
    in_words = [own for own in against if any(amount.in_words for amount in own)]
    expected = _most_said(in_words or against)
    references = max(1, _fitting(scene, group, thing)[1])
    value = None if said is None else said.value
    return Observation(
        *(scene.image_id, "count", group.name, expected.value),
        *(value, "wrong", references),
    )
