"""The agreement of people's preferences with each other: the ceiling of `pairs`.

In: pairs with the votes for either caption. Out: a `Ceiling` for each category: the
expected agreement of the majorities of two random halves of a pair's votes. It is
computed over all splits with their probabilities (a hypergeometric distribution), so
that no random numbers are needed.

Source: Vedantam et al. 2015, CIDEr, section 7 (24 of 48 votes against the other 24).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from spicepy.common.lazy_imports import LazyModule
from spicepy.common.tables import Table
from spicepy.study.credits import ALL
from spicepy.study.preferences import Pair

stats = LazyModule("scipy.stats", "the agreement of votes")


@dataclass(frozen=True, slots=True)
class Ceiling:
    """Agreement (0-1) of two halves of the votes on the pairs of a category.

    `pairs` have two votes or more, `votes` on average.
    """

    category: str
    agreement: float
    pairs: int
    votes: float


def split_agreement(votes: tuple[int, int], credit: float = 0.5) -> float:
    """Return how likely two halves of a pair's votes have the same majority.

    Args:
        votes: The votes for each caption, two or more together. If their number is
            odd, one half has one vote more.
        credit: The agreement of a split of which a half is even, 0-1.
    """
    total, half = sum(votes), sum(votes) // 2
    first = np.arange(half + 1)  # votes of the one half for the first caption
    chance = stats.hypergeom(total, votes[0], half).pmf(first)
    own = np.sign(2 * first - half)
    other = np.sign(2 * (votes[0] - first) - (total - half))
    agreed = np.where((own == 0) | (other == 0), credit, own == other)
    return float((chance * agreed).sum())


def ceilings(preferences: Sequence[Pair], credit: float) -> Iterator[Ceiling]:
    """Return the agreement of halves for all pairs, and by category.

    Args:
        preferences: Pairs; those with fewer than two votes do not count.
        credit: The agreement of a split of which a half is even, 0-1.
    """
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
    """Return one row a category."""
    rows = tuple((c.category, c.agreement, c.pairs, c.votes) for c in ceilings)
    columns = ("category", "agreement", "pairs", "votes a pair")
    notes = (
        "people against people: the majority of half the votes on a pair against that "
        "of the other half, over all splits",
    )
    return Table("Agreement of people", columns, rows, notes)
