"""How often does a metric prefer the caption that people preferred?

In: `Pair` values. Out: `Accuracies`: the share of pairs where the preferred
caption scores higher, by category and number of references.

Source: Vedantam et al. 2015, CIDEr, section 5 (triplets, consensus, number of
references); categories HC, HI, HM, MM: section 7 there.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from spicepy.common.errors import InputError, shown, unknown
from spicepy.common.plain import plain
from spicepy.common.tables import Cell, Table
from spicepy.evaluation.evaluation import metrics_of
from spicepy.evaluation.significance import SEED, check_seed
from spicepy.metrics.base import Array, Metric
from spicepy.study.preferences import Pair
from spicepy.study.scoring import SampleScores, score
from spicepy.tokenization.samples import TokenisedSample, tokenised

Ties = Literal["half", "strict", "equal"]

ALL = "all pairs"
MEAN = "mean of categories"

_CREDIT = {"half": 0.5, "strict": 0.0, "equal": 1.0}
_TIE = 1e-12  # scores closer than this are a tie: sums round


@dataclass(frozen=True, slots=True)
class Accuracy:
    """Accuracy (0-1) of one key in one category with so many references.

    The mean over repeated samples of references, `sd` between them (n - 1; NaN
    for one). `tied` is the share of pairs whose captions score alike (they
    count as the tie rule says; two undefined scores are a tie, an undefined
    one loses). `references` is None where all were used.
    """

    key: str
    category: str
    references: int | None
    accuracy: float
    sd: float
    tied: float
    pairs: int


@dataclass(frozen=True, slots=True)
class Accuracies:
    """Accuracies of all keys, categories and numbers of references."""

    protocol: Mapping[str, Any]
    signatures: tuple[str, ...]
    accuracies: tuple[Accuracy, ...]

    def accuracy(
        self, key: str, category: str = ALL, references: int | None = None
    ) -> Accuracy:
        """One of the accuracies."""
        wanted = (key, category, references)
        for a in self.accuracies:
            if (a.key, a.category, a.references) == wanted:
                return a
        for what, name, known in (
            ("score", key, [a.key for a in self.accuracies]),
            ("category", category, [a.category for a in self.accuracies]),
        ):
            if name not in known:
                raise unknown(what, name, known)
        counts = (str(a.references or "all") for a in self.accuracies)
        raise unknown("number of references", references, counts)

    def tables(self) -> tuple[Table, ...]:
        """Metrics by category; if references vary, one table a category more."""
        notes = tuple(f"{name}: {value}" for name, value in self.protocol.items())
        counts = list(dict.fromkeys(a.references for a in self.accuracies))
        main = [_by_category(self.accuracies, c, notes) for c in counts[-1:]]
        if len(counts) > 1:
            main += _by_references(self.accuracies, notes)
        return tuple(main)

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values, `None` where undefined."""
        return {"study": "pairs", **plain(self)}


def pairs(
    preferences: Sequence[Pair],
    *,
    metrics: Sequence[str | Metric],
    references: Sequence[int | None] = (None,),
    repeats: int = 10,
    ties: Ties = "half",
    remove_equal: bool = True,
    seed: int = SEED,
) -> Accuracies:
    """Accuracy of metrics against people's preferences.

    Args:
        preferences: Pairs of captions with the preferred one.
        metrics: Registry names or metrics.
        references: Numbers of references to try, each sampled without
            replacement for every pair; None is all. A pair with fewer uses all,
            which the protocol says; at least one pair must have so many.
        repeats: Samples of references for each number.
        ties: Credit for a tie: "half" 0.5, "strict" 0, "equal" 1.
        remove_equal: Remove references equal to one of the two candidates
            before sampling; a pair left without any is left out and counted.
        seed: Of the samples.

    Raises:
        InputError: No pair is left or an option is wrong.
    """
    _check(preferences, references, repeats, ties, seed)
    scorers = list(metrics_of(metrics))
    words = tokenised(
        [c for p in preferences for c in (p.first, p.second, *p.references)]
    )
    kept = list(_tokenised(preferences, words, remove_equal))
    if not kept:
        raise InputError("no pair has references other than its candidates")
    _check_counts(kept, references)
    accuracies: list[Accuracy] = []
    for count in references:
        samples = list(_samples(kept, count, repeats, seed))
        found = score(scorers, samples, documents=_documents(kept))
        accuracies += _accuracies(kept, found, count, _CREDIT[ties])
    protocol: dict[str, Any] = {
        "pairs": len(kept),
        "pairs left without references": len(preferences) - len(kept),
        "references": ", ".join(str(c or "all") for c in references),
        "samples of references": repeats,
        "tie": f"{ties} ({_CREDIT[ties]} credit)",
        "references equal to a candidate": "removed" if remove_equal else "kept",
        "document frequencies": "one document an image, from all its references",
        "seed": seed,
    }
    if few := _fewer(kept, references):
        protocol["pairs with fewer references"] = few
    return Accuracies(protocol, found.signatures, tuple(accuracies))


def _check(
    preferences: Sequence[Pair],
    references: Sequence[int | None],
    repeats: int,
    ties: str,
    seed: int,
) -> None:
    if not preferences:
        raise InputError("no pairs")
    if not references or any(c is not None and c < 1 for c in references):
        raise InputError(
            f"references is {list(references)}; numbers of 1 or more are needed"
        )
    check_seed(seed)
    if repeats < 1:
        raise InputError(f"repeats is {repeats}; it must be 1 or more")
    if ties not in _CREDIT:
        raise InputError(f"unknown tie rule {shown(ties)}; known: {', '.join(_CREDIT)}")


