"""Accuracy: how often a metric prefers the caption that people preferred.

Source: Vedantam et al. 2015, CIDEr, section 5 (triplets, consensus, number of
references); categories HC, HI, HM, MM: section 7 there.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spicepy.common.errors import InputError, brief, counted, find_name, unknown
from spicepy.common.resources import LazyModule
from spicepy.common.settings import SEED, Ties, check_seed
from spicepy.common.tables import Cells, P, Table
from spicepy.evaluation.evaluation import metrics_of
from spicepy.metrics.base import Array, Metric
from spicepy.study.coefficients import coefficient
from spicepy.study.preferences import Pair, Ranked, ranked_pairs
from spicepy.study.scoring import SampleScores, StudyResult, score
from spicepy.tokenization.samples import TokenisedSample, tokenised

ALL = "all pairs"
MEAN = "mean of categories"

CREDIT: Mapping[str, float] = {"half": 0.5, "strict": 0.0, "equal": 1.0}
_TIE = 1e-12  # Scores closer than this are a tie, since sums are rounded.


@dataclass(frozen=True, slots=True)
class Accuracy:
    """Accuracy (0-1) of one key in one category with a given number of references.

    `accuracy` is the mean over repeated samples of references, `sd` its standard
    deviation between samples (n - 1 degrees of freedom; NaN for one sample). `tied` is
    the share of pairs with equal scores, which count by the tie rule. Two undefined
    scores are a tie; an undefined score loses against a defined one. `references` is
    None if all were used.
    """

    key: str
    category: str
    references: int | None
    accuracy: float
    sd: float
    tied: float
    pairs: int


def accuracies_of(
    preferences: Sequence[Pair], scores: SampleScores, count: int | None, credit: float
) -> Iterator[Accuracy]:
    """Yield accuracies of every key and category, their mean and the whole."""
    kinds = np.array([pair.category for pair in preferences], dtype=object)
    names = sorted(set(kinds)) if len(set(kinds)) > 1 else []
    signs = np.array([1.0 if p.preferred == "a" else -1.0 for p in preferences])
    for key in scores.keys:
        ahead, ties = lead(scores[key], len(preferences))
        credits = np.where(ties, credit, ahead * signs > 0)
        tied = ties.astype(np.float64)
        means = {name: credits[:, kinds == name].mean(axis=1) for name in names}
        for name in names:
            pairs_of = kinds == name
            yield _accuracy(key, name, count, means[name], tied[:, pairs_of])
        if names:
            mean = np.mean(list(means.values()), axis=0)
            yield _accuracy(key, MEAN, count, mean, tied)
        yield _accuracy(key, ALL, count, credits.mean(axis=1), tied)


def lead(scores: Array, pairs: int) -> tuple[Array, NDArray[np.bool_]]:
    """Return the lead of the first caption, and ties: (repeats, pairs)."""
    # Scores of one key are ordered by pair, then repeat, then caption; undefined ones
    # rank last.
    both = scores.reshape(pairs, -1, 2).swapaxes(0, 1)
    ranked = np.where(np.isnan(both), -np.inf, both)
    with np.errstate(invalid="ignore"):
        ahead = ranked[..., 0] - ranked[..., 1]
    ties = np.isnan(ahead) | (np.abs(ahead) <= _TIE)
    return np.where(ties, 0.0, ahead), ties


def first_wins(scores: Array, pairs: int) -> Array:
    """Return the share of repeats that the first caption wins: (pairs,)."""
    # Ties are half; arguments are as for `lead`.
    ahead, ties = lead(scores, pairs)
    shares: Array = np.where(ties, 0.5, ahead > 0).mean(axis=0)
    return shares


def _accuracy(
    key: str, category: str, count: int | None, repeats: Array, tied: Array
) -> Accuracy:
    sd = float(repeats.std(ddof=1)) if len(repeats) > 1 else float("nan")
    mean = float(repeats.mean())
    return Accuracy(key, category, count, mean, sd, float(tied.mean()), tied.shape[1])


def accuracy_tables(
    accuracies: Sequence[Accuracy], notes: tuple[str, ...]
) -> Iterator[Table]:
    """Yield metrics by category; if references vary, one more table per category."""
    counts = list(dict.fromkeys(a.references for a in accuracies))
    yield _by_category(accuracies, counts[-1], notes)
    if len(counts) > 1:
        yield from _by_references(accuracies, notes)


def _by_category(
    accuracies: Sequence[Accuracy], count: int | None, notes: tuple[str, ...]
) -> Table:
    chosen = [a for a in accuracies if a.references == count]
    categories = tuple(dict.fromkeys(a.category for a in chosen))
    keys = dict.fromkeys(a.key for a in chosen)
    cells = {(a.key, a.category): a for a in chosen}
    rows: list[Cells] = []
    for key in keys:
        values = [cells[key, category].accuracy for category in categories]
        rows.append((key, *values, cells[key, ALL].tied))
    title = f"Pairwise accuracy, {of_references(count)}"
    return Table(title, ("metric", *categories, "tied"), rows, notes)


def of_references(count: int | None) -> str:
    """Return a number of references in words; None is all of them."""
    return "all references" if count is None else counted(count, "reference")


def _by_references(
    accuracies: Sequence[Accuracy], notes: tuple[str, ...]
) -> Iterator[Table]:
    counts = tuple(dict.fromkeys(a.references for a in accuracies))
    cells = {(a.key, a.category, a.references): a for a in accuracies}
    keys = tuple(dict.fromkeys(a.key for a in accuracies))
    columns = [f"{c or 'all'}{part}" for c in counts for part in ("", " sd")]
    for category in dict.fromkeys(a.category for a in accuracies):
        rows: list[Cells] = []
        for key in keys:
            chosen = [cells[key, category, c] for c in counts]
            rows.append((key, *(v for a in chosen for v in (a.accuracy, a.sd))))
        title = f"Accuracy by number of references, {category}"
        yield Table(title, ("metric", *columns), rows, notes)


# The agreement of human preferences with each other: the ceiling of `pairs`.
#
# It is computed over all splits with their probabilities (a hypergeometric
# distribution), so that no random numbers are needed.
#
# Source: Vedantam et al. 2015, CIDEr, section 7 (24 of 48 votes against the other 24).

stats = LazyModule("scipy.stats", "the agreement of votes")


@dataclass(frozen=True, slots=True)
class Ceiling:
    """Agreement (0-1) of two halves of the votes on the pairs of a category."""

    # `pairs` have two votes or more, `votes` on average.
    category: str
    agreement: float
    pairs: int
    votes: float


def split_agreement(votes: tuple[int, int], credit: float = 0.5) -> float:
    """Return how likely two halves of a pair's votes have the same majority."""
    # There are two votes or more; if their number is odd, one half has one vote more.
    # `credit` (0-1) is the agreement of a split of which a half is even.
    total, half = sum(votes), sum(votes) // 2
    first = np.arange(half + 1)  # votes of the one half for the first caption
    chance = stats.hypergeom(total, votes[0], half).pmf(first)
    own = np.sign(2 * first - half)
    other = np.sign(2 * (votes[0] - first) - (total - half))
    agreed = np.where((own == 0) | (other == 0), credit, own == other)
    return float((chance * agreed).sum())


