"""Wording: the candidate's nouns for classes that the references have as well.

In: an aligned scene. Out: findings about a noun of such a class: it is less or more
specific than the references' nouns, a garment of another sort, or another thing of the
same general sort, which is confused or invented ("pizza", if one reference has food but
most have pasta). A noun that is more specific than the references' may also name a
thing that is not in the picture, which is a finding with a probability of its own.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations, pairwise
from typing import Final

from spicepy.diagnosis.alignment import (
    AlignedScene,
    ObjectClass,
    distinct,
    is_named_in,
    is_named_whole_in,
    known_amounts,
)
from spicepy.diagnosis.captions.caption import Reading, Thing, quoted_texts
from spicepy.diagnosis.context import is_worn
from spicepy.diagnosis.findings import Finding, Kind
from spicepy.diagnosis.kinds.detections import (
    Detection,
    contradiction,
    detection_of,
    noun_finding,
)
from spicepy.diagnosis.lexicon.nouns import ABOUT_ONE_THING, Grade
from spicepy.objects.amounts import total

_WORDINGS: Final[tuple[tuple[Grade, Kind], ...]] = (
    ("more specific", "more specific"),
    ("more general", "less specific"),
)
_VOUCHING: Final[tuple[Grade, ...]] = ("same", "more general", "related")
"""The grades at which a reference confirms a noun; "food" does not confirm "pizza"."""
_RIVALS: Final[frozenset[Grade]] = frozenset({"related", "sibling"})
"""The grades at which a reference has another thing of the same sort."""


def detect_wording(scene: AlignedScene) -> Iterator[Detection]:
    """Yield a finding for each noun that differs from those of the references."""
    for group in scene.classes:
        for thing in distinct(group.said):
            if is_named_whole_in(thing, scene.pooled.words, scene.lexicon):
                continue
            finding = _wording(scene, thing, group)
            if finding is not None:
                yield Detection(
                    finding,
                    topic=(finding.kind, thing.name),
                    place=thing.place,
                    mentions=group.support,
                    conclusive=not _is_layered(scene, finding),
                )
            if finding is None or finding.kind == "more specific":
                yield from _possibly_invented(scene, thing, group)


def _possibly_invented(
    scene: AlignedScene, thing: Thing, group: ObjectClass
) -> Iterator[Detection]:
    """Yield a finding if all nouns of the references leave open what a thing is."""
    nouns = scene.lexicon.nouns
    noun = nouns.grown(thing.name)
    grades = {nouns.grade(noun, name) for name in group.names}
    if grades.isdisjoint(_VOUCHING) and not nouns.is_person(thing.name):
        kind = "wrong clothing" if is_worn(scene, thing) else "invented object"
        finding = noun_finding(scene, kind, thing)
        yield Detection(finding, place=thing.place, mentions=group.support)


def _wording(scene: AlignedScene, thing: Thing, group: ObjectClass) -> Finding | None:
    """Return the finding about a thing's noun, None without one."""
    nouns = scene.lexicon.nouns
    grades = {name: nouns.grade(thing.name, name) for name in group.names}
    about = set(grades.values()) & set(ABOUT_ONE_THING)
    if "same" in about:
        return None
    rival = _rival(scene, thing)
    if is_worn(scene, thing):
        return _garment(scene, thing, group, rival, grades if about else {})
    if rival is not None:
        return _confused(scene, thing, *rival)
    if thing.name in nouns.generic or not nouns.is_concrete(thing.name):
        return None
    return _specific(scene, thing, group, grades)


