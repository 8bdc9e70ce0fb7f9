"""The gain of the caption parser from more captions, scores of trees and probes.

    python -m training.parser.curves [--captions 2000 8000 32000] [--steps 2500]

For each number of captions, a network learns a short time from their best trees alone
and with the scores of all listed ones ("margins"), and a grammar from their scores,
without and with the probes of single words. Out: how well the development captions
are read, a line each. The grammar decides beside the network that knows the margins.
"""

import argparse
import lzma
from collections.abc import Iterator, Sequence
from itertools import groupby, islice
from pathlib import Path

from spicepy.parsing.bundled.analyser import Analyser
from spicepy.parsing.bundled.files import read_part
from spicepy.parsing.bundled.grammar import PhraseGrammar
from spicepy.parsing.bundled.network import Network
from spicepy.parsing.trees import Parse
from training import ROOT, SHARED
from training.grammar.learning import Recipe, learn_grammar
from training.parser.accuracy import accuracy
from training.parser.convert import shuffled, write_docs
from training.parser.margins import read_margins
from training.parser.train import (
    SEED,
    load_dev,
    network_folder,
    rows_of,
    run_stage,
)

EVALUATED = 1500
ROUNDS, CORRECTED = 4, 4000


def main() -> None:
    """Print a line for each number of captions and each way to learn."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--captions", type=int, nargs="+", default=[2000, 8000, 32000])
    parser.add_argument("--steps", type=int, default=2500)
    parser.add_argument("--shared", type=Path, default=SHARED)
    parser.add_argument("--work", type=Path, default=ROOT / "build" / "curves")
    options = parser.parse_args()
    scored = options.shared / "silver-kbest"
    probes = [scored / f"probes-{n}.txt.xz" for n in ("00", "01")]
    dev = load_dev(options.shared)
    dev = dev[:: max(1, len(dev) // EVALUATED)]
    options.work.mkdir(parents=True, exist_ok=True)
    write_docs(map(rows_of, dev), options.work / "dev.spacy")
    for captions in options.captions:
        path = options.work / f"{captions}.txt.xz"
        write_first(scored / "captions-01.txt.xz", path, captions)
        for margins in (False, True):
            network = trained(options.work, path, options.steps, margins)
            report(f"{captions} captions, {margins=}", Analyser(network), dev)
        for known in ((), probes):
            recipe = Recipe([path], known, ROUNDS, min(captions, CORRECTED))
            grammar: PhraseGrammar = learn_grammar(recipe, network)
            name = f"{captions} captions, grammar, probes={bool(known)}"
            report(name, Analyser(network, grammar), dev)


def write_first(source: Path, target: Path, captions: int) -> None:
    """Copy the first captions of a file with all their trees."""
    with (
        lzma.open(source, "rt", encoding="utf-8") as lines,
        lzma.open(target, "wt", encoding="utf-8", preset=0) as copy,
    ):
        for block in islice(_blocks(lines), captions):
            copy.writelines(block)


def _blocks(lines: Iterator[str]) -> Iterator[list[str]]:
    number = 0

    def block(line: str) -> int:
        nonlocal number
        number += line.startswith("# ") and "\t" not in line
        return number

    for _, own in groupby(lines, block):
        yield list(own)


def trained(work: Path, path: Path, steps: int, margins: bool) -> Network:
    """Return a network that has learnt a short time from a file of captions."""
    trees = shuffled(read_margins([path]), SEED)
    chosen = [(rows, soft) if margins else rows for rows, soft in trees]
    write_docs(chosen, work / "train.spacy")
    name = f"network-{path.name.split('.')[0]}-{margins}"
    run_stage(work, name, [f"--vars.steps={steps}", f"--vars.seed={SEED}"], quiet=True)
    return Network(*read_part(network_folder(work, name)))


def report(name: str, parser: Analyser, dev: Sequence[Parse]) -> None:
    """Print how well a parser reads the development captions."""
    found = parser.analyse([tree.words for tree in dev])
    trees = [
        Parse(gold.words, own.tags, gold.lemmas, own.heads, own.labels)
        for gold, own in zip(dev, found)
    ]
    figures = accuracy(dev, trees)
    text = ", ".join(f"{x} {figures[x]:.2f}" for x in ("tags", "LAS", "whole trees"))
    print(f"{name}: {text}", flush=True)


if __name__ == "__main__":
    main()
