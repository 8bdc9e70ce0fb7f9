"""Semantic tuples: (object), (object, attribute), (source, relation, target).

Sections that belong to it:

* Tuples and trees as short text, to be kept in a file or sent to another process.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, Literal, overload

from spicepy.parsing.trees import Parse

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
# In: the proposals of a caption, the tree of a sentence. Out: text from which the same
# values are read; proposals as a `Packed`, which unpacks itself.
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
    """Return proposals from what `pack` has written.

    Raises:
        ValueError: The text has not that form.
    """
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
    """Return the tree of a sentence.

    Its words are those of the sentence; the exact parser may have parted a stop from
    the last one.

    Raises:
        ValueError: The text is no tree of this sentence.
    """
    tags, written, labels, lemmas, words = map(_split, text.split(_FIELD))
    heads = tuple(map(int, written))
    lengths = {len(part) for part in (tags, heads, labels, lemmas, words)}
    same = _letters("".join(words)) == _letters(sentence)
    if len(lengths) != 1 or not same or not _is_tree(heads):
        raise ValueError("no tree of this sentence")
    return Parse(words, tags, lemmas, heads, labels)


def _letters(text: str) -> str:
    return text.replace(" ", "").replace(".", "")


def _is_tree(heads: Sequence[int]) -> bool:
    """Return whether every token has a head and every way up ends at the root."""
    reach = {0}
    for token in range(1, len(heads) + 1):
        way = set[int]()
        while token not in reach:
            if token in way or not 0 < token <= len(heads):
                return False
            way.add(token)
            token = heads[token - 1]
        reach |= way
    return True


def _joined(strings: Iterable[str]) -> str:
    return "".join(string + _UNIT for string in strings)


def _split(text: str) -> tuple[str, ...]:
    return tuple(text.split(_UNIT)[:-1])
