"""Patterns: what a captioner does more often than people do to each other.

In: the scenes of a captioner. Out: `Pattern`s, those with the greatest excess first.

References cannot prove a single error, since nobody names everything. Over many images
they prove a habit, because they show how often people do the same: a captioner that
says "cat" in twenty captions where everybody else says "dog" has a habit if people
hardly ever do so.

Every event (see `events`) is tested exactly. The false discovery rate is controlled
over all events that could be significant.

Source: Benjamini & Hochberg 1995.
"""

from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import replace
from itertools import chain
from typing import Final

import numpy as np

from spicepy.diagnosis.captions.caption import Scene
from spicepy.diagnosis.captions.items import ANY, Item, Items
from spicepy.diagnosis.events import (
    NOTHING,
    EventRow,
    Events,
    Key,
    binomial,
    event_rows,
    folded,
    lacking,
    most_contradicting,
    p_value,
    said_by_references,
    smallest_p,
)
from spicepy.diagnosis.findings import (
    NUMBER_WORDS,
    OF_MANY,
    Pattern,
    PatternExample,
    PatternKind,
)
from spicepy.diagnosis.lexicon.aspects import Aspect, excludes
from spicepy.diagnosis.lexicon.lexicon import Lexicon
from spicepy.diagnosis.lexicon.nouns import ABOUT_ONE_THING
from spicepy.evaluation.measured import LONGER
from spicepy.metrics.significance import adjust
from spicepy.words.wordnet import load_wordnet

LEVEL: Final = 0.05
"""The share of false patterns among all, at most, as expected (false discovery)."""
_EXAMPLES: Final = 3
_ALIKE: Final = 0.6  # Minimum cosine at which two words may mean the same.
_POSSIBLE: Final = 1e-4
"""Rows whose smallest possible p-value is greater are not tried."""
_BY_CHANCE: Final = 0.01  # Of X for Y, given how often X is new and Y is left out
_MIN_CAPTIONS: Final = 5  # Rows with fewer captions that do it are not tried.
_MIN_PHRASE: Final = 8
_OF_WORDING: Final = ("verb", "word", "position", "phrase", "caption")
"""The categories of items that are ways of wording."""
_PART: Final = 0.8  # A phrase is not tried if this share of its captions say more.


def find_patterns(
    scenes: Sequence[Scene],
    items: Sequence[Sequence[Items]],
    lexicon: Lexicon,
    said: Mapping[Item, list[int]] | None = None,
) -> tuple[Pattern, ...]:
    """Return what a captioner does more often than people, the greatest excess first.

    Args:
        scenes: The images.
        items: For each image, the items of the candidate, and then of each reference.
        lexicon: The words of the error analysis.
        said: What `said_by_references` returns, which is the same for all systems.
    """
    return Finder(scenes, items, lexicon, said or said_by_references(items)).patterns()


