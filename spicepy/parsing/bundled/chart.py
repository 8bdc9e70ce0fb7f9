"""The best tree of each sentence by the grammar, given its open tags and phrases.

The algorithm of Cocke, Younger and Kasami, for all sentences together, from narrow
spans to wide ones: a *row* is a span with the parts of a rule so far, a *phrase* a span
with a symbol. Of each span only what is at most a `beam` worse than its best is kept.
The score of the rest of a tree is estimated: to that of a phrase are added the
frequency of its symbol, and how frequently the tags before and after it stand beside
the symbol (Caraballo and Charniak 1998, "New figures of merit for best-first
probabilistic chart parsing").
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from spicepy.parsing.bundled import weights as tables
from spicepy.parsing.bundled.weights import (
    CandidateChoices,
    Columns,
    PhraseGrammar,
    SpanTable,
)
from spicepy.parsing.bundled.words import DEFAULT, Ints, ParserThresholds

SCORES: Final = 1 << 24  # Scores are between plus and minus this

Node = tuple[int, int, int, list["Node"]]
"""Symbol, first place, place after the last, parts (empty for a word)."""


def best_trees(
    choices: CandidateChoices,
    grammar: PhraseGrammar,
    thresholds: ParserThresholds = DEFAULT,
) -> list[Node | None]:
    """Return the best tree of each sentence; `None` where there is none."""
    chart = PhraseChart(choices, grammar, thresholds)
    chart.add_words(choices)
    for width in range(2, chart.places):
        chart.widen(width)
    return chart.trees(choices)


class Ended(NamedTuple):
    """Rows that are phrases, or words, each (phrases,); `row` is -1 for a word."""

    span: Ints
    symbol: Ints
    score: Ints
    row: Ints


class Closed(NamedTuple):
    """Phrases with the chains above them, each (phrases,), sorted by span and group."""

    # `chain` is -1 where there is none, `below` the symbol before it.
    span: Ints
    symbol: Ints
    score: Ints
    row: Ints
    chain: Ints
    below: Ints


class Rows(NamedTuple):
    """Beginnings of phrases, each (rows,), sorted by span and state."""

    span: Ints
    state: Ints
    score: Ints
    row: Ints


class PhraseChart:
    """The phrases and rules found so far for the spans of sentences."""

    # A span has the number (sentence x places + begin) x places + end; while the spans
    # of one width are filled, they are numbered from 0. Columns of `phrases`: symbol,
    # score. Columns of `rows`, of those that go on: state, score, number of the row.
    # Symbols and states have the numbers by which they are looked up (`scattered`). The
    # parts are kept apart, for each phrase: row (-1 for a word), chain (-1: none), the
    # symbol before the chain, span; for each row: the row before the last part (-1:
    # none), the last part.

    def __init__(
        self,
        choices: CandidateChoices,
        grammar: PhraseGrammar,
        thresholds: ParserThresholds = DEFAULT,
    ) -> None:
        self.grammar, self.thresholds = grammar, thresholds
        count, self.places, _ = choices.spans.shape
        spans, groups = count * self.places**2, grammar.groups
        self.allowed = choices.spans.ravel()
        # Rows are of use where a phrase may begin and end later.
        begun = np.logical_or.accumulate(choices.spans[:, :, ::-1], axis=2)
        self.begun = begun[:, :, ::-1]
        self.goes_on = np.pad(self.begun[:, :, 1:], ((0, 0), (0, 0), (0, 1))).ravel()
        self._look_beside(choices.tags)
        self.phrases, self.rows = (
            SpanTable(spans, groups, 2),
            SpanTable(spans, groups, 3),
        )
        self.made_phrases, self.made_rows = Columns(4), Columns(2)
        symbols, states = len(grammar.symbols), len(grammar.goes_on)
        self.scattered = tables.scattered(np.arange(symbols))
        self.scattered_states = tables.scattered(np.arange(states) * symbols)

    def _look_beside(self, tags: Sequence[Sequence[Sequence[str]]]) -> None:
        """Set the kinds of words and the frequencies of symbols beside each kind."""
        # `words`: (sentences, places + 1) of which kind the word is that ends at a
        # place; 0 stands before the first one and after the last. `before`, `after`:
        # how frequent symbols are that have a word of a kind there, (kinds, symbols).
        self.words = np.zeros((len(tags), self.places + 1), np.intp)
        kinds: dict[tuple[str, ...], int] = {(tables.BORDER,): 0}
        for row, open_tags in zip(self.words, tags):
            row[1 : len(open_tags) + 1] = [
                kinds.setdefault(tuple(tags), len(kinds)) for tags in open_tags
            ]
        self.before, self.after = self.grammar.beside(list(kinds))

    def span(self, sentence: Ints | int, begin: Ints | int, end: Ints | int) -> Ints:
        """Return the number of a span."""
        number: Ints = (sentence * self.places + begin) * self.places + end
        return number

    def add_words(self, choices: CandidateChoices) -> None:
        """Begin with the words."""
        # The phrases of words with the same open tags are worked out once.
        kinds: dict[tuple[str, ...], int] = {}
        kind_of = [
            kinds.setdefault((word, *tags), len(kinds))
            for words, open_tags in zip(choices.sentences, choices.tags)
            for word, tags in zip(words, open_tags)
        ]
        phrases = self.closed_words(list(kinds))
        counts = np.bincount(phrases.span, minlength=len(kinds))
        index, rest = tables.expanded(counts[kind_of])
        number = (np.cumsum(counts) - counts)[kind_of][index] + rest
        sentence, begin = tables.expanded(np.array(list(map(len, choices.sentences))))
        spans = self.span(sentence, begin, begin + 1)
        symbol, score = phrases.symbol.take(number), phrases.score.take(number)
        near = self.near(spans, index, symbol, score, self.thresholds.word_beam)
        placed = (column.take(number.take(near)) for column in phrases[1:])
        going = Rows(tables.NONE, tables.NONE, tables.NONE, tables.NONE)
        self.enter(spans, Closed(index.take(near), *placed), going)

    def closed_words(self, kinds: Sequence[tuple[str, ...]]) -> Closed:
        """Return the phrases that words become; spans are indices of `kinds`."""
        known = self.grammar.names["leaves"]
        opened = [
            (kind, word, tag)
            for kind, (word, *tags) in enumerate(kinds)
            for tag in tags
            if tag in known
        ]
        symbols_of = self.grammar.of_words([(word, tag) for _, word, tag in opened])
        sizes = [len(symbols) for symbols, _ in symbols_of]
        span = np.repeat(np.array([kind for kind, _, _ in opened], np.intp), sizes)
        symbol = np.concatenate([tables.NONE, *(symbols for symbols, _ in symbols_of)])
        score = np.concatenate([tables.NONE, *(scores for _, scores in symbols_of)])
        merit = score + self.grammar.merit_of_symbol[symbol]
        cut = best_less(self.thresholds.beam, span, merit, len(kinds))
        kept = np.flatnonzero(merit >= cut[span])
        row = np.full_like(kept, -1)
        return self.closed(Ended(span[kept], symbol[kept], score[kept], row))

    def widen(self, width: int) -> None:
        """Fill in the spans of one width; all narrower ones are there."""
        n, grammar = self.grammar.rules, self.grammar
        begins = np.arange(self.places - width)
        sentence, begin = np.nonzero(self.begun[:, begins, begins + width])
        if not len(sentence):
            return
        spans = self.span(sentence, begin, begin + width)
        span, state, score, before, part = self.joined(spans, width)
        # The best of a span and state is near enough, or none is: few are sorted.
        merit = score + n.state_prior.take(state)
        cut = best_less(self.thresholds.beam, span, merit, len(spans))
        kept = np.flatnonzero(merit >= cut.take(span))
        span, state, score = span.take(kept), state.take(kept), score.take(kept)
        chosen = best(span * len(n.goes_on) + state, score)
        span, state, score = span.take(chosen), state.take(chosen), score.take(chosen)
        kept = kept.take(chosen)
        row = np.arange(len(kept)) + self.made_rows.size
        self.made_rows.add(before.take(kept), part.take(kept))
        rows = Rows(span, state, score, row)
        goes_on = grammar.goes_on.take(state) & self.goes_on.take(spans).take(span)
        on = np.flatnonzero(goes_on)
        going = Rows(*(column.take(on) for column in rows))
        self.enter(spans, self.closed(self.ended(spans, rows), spans), going)

    def ended(self, spans: Ints, rows: Rows) -> Ended:
        """Return the phrases that rows become if they end here."""
        # Phrases that cannot become nearly the best of their span are left out.
        n, grammar = self.grammar.rules, self.grammar
        ended = np.flatnonzero(self.allowed.take(spans).take(rows.span))
        span, state, score, row = (column.take(ended) for column in rows)
        merit = score + grammar.merit_of_state.take(state)
        cut = best_less(self.thresholds.beam, span, merit, len(spans))
        near = np.flatnonzero(merit >= cut.take(span))
        which, rest = tables.expanded(grammar.ends.take(state.take(near)))
        which = near.take(which)
        end = n.ends.take(state).take(which) + rest
        merit = score.take(which) + grammar.merit_of_end.take(end)
        near = np.flatnonzero(merit >= cut.take(span).take(which))
        which, end = which.take(near), end.take(near)
        score = score.take(which) + n.end_score.take(end)
        return Ended(span.take(which), n.end_symbol.take(end), score, row.take(which))

    def joined(self, spans: Ints, width: int) -> tuple[Ints, Ints, Ints, Ints, Ints]:
        """Join rows and the phrases that follow them."""
        # The arrays are span (from 0), state, score, the row before and the last part,
        # sorted by span.
        groups, rows, phrases = self.grammar.groups, self.rows, self.phrases
        cut = np.arange(1, width)
        left = (spans[:, None] + (cut - width)).ravel()
        right = (spans[:, None] + cut * self.places).ravel()
        both = np.flatnonzero(rows.filled[left] & phrases.filled[right])
        pair, group = np.nonzero(rows.there[left[both]] & phrases.there[right[both]])
        pair = both[pair]
        left, right = left[pair] * groups + group, right[pair] * groups + group
        # Each row of a pair, and then each with each phrase.
        which, rest = tables.expanded(rows.counts.take(left))
        row = rows.begins.take(left).take(which) + rest
        counts = phrases.counts.take(right).take(which)
        firsts = np.cumsum(counts) - counts
        step = np.repeat(np.arange(len(row)), counts)
        phrase = (phrases.begins.take(right).take(which) - firsts).take(step)
        phrase += np.arange(len(phrase))
        state, row_score, row_before = rows.entries.all()
        symbol, phrase_score = phrases.entries.all()
        keys = state.take(row).take(step) + symbol.take(phrase)
        known, state = self.grammar.steps.find(keys.view(np.uint32))
        phrase, step = phrase.take(known), step.take(known)
        row, span = row.take(step), pair.take(which.take(step)) // len(cut)
        score = row_score.take(row) + phrase_score.take(phrase)
        return span, state, score, row_before.take(row), phrase

    def closed(self, ended: Ended, spans: Ints | None = None) -> Closed:
        """Return phrases and what chains make of them, the best of each symbol."""
        # With `spans`, the numbers of their spans, only what is near the best is kept.
        n, symbols = self.grammar.rules, len(self.grammar.symbols)
        chosen = best(ended.span * symbols + ended.symbol, ended.score)
        span, symbol, score, row = (column.take(chosen) for column in ended)
        which, rest = tables.expanded(self.grammar.chains.take(symbol))
        chain = n.chains.take(symbol).take(which) + rest
        source = np.concatenate([np.arange(len(span)), which])
        top = np.concatenate([symbol, n.chain_symbol.take(chain)])
        more = score.take(which) + n.chain_score.take(chain)
        score = np.concatenate([score, more])
        chain = np.concatenate([np.full(len(span), -1), chain])
        whole = span.take(source)
        if spans is not None:
            near = self.near(spans, whole, top, score, self.thresholds.phrase_beam)
            source, chain, whole, top, score = (
                column.take(near) for column in (source, chain, whole, top, score)
            )
        chosen = best(whole * symbols + self.grammar.by_group.take(top), score)
        source, chain, whole, top, score = (
            column.take(chosen) for column in (source, chain, whole, top, score)
        )
        return Closed(whole, top, score, row.take(source), chain, symbol.take(source))

    def near(
        self, spans: Ints, span: Ints, symbol: Ints, score: Ints, beam: float
    ) -> Ints:
        """Return the indices of phrases at most `beam` nats below their span's best."""
        # The tags before and after a phrase are part of its score. `span` has indices
        # into `spans`.
        symbols = self.before.shape[1]
        begins, ends = spans // self.places, spans % self.places
        sentences = begins // self.places
        first = self.words.take(begins + sentences) * symbols
        last = self.words.take(sentences * (self.places + 1) + ends + 1) * symbols
        merit = score + self.before.take(first.take(span) + symbol)
        merit += self.after.take(last.take(span) + symbol)
        cut = best_less(beam, span, merit, len(spans))
        return np.flatnonzero(merit >= cut.take(span))

    def enter(self, spans: Ints, phrases: Closed, going: Rows) -> None:
        """Add phrases, by span and group, their rows, and unfinished rules."""
        n, groups, top = self.grammar.rules, self.grammar.groups, phrases.symbol
        span = spans.take(phrases.span)
        start = n.start.take(top)
        begun = np.flatnonzero((start >= 0) & self.goes_on.take(span))
        new = np.arange(len(begun)) + self.made_rows.size
        self.made_rows.add(np.full_like(begun, -1), begun + self.made_phrases.size)
        self.made_phrases.add(phrases.row, phrases.chain, phrases.below, span)
        keys = span * groups + n.group.take(top)
        self.phrases.add(keys, self.scattered.take(top), phrases.score)
        more = spans.take(going.span), going.state, going.score, going.row
        begins = span.take(begun), start.take(begun), phrases.score.take(begun), new
        span, state, score, row = (np.concatenate(both) for both in zip(more, begins))
        keys = span * groups + n.state_group.take(state)
        order = np.argsort(keys, kind="stable")
        columns = self.scattered_states.take(state), score, row
        self.rows.add(keys.take(order), *(column.take(order) for column in columns))

    def trees(self, choices: CandidateChoices) -> list[Node | None]:
        """Return the tree of each sentence."""
        symbols, _ = self.phrases.entries.all()
        phrases = self.made_phrases.all()
        whole = np.flatnonzero(symbols == 0)  # `WHOLE` is 0, also when scattered
        numbers = dict(zip(phrases[-1, whole].tolist(), whole.tolist()))
        # Single numbers of memory views are read several times as fast as numpy's.
        columns = tuple(column.data for column in (*phrases, *self.made_rows.all()))
        spans = (
            int(self.span(number, 0, len(words)))
            for number, words in enumerate(choices.sentences)
        )
        return [
            self._tree(numbers[span], *columns) if span in numbers else None
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
            n = self.grammar.rules
            for above in n.path[n.paths[chain] : n.paths[chain + 1]].tolist():
                node = above, begin, end, [node]
        return node


def best_less(beam: float, span: Ints, score: Ints, spans: int) -> Ints:
    """Return a beam less than the best score of each span."""
    highest = np.full(spans, -SCORES)
    np.maximum.at(highest, span, score)
    return highest - round(beam * tables.UNIT)


def best(keys: Ints, scores: Ints) -> Ints:
    """Return the place of the best score of each key, the first of equal ones."""
    # Numbers that hold key, score and place are sorted several times as fast as places
    # are by `argsort`. Scores have the bits that the others leave, thousands of nats.
    if not len(keys):
        return tables.NONE
    places = len(keys).bit_length()
    room = (1 << 63 - places) // (int(keys.max()) + 1)
    packed: Ints = keys * room
    packed += np.minimum(np.subtract(scores.max(), scores, dtype=np.intp), room - 1)
    packed <<= places
    packed += np.arange(len(keys))
    packed.sort()
    packed &= (1 << places) - 1
    return packed.take(tables.first_of(keys.take(packed)))
