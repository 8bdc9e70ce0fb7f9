"""Items: what a caption says, taken apart so that captions can be compared.

In: a reading. Out: its `Items`: nouns, verbs, values and other words; values of nouns
("bus", "red"); relations; phrases; and what is said twice.

    "two men ride a red bus"  →  noun man, noun bus, count 2, verb ride, color red,
                                 color of bus: red, count of person: 2, "ride a red bus"
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import accumulate, groupby, pairwise
from operator import itemgetter
from typing import Final

from spicepy.diagnosis.captions.caption import Reading, Thing, quoted_texts
from spicepy.diagnosis.lexicon.aspects import Aspect, Value
from spicepy.diagnosis.lexicon.lexicon import Lexicon

Item = tuple[str, str]  # A category such as "noun", "color" or "phrase", and a text
ANY: Final = "any"  # The category of items that stand for many: ("any", "color")

_SAID: Final[tuple[Aspect, ...]] = ("count", "color", "size", "material")
_OF_PEOPLE: Final[tuple[Aspect, ...]] = ("gender", "age")
_VAGUE: Final = frozenset(
    ("other", "artifact", "physical object", "instrumentality", "material", "covering")
)
"""Sorts of things that say nothing to a reader."""
_MAX_WORDS: Final = 5  # The most words of a phrase.
_PEOPLE: Final = "person"
_AUXILIARIES: Final = ("be", "have", "do")
_TWICE: Final = {2: "phrase", 3: "longer phrase"}
"""Numbers of words that may be said twice."""
_MARKS: Final = frozenset(".,;:!?\"'`-")


@dataclass(frozen=True, slots=True, eq=False)
class Items:
    """The words and statements of one caption, as patterns count them."""

    words: frozenset[Item]  # Its nouns, verbs, values and other words
    # What else it says: phrases, the whole caption, sorts of things, and `ANY` of an
    # aspect.
    others: frozenset[Item]
    # (aspect, noun) -> the value that the caption gives the noun; nouns with several
    # values are left out. An open number is its word: "several".
    values: Mapping[tuple[Aspect, str], Value]
    # (relation, noun, noun), such as ("chase", "dog", "cat").
    relations: frozenset[tuple[str, str, str]]
    # Positions with the noun of the place, such as ("under", "table").
    placed: frozenset[tuple[str, str]]
    repeated: frozenset[Item]  # The nouns and phrases that it has twice
    # Noun -> its number, None if it has none; all people are one "person".
    amounts: Mapping[str, int | None]
    # Noun -> its number, if it is said in words or digits and not one.
    numbers: Mapping[str, int]


def items_of(reading: Reading, lexicon: Lexicon) -> Items:
    """Return what a caption says, as items."""
    nouns = tuple(_nouns(reading, lexicon))
    verbs = {
        verb.lemma
        for verb in reading.verbs
        if verb.lemma not in _AUXILIARIES and verb.place not in reading.unclaimed
        if verb.lemma not in lexicon.about_pictures
    }
    values = dict[Item, None].fromkeys(_values(reading, lexicon))
    words = {("noun", noun) for noun in nouns}
    words |= {("verb", verb) for verb in verbs} | values.keys()
    words |= {("position", how) for how in _positions(reading.words, lexicon)}
    known = {word for _, text in words for word in (text, *text.split(" "))}
    has_value = lexicon.aspects.has_value
    words |= {
        ("word", word)
        for word in reading.content
        if word not in known
        and word not in lexicon.names.no_things
        and not has_value(word)
        and word not in lexicon.about_pictures
    }
    of_nouns, amounts, numbers = _said_of_nouns(reading, lexicon)
    return Items(
        frozenset(words),
        frozenset((*_sorts(reading, words, lexicon), *_phrases(reading, lexicon))),
        of_nouns,
        frozenset(_relations(reading, lexicon)),
        frozenset(_placed(reading, lexicon)),
        frozenset(_repeated(reading, nouns, lexicon)),
        amounts,
        numbers,
    )


def _nouns(reading: Reading, lexicon: Lexicon) -> Iterator[str]:
    """Yield the nouns, also the last word of a compound: "station" in "bus station"."""
    # But a hot dog is no dog.
    no_things = lexicon.names.no_things | lexicon.about_pictures
    nouns = lexicon.nouns
    for thing in filter(reading.claims, reading.things):
        if thing.head not in no_things and thing.name not in no_things:
            yield nouns.grown(thing.name)
            if " " in thing.name and nouns.grade(thing.name, thing.head) != "other":
                yield nouns.grown(thing.head)
    if max(reading.sentences, default=1) == 1:  # Answers have many that name no thing.
        yield from (noun for noun in reading.others if noun not in no_things)


def _positions(said: Sequence[str], lexicon: Lexicon) -> Iterator[str]:
    """Yield the words for the position of a thing: "under", "in front of", "left"."""
    single, longer = lexicon.position_words
    text = f" {' '.join(said)} "
    for words in longer:
        if f" {words} " in text:
            yield words
            text = text.replace(f" {words} ", " ")  # "In front of" is not "in".
    yield from single.intersection(text.split())


def _placed(reading: Reading, lexicon: Lexicon) -> Iterator[tuple[str, str]]:
    """Yield each position with the noun of its place: ("under", "table")."""
    for _, how, target in reading.relations:
        for position in _positions(how.split(" "), lexicon):
            yield position, lexicon.nouns.grown(reading.things[target].head)


def _values(reading: Reading, lexicon: Lexicon) -> Iterator[Item]:
    """Yield the values of any thing: ("color", "red")."""
    of = lexicon.aspects.of
    # "A glass of wine" and "orange juice" say nothing of a material or a color.
    named = {word for thing in reading.things for word in thing.name.split(" ")}
    said = [word for word in reading.content if word not in named]
    said += [attribute for t in reading.things for attribute in t.attributes]
    for aspect in _SAID:
        own = (str(value) for value in of(aspect, said) if value != 1)  # "one of them"
        yield from ((aspect, value) for value in own)
    for thing in reading.things:
        if thing.amount and thing.amount.in_words and thing.amount.value != 1:
            yield "count", str(thing.amount.value)


def _said_of_nouns(
    reading: Reading, lexicon: Lexicon
) -> tuple[dict[tuple[Aspect, str], Value], dict[str, int | None], dict[str, int]]:
    """Return what the caption says of each noun: `values`, `amounts` and `numbers`."""
    is_person = lexicon.nouns.is_person
    groups: dict[str, list[Thing]] = {}
    for thing in reading.things:
        names = {lexicon.nouns.grown(thing.name): None}
        names |= {_PEOPLE: None} if is_person(thing.name) else {}
        for name in names:
            groups.setdefault(name, []).append(thing)
    values: dict[tuple[Aspect, str], Value] = {}
    amounts: dict[str, int | None] = {}
    numbers: dict[str, int] = {}
    for name, things in groups.items():
        claimed = list(filter(reading.claims, things))
        known = [thing.amount for thing in claimed if thing.amount is not None]
        every = reading.total(claimed)
        number = every.value if every and isinstance(every.value, int) else None
        # People are counted together: a man and a woman are as many as two men.
        if name == _PEOPLE or not is_person(things[0].name):
            if number is not None:
                values["count", name] = number
            elif len(known) == 1 and known[0].word:
                values["count", name] = known[0].word
            amounts[name] = number
            if number and number > 1 and any(amount.in_words for amount in known):
                numbers[name] = number
        valued = {aspect for t in things for aspect in aspects_of_thing(t, lexicon)}
        for aspect in valued - {"count"}:
            own = {v for t in things for v in values_of_thing(t, aspect, lexicon)}
            if len(own) == 1:
                values[aspect, name] = own.pop()
    return values, amounts, numbers


def _relations(reading: Reading, lexicon: Lexicon) -> Iterator[tuple[str, str, str]]:
    """Yield (relation, noun, noun) of relations that have a direction."""
    grown = lexicon.nouns.grown
    for source, how, target in reading.relations:
        first, second = reading.things[source], reading.things[target]
        if not lexicon.relations.is_symmetric(how):
            yield how, grown(first.name), grown(second.name)


def _sorts(reading: Reading, words: Iterable[Item], lexicon: Lexicon) -> Iterator[Item]:
    """Yield the sorts of things, and that the caption has any color, number, text."""
    # Colors, sizes and materials are also given with the sort of their thing.
    things, said = 0, set()
    for category, text in words:
        if category == "noun":
            things += " " not in text
            if (sort := lexicon.omission.sort_of(text)) not in _VAGUE:
                yield "sort", sort
        elif category in _SAID:
            said.add(category)
            yield ANY, category
    if things > 1:
        yield ANY, "second thing"
    if quoted_texts(reading.caption):
        yield ANY, "quoted text"
    for aspect in _SAID[1:]:
        for thing in reading.things if aspect in said else ():
            sort = lexicon.omission.sort_of(lexicon.nouns.grown(thing.name))
            if sort not in _VAGUE and values_of_thing(thing, aspect, lexicon):
                yield ANY, f"{aspect} of {sort}"


def _phrases(reading: Reading, lexicon: Lexicon) -> Iterator[Item]:
    """Yield the caption, and its phrases of up to five words, not of function words."""
    functions = lexicon.function_words
    words = reading.words
    if words:
        yield "caption", " ".join(words)
    marks = [n for n, word in enumerate(words) if word in _MARKS]
    for start, end in zip((-1, *marks), (*marks, len(words))):
        part = words[start + 1 : end]
        # The number of other words before each place.
        others = list(accumulate((w not in functions for w in part), initial=0))
        for size in range(1, _MAX_WORDS + 1):
            for n, (before, after) in enumerate(zip(others, others[size:])):
                if after > before:
                    yield "phrase", " ".join(part[n : n + size])


def _repeated(
    reading: Reading, nouns: Sequence[str], lexicon: Lexicon
) -> Iterator[Item]:
    """Yield nouns that stand for two things, and phrases that occur twice."""
    # The sentences of an answer name the same things again; only what one sentence says
    # twice is repeated.
    of = dict(enumerate(reading.sentences, 1))
    numbers = Counter(
        (lexicon.nouns.grown(thing.name), of.get(thing.place))
        for thing in reading.things
        if not _is_told_apart(thing, reading, lexicon)
    )
    for (noun, _), number in numbers.items():
        if number > 1:
            yield "noun", noun
            yield ANY, "noun"
    content = frozenset(nouns) | {verb.lemma for verb in reading.verbs}
    for _, sentence in groupby(zip(reading.words, reading.sentences), itemgetter(1)):
        yield from _said_twice([word for word, _ in sentence], content)


def _is_told_apart(thing: Thing, reading: Reading, lexicon: Lexicon) -> bool:
    """Return whether a thing is no repetition: "the table", "its handle", "others"."""
    known, end = lexicon.quantities, max(0, thing.place - 1)
    if thing.amount and thing.amount.link:
        return True  # "Another man"
    before = (t.place for t in reading.things if t.place < thing.place)
    words = reading.words[max(before, default=0) : end]
    stands = not known.uncounted.isdisjoint(reading.words[end : thing.place])
    return stands or not known.definite.isdisjoint(words)


def _said_twice(words: Sequence[str], content: Set[str]) -> Iterator[Item]:
    """Yield that a sentence has a word twice in a row, and a phrase twice."""
    pairs = [pair for pair in pairwise(words) if _MARKS.isdisjoint(pair)]
    if any(a == b for a, b in pairs):
        yield ANY, "word in a row"
    if len(set(pairs)) < len(pairs):
        for size, name in _TWICE.items():
            parts = [tuple(words[n : n + size]) for n in range(len(words) - size + 1)]
            twice = [p for p, n in Counter(parts).items() if n > 1]
            if any(_MARKS.isdisjoint(p) and not content.isdisjoint(p) for p in twice):
                yield ANY, name


def values_of_thing(thing: Thing, aspect: Aspect, lexicon: Lexicon) -> list[Value]:
    """Return the values that a caption gives a thing in an aspect."""
    if aspect == "gender":
        return _listed(thing.gender)
    if aspect == "age":
        return _listed(thing.age)
    own = _plain(thing, lexicon)
    return lexicon.aspects.of_attributes(own, aspect) if own else []


def _plain(thing: Thing, lexicon: Lexicon) -> tuple[str, ...]:
    """Return the attributes of a thing that name no other thing: no "ice cream"."""
    is_compound = lexicon.nouns.is_compound
    return tuple(a for a in thing.attributes if not is_compound(a))


def aspects_of_thing(thing: Thing, lexicon: Lexicon) -> tuple[Aspect, ...]:
    """Return the aspects in which a caption gives a thing values."""
    if not (thing.attributes or thing.gender or thing.age):
        return ()
    plain = _plain(thing, lexicon)
    own = lexicon.aspects.valued(plain) if plain else ()
    return own + tuple(a for a in _OF_PEOPLE if getattr(thing, a) is not None)


def values_of_attribute(
    attribute: str, aspect: Aspect, lexicon: Lexicon, noun: str = ""
) -> list[Value]:
    """Return the values that an attribute gives a noun in an aspect."""
    people, own = lexicon.people, (attribute,)
    if aspect == "gender":
        return _listed(people.gender(noun, own))
    if aspect == "age":
        return _listed(people.age(noun, own))
    return lexicon.aspects.of_attributes(own, aspect)


def _listed(value: str | None) -> list[Value]:
    return [] if value is None else [value]
