"""Nouns that no reference has: invented and confused objects, wrong places.

In: an aligned scene. Out: a finding for each noun of the candidate for which no
reference has a word in any role. The object is confused if the references have a
sibling ("cat" for "dog") in the same role, a wrong place if it is a location, wrong
clothing if it is worn, and otherwise invented.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

from spicepy.diagnosis.alignment import (
    AlignedScene,
    ObjectClass,
    PooledReferences,
    distinct,
    is_named_whole_in,
)
from spicepy.diagnosis.captions.caption import Thing
from spicepy.diagnosis.context import (
    has_confirmed_location,
    has_locative,
    is_beside,
    is_implied,
    is_in_its_role,
    is_joined,
    is_located,
    is_location,
    is_worn,
    needs_no_reference,
    place_of,
    stands_beside,
)
from spicepy.diagnosis.findings import Finding, Kind
from spicepy.diagnosis.kinds.detections import Detection, detection_of, noun_finding
from spicepy.diagnosis.lexicon.aspects import Value
from spicepy.diagnosis.lexicon.nouns import ABOUT_ONE_THING
from spicepy.objects.presence import load_mention_words

# Missed objects: things that references have and the candidate neither names in any
# role nor implies. If it has a location that a reference confirms, it misses no other
# places but those that enough references have beside it.


def detect_missed(scene: AlignedScene) -> Iterator[Detection]:
    """Yield a finding for each missed class."""
    missed = missable(scene)
    known: set[str] = set()
    # An insect comes before the wasp of another reference.
    every = [(group, _sorts_of(scene, group, missed)) for group in missed]
    for group, sorts in sorted(every, key=lambda pair: -len(pair[1])):
        if group.name in known:
            continue
        elsewhere = is_location(scene, group) and has_confirmed_location(scene, group)
        said = elsewhere or _goes_by_another_name(scene, group)
        if group.support <= scene.enough:  # What more people name is worth naming.
            said = said or is_implied(group.name, scene.candidate.lemmas, scene.lexicon)
        if not said and not _is_explained(scene, group):
            kin = [group, *sorts]
            known.update(other.name for other in kin)
            yield detection_of(
                scene,
                "missed object",
                (_concept(scene, kin),),
                references=_saying(scene, kin),
                topic=("missed", group.name),
            )


def _sorts_of(
    scene: AlignedScene, group: ObjectClass, missed: Sequence[ObjectClass]
) -> list[ObjectClass]:
    """Return further classes that a noun of a class covers: a wasp for an insect."""
    # No reference has both; one with a bee and a wasp has two insects.
    grade = scene.lexicon.nouns.grade
    if group.of_people:
        return []
    return [
        other
        for other in missed
        if other is not group
        and any(grade(name, other.name) == "more general" for name in group.names)
        and not group.is_together_with(other)
    ]


def _concept(scene: AlignedScene, kin: Sequence[ObjectClass]) -> str:
    """Return the noun that stands for most nouns of some classes."""
    # It is the most frequent one, or, if most references have others, one that is more
    # general: "insect" for two bugs, two insects and a dragonfly.
    group, nouns = kin[0], scene.lexicon.nouns
    names = sum((other.names for other in kin), Counter[str]())
    if group.of_people or 2 * names[group.name] > names.total():
        plural = f"{group.name}s"  # "The woods" are not the material wood.
        whole = plural in scene.lexicon.quantities.plural_only
        return plural if whole and plural in scene.pooled.words else group.name

    def covered(name: str) -> int:
        return sum(
            number
            for other, number in names.items()
            if other == name
            or name in nouns.family(other)
            or nouns.grade(other, name) == "more specific"
        )

    # Others that are only less specific agree with it: a beer is alcohol.
    [(most, _)] = names.most_common(1)
    if all(nouns.grade(most, name) in ("same", "more specific") for name in names):
        return most
    generic = nouns.generic  # "Object" names nothing.
    return max(names, key=lambda n: (n not in generic, covered(n), names[n]))


def _saying(scene: AlignedScene, kin: Sequence[ObjectClass]) -> int:
    """Return how many references have such things, also where the parse lost them."""
    return sum(
        any(
            other.of_reference[number] or not other.forms.isdisjoint(words)
            for other in kin
        )
        for number, words in enumerate(scene.pooled.once(_named_words))
    )


def _named_words(pooled: PooledReferences) -> list[frozenset[str]]:
    """Return the words of each reference that may be nouns."""
    # A verb is none: who jumps need not be at a jump. Nor is what only tells the sort
    # of another thing: an "ice cream truck".
    is_compound, found = pooled.lexicon.nouns.is_compound, []
    for text in pooled.texts:
        sorts = [a for t in text.things for a in t.attributes if is_compound(a)]
        inside = {w for a in sorts for w in (a, *a.split(" "), a.replace(" ", ""))}
        found.append(text.named - inside - {verb.lemma for verb in text.verbs})
    return found


def missable(scene: AlignedScene) -> list[ObjectClass]:
    """Return the unsaid classes that a caption should not leave out."""
    # Backgrounds and parts of the body go without saying; nouns that WordNet does not
    # have are mostly misspelt.
    nouns, backgrounds = scene.lexicon.nouns, scene.lexicon.unsaid.backgrounds
    return [
        group
        for group in scene.unsaid
        if nouns.is_known(group.name)
        and group.name not in backgrounds
        and not nouns.is_body_part(group.name)
    ]


def _is_explained(scene: AlignedScene, group: ObjectClass) -> bool:
    """Return whether earlier findings explain a class in most of its references."""
    explained = sum(
        not scene.explained.isdisjoint(things) for things in group.of_reference
    )
    return 2 * explained > group.support


def _goes_by_another_name(scene: AlignedScene, group: ObjectClass) -> bool:
    """Return whether the candidate has another noun for the things of a class."""
    # A candidate with "bus" does not miss "vehicle". If some references have a leopard
    # and others a cheetah, but none has both, they mean the same animal.
    nouns, others = scene.lexicon.nouns, scene.classes
    if any(
        nouns.grade(thing.name, group.name) == "more specific"
        for other in others
        for thing in other.said
    ):
        return True
    figures = load_mention_words().depictions  # A "cow statue" shows the cow.
    parts = (thing.name.rpartition(" ") for other in others for thing in other.said)
    if any(shown == group.name and head in figures for shown, _, head in parts):
        return True
    return any(
        other.said
        and nouns.may_be_confused(group.name, other.name)
        and nouns.grade(group.name, other.name) == "sibling"
        and not group.is_together_with(other)
        for other in others
    )


def detect_unmatched(scene: AlignedScene) -> Iterator[Detection]:
    """Yield findings of nouns that no reference has, also inside names."""
    words = scene.pooled.words, scene.lexicon
    new = [t for t in scene.unmatched if not is_named_whole_in(t, *words)]
    yield from _of_things(scene, new)
    named = [thing for thing in scene.candidate.things if thing not in new]
    for word in _invented_words(scene, named):
        yield detection_of(scene, "invented object", (word,), word)


def _of_things(scene: AlignedScene, things: Sequence[Thing]) -> Iterator[Detection]:
    """Yield findings of nouns that no reference has."""
    # Each missed class of the references is the counterpart of one noun only.
    missed, place = missable(scene), place_of(scene)
    taken: set[str] = set()
    for thing in distinct(things):
        if needs_no_reference(scene, thing):
            continue
        left = [group for group in missed if group.name not in taken]
        open_ = _may_be_there(scene, thing, missed)
        meant = None if open_ else _sibling(scene, thing, left)
        kind = "confused object" if meant else _kind(scene, thing)
        conclusive = not open_ and not _is_left_open(scene, thing, place)
        if not (open_ or meant or place is None) and _replaces(scene, thing, place):
            kind, meant = "wrong place", place
            conclusive = not _may_both_be_right(scene, thing, place)
        counterpart = (meant.name, meant.support) if meant else ()
        taken.update(counterpart[:1])
        yield Detection(
            noun_finding(scene, kind, thing, *counterpart),
            rules_out=("missed", meant.name) if meant else None,
            place=thing.place,
            conclusive=conclusive,
        )


def _kind(scene: AlignedScene, thing: Thing) -> Kind:
    """Return the kind of a noun without a counterpart in the references."""
    if is_worn(scene, thing):
        return "wrong clothing"
    where = is_located(scene.candidate, thing, scene.lexicon)
    site = scene.lexicon.places.is_site(thing.name)
    return "wrong place" if where and site else "invented object"


def _sibling(
    scene: AlignedScene, thing: Thing, missed: Sequence[ObjectClass]
) -> ObjectClass | None:
    """Return the missed class with which a thing is confused, None without one."""
    # Half of the references must have the class, and one of them in the thing's role: a
    # bench for a table is confused if somebody sits on both, and otherwise invented.
    nouns = scene.lexicon.nouns
    if is_worn(scene, thing):
        return None
    needed = max(scene.enough, len(scene.references) / 2)
    return next(
        (
            group
            for group in missed
            if group.support >= needed
            and nouns.grade(thing.name, group.name) == "sibling"
            and nouns.may_be_confused(thing.name, group.name)
            and is_in_its_role(scene, thing, group.of_reference)
        ),
        None,
    )


def _may_be_there(
    scene: AlignedScene, thing: Thing, missed: Sequence[ObjectClass]
) -> bool:
    """Return whether a thing may be in the picture though no reference has it."""
    # This holds for backgrounds, and for someone's parts of the body and clothes,
    # unless the references have garments that the candidate does not have.
    nouns, needed = scene.lexicon.nouns, scene.thresholds.references
    if thing.head in scene.lexicon.unsaid.backgrounds:
        return True
    if nouns.is_body_part(thing.name):
        return _belongs_to_someone(scene, thing)
    if nouns.region(thing.name) is not None:
        others = any(nouns.region(g.name) and g.support >= needed for g in missed)
        return not others and _belongs_to_someone(scene, thing)
    return False


def _is_left_open(scene: AlignedScene, thing: Thing, place: ObjectClass | None) -> bool:
    """Return whether a location may be right though no reference has it."""
    # References often leave out the ground or the table that something stands on.
    # Someone near a tree may be in a kitchen if the references have one as the place.
    said, places = (scene.candidate, thing, scene.lexicon), scene.lexicon.places
    if places.is_underfoot(thing.name) and is_located(*said):
        return True
    if place is None:  # "A cup on a table"
        return places.is_support(thing.name) and has_locative(*said)
    return places.is_place(thing.name) and is_located(*said)


def _replaces(scene: AlignedScene, thing: Thing, place: ObjectClass) -> bool:
    """Return whether a thing is a location in place of that of the references."""
    # A tool such as a plate is not a location; only another place of its own
    # contradicts one: a kitchen does not exclude a tree. Nor does a bench that someone
    # is near.
    places = scene.lexicon.places
    if not is_located(scene.candidate, thing, scene.lexicon):
        return False
    if places.is_site(thing.name):
        return places.is_site(place.name)
    if _may_both_be_right(scene, thing, place):
        return False
    return places.is_holder(thing.name) and not places.is_handled(thing.name)


def _may_both_be_right(scene: AlignedScene, thing: Thing, place: ObjectClass) -> bool:
    """Return whether both places can be right: "in front of a shop", "on a street"."""
    # Who is near a boat may also be near a river.
    beside = is_beside(scene.candidate, thing, scene.lexicon)
    is_site = scene.lexicon.places.is_site
    thing_at_site = is_site(place.name) and not is_site(thing.name)
    return beside and (thing_at_site or not stands_beside(scene, place))


def _belongs_to_someone(scene: AlignedScene, thing: Thing) -> bool:
    """Return whether a part of the body or a garment belongs to someone."""
    things, is_living = scene.candidate.things, scene.lexicon.nouns.is_living
    belonging = scene.lexicon.relations.belonging
    return any(
        how in belonging and things[target] is thing and is_living(things[source].name)
        for source, how, target in scene.candidate.relations
    )


def _invented_words(scene: AlignedScene, known: Sequence[Thing]) -> Iterator[str]:
    """Yield nouns inside or outside of names that are unlike all in the references."""
    # WordNet does not have "carrot car", so its carrot must be in the image as well.
    nouns = scene.lexicon.nouns
    certain = (thing for thing in known if scene.candidate.claims(thing))
    inside = (word for thing in certain for word in nouns.modifiers(thing.name))
    others = (
        word
        for word in scene.candidate.others
        if nouns.is_solid(word)
        and not nouns.is_person(word)
        and word not in scene.candidate.denied
        and not _is_in_apposition(scene, word)
    )
    words = list(dict.fromkeys((*inside, *others)))
    names = scene.pooled.once(_names) if words else set()
    for word in words:
        unlike = all(nouns.grade(word, n) in ("sibling", "other") for n in names)
        if unlike and not _is_no_error(scene, word):
            yield word


def _is_in_apposition(scene: AlignedScene, word: str) -> bool:
    """Return whether a noun names a thing once more: laptop in "laptop computer"."""
    grade = scene.lexicon.nouns.grade
    return any(
        word in thing.attributes and grade(word, thing.name) in ABOUT_ONE_THING
        for thing in scene.candidate.things
    )


def _names(pooled: PooledReferences) -> set[str]:
    """Return the names of the references' things and the words in them."""
    names = {other.name for text in pooled.texts for other in text.things}
    names |= {word for name in names for word in name.split(" ")}
    return names - pooled.lexicon.nouns.generic


