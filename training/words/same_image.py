"""Word vectors adapted so that captions of one image are similar.

In: vectors of words, and captions with their images. Out: the vectors, changed so
that the two captions of an image find each other among those of 1,024 images. A
caption is the sum of its words' vectors, as in spice-soft. What a caption needs to be
found becomes longer, what captions of one image say differently becomes alike.

Source: van den Oord et al. 2018, Representation learning with contrastive predictive
coding (the loss).
"""

from collections.abc import Iterable, Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn.functional import cross_entropy, embedding_bag, normalize

TEMPERATURE = 0.05
STAY = 1.0
"""The weight of a word's distance from its starting point."""
EPOCHS = 10
RATE = 0.003
IMAGES = 1024
"""The maximum number of images in a step."""

Floats = NDArray[np.float32]
Rows = list[int]


def train(
    vectors: Floats,
    rows: dict[str, int],
    texts: Iterable[Sequence[str]],
    images: Sequence[str],
) -> Floats:
    """Train vectors on captions of the same image.

    Args:
        vectors: (words, dimensions).
        rows: Word -> row of `vectors`; other words do not count.
        texts: Every caption in one or several forms (words, lemmas); each time,
            one of them is drawn.
        images: The image of each caption.
    """
    torch.manual_seed(1)
    torch.set_num_threads(1)
    groups = _groups(rows, texts, images)
    drawn = np.random.default_rng(1)
    start = torch.tensor(vectors)
    now = torch.nn.Parameter(start.clone())
    optimizer = torch.optim.Adam([now], lr=RATE)
    size = min(IMAGES, len(groups))
    rounds = len(groups) // size
    steps = EPOCHS * rounds
    schedule = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.0, steps)
    for step in range(steps):
        if step % rounds == 0:
            order = drawn.permutation(len(groups))
        first = size * (step % rounds)
        own = [_pair(groups[i], drawn) for i in order[first : first + size]]
        left, right = zip(*own)
        alike = _sums(left, now) @ _sums(right, now).T / TEMPERATURE
        same = torch.arange(size)
        loss = (cross_entropy(alike, same) + cross_entropy(alike.T, same)) / 2
        used = torch.unique(torch.tensor([row for bag in left + right for row in bag]))
        moved = ((now[used] - start[used]) ** 2).sum() / size
        optimizer.zero_grad()
        (loss + STAY * moved).backward()
        optimizer.step()
        schedule.step()
        if step % 100 == 0:
            print(f"step {step} of {steps}: loss {loss:.3f}, moved {moved:.3f}")
    trained: Floats = now.detach().numpy()
    return trained


def _groups(
    rows: dict[str, int], texts: Iterable[Sequence[str]], images: Sequence[str]
) -> list[list[list[Rows]]]:
    """Return captions in all their forms, for images with two captions or more."""
    groups: dict[str, list[list[Rows]]] = {}
    for forms, image in zip(texts, images, strict=True):
        bags = [[rows[w] for w in form.split() if w in rows] for form in forms]
        groups.setdefault(image, []).append(bags)
    return [group for group in groups.values() if len(group) > 1]


def _pair(group: list[list[Rows]], drawn: np.random.Generator) -> tuple[Rows, Rows]:
    """Return two captions of an image, each in one of its forms."""
    first, second = drawn.permutation(len(group))[:2]
    forms = drawn.integers(len(group[first]), size=2)
    return group[first][forms[0]], group[second][forms[1]]


def _sums(bags: Sequence[Rows], vectors: torch.Tensor) -> torch.Tensor:
    flat = torch.tensor([row for bag in bags for row in bag])
    starts = torch.tensor(np.cumsum([0, *(len(bag) for bag in bags[:-1])]))
    return normalize(embedding_bag(flat, vectors, starts, mode="sum"), eps=1e-6)
