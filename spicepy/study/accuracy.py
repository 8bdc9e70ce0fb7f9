"""Accuracy: how often a metric prefers the caption that people preferred.

In: `Pair` values. Out: `Accuracies`: the share of pairs where the preferred
caption scores higher, by category and number of references.

Source: Vedantam et al. 2015, CIDEr, section 5 (triplets, consensus, number of
references); categories HC, HI, HM, MM: section 7 there.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from spicepy.common.errors import InputError, brief, unknown
from spicepy.common.json_values import plain
from spicepy.common.settings import SEED, Ties, check_seed
from spicepy.common.tables import Table
from spicepy.common.writing import Displayed
from spicepy.evaluation.evaluation import metrics_of
from spicepy.metrics.base import Metric
from spicepy.study.credits import (
    ALL,
    CREDIT,
    Accuracy,
    Ceiling,
    Wins,
    accuracies_of,
    accuracy_tables,
    ceiling_table,
    ceilings,
    first_wins,
    system_wins,
    win_tables,
)
from spicepy.study.preferences import Pair, Ranked, ranked_pairs
from spicepy.study.scoring import score
from spicepy.tokenization.samples import TokenisedSample, tokenised


@dataclass(frozen=True, slots=True, repr=False)
class Accuracies(Displayed):
    """Accuracies of all keys, categories and numbers of references.

    `ceilings` has the agreement of people, if votes are known; `wins` has the shares of
    pairs that systems win, if systems are known; `rankings` has the captions of each
    image. Wins and rankings are those of the last number of references. Rankings are
    not written to files: they are empty in a result that was read from one.
    """

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
        """Return metrics by category and number of references, people, and systems."""
        notes = tuple(f"{name}: {value}" for name, value in self.protocol.items())
        main = accuracy_tables(self.accuracies, notes)
        people = [ceiling_table(self.ceilings)] if self.ceilings else []
        return (*main, *people, *win_tables(self.wins))

    def to_dict(self) -> dict[str, Any]:
        """Return all but the rankings as plain values, `None` where undefined."""
        parts = ("protocol", "signatures", "accuracies", "ceilings", "wins")
        return {"study": "pairs", **{n: plain(getattr(self, n)) for n in parts}}


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
        "document frequencies": "one document an image, from all its references",
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
