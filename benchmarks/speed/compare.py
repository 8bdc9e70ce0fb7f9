"""The time of `compare` after scoring: 1,000 resamples of 5,000 images.

The rows are made up (SPICE's columns, from a seed): the time does not depend on
what they say. Two systems: intervals, paired bootstrap, approximate randomisation
and correction over all scores.
"""

import argparse
import statistics
import time

import numpy as np
from rich.console import Console

from benchmarks.figures import figure, run
from spicepy.captions.sample import Sample
from spicepy.common.tables import Table, to_rich
from spicepy.evaluation import Evaluation, Measured
from spicepy.evaluation.comparison import compare
from spicepy.metrics.base import Statistics
from spicepy.metrics.spice import FIELDS, Spice
from spicepy.tokenization.samples import tokenised_samples

TARGET = 10.0  # seconds of processor time


def made_up(spice: Spice, images: int, seed: int) -> Evaluation:
    """Return an evaluation whose counts come from a generator."""
    generator = np.random.default_rng(seed)
    rows = generator.random((images, len(spice.names), len(FIELDS)))
    rows[..., :3] = generator.integers(0, 9, rows[..., :3].shape)
    rows[..., -1] = generator.random(rows.shape[:2]) < 0.7
    samples = tuple(Sample(i, "a dog", ("a dog",)) for i in range(images))
    found = Statistics(tuple(range(images)), rows.reshape(images, -1))
    tokenised = tuple(tokenised_samples(samples))
    return Evaluation(samples, tokenised, (Measured(spice, found, "made up"),))


def main() -> int:
    """Print all figures; return 0 if every target is met."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--images", type=int, default=5000)
    parser.add_argument("--samples", type=int, default=1000)
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args()
    spice = Spice()
    systems = {n: made_up(spice, options.images, k) for k, n in enumerate("ab")}
    times, clocks = [], []
    for _ in range(options.repeats):
        start, clock = time.process_time(), time.perf_counter()
        compare(systems, samples=options.samples)
        times.append(time.process_time() - start)
        clocks.append(time.perf_counter() - clock)
    median = statistics.median(times)
    figure("seconds", median, 1)
    row = (options.images, options.samples, median, statistics.median(clocks))
    columns = ("images", "resamples", "processor s", "wall clock s")
    table = Table("compare, two systems, SPICE's categories", columns, (row,), digits=2)
    Console(width=100).print(to_rich(table))
    print(f"target: under {TARGET:g} s of processor time: {median < TARGET}")
    return 0 if median < TARGET else 1


if __name__ == "__main__":
    raise SystemExit(run(main, "compare_speed"))
