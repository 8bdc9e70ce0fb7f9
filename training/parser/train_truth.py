"""Train, evaluate and package the parser of captions as people read them.

    python -m training.parser.train_truth            # two hours, one core
    python -m training.parser.train_truth --smoke    # minutes, some hundred captions
    python -m training.parser.train_truth --start FOLDER    # goes on from a network

In: `SHARED/scene-graphs/factual-train.jsonl.gz` (captions with graphs that people
drew), the original parser's best trees of them and of COCO captions (`silver-kbest`),
`SHARED/treebanks/ewt-*.conllu.gz` and `ANNOTATED` (gold trees), sentences as they were
written, with their commas (`commas`), two stock spaCy models (`voted`), and the bundled
parser, whose network is where learning begins. Out: `--work`/caption_graph_parser-1.8,
like the one in `spicepy/parsing/models/`.

Each of the first stages chooses a tree of every caption by what its network, the stock
models and the original think and by the drawn graph (`teachers`), mends it (`repairs`),
makes paraphrases (`paraphrases`), and trains the network on these and the treebank. The
last stages need no teachers: of the trees that the network thinks possible they take
the one whose graph, made by the rules of spicepy-1, is most like the drawn one
(`checked`). From there on the network reads commas. The mean of the last networks is
the result. `--start` begins with these, from a network that is there.
"""

import argparse
import platform
import time
from collections.abc import Sequence
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import spacy

from spicepy.parsing.bundled.analyser import Analyser, read_part
from spicepy.parsing.bundled.network import Network
from spicepy.parsing.parser import DEFAULT, MODELS
from spicepy.pipeline import Pipeline
from training import ROOT, SHARED
from training.parser.checked import Reading, drawn_captions, readings
from training.parser.commas import (
    annotated_trees,
    parts_a_name,
    trees_with_commas,
    written_sentences,
)
from training.parser.convert import Row, write_docs
from training.parser.learning import (
    RESUMED,
    ROUNDS,
    SEED,
    SMOKE,
    STAGES,
    WRITTEN,
    Checked,
    averaged,
    is_known,
    learn,
    own_trees,
    pruned,
    rows_of,
    small_round,
    with_new_words,
)
from training.parser.paraphrases import paraphrases, third_persons
from training.parser.repairs import repaired, verbal_words
from training.parser.train import package
from training.parser.treebank import read_treebank
from training.parser.voted import LONGEST, Caption, coco, factual, tagged, voted

TARGET = "caption_graph_parser-1.8"
DESCRIPTION = (
    "Penn tags and basic Universal Dependencies v1 trees of captions as people read "
    "them, for scene graphs."
)

START = MODELS / DEFAULT / "caption_parser" / "network"
"""The network that the first round begins with; a word that it reads as another one
begins with no vector of its own."""

LONGEST_GOLD = 60
ANNOTATED = ("constructions-dev.conllu", "language.conllu")
"""The sentences of `fixtures/domains` that are learnt from."""

OFTEN = 12
"""The number of times that they are learnt from for each time of other trees."""

AVERAGED = (1, 2)
"""The weights of the last networks in the mean: version 1.8 is that of 1.7 and, twice,
of a round that goes on from it."""

BETTER, MENDED = 2, 3
"""The numbers of times that captions are learnt from whose graph became better, and
became the drawn one."""

LONG = 9
"""The minimum number of words of captions that are learnt from once more."""

NEW = 10
"""The minimum count in sentences with commas of a word that gets a vector there."""

SEEN = 4
"""The minimum count in a round's captions of a word with a vector of its own."""


class Material(NamedTuple):
    """The material that every round learns from.

    Attributes:
        drawn: Words of captions, and the tuples of their drawn graphs.
        others: COCO captions.
        verbal: Words that are verbs where they may be nouns; see `verbal_words`.
        written: Trees of sentences with commas.
        gold: Sentences of the treebank, with commas.
        annotated: Captions that were annotated by hand.
    """

    drawn: Sequence[Any]
    others: Sequence[Caption]
    verbal: frozenset[str]
    written: Sequence[list[Row]]
    gold: list[list[Row]]
    annotated: list[list[Row]]


