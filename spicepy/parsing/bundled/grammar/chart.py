"""Open tags and phrases of sentences in, the best tree of each by the grammar out.

The algorithm of Cocke, Younger and Kasami, for all sentences together, from narrow
spans to wide ones: a *row* is a span with the parts of a rule so far, a *phrase* a span
with a symbol. Of each span only what is at most a `beam` worse than its best is kept,
with how frequent symbols are added, since that says what is still to come.
"""

from dataclasses import dataclass, field
from typing import Final

import numpy as np

from spicepy.parsing.bundled.arithmetic import Bools, Ints
from spicepy.parsing.bundled.grammar.opening import Open, words_of
from spicepy.parsing.bundled.grammar.weights import UNIT, Grammar
from spicepy.parsing.bundled.thresholds import DEFAULT

SCORES: Final = 1 << 24
"""Scores are between plus and minus this."""

NONE: Final = np.zeros(0, np.intp)

Node = tuple[int, int, int, list["Node"]]
"""Symbol, first place, place after the last, parts (none of a word)."""


@dataclass(slots=True)
class Table:
    """Entries, one array a span's width; those of a span and group follow each other.

    Attributes:
        columns: Of each width, (columns, entries).
        begins, counts: (spans x groups,) where the entries of a span and group are.
        filled: (spans,) whether there are any.
        size: Entries so far.
    """

    begins: Ints
    counts: Ints
    filled: Bools
    columns: list[Ints] = field(default_factory=list)
    size: int = 0

    @classmethod
    def of(cls, spans: int, groups: int) -> "Table":
        """Make an empty table."""
        begins, counts = np.zeros((2, spans * groups), np.intp)
        return cls(begins, counts, np.zeros(spans, bool))

    def add(self, keys: Ints, columns: Ints, indexed: int | None = None) -> int:
        """Add entries, the first `indexed` of them sorted by their keys."""
        keys = keys[:indexed]
        first = begins_of(keys)
        found = keys[first]
        self.begins[found] = first + self.size
        self.counts[found] = np.append(first[1:], len(keys)) - first
        self.filled[found // (len(self.counts) // len(self.filled))] = True
        self.columns.append(columns)
        begin = self.size
        self.size += columns.shape[1]
        return begin

    def joined(self) -> Ints:
        """Return the columns of all entries."""
        return np.concatenate(self.columns, axis=1)


def best_trees(
    choices: Open, grammar: Grammar, beam: float = DEFAULT.beam
) -> list[Node | None]:
    """Return the best tree of each sentence; `None` where there is none.

    Args:
        choices: What is open.
        grammar: What the original prefers.
        beam: In nats.
    """
    chart = Chart(choices, grammar, beam)
    chart.add_words(choices)
    for width in range(2, chart.places):
        chart.widen(width)
    return chart.trees(choices)


class Chart:
    """What is known of the spans of sentences.

    A span has the number (sentence x places + begin) x places + end. Columns of
    phrases: symbol, score, row (-1 of a word), chain (-1: none), the symbol before the
    chain, span. Columns of rows: state, score, the row before the last part (-1: none),
    the last part.
    """

    def __init__(self, choices: Open, grammar: Grammar, beam: float) -> None:
        self.grammar, self.beam = grammar, round(beam * UNIT)
        self.numbers = grammar.numbers
        count, self.places, _ = choices.spans.shape
        self.spans = count * self.places**2
        self.allowed = choices.spans
        # Rows are of use where a phrase may begin and end later.
        self.begun = np.logical_or.accumulate(choices.spans[:, :, ::-1], axis=2)
        self.begun = self.begun[:, :, ::-1]
        self.phrases, self.rows = (
            Table.of(self.spans, grammar.groups) for _ in range(2)
        )

    def add_words(self, choices: Open) -> None:
        """Begin with the words."""
        opened = words_of(self.grammar, choices)
        found = [self.grammar.of_word(word, tag) for _, _, word, tag in opened]
        span = np.array([self.span(s, p, p + 1) for s, p, _, _ in opened], np.intp)
        span = np.repeat(span, [len(symbols) for symbols, _ in found])
        symbol = np.concatenate([NONE, *(symbols for symbols, _ in found)])
        score = np.concatenate([NONE, *(worth for _, worth in found)])
        self.finish(span, symbol, score, np.full(len(span), -1), np.zeros((5, 0), int))

    def span(self, sentence: Ints | int, begin: Ints | int, end: Ints | int) -> Ints:
        """Return the number of a span."""
        number: Ints = (sentence * self.places + begin) * self.places + end
        return number

    def widen(self, width: int) -> None:
        """Fill in the spans of one width; all narrower ones are there."""
        n, groups = self.numbers, self.grammar.groups
        begins = np.arange(self.places - width)
        sentence, begin = np.nonzero(self.begun[:, begins, begins + width])
        if not len(sentence):
            return
        which, cut = expanded(np.full(len(sentence), width - 1))
        cut += begin[which] + 1
        left = self.span(sentence[which], begin[which], cut)
        right = self.span(sentence[which], cut, begin[which] + width)
        rows, phrases = self.rows, self.phrases
        both = np.flatnonzero(rows.filled[left] & phrases.filled[right])
        counts = [
            table.counts.reshape(-1, groups)[spans[both]] > 0
            for table, spans in ((rows, left), (phrases, right))
        ]
        pair, group = np.nonzero(counts[0] & counts[1])
        left, right, which = (x[both[pair]] for x in (left, right, which))
        left, right = left * groups + group, right * groups + group
        pair, rest = expanded(rows.counts[left] * phrases.counts[right])
        row, phrase = np.divmod(rest, phrases.counts[right][pair])
        row += rows.begins[left][pair]
        phrase += phrases.begins[right][pair]
        all_rows, all_phrases = rows.joined(), phrases.joined()
        keys = all_rows[0, row] * len(n["group"]) + all_phrases[0, phrase]
        known, state = self.grammar.steps.find(keys)
        row, phrase = row[known], phrase[known]
        score = all_rows[1, row] + all_phrases[1, phrase]
        span = self.span(sentence, begin, begin + width)[which[pair[known]]]
        # The best of a span and state is near enough, or none is: few are sorted.
        kept = self.near(span, score + n["state prior"][state])
        kept = kept[best((span * len(n["state group"]) + state)[kept], score[kept])]
        made = np.stack([state, score, row, phrase, span])[:, kept]
        state, score, _, _, span = made
        ends = n["ends"][state + 1] - n["ends"][state]
        which, rest = expanded(np.where(self.allowed.ravel()[span], ends, 0))
        end = n["ends"][state[which]] + rest
        score = score[which] + n["end score"][end]
        self.finish(span[which], n["end symbol"][end], score, which, made)

    def finish(
        self, span: Ints, symbol: Ints, score: Ints, row: Ints, made: Ints
    ) -> None:
        """Add phrases and what chains make of them, and all rows of their width.

        Args:
            span, symbol, score: (phrases,).
            row: The column of `made` that each ends, or -1.
            made: (5, rows) state, score, row before, last part, span.
        """
        n, groups = self.numbers, self.grammar.groups
        symbols = len(n["group"])
        own = best(span * symbols + symbol, score)
        span, symbol, score, row = span[own], symbol[own], score[own], row[own]
        which, rest = expanded(n["chains"][symbol + 1] - n["chains"][symbol])
        chain = n["chains"][symbol[which]] + rest
        source = np.concatenate([np.arange(len(span)), which])
        chain = np.concatenate([np.full(len(span), -1), chain])
        more = chain[len(span) :]
        top = np.concatenate([symbol, n["chain symbol"][more]])
        score = np.concatenate([score, score[which] + n["chain score"][more]])
        kept = self.near(span[source], score + n["symbol prior"][top])
        kept = kept[best((span[source] * symbols + top)[kept], score[kept])]
        keys = span[source[kept]] * groups + n["group"][top[kept]]
        order = np.argsort(keys, kind="stable")
        kept, keys = kept[order], keys[order]
        source, chain, top, score = source[kept], chain[kept], top[kept], score[kept]
        span, before, row = span[source], symbol[source], row[source]
        # Rules that begin with the new phrases.
        begun = np.flatnonzero(n["start"][top] >= 0)
        part = begun + self.phrases.size
        first = n["start"][top[begun]], score[begun], np.full_like(begun, -1), part
        made = np.concatenate([made, np.stack([*first, span[begun]])], axis=1)
        row_keys = made[4] * groups + n["state group"][made[0]]
        goes_on = n["goes on"][made[0]].astype(bool)
        order = np.argsort(
            np.where(goes_on, row_keys, row_keys.max(initial=0) + 1), kind="stable"
        )
        place = np.empty_like(order)
        place[order] = np.arange(len(order))
        begin = self.rows.add(row_keys[order], made[:4, order], int(goes_on.sum()))
        row = np.where(row < 0, -1, place[row] + begin) if len(order) else row
        self.phrases.add(keys, np.stack([top, score, row, chain, before, span]))

    def near(self, span: Ints, score: Ints) -> Ints:
        """Return which are at most a beam worse than the best of their span."""
        highest = np.full(self.spans, -SCORES)
        np.maximum.at(highest, span, score)
        return np.flatnonzero(score >= highest[span] - self.beam)

    def trees(self, choices: Open) -> list[Node | None]:
        """Return the tree of each sentence."""
        phrases, rows = self.phrases.joined(), self.rows.joined()
        whole = np.flatnonzero(phrases[0] == 0)
        found = dict(zip(phrases[5, whole].tolist(), whole.tolist()))
        spans = (
            int(self.span(number, 0, len(words)))
            for number, words in enumerate(choices.sentences)
        )
        return [
            self._tree(found[span], phrases.T, rows.T) if span in found else None
            for span in spans
        ]

    def _tree(self, number: int, phrases: Ints, rows: Ints) -> Node:
        _, _, row, chain, symbol, span = phrases[number].tolist()
        begin, end = span // self.places % self.places, span % self.places
        parts: list[Node] = []
        while row >= 0:
            _, _, row, part = rows[row].tolist()
            parts.append(self._tree(part, phrases, rows))
        node = symbol, begin, end, parts[::-1]
        if chain >= 0:
            n = self.numbers
            for above in n["path"][n["paths"][chain] : n["paths"][chain + 1]].tolist():
                node = above, begin, end, [node]
        return node


def best(keys: Ints, scores: Ints) -> Ints:
    """Return the place of the best score of each key, the first of equal ones."""
    order = np.argsort(keys * (2 * SCORES) - scores, kind="stable")
    return order[begins_of(keys[order])]


def begins_of(keys: Ints) -> Ints:
    """Return where each of sorted keys begins."""
    new = np.ones(len(keys), bool)
    np.not_equal(keys[1:], keys[:-1], out=new[1:])
    return np.flatnonzero(new)


def expanded(sizes: Ints) -> tuple[Ints, Ints]:
    """Return for each n, as often as its size, n and a number from 0."""
    which = np.repeat(np.arange(len(sizes)), sizes)
    begins = np.cumsum(sizes) - sizes
    return which, np.arange(len(which)) - begins[which]