class Finder:
    """Finds the patterns of a captioner; see `find_patterns` for the arguments."""

    def __init__(
        self,
        scenes: Sequence[Scene],
        items: Sequence[Sequence[Items]],
        lexicon: Lexicon,
        said: Mapping[Item, list[int]],
    ) -> None:
        self.scenes, self.items, self.lexicon = scenes, items, lexicon
        self.said = said
        self.events = Events()
        for own in items:
            self.events.add(own)

    def patterns(self) -> tuple[Pattern, ...]:
        """Return the patterns."""
        tried = self.tried()
        ps = _adjusted([row.p for row in tried], len(tried))
        likely = [r for r, p in zip(tried, ps) if p <= LEVEL and r.excess > 0]
        # Rows about the same captions are one discovery, not several. One that is none
        # then stands for no others.
        while True:
            kept = folded(likely, len(self.scenes))
            ps = _adjusted([row.p for row in kept], len(tried))
            doubtful = {row.key for row, p in zip(kept, ps) if p > LEVEL}
            if not doubtful:
                break
            likely = [row for row in likely if row.key not in doubtful]
        found = [replace(row, p=p) for row, p in zip(kept, ps)]
        found.sort(key=lambda row: -row.excess)
        return tuple(map(self._pattern, found))

    def tried(self) -> list[EventRow]:
        """Return all rows that could be significant."""
        sizes = np.asarray(self.events.sizes, dtype=np.intp)
        said: dict[Key, list[int]] = {
            ("said", item, NOTHING): entries
            for item, entries in _distinct(self.said, self.events.said).items()
        }
        others = self.events.others.items()
        often = {key: own for key, own in others if len(own) >= _MIN_CAPTIONS}
        rows = list(event_rows({**said, **often}, sizes))
        left_out = [
            lacking(row)
            for row in rows[: len(said)]
            if row.key[1][0] not in ("phrase", "position", "caption")
        ]
        if self._are_long():
            rows = [row for row in rows[len(said) :] if not self._says_more(row.key)]
        rows += left_out
        tried = [row for row in rows if smallest_p(row) <= _POSSIBLE]
        tried.sort(key=lambda row: row.key)  # Sets have no order.
        return list(map(self._tested, tried))

    def _are_long(self) -> bool:
        """Return whether candidates are much longer than references, on average."""
        own = sum(len(s.candidate.words) for s in self.scenes)
        texts = [text for s in self.scenes for text in s.references]
        others = sum(len(text.words) for text in texts)
        return own / max(1, len(self.scenes)) >= others / max(1, len(texts)) + LONGER

    def _says_more(self, key: Key) -> bool:
        """Return whether an event may only show that candidates are longer."""
        # Their wording cannot be compared. More things have values and are counted in
        # them, and what is not confused may be beside each other.
        name, (category, said), (_, expected) = key
        if name in ("invented", "given", "confused") and category != "noun":
            return True
        if name == "confused":
            one, other = map(self.lexicon.omission.sort_of, (said, expected))
            return one != other or one == "other"
        if name == "wrong" and category == "count":
            numbers = [text.rpartition(": ")[2] for text in (said, expected)]
            known = all(map(str.isdecimal, numbers))
            return not known or int(numbers[0]) > int(numbers[1])
        return category in _OF_WORDING or (name, category) == ("repeated", ANY)

    def _tested(self, row: EventRow) -> EventRow:
        """Return the row with its p-value, without what others say likewise.

        A captioner that says "individuals" where others say "people" invents nobody.
        """
        p, (name, said, expected) = p_value(row), row.key
        if p > LEVEL or name not in ("confused", "given", "invented"):
            return replace(row, p=p)
        if name != "invented" and self._is_by_chance(row):
            return replace(row, p=1.0)
        if name == "confused":
            if self._is_same(said, expected) or self._are_apart(said, expected):
                return replace(row, p=1.0)
            rest = [self._may_be_confused(said, x, expected) for x in row.images]
        else:
            rest = [not self._is_said_likewise(said, x) for x in row.images]
        row = row.where(np.asarray(rest))
        return replace(row, p=max(p, p_value(row)))

    def _is_by_chance(self, row: EventRow) -> bool:
        """Return whether X for Y, or beside Y, is no more frequent than by chance.

        A captioner that says "metal" everywhere does not say it for "bench".
        """
        name, said, other = row.key
        about = {e >> 1 for e in self.said.get(other, ())}
        if name == "confused":
            about -= {e >> 1 for e in self.events.said.get(other, ())}
        new = self.events.others.get(("invented", said, NOTHING), [])
        number = sum(entry & 1 for entry in new)  # None of positions
        chances = binomial(number, len(about) / max(1, len(self.scenes)))
        return bool(number and chances[int(row.own.sum()) :].sum() > _BY_CHANCE)

    def _are_apart(self, said: Item, expected: Item) -> bool:
        """Return whether two nouns are of different sorts, or verbs go together.

        One noun alone is for a person, or is a verb: "a dog sit". Who looks at a thing
        may hold it, too.
        """
        words = said[1], expected[1]
        if said[0] == "verb":
            known = self.lexicon.activities
            return any(v in known.light and v not in known.postures for v in words)
        if said[0] != "noun":
            return False
        nouns, sort_of = self.lexicon.nouns, self.lexicon.omission.sort_of
        if len(set(map(nouns.is_person, words))) > 1 or any(map(self._is_verb, words)):
            return True
        apart = len(set(map(sort_of, words))) > 1 and nouns.grade(*words) == "other"
        return apart and not nouns.may_be_confused(*words)

    def _is_verb(self, noun: str) -> bool:
        """Return whether the parser took a verb for a noun."""
        known = self.lexicon.nouns.is_known(noun)
        return not known and bool(load_wordnet().base_forms(noun, "v"))

    def _may_be_confused(self, said: Item, image: int, expected: Item) -> bool:
        """Return whether an image can show that one word is said for another."""
        if said[0] == "word":
            return self._is_of_one_part(said[1], image, expected[1])
        if said[0] == "verb":
            return self._are_of_one_agent(said[1], image, expected[1])
        # A "crowd" that watches a "batter" is not said for the baseball player.
        saying = [own.words for own in self.items[image] if said in own.words]
        return said[0] != "noun" or not (
            self._is_said_likewise(said, image, expected)
            or self._is_among(expected, saying, said)
            or self._are_other_people(said, image, expected)
        )

    def _is_said_likewise(
        self, said: Item, image: int, expected: Item = NOTHING
    ) -> bool:
        """Return whether a caption of an image has another word for the same thing.

        A street is a road, whatever is missing beside it; a child is no other word for
        a girl where a boy is expected.
        """
        captions = [own.words for own in self.items[image] if said not in own.words]
        return self._is_among(said, captions, expected)

    def _is_among(self, word: Item, captions: Sequence[Set[Item]], apart: Item) -> bool:
        """Return whether captions have a word for what one, not another, is about."""
        others = {o for words in captions for o in words if o[0] == word[0]}
        return any(
            self._is_related(word, other) and not self._is_related(apart, other)
            for other in others
        )

    def _is_of_one_part(self, said: str, image: int, expected: str) -> bool:
        """Return whether two words have one part of speech in an image's captions."""
        texts = (self.scenes[image].candidate, *self.scenes[image].references)
        one, other = (
            {text.parts[word] for text in texts if word in text.parts}
            for word in (said, expected)
        )
        return not (one and other) or not one.isdisjoint(other)

    def _are_of_one_agent(self, said: str, image: int, expected: str) -> bool:
        """Return whether two verbs are the deeds of one person or thing of an image."""
        texts = (self.scenes[image].candidate, *self.scenes[image].references)
        one, other = (
            {
                text.things[verb.agent].name
                for text in texts
                for verb in text.verbs
                if verb.lemma == lemma and verb.agent >= 0
            }
            for lemma in (said, expected)
        )
        grade = self.lexicon.nouns.grade
        alike = any(grade(a, b) in ABOUT_ONE_THING for a in one for b in other)
        return alike or not (one or other)

    def _are_other_people(self, said: Item, image: int, expected: Item) -> bool:
        """Return whether two nouns are for other people: "people" for the one man."""
        nouns, captions = self.lexicon.nouns, self.items[image]
        grade = nouns.grade(said[1], expected[1])
        if not nouns.is_person(said[1]) or grade not in (
            "more general",
            "more specific",
        ):
            return False
        single = [
            {
                number == 1
                for own in captions
                if item in own.words
                and (number := own.values.get(("count", "person"))) is not None
            }
            for item in (said, expected)
        ]
        if all(single) and single[0].isdisjoint(single[1]):
            return True
        # "People" is said where others tell a man from a woman.
        return grade == "more general" and any(
            self._are_two_people(expected[1], noun)
            for own in captions
            if expected in own.words
            for category, noun in own.words
            if category == "noun"
        )

    def _are_two_people(self, first: str, second: str) -> bool:
        """Return whether two nouns are for people of different gender or age."""
        nouns, people = self.lexicon.nouns, self.lexicon.people
        if not (nouns.is_person(first) and nouns.is_person(second)):
            return False
        return any(
            len({of(first, ()), of(second, ())} - {None}) > 1
            for of in (people.gender, people.age)
        )

    def _is_related(self, one: Item, other: Item) -> bool:
        """Return whether two words of a category may be about the same thing."""
        category, first, second = *one, other[1]
        if category == "noun":
            return self.lexicon.nouns.grade(first, second) in ABOUT_ONE_THING
        return self._is_same(one, other)

    def _is_same(self, one: Item, other: Item) -> bool:
        """Return whether two words of a category mean the same."""
        category, first, second = *one, other[1]
        if category == "noun":
            return self.lexicon.nouns.grade(first, second) == "same"
        if category in ("color", "size"):
            aspect: Aspect = "color" if category == "color" else "size"
            return not self.lexicon.aspects.contradict(aspect, first, second)
        if category in ("verb", "word"):
            alike = self.lexicon.activities.are_alike(first, second)
            return alike or self.lexicon.similarity.cosine(first, second) >= _ALIKE
        if category == "position":
            return second in first.split() or first in second.split()  # "on top of"
        return first == second

    def _kind(self, row: EventRow) -> PatternKind:
        """Return the kind of a pattern."""
        name, said, expected = row.key
        if name in _KINDS:
            return _KINDS[name]
        if said[0] in _WRONG_KINDS:
            return _WRONG_KINDS[said[0]]
        if said[0] == "position":
            return self._kind_of_positions(said[1], expected[1])
        if said[0] != "noun":
            return "confused"
        return self._kind_of_nouns(said[1], expected[1])

    def _kind_of_positions(self, said: str, expected: str) -> PatternKind:
        """Return the kind: what is on top of a hill may be called "on" it as well."""
        sides = [self.lexicon.opposites.position(how) for how in (said, expected)]
        one, other = sides
        return (
            "confused" if one and other and excludes(one[0], other[0]) else "other word"
        )

    def _kind_of_nouns(self, said: str, expected: str) -> PatternKind:
        nouns = self.lexicon.nouns
        grade = nouns.grade(said, expected)
        if grade in ("more general", "more specific"):
            return "less specific" if grade == "more general" else "more specific"
        if nouns.is_person(said) and nouns.is_person(expected):
            apart = self._are_two_people(said, expected)
            return "confused" if apart else "other word"
        return "other word" if grade == "related" else "confused"

    def _pattern(self, row: EventRow) -> Pattern:
        name, said, other = row.key
        given = other[1] if name == "given" else ""
        expected = "" if name == "given" else _shown(other)
        ordered = self._clearest(row)
        ids = tuple(self.scenes[k].image_id for k in ordered)
        return Pattern(
            self._kind(row),
            self._word_of(said, ordered) or _shown(said),
            expected,
            given,
            len(ids),
            row.expected,
            row.p,
            ids,
            tuple(self._example(k, other) for k in ordered[:_EXAMPLES]),
        )

    def _word_of(self, said: Item, images: Sequence[int]) -> str:
        """Return the word for a value that candidates use most: "large" for "big"."""
        values = self.lexicon.aspects.values
        words = next((of for aspect, of in values.items() if aspect == said[0]), {})
        own = (w for k in images for w in self.scenes[k].candidate.words)
        used = Counter(word for word in own if words.get(word) == said[1])
        return used.most_common(1)[0][0] if used else ""

    def _clearest(self, row: EventRow) -> list[int]:
        """Return the candidate's images, those with the most references first.

        References count that have what is expected and not what is said, or of values
        whatever they are, that have another one.
        """
        name, said, other = row.key

        def references(image: int) -> int:
            candidate, *own = self.items[image]
            if name == "wrong" and other == NOTHING:
                return most_contradicting(candidate, own, said[0])
            return sum(_has(o, other) - _has(o, said) for o in own)

        return sorted(row.own_images.tolist(), key=lambda k: -references(k))

    def _example(self, image: int, other: Item) -> PatternExample:
        scene = self.scenes[image]
        own = self.items[image][1:]
        best = next((n for n, o in enumerate(own) if _has(o, other)), 0)
        reference = scene.references[best].caption
        return PatternExample(scene.image_id, scene.candidate.caption, reference)


