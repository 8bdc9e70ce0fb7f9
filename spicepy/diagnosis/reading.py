"""Readings: what one caption says, thing by thing.

In: a caption's trace through the pipeline, or its semantic tuples alone. Out: a
`Reading`: its things with how many there are and what they are like, how they relate,
and its words.

    "two dogs chase a red ball"  →  dog ×2, ball ×1 (red), dog –chase→ ball
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from typing import Final

from spicepy.common.sharing import Recent
from spicepy.diagnosis.amounts import Amount, amount
from spicepy.diagnosis.naming import named
from spicepy.diagnosis.verbs import Verb, verbs
from spicepy.diagnosis.words import load_words
from spicepy.extraction.tuples import SemanticTuple
from spicepy.pipeline import Pipeline, Trace

REMEMBERED: Final = 30_000
"""Captions whose readings a process keeps."""

_PRONOUNS: Final = ("PRP", "PRP$")
_CONTENT: Final = ("NN", "VB", "JJ", "CD")
_AUXILIARIES: Final = ("be", "have", "do")


@dataclass(frozen=True, slots=True)
class Thing:
    """One object of one caption.

    Attributes:
        name: Its lemma, "tennis racket".
        place: The position (from 1) of its last word in the caption, 0 if unknown.
        amount: How many there are, None if the caption leaves it open.
        attributes: What is said of it, as lemmas in the order of the caption.
        pronouns: The pronouns that stand for it.
    """

    name: str
    place: int = 0
    amount: Amount | None = None
    attributes: tuple[str, ...] = ()
    pronouns: tuple[str, ...] = ()

    @property
    def head(self) -> str:
        """The last word of the name."""
        return self.name.rpartition(" ")[2]


@dataclass(frozen=True, slots=True)
class Reading:
    """What one caption says.

    Attributes:
        caption: As it was written.
        words: Its tokens; empty if only tuples are known.
        lemmas: All word forms and lemmas of the text, and neighbours joined.
        things: In the order of the caption.
        relations: (number of a thing, relation, number of a thing).
        others: Nouns that are in no thing's name, as in "an apple coloured sofa".
        hedged: The position after which all is only possible ("possibly a fence").
        choices: Positions beside "or" ("a house or a shop"): one of them is meant.
        verbs: What happens; empty if only tuples are known.
        content: Lemmas of nouns, verbs, adjectives and numbers, without auxiliaries.
    """

    caption: str
    words: tuple[str, ...]
    lemmas: frozenset[str]
    things: tuple[Thing, ...]
    relations: tuple[tuple[int, str, int], ...] = ()
    others: tuple[str, ...] = ()
    hedged: int = 1_000_000
    choices: frozenset[int] = frozenset()
    verbs: tuple[Verb, ...] = ()
    content: tuple[str, ...] = ()


@dataclass(slots=True)
class _Draft:
    """A thing while it is being read."""

    name: str
    place: int
    attributes: dict[str, int] = field(default_factory=dict)
    pronouns: list[str] = field(default_factory=list)
    one: bool = False


_MEMORY: Final[Recent[tuple[str, str], Reading]] = Recent(REMEMBERED)


def analysis_pipeline(jobs: int = 1, cache: str | Path | None = None) -> Pipeline:
    """The pipeline that reads captions for their meaning."""
    return Pipeline(grammar="spicepy-1", jobs=jobs, cache=cache)


def read(captions: Iterable[str], pipeline: Pipeline) -> dict[str, Reading]:
    """The reading of each caption, as it was written.

    The latest `REMEMBERED` are remembered: the references of the next system.
    """
    signature = "|".join(pipeline.signature().values())
    keys = [(signature, caption) for caption in dict.fromkeys(captions)]
    found = _MEMORY.get(keys)
    new = [key for key in keys if key not in found]
    traces = pipeline.traces([caption for _, caption in new])
    found |= {k: read_trace(trace) for k, trace in zip(new, traces, strict=True)}
    _MEMORY.keep(found)
    return {caption: reading for (_, caption), reading in found.items()}


def read_trace(trace: Trace) -> Reading:
    """The reading of a caption from what the pipeline says of it."""
    words = tuple(word for tree in trace.parses for word in tree.words)
    tags = tuple(tag for tree in trace.parses for tag in tree.tags)
    own = tuple(lemma for tree in trace.parses for lemma in tree.lemmas)
    lemmas = frozenset(_all_forms(words, own))
    dressed = tuple(_dressed(words, tags))
    proposals = named(trace.proposals, words, own)
    made = _reading(trace.caption, words, tags, lemmas, proposals, trace.notes)
    taken = {word for thing in made.things for word in thing.name.split(" ")}
    taken |= load_words().placeholders
    others = (n for n, tag in zip(own, tags) if tag.startswith("NN") and n not in taken)
    hedges, skipped = load_words().hedges, {*_AUXILIARIES, *load_words().placeholders}
    hedged = next((k for k, word in enumerate(words, 1) if word in hedges), 1_000_000)
    return replace(
        made,
        things=(*made.things, *dressed),
        others=tuple(dict.fromkeys(others)),
        hedged=hedged,
        choices=frozenset(_choices(words, made.things)),
        verbs=tuple(
            verbs(tags, own, [t.attributes for t in made.things], made.relations)
        ),
        content=tuple(
            lemma
            for tag, lemma in zip(tags, own)
            if tag.startswith(_CONTENT) and lemma not in skipped
        ),
    )


def read_tuples(proposals: Sequence[SemanticTuple], caption: str = "") -> Reading:
    """The reading of tuples whose caption is not known, such as ready-made graphs."""
    members = (m for tuple_ in proposals for m in tuple_.members)
    lemmas = frozenset(word for m in members for word in (m, *m.split(" ")))
    return _reading(caption, (), (), lemmas, named(proposals), ())


def _reading(
    caption: str,
    words: tuple[str, ...],
    tags: tuple[str, ...],
    lemmas: frozenset[str],
    proposals: Sequence[SemanticTuple],
    notes: Sequence[SemanticTuple],
) -> Reading:
    drafts, numbers = _drafts(proposals, words, tags)
    for note in notes:
        if note.members[1:] == ("1",) and note.tokens[0] in numbers:
            drafts[numbers[note.tokens[0]]].one |= note.rule == "implicit-one"
    order = sorted(range(len(drafts)), key=lambda k: drafts[k].place)
    rank = {old: new for new, old in enumerate(order)}
    heads = frozenset(d.place for d in drafts)
    relations = dict.fromkeys(
        (rank[a], how, rank[b]) for a, how, b in _relations(proposals, drafts, numbers)
    )
    things = tuple(_thing(drafts[k], words, tags, heads) for k in order)
    return Reading(caption, words, lemmas, things, tuple(relations))


def _drafts(
    proposals: Sequence[SemanticTuple], words: Sequence[str], tags: Sequence[str]
) -> tuple[list[_Draft], dict[int, int]]:
    """The things, and position → number of the thing that stands there."""
    drafts: list[_Draft] = []
    numbers: dict[int, int] = {}
    # Nouns first, so that pronouns find the nouns they stand for.
    sorted_tuples = sorted(proposals, key=lambda t: _is_pronoun(_place(t, 0), tags))
    for tuple_ in sorted_tuples:
        for at in range(0, len(tuple_.members), 2):
            name, place = tuple_.members[at], _place(tuple_, at)
            meant = _named(name, drafts) if _is_pronoun(place, tags) else -1
            if meant >= 0 and place not in numbers:
                numbers[place] = meant
                drafts[meant].pronouns.append(words[place - 1])
            elif _number(name, place, drafts, numbers) is None:
                numbers[place] = len(drafts)
                drafts.append(_Draft(name, place))
            elif place and place not in numbers:
                numbers[place] = _named(name, drafts)
        if len(tuple_.members) == 2:
            known = _at(tuple_, 0, drafts, numbers)
            drafts[known].attributes[tuple_.members[1]] = _place(tuple_, 1)
    return drafts, numbers


def _dressed(words: Sequence[str], tags: Sequence[str]) -> Iterator[Thing]:
    """Clothes of which only the colour is said: a woman in black and white."""
    colors = load_words().values["color"]
    for start, word in enumerate(words):
        if word not in ("in", "wearing", "wears"):
            continue
        end = start + 1
        while end < len(words) and (words[end] in colors or words[end] == "and"):
            end += 1
        said = tuple(word for word in words[start + 1 : end] if word in colors)
        followed = tags[end] if end < len(tags) else ""
        if said and not followed.startswith(("NN", "JJ", "VBN", "VBD", "CD")):
            yield Thing("clothes", end, attributes=said)


def _choices(words: Sequence[str], things: Sequence[Thing]) -> Iterator[int]:
    """The places of the things right before and right after an "or"."""
    places = sorted(thing.place for thing in things if thing.place)
    for at in (at for at, word in enumerate(words, 1) if word == "or"):
        yield from [place for place in places if place < at][-1:]
        yield from [place for place in places if place > at][:1]


def _number(
    name: str, place: int, drafts: Sequence[_Draft], numbers: Mapping[int, int]
) -> int | None:
    """The thing that stands at a place; of a name where no place is known."""
    if place in numbers and place:
        return numbers[place]
    known = _named(name, drafts)
    return None if known < 0 or (place and drafts[known].place) else known


def _named(name: str, drafts: Sequence[_Draft]) -> int:
    return next((k for k, draft in enumerate(drafts) if draft.name == name), -1)


def _at(
    tuple_: SemanticTuple, at: int, drafts: Sequence[_Draft], numbers: Mapping[int, int]
) -> int:
    place = _place(tuple_, at)
    return numbers[place] if place else _named(tuple_.members[at], drafts)


def _place(tuple_: SemanticTuple, at: int) -> int:
    return tuple_.tokens[at] if at < len(tuple_.tokens) else 0


def _is_pronoun(place: int, tags: Sequence[str]) -> bool:
    return 0 < place <= len(tags) and tags[place - 1] in _PRONOUNS


def _relations(
    proposals: Sequence[SemanticTuple],
    drafts: Sequence[_Draft],
    numbers: Mapping[int, int],
) -> Iterator[tuple[int, str, int]]:
    for tuple_ in proposals:
        if len(tuple_.members) == 3:
            ends = (_at(tuple_, at, drafts, numbers) for at in (0, 2))
            source, target = ends
            yield source, tuple_.members[1].removeprefix("be "), target


def _thing(
    draft: _Draft, words: Sequence[str], tags: Sequence[str], heads: frozenset[int]
) -> Thing:
    attributes = tuple(sorted(draft.attributes, key=lambda a: draft.attributes[a]))
    known = amount(
        draft.name, draft.place, attributes, words, tags, heads, one=draft.one
    )
    return Thing(draft.name, draft.place, known, attributes, tuple(draft.pronouns))


def _all_forms(words: Sequence[str], lemmas: Sequence[str]) -> Iterator[str]:
    """Words and lemmas, parts of hyphenated words, and neighbours joined."""
    grown = load_words().grown
    for lemma in (*words, *lemmas):
        yield from (lemma, grown(lemma))
        yield from lemma.split("-")
    for forms in (words, lemmas):
        for first, second in pairwise(forms):
            yield from (first + second, f"{first} {second}")
