"""The weights of rules and words, fitted to equations of trees' scores.

The weight of a rule is a first guess (its frequency in the original's trees) plus the
weights of its features; that of a word with a symbol is the sum of its features'
weights. The weights are
fitted to the differences of scores by least squares, large ones being held small. Where
all that is known is that a tree scores at most so much, nothing pulls it up.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from scipy.sparse.linalg import LinearOperator, lsmr

from spicepy.parsing.bundled.weights import (
    LETTERS,
    SPELLING,
    WHOLE,
    WORD,
    ends_of,
    hashed,
)
from training.grammar.observations import Observations
from training.grammar.symbols import Leaf, Rule

DAMPING: Final = 0.06
STEPS: Final = 250
"""The number of steps of the first fit, from nothing."""
MORE_STEPS: Final = 60
"""The number of steps of later fits, which begin with the weights of the one before."""
RARE: Final = 0.4
"""The unit of a weight is its frequency to minus this power."""

LONGEST: Final = 20
"""The number of parts of the longest rule with a weight of its own."""

MIN_SHARE: Final = 1e-4
"""The minimum frequency of a rule in the original's trees."""

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Fitted:
    """The weights of rules and words.

    Attributes:
        rules: (rules,).
        words: Hash of a feature of a word -> its weight.
        weights: (features,) of rules, then of words, in the order of their discovery.
        error: Root of the mean square of what the equations are off, in nats.
    """

    rules: Floats
    words: dict[int, float]
    weights: Floats
    error: float


def fit(seen: Observations, before: Fitted | None = None) -> Fitted:
    """Fit all weights.

    Args:
        seen: The equations.
        before: The last fit to those of them that there were then. Weights are changed
            from there as little as the equations allow, so that a few steps suffice.
    """
    rules, leaves = list(seen.rules), list(seen.leaves)
    known: dict[Hashable, int] = {}
    of_rules = _features(rules, features_of_rule, known)
    places = len(known)
    of_leaves = _features(leaves, _features_of_leaf, known)
    of_rules.resize((len(rules), len(known)))
    guess = first_guess(rules, [seen.counts[n] for n in range(len(rules))])
    rows = len(seen.targets)
    more = seen.of_rules.matrix(rows, len(rules))
    words = seen.of_leaves.matrix(rows, len(leaves))
    weights = np.array(seen.weights, np.float64)
    start = np.zeros(len(known))
    if before:
        start[: len(before.weights)] = before.weights
    now = more @ (of_rules @ start + guess) + words @ (of_leaves @ start)
    # A tree that scores at most its target already needs no change.
    wanted = np.array(seen.targets, np.float64) - now
    wanted[(wanted > 0) & np.array(seen.at_most, bool)] = 0
    often = of_rules.T @ np.asarray(abs(more).sum(axis=0)).ravel()
    often = often + of_leaves.T @ np.asarray(abs(words).sum(axis=0)).ravel()
    unit = (often + 1) ** -RARE
    back = [x.T.tocsr() for x in (of_rules, of_leaves, more, words)]

    def forwards(x: Floats) -> Floats:
        x = x.ravel() * unit
        found: Floats = weights * (more @ (of_rules @ x) + words @ (of_leaves @ x))
        return found

    def backwards(y: Floats) -> Floats:
        y = weights * y.ravel()
        found: Floats = unit * (back[0] @ (back[2] @ y) + back[1] @ (back[3] @ y))
        return found

    operator = LinearOperator(
        (rows, len(known)), matvec=forwards, rmatvec=backwards, dtype=np.float64
    )
    steps = MORE_STEPS if before else STEPS
    change = lsmr(operator, wanted * weights, damp=DAMPING, maxiter=steps)[0] * unit
    residual = wanted - more @ (of_rules @ change) - words @ (of_leaves @ change)
    solved = start + change
    names = list(known)
    return Fitted(
        of_rules @ solved + guess,
        {hashed(str(names[n])): float(solved[n]) for n in range(places, len(known))},
        solved,
        float(np.sqrt(np.mean(residual**2))) if rows else 0.0,
    )


