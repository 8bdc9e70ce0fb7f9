"""Train, evaluate and package the caption parser.

    python training/train.py                 # two hours and a quarter, two cores
    python training/train.py --smoke         # a minute, project captions only

In: `SHARED/silver/*.conllu.gz` (training), `SHARED/oracle/ngram/coco_train_coco.txt.gz`
(more captions, without trees) and `SHARED/oracle/spice/coco5k_captions.jsonl.gz`
(development, never trained on); the smoke run divides
`fixtures/captions_parsed.jsonl.gz` between them. Out: `--work`/caption_parser-2.7, the
one in `spicepy/parsing/models/`.
"""

import argparse
import hashlib
import json
import os
import platform
import subprocess
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import spacy
from accuracy import accuracy, read_analysed
from convert import Row, read_conllu, shuffled, write_docs
from guesses import guess, read_captions
from narrow import narrowed
from package import package, write_json
from spicepy.parsing.bundled.reranker.weights import TreeModel
from tree_model import learn

from spicepy.parsing.bundled.analyser import Analyser
from spicepy.parsing.bundled.network import Network
from spicepy.parsing.loading import DEFAULT
from spicepy.parsing.parser import parse
from spicepy.parsing.trees import Parse

HERE = Path(__file__).parent
SHARED = Path(os.environ.get("SPICEPY_SHARED", HERE.parent.parent / "shared"))
SMOKE = HERE.parent / "fixtures" / "captions_parsed.jsonl.gz"


@dataclass(frozen=True)
class Stage:
    """One run of `spacy train`.

    Attributes:
        settings: Those of `config.cfg` that are its own.
        after: The stage whose best network it goes on from; a narrower one from the
            units that matter most.
        guessed: Captions with guessed trees are learnt from, too.
    """

    settings: Mapping[str, Any]
    after: str = ""
    guessed: bool = False

    @property
    def width(self) -> int:
        """Units a layer and direction."""
        return self.settings.get("width", 128)


SECOND = {"steps": 25000, "dropout": 0.03, "rate": 0.0022, "stand_ins": False}
LAST = {"dropout": 0.05, "rate": 0.0016}
STAGES = {
    # Two networks from other random numbers. Much dropout at a high rate, as long as
    # training and development captions are parsed equally well (8 epochs) ...
    "first": Stage({"steps": 40000, "stop": 17000, "stand_ins": False}),
    "other first": Stage(
        {"steps": 40000, "stop": 15000, "stand_ins": False, "seed": 1}
    ),
    # ... then little (8 epochs) ...
    "second": Stage({**SECOND, "stop": 16000}, after="first"),
    "other second": Stage({**SECOND, "stop": 15000, "seed": 1}, after="other first"),
    # ... then words that the original's grammar cannot tell apart become one, and the
    # rate falls to 0.
    "third": Stage({**LAST, "steps": 16000, "stop": 16000}, after="second"),
    # The other one with three quarters more captions, whose trees are guessed.
    "student": Stage(
        {**LAST, "steps": 18000, "stop": 18000, "seed": 1},
        after="other second",
        guessed=True,
    ),
    # The third made narrower, for speed.
    "narrow": Stage(
        {"steps": 16000, "stop": 16000, "dropout": 0.05, "rate": 0.002, "width": 80},
        after="third",
    ),
}
"""In the order in which they are begun; each needs only earlier ones. The student and
the tree model end about when the narrow one does."""
AT_ONCE = 2
"""Stages that run at a time, one on each core."""
GUESSING = ("second", "other second")
"""These networks guess."""
OPEN = ("third", "second")
"""Their open choices are what the tree model is learnt from."""
BUNDLED = ("narrow", "third", "student", "other second")
"""The first of these networks reads everything, each other one what those before it
are unsure of."""
WIDTHS = {80: 24, 128: 32}
"""The width of a stage -> what it is in the smoke run."""
SMALL = ["--vars.steps", "60", "--training.eval_frequency", "20"]
SMALL += ["--training.optimizer.learn_rate.warmup_steps", "5"]
SEED = 0
EVALUATED = 2000
"""Development captions seen while training; all of them are used at its end."""


