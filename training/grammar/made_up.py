"""Captions with made-up scored trees, so that the recipe can be run on little data."""

import lzma
from collections.abc import Iterator
from itertools import product
from pathlib import Path

NOUNS = ("dog", "cat", "man", "child", "bird", "horse")
VERBS = ("runs", "sits", "walks")
PLACES = ("street", "beach", "park")


def write_made_up(path: Path) -> Path:
    """Write captions in the form that `kbest.py` reads."""
    with lzma.open(path, "wt", encoding="utf-8") as out:
        out.writelines(f"{line}\n" for line in _lines())
    return path


def _lines() -> Iterator[str]:
    place = "(PP IN (NP DT NN))"
    after = "IN 6 case DT 6 det NN {} nmod"
    for noun, verb, where in product(NOUNS, VERBS, PLACES):
        yield f"# a {noun} {verb} in the {where}"
        own = f"DT 2 det NN 3 nsubj VBZ 0 root {after.format(3)}"
        yield f"0\t{own}\t(S (NP DT NN) (VP VBZ {place}))"
        own = f"DT 3 det NN 3 compound NNS 0 root {after.format(3)}"
        yield f"-0.7\t{own}\t(NP (NP DT NN NNS) {place})"
    own = "DT 2 det NN 0 root IN 5 case DT 5 det NN 2"
    for noun, where in product(NOUNS, PLACES):
        yield f"# a {noun} in the {where}"
        yield f"0\t{own} nmod\t(NP (NP DT NN) {place})"
        yield f"-2.5\t{own} dep\t(FRAG (NP DT NN) {place})"
