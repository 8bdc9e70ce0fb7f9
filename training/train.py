"""Train, evaluate and package the caption parser.

    python training/train.py                 # about two hours of one core
    python training/train.py --smoke         # a minute, made-up captions only

In: `SHARED/silver/*.conllu.gz` and `SHARED/silver-kbest/*.txt.xz` (training) and
`SHARED/oracle/spice/coco5k_captions.jsonl.gz` (development, never trained on); the
smoke run divides `fixtures/captions_parsed.jsonl.gz` between training and development
and makes up the scored trees. Out: `--work`/caption_parser-3.0, the one in
`spicepy/parsing/models/`.
"""

import argparse
import hashlib
import json
import os
import platform
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import spacy
from accuracy import accuracy, read_analysed
from convert import Row, read_conllu, shuffled, write_docs
from grammar import Recipe, learn_grammar
from made_up import write_made_up
from margins import read_margins
from package import package, write_json

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
        after: The stage whose best network it goes on from.
        scored: It also learns from captions with scored trees (`margins.py`).
    """

    settings: Mapping[str, Any]
    after: str = ""
    scored: bool = False


STAGES = {
    # Much dropout at a high rate, as long as training and development captions are
    # parsed equally well (8 epochs) ...
    "first": Stage({"steps": 40000, "stop": 15000, "stand_ins": False}),
    # ... then little (8 epochs) ...
    "second": Stage(
        {
            "steps": 25000,
            "stop": 15000,
            "dropout": 0.03,
            "rate": 0.0022,
            "stand_ins": False,
        },
        after="first",
    ),
    # ... then three quarters more captions, and how close their trees were; words that
    # the original's grammar cannot tell apart become one; the rate falls to 0.
    "third": Stage(
        {"steps": 18000, "stop": 18000, "dropout": 0.05, "rate": 0.0016},
        after="second",
        scored=True,
    ),
}
"""In the order in which they are run."""
BUNDLED = "third"
SMALL_WIDTH = 32
"""The width of all stages in the smoke run."""
SMALL = ["--vars.steps", "60", "--training.eval_frequency", "20"]
SMALL += ["--training.optimizer.learn_rate.warmup_steps", "5"]
SEED = 1
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


def recipe(smoke: bool, shared: Path, work: Path) -> Recipe:
    """Return what the grammar is learnt from."""
    if smoke:
        return Recipe([write_made_up(work / "made-up.txt.xz")], corrected=[30])
    folder = shared / "silver-kbest"
    names = ("captions-01", "captions-00", "captions-factual")
    captions = [folder / f"{name}.txt.xz" for name in names]
    return Recipe(captions, [folder / f"probes-{n}.txt.xz" for n in ("00", "01")])


def prepare(train: list[list[Row]], dev: list[Parse], work: Path) -> None:
    """Write the files that the first stages of `spacy train` read."""
    every = max(1, len(dev) // EVALUATED)
    write_docs(train, work / "train.spacy")
    write_docs(map(rows_of, dev[::every]), work / "dev.spacy")


def prepare_scored(
    train: list[list[Row]], dev: list[Parse], paths: Sequence[Path], work: Path
) -> int:
    """Write what the last stage reads; return how many captions have scored trees."""
    known = {tree.words for tree in dev}
    tags = {row[1] for rows in train for row in rows}
    scored = [
        (rows, soft)
        for rows, soft in read_margins(paths)
        if tuple(row[0] for row in rows) not in known
        and tags.issuperset(row[1] for row in rows)
    ]
    write_docs(shuffled([*train, *scored], SEED), work / "scored.spacy")
    return len(scored)


def run_stages(work: Path, smoke: bool, overrides: list[str]) -> None:
    """Run `spacy train` for each stage; a folder a stage is added to `work`.

    Args:
        work: Folder of the files that `prepare` wrote.
        smoke: Run each one in small.
        overrides: Further arguments of `spacy train`.
    """
    for name, stage in STAGES.items():
        given = [f"--vars.{key}={value}" for key, value in stage.settings.items()]
        if stage.scored:
            given.append(f"--paths.train={work / 'scored.spacy'}")
        if smoke:
            stop = 20 if stage.after else 40
            given += [*SMALL, f"--vars.width={SMALL_WIDTH}", f"--vars.stop={stop}"]
        if stage.after:
            start = network_folder(work, stage.after, "model-best")
            given.append(f"--paths.start={start}")
        run_stage(work, name, [*given, f"--vars.seed={SEED}", *overrides])


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
    # The matrices are so small that a second core would hardly help.
    threads = {"OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
    subprocess.run(
        [*map(str, command), *overrides],
        check=True,
        stdout=subprocess.DEVNULL if quiet else None,
        env=os.environ | threads | {"PYTHONPATH": str(HERE)},
    )


def provenance(
    train: list[list[Row]], scored: int, dev: list[Parse], minutes: float
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
            "analysis": "tags and trees of the parser of SPICE 1.0",
            "captions with scored trees": scored,
            "development captions": len(dev),
            "seed": SEED,
            "stages": {name: asdict(stage) for name, stage in STAGES.items()},
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
        "--trained", action="store_true", help="the network is there: the grammar only"
    )
    options, overrides = parser.parse_known_args()
    work, smoke = options.work, options.smoke
    work.mkdir(parents=True, exist_ok=True)
    train, dev = load(smoke, options.shared)
    learnt = recipe(smoke, options.shared, work)
    begun = time.monotonic()
    prepare(train, dev, work)
    scored = prepare_scored(train, dev, learnt.captions, work)
    if not options.trained:
        run_stages(work, smoke, overrides)
    network = Network.from_disk(network_folder(work, BUNDLED))
    grammar = learn_grammar(learnt, network)
    record = provenance(train, scored, dev, (time.monotonic() - begun) / 60)
    finish(Analyser(network, grammar), work / DEFAULT, dev, record)


if __name__ == "__main__":
    main()
