"""Train, evaluate and package the caption parser.

    python training/train.py                 # about two hours on two cores
    python training/train.py --smoke         # a minute, project captions only

In: `SHARED/silver/*.conllu.gz` (training) and
`SHARED/oracle/spice/coco5k_captions.jsonl.gz` (development, never trained on);
the smoke run divides `fixtures/captions_parsed.jsonl.gz` between both. Out:
`--work`/caption_parser-2.4, a copy of which is `spicepy/models/`.
"""

import argparse
import hashlib
import json
import os
import platform
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import spacy
from accuracy import accuracy, read_analysed
from convert import Row, read_conllu, shuffled, write_docs
from narrow import narrowed
from package import package, write_json
from tree_model import learn

from spicepy.dependencies import Parse
from spicepy.parsing import DEFAULT, parse
from spicepy.parsing.ensemble import Ensemble
from spicepy.parsing.network import Network

HERE = Path(__file__).parent
SHARED = Path(os.environ.get("SPICEPY_SHARED", HERE.parent.parent / "shared"))
SMOKE = HERE.parent / "fixtures" / "captions_parsed.jsonl.gz"
STAGES: dict[str, dict[str, Any]] = {
    # Much dropout at a high rate, as long as training and development captions are
    # parsed equally well (8 epochs); then little (8 epochs); then words that the
    # original's grammar cannot tell apart become one, and the rate falls to 0.
    "first": {"steps": 40000, "stop": 17000, "stand_ins": False},
    "second": {
        "steps": 26000,
        "stop": 16000,
        "stand_ins": False,
        "dropout": 0.03,
        "rate": 0.0022,
    },
    "third": {"steps": 16000, "stop": 16000, "dropout": 0.05, "rate": 0.0016},
    # The third made narrower, for speed.
    "narrow": {
        "steps": 18000,
        "stop": 18000,
        "dropout": 0.05,
        "rate": 0.002,
        "width": 80,
    },
}
"""Settings of `config.cfg`; a stage starts from the best of the one before it, one
with a width of its own from the units of the last that matter most."""
BUNDLED = ("narrow", "third")
"""The first of these networks reads everything, the other what it is unsure of."""
OPEN = ("third", "second")
"""Their open choices are what the tree model is learnt from."""
WIDTHS = {80: 24, None: 32}
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


def prepare(train: list[list[Row]], dev: list[Parse], work: Path) -> None:
    """Write the files that `spacy train` reads."""
    every = max(1, len(dev) // EVALUATED)
    write_docs(train, work / "train.spacy")
    write_docs(map(rows_of, dev[::every]), work / "dev.spacy")


def run_stages(
    train: list[list[Row]], work: Path, smoke: bool, overrides: list[str]
) -> float:
    """Run `spacy train` for each stage; return minutes."""
    begun = time.monotonic()
    before = ""
    for name, settings in STAGES.items():
        if smoke:
            settings = settings | {"width": WIDTHS[settings.get("width")]}
        given = [f"--vars.{key}={value}" for key, value in settings.items()]
        if smoke:
            given += [*SMALL, f"--vars.stop={20 if before else 40}"]
        if before:
            start = network(work, before, "model-best")
            if "width" in STAGES[name]:
                start = narrow(train, work, before, name, settings["width"])
            given.append(f"--paths.start={start}")
        run_stage(work, name, [*given, *overrides])
        before = name
    return (time.monotonic() - begun) / 60


def narrow(
    train: list[list[Row]], work: Path, before: str, name: str, width: int
) -> Path:
    """Return the folder that a narrower network of a stage was written to."""
    start = work / name / "start"
    narrowed(Network.from_disk(network(work, before)), width, train).to_disk(start)
    return start


def network(work: Path, stage: str, which: str = "model-last") -> Path:
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
    # The two threads of the component have a core each.
    threads = {"OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
    subprocess.run(
        [*map(str, command), *overrides],
        check=True,
        stdout=subprocess.DEVNULL if quiet else None,
        env=os.environ | threads | {"PYTHONPATH": str(HERE)},
    )


def with_trees(train: list[list[Row]], work: Path) -> Ensemble:
    """Return the bundled networks with a tree model."""

    def trained(stages: Sequence[str]) -> list[Network]:
        return [Network.from_disk(network(work, stage)) for stage in stages]

    return Ensemble(trained(BUNDLED), learn(train, trained(OPEN)))


def provenance(
    train: list[list[Row]], dev: list[Parse], minutes: float
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
            "development captions": len(dev),
            "seed": SEED,
            "stages": STAGES,
            "bundled": BUNDLED,
            "minutes": round(minutes, 1),
            "spacy": spacy.__version__,
            "python": platform.python_version(),
        },
    }


def finish(
    parser: Ensemble, target: Path, dev: list[Parse], record: dict[str, Any]
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
    options.work.mkdir(parents=True, exist_ok=True)
    train, dev = load(options.smoke, options.shared)
    minutes = 0.0
    if not options.trained:
        prepare(train, dev, options.work)
        minutes = run_stages(train, options.work, options.smoke, overrides)
    begun = time.monotonic()
    parser = with_trees(train, options.work)
    minutes += (time.monotonic() - begun) / 60
    record = provenance(train, dev, minutes)
    finish(parser, options.work / DEFAULT, dev, record)


if __name__ == "__main__":
    main()
