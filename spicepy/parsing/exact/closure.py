"""Chains of unary rules, computed from unary rules."""

import numpy as np

from spicepy.parsing.exact.pcfg import Floats, Ints, Pcfg

LONGEST = 10
"""The maximum number of rules in a chain; the grammar's chains have three."""


def closed(grammar: Pcfg) -> tuple[Ints, Ints, Floats]:
    """Return the best chain between any two different states.

    Returns:
        The state above, the state below, and the score, which is added up in 32 bits
        from below; sorted by the state below.
    """
    steps: dict[int, list[tuple[int, np.float32]]] = {}
    for above, below, score in zip(
        grammar.above.tolist(), grammar.below.tolist(), grammar.unary_score
    ):
        steps.setdefault(below, []).append((above, score))
    chains = [
        (above, below, score)
        for below in sorted(steps)
        for above, score in _above(below, steps).items()
    ]
    columns = zip(*chains)
    above, below = (np.array(next(columns), np.intp) for _ in range(2))
    return above, below, np.array(next(columns), np.float32)


def _above(
    start: int, steps: dict[int, list[tuple[int, np.float32]]]
) -> dict[int, np.float32]:
    """Return the states above a state, each with the best chain's score."""
    best = {start: np.float32(0)}
    news = {start}
    for _ in range(LONGEST):
        improved = set()
        for state in news:
            for above, score in steps.get(state, ()):
                chain = best[state] + score
                if above != start and (above not in best or chain > best[above]):
                    best[above] = chain
                    improved.add(above)
        news = improved
    del best[start]
    return best
