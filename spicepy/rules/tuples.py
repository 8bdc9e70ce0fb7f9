"""Semantic tuples: (object), (object, attribute), (source, relation, target)."""

import hashlib
import json
import re
import tomllib
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from os.path import isfile
from pathlib import Path
from typing import Any, Final, Literal, get_args, overload

from spicepy.common.errors import (
    GrammarError,
    InputError,
    SpicepyWarning,
    brief,
    nearest,
)
from spicepy.common.files import read_text
from spicepy.common.resources import folder
from spicepy.parsing.trees import Parse, is_tree
from spicepy.words.morphology import lemmatize
from spicepy.words.wordnet import load_wordnet

Mood = Literal["", "denied", "supposed"]
"""Whether a caption states something, denies it or supposes it."""


@dataclass(frozen=True, slots=True)
class SemanticTuple:
    """One proposed tuple in printed order: (man), (man, tall), (man, ride, horse).

    `rule` is the id of the rule card that made it, `tokens` the positions
    (from 1) of the head words of its members, `written` its members as that rule made
    them, where a normalisation rule has changed them since, and `same` further
    wordings of its attribute or relation that mean the same. `heads` has for
    each object of several words, in order, the word it is a kind of ("stop sign":
    "sign"), "" for others. None of these counts in `==`. `mood`, which does, says
    whether the caption states the tuple (""), denies or supposes it.
    """

    members: tuple[str, ...]
    rule: str = field(default="", compare=False)
    tokens: tuple[int, ...] = field(default=(), compare=False)
    written: tuple[str, ...] = field(default=(), compare=False, repr=False)
    same: tuple[str, ...] = field(default=(), compare=False, repr=False)
    heads: tuple[str, ...] = field(default=(), compare=False, repr=False)
    mood: Mood = ""

    def __str__(self) -> str:
        return f"({', '.join(self.members)})"


Proposals = Sequence[SemanticTuple]
"""The tuples that the rules propose for one caption, repetitions included."""


# Tuples and trees as short text, to be kept in a file or sent to another process.
#
# Control characters end each string (`_UNIT`), each field (`_FIELD`) and each tuple
# (`_TUPLE`). No token has them; `packable` says so of a whole caption.

_UNIT: Final = "\x1f"
_FIELD: Final = "\x1e"
_TUPLE: Final = "\x1d"
_ENDS: Final = frozenset((_UNIT, _FIELD, _TUPLE))
_MEMBERS: Final = re.compile(f"([^{_FIELD}]*){_FIELD}[^{_TUPLE}]*{_TUPLE}")
"""The beginning of a tuple, and the rest of it."""


_STRINGS: Final = f"[^{_TUPLE}-{_UNIT}]*{_UNIT}"
_PACKED: Final = re.compile(
    f"(?:(?:{_STRINGS}){{1,3}}{_FIELD}[^{_TUPLE}-{_UNIT}]*"  # members, rule
    f"{_FIELD}(?:[0-9]{{1,9}}(?:,[0-9]{{1,9}})*)?"  # tokens
    f"(?:(?:{_FIELD}(?:{_STRINGS})*){{3}}(?:{_FIELD}(?:denied|supposed))?)?{_TUPLE})*"
)
"""The form of packed proposals."""


_MOODS: Final[tuple[Mood, ...]] = ("denied", "supposed")
_MOOD_ENDS: Final = tuple(f"{_FIELD}{mood}{_TUPLE}" for mood in _MOODS)
"""How the tuples end that a caption does not state."""


