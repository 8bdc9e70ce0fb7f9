"""ROUGE: ROUGE-L of coco-caption, and Lin's ROUGE-N, -L, -W, -S and -SU.

The score of an image is 0-1; the corpus score is the mean of the images.

Edge cases:

* empty candidate or reference: 0; but coco-caption's ROUGE-L takes an empty
  caption for one empty word, so that two empty captions score 1 (kept).
* fewer words than n (ROUGE-N) or than 2 (ROUGE-S): no units, so 0, even
  against an equal caption.
* `RougeL` cuts words at every single space, all others at any white space.
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Literal

import numpy as np

from spicepy.common.errors import InputError
from spicepy.metrics import base
from spicepy.metrics.ngrams import grams as ngrams
from spicepy.metrics.ngrams.grams import CaptionTable, Floats, GramTable, Ints
from spicepy.tokenization.samples import TokenisedSample


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
    for i in np.flatnonzero(table.lengths[candidates] > ngrams.BITS).tolist():
        result[i] = _long(_words(table, candidates[i]), _words(table, references[i]))
    return result


def _words(table: CaptionTable, caption: int) -> list[int]:
    words = table.words[table.starts[caption] : table.starts[caption + 1]]
    return [int(word) for word in words]


def _short(table: CaptionTable, references: Ints, candidates: Ints) -> Ints:
    masks, lengths = ngrams.word_masks(table), table.lengths[references]
    order = np.argsort(-lengths, kind="stable")
    starts, lengths = table.starts[references][order], lengths[order]
    state = np.full(len(order), np.iinfo(np.uint64).max)
    for step in range(int(lengths.max(initial=0))):
        going = np.searchsorted(-lengths, -step)
        now = state[:going]
        hits = now & masks[starts[:going] + step]
        state[:going] = (now + hits) | (now - hits)
    used = np.minimum(table.lengths[candidates][order], ngrams.BITS).astype(np.uint64)
    unused = np.where(
        used < ngrams.BITS, ~np.uint64(0) << used % np.uint64(ngrams.BITS), 0
    )
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


ReferenceRule = Literal["max", "average", "jackknife"]


class RougeL(base.CountedByChunks, base.MeanOfImages):
    """ROUGE-L as coco-caption computes it.

    The best precision and the best recall, which may come from different
    references, make one F.

    Args:
        beta: Weight of recall against precision in F.

    Source: Lin (2004), "ROUGE: A Package for Automatic Evaluation of
        Summaries", section 3; Vedantam et al. (2015), appendix.
    """

    def __init__(self, *, beta: float = 1.2) -> None:
        self.beta = _positive("beta", beta)

    @property
    def keys(self) -> tuple[str, ...]:
        """One number, "rouge-l"."""
        return ("rouge-l" if self.beta == 1.2 else f"rouge-l-beta-{self.beta:g}",)

    def _rows(self, samples: Sequence[TokenisedSample]) -> base.Array:
        scores = self._scores(ngrams.encode(samples))
        if odd := ngrams.odd_spacing(samples):
            scores[odd] = self._scores(
                ngrams.encode([samples[i] for i in odd], separator=" ")
            )
        return scores[:, None]

    def _scores(self, table: CaptionTable) -> Floats:
        precision, recall = _lcs_overlap(table)
        starts = table.reference_starts
        best_precision = np.maximum.reduceat(precision, starts)
        return _f(best_precision, np.maximum.reduceat(recall, starts), self.beta)

    def signature(self) -> Mapping[str, str]:
        """Return everything that can change the numbers."""
        return {
            "metric": "ROUGE-L",
            "beta": f"{self.beta:g}",
            "references": "best precision, best recall",
        }


class Rouge(base.CountedByChunks, base.MeanOfImages):
    """A ROUGE of Lin (2004): F, precision and recall.

    Args:
        kind: "1" to "4" (n-grams), "l" (longest common subsequence), "w"
            (weighted), "s" (skip bigrams), "su" (skip bigrams and words).
        references: The way to combine several references: "max", the one with the best
            F (then recall, then precision); "average", the mean of all; or
            "jackknife", the mean of the best over all but one reference, each
            left out once.
        beta: Weight of recall against precision in F; 1.2 for "l" and "w", 1
            for the others, unless given.
        skip: For "s" and "su", the most words that may stand between the two words of a
            bigram; 0 is ROUGE-2.
        weight: For "w", a run of k words counts k**weight.

    Raises:
        InputError: An unknown kind or a value out of range.

    Note:
        ROUGE-SU counts every word as a unit beside the skip bigrams.

    Source: Lin (2004), sections 2 to 5; Vedantam et al. (2015), appendix.
    """

    def __init__(
        self,
        kind: str,
        *,
        references: ReferenceRule = "max",
        beta: float | None = None,
        skip: int = 4,
        weight: float = 1.2,
    ) -> None:
        if kind not in ("1", "2", "3", "4", "l", "w", "s", "su"):
            raise InputError(f"ROUGE kind {kind!r}: must be 1, 2, 3, 4, l, w, s or su")
        if references not in ("max", "average", "jackknife"):
            raise InputError(
                f"ROUGE references {references!r}: must be max, average or jackknife"
            )
        if skip < 0:
            raise InputError(f"ROUGE skip distance {skip!r}: must be 0 or more")
        default = 1.2 if kind in ("l", "w") else 1.0
        self.kind = kind
        self.references = references
        self.beta = _positive("beta", default if beta is None else beta)
        self.skip = skip
        self.weight = _positive("weight", weight)

    @property
    def keys(self) -> tuple[str, ...]:
        """F under the metric's name, then "…-precision" and "…-recall"."""
        names = {"l": "l-f1" if self.beta == 1 else "l-lin", "w": f"w-{self.weight:g}"}
        names |= {"s": f"s{self.skip}", "su": f"su{self.skip}"}
        key = f"rouge-{names.get(self.kind, self.kind)}"
        key += "" if self.references == "max" else f"-{self.references}"
        return key, f"{key}-precision", f"{key}-recall"

    def _rows(self, samples: Sequence[TokenisedSample]) -> base.Array:
        table = ngrams.encode(samples)
        precision, recall = self._overlap(table)
        f = _f(precision, recall, self.beta)
        rows = np.column_stack([f, precision, recall])
        image, starts = table.image[table.references], table.reference_starts
        several = np.bincount(image)[:, None]
        if self.references == "average":
            return np.add.reduceat(rows, starts) / several
        ranked = rows[np.lexsort((-precision, -recall, -f, image))]
        best = ranked[starts]
        if self.references == "max":
            return best
        second = ranked[starts + (several[:, 0] > 1)]
        return (best * (several - 1) + second) / several

    def _overlap(self, table: CaptionTable) -> tuple[Floats, Floats]:
        if self.kind == "l":
            return _lcs_overlap(table)
        if self.kind == "w":
            return _weighted_overlap(table, self.weight)
        if self.kind in ("s", "su"):
            grams = _skip_bigrams(table, self.skip, words=self.kind == "su")
        else:
            grams = ngrams.count_grams(table, int(self.kind))
        return _gram_overlap(table, grams)

    def signature(self) -> Mapping[str, str]:
        """Return everything that can change the numbers."""
        settings = {"s": {"skip": str(self.skip)}, "w": {"weight": f"{self.weight:g}"}}
        settings["su"] = settings["s"]
        return {
            "metric": f"ROUGE-{self.kind.upper()}",
            "beta": f"{self.beta:g}",
            "references": self.references,
            **settings.get(self.kind, {}),
        }


