"""The reading of a caption: things with values, relations between them, and verbs.

"two dogs chase a red ball"  →  dog ×2, ball ×1 (red), dog –chase→ ball
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from itertools import count, pairwise
from typing import Final

from spicepy.captions.sample import ImageId
from spicepy.diagnosis.lexicon.lexicon import Lexicon
from spicepy.diagnosis.lexicon.word_lists import Age, Gender, Speculation
from spicepy.graph.matching import Counts
from spicepy.objects.amounts import (
    Amount,
    amounts_of_nouns,
    load_amount_words,
    total_of_sentence,
    total_of_sentences,
)
from spicepy.objects.vocabulary import load_count_words

# Verbs: find the verbs of a caption with their agents and objects.
#
#     "a boy is sweeping the floor"  →  sweep, agent boy, object floor

Relation = tuple[int, str, int]
_FINITE: Final = ("VB", "VBZ", "VBP", "VBG", "VBD")
_ALL: Final = (*_FINITE, "VBN")


@dataclass(frozen=True, slots=True)
class Verb:
    """A verb of a caption."""

    lemma: str  # "sweep"
    place: int  # Its position in the caption, from 1
    agent: int  # The number of the thing that is its agent, -1 if unknown
    object: int  # The number of the thing that is its object, -1 without one
    finite: bool  # False for participles such as "parked", which may be passive


def find_verbs(
    tags: Sequence[str],
    lemmas: Sequence[str],
    things: Sequence["Thing"],
    relations: Sequence[Relation],
) -> Iterator[Verb]:
    """Yield the verbs in the order of the caption."""
    # A word that names a thing is no verb, whatever its tag: "a man in a suit and tie".
    named = {thing.place for thing in things}
    for place, tag, lemma in zip(count(1), tags, lemmas):
        if tag in _ALL and place not in named:
            own = [r for r in relations if r[1].split(" ")[0] == lemma]
            agents = [source for source, _, _ in own]
            agents += [k for k, thing in enumerate(things) if lemma in thing.attributes]
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
    """One object of one caption; things are compared by identity, not by value."""

    name: str  # Its lemma, "tennis racket"
    # The position (from 1) of its last word in the caption, 0 if unknown.
    place: int = 0
    # How many there are, None if the caption leaves it open.
    amount: Amount | None = None
    # The lemmas of its attributes in the order of the caption.
    attributes: tuple[str, ...] = ()
    # The gender of a person by noun, attribute or pronoun; None if unknown.
    gender: Gender | None = None
    age: Age | None = None  # The age of a person by noun and attribute; None if unknown
    pronouns: tuple[int, ...] = ()  # The positions of the pronouns that refer to it
    # Whether there may be others of the name: "two people in helmets".
    restricted: bool = False

    @property
    def head(self) -> str:
        """The last word of the name."""
        return self.name.rpartition(" ")[2]


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """The reading of one caption."""

    caption: str  # The raw caption
    words: tuple[str, ...]  # Its tokens; empty if only tuples are known
    # All word forms and lemmas, and pairs of neighbours joined to one word.
    lemmas: frozenset[str]
    things: tuple[Thing, ...]  # Its things in the order of the caption
    # (number of a thing, relation, number of a thing).
    relations: tuple[tuple[int, str, int], ...] = ()
    # Nouns that are in no thing's name: "apple" in "an apple coloured sofa".
    others: tuple[str, ...] = ()
    # Positions of words that the caption does not claim to see: after "possibly",
    # beside "or" ("a house or a shop"), and in the parts of a long caption that do not
    # describe the picture.
    unclaimed: frozenset[int] = frozenset()
    sentences: tuple[int, ...] = ()  # The number of the sentence of each word, from 1
    verbs: tuple[Verb, ...] = ()  # Its verbs; empty if only tuples are known
    # The nouns of things that the caption says are absent: "without a hat".
    denied: tuple[str, ...] = ()
    # Lemmas of nouns, verbs, adjectives and numbers, without auxiliaries.
    content: tuple[str, ...] = ()
    # The parts of speech of the words; empty if only tuples are known.
    tags: tuple[str, ...] = ()
    # Lemma -> its part of speech, such as "NN", of the last word that has it.
    parts: Mapping[str, str] = field(default_factory=dict)
    # Words that only stand in names of other things: "train" in "train station", "dog"
    # in "hot dog".
    unnamed: frozenset[str] = frozenset()

    @property
    def named(self) -> frozenset[str]:
        """The lemmas without those that only stand in names of other things."""
        return self.lemmas - self.unnamed if self.unnamed else self.lemmas

    def total(self, things: Iterable[Thing]) -> Amount | None:
        """Return how many things of one name there are, None if it is unknown."""
        # The sentences of an answer name the same things again, so that the greatest
        # number of a sentence counts; but "two other cats" are further ones.
        sentences: dict[int, dict[str, list[Amount]]] = {}
        for thing in things:
            if thing.amount is not None:
                number = self.sentences[thing.place - 1] if self.sentences else 0
                own = sentences.setdefault(number, {})
                own.setdefault(thing.name, []).append(thing.amount)
        return total_of_sentences(map(_of_names, sentences.values()))

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


def _of_names(amounts: Mapping[str, Sequence[Amount]]) -> Sequence[Amount]:
    """Return the amounts of one sentence that add up, from those of each name."""
    if len(amounts) == 1:
        return next(iter(amounts.values()))
    groups, is_whole = load_amount_words().groups, load_count_words().is_whole
    every = ((name, total_of_sentence(own)) for name, own in amounts.items())
    return amounts_of_nouns(
        [
            (own, name in groups or is_whole(name, "person"))
            for name, own in every
            if own
        ]
    )


# Scenes: the readings of one image's captions.


@dataclass(frozen=True, slots=True)
class Scene:
    """The readings of one image's candidate and references.

    Attributes:
        image_id: The image.
        candidate: The reading of the candidate.
        references: The readings of the references.
        counts: SPICE's counts by category ("All", "Object", …), if SPICE was scored.
        others: The readings of other systems' captions of the image, if there are any.
    """

    image_id: ImageId
    candidate: Reading
    references: tuple[Reading, ...]
    counts: Mapping[str, Counts] = field(default_factory=dict)
    others: tuple[Reading, ...] = ()


# Statements: tell the parts of a long caption that describe from those that do not.
#
# Parts that explain, suppose, advise or express a mood ("which adds a pop of colour")
# do not describe the picture.
#
# The words that mark such parts are in the table `speculation` of
# `grammars/diagnosis.toml`.

_PART: Final = re.compile(r"[^.,;:!?\n]+[.,;:!?\n]*")
_WORD: Final = re.compile(r"[a-z'-]+")
_ENDS: Final = ".!?\n"
_SHORT: Final = 3  # Shorter parts depend on the part before them.
_JOINED: Final = 6  # So do shorter parts that begin with "and".
_GAP: Final = 8  # The most characters between a word and the next one.


@dataclass(frozen=True, slots=True)
class CaptionPart:
    """A part of a caption."""

    # start, end: Its span in the caption, in characters.
    start: int
    end: int
    sentence: int  # The number of its sentence, from 1
    descriptive: bool  # Whether it describes the picture


def parts(caption: str, known: Speculation) -> list[CaptionPart]:
    """Return the parts of a caption in their order."""
    split: list[CaptionPart] = []
    sentence, begins, before = 1, True, True
    for match in _PART.finditer(caption):
        words = _WORD.findall(match[0].lower())
        if not words:
            continue
        describes = _describes(words, known)
        if describes and not (begins or before or _shows(words, known)):
            describes = not _goes_on(words, known)
        question = "?" in match[0]
        split.append(CaptionPart(*match.span(), sentence, describes and not question))
        before, begins = describes, any(mark in match[0] for mark in _ENDS)
        sentence += begins
    return split


def _shows(words: Sequence[str], known: Speculation) -> bool:
    """Return whether a part introduces a description: "the image shows a dog"."""
    pairs = pairwise(words)
    return any(a in known.frames and b in known.showing for a, b in pairs)


def _describes(words: Sequence[str], known: Speculation) -> bool:
    """Return whether a part has no word of explaining, supposing or advising."""
    if words[0] in known.starts or known.frames.issuperset(words):
        return False
    own = set(words)
    if not own.isdisjoint(known.modals) and own.isdisjoint(known.seen):
        return False
    if not own.isdisjoint(known.words):
        return False
    return not any(word.startswith(known.stems) for word in words)


def _goes_on(words: Sequence[str], known: Speculation) -> bool:
    """Return whether a part continues the part before it: "or a meeting"."""
    if words[0] in known.joining:
        return True
    if words[0] == "and":
        return len(words) < _JOINED
    return len(words) < _SHORT and known.determiners.isdisjoint(words)


def places(
    caption: str, words: Sequence[str], split: Sequence[CaptionPart]
) -> Iterator[tuple[int, CaptionPart]]:
    """Yield the position (from 1) of each token with the part that it is in."""
    # `split` has the parts of the raw caption, from `parts`. A word that the tokeniser
    # added, such as "and" for a comma, is in the part of the word before it.
    text, at, number = caption.lower(), 0, 0
    for place, word in enumerate(words, 1):
        start = text.find(word.lower(), at)
        if 0 <= start < at + _GAP:
            at = start + len(word)
            while number + 1 < len(split) and split[number].end <= start:
                number += 1
        if split:
            yield place, split[number]


# Quotes: the text on signs and shirts that a caption quotes.

_QUOTED: Final = re.compile(r"[\"“”]([^\"“”]+)[\"“”]|(?<!\w)'([^']+)'(?!\w)")


_MARKS: Final = frozenset("\"“”'")


def quoted_texts(caption: str) -> list[str]:
    """Return the texts in quotation marks, in lower case."""
    if _MARKS.isdisjoint(caption):
        return []
    found = [(a or b).lower().strip(" .,") for a, b in _QUOTED.findall(caption)]
    return [text for text in found if text]


def quoted_places(caption: str, words: Sequence[str]) -> Iterator[int]:
    """Yield the positions (from 1) of the words that are quoted."""
    # A caption that is a single quotation quotes nothing.
    if _MARKS.isdisjoint(caption):
        return
    spans = [match.span() for match in _QUOTED.finditer(caption)]
    if not spans or spans[0] == (0, len(caption)):
        return
    text, start = caption.lower(), 0
    for place, word in enumerate(words, 1):
        at = text.find(word, start)
        if at >= 0:
            start = at + len(word)
            if any(first < at < last for first, last in spans):
                yield place


# Claims: tell what a caption claims to see from what it only supposes.


def unclaimed(reading: Reading, supposed: Set[int], lexicon: Lexicon) -> frozenset[int]:
    """Return the positions (from 1) of words that a caption does not claim to see."""
    # They are supposed (`supposed`: after a hedge or beside an "or"), or the text on a
    # sign. A thing in a part that supposes is claimed nevertheless if a pronoun for it
    # is in a part that describes: "The girl may be cold. She holds an umbrella."
    doubted = {*supposed, *_undescribed(reading, lexicon)}
    doubted.update(quoted_places(reading.caption, reading.words))
    if not doubted:
        return frozenset()
    claimed = (t for t in reading.things if not doubted.issuperset(t.pronouns))
    return frozenset(doubted - {thing.place for thing in claimed})


def _undescribed(reading: Reading, lexicon: Lexicon) -> Iterator[int]:
    """Yield the positions of words in parts that explain or express a mood."""
    # Only captions of several sentences have such parts.
    if reading.sentences[-1:] in ((), (1,)):
        return
    split = parts(reading.caption, lexicon.speculation)
    for place, part in places(reading.caption, reading.words, split):
        if not part.descriptive:
            yield place
