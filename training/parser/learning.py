"""Learning from trees, the sizes of the rounds, and the averaging of networks.

In: trees as rows of CoNLL-U blocks, and a network to go on from. Out: networks.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np

from spicepy.parsing.bundled.analyser import Analyser, read_part
from spicepy.parsing.bundled.network import Network
from spicepy.words.morphology import lemmatize
from training.grammar.kbest import Candidate
from training.parser.convert import Row, shuffled, write_docs
from training.parser.files import floats_of, write_part
from training.parser.train import network_folder, run_stage

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

RESUMED = (Checked(80_000, 25_000, 2000, 0.0007, gold=2),)
"""The round that goes on from a network of an earlier version."""


def small(stage: Stage) -> Stage:
    """Return a stage of the smoke run."""
    return replace(stage, paraphrases=min(stage.paraphrases, SMOKE), steps=20)


def small_round(stage: Checked) -> Checked:
    """Return a round of the smoke run."""
    return replace(stage, paraphrases=SMOKE, others=SMOKE, steps=20)


def learn(
    work: Path,
    name: str,
    start: Network,
    trees: Sequence[list[Row]],
    stage: Stage | Checked,
) -> Network:
    """Train a network on trees, going on from another one."""
    write_part(work / f"{name}-start", start.names, start.arrays)
    write_docs(shuffled(trees, SEED), work / f"{name}.spacy")
    given = {
        "paths.train": work / f"{name}.spacy",
        "paths.start": work / f"{name}-start",
        "vars.width": len(start.arrays["vector bias"]),
        "vars.steps": stage.steps,
        "vars.stand_ins": "false",
        "vars.rate": stage.rate,
        "vars.unknown": stage.unknown,
    }
    run_stage(work, name, [f"--{k}={v}" for k, v in given.items()])
    return Network(*read_part(network_folder(work, name)))


def rows_of(words: Sequence[str], tree: Candidate) -> list[Row]:
    """Turn a tree into the rows of its CoNLL-U block."""
    return [
        (word, tag, lemmatize(word, tag), head, label)
        for word, tag, head, label in zip(words, tree.tags, tree.heads, tree.labels)
    ]


def is_known(rows: Sequence[Row], names: dict[str, list[str]]) -> bool:
    """Return whether it is a tree with tags and labels that the network has."""
    return sum(row[3] == 0 for row in rows) == 1 and all(
        row[1] in names["tags"]
        and row[4] in names["labels"]
        and (row[3] == 0) == (row[4] == "root")
        for row in rows
    )


def own_trees(network: Network, captions: Sequence[list[str]]) -> list[list[Row]]:
    """Return the trees that a network gives captions."""
    trees = Analyser(network).analyse(captions)
    return [rows_of(words, Candidate(*tree)) for words, tree in zip(captions, trees)]


def pruned(network: Network, trees: Iterable[list[Row]], least: int) -> Network:
    """Return a network without the vectors of words that occur less than `least`."""
    counts = Counter(row[0] for rows in trees for row in rows)
    words = network.names["words"]
    kept = [at for at, word in enumerate(words) if not at or counts[word] >= least]
    arrays = floats_of(network)
    arrays["word"] = arrays["word"][kept]
    return Network({**network.names, "words": [words[at] for at in kept]}, arrays)


def with_new_words(network: Network, trees: Iterable[list[Row]], least: int) -> Network:
    """Return a network that also knows the words which occur at least `least` times.

    At first they are like unknown ones.
    """
    counts = Counter(row[0] for rows in trees for row in rows)
    known = network.names["words"]
    new = sorted({word for word, count in counts.items() if count >= least} - {*known})
    arrays = floats_of(network)
    unknown = np.repeat(arrays["word"][:1], len(new), axis=0)
    arrays["word"] = np.concatenate([arrays["word"], unknown])
    return Network({**network.names, "words": [*known, *new]}, arrays)


def averaged(networks: Sequence[Network]) -> Network:
    """Return the mean of networks that went on from each other.

    It has the words of the last one, which the others also have.
    """
    names = networks[-1].names
    arrays = [floats_of(network) for network in networks]
    for network, own in zip(networks, arrays, strict=True):
        place = {word: at for at, word in enumerate(network.names["words"])}
        own["word"] = own["word"][[place[word] for word in names["words"]]]
    mean = {key: sum(own[key] for own in arrays) / len(arrays) for key in arrays[0]}
    return Network(names, mean)