class Packed(Sequence[SemanticTuple]):
    """The proposals of a caption as text; a tenth of their size in memory."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text

    def __len__(self) -> int:
        return self.text.count(_TUPLE)

    def __iter__(self) -> Iterator[SemanticTuple]:
        return map(_tuple, self.text.split(_TUPLE)[:-1])

    @overload
    def __getitem__(self, index: int) -> SemanticTuple: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[SemanticTuple, ...]: ...
    def __getitem__(
        self, index: int | slice
    ) -> SemanticTuple | tuple[SemanticTuple, ...]:
        return tuple(self)[index]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))


Merged = tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]
"""The parts of a tuple in a scene graph: `members`, `same`, `heads`."""


def merged_parts(proposals: Iterable[SemanticTuple]) -> Iterator[Merged]:
    """Yield only the fields a scene graph needs, without unpacking the others."""
    if isinstance(proposals, Packed):
        text = proposals.text
        if text.count(_FIELD) == 2 * text.count(_TUPLE):  # as in most captions
            return map(_plain, _MEMBERS.findall(text))
        return map(_merged, text.split(_TUPLE)[:-1])
    return ((one.members, one.same, one.heads) for one in proposals)


def facts(proposals: Proposals) -> Proposals:
    """Return the proposals that a caption states, without the others."""
    if isinstance(proposals, Packed):
        if not any(mood in proposals.text for mood in _MOOD_ENDS):
            return proposals
        lines = proposals.text.split(_TUPLE)[:-1]
        stated = (x for x in lines if not (x + _TUPLE).endswith(_MOOD_ENDS))
        return Packed("".join(line + _TUPLE for line in stated))
    if not any(tuple_.mood for tuple_ in proposals):
        return proposals
    return [tuple_ for tuple_ in proposals if not tuple_.mood]


def packable(text: str) -> bool:
    """Return whether the tuples of this caption can be packed."""
    return _ENDS.isdisjoint(text)


def pack(proposals: Proposals) -> str:
    """Return the proposals of a caption as text."""
    if isinstance(proposals, Packed):
        return proposals.text
    return "".join(map(_line, proposals))


def unpack(text: str) -> Packed:
    """Return proposals from what `pack` has written; another text is a `ValueError`."""
    if not _PACKED.fullmatch(text):
        raise ValueError("no packed proposals")
    return Packed(text)


def _line(tuple_: SemanticTuple) -> str:
    members, tokens = _joined(tuple_.members), ",".join(map(str, tuple_.tokens))
    line = f"{members}{_FIELD}{tuple_.rule}{_FIELD}{tokens}"
    if tuple_.written or tuple_.same or tuple_.heads or tuple_.mood:  # few have any
        further = map(_joined, (tuple_.written, tuple_.same, tuple_.heads))
        moods = [tuple_.mood] if tuple_.mood else []
        line = _FIELD.join((line, *further, *moods))
    return line + _TUPLE


@lru_cache(maxsize=1 << 16)
def _tuple(line: str) -> SemanticTuple:
    members, rule, tokens, *further = line.split(_FIELD)
    places = tuple(map(int, tokens.split(","))) if tokens else ()
    if not further:
        return SemanticTuple(_split(members), rule, places)
    written, same, heads = map(_split, further[:3])
    mood: Mood = next((mood for mood in _MOODS if mood in further[3:]), "")
    return SemanticTuple(_split(members), rule, places, written, same, heads, mood)


def _merged(line: str) -> Merged:
    members, _, rest = line.partition(_FIELD)
    if rest.count(_FIELD) == 1:  # rule and tokens, as most tuples have
        return _plain(members)
    *_, same, heads = rest.split(_FIELD)
    return _split(members), _split(same), _split(heads)


@lru_cache(maxsize=1 << 16)
def _plain(members: str) -> Merged:
    return _split(members), (), ()


def pack_tree(tree: Parse) -> str:
    """Return a tree as text."""
    fields = tree.tags, map(str, tree.heads), tree.labels, tree.lemmas, tree.words
    return _FIELD.join(map(_joined, fields))


def unpack_tree(text: str, sentence: str) -> Parse:
    """Return the tree of a sentence; a text that is not one is a `ValueError`."""
    # Its words are those of the sentence; the exact parser may have parted a stop from
    # the last one.
    tags, written, labels, lemmas, words = map(_split, text.split(_FIELD))
    heads = tuple(map(int, written))
    lengths = {len(part) for part in (tags, heads, labels, lemmas, words)}
    same = _letters("".join(words)) == _letters(sentence)
    if len(lengths) != 1 or not same or not is_tree(heads):
        raise ValueError("no tree of this sentence")
    return Parse(words, tags, lemmas, heads, labels)


def _letters(text: str) -> str:
    return text.replace(" ", "").replace(".", "")


def _joined(strings: Iterable[str]) -> str:
    return "".join(string + _UNIT for string in strings)


def _split(text: str) -> tuple[str, ...]:
    return tuple(text.split(_UNIT)[:-1])


# Categories: sets of tuples about colours, counts, sizes and so on.
#
# Objects, attributes and relations are categories without words; the others test one
# member of the tuple (the object, the attribute or the relation) against a list of
# words.
#
# Published SPICE tests the member as it is printed. A member merged from several words
# prints as "gray/grey" and is in no list, so it leaves the category (`match =
# "printed"`). `match = "any"` asks whether any of its words is listed.
#
# Source: Anderson et al. 2016, SPICE, section 4 (the categories of Table 2).

MatchMode = Literal["printed", "any"]
MEMBER = {1: 0, 2: 1, 3: 1}
"""The member tested, by length: (object), (…, attribute), (…, relation, …)."""

_KEYS = ("name", "length", "words", "match", "digits", "source", "why")


@dataclass(frozen=True, slots=True)
class Category:
    """A named set of tuples.

    Attributes:
        name: As reported: "Color".
        length: 1 objects, 2 attributes, 3 relations.
        words: The words that belong; None for all tuples of this length.
        match: "printed" tests the whole printed member, "any" each word of it.
        digits: Whether a string of digits also belongs.
        where: Where it was read, for messages: "mine.toml: category".
    """

    name: str
    length: int
    words: frozenset[str] | None = None
    match: MatchMode = "printed"
    digits: bool = False
    where: str = field(default="category", compare=False, repr=False)

    def has(self, words: Sequence[str]) -> bool:
        """Return whether a member with these (merged) words belongs."""
        if self.words is None:
            return True
        if self.match == "any":
            return any(self._lists(word) for word in words)
        return len(words) == 1 and self._lists(words[0])

    def _lists(self, word: str) -> bool:
        listed = self.words is not None and word in self.words
        return listed or (self.digits and word.isascii() and word.isdecimal())


BASIC = (Category("Object", 1), Category("Attribute", 2), Category("Relation", 3))
"""The categories every grammar has."""


def read_categories(name_or_path: str | Path) -> list[Category]:
    """Read further categories from a TOML file of `[[category]]` tables.

    Args:
        name_or_path: A file, or the name of a shipped one ("extended", see
            `grammars/categories/`).

    Raises:
        InputError: There is no such file or name, or it cannot be read.
        GrammarError: A category is wrong; every fault is named.

    Warns:
        SpicepyWarning: An object is given in its plural, which graphs do not have.
    """
    path = _locate(str(name_or_path))
    text = read_text(path)
    try:
        data = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}: not valid TOML: {error}") from None
    if unknown := sorted(set(data) - {"category"}):
        hint = "; did you mean [[category]]?" if len(data) == 1 else ""
        raise GrammarError(f"{path}: unknown key {', '.join(unknown)[:200]}{hint}")
    tables = data.get("category")
    if not isinstance(tables, list) or not all(isinstance(t, dict) for t in tables):
        raise GrammarError(f"{path}: no [[category]] tables")
    categories, faults = [], []
    for table in tables:
        try:
            categories.append(read_category(table, f"{path}: category"))
        except GrammarError as error:
            faults.append(str(error))
    if faults:
        raise GrammarError("\n".join(faults))
    known, objects = load_wordnet(), (c for c in categories if c.length == 1)
    for word in sorted(frozenset().union(*(c.words or () for c in objects))):
        lemma = lemmatize(word, "NNS")
        if lemma != word and known.senses(lemma) and not known.senses(word):
            text = (
                f"{path}: {brief(word)} is not a lemma and will hardly be found; write "
            )
            warnings.warn(text + repr(lemma), SpicepyWarning, stacklevel=2)
    return categories


def canonical_categories(categories: Iterable[Category]) -> list[dict[str, Any]]:
    """Return categories as JSON with all that can change a score, sorted by name.

    This form is hashed for signatures: a change of it changes them all.

    Example:
        >>> canonical_categories([Category("Pet", 1, frozenset({"dog", "cat"}))])
        [{'name': 'Pet', 'length': 1, 'words': ['cat', 'dog'], 'match': 'printed', \
'digits': False}]
    """
    return [
        {
            "name": category.name,
            "length": category.length,
            "words": None if category.words is None else sorted(category.words),
            "match": category.match,
            "digits": category.digits,
        }
        for category in sorted(categories, key=lambda category: category.name)
    ]


def categories_digest(categories: Iterable[Category]) -> str:
    """Return a digest of eight hexadecimal digits, whatever the order."""
    # The first of the SHA-256 of "spicepy-categories-1", a line feed, and
    # `canonical_categories` as JSON: keys sorted, no blanks, ASCII.
    text = json.dumps(
        canonical_categories(categories), sort_keys=True, separators=(",", ":")
    )
    hashed = hashlib.sha256(f"spicepy-categories-1\n{text}".encode())
    return hashed.hexdigest()[:8]


def _locate(name: str) -> Path:
    if isfile(name):
        return Path(name)
    shipped = folder() / "categories" / f"{name}.toml"
    if isfile(shipped) and Path(name).name == name:
        return shipped
    known = sorted(path.stem for path in shipped.parent.glob("*.toml"))
    raise InputError(
        f"no categories {brief(name)}: no such file, and no shipped file of this name"
        f"{nearest(name, known)}"
    )


def _given(value: Any) -> str:
    """Return a value of a TOML table for a message; TOML itself has no null."""
    return "missing" if value is None else brief(value)


def read_category(table: Mapping[str, Any], where: str = "category") -> Category:
    """Build a category from a TOML table; a `GrammarError` names every fault of it."""
    # `name`, `length` (1-3), `words`; optional `match` ("printed" or "any"), `digits`
    # (true or false), and for people `source`, `why`.
    faults = []
    name = table.get("name")
    if not isinstance(name, str) or not name.strip():
        faults.append(f"name is {_given(name)}: give a text such as 'Color'")
    if unknown := sorted(set(table).difference(_KEYS)):
        faults.append(f"unknown key {', '.join(unknown)[:200]}: use {', '.join(_KEYS)}")
    length = table.get("length")
    if length not in (1, 2, 3) or isinstance(length, bool):
        faults.append(f"length is {_given(length)}: give 1, 2 or 3")
    words = table.get("words")
    if not isinstance(words, list) or not words:
        faults.append("words is missing or empty: list at least one word")
    elif wrong := [
        w for w in words if not isinstance(w, str) or not w.strip() or w != w.lower()
    ]:
        faults.append(f"words has {brief(wrong[0])}: give lower-case lemmas")
    match = table.get("match", "printed")
    if match not in get_args(MatchMode):
        faults.append(f"match is {brief(match)}: give 'printed' or 'any'")
    digits = table.get("digits", False)
    if not isinstance(digits, bool):
        faults.append(f"digits is {brief(digits)}: give true or false")
    if faults:
        label = f"{where} {brief(name, 60)}" if isinstance(name, str) else where
        raise GrammarError("\n".join(f"{label}: {fault}" for fault in faults))
    listed = frozenset(words or ())
    return Category(str(name), int(length or 0), listed, match, digits, where)


def unique_names(categories: Sequence[Category]) -> tuple[Category, ...]:
    """Return the categories; names must differ (case ignored) and not be "All"."""
    seen = {"all"}
    for category in categories:
        if category.name.lower() in seen:
            raise GrammarError(
                f"{category.where} {category.name!r}: the name is taken; choose another"
            )
        seen.add(category.name.lower())
    return tuple(categories)