def _is_same(scene: AlignedScene, thing: Thing, group: ObjectClass) -> bool:
    """Return whether a thing may be the one that the references name less specifically.

    * Another thing of the class in the candidate may be it instead: a horse, if the
      candidate has a horse and a foal.
    * A truck is not the vehicle that another reference calls a car, nor an eagle the
      bird that one calls a hawk.
    * A man is not the person whom a reference calls a woman; one man is not the two
      people of the references; a crowd is not a specific sort of people.
    """
    nouns = scene.lexicon.nouns
    if thing.head in scene.lexicon.people.crowds or len(group.said) > 1:
        return False
    if not nouns.is_person(thing.name):
        names = (t.name for text in scene.references for t in text.things)
        return _RIVALS.isdisjoint(nouns.grade(thing.name, name) for name in names)
    if any(_are_two(thing, other) for other in group.things):
        return False
    general = (
        known_amounts(
            t for t in own if nouns.grade(thing.name, t.name) == "more specific"
        )
        for own in group.of_reference
    )
    said = thing.amount
    return said is None or all(any(map(said.meets, own)) for own in general if own)


def _are_two(first: Thing, second: Thing) -> bool:
    """Return whether two people cannot be one, by their genders or ages."""
    genders = {first.gender, second.gender} - {None}
    return len(genders) > 1 or {first.age, second.age} == {"child", "adult"}


def _garment(
    scene: AlignedScene,
    thing: Thing,
    group: ObjectClass,
    rival: tuple[str, int] | None,
    grades: Mapping[str, Grade],
) -> Finding | None:
    """Return a finding about a garment; general words such as "outfit" fit any."""
    # `grades` are empty if the class has only other garments for the same region.
    general = scene.lexicon.unsaid.any_garment
    if not general.isdisjoint((group.name, group.name.rpartition(" ")[2], thing.head)):
        return None
    if grades and rival is None:
        return _specific(scene, thing, group, grades)
    meant, support = rival if grades and rival else (group.name, group.support)
    if not scene.candidate.lemmas.isdisjoint((meant, meant.rpartition(" ")[2])):
        return None  # Somebody can wear a suit and a shirt.
    return noun_finding(scene, "wrong clothing", thing, meant, support)


def _is_layered(scene: AlignedScene, finding: Finding) -> bool:
    """Return whether one garment may be worn over the other."""
    names = (str(n).rpartition(" ")[2] for n in (finding.members[0], finding.expected))
    return not scene.lexicon.unsaid.outer.isdisjoint(names)


def _confused(scene: AlignedScene, thing: Thing, rival: str, support: int) -> Finding:
    """Return a confused object, if half of the references have the rival."""
    # If fewer have it, the thing is invented: it is not certain what it was confused
    # with.
    half = 2 * support >= len(scene.references)
    if half and scene.lexicon.nouns.may_be_confused(thing.name, rival):
        return noun_finding(scene, "confused object", thing, rival, support)
    return noun_finding(scene, "invented object", thing)


def _specific(
    scene: AlignedScene, thing: Thing, group: ObjectClass, grades: Mapping[str, Grade]
) -> Finding | None:
    """Return a finding of a noun that is less or more specific than the references'."""
    for wanted, kind in _WORDINGS:
        if wanted == "more specific" and not _is_same(scene, thing, group):
            continue
        if wanted == "more general" and _says_more(scene, group, grades):
            continue
        about = [
            own
            for own in group.of_reference
            if any(grades[other.name] == wanted for other in own)
            if wanted != "more general" or _are_alike(thing, own, group)
        ]
        names = {other.name for own in about for other in own}
        if len(about) >= scene.enough:
            every = (n for n, _ in group.names.most_common() if n in names)
            name = next(n for n in every if grades[n] == wanted)
            return noun_finding(scene, kind, thing, name, len(about))
    return None


def _are_alike(thing: Thing, people: Sequence[Thing], group: ObjectClass) -> bool:
    """Return whether a general noun may stand for what one reference tells apart."""
    # "People" is not a less specific word for the man of "a man and a woman", nor for
    # one man.
    if not group.of_people:
        return True
    if any(_are_two(a, b) for a, b in combinations(people, 2)):
        return False
    said, amounts = thing.amount, known_amounts(people)
    return said is None or not amounts or said.meets(total(amounts))


def _says_more(
    scene: AlignedScene, group: ObjectClass, grades: Mapping[str, Grade]
) -> bool:
    """Return whether the candidate has the specific word too: "food with tomatoes"."""
    special = (t for t in group.things if grades[t.name] == "more general")
    return any(is_named_in(t, scene.candidate.lemmas) for t in special)