def rows_of(tree: Parse) -> list[Row]:
    """Turn a `Parse` into the rows of its CoNLL-U block."""
    return list(zip(tree.words, tree.tags, tree.lemmas, tree.heads, tree.labels))


def load(smoke: bool, shared: Path) -> tuple[list[list[Row]], list[Parse]]:
    """Return training trees and development trees."""
    if smoke:
        trees = read_analysed(SMOKE)
        return shuffled(map(rows_of, trees[300:900]), SEED), trees[:300]
    silver = sorted((shared / "silver").glob("*.conllu.gz"))
    if not silver:
        sys.exit(f"no *.conllu.gz in {shared / 'silver'}: give --shared")
    dev = read_analysed(shared / "oracle" / "spice" / "coco5k_captions.jsonl.gz")
    return shuffled(read_conllu(silver), SEED), dev


def load_more(
    smoke: bool, shared: Path, train: list[list[Row]], dev: list[Parse]
) -> list[list[str]]:
    """Return captions without trees, none of them a training or development one."""
    if smoke:
        return [list(tree.words) for tree in read_analysed(SMOKE)[900:1200]]
    path = shared / "oracle" / "ngram" / "coco_train_coco.txt.gz"
    known = [*([row[0] for row in rows] for rows in train), *(x.words for x in dev)]
    return read_captions(path, known)


