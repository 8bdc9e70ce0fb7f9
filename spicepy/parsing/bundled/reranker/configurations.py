"""A lattice in, lists of all configurations of its trees and what each is worth out.

Everything here is a row of numbers: states by their number in the lattice, pairs (an
arc with a state of both its words) by their number in `Pairs`, and so on. Lists are
sorted by the width of the spans that need them, narrow ones first.
"""

from dataclasses import dataclass

import numpy as np

from spicepy.parsing.bundled.arithmetic import Bools, Ints
from spicepy.parsing.bundled.reranker import features
from spicepy.parsing.bundled.reranker.features import Side
from spicepy.parsing.bundled.reranker.lattice import IMPOSSIBLE, Lattice
from spicepy.parsing.bundled.reranker.layout import LABEL
from spicepy.parsing.bundled.reranker.states import MANY_GROUPS
from spicepy.parsing.bundled.reranker.weights import TreeModel


@dataclass(frozen=True, slots=True)
class Steps:
    """Rows sorted by width; those of one width are at `of(width)`."""

    begins: list[int]

    @classmethod
    def by(cls, widths: Ints, most: int) -> "Steps":
        """Find where each width begins."""
        return cls(np.searchsorted(widths, np.arange(most + 2)).tolist())

    def of(self, width: int) -> slice:
        """Return the rows of one width."""
        return slice(self.begins[width], self.begins[width + 1])


@dataclass(frozen=True, slots=True)
class Placed:
    """Where the states of a lattice stand, (states,) each, and what they are worth.

    Attributes:
        many: (words,) states of each word.
        word: In the row of all words.
        caption: Its number.
        place: The word's place in its caption, from 0.
        last: The place of the caption's last word.
        worth: The word in this state.
        length: Words of the longest caption.
    """

    many: Ints
    word: Ints
    caption: Ints
    place: Ints
    last: Ints
    worth: Ints
    length: int

    @classmethod
    def of(cls, lattice: Lattice, model: TreeModel) -> "Placed":
        """Place the states of a lattice."""
        many = np.diff(lattice.first)
        word = np.repeat(np.arange(len(many)), many)
        caption, place = (numbers[word] for numbers in expanded(lattice.lengths))
        last = lattice.lengths[caption] - 1
        hashes = lattice.words.words[word], lattice.words.endings[word]
        worth = model.worth(features.of_word(*hashes, lattice.states))
        length = int(lattice.lengths.max())
        return cls(many, word, caption, place, last, worth, length)


@dataclass(frozen=True, slots=True)
class Pairs:
    """Arcs with a state of their head and one of their dependent, (pairs,) each.

    Attributes:
        head, dependent: States.
        side: On which the dependent is.
        width: Words from one to the other.
        worth: The arc, and the dependent in its state.
        as_first, as_last: That it is the head's innermost or outermost dependent.
        may_be_last: Whether it may be the outermost.
    """

    head: Ints
    dependent: Ints
    side: Ints
    width: Ints
    worth: Ints
    as_first: Ints
    as_last: Ints
    may_be_last: Bools
    steps: Steps

    @classmethod
    def of(cls, lattice: Lattice, placed: Placed, model: TreeModel) -> "Pairs":
        """List the pairs of a lattice."""
        first, many = lattice.first, placed.many
        arcs = np.flatnonzero(lattice.heads >= 0)
        width = np.abs(lattice.heads[arcs] - lattice.dependents[arcs])
        arcs = arcs[np.argsort(width, kind="stable")]
        heads, dependents = lattice.heads[arcs], lattice.dependents[arcs]
        which, rest = expanded(many[heads] * many[dependents])
        of_head, of_dependent = np.divmod(rest, many[dependents][which])
        scores = lattice.pairs[lattice.first_pair[arcs][which] + of_dependent]
        kept = scores > IMPOSSIBLE
        which, scores = which[kept], scores[kept]
        head = first[heads][which] + of_head[kept]
        dependent = first[dependents][which] + of_dependent[kept]
        side = (dependents > heads)[which].astype(np.intp)
        width = np.abs(heads - dependents)[which]
        start, stop = np.array(model.states.start), np.array(model.states.stop)
        above, below = lattice.states[head], lattice.states[dependent]
        arc = model.worth(features.of_dependent(above, side, below))
        no_more = model.worth(features.of_dependent(above, side, stop))
        as_first = model.worth(features.of_siblings(above, side, start, below))
        as_last = no_more + model.worth(features.of_siblings(above, side, below, stop))
        return cls(
            head,
            dependent,
            side,
            width,
            scores + placed.worth[dependent] + arc,
            as_first,
            as_last,
            model.states.closes(above, side, below),
            Steps.by(width, placed.length),
        )

    def neighbours(self, length: int) -> tuple[Ints, Ints]:
        """Return two pairs of one head's state and side each, the inner one first."""
        key = self.head * 2 + self.side
        order = np.argsort(key * length + self.width, kind="stable")
        sorted_key, sorted_width = key[order], self.width[order]
        ends = np.searchsorted(sorted_key, sorted_key, side="right")
        # All later ones of the same key, then without those of the same word.
        which, rest = expanded(ends - np.arange(len(order)) - 1)
        outer = which + 1 + rest
        kept = sorted_width[outer] > sorted_width[which]
        return order[which[kept]], order[outer[kept]]