def _rival(scene: AlignedScene, thing: Thing) -> tuple[str, int] | None:
    """Return the noun of another thing that most references have in a thing's place."""
    # It comes with the number of references that have such a noun. There is none if as
    # many references confirm the thing.
    nouns = scene.lexicon.nouns
    if nouns.is_person(thing.name) or thing.head in scene.lexicon.unsaid.backgrounds:
        return None
    rivals: Counter[str] = Counter()
    against = vouching = 0
    for text in scene.references:
        own = {t.name: nouns.grade(thing.name, t.name) for t in text.things}
        alike = any(g in _VOUCHING for g in own.values())
        others = [n for n, g in own.items() if _excludes(scene, thing, n, g)]
        rivals.update(others)
        against += bool(others)
        vouching += alike
    if against < scene.enough or against <= vouching:
        return None
    return rivals.most_common(1)[0][0], against


def _excludes(scene: AlignedScene, thing: Thing, name: str, graded: Grade) -> bool:
    """Return whether a reference's noun names another thing of the same sort."""
    # The candidate must not have that thing as well.
    nouns = scene.lexicon.nouns
    if nouns.region(thing.name) != nouns.region(name):
        return False
    if graded != "sibling" and not (
        graded == "other" and _same_sort(scene, thing.name, name)
    ):
        return False
    return name not in scene.candidate.lemmas and not any(
        other.name != thing.name and nouns.grade(other.name, name) in ABOUT_ONE_THING
        for other in scene.candidate.things
    )


def _same_sort(scene: AlignedScene, said: str, name: str) -> bool:
    """Return whether both nouns are more specific than a noun of the references."""
    nouns = scene.lexicon.nouns
    return any(
        other.name not in nouns.generic
        and nouns.grade(said, other.name) == "more specific"
        and nouns.grade(name, other.name) == "more specific"
        for text in scene.references
        for other in text.things
    )


# Repetition and broken wording, whatever the picture: words that are said twice in a
# row ("a cat and a cat", "white and white"), a sentence that is said twice, a caption
# that breaks off ("sitting on a"), and two words in a row that no phrase can have ("a
# man on a and a bike").

_MAX_REPETITION: Final = 5  # The most words of a repeated phrase
_ACTIVE: Final = ("VB", "VBG", "VBP", "VBZ")
_SENTENCE: Final = 5  # The least words of a sentence that is said twice


def detect_repetitions(scene: AlignedScene) -> Iterator[Detection]:
    """Yield a finding for the first repetition and for the first broken place."""
    words, known = scene.candidate.words, scene.lexicon.wording
    start = _repeated(scene.candidate, known.joining) or _said_again(scene.candidate)
    if start is not None:
        yield _detection(scene, "repetition", *start)
    for at, (first, second) in enumerate(pairwise(words), 1):
        broken = first in known.determiners and second in known.never_after
        if broken and first != second:
            yield _detection(scene, "broken wording", at, 2)
            return
    if words and words[-1] in known.unfinished:
        yield _detection(scene, "broken wording", max(1, len(words) - 1), 2)


def _repeated(text: Reading, joining: frozenset[str]) -> tuple[int, int] | None:
    """Return (position from 1, length) of a phrase with its repetition, or None."""
    # Both are in one sentence: "He holds the kite. The kite is red" repeats nothing.
    words = text.words
    for size in range(_MAX_REPETITION, 0, -1):
        for at in range(len(words) - 2 * size + 1):
            first, end = words[at], at + size
            joined = words[end] in joining and first not in joining
            if not joined and words[end] != first:
                continue
            phrase, length = words[at:end], 2 * size + joined
            again = words[end + joined : at + length] == phrase
            inside = text.sentences[at : at + length]
            if not again or len(set(inside)) > 1 or not (size > 1 or first.isalpha()):
                continue
            if size > 1 or joined or not _are_two_words(text, at + 1):
                return at + 1, length
    return None