def _positive(name: str, value: float) -> float:
    if not 0 < value < float("inf"):
        raise InputError(f"ROUGE {name} {value!r}: must be above 0")
    return float(value)


def _f(precision: Floats, recall: Floats, beta: float) -> Floats:
    """Return F with recall weighed by beta; 0 where both are 0."""
    top = (1 + beta**2) * precision * recall
    bottom = recall + beta**2 * precision
    return np.divide(top, bottom, np.zeros_like(top), where=top != 0)


def _shares(overlap: Floats, candidate: Floats, total: Floats) -> tuple[Floats, Floats]:
    """Return the overlap as shares of both sides' units; 0 without units."""
    zero = np.zeros(len(overlap))
    return (
        np.divide(overlap, candidate, zero.copy(), where=candidate > 0),
        np.divide(overlap, total, zero, where=total > 0),
    )


def _sides(table: CaptionTable, units: Floats) -> tuple[Floats, Floats]:
    """Return units of the candidate and of the reference, for each reference."""
    references = table.references
    return units[table.candidates[table.image[references]]], units[references]


def _lcs_overlap(table: CaptionTable) -> tuple[Floats, Floats]:
    """Return precision and recall by longest common subsequence."""
    candidate, total = _sides(table, table.lengths.astype(float))
    return _shares(lcs_lengths(table).astype(float), candidate, total)


def _weighted_overlap(table: CaptionTable, weight: float) -> tuple[Floats, Floats]:
    """Return precision and recall by weighted subsequence, brought back to words."""
    candidate, total = _sides(table, base.power(table.lengths.astype(float), weight))
    precision, recall = _shares(weighted_lcs(table, weight), candidate, total)
    # The gains are added up a word at a time; rounding must not exceed 1.
    inverse = 1 / weight
    return (
        base.power(np.minimum(precision, 1.0), inverse),
        base.power(np.minimum(recall, 1.0), inverse),
    )


def _gram_overlap(table: CaptionTable, grams: GramTable) -> tuple[Floats, Floats]:
    """Return precision and recall by shared units, each as often as both have it."""
    captions, count = len(table.image), grams.count.astype(float)
    rows, own_rows = grams.reference_rows, grams.candidate_rows
    shared = np.minimum(count[rows], count[own_rows])
    overlap = np.bincount(grams.caption[rows], shared, captions).astype(float)
    units = np.bincount(grams.caption, count, captions).astype(float)
    return _shares(overlap[table.references], *_sides(table, units))


def _skip_bigrams(table: CaptionTable, skip: int, words: bool) -> GramTable:
    """Return pairs of words at most `skip` words apart, with the words if asked."""
    longest = int(table.lengths.max(initial=0))
    spans = range(2, min(skip + 2, longest) + 1)
    first = [ngrams.positions(table, span) for span in spans]
    last = [at + span - 1 for at, span in zip(first, spans)]
    # 0 in the first half marks a single word; words in pairs are moved up by 1.
    high = [table.words[at] + 1 for at in first]
    if words:
        single = np.arange(len(table.words))
        first, last = [*first, single], [*last, single]
        high = [*high, np.zeros_like(single)]
    none = np.empty(0, np.int64)
    starts, ends = np.concatenate([none, *first]), np.concatenate([none, *last])
    return ngrams.tabulate(
        table, np.concatenate([none, *high]), table.words[ends], starts
    )