@dataclass(frozen=True, slots=True)
class Cells:
    """What is between siblings: the right side of one, the left side of the other.

    Attributes:
        left, right: (cells,) states of the siblings.
    """

    left: Ints
    right: Ints
    steps: Steps

    @classmethod
    def between(cls, one: Ints, other: Ints, placed: Placed) -> tuple["Cells", Ints]:
        """Return the cells between states of siblings, and each pair's cell."""
        count = len(placed.word)
        left, right = np.minimum(one, other), np.maximum(one, other)
        cells, row = np.unique(left * count + right, return_inverse=True)
        left, right = np.divmod(cells, count)
        width = placed.place[right] - placed.place[left]
        order = np.argsort(width, kind="stable")
        rank = np.empty_like(order)
        rank[order] = np.arange(len(order))
        steps = Steps.by(width[order], placed.length)
        return cls(left[order], right[order], steps), rank[row]


@dataclass(frozen=True, slots=True)
class Items:
    """Heads with their dependents on a side up to a pair's, (items,) each.

    Attributes:
        pair: The outermost one.
        group: That of the label before it (group 0: there is none).
        as_last: What it is worth that no other follows.
        first: (pairs + 1,) a pair's first item, which is that of group 0.
    """

    pair: Ints
    group: Ints
    as_last: Ints
    first: Ints
    steps: Steps


@dataclass(frozen=True, slots=True)
class Terms:
    """Ways to make one item of another, (terms,) each.

    Attributes:
        target, source: Items: with one more dependent, and without it.
        cell: What is between the two outermost dependents.
        worth: The configuration.
    """

    target: Ints
    source: Ints
    cell: Ints
    worth: Ints
    steps: Steps


@dataclass(frozen=True, slots=True)
class Ends:
    """Ways to complete a side of a head, (ends,) each.

    Attributes:
        pair: The outermost dependent.
        place: Of the span in `Chart.complete`, flat.
    """

    pair: Ints
    place: Ints
    steps: Steps

    @classmethod
    def of(cls, pairs: Pairs, placed: Placed) -> "Ends":
        """List what may be the last dependent, with each place where the span ends."""
        last = np.flatnonzero(pairs.may_be_last)
        to_right = pairs.side[last] == Side.RIGHT
        place = placed.place[pairs.dependent[last]]
        to_go = placed.last[pairs.dependent[last]] - place
        which, rest = expanded(np.where(to_right, to_go, place) + 1)
        pair, states = last[which], len(placed.word)
        end = place[which] + np.where(to_right[which], rest, -rest)
        width = np.abs(end - placed.place[pairs.head[pair]])
        span = pairs.side[pair] * states + pairs.head[pair]
        span = span * placed.length + end
        order = np.argsort(width * (2 * states * placed.length) + span, kind="stable")
        return cls(pair[order], span[order], Steps.by(width[order], placed.length))


def list_siblings(
    lattice: Lattice, placed: Placed, pairs: Pairs, model: TreeModel
) -> tuple[Cells, Items, Terms]:
    """List what siblings make: what is between them, and rows of dependents."""
    states = lattice.states
    before, after = pairs.neighbours(placed.length)
    group = model.states.groups[LABEL.of(states[pairs.dependent[before]])]
    present = np.zeros((len(pairs.head), MANY_GROUPS), bool)
    present[:, 0] = True
    present[after, group] = True
    items = _items(present, lattice, pairs, model, placed.length)
    target = (np.cumsum(present) - 1)[after * MANY_GROUPS + group]
    order = np.argsort(target, kind="stable")
    before, after, target = before[order], after[order], target[order]
    which, rest = expanded(np.diff(items.first)[before])
    source = items.first[before][which] + rest
    head, side = states[pairs.head[after]], pairs.side[after]
    two = states[pairs.dependent[before]], states[pairs.dependent[after]]
    worth = model.worth(features.of_siblings(head, side, *two))[which]
    three = items.group[source], *(state[which] for state in two)
    worth += model.worth(features.of_third(head[which], side[which], *three))
    between = pairs.dependent[before], pairs.dependent[after]
    cells, cell = Cells.between(*between, placed)
    steps = Steps.by(pairs.width[after[which]], placed.length)
    return cells, items, Terms(target[which], source, cell[which], worth, steps)


def _items(
    present: Bools, lattice: Lattice, pairs: Pairs, model: TreeModel, length: int
) -> Items:
    """List items, given which groups (pairs, groups) may be before each pair."""
    pair, group = np.nonzero(present)
    head, dependent = (lattice.states[x[pair]] for x in (pairs.head, pairs.dependent))
    stop = np.array(model.states.stop)
    third = features.of_third(head, pairs.side[pair], group, dependent, stop)
    return Items(
        pair,
        group,
        pairs.as_last[pair] + model.worth(third),
        np.searchsorted(pair, np.arange(len(pairs.head) + 1)),
        Steps.by(pairs.width[pair], length),
    )


def expanded(sizes: Ints) -> tuple[Ints, Ints]:
    """Return for each n, as often as its size, n and a number from 0."""
    which = np.repeat(np.arange(len(sizes)), sizes)
    begins = np.cumsum(sizes) - sizes
    return which, np.arange(len(which)) - begins[which]
