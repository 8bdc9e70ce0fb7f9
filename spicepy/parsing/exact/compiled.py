# mypy: disable-error-code="no-untyped-def, untyped-decorator, call-arg"
"""Leaves of sentences in, the best tree of each out: the search, compiled by numba.

An optional extra (`pip install spicepy-captions[exact]`); `searching` finds the same
trees without it. Sentences of similar lengths are searched together:

bounds      one pass up and one down in each coarse picture of the grammar
            (`projection`), 16 sentences in the lanes of one vector; a finer picture has
            only what the coarser one left open
chart       the grammar itself, a sentence at a time, only what the bounds leave open,
            in the original's arithmetic: 32-bit sums (rule + left) + right
tree        read off in the original's order of ties (`reading`)

A *cell* is a span of the sentence; a *row* is a symbol in a cell, with a score for each
lane. Compiling takes some twenty seconds, once: numba keeps the result beside this
module, or in the user's cache folder if that cannot be written.
"""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.extending import intrinsic
from numpy.typing import NDArray

from spicepy.parsing.conversion.trees import Node
from spicepy.parsing.exact.bounds import MARGIN
from spicepy.parsing.exact.closure import closed
from spicepy.parsing.exact.lexicon import Leaf
from spicepy.parsing.exact.pcfg import ROOT, Ints, Pcfg
from spicepy.parsing.exact.projection import Projection

LANES: Final = 16
"""Sentences that are searched together."""
LONGEST: Final = 50
"""Words of a sentence at most, so that the chart takes less than 200 MB."""
BEAM: Final = 5.0
"""Nats that a state may be worse than the best of its cell when some good tree is
looked for, whose score is a lower bound of the best one."""
NEVER: Final = np.float32(-np.inf)

Row = NDArray[np.int32]
Scores = NDArray[np.float32]
compiled: Any = njit(nogil=True, error_model="numpy", cache=True)


class Turn(NamedTuple):
    """How far sentences are searched that have no proven tree yet.

    Attributes:
        pictures: Coarse pictures that are used.
        depth: Nats below the best coarse tree that stay open.
        deepest: Nats below the best coarse tree that the chart goes down.
    """

    pictures: int
    depth: float
    deepest: float


TURNS: Final = (
    Turn(1, 25.0, 12.0),
    Turn(9, 18.0, np.inf),
    Turn(9, 32.0, np.inf),
    Turn(9, 400.0, np.inf),
)
"""One turn after the other; the first, cheap one is enough for most sentences."""


class Rules(NamedTuple):
    """Rules by one of their states: those of s are `begin[s]` to `begin[s + 1]`."""

    begin: Row
    first: Row
    second: Row
    score: Scores


class Fine(NamedTuple):
    """The grammar; the columns of `Rules` are the states that are not the key.

    Attributes:
        by_left: Right child and parent.
        by_right: Left child and parent.
        by_parent: Left and right child, in the grammar's order.
        chains: State above (twice), by the state below.
        steps: State below (twice), by the state above, in the grammar's order.
        root: The state of a whole sentence.
    """

    by_left: Rules
    by_right: Rules
    by_parent: Rules
    chains: Rules
    steps: Rules
    root: int


class Coarse(NamedTuple):
    """A coarse picture.

    Attributes:
        symbol, potential: Of each state.
        coarser: The symbol of each symbol in the picture before; 0 in the first.
        pairs: Right symbol and number of each pair, by the left symbol.
        joins: Parent (twice) by the pair.
        chains: Symbol above (twice) by the symbol below.
        symbols, root: The number of symbols, and the one of a whole sentence.
    """

    symbol: Row
    potential: NDArray[np.float64]
    coarser: Row
    pairs: Rules
    joins: Rules
    chains: Rules
    symbols: int
    root: int
    root_state: int


class Words(NamedTuple):
    """The leaves of all lanes.

    The tags of the word at place p of lane s are `begin[p * LANES + s]` to the next.

    Attributes:
        lengths: Words of each lane, boundary word included; 0 if it is empty.
    """

    begin: NDArray[np.int64]
    state: Row
    score: Scores
    lengths: Row


class Bounds(NamedTuple):
    """What is open.

    Attributes:
        row: The row of each symbol in each cell, -1 if it has none.
        inside, outside: Scores of each row and lane.
        open: The lanes in which each row is open, one bit each.
        cell: The lanes in which each cell is open.
        top: The score of the best coarse tree of each lane.
        limit: What trees must reach, of each lane.
    """

    row: NDArray[np.int32]
    inside: Scores
    outside: Scores
    open: NDArray[np.int32]
    cell: NDArray[np.int32]
    top: Scores
    limit: Scores


