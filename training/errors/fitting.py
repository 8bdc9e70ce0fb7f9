"""Weights of the evidence for findings, fitted to what people said of captions.

    python -m training.errors.fitting --shared ../shared

In: `bags`. Out: `grammars/finding_weights.tsv`, a logistic model a kind, and, printed,
how far stated probabilities are true where the model was not fitted: on other images,
and on other data sets.

A bag of findings is right if one of them is: P = 1 - (1 - leak) Π (1 - p), a noisy-or.
The weights of a kind are the sum of weights that all kinds share and of its own, both
drawn to 0, so that a rare kind is as the others are (a hierarchical prior).
"""

import argparse
import pickle
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq, minimize

from spicepy.diagnosis.kinds import MISSING, NAMES, REMARKS, WRONG
from spicepy.diagnosis.kinds.detections import FEATURES
from training import ROOT, SHARED
from training.errors.bags import Bag, bags
from training.errors.verdicts import exported_verdicts

Array = NDArray[np.float64]
OUT: Final = ROOT / "grammars" / "finding_weights.tsv"
FOLDS: Final = 5
WEIGHTS: Final = {
    **{"flickr30k": 6.0, "hat": 2.0, "verdicts": 2.0},
    "outlines": 0.5,
    **{"composite": 0.3, "nebula_test": 0.2, "capeval1k": 0.2},
}
"""Weights of the data sets: labels of words and kinds of errors tell more than ratings
of captions. Others weigh 1."""
PEOPLE: Final = 2.0
"""Weight of all captions of people, over that of all labelled captions of machines."""
MEASURED: Final = 12
"""The number of labelled findings that a kind needs for weights of its own row."""
OF_ANSWERS: Final = ("long", "long_near", "long_raised", "long_exclusive")
"""Features of answers of large models. Only kinds that outlines decide have weights of
them, each its own."""
HEAD: Final = (
    "# Made by training/errors/fitting.py: log-odds that a finding is right, by kind.\n"
    "# One row for each kind; `FEATURES` in spicepy/diagnosis/kinds/detections.py says "
    "what they are.\n"
)
_SHARED: Final = 0.1  # Precision of the prior of the weights that kinds share.
_OWN: Final = 0.4  # The same of a kind's own weights,
_BIAS: Final = 0.1  # and of its bias.
_NEVER: Final = 1e6  # The precision of weights that stay 0.
_MAX_SHIFT: Final = 10.0  # A bias is moved by this at most.
_STOP: Final = {"maxiter": 5000, "maxfun": 8000, "ftol": 1e-10, "gtol": 1e-4}
"""The optimiser stops when the loss hardly falls, after some 2,500 steps."""
_EDGES: Final = np.array([0, 0.05, 0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 1.01])
_NEVER_LESS: Final = ("against", "conclusive")
"""Features that should never make it less likely that something is said wrong."""
_GROUPS: Final = (WRONG, MISSING, REMARKS)
"""Kinds that share weights."""


@dataclass(frozen=True)
class Problem:
    """The bags of some kinds as arrays.

    Attributes:
        features: The features of each finding, a row a finding.
        of_kind: The rows of the findings of each kind.
        of_bag: The number of the bag of each finding.
        target, weight, leak: The target, weight and leak of each bag.
        penalty: The precision of the prior of each weight.
    """

    features: Array
    of_kind: Sequence[NDArray[np.intp]]
    of_bag: NDArray[np.intp]
    target: Array
    weight: Array
    leak: Array
    penalty: Array


def problem(found: Sequence[Bag], kinds: Sequence[str]) -> Problem:
    """Return bags as arrays."""
    size = len(FEATURES)
    every = [finding for bag in found for finding in bag.findings]
    names = np.array([kind for kind, _ in every])
    sizes = [len(bag.findings) for bag in found]
    own = np.where(np.arange(size) == 0, _BIAS, _OWN)
    of_answers = np.array([name in OF_ANSWERS for name in FEATURES])
    shared = np.where(of_answers, _NEVER, _SHARED)
    outlined = Counter(b.findings[0][0] for b in found if b.data == "outlines")
    few = np.where(of_answers, _NEVER, own)
    owns = [own if outlined[kind] >= MEASURED else few for kind in kinds]
    return Problem(
        np.array([features for _, features in every]),
        [np.flatnonzero(names == kind) for kind in kinds],
        np.repeat(np.arange(len(found)), sizes),
        np.array([bag.target for bag in found]),
        _weights(found),
        np.array([bag.leak for bag in found]),
        np.concatenate([shared, *owns]),
    )


