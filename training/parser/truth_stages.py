"""The stages of the recipe of the parser for scene graphs, and their sizes.

`train_truth` runs them: first stages whose trees are voted for, then rounds of
self-training with a check.
"""

from dataclasses import dataclass, replace
from typing import Final

SEED: Final = 0
SMOKE: Final = 300
"""The number of captions of each kind in the smoke run."""


@dataclass(frozen=True)
class Stage:
    """One round of choosing trees and learning from them.

    Attributes:
        votes: Nats of a vote of the two stock models (with a full stop after the
            caption), of the original's best tree, and of the first stock model
            without the full stop.
        paraphrases: The number of paraphrases to make.
        steps: Number of training steps.
        rate: Learning rate, at first.
        unknown: A word seen n times is taken for an unknown one in unknown /
            (unknown + n).
    """

    votes: tuple[float, ...]
    paraphrases: int
    steps: int
    rate: float
    unknown: float = 0.25


STAGES = (
    # The bundled network imitates the original: the stock models decide.
    Stage((20.0, 20.0, 5.0, 10.0), 52_000, 2000, 0.0016),
    # Words that are rare or unknown are known by their letters and neighbours alone.
    Stage((1.0, 1.0, 0.5, 0.5), 68_000, 2500, 0.0014, unknown=3.0),
)


WRITTEN: Final = 12_000
"""The number of COCO captions with commas, and of sentences of large models' answers,
from which each round of self-training learns to read commas."""


@dataclass(frozen=True)
class Checked:
    """One round of self-training with a check.

    Attributes:
        paraphrases: The number of paraphrases to make.
        others: COCO captions, with the network's own trees.
        steps: The number of training steps.
        rate: The learning rate at the beginning.
        unknown: As in `Stage`.
        gold: The number of times that the treebank is learnt from.
    """

    paraphrases: int
    others: int
    steps: int
    rate: float
    unknown: float = 3.0
    gold: int = 1


ROUNDS = (
    Checked(40_000, 20_000, 2400, 0.0012),
    Checked(40_000, 25_000, 4000, 0.001),
    Checked(50_000, 25_000, 4000, 0.001),
    Checked(70_000, 25_000, 4000, 0.001),
    Checked(75_000, 25_000, 3000, 0.0009),
    Checked(75_000, 25_000, 2000, 0.0007),
)

RESUMED = (
    Checked(75_000, 25_000, 2000, 0.0007),
    Checked(75_000, 25_000, 2000, 0.0007),
    Checked(75_000, 25_000, 1700, 0.0006, gold=3),
)
"""The rounds that go on from a network of an earlier version."""


def small(stage: Stage) -> Stage:
    """Return a stage of the smoke run."""
    return replace(stage, paraphrases=min(stage.paraphrases, SMOKE), steps=20)


def small_round(stage: Checked) -> Checked:
    """Return a round of the smoke run."""
    return replace(stage, paraphrases=SMOKE, others=SMOKE, steps=20)