def run(
    shared: Path, work: Path, smoke: bool, start: Path | None
) -> tuple[Network, dict[str, Any]]:
    """Run all stages; return the last network and how much it learnt from."""
    before = Network(*read_part(start or START))
    treebank = shared / "treebanks"
    gold = [
        rows
        for rows in read_treebank(treebank / "ewt-train.conllu.gz", commas=True)
        if len(rows) <= LONGEST_GOLD and is_known(rows, before.names)
    ]
    domains = ROOT / "fixtures" / "domains"
    annotated = [rows for name in ANNOTATED for rows in annotated_trees(domains / name)]
    dev = list(read_treebank(treebank / "ewt-dev.conllu.gz", commas=True))[::3]
    dev = [x for x in dev if len(x) <= LONGEST and is_known(x, before.names)]
    write_docs(dev, work / "dev.spacy")
    first = SMOKE if smoke else None
    others = list(islice(coco(shared), first))
    if not start:
        seen = list(islice(factual(shared), first))
        before = voted(before, seen, others, gold, work, smoke)
    drawn = drawn_captions(shared / "scene-graphs")[:first]
    verbal = verbal_words(tagged(others))
    sentences = written_sentences(shared, first or WRITTEN, SEED)
    if start:
        written = [
            rows
            for rows in own_trees(before, sentences)
            if is_known(rows, before.names) and not parts_a_name(rows)
        ]
    else:
        written = trees_with_commas(before, sentences, verbal)
    before = with_new_words(before, written, NEW)
    material = Material(drawn, others, verbal, written, gold, annotated)
    sizes: dict[str, Any] = {}
    networks = [before]
    rounds = RESUMED if start else ROUNDS
    for number, stage in enumerate(map(small_round, rounds) if smoke else rounds):
        trees, sizes = round_trees(networks[-1], material, stage, SEED + number)
        print(f"round {number}: {sizes}", flush=True)
        begun = pruned(networks[-1], trees, SEEN)
        networks.append(learn(work, f"round{number}", begun, trees, stage))
    last = zip(networks[-len(AVERAGED) :], AVERAGED, strict=True)
    return averaged([network for network, often in last for _ in range(often)]), sizes


def round_trees(
    before: Network, material: Material, stage: Checked, seed: int
) -> tuple[list[list[Row]], dict[str, int]]:
    """Return the trees that a round learns from, and how many there are of each kind.

    Args:
        before: The network of the round before, which reads the captions.
        material: The training data of all rounds.
        stage: The sizes of this round.
        seed: Random seed of readings and paraphrases.
    """
    pipeline = Pipeline(grammar="spicepy-1")
    found = readings(before, pipeline, material.drawn, seed)
    own = [rows_of(words, x.tree) for (words, _), x in zip(material.drawn, found)]
    mended = [repaired(rows, material.verbal) for rows in own]
    pairs = [(rows, x) for rows, x in zip(mended, found, strict=True) if rows]
    known = [rows for rows, _ in pairs]
    weighed = [rows for rows, x in pairs for _ in range(weight(rows, x))]
    plain = own_trees(before, [x.words for x in material.others[: stage.others]])
    mended = [repaired(rows, material.verbal) for rows in plain]
    captions = [rows for rows in mended if rows]
    more = list(paraphrases(known, third_persons(known), stage.paraphrases, seed))
    gold = [*stage.gold * material.gold, *OFTEN * material.annotated]
    trees = [*weighed, *captions, *more, *material.written, *gold]
    sizes = {
        "captions with scene graphs": len(known),
        "of these with a better tree": sum(x.f > x.before for x in found),
        "other captions": len(captions),
        "paraphrases": len(more),
        "sentences with commas": len(material.written),
        "gold trees": len(material.gold) + len(material.annotated),
    }
    return [rows for rows in trees if is_known(rows, before.names)], sizes


def weight(rows: Sequence[Row], reading: Reading) -> int:
    """Return how often a caption is learnt from: long ones are few."""
    better = reading.f > reading.before
    often = (MENDED if reading.whole else BETTER) if better else 1
    return often + (len(rows) >= LONG)


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
    """Return the data, options and duration of the training."""
    return {
        "description": DESCRIPTION,
        "license": "CC BY-SA 4.0",
        "sources": [
            {"name": "UD English EWT", "license": "CC BY-SA 4.0"},
            {"name": "FACTUAL (Visual Genome)", "license": "CC BY 4.0"},
            {"name": "COCO train2014 captions", "license": "CC BY 4.0"},
            {"name": "DiscoSG, descriptions", "license": "text only"},
            {"name": "POPE and OPERA, answers of models", "license": "text only"},
            {"name": "spaCy en_core_web_sm 3.8.0 and 3.6.0", "license": "MIT"},
        ],
        "training": {
            **sizes,
            "seed": SEED,
            "start": start.parts[-3] if start else f"{DEFAULT}/{START.name}",
            "stages": [] if start else [asdict(stage) for stage in STAGES],
            "rounds": [asdict(stage) for stage in (RESUMED if start else ROUNDS)],
            "averaged": AVERAGED,
            "minutes": round(minutes, 1),
            "spacy": spacy.__version__,
            "python": platform.python_version(),
        },
    }


if __name__ == "__main__":
    main()