class Found(NamedTuple):
    """The best tree of a sentence.

    Attributes:
        score: Its score, -inf if there is none.
        limit: All trees above this were looked for.
        steps: State, begin, and number of children of each phrase from the top.
    """

    score: float
    limit: float
    steps: Row


# -- vectors ---------------------------------------------------------------------------
# Numba does not turn loops over 16 numbers into vector instructions reliably.

_VECTOR: Final = ir.VectorType(ir.FloatType(), LANES)
_BITS: Final = ir.IntType(LANES)
_I32: Final = ir.IntType(32)


def _load(builder: Any, address: Any) -> Any:
    return builder.load(builder.inttoptr(address, _VECTOR.as_pointer()), align=4)


def _spread(builder: Any, number: Any) -> Any:
    """Return a vector with the same number in each lane."""
    none = ir.Constant(_VECTOR, ir.Undefined)
    one = builder.insert_element(none, number, ir.Constant(_I32, 0))
    zeros = ir.Constant(ir.VectorType(_I32, LANES), [0] * LANES)
    return builder.shuffle_vector(one, none, zeros)


def _raise(builder: Any, address: Any, score: Any) -> None:
    """Store the larger of a score and what is at an address, lane by lane."""
    own = _load(builder, address)
    better = builder.fcmp_ordered(">", score, own)
    pointer = builder.inttoptr(address, _VECTOR.as_pointer())
    builder.store(builder.select(better, score, own), pointer, align=4)