def prepare(train: list[list[Row]], dev: list[Parse], work: Path) -> None:
    """Write the files that `spacy train` reads."""
    every = max(1, len(dev) // EVALUATED)
    write_docs(train, work / "train.spacy")
    write_docs(map(rows_of, dev[::every]), work / "dev.spacy")


def run_stages(
    train: list[list[Row]],
    more: Sequence[Sequence[str]],
    work: Path,
    smoke: bool,
    overrides: list[str],
) -> TreeModel:
    """Run `spacy train` for each stage, `AT_ONCE` of them at a time.

    The tree model, which is returned, is learnt beside the last of them. If one fails,
    no other is begun.

    Args:
        train: Captions with trees.
        more: Captions whose trees are guessed.
        work: Folder of the files that `prepare` wrote; a folder a stage is added.
        smoke: Run each one in small.
        overrides: Further arguments of `spacy train`.
    """
    running: dict[str, Future[None]] = {}

    def run(name: str) -> None:
        stage = STAGES[name]
        needed = GUESSING if stage.guessed else ()
        for other in filter(None, (stage.after, *needed)):
            running[other].result()
        given = arguments(name, train, work, smoke)
        if stage.guessed:
            guessed = guess(Analyser(networks(work, GUESSING)), more)
            write_docs(shuffled([*train, *guessed], SEED), work / "guessed.spacy")
            given.append(f"--paths.train={work / 'guessed.spacy'}")
        run_stage(work, name, [*given, *overrides])

    def run_last() -> TreeModel:
        for other in OPEN:
            running[other].result()
        return learn(train, networks(work, OPEN))

    with ThreadPoolExecutor(AT_ONCE) as pool:
        for name in STAGES:
            running[name] = pool.submit(run, name)
        trees = pool.submit(run_last)
        try:
            for done in as_completed([*running.values(), trees]):
                done.result()
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
    return trees.result()


def arguments(name: str, train: list[list[Row]], work: Path, smoke: bool) -> list[str]:
    """Return the arguments of `spacy train` that are a stage's own."""
    stage = STAGES[name]
    width = WIDTHS[stage.width] if smoke else stage.width
    settings = {**stage.settings, "width": width}
    given = [f"--vars.{key}={value}" for key, value in settings.items()]
    if smoke:
        given += [*SMALL, f"--vars.stop={20 if stage.after else 40}"]
    if stage.after:
        start = network_folder(work, stage.after, "model-best")
        if stage.width < STAGES[stage.after].width:
            start = narrow(train, work, name, width)
        given.append(f"--paths.start={start}")
    return given


def narrow(train: list[list[Row]], work: Path, name: str, width: int) -> Path:
    """Return the folder that a narrower network of a stage was written to."""
    start = work / name / "start"
    before = Network.from_disk(network_folder(work, STAGES[name].after))
    narrowed(before, width, train).to_disk(start)
    return start


def network_folder(work: Path, stage: str, which: str = "model-last") -> Path:
    """Return the folder of the network that a stage made."""
    return work / stage / which / "caption_parser"


def run_stage(
    work: Path, name: str, overrides: list[str], *, quiet: bool = False
) -> None:
    """Run `spacy train` once; the pipeline is `work`/name/model-last."""
    command = [sys.executable, "-m", "spacy", "train", HERE / "config.cfg"]
    command += ["--code", HERE / "component.py", "--output", work / name]
    for part in ("train", "dev"):
        command += [f"--paths.{part}", work / f"{part}.spacy"]
    # Each of the stages that run at a time has a core.
    threads = {"OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
    subprocess.run(
        [*map(str, command), *overrides],
        check=True,
        stdout=subprocess.DEVNULL if quiet else None,
        env=os.environ | threads | {"PYTHONPATH": str(HERE)},
    )


def networks(work: Path, stages: Iterable[str]) -> list[Network]:
    """Return the networks that stages made."""
    return [Network.from_disk(network_folder(work, stage)) for stage in stages]


def provenance(
    train: list[list[Row]],
    more: Sequence[Sequence[str]],
    dev: list[Parse],
    minutes: float,
) -> dict[str, Any]:
    """Say what the model was made of, with what, and in which time."""
    text = "\n".join(" ".join(row[0] for row in rows) for rows in train)
    return {
        "sources": [
            {"name": "COCO train2014 captions", "license": "CC BY 4.0"},
            {"name": "Visual Genome region phrases", "license": "CC BY 4.0"},
        ],
        "training": {
            "captions": len(train),
            "tokens": sum(map(len, train)),
            "sha256 of captions": hashlib.sha256(text.encode()).hexdigest(),
            "analysis": "tags, lemmas and trees of the parser of SPICE 1.0",
            "captions with guessed trees": len(more),
            "development captions": len(dev),
            "seed": SEED,
            "stages": {name: asdict(stage) for name, stage in STAGES.items()},
            "bundled": BUNDLED,
            "minutes": round(minutes, 1),
            "spacy": spacy.__version__,
            "python": platform.python_version(),
        },
    }


def finish(
    parser: Analyser, target: Path, dev: list[Parse], record: dict[str, Any]
) -> None:
    """Package a parser with its figures on all development captions."""
    package(parser, target, record)
    found = parse([" ".join(tree.words) for tree in dev], model=str(target))
    figures = {name: round(x, 3) for name, x in accuracy(dev, found).items()}
    meta = json.loads((target / "meta.json").read_text(encoding="utf-8"))
    write_json(target / "meta.json", meta | {"performance": figures})
    size = sum(f.stat().st_size for f in target.rglob("*") if f.is_file()) / 1e6
    print(f"{target}: {size:.1f} MB, {figures}")


def main() -> None:
    """Convert, train, package and evaluate."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--smoke", action="store_true", help="the recipe in small")
    parser.add_argument("--shared", type=Path, default=SHARED)
    parser.add_argument("--work", type=Path, default=HERE.parent / "build" / "parser")
    parser.add_argument(
        "--trained",
        action="store_true",
        help="the tree model only",
    )
    options, overrides = parser.parse_known_args()
    work, smoke = options.work, options.smoke
    work.mkdir(parents=True, exist_ok=True)
    train, dev = load(smoke, options.shared)
    more = load_more(smoke, options.shared, train, dev)
    begun = time.monotonic()
    if not options.trained:
        prepare(train, dev, work)
        trees = run_stages(train, more, work, smoke, overrides)
    else:
        trees = learn(train, networks(work, OPEN))
    record = provenance(train, more, dev, (time.monotonic() - begun) / 60)
    finish(Analyser(networks(work, BUNDLED), trees), work / DEFAULT, dev, record)


if __name__ == "__main__":
    main()