def ceilings(preferences: Sequence[Pair], credit: float) -> Iterator[Ceiling]:
    """Return the agreement of halves for pairs of two votes or more, by category."""
    voted = [p for p in preferences if p.votes and sum(p.votes) > 1]
    if not voted:
        return
    votes = {p.votes for p in voted if p.votes}
    agreements = {both: split_agreement(both, credit) for both in votes}
    names = sorted({p.category for p in voted})
    for name in [*(names if len(names) > 1 else ()), None]:
        members = [p.votes for p in voted if p.votes and name in (None, p.category)]
        agreed = float(np.mean([agreements[both] for both in members]))
        cast = float(np.mean([sum(both) for both in members]))
        yield Ceiling(ALL if name is None else name, agreed, len(members), cast)


def ceiling_table(ceilings: Sequence[Ceiling]) -> Table:
    """Return one row per category."""
    rows = tuple((c.category, c.agreement, c.pairs, c.votes) for c in ceilings)
    columns = ("category", "agreement", "pairs", "votes a pair")
    notes = (
        "people against people: the majority of half the votes on a pair against that "
        "of the other half, over all splits",
    )
    return Table("Agreement of people", columns, rows, notes)


# Wins: the share of pairs that each system wins by people and by metrics.
#
# Source: Vedantam et al. 2015, CIDEr, figure 4.