def _raise_by_rows(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    goal, left, right = args
    score = builder.fadd(_load(builder, left), _load(builder, right))
    _raise(builder, goal, score)
    return context.get_dummy_value()


def _raise_by_rule(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    goal, part, rule = args
    score = builder.fadd(_load(builder, part), _spread(builder, rule))
    _raise(builder, goal, score)
    return context.get_dummy_value()


def _reaching(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    left, right, limit = (_load(builder, address) for address in args)
    good = builder.fcmp_ordered(">=", builder.fadd(left, right), limit)
    return builder.zext(builder.bitcast(good, _BITS), ir.IntType(64))


@intrinsic
def raise_by_rows(context, goal, left, right):
    """Raise the row at an address to the sum of two other rows."""
    return types.void(types.intp, types.intp, types.intp), _raise_by_rows


@intrinsic
def raise_by_rule(context, goal, part, score):
    """Raise the row at an address to the sum of another row and a number."""
    return types.void(types.intp, types.intp, types.float32), _raise_by_rule


@intrinsic
def reaching(context, left, right, limit):
    """Return the lanes, a bit each, in which the sum of two rows reaches a third."""
    return types.int64(types.intp, types.intp, types.intp), _reaching


# -- bounds ----------------------------------------------------------------------------


@compiled
def cell_of(begin: int, end: int) -> int:
    """Return the number of a span's cell."""
    return end * (end - 1) // 2 + begin


@compiled
def with_room(rows, used, more):
    """Return an array with room for more rows than are used."""
    if used + more <= rows.shape[0]:
        return rows
    larger = np.empty((2 * rows.shape[0] + more, rows.shape[1]), rows.dtype)
    larger[:used] = rows[:used]
    return larger


@compiled
def look_inside(coarse, words, before):
    """Return the row of each symbol, and the inside score of each row."""
    places = words.lengths.max()
    symbols, size = coarse.symbols, LANES * 4
    row = np.full((places * (places + 1) // 2, symbols), -1, np.int32)
    inside = np.empty((1 << 12, LANES), np.float32)
    pairs, joins, chains = coarse.pairs, coarse.joins, coarse.chains
    best = np.empty((len(joins.begin) - 1, LANES), np.float32)
    base = np.empty((symbols, LANES), np.float32)
    zero = np.zeros(LANES, np.float32)
    least = np.full(LANES, -1e30, np.float32)
    seen = np.zeros(len(best), np.bool_)
    news = np.empty(max(len(best), symbols), np.int32)
    own = np.empty(symbols, np.int32)
    cells = np.full((len(row), symbols), 0, np.int16)
    counts = np.zeros(len(row), np.int32)
    used = 0
    at_best, at_base = best.ctypes.data, base.ctypes.data
    at_zero, at_least = zero.ctypes.data, least.ctypes.data
    for width in range(1, places + 1):
        for begin in range(places + 1 - width):
            end = begin + width
            cell = cell_of(begin, end)
            if not before.cell[cell]:
                continue
            inside = with_room(inside, used, symbols)
            at = inside.ctypes.data
            mine, count, first = row[cell], 0, used
            # What is open in the picture before gets a row once it is needed.
            if width == 1:
                for lane in range(LANES):
                    place = begin * LANES + lane
                    for tag in range(words.begin[place], words.begin[place + 1]):
                        state = words.state[tag]
                        symbol = coarse.symbol[state]
                        coarser = before.row[cell, coarse.coarser[symbol]]
                        if coarser < 0 or not before.open[coarser]:
                            continue
                        if mine[symbol] < 0:
                            mine[symbol] = used
                            inside[used] = NEVER
                            own[count] = symbol
                            used += 1
                            count += 1
                        score = np.float32(words.score[tag] - coarse.potential[state])
                        if score > inside[mine[symbol], lane]:
                            inside[mine[symbol], lane] = score
            joined = 0
            for split in range(begin + 1, end):
                left, right = cell_of(begin, split), cell_of(split, end)
                if not counts[left] or not counts[right]:
                    continue
                on_right = row[right]
                for number in range(counts[left]):
                    symbol = cells[left, number]
                    at_left = at + row[left, symbol] * size
                    for key in range(pairs.begin[symbol], pairs.begin[symbol + 1]):
                        other = on_right[pairs.first[key]]
                        if other < 0:
                            continue
                        pair = pairs.second[key]
                        if not seen[pair]:
                            seen[pair] = True
                            best[pair] = NEVER
                            news[joined] = pair
                            joined += 1
                        raise_by_rows(at_best + pair * size, at_left, at + other * size)
            for number in range(joined):
                pair = news[number]
                seen[pair] = False
                if not reaching(at_best + pair * size, at_zero, at_least):
                    continue
                for key in range(joins.begin[pair], joins.begin[pair + 1]):
                    symbol = joins.first[key]
                    if mine[symbol] < 0:
                        coarser = before.row[cell, coarse.coarser[symbol]]
                        if coarser < 0 or not before.open[coarser]:
                            continue
                        mine[symbol] = used
                        inside[used] = NEVER
                        own[count] = symbol
                        used += 1
                        count += 1
                    raise_by_rule(
                        at + mine[symbol] * size,
                        at_best + pair * size,
                        joins.score[key],
                    )
            made = count
            for number in range(made):
                base[number] = inside[first + number]
            for number in range(made):
                symbol = own[number]
                for key in range(chains.begin[symbol], chains.begin[symbol + 1]):
                    above = chains.first[key]
                    if mine[above] < 0:
                        coarser = before.row[cell, coarse.coarser[above]]
                        if coarser < 0 or not before.open[coarser]:
                            continue
                        mine[above] = used
                        inside[used] = NEVER
                        own[count] = above
                        used += 1
                        count += 1
                    raise_by_rule(
                        at + mine[above] * size,
                        at_base + number * size,
                        chains.score[key],
                    )
            kept = 0
            for number in range(count):
                symbol = own[number]
                coarser = before.row[cell, coarse.coarser[symbol]]
                lanes = before.open[coarser]
                for lane in range(LANES):
                    if not lanes >> lane & 1:
                        inside[mine[symbol], lane] = NEVER
                address = at + mine[symbol] * size
                if reaching(address, at_zero, at_least):
                    cells[cell, kept] = symbol
                    kept += 1
                else:
                    mine[symbol] = -1
            counts[cell] = kept
    return row, inside[:used], cells, counts


@compiled
def bounds_of(coarse, words, before, depth):
    """Return what is open in a picture of the grammar.

    Args:
        coarse: The picture.
        words: The leaves.
        before: What is open in the picture before.
        depth: Nats below the best coarse tree that stay open.
    """
    row, inside, cells, counts = look_inside(coarse, words, before)
    places, size = words.lengths.max(), LANES * 4
    outside = np.full(inside.shape, NEVER, np.float32)
    is_open = np.zeros(len(inside), np.int32)
    open_cells = np.zeros(len(row), np.int32)
    top = np.full(LANES, np.inf, np.float32)
    limit = np.full(LANES, np.inf, np.float32)
    root_potential = coarse.potential[coarse.root_state]
    for lane in range(LANES):
        if words.lengths[lane] == 0:
            continue
        root = row[cell_of(0, words.lengths[lane]), coarse.root]
        if root >= 0 and inside[root, lane] > NEVER:
            outside[root, lane] = root_potential
            top[lane] = inside[root, lane] + root_potential
            limit[lane] = max(top[lane] - depth, before.limit[lane])
    pairs, joins, chains = coarse.pairs, coarse.joins, coarse.chains
    around = np.empty((len(joins.begin) - 1, LANES), np.float32)
    stamp = np.full(len(around), -1, np.int32)
    has_parent = np.zeros(len(around), np.bool_)
    at_around, at_limit = around.ctypes.data, limit.ctypes.data
    at_in, at_out = inside.ctypes.data, outside.ctypes.data
    for width in range(places, 0, -1):
        for begin in range(places + 1 - width):
            end = begin + width
            cell = cell_of(begin, end)
            mine, lanes = row[cell], 0
            for number in range(counts[cell]):
                symbol = cells[cell, number]
                own = mine[symbol]
                for key in range(chains.begin[symbol], chains.begin[symbol + 1]):
                    above = mine[chains.first[key]]
                    if above >= 0:
                        raise_by_rule(
                            at_out + own * size,
                            at_out + above * size,
                            chains.score[key],
                        )
                is_open[own] = reaching(
                    at_in + own * size, at_out + own * size, at_limit
                )
                lanes |= is_open[own]
            open_cells[cell] = lanes
            if width == 1 or not lanes:
                continue
            for split in range(begin + 1, end):
                left, right = cell_of(begin, split), cell_of(split, end)
                on_right = row[right]
                if not counts[left] or not counts[right]:
                    continue
                for number in range(counts[left]):
                    symbol = cells[left, number]
                    at_left = row[left, symbol] * size
                    for key in range(pairs.begin[symbol], pairs.begin[symbol + 1]):
                        other = on_right[pairs.first[key]]
                        if other < 0:
                            continue
                        pair = pairs.second[key]
                        at_pair = at_around + pair * size
                        if stamp[pair] != cell:
                            stamp[pair] = cell
                            has_parent[pair] = False
                            for rule in range(joins.begin[pair], joins.begin[pair + 1]):
                                parent = mine[joins.first[rule]]
                                if parent < 0 or not is_open[parent]:
                                    continue
                                if not has_parent[pair]:
                                    has_parent[pair] = True
                                    around[pair] = NEVER
                                at_parent = at_out + parent * size
                                raise_by_rule(at_pair, at_parent, joins.score[rule])
                        if has_parent[pair]:
                            at_right = other * size
                            raise_by_rows(at_out + at_left, at_pair, at_in + at_right)
                            raise_by_rows(at_out + at_right, at_pair, at_in + at_left)
    return Bounds(row, inside, outside, is_open, open_cells, top, limit)


# -- chart -----------------------------------------------------------------------------


@compiled
def fill(fine, coarse, words, bounds, lane, limit, beam, values, chart):
    """Score every state of a lane that may be in a tree that reaches the limit.

    Args:
        beam: Nats that a state may be worse than the best of its cell; infinite if
            nothing may be left out.
        values: The score of each state in each cell, -inf everywhere before.
        chart: The states of each cell, one after the other, and where they begin and
            end.

    Returns:
        The states; the array is another one if there was too little room.
    """
    states, begins, ends = chart
    size = values.shape[1]
    base = np.empty(size, np.float32)
    from_left = np.zeros(len(values), np.int64)
    from_right = np.zeros(len(values), np.int64)
    used, bit = 0, 1 << lane
    places = words.lengths[lane]
    by_left, by_right, chains = fine.by_left, fine.by_right, fine.chains
    for width in range(1, places + 1):
        for begin in range(places + 1 - width):
            end = begin + width
            cell = cell_of(begin, end)
            begins[cell] = ends[cell] = used
            if not bounds.cell[cell] & bit:
                continue
            states = with_room(states, used, size)
            first, own, mine = used, values[cell], bounds.row[cell]
            if width == 1:
                place = begin * LANES + lane
                for tag in range(words.begin[place], words.begin[place + 1]):
                    own[words.state[tag]] = words.score[tag]
                    states[used, 0] = words.state[tag]
                    used += 1
            for split in range(begin + 1, end):
                left, right = cell_of(begin, split), cell_of(split, end)
                if begins[left] == ends[left] or begins[right] == ends[right]:
                    continue
                on_left, on_right = values[left], values[right]
                # Begin with the part that has fewer rules.
                if from_left[left] <= from_right[right]:
                    for number in range(begins[left], ends[left]):
                        state = states[number, 0]
                        score = on_left[state]
                        for key in range(
                            by_left.begin[state], by_left.begin[state + 1]
                        ):
                            other = on_right[by_left.first[key]]
                            total = (by_left.score[key] + score) + other
                            parent = by_left.second[key]
                            if total > own[parent]:
                                if own[parent] == NEVER:
                                    states[used, 0] = parent
                                    used += 1
                                own[parent] = total
                else:
                    for number in range(begins[right], ends[right]):
                        state = states[number, 0]
                        other = on_right[state]
                        for key in range(
                            by_right.begin[state], by_right.begin[state + 1]
                        ):
                            score = on_left[by_right.first[key]]
                            total = (by_right.score[key] + score) + other
                            parent = by_right.second[key]
                            if total > own[parent]:
                                if own[parent] == NEVER:
                                    states[used, 0] = parent
                                    used += 1
                                own[parent] = total
            need = limit
            if beam < np.inf:
                for number in range(first, used):
                    state = states[number, 0]
                    row = mine[coarse.symbol[state]]
                    if row >= 0:
                        score = own[state] - coarse.potential[state]
                        need = max(need, score + bounds.outside[row, lane] - beam)
            kept = first
            for number in range(first, used):
                state = states[number, 0]
                row = mine[coarse.symbol[state]]
                score = own[state] - coarse.potential[state]
                if row >= 0 and score + bounds.outside[row, lane] >= need:
                    states[kept, 0] = state
                    base[kept - first] = own[state]
                    kept += 1
                else:
                    own[state] = NEVER
            used = kept
            # Chains begin at what is not made by a chain.
            for number in range(first, kept):
                state = states[number, 0]
                for key in range(chains.begin[state], chains.begin[state + 1]):
                    above = chains.first[key]
                    total = chains.score[key] + base[number - first]
                    if total <= own[above]:
                        continue
                    row = mine[coarse.symbol[above]]
                    score = total - coarse.potential[above]
                    if row >= 0 and score + bounds.outside[row, lane] >= need:
                        if own[above] == NEVER:
                            states[used, 0] = above
                            used += 1
                        own[above] = total
            ends[cell] = used
            for number in range(first, used):
                state = states[number, 0]
                from_left[cell] += by_left.begin[state + 1] - by_left.begin[state]
                from_right[cell] += by_right.begin[state + 1] - by_right.begin[state]
    return states


@compiled
def read(fine, words, lane, values, begins, ends):
    """Return the steps of the best tree of a lane, see `Found`."""
    places = words.lengths[lane]
    found = np.empty((64 * places, 3), np.int32)
    stack = np.empty((64 * places, 3), np.int32)
    stack[0, 0], stack[0, 1], stack[0, 2] = fine.root, 0, places
    waiting, steps = 1, 0
    by_parent, below = fine.by_parent, fine.steps
    while waiting and steps < len(found) and waiting + 2 < len(stack):
        waiting -= 1
        state, begin, end = stack[waiting]
        best, parts, left, right, at = -np.inf, 0, 0, 0, 0
        if end == begin + 1:
            place = begin * LANES + lane
            for tag in range(words.begin[place], words.begin[place + 1]):
                if words.state[tag] == state:
                    best = float(words.score[tag])
        for split in range(begin + 1, end):
            on_left, on_right = cell_of(begin, split), cell_of(split, end)
            if begins[on_left] == ends[on_left] or begins[on_right] == ends[on_right]:
                continue
            for key in range(by_parent.begin[state], by_parent.begin[state + 1]):
                first, second = by_parent.first[key], by_parent.second[key]
                score = float(by_parent.score[key]) + float(values[on_left, first])
                score += float(values[on_right, second])
                if score > best:
                    best, parts, at = score, 2, split
                    left, right = first, second
        for key in range(below.begin[state], below.begin[state + 1]):
            score = float(below.score[key])
            score += float(values[cell_of(begin, end), below.first[key]])
            if score > best:
                best, parts, left = score, 1, below.first[key]
        found[steps, 0], found[steps, 1], found[steps, 2] = state, begin, parts
        steps += 1
        if parts == 2:
            stack[waiting, 0], stack[waiting, 1], stack[waiting, 2] = right, at, end
            waiting += 1
            end = at
        if parts:
            stack[waiting, 0], stack[waiting, 1], stack[waiting, 2] = left, begin, end
            waiting += 1
    return found[:steps].copy()


@compiled
def best_tree(fine, coarse, words, bounds, lane, known, deepest, values):
    """Return score, limit and steps of the best tree of a lane, see `Found`.

    Args:
        known: The score of a tree, -inf if none is known.
        deepest: Nats below the best coarse tree that are searched at most. There are
            no steps, but the score of some tree, if this is too little for a proof.
        values: See `fill`.
    """
    cells = len(bounds.row)
    states = np.empty((1 << 14, 1), np.int32)
    begins, ends = np.zeros(cells, np.int64), np.zeros(cells, np.int64)
    steps = np.empty((0, 3), np.int32)
    goal = cell_of(0, words.lengths[lane])
    limit = bounds.limit[lane]
    for beam in (BEAM, np.inf):
        if bounds.top[lane] == np.inf or (known > NEVER and beam < np.inf):
            continue
        if known > NEVER:
            limit = max(limit, np.float32(known - 2 * MARGIN))
        if beam == np.inf and limit < bounds.top[lane] - deepest:
            continue
        chart = (states, begins, ends)
        states = fill(fine, coarse, words, bounds, lane, limit, beam, values, chart)
        known = max(known, values[goal, fine.root])
        if beam == np.inf and known >= limit + MARGIN:
            steps = read(fine, words, lane, values, begins, ends)
        for cell in range(cells):
            for number in range(begins[cell], ends[cell]):
                values[cell, states[number, 0]] = NEVER
            begins[cell] = ends[cell] = 0
    return known, limit, steps


# -- sentences -------------------------------------------------------------------------


class CompiledSearch:
    """Finds the best trees by one grammar; safe in threads.

    Args:
        projections: Coarse pictures of the grammar, the coarsest first. One that does
            not refine the one before is not used.
    """

    longest = LONGEST

    def __init__(self, projections: Sequence[Projection]) -> None:
        self.grammar = projections[0].grammar
        self.labels = projections[0].labels
        self.fine = _fine(self.grammar)
        self.coarse, used = [_coarse(projections[0], None)], projections[0]
        for projection in projections[1:]:
            if _refines(projection, used):
                self.coarse.append(_coarse(projection, used))
                used = projection
        self.boundary = Leaf(
            np.array([projections[0].boundary]), np.zeros(1, np.float32)
        )

    def search(
        self, leaves: Sequence[Sequence[Leaf]]
    ) -> list[tuple[Node, float, float] | None]:
        """Return the best tree of each sentence, its score and limit; None if none."""
        found = [Found(-np.inf, -np.inf, _NO_STEPS)] * len(leaves)
        left = sorted((n for n, own in enumerate(leaves) if own), key=_length(leaves))
        for turn in TURNS:
            for start in range(0, len(left), LANES):
                numbers = left[start : start + LANES]
                known = [found[number].score for number in numbers]
                trees = self._together([leaves[n] for n in numbers], known, turn)
                for number, tree in zip(numbers, trees):
                    found[number] = tree
            left = [number for number in left if not len(found[number].steps)]
        return [self._tree(tree) for tree in found]

    def _together(
        self, leaves: Sequence[Sequence[Leaf]], known: Sequence[float], turn: Turn
    ) -> list[Found]:
        words = _words([[*own, self.boundary] for own in leaves])
        bounds = _everything(int(words.lengths.max()), known)
        for coarse in self.coarse[: turn.pictures]:
            bounds = bounds_of(coarse, words, bounds, turn.depth)
        shape = len(bounds.row), len(self.grammar.states)
        values = np.full(shape, NEVER, np.float32)
        rest = turn.deepest, values
        return [
            Found(*best_tree(self.fine, coarse, words, bounds, lane, score, *rest))
            for lane, score in enumerate(known)
        ]

    def _tree(self, found: Found) -> tuple[Node, float, float] | None:
        if not len(found.steps):
            return None
        made: list[tuple[Node, ...]] = []
        for state, begin, parts in reversed(found.steps.tolist()):
            label = self.labels[state]
            if not parts:
                made.append((Node(label, (), begin),))
                continue
            children = made.pop()
            if parts == 2:
                children += made.pop()
            made.append((Node(label, children),) if label else children)
        [[root]] = made
        return root.children[0], float(found.score), float(found.limit)


def _length(leaves: Sequence[Sequence[Leaf]]) -> Any:
    return lambda number: len(leaves[number])


def _everything(places: int, known: Sequence[float]) -> Bounds:
    """Return bounds of one symbol that leave everything open.

    Args:
        places: Words of the longest sentence.
        known: The score of a tree of each sentence, -inf if none is known.
    """
    cells = places * (places + 1) // 2
    all_lanes = (1 << LANES) - 1
    none = np.zeros((0, LANES), np.float32)
    limit = np.full(LANES, NEVER, np.float32)
    limit[: len(known)] = np.array(known) - 2 * MARGIN
    return Bounds(
        np.zeros((cells, 1), np.int32),
        none,
        none,
        np.full(1, all_lanes, np.int32),
        np.full(cells, all_lanes, np.int32),
        limit,
        limit,
    )


def _words(leaves: Sequence[Sequence[Leaf]]) -> Words:
    lengths = np.zeros(LANES, np.int32)
    lengths[: len(leaves)] = [len(own) for own in leaves]
    counts, parts = [0], []
    for place in range(int(lengths.max())):
        for own in leaves:
            parts.append(own[place] if place < len(own) else _NO_LEAF)
            counts.append(len(parts[-1].states))
        counts += [0] * (LANES - len(leaves))
    states, scores = zip(*parts)
    return Words(
        np.cumsum(counts),
        np.concatenate(states).astype(np.int32),
        np.concatenate(scores).astype(np.float32),
        lengths,
    )


_NO_STEPS: Final = np.zeros((0, 3), np.int32)
_NO_LEAF: Final = Leaf(np.zeros(0, np.intp), np.zeros(0, np.float32))


def _rules(key: Ints, keys: int, first: Ints, second: Ints, score: Any) -> Rules:
    """Sort rules by a state, those of one state as they were."""
    order = np.argsort(key, kind="stable")
    return Rules(
        np.searchsorted(key[order], np.arange(keys + 1)).astype(np.int32),
        first[order].astype(np.int32),
        second[order].astype(np.int32),
        score[order].astype(np.float32),
    )


def _fine(grammar: Pcfg) -> Fine:
    states = len(grammar.states)
    parent, left, right = grammar.parent, grammar.left, grammar.right
    above, below, score = closed(grammar)
    return Fine(
        _rules(left, states, right, parent, grammar.score),
        _rules(right, states, left, parent, grammar.score),
        _rules(parent, states, left, right, grammar.score),
        _rules(below, states, above, above, score),
        _rules(
            grammar.above, states, grammar.below, grammar.below, grammar.unary_score
        ),
        grammar.states.index(ROOT),
    )


def _coarse(projection: Projection, before: Projection | None) -> Coarse:
    grammar, symbol = projection.grammar, projection.symbol
    potential, symbols = projection.potential, projection.symbols
    left, right, pair = projection.pairs
    score = grammar.score + potential[grammar.left] + potential[grammar.right]
    above, below, chain = closed(grammar)
    root = grammar.states.index(ROOT)
    coarser = np.zeros(symbols, np.int32)
    if before is not None:
        coarser[symbol] = before.symbol
    return Coarse(
        symbol.astype(np.int32),
        potential.astype(np.float64),
        coarser,
        _rules(left, symbols, right, np.arange(len(left)), np.zeros(len(left))),
        _best(
            pair, len(left), symbol[grammar.parent], score - potential[grammar.parent]
        ),
        _best(
            symbol[below],
            symbols,
            symbol[above],
            chain + potential[below] - potential[above],
        ),
        symbols,
        int(symbol[root]),
        root,
    )


def _best(key: Ints, keys: int, parent: Ints, score: NDArray[np.float64]) -> Rules:
    """Return one rule for all with the same key and parent, with the best score."""
    width = int(parent.max(initial=0)) + 1
    names, rule = np.unique(key * width + parent, return_inverse=True)
    best = np.full(len(names), -np.inf)
    np.maximum.at(best, rule, score)
    return _rules(names // width, keys, names % width, names % width, best)


def _refines(finer: Projection, coarser: Projection) -> bool:
    """Return whether all states of a finer symbol have one coarser symbol."""
    both = np.unique(finer.symbol * coarser.symbols + coarser.symbol)
    return len(both) == finer.symbols