def _weights(found: Sequence[Bag]) -> Array:
    """Return the weight of each bag; those of people are scaled to their share."""
    weights = np.array([WEIGHTS.get(bag.data, 1.0) for bag in found])
    people = np.array([bag.by_people for bag in found])
    read = np.array([bag.data == "verdicts" for bag in found])
    labelled = np.array([not bag.leak for bag in found]) & ~people
    many = people & ~read
    if many.any():
        weights[many] *= PEOPLE * weights[labelled].sum() / weights[many].sum()
    return weights


def fit(found: Sequence[Bag], kinds: Sequence[str]) -> Array:
    """Return the weights: a row for each kind, a column for each feature."""
    given = problem(found, kinds)
    weights = _fitted(given, kinds)
    # What few labels turn round is left out, and the others are fitted once more; one
    # that falls below 0 only then stays (`conclusive` of "wrong material", -.06).
    columns = [FEATURES.index(name) for name in _NEVER_LESS] if kinds == WRONG else []
    wrong = [(k, c) for k in range(len(kinds)) for c in columns if weights[k, c] < 0]
    if wrong:
        for kind, column in wrong:
            given.features[given.of_kind[kind], column] = 0.0
        weights = _fitted(given, kinds)
        weights[tuple(zip(*wrong))] = 0.0
    return weights


def _fitted(given: Problem, kinds: Sequence[str]) -> Array:
    shape = 1 + len(kinds), len(FEATURES)

    def loss(weights: Array) -> tuple[float, Array]:
        shared, *every = weights.reshape(shape)
        score = np.empty(len(given.features))
        for rows, own in zip(given.of_kind, every):
            score[rows] = given.features[rows] @ (shared + own)
        p = 1 / (1 + np.exp(-score))
        logs = np.bincount(
            given.of_bag, -np.logaddexp(0, score), len(given.target)
        ) + np.log1p(-given.leak)
        none = np.clip(np.exp(logs), 1e-6, 1 - 1e-6)
        some, target = 1 - none, given.target
        value = -given.weight * (target * np.log(some) + (1 - target) * logs)
        slope = given.weight * (1 - target / some)  # of -logs
        slopes = slope[given.of_bag] * p
        by_kind = [slopes[rows] @ given.features[rows] for rows in given.of_kind]
        gradient = np.concatenate([sum(by_kind), *by_kind])
        prior = given.penalty * weights
        return value.sum() + prior @ weights / 2, gradient + prior

    start = np.zeros(shape[0] * shape[1])
    best = minimize(loss, start, jac=True, method="L-BFGS-B", options=_STOP)
    table: Array = best.x.reshape(shape)
    of_kinds: Array = table[1:] + table[0]
    return of_kinds


def fit_all(found: Sequence[Bag]) -> dict[str, Array]:
    """Return kind -> weights."""
    weights: dict[str, Array] = {}
    for kinds in _GROUPS:
        own = [b for b in found if b.findings[0][0] in kinds]
        if own:
            weights |= dict(zip(kinds, fit(own, kinds), strict=True))
            if kinds == MISSING:
                _recalibrate(own, weights)
    return weights


def _recalibrate(found: Sequence[Bag], weights: dict[str, Array]) -> None:
    """Move each bias until findings are stated right as often as readers found them.

    Ratings of thoroughness rank what is left out, but also ask whether it matters.
    """
    for kind in MISSING:
        read = [bag for bag in found if bag.data == "verdicts"]
        read = [bag for bag in read if bag.findings[0][0] == kind]
        if not read:
            continue
        # The rule of succession: of three findings that are right, not all are.
        wanted = (sum(bag.target for bag in read) + 1) / (len(read) + 2)
        scores = np.array([weights[kind] @ np.array(b.findings[0][1]) for b in read])

        def excess(
            shift: float, scores: Array = scores, wanted: float = wanted
        ) -> float:
            return float(np.mean(1 / (1 + np.exp(-(scores + shift))))) - wanted

        weights[kind][0] += brentq(excess, -_MAX_SHIFT, _MAX_SHIFT)