def _are_two_words(text: Reading, place: int) -> bool:
    """Return whether a word and the same one after it have two meanings."""
    # A can, as a noun, can, as a verb, be opened; a yard is fenced in in front; an
    # orange can be orange. Nobody "sits on on a bench": there only the tagger takes
    # "on" for two words.
    word = text.words[place]
    if any(t.place == place + 1 and word in t.attributes for t in text.things):
        return True
    before, first, second = ("", *text.tags)[place - 1 : place + 2]
    if second == "MD":
        return before.startswith(("DT", "JJ", "NN"))
    return first != second and before not in _ACTIVE


def _said_again(text: Reading) -> tuple[int, int] | None:
    """Return (position from 1, length) of a sentence in the words of an earlier one."""
    # One of the two may go on where the other ends.
    spans: dict[int, list[str]] = {}
    for number, word in zip(text.sentences, text.words):
        spans.setdefault(number, []).append(word)
    start, known = 1, list[list[str]]()
    for own in spans.values():
        said = [word for word in own if word.isalnum()]
        if len(said) >= _SENTENCE:
            if any(a == b[: len(a)] for s in known for a, b in ((s, said), (said, s))):
                return start, len(own)
            known.append(said)
        start += len(own)
    return None


def _detection(scene: AlignedScene, kind: Kind, start: int, size: int) -> Detection:
    words = " ".join(scene.candidate.words[start - 1 : start - 1 + size])
    return detection_of(scene, kind, (words,), words, place=start, conclusive=True)


# Unsupported words: the references have neither the word nor a synonym. Any other
# finding about the word replaces it (`analysis.resolve_conflicts`).

_STEM: Final = 3  # The least letters by which a lemma is found in the caption.


def detect_unsupported_words(scene: AlignedScene) -> Iterator[Detection]:
    """Yield a finding for each word that no reference confirms."""
    reading, of = scene.candidate, scene.lexicon.aspects.of
    people = scene.lexicon.people.anyone | scene.lexicon.people.crowds
    there = any(group.of_people and group.said for group in scene.classes)
    for word in dict.fromkeys(reading.content):
        if scene.confirms(word) or of("count", [word]):
            continue  # The kind "wrong count" compares numbers.
        if there and word in people:
            continue  # A man and a woman are people.
        stem = word[: max(_STEM, len(word) - 1)]
        at = next((k for k, w in enumerate(reading.words) if w.startswith(stem)), -1)
        words = reading.words[at] if at >= 0 else word
        evidence = {"fallback": True, "place": at + 1}
        yield detection_of(scene, "unsupported word", (word,), words, **evidence)


# Wrong text: both sides quote a text ("a sign that says stop"), and no word of the
# candidate's is in any reference.

_WORD: Final = re.compile(r"\w+")
_MAX_TEXT: Final = 3  # The most words of a text without quotation marks.


def detect_written_text(scene: AlignedScene) -> Iterator[Detection]:
    """Yield a finding if the references quote only texts other than the candidate's."""
    quoting = scene.lexicon.wording.quoting
    said = texts(scene.candidate.caption, quoting)
    if not said:
        return
    quoted = [quotes for t in scene.references if (quotes := texts(t.caption, quoting))]
    known = set(_words(" ".join(text.caption for text in scene.references)))
    if quoted and known.isdisjoint(_words(" ".join(said))):
        yield contradiction(
            scene,
            "wrong text",
            (said[0],),
            said=said[0],
            meant=[quotes[0] for quotes in quoted],
            words=said[0],
            mentions=len(quoted),
        )


def texts(caption: str, quoting: frozenset[str]) -> list[str]:
    """Return the texts that a raw caption quotes, in lower case."""
    # `quoting` are words before a text without quotation marks, such as "says".
    if quoted := quoted_texts(caption):
        return quoted
    said = _after(quoting).findall(caption.lower())
    return [" ".join(text.split()[:_MAX_TEXT]) for text in said]


@cache
def _after(words: frozenset[str]) -> re.Pattern[str]:
    """Return the pattern of the text that follows one of some words."""
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, sorted(words)))})\s+(\w[\w ]*)")


def _words(text: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(text)]