def mean(fits: Sequence[Fitted]) -> Fitted:
    """Return the mean of fits, the later of which may know more words."""
    words = {
        key: sum(fitted.words.get(key, 0.0) for fitted in fits) / len(fits)
        for key in fits[-1].words
    }
    rules: Floats = np.mean([fitted.rules for fitted in fits], axis=0)
    return Fitted(rules, words, fits[-1].weights, fits[-1].error)


def features_of_rule(rule: Rule) -> Iterator[Hashable]:
    """Yield what counts for a rule: its head, and the others from there outwards."""
    symbol, parts, head = rule
    label, top = symbol.partition("^")[0], parts[head].partition("^")[0]
    yield "head", symbol, parts[head]
    yield "head of", label, parts[head]
    for side, row in (("right", parts[head + 1 :]), ("left", parts[:head][::-1])):
        before = ["", ""]
        for part in (*row, "end"):
            yield side, symbol, top, *before[-2:], part
            yield side, symbol, before[-1], part
            yield side, "after", symbol, top, before[-1], part
            yield side, "in", label, before[-1], part
            before.append(part)
    if len(parts) <= LONGEST:
        yield "rule", symbol, parts


def first_guess(rules: Sequence[Rule], counts: Sequence[float]) -> Floats:
    """Return the log of how frequent rules are among those of their symbol.

    Each is smoothed with how frequent its parts are one after another.
    """
    total: Counter[str] = Counter()
    pairs: dict[Hashable, float] = {}
    sums: dict[Hashable, float] = {}
    for rule, count in zip(rules, counts):
        total[rule.symbol] += count  # type: ignore[assignment]
        for state, part in _steps(rule):
            pairs[state, part] = pairs.get((state, part), 0.0) + count
            sums[state] = sums.get(state, 0.0) + count
    found = []
    for rule, count in zip(rules, counts):
        if rule.symbol == WHOLE:
            found.append(np.log((count + 1e-3) / (total[WHOLE] + 1)))
            continue
        steps = ((pairs[s, part] + 1e-3) / (sums[s] + 0.1) for s, part in _steps(rule))
        smooth = np.exp(max(sum(map(np.log, steps)), -30.0))
        found.append(np.log((count + 2.5 * smooth) / (total[rule.symbol] + 3) + 1e-9))
    return np.array(found)


def _steps(rule: Rule) -> Iterator[tuple[Hashable, str]]:
    symbol, parts, head = rule
    yield ("head", symbol), parts[head]
    for side, row in (("right", parts[head + 1 :]), ("left", parts[:head][::-1])):
        before = ""
        for part in (*row, "end"):
            yield (side, symbol, before), part
            before = part


def features_of_word(symbol: str, tag: str, word: str) -> tuple[str, ...]:
    """Return the features of a word as a symbol: itself, or its spelling if unknown."""
    # `PhraseGrammar.of_words` adds up their scores, for all symbols of a tag.
    ends = ends_of(word)
    shared = f"{symbol} {ends[WORD]}", symbol, f"{symbol} {ends[SPELLING]}"
    return shared + tuple(f"{tag} {ends[n]}" for n in (WORD, *LETTERS))


def _features_of_leaf(leaf: Leaf) -> Iterable[str]:
    symbol, word = leaf
    return features_of_word(symbol, symbol.partition("^")[0], word)


def _features(
    things: Sequence[Any],
    features: Callable[[Any], Iterable[Hashable]],
    known: dict[Hashable, int],
) -> Any:
    """Return (things, features) how often each thing has each feature."""
    rows: list[int] = []
    columns: list[int] = []
    for number, thing in enumerate(things):
        for feature in features(thing):
            rows.append(number)
            columns.append(known.setdefault(feature, len(known)))
    ones = np.ones(len(rows), np.float32)
    return csr_matrix((ones, (rows, columns)), shape=(len(things), len(known)))
