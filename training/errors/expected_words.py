"""Make the table of expected words: what one person says of a picture, given others.

    pip install -e '.[training]'
    python -m training.errors.expected_words --shared ../shared   # ten minutes

In: captions that people wrote for COCO, five an image, of the development part only
and not those that `bags` has findings of. Out: `--output`, by default
`spicepy/diagnosis/lexicon/expected-words-1.npz`, the weights of

    log-odds of a word = usual + use · Σ evidence of the others' words

which are learnt by leaving out one caption of an image and telling its content words
from those of one to four others: a logistic regression of low rank. A word that k of
the others have weighs √k, and all weights of an image together have length 1.
"""

import argparse
import random
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import islice
from pathlib import Path
from typing import Final

import numpy as np
import torch
from torch.nn.functional import binary_cross_entropy_with_logits, dropout

from spicepy.diagnosis.captions.reader import analysis_pipeline, content_lemmas
from spicepy.parsing.parser import parse
from spicepy.tokenization.ptb import tokenize
from training import ROOT, SHARED
from training.errors import labels
from training.errors.bags import PEOPLE

OUTPUT: Final = ROOT / "spicepy/diagnosis/lexicon/expected-words-1.npz"
OFTEN: Final = 12
"""The minimum number of captions of a word."""
DIMENSIONS: Final = 64
PARSED: Final = 2000
"""The number of images whose captions are parsed together."""
STEPS: Final = 5000
IMAGES: Final = 128
"""The number of images of a step, one caption of each."""
RATE: Final = 0.01
DROPPED: Final = 0.2
"""The share of dimensions that are left out in each step."""
HELD_OUT: Final = 20
"""One image in this number is not learnt from; its loss is printed."""
OTHERS: Final = (1, 2, 3, 4, 4, 4, 4)
"""Numbers of other captions, of which one is drawn: users mostly have four or five."""

Captions = list[list[int]]
"""The rows of the content words of each caption of an image."""


class Table(torch.nn.Module):
    """The weights as parameters."""

    def __init__(self, usual: torch.Tensor) -> None:
        super().__init__()
        size = len(usual), DIMENSIONS
        self.evidence = torch.nn.Parameter(torch.randn(size) * 0.05)
        self.use = torch.nn.Parameter(torch.randn(size) * 0.05)
        self.usual = torch.nn.Parameter(usual.clone())

    def forward(self, others: torch.Tensor) -> torch.Tensor:
        """Return log-odds of all words: (images, words), as `others` is."""
        hidden = dropout(others @ self.evidence, DROPPED, self.training)
        return hidden @ self.use.T + self.usual


def main() -> None:
    """Learn the table, print the loss of images that were left out, write it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--shared", type=Path, default=SHARED)
    parser.add_argument("--steps", type=int, default=STEPS)
    parser.add_argument("--output", type=Path, default=OUTPUT)
    options = parser.parse_args()
    torch.manual_seed(1)
    torch.set_num_threads(1)
    texts = captions(options.shared)
    words, images = rows(texts)
    print(f"{len(images):,} images, {len(words):,} words")
    table = learnt(images, len(words), options.steps)
    held_out = images[::HELD_OUT]
    with torch.no_grad():
        print(f"loss of a caption left out: {loss(table, held_out, seed=2):.3f}")
        rounded(table)
        print(f"in 8 bits: {loss(table, held_out, seed=2):.3f}")
    save(options.output, words, table)


def captions(shared: Path) -> list[Sequence[str]]:
    """Return the captions of each image."""
    judged = {x["image_id"] for x in labels.by_people(shared, PEOPLE, "development")}
    found = labels.train_captions(shared).items()
    return [
        own
        for image, own in found
        if image not in judged and labels.part_of(image) == "development"
    ]


def rows(texts: Sequence[Sequence[str]]) -> tuple[list[str], list[Captions]]:
    """Return frequent content words, and the rows of those of each caption."""
    images: list[list[list[str]]] = []
    for first in range(0, len(texts), PARSED):
        some = texts[first : first + PARSED]
        contents = iter(content_words([text for own in some for text in own]))
        images += [list(islice(contents, len(own))) for own in some]
    counts = Counter(word for own in images for text in own for word in text)
    words = [word for word, number in counts.most_common() if number >= OFTEN]
    row = {word: at for at, word in enumerate(words)}
    return words, [
        [[row[word] for word in text if word in row] for text in own] for own in images
    ]


def content_words(texts: Sequence[str]) -> list[list[str]]:
    """Return the content words of each caption, as the error analysis reads them."""
    trees = parse(tokenize(texts), model=analysis_pipeline().model)
    return [sorted({*content_lemmas(tree.tags, tree.lemmas)}) for tree in trees]


def learnt(images: Sequence[Captions], words: int, steps: int) -> Table:
    """Return the table that tells captions best from the others of their images."""
    train = [own for at, own in enumerate(images) if at % HELD_OUT]
    drawn = random.Random(1)
    counts = Counter(row for own in train for text in own for row in text)
    number = sum(map(len, train))
    odds = [np.log((counts[row] + 1) / number) for row in range(words)]
    table = Table(torch.tensor(odds, dtype=torch.float32))
    optimizer = torch.optim.Adam(table.parameters(), lr=RATE)
    schedule = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.0, steps)
    for _ in range(steps):
        others, left_out = batch(drawn.choices(train, k=IMAGES), drawn, words)
        entropy = binary_cross_entropy_with_logits(
            table(others), left_out, reduction="sum"
        )
        optimizer.zero_grad()
        (entropy / IMAGES).backward()
        optimizer.step()
        schedule.step()
    return table.eval()


def batch(
    images: Iterable[Captions], drawn: random.Random, words: int
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the words of other captions, and of the one that is left out."""
    pairs = []
    for own in images:
        left_out, *others = drawn.sample(own, len(own))
        pairs.append((others[: drawn.choice(OTHERS)], left_out))
    known, wanted = torch.zeros(len(pairs), words), torch.zeros(len(pairs), words)
    for at, (others, left_out) in enumerate(pairs):
        for text in others:
            known[at, text] += 1
        wanted[at, left_out] = 1
    known = torch.nn.functional.normalize(known.sqrt())
    return known, wanted


def loss(table: Table, images: Sequence[Captions], seed: int) -> float:
    """Return the cross-entropy of a caption that is left out, in nats."""
    others, left_out = batch(images, random.Random(seed), len(table.usual))
    entropy = binary_cross_entropy_with_logits(table(others), left_out, reduction="sum")
    return float(entropy) / len(images)


def rounded(table: Table) -> None:
    """Round the weights to what 8 bits can hold."""
    for weights in (table.evidence, table.use):
        scale = weights.abs().max() / 127
        weights.copy_((weights / scale).round() * scale)


def save(path: Path, words: Sequence[str], table: Table) -> None:
    """Write words and weights, in 8 bits each."""
    arrays = {}
    for name, weights in (("evidence", table.evidence), ("use", table.use)):
        values = weights.detach().numpy()
        scale = np.abs(values).max() / 127
        arrays[name] = np.rint(values / scale).astype(np.int8)
        arrays[f"{name}_scale"] = np.float32(scale)
    usual = table.usual.detach().numpy().astype(np.float16)
    np.savez_compressed(path, words=np.array(words), usual=usual, **arrays)
    print(f"{path}: {path.stat().st_size / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
