"""The weights of a grammar's rules, phrases and words, read from its folder.

A *symbol* is the tag of a word or the label of a phrase, with what the original's
grammar adds from its context: `NP-B^PP` is a noun phrase without another phrase in it
(`-B`) that is part of a PP. What stands before `^` belongs to the symbol, what stands
behind it to the phrase around it; `training/grammar/symbols.py` makes them.

Rules with two or more parts are a tree of *states*: each is a row of parts from the
left that some rule begins with. Rules with one part are *chains*, with all that follow
from one another joined already. All scores are whole numbers of `UNIT`s of a nat.
"""

import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import compress
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from spicepy.parsing.bundled.scores import Group
from spicepy.parsing.bundled.words import DEFAULT, Bools, Ints, ParserThresholds

# Columns of numbers that grow, and the places of each span and group in them.

Numbers = NDArray[np.integer[Any]]


class Columns:
    """Numbers of 32 bits in columns that grow at the end."""

    # They are too many for the cache: half the room is a tenth of the chart's time.

    def __init__(self, columns: int) -> None:
        self.size = 0
        self._numbers = np.empty((columns, 1 << 16), np.int32)

    def add(self, *columns: Numbers) -> None:
        """Add entries, one array per column."""
        begin, self.size = self.size, self.size + len(columns[0])
        while self.size > self._numbers.shape[1]:
            self._numbers = np.concatenate([self._numbers] * 2, axis=1)
        for row, values in zip(self._numbers, columns, strict=True):
            row[begin : self.size] = values

    def all(self) -> NDArray[np.int32]:
        """Return (columns, entries)."""
        return self._numbers[:, : self.size]


