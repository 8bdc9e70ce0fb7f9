"""Train, evaluate and package the caption parser.

    python training/train.py                 # about 140 minutes on two cores
    python training/train.py --smoke         # a minute, project captions only

In: `SHARED/silver/*.conllu.gz` (training),
`SHARED/oracle/ngram/coco_train_coco.txt.gz` (more captions, without trees) and
`SHARED/oracle/spice/coco5k_captions.jsonl.gz` (development, never trained on);
the smoke run divides `fixtures/captions_parsed.jsonl.gz` among the three. Out:
`--work`/caption_parser-2.2, a copy of which is `spicepy/models/`.
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
from accuracy import accuracy
from convert import write_docs
from data import (
    SEED,
    Captions,
    combinations,
    read_captions,
    with_guesses,
    write_captions,
)
from package import package, write_json

from spicepy.parsing import DEFAULT, parse

HERE = Path(__file__).parent
SHARED = Path(os.environ.get("SPICEPY_SHARED", HERE.parent.parent / "shared"))
STAGES: dict[str, dict[str, Any]] = {
    # Much dropout at a high rate, as long as training and development captions are
    # parsed equally well (8 epochs); then little (8 epochs).
    "first": {"steps": 40000, "stop": 17000, "stand_ins": False},
    "second": {
        "start": "first",
        "steps": 26000,
        "stop": 16000,
        "stand_ins": False,
        "dropout": 0.03,
        "rate": 0.0022,
    },
    # A larger network that owes nothing to the others.
    "large": {
        "steps": 14000,
        "stop": 11000,
        "width": 192,
        "rate": 0.003,
        "batch": 2000,
        "seed": 1,
    },
    "large_end": {
        "start": "large",
        "steps": 4000,
        "stop": 4000,
        "width": 192,
        "rate": 0.001,
        "batch": 2000,
        "seed": 2,
    },
    # The second network goes on, with words that the original's grammar cannot tell
    # apart as one, and with captions without trees, for which both of them guess.
    "third": {
        "start": "second",
        "teachers": ("second", "large_end"),
        "steps": 20000,
        "stop": 20000,
        "dropout": 0.05,
        "rate": 0.0016,
    },
}
"""Settings of `config.cfg`, and the stages from whose best network this one starts
and whose last networks guess trees for it."""
BUNDLED = ("third", "large_end")
"""The first of these networks reads everything, the other what it is unsure of."""
SMALL = ["--vars.steps", "60", "--vars.width", "32", "--training.eval_frequency", "20"]
SMALL += ["--training.optimizer.learn_rate.warmup_steps", "5"]


def run_stages(
    captions: Captions, work: Path, smoke: bool, overrides: list[str]
) -> float:
    """Run `spacy train` for each stage; return minutes."""
    begun = time.monotonic()
    for name, settings in STAGES.items():
        values = dict(settings)
        start, teachers = values.pop("start", None), values.pop("teachers", ())
        given = [f"--vars.{key}={value}" for key, value in values.items()]
        if start:
            given.append(f"--paths.start={network(work, start, 'model-best')}")
        if teachers:
            networks = [network(work, teacher) for teacher in teachers]
            write_docs(with_guesses(captions, networks), work / "guessed.spacy")
            given.append(f"--paths.train={work / 'guessed.spacy'}")
        if smoke:
            given += [*SMALL, f"--vars.stop={20 if start else 40}"]
        run_stage(work, name, [*given, *overrides])
    return (time.monotonic() - begun) / 60


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


def provenance(captions: Captions, minutes: float) -> dict[str, Any]:
    """Say what the model was made of, with what, and in which time."""
    train = captions.train
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
            "captions without trees": len(captions.bare),
            "development captions": len(captions.dev),
            "seed": SEED,
            "stages": STAGES,
            "bundled": BUNDLED,
            "minutes": round(minutes, 1),
            "spacy": spacy.__version__,
            "python": platform.python_version(),
        },
    }


def finish(
    trained: Sequence[Path],
    target: Path,
    captions: Captions,
    record: dict[str, Any],
) -> None:
    """Package trained networks with their figures on all development captions."""
    dev = captions.dev
    package(trained, target, record, combinations(captions.train))
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
        "--trained", action="store_true", help="only package what `work` has"
    )
    options, overrides = parser.parse_known_args()
    options.work.mkdir(parents=True, exist_ok=True)
    captions = read_captions(options.smoke, options.shared)
    minutes = 0.0
    if not options.trained:
        write_captions(captions, options.work)
        minutes = run_stages(captions, options.work, options.smoke, overrides)
    trained = [network(options.work, stage) for stage in BUNDLED]
    record = provenance(captions, minutes)
    finish(trained, options.work / DEFAULT, captions, record)


if __name__ == "__main__":
    main()