def _check_counts(
    preferences: Sequence[Pair], references: Sequence[int | None]
) -> None:
    """Refuse numbers that no pair has: their column would repeat another."""
    most = max(len(pair.references) for pair in preferences)
    beyond = [str(count) for count in references if count is not None and count > most]
    if beyond:
        raise InputError(
            f"references is {', '.join(beyond)}, but a pair has at most {most} "
            "(without those equal to a candidate); use smaller numbers, or 'all'"
        )


def _fewer(preferences: Sequence[Pair], references: Sequence[int | None]) -> str:
    """How many pairs have fewer references than a number asks for."""
    sizes = [len(pair.references) for pair in preferences]
    counts = [count for count in references if count is not None]
    found = [(c, sum(size < c for size in sizes)) for c in counts]
    parts = [
        f"{pairs} of {len(sizes)} have fewer than {c}" for c, pairs in found if pairs
    ]
    return f"{'; '.join(parts)}: all of theirs are used" if parts else ""


def _tokenised(
    preferences: Sequence[Pair], words: Mapping[str, str], remove_equal: bool
) -> Iterator[Pair]:
    for pair in preferences:
        first, second = words[pair.first], words[pair.second]
        references = tuple(words[c] for c in pair.references)
        if remove_equal:
            references = tuple(c for c in references if c not in (first, second))
        if references:
            yield replace(pair, first=first, second=second, references=references)


def _documents(preferences: Sequence[Pair]) -> list[tuple[str, ...]]:
    return list({p.image_id: p.references for p in preferences}.values())


def _samples(
    preferences: Sequence[Pair], count: int | None, repeats: int, seed: int
) -> Iterator[TokenisedSample]:
    """Both candidates of every pair against the same references, repeated."""
    generator = np.random.default_rng([seed, count or 0])
    number = 0
    for pair in preferences:
        for _ in range(repeats if count else 1):
            references = pair.references
            if count is not None and count < len(references):
                kept = generator.permutation(len(references))[:count]
                references = tuple(references[i] for i in sorted(kept))
            for caption in (pair.first, pair.second):
                yield TokenisedSample(number, caption, references)
                number += 1


def _accuracies(
    preferences: Sequence[Pair], scores: SampleScores, count: int | None, credit: float
) -> Iterator[Accuracy]:
    """Accuracies of every key and category, their mean and the whole."""
    kinds = np.array([pair.category for pair in preferences], dtype=object)
    names = sorted(set(kinds)) if len(set(kinds)) > 1 else []
    signs = np.array([1.0 if p.preferred == "a" else -1.0 for p in preferences])
    for key in scores.keys:
        both = scores[key].reshape(len(preferences), -1, 2).swapaxes(0, 1)
        credits, tied = _credits(both, signs, credit)
        found = {name: credits[:, kinds == name].mean(axis=1) for name in names}
        for name in names:
            pairs_of = kinds == name
            yield _accuracy(key, name, count, found[name], tied[:, pairs_of])
        if names:
            mean = np.mean(list(found.values()), axis=0)
            yield _accuracy(key, MEAN, count, mean, tied)
        yield _accuracy(key, ALL, count, credits.mean(axis=1), tied)


def _credits(both: Array, signs: Array, credit: float) -> tuple[Array, Array]:
    """Credit and ties, (repeats, pairs); an undefined score ranks last."""
    ranked = np.where(np.isnan(both), -np.inf, both)
    with np.errstate(invalid="ignore"):
        ahead = (ranked[..., 0] - ranked[..., 1]) * signs
    tied = np.isnan(ahead) | (np.abs(ahead) <= _TIE)
    return np.where(tied, credit, ahead > 0), tied.astype(np.float64)


def _accuracy(
    key: str, category: str, count: int | None, repeats: Array, tied: Array
) -> Accuracy:
    sd = float(repeats.std(ddof=1)) if len(repeats) > 1 else float("nan")
    mean = float(repeats.mean())
    return Accuracy(key, category, count, mean, sd, float(tied.mean()), tied.shape[1])


def _by_category(
    accuracies: Sequence[Accuracy], count: int | None, notes: tuple[str, ...]
) -> Table:
    chosen = [a for a in accuracies if a.references == count]
    categories = tuple(dict.fromkeys(a.category for a in chosen))
    keys = dict.fromkeys(a.key for a in chosen)
    cells = {(a.key, a.category): a for a in chosen}
    rows: list[tuple[Cell, ...]] = []
    for key in keys:
        values = [cells[key, category].accuracy for category in categories]
        rows.append((key, *values, cells[key, ALL].tied))
    title = f"Pairwise accuracy, {count or 'all'} references"
    return Table(title, ("metric", *categories, "tied"), tuple(rows), notes)


def _by_references(
    accuracies: Sequence[Accuracy], notes: tuple[str, ...]
) -> Iterator[Table]:
    counts = tuple(dict.fromkeys(a.references for a in accuracies))
    cells = {(a.key, a.category, a.references): a for a in accuracies}
    keys = tuple(dict.fromkeys(a.key for a in accuracies))
    columns = [f"{c or 'all'}{part}" for c in counts for part in ("", " sd")]
    for category in dict.fromkeys(a.category for a in accuracies):
        rows: list[tuple[Cell, ...]] = []
        for key in keys:
            chosen = [cells[key, category, c] for c in counts]
            rows.append((key, *(v for a in chosen for v in (a.accuracy, a.sd))))
        title = f"Accuracy by number of references, {category}"
        yield Table(title, ("metric", *columns), tuple(rows), notes)
