"""Wins: the share of pairs that each system wins by people and by metrics.

In: pairs whose captions name their systems, and their scores. Out: a `Wins` for each
category and key, with the correlation of the two shares over systems.

Source: Vedantam et al. 2015, CIDEr, figure 4.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from spicepy.common.tables import Cells, P, Table
from spicepy.metrics.base import Array
from spicepy.study.coefficients import coefficient
from spicepy.study.credits import ALL
from spicepy.study.preferences import Pair

_FEWEST = 3  # The least number of systems: two points always lie on a line.


@dataclass(frozen=True, slots=True)
class Wins:
    """The shares of pairs (0-1) that systems win, all in the order of `systems`.

    `pairs` are those of a system with another one; a metric's tie is half a win.
    `pearson` (-1 to 1) is the correlation of `people` with `metric`.
    """

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
    """Yield the wins of every category that has pairs of three or more systems.

    Args:
        preferences: Pairs; those of a system with itself do not count.
        key: The key of the metric's score.
        first_wins: 1 where the metric prefers the first caption, 0.5 for a tie,
            (pairs,).
    """
    names = sorted({p.category for p in preferences})
    for name in [*(names if len(names) > 1 else ()), None]:
        rows = [
            (p.systems, p.preferred == "a", share)
            for p, share in zip(preferences, first_wins.tolist(), strict=True)
            if p.systems and p.systems[0] != p.systems[1] and name in (None, p.category)
        ]
        systems = sorted({s for both, _, _ in rows for s in both})
        if len(systems) < _FEWEST:
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
