"""The arrays of `spicepy.parsing.bundled.analyser`, made from weighted rules."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import numpy as np

from spicepy.parsing.bundled.weights import BORDER, UNIT, WHOLE, PhraseGrammar, bare
from training.grammar.symbols import Leaf, Rule

LONGEST_CHAIN: Final = 4
"""The maximum length of a chain of unary rules."""

SMALL: Final = 0.01
"""The number that is added to the counts of priors."""

COARSE: Final = 4
"""The unit to which features of words are rounded: .016 nats, a tenth of the weights'
errors; it makes the file a fourteenth smaller."""

OPEN: Final = 0.1
"""The share of words seen with a tag from which on any word may have the tag."""

SHARE: Final = 0.75
"""The weight of tags beside a symbol, which repeat part of its frequency."""

LIKE_LABEL: Final = 20
LIKE_ANY: Final = 200
"""Times that a symbol was seen, as it were, beside the tags that its label stands
beside, and a label beside those that any does."""

Chains = dict[int, tuple[int, tuple[int, ...]]]
"""Symbol above -> weight and symbols on the way."""


def compile_grammar(
    rules: Sequence[Rule],
    worth: Sequence[float],
    counts: Sequence[float],
    leaves: Iterable[Leaf],
    words: Mapping[int, float],
    beside: Sequence[Mapping[tuple[str, str], float]],
    attachments: Mapping[str, str],
) -> PhraseGrammar:
    """Return the grammar.

    Args:
        rules: All rules.
        worth: The weight of each rule.
        counts: The frequency of each rule in the original's trees.
        leaves: All symbols of tags, with words.
        words: Hashes of features of words and their worth.
        beside: The frequencies of tags before symbols, and after them.
        attachments: As `attachments.py` makes them.
    """
    tags: defaultdict[str, set[str]] = defaultdict(set)
    seen: defaultdict[str, set[str]] = defaultdict(set)
    for symbol, word in leaves:
        if "^" in symbol:
            tags[symbol.partition("^")[0]].add(symbol)
            seen[symbol.partition("^")[0]].add(word)
    enough = OPEN * len(set().union(*seen.values()))
    inside = {part for rule in rules for part in (rule.symbol, *rule.parts)}
    inside.update(*tags.values())
    symbols = [WHOLE, *sorted(inside - {WHOLE})]
    number = {symbol: n for n, symbol in enumerate(symbols)}
    whole = [round(x * UNIT) for x in worth]
    keys = sorted(words)
    arrays = {
        "group": _groups(symbols),
        **_states(rules, whole, counts, number, _groups(symbols)),
        **_chains(rules, whole, number),
        "symbol prior": _prior(_occurrences(rules, counts, number), sum(counts)),
        "features": np.array(keys, np.uint32),
        "worth": np.array([_coarse(words[key]) for key in keys], np.int16),
    }
    arrays["symbol prior"][0] = 0
    known = [BORDER, *sorted({tag for seen in beside for tag, _ in seen} - {BORDER})]
    for name, seen_beside in zip(("before", "after"), beside):
        arrays[name] = _beside(seen_beside, known, number)
    names = {
        "symbols": symbols,
        "leaves": {tag: sorted(number[x] for x in own) for tag, own in tags.items()},
        "open": sorted(tag for tag, own in seen.items() if len(own) >= enough),
        "tags": known,
        "attachments": dict(attachments),
    }
    return PhraseGrammar(names, arrays)


def _coarse(worth: float) -> int:
    """Return the weight of a feature of a word, in whole `UNIT`s."""
    return round(worth * UNIT / COARSE) * COARSE


def _groups(symbols: Sequence[str]) -> Any:
    """Return for each symbol the number of the label of the phrase around it."""
    around = [x.partition("^")[2].split("~")[0].split("-")[0] for x in symbols]
    numbers = {label: n for n, label in enumerate(dict.fromkeys(around))}
    return np.array([numbers[label] for label in around], np.int16)


def _states(
    rules: Sequence[Rule],
    worth: Sequence[int],
    counts: Sequence[float],
    number: Mapping[str, int],
    group: Any,
) -> dict[str, Any]:
    """Make a tree of the parts of rules that have several."""
    ways: dict[tuple[int, int], int] = {}
    ends: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
    seen: Counter[int] = Counter()
    for rule, score, count in zip(rules, worth, counts):
        if len(rule.parts) > 1:
            state = 0
            for part in rule.parts:
                state = ways.setdefault((state, number[part]), len(ways) + 1)
                seen[state] += count
            ends[state].append((number[rule.symbol], score))
    states = len(ways) + 1
    start = np.full(len(number), -1, np.int32)
    of_state = np.zeros(states, np.int16)
    goes_on = np.zeros(states, np.int8)
    for (before, part), state in ways.items():
        of_state[state] = group[part]
        goes_on[before] = 1
        if before == 0:
            start[part] = state
    last = [end for state in range(states) for end in ends[state]]
    keys = sorted(
        (before * len(number) + part, s) for (before, part), s in ways.items()
    )
    return {
        "start": start,
        "keys": np.array([key for key, _ in keys], np.int32),
        "next": np.array([state for _, state in keys], np.int32),
        "state group": of_state,
        "goes on": goes_on,
        "state prior": _prior([seen[n] for n in range(states)], sum(counts)),
        "ends": np.cumsum([0, *(len(ends[n]) for n in range(states))], dtype=np.int32),
        "end symbol": np.array([symbol for symbol, _ in last], np.int16),
        "end score": np.array([score for _, score in last], np.int16),
    }


def _chains(
    rules: Sequence[Rule], worth: Sequence[int], number: Mapping[str, int]
) -> dict[str, Any]:
    """Join rules with one part: the best way from each symbol to each above it."""
    above: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
    for rule, score in zip(rules, worth):
        if len(rule.parts) == 1:
            above[number[rule.parts[0]]].append((number[rule.symbol], score))
    found = [_chains_from(symbol, above) for symbol in range(len(number))]
    rows = [(top, *found[n][top]) for n in range(len(found)) for top in found[n]]
    return {
        "chains": np.cumsum([0, *map(len, found)], dtype=np.int32),
        "chain symbol": np.array([top for top, _, _ in rows], np.int16),
        "chain score": np.array([score for _, score, _ in rows], np.int32),
        "paths": np.cumsum([0, *(len(path) for _, _, path in rows)], dtype=np.int32),
        "path": np.array([x for _, _, path in rows for x in path], np.int16),
    }


def _chains_from(symbol: int, above: Mapping[int, Sequence[tuple[int, int]]]) -> Chains:
    best: Chains = {symbol: (0, ())}
    last = {symbol}
    for _ in range(LONGEST_CHAIN):
        new: set[int] = set()
        for top in sorted(last):
            score, path = best[top]
            for higher, more in above.get(top, ()):
                known = higher not in best or best[higher][0] < score + more
                if known and higher != symbol and higher not in path:
                    best[higher] = score + more, (*path, higher)
                    new.add(higher)
        last = new
    del best[symbol]
    return best


def _occurrences(
    rules: Sequence[Rule], counts: Sequence[float], number: Mapping[str, int]
) -> list[float]:
    seen = [0.0] * len(number)
    for rule, count in zip(rules, counts):
        for part in rule.parts:
            seen[number[part]] += count
    return seen


def _prior(seen: Sequence[float], total: float) -> Any:
    logs = np.log((np.array(seen) + SMALL) / (total or 1.0))
    return np.rint(logs * UNIT).astype(np.int16)


def _beside(
    seen: Mapping[tuple[str, str], float],
    tags: Sequence[str],
    number: Mapping[str, int],
) -> Any:
    """Return the logarithms of how frequent each tag is beside each symbol."""
    own = np.zeros((len(tags), len(number)))
    for (tag, symbol), count in seen.items():
        if symbol in number:
            own[tags.index(tag), number[symbol]] += count
    any_symbol = own.sum(axis=1, keepdims=True) + SMALL
    labels = list(map(bare, number))
    places = {label: n for n, label in enumerate(dict.fromkeys(labels))}
    label = [places[x] for x in labels]
    of_label = np.zeros((len(tags), len(places)))
    np.add.at(of_label.T, label, own.T)
    share = _smoothed(of_label, any_symbol / any_symbol.sum(), LIKE_ANY)
    share = _smoothed(own, share[:, label], LIKE_LABEL)
    units = SHARE * UNIT / COARSE
    return (np.rint(np.log(share) * units) * COARSE).astype(np.int16)


def _smoothed(counts: Any, like: Any, times: float) -> Any:
    """Return shares of each column, as if `like` had been seen so many times, too."""
    return (counts + times * like) / (counts.sum(axis=0) + times)