def stated(bag: Bag, weights: dict[str, Array]) -> Array:
    """Return the probability of each finding of a bag."""
    scores = [weights[kind] @ np.array(x) for kind, x in bag.findings]
    chances: Array = 1 / (1 + np.exp(-np.array(scores)))
    return chances


def folds(found: Sequence[Bag], by: str) -> Iterator[tuple[list[Bag], list[Bag]]]:
    """Yield (fitted to, tested on), split by image or by data set."""
    keys = sorted({getattr(bag, by) for bag in found})
    number = len(keys) if by == "data" else FOLDS
    fold = {key: n % number for n, key in enumerate(keys)}
    for n in range(number):
        test = [bag for bag in found if fold[getattr(bag, by)] == n]
        yield [bag for bag in found if fold[getattr(bag, by)] != n], test


def reliability(pairs: Sequence[tuple[float, float]]) -> list[tuple[Any, ...]]:
    """Return (from, to, number, mean stated, mean true) of each range."""
    values = np.array(pairs).reshape(-1, 2)
    of = np.digitize(values[:, 0], _EDGES) - 1
    return [
        (_EDGES[k], _EDGES[k + 1], len(own), own[:, 0].mean(), own[:, 1].mean())
        for k in range(len(_EDGES) - 1)
        if len(own := values[of == k])
    ]


def curves(found: Sequence[Bag], by: str) -> dict[str, list[tuple[float, float]]]:
    """Return (stated, true) of held-out findings that have a label of their own."""
    pairs: dict[str, list[tuple[float, float]]] = {"machine": [], "people": []}
    wrong = [bag for bag in found if bag.findings[0][0] in WRONG]
    for train, test in folds(wrong, by):
        weights = fit_all(train)
        for bag in test:
            if bag.leak or bag.data == "foil":  # Rated as a whole; made by replacing.
                continue
            some = float(1 - np.prod(1 - stated(bag, weights)))
            pairs["people" if bag.by_people else "machine"].append((some, bag.target))
    return pairs


def write(weights: dict[str, Array], found: Sequence[Bag], path: Path) -> None:
    """Write the table of weights for the kinds with enough labels."""
    labelled = Counter(
        kind
        for bag in found
        if not bag.by_people and not bag.leak
        for kind in {kind for kind, _ in bag.findings}
    )
    lines = ["\t".join(("kind", *FEATURES))]
    lines += [
        "\t".join((k, *(f"{w:.2f}" for w in weights[k])))
        for k in NAMES
        if labelled[k] >= MEASURED or k in REMARKS
    ]
    path.write_text(HEAD + "\n".join(lines) + "\n", encoding="utf-8")


def main() -> None:
    """Fit the weights, print reliability, write the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--shared", type=Path, default=SHARED)
    parser.add_argument("--cache", help="a folder of parses")
    parser.add_argument("--bags", type=Path, help="a file of bags, kept for other runs")
    parser.add_argument("--check", action="store_true", help="cross-validate as well")
    parser.add_argument(
        "--verdicts",
        type=Path,
        action="append",
        default=[],
        help="verdicts exported from a report's page; may be repeated",
    )
    options = parser.parse_args()
    try:
        judged = exported_verdicts(options.verdicts)
    except (OSError, ValueError) as error:
        parser.error(str(error))
    if options.bags and options.bags.exists():
        found = pickle.loads(options.bags.read_bytes())
    else:
        found = bags(options.shared, options.cache, judged)
        if options.bags:
            options.bags.write_bytes(pickle.dumps(found))
    print(len(found), "bags", sum(len(bag.findings) for bag in found), "findings")
    write(fit_all(found), found, OUT)
    for by in ("image_id", "data") if options.check else ():
        for name, pairs in curves(found, by).items():
            print(f"held out by {by}, captions of {name}: stated, true")
            for low, high, number, said, true in reliability(pairs):
                print(f"  {low:.2f}-{high:.2f} {number:6} {said:.3f} {true:.3f}")


if __name__ == "__main__":
    main()
