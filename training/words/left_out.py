"""The shares of people who omit an object that another one names.

    python -m training.words.left_out --captions coco_train_raw.txt.gz \\
        --images coco_train_images.txt.gz

In: captions a line, the image of each a line. Out: `grammars/left_out.toml`: for each
noun the share of captions with it whose image has four other captions that all have
nothing of the kind, and for rare nouns the share of their sort. A thing that people
name may be expected to be there, so that this is how likely four others say nothing
of a thing that can be seen.
"""

import argparse
import gzip
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from spicepy.diagnosis import Analysis, Scene
from spicepy.diagnosis.alignment import is_named_in
from training import ROOT

OUT = ROOT / "grammars" / "left_out.toml"
OTHERS = 4
OFTEN = 30
"""The minimum number of captions of a noun with a share of its own."""
BATCH = 400
HEAD = """\
# Made by training/words/left_out.py: how often four other people who saw the same
# picture say nothing of a thing that one person named, nor of anything related.
source = "{number:,} captions of {corpus}, five an image"
"""
CORPUS = "COCO train2014 (Chen et al. 2015; CC BY 4.0)"
COMMENT = """
# Nouns that fewer captions have, by what WordNet has them below: the first that fits.
"""


def images(captions: Path, numbers: Path, most: int) -> Iterator[list[str]]:
    """Return the first five captions of some images, evenly spread."""
    found: dict[str, list[str]] = defaultdict(list)
    with gzip.open(captions, "rt") as texts, gzip.open(numbers, "rt") as ids:
        for text, number in zip(texts, ids, strict=True):
            found[number.strip()].append(text.strip())
    whole = [found[n][: OTHERS + 1] for n in sorted(found) if len(found[n]) > OTHERS]
    return iter(whole[:: max(1, len(whole) // most)][:most])


def count(
    groups: Iterable[Sequence[str]], analysis: Analysis
) -> tuple[Counter[str], Counter[str]]:
    """Return the numbers of captions with each noun, and with this noun alone."""
    said: Counter[str] = Counter()
    alone: Counter[str] = Counter()
    is_thing = analysis.aligner.is_thing
    batch = list(groups)
    for start in range(0, len(batch), BATCH):
        part = batch[start : start + BATCH]
        readings = analysis.reader.read(text for texts in part for text in texts)
        for texts in part:
            for at, text in enumerate(texts):
                others = tuple(readings[t] for t in (*texts[:at], *texts[at + 1 :]))
                scene = Scene(0, readings[text], others)
                aligned = analysis.aligner.align(scene, analysis.thresholds)
                unmatched = {t.name: t for t in aligned.unmatched}
                names = {thing.name for thing in scene.candidate.things}
                said.update(name for name in names if is_thing(name))
                told = aligned.pooled.words
                alone.update(
                    n for n, t in unmatched.items() if not is_named_in(t, told)
                )
    return said, alone


def main() -> None:
    """Count the shares and write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--captions", type=Path, required=True)
    parser.add_argument("--images", type=Path, required=True)
    parser.add_argument("--number", type=int, default=30_000, help="of images")
    parser.add_argument("--out", type=Path, default=OUT)
    options = parser.parse_args()
    groups = list(images(options.captions, options.images, options.number))
    analysis = Analysis()
    said, alone = count(groups, analysis)
    sort_of = analysis.lexicon.omission.sort_of
    often = sorted(noun for noun, number in said.items() if number >= OFTEN)
    rare: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for noun, number in said.items():
        if number < OFTEN:
            rare[sort_of(noun)][0] += alone[noun]
            rare[sort_of(noun)][1] += number
    number = sum(map(len, groups))
    nouns = [f'"{noun}" = {alone[noun] / said[noun]:.2f}' for noun in often]
    sorts = [f'"{name}" = {a / n:.2f}' for name, (a, n) in sorted(rare.items())]
    head = HEAD.format(number=number, corpus=CORPUS)
    text = [head, "[nouns]", *nouns, COMMENT, "[sorts]", *sorts]
    options.out.write_text("\n".join(text) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