_MIN_SYSTEMS = 3  # The least number of systems: two points always lie on a line.


@dataclass(frozen=True, slots=True)
class Wins:
    """The shares of pairs (0-1) that systems win, all in the order of `systems`."""

    # `pairs` are those of a system with another one; a metric's tie is half a win.
    # `pearson` (-1 to 1) is the correlation of `people` with `metric`.
    category: str
    key: str
    systems: tuple[str, ...]
    pairs: tuple[int, ...]
    people: tuple[float, ...]
    metric: tuple[float, ...]
    pearson: float
    p_value: float


def system_wins(
    preferences: Sequence[Pair], key: str, first_wins: Array
) -> Iterator[Wins]:
    """Yield the wins of every category that has pairs of three or more systems."""
    # Pairs of a system with itself do not count. `first_wins` is 1 where the metric
    # prefers the first caption, 0.5 for a tie.
    names = sorted({p.category for p in preferences})
    for name in [*(names if len(names) > 1 else ()), None]:
        rows = [
            (p.systems, p.preferred == "a", share)
            for p, share in zip(preferences, first_wins.tolist(), strict=True)
            if p.systems and p.systems[0] != p.systems[1] and name in (None, p.category)
        ]
        systems = sorted({s for both, _, _ in rows for s in both})
        if len(systems) < _MIN_SYSTEMS:
            continue
        counts = np.zeros((3, len(systems)))  # pairs, won by people, by the metric
        for (a, b), people, metric in rows:
            counts[:, systems.index(a)] += 1, people, metric
            counts[:, systems.index(b)] += 1, not people, 1 - metric
        people, metric = counts[1] / counts[0], counts[2] / counts[0]
        correlation = coefficient("pearson", people, metric)
        yield Wins(
            ALL if name is None else name,
            key,
            tuple(systems),
            tuple(counts[0].astype(int).tolist()),
            tuple(people.tolist()),
            tuple(metric.tolist()),
            correlation.value,
            correlation.p_value,
        )


def win_tables(wins: Sequence[Wins]) -> Iterator[Table]:
    """Yield tables by category: systems in rows, and their correlations."""
    for category in dict.fromkeys(w.category for w in wins):
        chosen = [w for w in wins if w.category == category]
        first = chosen[0]
        rows: list[Cells] = [
            (name, first.pairs[i], first.people[i], *(w.metric[i] for w in chosen))
            for i, name in enumerate(first.systems)
        ]
        rows.append(("r with people", None, None, *(w.pearson for w in chosen)))
        rows.append(("p", None, None, *(P(w.p_value) for w in chosen)))
        title = f"Share of pairs that each system wins, {category}"
        columns = ("system", "pairs", "people", *(w.key for w in chosen))
        yield Table(title, columns, rows)