def _is_no_error(scene: AlignedScene, word: str) -> bool:
    """Return whether a word is right: in the references, implied, or not an object."""
    lexicon, words = scene.lexicon, scene.pooled.words
    pairs, likeness = pairwise(scene.candidate.words), lexicon.names.likeness
    if any(first == word and second in likeness for first, second in pairs):
        return True
    if word in words or is_joined(scene, word):
        return True
    if word in lexicon.names.no_things or word in lexicon.unsaid.backgrounds:
        return True
    return is_implied(word, words, lexicon)


# Missed counts and colours: the candidate has the object but not its value.


def detect_missed_values(scene: AlignedScene) -> Iterator[Detection]:
    """Yield a finding for each number and colour that the candidate leaves out."""
    for group in scene.classes:
        if not group.said:
            continue
        if all(map(_is_uncounted, group.said)):
            yield from _missed(scene, group, "missed count", _numbers(group))
        patterns = scene.lexicon.aspects.patterns
        if "color" in group.expected and not any(
            scene.values(thing, "color") or not patterns.isdisjoint(thing.attributes)
            for thing in group.said
        ):
            yield from _missed(
                scene, group, "missed color", group.expected["color"].numbers
            )


def _is_uncounted(thing: Thing) -> bool:
    """Return whether a thing has no number; "at least two" is one."""
    amount = thing.amount
    return amount is None or (
        amount.high is None and amount.wording not in ("number", "quantity")
    )


def _missed(
    scene: AlignedScene, group: ObjectClass, kind: Kind, numbers: Counter[Value]
) -> Iterator[Detection]:
    """Yield a finding for the most frequent value if the candidate does not have it."""
    # A value that the candidate gives to another thing is not missed.
    for value, references in numbers.most_common(1):
        if references >= scene.enough and value not in scene.candidate.lemmas:
            thing = group.said[0]
            finding = Finding(
                scene.image_id,
                kind,
                (thing.name, str(value)),
                expected=value,
                references=references,
                words=scene.candidate.as_written(thing),
            )
            topic = (kind, group.name)
            yield Detection(
                finding, topic=topic, place=thing.place, mentions=group.support
            )


def _numbers(group: ObjectClass) -> Counter[Value]:
    """Return the exact numbers above one, each with how many references give it."""
    single = (amounts[0] for amounts in group.amounts if len(amounts) == 1)
    return Counter(a.low for a in single if a.high == a.low > 1)