_KINDS: Final[Mapping[str, PatternKind]] = {
    "invented": "invented",
    "given": "invented",
    "left out": "missed",
    "said": "overused",
    "repeated": "repeated",
    "swapped": "wrong order",
}
_WRONG_KINDS: Final[Mapping[str, PatternKind]] = {
    "count": "wrong count",
    "color": "wrong color",
    "size": "wrong size",
    "material": "wrong material",
    "gender": "wrong gender",
    "age": "wrong age",
}


def _distinct(
    said: Mapping[Item, list[int]], own: Mapping[Item, list[int]]
) -> dict[Item, list[int]]:
    """Return the items that are frequent enough and not nearly part of another one."""
    # "Next to each" is left out if most captions that have it say "next to each other",
    # and "tennis court" as a phrase if it is a noun: fewer rows are tried, by the
    # numbers of all captions together, references (`said`) and candidates (`own`).
    kept: dict[Item, list[int]] = {}
    frequent = (i for i, entries in said.items() if len(entries) >= _MIN_CAPTIONS)
    for item in dict.fromkeys(chain(frequent, own)):  # Others are too rare anyway.
        of_people, of_candidate = said.get(item, ()), own.get(item, ())
        least = _MIN_PHRASE if item[0] == "phrase" else _MIN_CAPTIONS
        if len(of_people) + len(of_candidate) >= least:
            kept[item] = [*of_people, *of_candidate]
    longer: dict[str, int] = {}
    for (category, text), entries in kept.items():
        several = (text.partition(" ")[2], text.rpartition(" ")[0])
        for part in several if category == "phrase" else (text,):
            longer[part] = max(longer.get(part, 0), len(entries))
    return {
        item: entries
        for item, entries in kept.items()
        if item[0] != "phrase" or longer.get(item[1], 0) < _PART * len(entries)
    }


def _adjusted(ps: Sequence[float], tried: int) -> list[float]:
    """Return p-values adjusted for the number of rows that were tried."""
    every = [*ps, *[1.0] * (tried - len(ps))]
    adjusted = adjust(every, "benjamini-hochberg") if every else ()
    return [float(p) for p in adjusted[: len(ps)]]


def _has(own: Items, item: Item) -> bool:
    return item in own.words or item in own.others


def _shown(item: Item) -> str:
    """Return an item as text: "two", "any color", "any food"."""
    category, text = item
    if category == "sort":
        return f"any {text}"
    if category == ANY:
        return OF_MANY.get(text, f"any {text}")
    noun, _, number = text.rpartition(": ")
    if category == "count" and number.isdecimal() and int(number) < len(NUMBER_WORDS):
        text = NUMBER_WORDS[int(number)]
    return f"{text} ({noun})" if noun and category == "count" else text
