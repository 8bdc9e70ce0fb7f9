"""Longest common subsequences of each reference with its candidate.

In: a `CaptionTable`. Out: a number a reference, in the order of
`table.references`.
"""

from itertools import pairwise

import numpy as np

from spicepy.metrics.ngrams.grams import CaptionTable
from spicepy.metrics.ngrams.masks import BITS, word_masks
from spicepy.metrics.ngrams.vocabulary import Floats, Ints


def lcs_lengths(table: CaptionTable) -> Ints:
    """Return lengths of the longest common subsequences, in words.

    Bit-parallel: bit p of a reference's state stands for word p of the
    candidate, so one step takes in one reference word. All references step
    together in 64-bit words; longer candidates take Python integers.

    Source: Hyyrö (2004), "Bit-parallel LCS-length computation revisited".
    """
    references = table.references
    candidates = table.candidates[table.image[references]]
    result = _short(table, references, candidates)
    for i in np.flatnonzero(table.lengths[candidates] > BITS).tolist():
        result[i] = _long(_words(table, candidates[i]), _words(table, references[i]))
    return result


def _words(table: CaptionTable, caption: int) -> list[int]:
    words = table.words[table.starts[caption] : table.starts[caption + 1]]
    return [int(word) for word in words]


def _short(table: CaptionTable, references: Ints, candidates: Ints) -> Ints:
    masks, lengths = word_masks(table), table.lengths[references]
    order = np.argsort(-lengths, kind="stable")
    starts, lengths = table.starts[references][order], lengths[order]
    state = np.full(len(order), np.iinfo(np.uint64).max)
    for step in range(int(lengths.max(initial=0))):
        going = np.searchsorted(-lengths, -step)
        now = state[:going]
        hits = now & masks[starts[:going] + step]
        state[:going] = (now + hits) | (now - hits)
    used = np.minimum(table.lengths[candidates][order], BITS).astype(np.uint64)
    unused = np.where(used < BITS, ~np.uint64(0) << used % np.uint64(BITS), 0)
    result = np.empty(len(order), np.int64)
    result[order] = np.bitwise_count(~state & ~unused.astype(np.uint64))
    return result


def _long(candidate: list[int], reference: list[int]) -> int:
    masks: dict[int, int] = {}
    for position, word in enumerate(candidate):
        masks[word] = masks.get(word, 0) | 1 << position
    full = (1 << len(candidate)) - 1
    state = full
    for word in reference:
        hits = state & masks.get(word, 0)
        state = (state + hits | state - hits) & full
    return len(candidate) - state.bit_count()


def weighted_lcs(table: CaptionTable, exponent: float) -> Floats:
    """Return weighted common subsequences; a run of k words counts k**exponent.

    Source: Lin (2004), section 4, the dynamic program as printed.
    """
    references = table.references
    candidates = table.candidates[table.image[references]]
    longest = int(table.lengths.max(initial=0))
    powers = [float(run) ** exponent for run in range(longest + 2)]
    gains = [more - less for less, more in pairwise(powers)]
    pairs = zip(references.tolist(), candidates.tolist())
    return np.array(
        [_wlcs(_words(table, r), _words(table, c), gains) for r, c in pairs]
    )


def _wlcs(rows: list[int], columns: list[int], gains: list[float]) -> float:
    scores, runs = [0.0] * (len(columns) + 1), [0] * (len(columns) + 1)
    for row in rows:
        new_scores, new_runs = [0.0], [0]
        for j, column in enumerate(columns):
            if row == column:
                new_scores.append(scores[j] + gains[runs[j]])
                new_runs.append(runs[j] + 1)
            else:
                new_scores.append(max(scores[j + 1], new_scores[j]))
                new_runs.append(0)
        scores, runs = new_scores, new_runs
    return scores[-1]