@dataclass(frozen=True, slots=True, repr=False)
class Accuracies(StudyResult):
    """Accuracies of all keys, categories and numbers of references.

    `ceilings` has the agreement of people, if votes are known; `wins` has the shares of
    pairs that systems win, if systems are known; `rankings` has the captions of each
    image. Wins and rankings are those of the last number of references. Rankings are
    not written to files: they are empty in a result that was read from one.
    """

    study = "pairs"
    unwritten = ("rankings",)

    protocol: Mapping[str, Any]
    signatures: tuple[str, ...]
    accuracies: tuple[Accuracy, ...]
    ceilings: tuple[Ceiling, ...] = ()
    wins: tuple[Wins, ...] = ()
    rankings: tuple[Ranked, ...] = field(default=(), repr=False)

    @property
    def keys(self) -> tuple[str, ...]:
        """The scores, in order."""
        return tuple(dict.fromkeys(a.key for a in self.accuracies))

    def accuracy(
        self, key: str, category: str = ALL, references: int | None = None
    ) -> Accuracy:
        """Return one of the accuracies."""
        key = find_name("score", key, self.keys)
        category = find_name(
            "category", category, [a.category for a in self.accuracies]
        )
        wanted = (a for a in self.accuracies if (a.key, a.category) == (key, category))
        known = {a.references: a for a in wanted}
        if references not in known:
            counts = (str(number or "all") for number in known)
            raise unknown("number of references", references, counts)
        return known[references]

    def tables(self) -> tuple[Table, ...]:
        """Return metrics by category and number of references, people, and systems."""
        main = accuracy_tables(self.accuracies, self.notes)
        people = [ceiling_table(self.ceilings)] if self.ceilings else []
        return (*main, *people, *win_tables(self.wins))


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
    """Return the accuracy of metrics against human preferences.

    Args:
        preferences: Pairs of captions with the preferred one.
        metrics: Registry names or metrics.
        references: Numbers of references to try, each sampled without
            replacement for every pair; None is all. A pair with fewer uses all,
            which the protocol says; at least one pair must have that many.
        repeats: Samples of references for each number.
        ties: Credit for a tie: "half" 0.5, "strict" 0, "equal" 1.
        remove_equal: Remove references equal to one of the two candidates
            before sampling; a pair left without any is left out and counted.
        seed: Random seed of the samples.

    Raises:
        InputError: No pair is left or an option is wrong.
    """
    _check(preferences, references, repeats, ties, seed)
    scorers = list(metrics_of(metrics))
    written, kept = _tokenised(preferences, remove_equal)
    _check_counts(kept, references)
    accuracies: list[Accuracy] = []
    documents = list({pair.image_id: pair.references for pair in kept}.values())
    for count in references:
        samples = list(_samples(kept, count, repeats, seed))
        scored = score(scorers, samples, documents=documents)
        accuracies += accuracies_of(kept, scored, count, CREDIT[ties])
    size = len(kept)
    scores = scored.values.reshape(size, -1, 2, len(scored.keys)).mean(axis=1)
    won = [(key, first_wins(scored[key], size)) for key in scored.keys]
    few = _fewer(kept, references)
    protocol = {
        "pairs": size,
        "pairs left without references": len(preferences) - size,
        "references": ", ".join(str(c or "all") for c in references),
        "samples of references": repeats,
        "tie": f"{ties} ({CREDIT[ties]} credit)",
        "references equal to a candidate": "removed" if remove_equal else "kept",
        "document frequencies": "one document per image, from all its references",
        "seed": seed,
        **({"pairs with fewer references": few} if few else {}),
    }
    return Accuracies(
        protocol,
        scored.signatures,
        tuple(accuracies),
        tuple(ceilings(kept, CREDIT[ties])),
        tuple(w for key, first in won for w in system_wins(kept, key, first)),
        tuple(ranked_pairs(written, scores)),
    )


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
    if ties not in CREDIT:
        raise InputError(f"unknown tie rule {brief(ties)}; known: {', '.join(CREDIT)}")


def _check_counts(
    preferences: Sequence[Pair], references: Sequence[int | None]
) -> None:
    """Refuse numbers of references that no pair has."""
    most = max(len(pair.references) for pair in preferences)
    beyond = [str(count) for count in references if count is not None and count > most]
    if beyond:
        raise InputError(
            f"references is {', '.join(beyond)}, but a pair has at most {most} "
            "(without those equal to a candidate); use smaller numbers, or 'all'"
        )


def _fewer(preferences: Sequence[Pair], references: Sequence[int | None]) -> str:
    """Return how many pairs have fewer references than each number."""
    sizes = [len(pair.references) for pair in preferences]
    counts = [count for count in references if count is not None]
    smaller = [(c, sum(size < c for size in sizes)) for c in counts]
    parts = [
        f"{pairs} of {len(sizes)} have fewer than {c}" for c, pairs in smaller if pairs
    ]
    return f"{'; '.join(parts)}: all of theirs are used" if parts else ""


def _tokenised(
    preferences: Sequence[Pair], remove_equal: bool
) -> tuple[list[Pair], list[Pair]]:
    """Return pairs that have references, as written and tokenised."""
    words = tokenised(
        [c for p in preferences for c in (p.first, p.second, *p.references)]
    )
    written, kept = [], []
    for pair in preferences:
        first, second = words[pair.first], words[pair.second]
        references = tuple(words[c] for c in pair.references)
        if remove_equal:
            references = tuple(c for c in references if c not in (first, second))
        if references:
            written.append(pair)
            kept.append(
                replace(pair, first=first, second=second, references=references)
            )
    if not kept:
        raise InputError("no pair has references other than its candidates")
    return written, kept


def _samples(
    preferences: Sequence[Pair], count: int | None, repeats: int, seed: int
) -> Iterator[TokenisedSample]:
    """Yield both candidates of every pair against the same references, repeated."""
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
