"""The speed of rewards in batches of 50, five captions for each of ten images.

In: the training captions of COCO (`oracle/ngram/` of the shared data). Out: processor
seconds to load their document frequencies and of 200 batches by CIDEr-D; captions a
second by SPICE, new ones and known ones. Exit status 0 if all reach their targets.

    OMP_NUM_THREADS=1 python -m benchmarks.speed.rewards --shared DIR
"""

import argparse
import gzip
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks import SHARED
from spicepy.metrics.ngrams.frequencies import DocumentFrequencies
from spicepy.metrics.ngrams.storage import save_arrays
from spicepy.rewards import CiderD, Spice
from spicepy.tokenization.samples import TokenisedSample

BATCH, IMAGES, BATCHES = 50, 10, 200
Batch = tuple[list[list[str]], list[int]]
LOAD, CIDER, NEW, KNOWN = 1.0, 1.0, 1_200, 20_000


def main() -> int:
    """Print all figures; return 0 if every target is met."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--shared", type=Path, default=SHARED)
    references = read(parser.parse_args().shared / "oracle" / "ngram")
    batches = list(in_batches(references))
    good = check_cider(references, batches)
    return int(not (good & check_spice(references, batches)))


def read(folder: Path) -> dict[int, list[str]]:
    """Return tokenised captions by image id."""
    references: dict[int, list[str]] = {}
    names = ("coco_train_images.txt.gz", "coco_train_coco.txt.gz")
    images, captions = (
        gzip.decompress((folder / name).read_bytes()).decode().splitlines()
        for name in names
    )
    for image, caption in zip(images, captions, strict=True):
        references.setdefault(int(image), []).append(caption)
    return references


def in_batches(references: dict[int, list[str]]) -> Iterator[Batch]:
    """Yield the references of other images, five for each of ten."""
    ids, several = list(references), BATCH // IMAGES
    others = [text for texts in reversed(references.values()) for text in texts]
    for number in range(BATCHES):
        own = ids[number * IMAGES :][:IMAGES]
        texts = others[number * BATCH :][:BATCH]
        yield [texts[at : at + several] for at in range(0, BATCH, several)], own


def check_cider(references: dict[int, list[str]], batches: list[Batch]) -> bool:
    """Return whether CIDEr-D loads and scores fast enough."""
    images = [TokenisedSample(i, "", tuple(r)) for i, r in references.items()]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "train.npz")
        save_arrays(path, DocumentFrequencies.of(images, name="coco-train"))
        started = time.process_time()
        frequencies = DocumentFrequencies.load(path)
        loading = time.process_time() - started
    grams = sum(map(len, frequencies.codes))
    print(f"load {grams:,} n-grams: {loading:.2f} s (at most {LOAD})")
    wanted = {i: references[i] for _, ids in batches for i in ids}
    reward = CiderD(frequencies, wanted).prepare()
    seconds = run(reward, batches)
    print(f"CIDEr-D, {BATCHES} batches: {seconds:.2f} s (at most {CIDER})")
    return loading <= LOAD and seconds <= CIDER


def check_spice(references: dict[int, list[str]], batches: list[Batch]) -> bool:
    """Return whether SPICE scores new and known captions fast enough."""
    wanted = {i: references[i] for _, ids in batches for i in ids}
    reward = Spice(wanted)
    reward.prepare()
    reward(["a warm up caption"], image_ids=batches[0][1][:1])
    good = True
    for what, target in (("new", NEW), ("known", KNOWN)):
        rate = BATCH * len(batches) / run(reward, batches)
        print(f"SPICE, {what} captions: {rate:,.0f} a second (at least {target:,})")
        good &= rate >= target
    return good


def run(reward, batches: list[Batch]) -> float:
    """Return the seconds that a reward takes for all batches."""
    started = time.process_time()
    for captions, ids in batches:
        reward(captions, image_ids=ids)
    return time.process_time() - started


if __name__ == "__main__":
    sys.exit(main())
