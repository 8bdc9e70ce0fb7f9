"""Train, evaluate and package the caption parser.

    python -m training.parser.train                 # about two hours of one core
    python -m training.parser.train --smoke         # a minute, made-up captions only

In: `SHARED/silver/*.conllu.gz` and `SHARED/silver-kbest/*.txt.xz` (training) and
`SHARED/oracle/spice/coco5k_captions.jsonl.gz` (development, never trained on); the
smoke run divides `fixtures/captions_parsed.jsonl.gz` between training and development
and makes up the scored trees. Out: `--work`/`DEFAULT`, the folder in
`spicepy/parsing/models/`.
"""

import argparse
import hashlib
import json
import os
import platform
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import spacy

import spicepy.parsing.spacy_models  # noqa: F401  (registers the component)
from spicepy.parsing.bundled.analyser import Analyser, read_part
from spicepy.parsing.bundled.network import Network
from spicepy.parsing.parser import DEFAULT, parse
from spicepy.parsing.trees import Parse
from training import ROOT, SHARED
from training.grammar.kbest import write_made_up
from training.grammar.learning import Recipe, learn_grammar
from training.parser.accuracy import accuracy, read_analysed
from training.parser.convert import (
    Row,
    Soft,
    read_conllu,
    read_margins,
    shuffled,
    write_docs,
)
from training.parser.files import write_parser

HERE = Path(__file__).parent
SMOKE = ROOT / "fixtures" / "captions_parsed.jsonl.gz"

SETTINGS = {"vars.steps": 30000, "vars.dropout": 0.05, "vars.rate": 0.004}
"""Settings of `config.cfg` that are the network's own: it reads all captions about
eight times, with little dropout and a rate that falls to 0."""
SMALL = {
    "vars.width": 32,
    "vars.steps": 40,
    "training.eval_frequency": 20,
    "training.optimizer.learn_rate.warmup_steps": 5,
}
"""The same settings for the smoke run."""
NETWORK = "network"
"""The folder in which it is trained."""
SEED = 1
EVALUATED = 2000
"""Development captions seen while training; all of them are used at its end."""
DESCRIPTION = (
    "Penn tags and basic Universal Dependencies v1 trees of image captions, "
    "as the parser of SPICE 1.0 gives them."
)


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
    return shuffled(read_conllu(silver), SEED), load_dev(shared)


def load_dev(shared: Path) -> list[Parse]:
    """Return the trees of the development captions."""
    return read_analysed(shared / "oracle" / "spice" / "coco5k_captions.jsonl.gz")


def recipe(smoke: bool, shared: Path, work: Path) -> Recipe:
    """Return the training data of the grammar."""
    if smoke:
        return Recipe([write_made_up(work / "made-up.txt.xz")], rounds=2, corrected=30)
    folder = shared / "silver-kbest"
    names = ("captions-factual", "captions-01", "captions-00")
    captions = [folder / f"{name}.txt.xz" for name in names]
    return Recipe(captions, [folder / f"probes-{n}.txt.xz" for n in ("00", "01")])


def with_scores(
    train: list[list[Row]], dev: list[Parse], paths: Sequence[Path]
) -> list[tuple[list[Row], Soft]]:
    """Return captions with scored trees, from which the network also learns.

    Args:
        train: Captions with the original's trees: those with other tags are left out.
        dev: Development captions; none of them is learnt from.
        paths: Files of captions with scored trees.
    """
    known = {tree.words for tree in dev}
    tags = {row[1] for rows in train for row in rows}
    return [
        (rows, soft)
        for rows, soft in read_margins(paths)
        if tuple(row[0] for row in rows) not in known
        and tags.issuperset(row[1] for row in rows)
    ]


def settings(smoke: bool) -> list[str]:
    """Return the arguments of `spacy train` for the network, or for one in small."""
    given = {**SETTINGS, **(SMALL if smoke else {}), "vars.seed": SEED}
    return [f"--{key}={value}" for key, value in given.items()]


def network_folder(work: Path, name: str) -> Path:
    """Return the folder of the network that `run_stage` made."""
    return work / name / "model-last" / "caption_parser"


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
        env=os.environ | threads | {"PYTHONPATH": str(ROOT)},
    )


def provenance(
    train: list[list[Row]], scored: int, dev: list[Parse], minutes: float
) -> dict[str, Any]:
    """Return the data, options and duration of the training."""
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
            "settings": SETTINGS,
            "minutes": round(minutes, 1),
            "spacy": spacy.__version__,
            "python": platform.python_version(),
        },
    }


def package(parser: Analyser, target: Path, record: dict[str, Any]) -> None:
    """Write `target`, whose name ends in the version: "caption_parser-3.5"."""
    nlp = spacy.blank("xx")
    nlp.add_pipe("caption_parser").analyser = parser
    shutil.rmtree(target, ignore_errors=True)
    nlp.to_disk(target, exclude=["vocab"])
    write_parser(target / "caption_parser", parser)
    name, version = target.name.rsplit("-", 1)
    meta = json.loads((target / "meta.json").read_text(encoding="utf-8"))
    for key in ("author", "email", "url", "performance", "vectors"):
        meta.pop(key, None)
    meta |= {
        "name": name,
        "version": f"{version}.0",
        "description": DESCRIPTION,
        "license": "CC BY 4.0",
    }
    write_json(target / "meta.json", meta | record)


def write_json(path: Path, value: Any) -> None:
    """Write JSON that diffs well."""
    path.write_text(json.dumps(value, indent=1) + "\n", encoding="utf-8")


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
    parser.add_argument("--work", type=Path, default=ROOT / "build" / "parser")
    parser.add_argument(
        "--trained", action="store_true", help="the network is there: the grammar only"
    )
    options, overrides = parser.parse_known_args()
    work, smoke = options.work, options.smoke
    work.mkdir(parents=True, exist_ok=True)
    train, dev = load(smoke, options.shared)
    learnt = recipe(smoke, options.shared, work)
    begun = time.monotonic()
    scored = with_scores(train, dev, learnt.captions)
    count = len(scored)
    if not options.trained:
        every = max(1, len(dev) // EVALUATED)
        write_docs(shuffled([*train, *scored], SEED), work / "train.spacy")
        write_docs(map(rows_of, dev[::every]), work / "dev.spacy")
        del scored  # room for the network while it learns
        run_stage(work, NETWORK, [*settings(smoke), *overrides])
    network = Network(*read_part(network_folder(work, NETWORK)))
    grammar = learn_grammar(learnt, network)
    record = provenance(train, count, dev, (time.monotonic() - begun) / 60)
    finish(Analyser(network, grammar), work / DEFAULT, dev, record)


if __name__ == "__main__":
    main()
