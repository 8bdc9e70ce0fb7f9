"""Open tags and phrases of sentences in, the best tree of each by the grammar out.

The algorithm of Cocke, Younger and Kasami, for all sentences together, from narrow
spans to wide ones: a *row* is a span with the parts of a rule so far, a *phrase* a span
with a symbol. Of each span only what is at most a `beam` worse than its best is kept,
with how frequent symbols are added, since that says what is still to come.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from spicepy.parsing.bundled.arithmetic import Ints
from spicepy.parsing.bundled.grammar.lookup import scattered
from spicepy.parsing.bundled.grammar.opening import Open
from spicepy.parsing.bundled.grammar.tables import Columns, Table, expanded, first_of
from spicepy.parsing.bundled.grammar.weights import NONE, UNIT, Grammar
from spicepy.parsing.bundled.thresholds import DEFAULT

SCORES: Final = 1 << 24
"""Scores are between plus and minus this."""

Node = tuple[int, int, int, list["Node"]]
"""Symbol, first place, place after the last, parts (none of a word)."""


def best_trees(
    choices: Open,
    grammar: Grammar,
    beam: float = DEFAULT.beam,
    word_beam: float = DEFAULT.word_beam,
) -> list[Node | None]:
    """Return the best tree of each sentence; `None` where there is none.

    Args:
        choices: What is open.
        grammar: What the original prefers.
        beam, word_beam: In nats, of phrases and of words.
    """
    chart = Chart(choices, grammar, beam)
    chart.add_words(choices, word_beam)
    for width in range(2, chart.places):
        chart.widen(width)
    return chart.trees(choices)


class Ended(NamedTuple):
    """Rows that are phrases, or words, each (phrases,); `row` is -1 of a word."""

    span: Ints
    symbol: Ints
    score: Ints
    row: Ints


class Closed(NamedTuple):
    """Phrases with the chains above them, each (phrases,), sorted by span and group.

    `chain` is -1 where there is none, `below` the symbol before it.
    """

    span: Ints
    symbol: Ints
    score: Ints
    row: Ints
    chain: Ints
    below: Ints


class Going(NamedTuple):
    """Rows that go on, each (rows,), sorted by span and state."""

    span: Ints
    state: Ints
    score: Ints
    row: Ints


class Chart:
    """What is known of the spans of sentences.

    A span has the number (sentence x places + begin) x places + end; while the spans
    of one width are filled, they are numbered from 0. Columns of `phrases`: symbol,
    score. Columns of `rows`, of those that go on: state, score, number of the row.
    What they are made of is kept apart, of phrases: row (-1 of a word), chain (-1:
    none), the symbol before the chain, span; of all rows: the row before the last
    part (-1: none), the last part.
    """

    def __init__(self, choices: Open, grammar: Grammar, beam: float) -> None:
        self.grammar, self.beam = grammar, beam
        count, self.places, _ = choices.spans.shape
        spans, groups = count * self.places**2, grammar.groups
        self.allowed = choices.spans.ravel()
        # Rows are of use where a phrase may begin and end later.
        begun = np.logical_or.accumulate(choices.spans[:, :, ::-1], axis=2)
        self.begun = begun[:, :, ::-1]
        later = np.pad(self.begun[:, :, 1:], ((0, 0), (0, 0), (0, 1)))
        self.goes_on = later.ravel()
        self.phrases, self.rows = Table(spans, groups, 2), Table(spans, groups, 3)
        self.made_phrases, self.made_rows = Columns(4), Columns(2)
        self.scattered = scattered(np.arange(len(grammar.symbols)))

    def span(self, sentence: Ints | int, begin: Ints | int, end: Ints | int) -> Ints:
        """Return the number of a span."""
        number: Ints = (sentence * self.places + begin) * self.places + end
        return number

    def add_words(self, choices: Open, beam: float) -> None:
        """Begin with the words.

        What can become of a word with the same open tags is found out once.
        """
        kinds: dict[tuple[str, ...], int] = {}
        own = [
            kinds.setdefault((word, *tags), len(kinds))
            for words, open_tags in zip(choices.sentences, choices.tags)
            for word, tags in zip(words, open_tags)
        ]
        phrases = self.closed_words(list(kinds), beam)
        counts = np.bincount(phrases.span, minlength=len(kinds))
        place, rest = expanded(counts[own])
        number = (np.cumsum(counts) - counts)[own][place] + rest
        sentence, begin = expanded(np.array(list(map(len, choices.sentences))))
        spans = self.span(sentence, begin, begin + 1)
        placed = Closed(place, *(column[number] for column in phrases[1:]))
        self.enter(spans, placed, Going(NONE, NONE, NONE, NONE))

    def closed_words(self, kinds: Sequence[tuple[str, ...]], beam: float) -> Closed:
        """Return what can become of words; the span of each is its place among them.

        Args:
            kinds: Words, each with its open tags.
            beam: In nats.
        """
        known = self.grammar.names["leaves"]
        opened = [
            (kind, word, tag)
            for kind, (word, *tags) in enumerate(kinds)
            for tag in tags
            if tag in known
        ]
        found = self.grammar.of_words([(word, tag) for _, word, tag in opened])
        sizes = [len(symbols) for symbols, _ in found]
        span = np.repeat(np.array([kind for kind, _, _ in opened], np.intp), sizes)
        symbol = np.concatenate([NONE, *(symbols for symbols, _ in found)])
        score = np.concatenate([NONE, *(worth for _, worth in found)])
        hope = score + self.grammar.hope_of_symbol[symbol]
        cut = best_less(beam, span, hope, len(kinds))
        kept = np.flatnonzero(hope >= cut[span])
        row = np.full_like(kept, -1)
        return self.closed(cut, Ended(span[kept], symbol[kept], score[kept], row))

    def widen(self, width: int) -> None:
        """Fill in the spans of one width; all narrower ones are there."""
        n, grammar = self.grammar.numbers, self.grammar
        begins = np.arange(self.places - width)
        sentence, begin = np.nonzero(self.begun[:, begins, begins + width])
        if not len(sentence):
            return
        spans = self.span(sentence, begin, begin + width)
        span, state, score, before, part = self.joined(spans, width)
        # The best of a span and state is near enough, or none is: few are sorted.
        hope = score + n["state prior"][state]
        cut = best_less(self.beam, span, hope, len(spans))
        kept = np.flatnonzero(hope >= cut[span])
        kept = kept[best((span * len(n["goes on"]) + state)[kept], score[kept])]
        span, state, score = span[kept], state[kept], score[kept]
        row = np.arange(len(kept)) + self.made_rows.size
        self.made_rows.add(before[kept], part[kept])
        # Of what ends here, only what is near the best that anything can become.
        ended = np.flatnonzero(self.allowed[spans][span])
        hope = score[ended] + grammar.hope_of_state[state[ended]]
        cut = best_less(self.beam, span[ended], hope, len(spans))
        ended = ended[hope >= cut[span[ended]]]
        which, rest = expanded(grammar.ends[state[ended]])
        which = ended[which]
        end = n["ends"][state[which]] + rest
        near = score[which] + grammar.hope_of_end[end] >= cut[span[which]]
        which, end = which[near], end[near]
        score_of_end = score[which] + n["end score"][end]
        on = np.flatnonzero(grammar.goes_on[state] & self.goes_on[spans][span])
        found = Ended(span[which], n["end symbol"][end], score_of_end, row[which])
        going = Going(span[on], state[on], score[on], row[on])
        self.enter(spans, self.closed(cut, found), going)

    def joined(self, spans: Ints, width: int) -> tuple[Ints, Ints, Ints, Ints, Ints]:
        """Join rows and the phrases that follow them.

        Args:
            spans: Numbers of the spans to fill.
            width: Their width.

        Returns:
            span (from 0), state, score, the row before, the last part; sorted by span.
        """
        groups, rows, phrases = self.grammar.groups, self.rows, self.phrases
        cut = np.arange(1, width)
        left = (spans[:, None] + (cut - width)).ravel()
        right = (spans[:, None] + cut * self.places).ravel()
        both = np.flatnonzero(rows.filled[left] & phrases.filled[right])
        pair, group = np.nonzero(rows.there[left[both]] & phrases.there[right[both]])
        pair = both[pair]
        left, right = left[pair] * groups + group, right[pair] * groups + group
        # Each row of a pair, and then each with each phrase.
        which, rest = expanded(rows.counts[left])
        row = rows.begins[left][which] + rest
        counts = phrases.counts[right][which]
        firsts = np.cumsum(counts) - counts
        phrase = np.repeat(phrases.begins[right][which] - firsts, counts)
        phrase += np.arange(len(phrase))
        state, row_score, row_before = rows.entries.all()
        symbol, phrase_score = phrases.entries.all()
        steps = scattered(state[row] * len(self.grammar.symbols))
        keys = np.repeat(steps, counts) + self.scattered[symbol[phrase]]
        known, state = self.grammar.steps.find(keys)
        phrase = phrase[known]
        step = np.repeat(np.arange(len(row)), counts)[known]
        row, span = row[step], pair[which[step]] // len(cut)
        score = row_score[row] + phrase_score[phrase]
        return span, state, score, row_before[row], phrase

    def closed(self, cut: Ints, ended: Ended) -> Closed:
        """Return phrases and what chains make of them, the best of each symbol.

        Args:
            cut: What the phrases of each span must be worth.
            ended: What is a phrase.
        """
        n, symbols = self.grammar.numbers, len(self.grammar.symbols)
        own = best(ended.span * symbols + ended.symbol, ended.score)
        span, symbol, score, row = (column[own] for column in ended)
        which, rest = expanded(self.grammar.chains[symbol])
        chain = n["chains"][symbol[which]] + rest
        source = np.concatenate([np.arange(len(span)), which])
        top = np.concatenate([symbol, n["chain symbol"][chain]])
        score = np.concatenate([score, score[which] + n["chain score"][chain]])
        chain = np.concatenate([np.full(len(span), -1), chain])
        kept = np.flatnonzero(score + n["symbol prior"][top] >= cut[span[source]])
        keys = span[source] * symbols + self.grammar.by_group[top]
        kept = kept[best(keys[kept], score[kept])]
        source = source[kept]
        return Closed(
            *(span[source], top[kept], score[kept]),
            *(row[source], chain[kept], symbol[source]),
        )

    def enter(self, spans: Ints, phrases: Closed, going: Going) -> None:
        """Add phrases, the rows that begin with them, and those that go on.

        Args:
            spans: Numbers of the spans.
            phrases: Sorted by span and group.
            going: What goes on.
        """
        n, groups, top = self.grammar.numbers, self.grammar.groups, phrases.symbol
        span = spans[phrases.span]
        start = n["start"][top]
        begun = np.flatnonzero((start >= 0) & self.goes_on[span])
        new = np.arange(len(begun)) + self.made_rows.size
        self.made_rows.add(np.full_like(begun, -1), begun + self.made_phrases.size)
        self.made_phrases.add(phrases.row, phrases.chain, phrases.below, span)
        self.phrases.add(span * groups + n["group"][top], top, phrases.score)
        more = spans[going.span], going.state, going.score, going.row
        begins = span[begun], start[begun], phrases.score[begun], new
        span, *columns = (np.concatenate(both) for both in zip(more, begins))
        keys = span * groups + n["state group"][columns[0]]
        order = np.argsort(keys, kind="stable")
        self.rows.add(keys[order], *(column[order] for column in columns))

    def trees(self, choices: Open) -> list[Node | None]:
        """Return the tree of each sentence."""
        symbols, _ = self.phrases.entries.all()
        phrases = self.made_phrases.all()
        whole = np.flatnonzero(symbols == 0)
        found = dict(zip(phrases[-1, whole].tolist(), whole.tolist()))
        # One number after the other is several times as fast of these as of numpy.
        columns = tuple(column.data for column in (*phrases, *self.made_rows.all()))
        spans = (
            int(self.span(number, 0, len(words)))
            for number, words in enumerate(choices.sentences)
        )
        return [
            self._tree(found[span], *columns) if span in found else None
            for span in spans
        ]

    def _tree(self, number: int, *columns: "memoryview[int]") -> Node:
        row_of, chain_of, symbol_of, span_of, row_before, part_of = columns
        span, row, chain = span_of[number], row_of[number], chain_of[number]
        begin, end = span // self.places % self.places, span % self.places
        parts: list[Node] = []
        while row >= 0:
            parts.append(self._tree(part_of[row], *columns))
            row = row_before[row]
        node = symbol_of[number], begin, end, parts[::-1]
        if chain >= 0:
            n = self.grammar.numbers
            for above in n["path"][n["paths"][chain] : n["paths"][chain + 1]].tolist():
                node = above, begin, end, [node]
        return node


def best_less(beam: float, span: Ints, score: Ints, spans: int) -> Ints:
    """Return a beam less than the best score of each span."""
    highest = np.full(spans, -SCORES)
    np.maximum.at(highest, span, score)
    return highest - round(beam * UNIT)


def best(keys: Ints, scores: Ints) -> Ints:
    """Return the place of the best score of each key, the first of equal ones.

    Numbers that hold key, score and place are sorted several times as fast as places
    are by `argsort`. Scores have the bits that the others leave, thousands of nats.
    """
    if not len(keys):
        return NONE
    places = len(keys).bit_length()
    room = (1 << 63 - places) // (int(keys.max()) + 1)
    packed: Ints = keys * room
    packed += np.minimum(np.subtract(scores.max(), scores, dtype=np.intp), room - 1)
    packed <<= places
    packed += np.arange(len(keys))
    packed.sort()
    packed &= (1 << places) - 1
    return packed[first_of(keys[packed])]