class SpanTable:
    """Entries of spans and groups; those of one span and group follow each other."""

    # `begins` and `counts` (spans x groups,) say where they are, `there` (spans,
    # groups) and `filled` (spans,) whether there are any.

    def __init__(self, spans: int, groups: int, columns: int) -> None:
        self.entries = Columns(columns)
        self.begins, self.counts = np.zeros((2, spans * groups), np.int32)
        self.there = np.zeros((spans, groups), bool)
        self.filled = np.zeros(spans, bool)

    def add(self, keys: Ints, *columns: Numbers) -> None:
        """Add entries that are sorted by their keys: span x groups + group."""
        first = first_of(keys)
        spans = keys[first]
        self.begins[spans] = first + self.entries.size
        self.counts[spans] = np.append(first[1:], len(keys)) - first
        self.there.ravel()[spans] = True
        self.filled[spans // self.there.shape[1]] = True
        self.entries.add(*columns)


def first_of(keys: Ints) -> Ints:
    """Return where each of sorted keys begins."""
    new = np.ones(len(keys), bool)
    np.not_equal(keys[1:], keys[:-1], out=new[1:])
    return np.flatnonzero(new)


def expanded(sizes: Numbers) -> tuple[Ints, Ints]:
    """Return for each n, as often as its size, n and a number from 0."""
    which = np.repeat(np.arange(len(sizes)), sizes)
    begins = np.cumsum(sizes) - sizes
    return which, np.arange(len(which)) - begins[which]


# A table of whole numbers and their values, which is looked up by arrays.

KEY_BITS: Final = 32
SPREAD: Final = np.uint32(0x9E3779B1)
"""Knuth (1973, section 6.4): 2 ** 32 by the golden ratio scatters numbers evenly."""
ROOM: Final = 4
"""The number of places of the table for each key, at least: most searches end at the
first one."""


class Lookup:
    """A hash table for many numbers at a time, several times as fast as bisection."""

    # Its keys are different whole numbers from 1 to less than 2 ** 32. Numbers are
    # looked for as `scattered` makes them; of a sum, both parts can be scattered before
    # they are added up, since it is all modulo 2 ** 32.

    def __init__(self, keys: Ints, values: Ints) -> None:
        if keys.max(initial=0) >> KEY_BITS:
            raise ValueError(f"key {keys.max()}; {KEY_BITS} bits hold less")
        bits = max(1, (len(keys) * ROOM - 1).bit_length())
        self._shift = np.uint32(KEY_BITS - bits)
        # Behind the last slot there is room for what would begin anew at the first.
        # No key is scattered to 0.
        self._keys = np.zeros((1 << bits) + len(keys) + 1, np.uint32)
        self._values = np.zeros(len(self._keys), np.intp)
        wanted = scattered(keys)
        slot, left = self._first(wanted), np.arange(len(keys))
        while len(left):
            free = left[self._keys[slot[left]] == 0]
            self._keys[slot[free]] = wanted[free]
            left = left[self._keys[slot[left]] != wanted[left]]
            slot[left] += 1
        self._values[slot] = values

    def find(self, wanted: NDArray[np.uint32]) -> tuple[Ints, Ints]:
        """Return the places of known numbers among scattered ones, and their values."""
        slot = self._first(wanted)
        seen = self._keys.take(slot)
        same = seen == wanted
        left = np.flatnonzero((seen != 0) & ~same)
        while len(left):
            slot[left] += 1
            seen, sought = self._keys[slot[left]], wanted[left]
            same[left[seen == sought]] = True
            left = left[(seen != 0) & (seen != sought)]
        known = np.flatnonzero(same)
        return known, self._values.take(slot.take(known))

    def _first(self, wanted: NDArray[np.uint32]) -> Ints:
        """Return the slot at which the search for each number begins."""
        return (wanted >> self._shift).astype(np.intp)


def scattered(keys: Ints) -> NDArray[np.uint32]:
    """Return the numbers that stand for keys in the table."""
    return keys.astype(np.uint32) * SPREAD


MAX_TAGS: Final = 4  # The number of tags that a word may have open


@dataclass(frozen=True, slots=True)
class CandidateChoices:
    """The choices that are left open in sentences."""

    sentences: list[list[str]]  # Their words
    tags: list[list[list[str]]]  # The open tags of each word
    # (sentences, words of the longest + 1, the same) whether the words from one place
    # to before another may be a phrase.
    spans: Bools

    @classmethod
    def joined(cls, parts: Sequence["CandidateChoices"]) -> "CandidateChoices":
        """Put sentences of several lengths together."""
        most = max(part.spans.shape[1] for part in parts)
        return cls(
            [words for part in parts for words in part.sentences],
            [tags for part in parts for tags in part.tags],
            np.concatenate([_padded(part.spans, most) for part in parts]),
        )


def _padded(spans: Bools, places: int) -> Bools:
    more = places - spans.shape[1]
    return np.pad(spans, ((0, 0), (0, more), (0, more)))


def open_choices(
    group: Group, tags: list[str], tag: float, head: float
) -> CandidateChoices:
    """Return tags and heads that score at most `tag` and `head` nats below the best."""
    scores = group.scores
    assert scores is not None
    opened = scores.tags > scores.tags.max(axis=2, keepdims=True) - tag
    named = [[[tags[n]] for n in row] for row in scores.tags.argmax(axis=2).tolist()]
    # Few words have several.
    several = np.nonzero(opened.sum(axis=2) > 1)
    best = np.argsort(-scores.tags[several], axis=1, kind="stable")[:, :MAX_TAGS]
    kept = np.take_along_axis(opened[several], best, axis=1)
    rows = zip(*(numbers.tolist() for numbers in (*several, best, kept)))
    for sentence, place, own, which in rows:
        named[sentence][place] = [tags[n] for n in compress(own, which)]
    arcs = scores.arcs > scores.arcs.max(axis=2, keepdims=True) - head
    return CandidateChoices(
        [list(words) for words in group.sentences], named, open_spans(arcs)
    )


def open_spans(arcs: Bools) -> Bools:
    """Return which spans may be a phrase: at most one word has no open head inside."""
    # `arcs` are the open heads, (sentences, words, words + 1); head 0 is the root.
    count, words, _ = arcs.shape
    spans = np.zeros((count, words + 1, words + 1), bool)
    # Open heads before each place, the root's not counted.
    before = np.zeros((count, words, words + 1), np.int16)
    before[:, :, 1:] = arcs[:, :, 1:].cumsum(axis=2)
    all_heads = before[:, :, -1:] + arcs[:, :, :1]
    before_end = np.tri(words, dtype=bool).T
    for begin in range(words):
        ending = before_end[begin:, begin:]
        inside = before[:, begin:, begin + 1 :] - before[:, begin:, begin : begin + 1]
        alone = ((inside == 0) & ending).sum(axis=1) <= 1
        outside = ((all_heads[:, begin:] > inside) & ending).any(axis=1)
        spans[:, begin, begin + 1 :] = alone & outside
    spans[:, 0, words] = True
    spans[:, np.arange(words), np.arange(words) + 1] = True
    return spans


UNIT: Final = 256
"""Scores are whole numbers of this part of a nat: their sums are exact."""

WORST: Final = -(1 << 22)  # Worse than any score

WHOLE: Final = "ROOT"  # The symbol of a whole caption; its number is 0

BORDER: Final = ""  # Stands for the tag before the first word and after the last one

FORMS: Final = {
    **dict.fromkeys(
        ["is", "are", "was", "were", "be", "been", "being", "'s", "'re", "'m", "am"],
        "~be",
    ),
    **dict.fromkeys(["has", "have", "had", "having", "'ve"], "~have"),
    "&": "~&",
    "but": "~but",
}
"""Words that have symbols of their own as verbs or conjunctions."""

PLAIN: Final = ("ss", "us", "is")  # Words with these are not plurals
ENDINGS: Final = ("s", "ed", "ing", "ion", "er", "est", "ly", "ity", "y", "al")
"""Endings that distinguish rare words; the first that fits, after those above."""

NONE: Final = np.zeros(0, np.intp)

Hashes = NDArray[np.uint32]

LONG: Final = 4  # The number of letters of the shortest word that has an ending

VERBS: Final = frozenset(["VBZ", "VBP", "VBD", "VBN", "VBG", "VB", "MD"])


class Leaves(NamedTuple):
    """The symbols of a tag for words of one form."""

    # numbers, scores, begun: One entry a symbol; the last is the hash of how features
    # begin that go on with the word or its spelling.
    numbers: Ints
    scores: Ints
    begun: Hashes


NO_LEAVES: Final = Leaves(NONE, NONE, np.zeros(0, np.uint32))


class RuleTables(NamedTuple):
    """The rules of a grammar as arrays of whole numbers."""

    group: Ints  # (symbols,) which phrase a symbol can be part of
    start: Ints  # (symbols,) the state of a rule that begins with it, or -1
    # keys, next: State x symbols + symbol, sorted, and the state that follows.
    keys: Ints
    next: Ints
    state_group: Ints  # (states,) which phrase a state is part of
    goes_on: Ints  # (states,) whether a rule has more parts
    # ends, end_symbol, end_score: The symbols of a state when it ends: those of state
    # s from ends[s] to ends[s + 1].
    ends: Ints
    end_symbol: Ints
    end_score: Ints
    # chains, chain_symbol, chain_score: The same for chains of rules with one part,
    # by symbol.
    chains: Ints
    chain_symbol: Ints
    chain_score: Ints
    # paths, path: The symbols on the way of each chain.
    paths: Ints
    path: Ints
    # symbol_prior, state_prior: Their log frequencies.
    symbol_prior: Ints
    state_prior: Ints


class PhraseGrammar:
    """A grammar of the original's trees.

    Args:
        names: "symbols"; "leaves" (tag -> numbers of its symbols); "open" (tags that a
            word may have which was never seen with them); "tags" (`BORDER` and those
            that words were seen with); "attachments" (`analyser.py`).
        arrays: The fields of `RuleTables`, with blanks in their names; "before",
            "after" (tags, symbols): how frequent a tag is beside a symbol (log);
            "features" (sorted hashes), "worth": of words, and their scores.
        thresholds: The number of words that it keeps.
    """

    def __init__(
        self,
        names: Mapping[str, Any],
        arrays: Mapping[str, NDArray[Any]],
        thresholds: ParserThresholds = DEFAULT,
    ) -> None:
        self.names = dict(names)
        self.arrays = dict(arrays)
        self.symbols: list[str] = self.names["symbols"]
        self.tags = [symbol.partition("^")[0] for symbol in self.symbols]
        self.bare = [bare(symbol) for symbol in self.symbols]
        self.attachments: dict[str, str] = self.names["attachments"]
        self.rules = RuleTables(
            *(
                np.asarray(arrays[field.replace("_", " ")], np.intp)
                for field in RuleTables._fields
            )
        )
        self._tag_numbers = {tag: n for n, tag in enumerate(self.names["tags"])}
        # A tag that was seen nowhere is treated as the best of all tags.
        self._beside = [
            np.vstack([arrays[name], arrays[name].max(axis=0)])
            for name in ("before", "after")
        ]
        self.groups = int(self.rules.group.max()) + 1
        self.steps = Lookup(self.rules.keys, self.rules.next)
        self._look_ahead()
        self._most_words = thresholds.cached_words
        self._words: dict[tuple[str, str], tuple[Ints, Ints]] = {}
        self._open = frozenset(self.names["open"])
        self._leaves = {
            (tag, form): self._symbols_of(tag, form)
            for tag, leaves in self.names["leaves"].items()
            for form in {known_form(self.symbols[number]) for number in leaves}
        }

    def _look_ahead(self) -> None:
        """Compute the tables that a chart needs for each symbol and state."""
        # `merit_of_...`: the best that it can become, with how frequent that is added.
        # `by_group`: numbers of the symbols such that those of a group follow each
        # other.
        n = self.rules
        symbols, states = len(self.symbols), len(n.goes_on)
        self.goes_on = n.goes_on.astype(bool)
        self.ends, self.chains = np.diff(n.ends), np.diff(n.chains)
        self.by_group = np.empty(symbols, np.intp)
        self.by_group[np.argsort(n.group, kind="stable")] = np.arange(symbols)
        self.merit_of_symbol = n.symbol_prior.copy()
        merit = n.chain_score + n.symbol_prior[n.chain_symbol]
        below = np.repeat(np.arange(symbols), self.chains)
        np.maximum.at(self.merit_of_symbol, below, merit)
        self.merit_of_end = n.end_score + self.merit_of_symbol[n.end_symbol]
        self.merit_of_state = np.full(states, WORST)
        ended = np.repeat(np.arange(states), self.ends)
        np.maximum.at(self.merit_of_state, ended, self.merit_of_end)

    def beside(
        self, kinds: Sequence[tuple[str, ...]]
    ) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Return how frequent symbols are before and after words, (kinds, symbols)."""
        # Of the open tags of a word the best for each symbol counts; the first array
        # includes how frequent the symbol is at all.
        number, most = self._tag_numbers, max(map(len, kinds))
        filled = ((*kind, *kind[:1] * (most - len(kind))) for kind in kinds)
        tag_numbers = [[number.get(tag, -1) for tag in kind] for kind in filled]
        before, after = (
            table[tag_numbers].max(axis=1).astype(np.int32) for table in self._beside
        )
        return before + self.arrays["symbol prior"], after

    def of_words(self, pairs: Sequence[tuple[str, str]]) -> list[tuple[Ints, Ints]]:
        """Return the symbols that words can be with a tag, and their scores."""
        known = self._words
        new = [pair for pair in dict.fromkeys(pairs) if pair not in known]
        if len(known) + len(new) > self._most_words:
            # Other threads may still look into the old one.
            known, new = {}, list(dict.fromkeys(pairs))
            self._words = known
        known.update(zip(new, self._look_up(new), strict=True))
        return [known[pair] for pair in pairs]

    def _look_up(self, pairs: Sequence[tuple[str, str]]) -> Iterator[tuple[Ints, Ints]]:
        if not pairs:
            return
        of_form = self._leaves.get
        listed = [of_form((tag, form_of(word, tag)), NO_LEAVES) for word, tag in pairs]
        hashes = {word: list(map(crc, ends_of(word))) for word in dict(pairs)}
        ends = np.array([hashes[word] for word, _ in pairs], np.uint32)
        tags = np.array([crc(f"{tag} ") for _, tag in pairs], np.uint32)
        of_tag, known = self._scores_of(tags[:, None] + ends[:, [WORD, *LETTERS]])
        which = np.repeat(np.arange(len(pairs)), [len(x.numbers) for x in listed])
        begun = np.concatenate([x.begun for x in listed])[:, None]
        of_words, _ = self._scores_of(begun + ends[which][:, [WORD, SPELLING]])
        scores = of_words.sum(axis=1)
        scores += np.concatenate([x.scores for x in listed]) + of_tag.sum(axis=1)[which]
        begin = 0
        for (_, tag), leaves, seen in zip(pairs, listed, known[:, 0].tolist()):
            end = begin + len(leaves.numbers)
            if seen or tag in self._open:
                yield leaves.numbers, scores[begin:end]
            else:
                yield NONE, NONE
            begin = end

    def _scores_of(self, hashes: Hashes) -> tuple[Ints, Bools]:
        """Return the scores of features, and which are known; others score 0."""
        keys, scores = self.arrays["features"], self.arrays["worth"]
        # In order, each search finds much of its way in the cache.
        wanted, which = np.unique(hashes, return_inverse=True)
        places = np.searchsorted(keys, wanted).clip(max=len(keys) - 1)
        known = keys[places] == wanted
        values = np.where(known, scores[places], 0).astype(np.intp)
        which = which.reshape(hashes.shape)
        return values.take(which), known.take(which)

    def _symbols_of(self, tag: str, form: str) -> Leaves:
        names = [
            (number, self.symbols[number])
            for number in self.names["leaves"][tag]
            if known_form(self.symbols[number]) == form
        ]
        hashes = np.array([hashed(name) for _, name in names], np.uint32)
        return Leaves(
            np.array([number for number, _ in names], np.intp),
            self._scores_of(hashes)[0],
            np.array([crc(f"{name} ") for _, name in names], np.uint32),
        )


WORD, SPELLING, *LETTERS = range(4)  # Places among the `ends_of` a word


def ends_of(word: str) -> tuple[str, str, str, str]:
    """Return how features of a word end: itself, its spelling, its last letters."""
    return word, f"={spelling_of(word)}", f"-{word[-3:]}", f"--{word[-2:]}"


def spelling_of(word: str) -> str:
    """Return of what kind the spelling of a word is: digit, hyphen, ending."""
    kind = "0" * any(map(str.isdigit, word)) + "-" * ("-" in word)
    endings = (end for end in PLAIN + ENDINGS if word.endswith(end))
    return kind + (next(endings, "") if len(word) >= LONG else "")


def hashed(feature: str) -> int:
    """Return the number by which a feature is found."""
    # It is the sum of those of its two halves, so that they can be combined in arrays.
    begin, blank, end = feature.partition(" ")
    return (crc(begin + blank) + (crc(end) if blank else 0)) % 2**32


def crc(text: str) -> int:
    """Return 32 bits that stand for a text; halves of surrogate pairs are replaced."""
    return zlib.crc32(text.encode("utf-8", "replace"))


def form_of(word: str, tag: str) -> str:
    """Return the ending of the symbols of a word: "" of most."""
    form = FORMS.get(word, "")
    if tag == "CC":
        return form if form in ("~&", "~but") else ""
    return form if tag in VERBS and form in ("~be", "~have") else ""


def known_form(symbol: str) -> str:
    """Return the ending of a symbol that stands for certain words; "" of most."""
    _, mark, end = symbol.partition("~")
    return f"~{end}" if mark + end in FORMS.values() else ""


def bare(symbol: str) -> str:
    """Return what attachments depend on in a symbol: its label, and a verb's form."""
    label = symbol.partition("^")[0]
    if label.startswith("VP-"):
        return label.replace("-v", "").replace("-U", "")
    return (label if label.endswith("$") else label.split("-")[0]) + known_form(symbol)
