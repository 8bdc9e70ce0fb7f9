"""Coverage of the intervals and level of the tests.

Coverage: 2,000 corpora of 500 images are drawn from a population whose score is
known; the share of 95 % bootstrap intervals that contain it must be 93-97 %.
False positives: 2,000 times, two captions of the same origin are assigned to
"two systems" at random, image by image; the share of p-values up to 0.05 must
be at most 6.5 % for both paired tests (5 % and three standard errors). It is
lower where few distinct differences are possible: such tests err on the safe side.

The populations: three simulated statistics (a mean of scores, a micro-averaged F,
a mean over the one image in ten where it is defined) and, with `oracle/` of the
shared data, real metrics on 5,000 COCO images (captions 1 and 2 of each image
against captions 3 to 5). Exit status 0 if every share is in its range.

    python -m benchmarks.accuracy.significance_coverage --shared DIR
"""

import gzip
import json
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from benchmarks import figures as record
from benchmarks.java_oracle import shared_parser
from spicepy.captions.sample import Sample
from spicepy.metrics.base import Array, Metric, Statistics
from spicepy.metrics.significance import (
    bootstrap,
    corpus,
    resampled_scores,
    shuffled_p_values,
    tested,
)

CORPORA = 2000
IMAGES = 500
SAMPLES = 500
REAL = ("spice", "bleu", "rouge", "cider-d")
COVERAGE = (0.93, 0.97)
FALSE_POSITIVES = (0.0, 0.065)


class Simulated:
    """A mean, a micro-averaged F and a mean over images where it is defined."""

    keys = ("mean", "micro F", "rare mean")

    def count(self, samples: Sequence[Sample]) -> Statistics:
        """Refuse to count; the rows are simulated."""
        raise NotImplementedError

    def image_scores(self, rows: Array) -> Array:
        """Return the scores of rows of single images."""
        return self.corpus_scores(rows, 1)

    def corpus_scores(self, totals: Array, images: int | Array) -> Array:
        """Return the scores of sums of rows."""
        score, tp, wrong, rare, known = np.moveaxis(totals, -1, 0)
        f = 2 * tp / (2 * tp + wrong)
        return np.stack([score / images, f, rare / known], axis=-1)

    def signature(self) -> Mapping[str, str]:
        """Return the values that the scores depend on."""
        return {"metric": "simulated"}


def simulated_rows(generator: np.random.Generator, images: int) -> tuple[Array, Array]:
    """Return rows of two captions of one origin for images of varying difficulty."""
    difficulty = generator.beta(2, 3, images)
    known = generator.random(images) < 0.1
    both = []
    for _ in range(2):
        score = generator.beta(4 * difficulty + 0.1, 4 * (1 - difficulty) + 0.1)
        words = generator.poisson(8, images) + 1
        tp = generator.binomial(words, difficulty)
        rare = np.where(known, generator.random(images) < difficulty, 0)
        both.append(np.stack([score, tp, 2 * (words - tp), rare, known], axis=1))
    return both[0].astype(float), both[1].astype(float)


def populations(shared: Path) -> Iterator[tuple[Metric, Array, Array]]:
    """Yield metrics with two large arrays of rows, row i of both for one image."""
    yield Simulated(), *simulated_rows(np.random.default_rng(0), 200_000)
    path = shared / "oracle" / "ngram" / "coco5k_raw.json.gz"
    if not path.exists():
        print(f"no {path}: simulated populations only")
        return
    from spicepy.evaluation.evaluation import metrics_of
    from spicepy.tokenization.samples import tokenised_samples

    entries = json.loads(gzip.decompress(path.read_bytes()))
    captions = [(e["test"], *e["refs"]) for e in entries if len(e["refs"]) > 3]
    sides = [
        tokenised_samples([Sample(i, c[k], c[2:5]) for i, c in enumerate(captions)])
        for k in range(2)
    ]
    for metric in metrics_of(REAL):
        first, second = (metric.count(samples) for samples in sides)
        yield metric, first.rows, second.rows


def coverage(metric: Metric, population: Array) -> Array:
    """Share of intervals that contain the population's score, by key."""
    truth = metric.corpus_scores(population.sum(axis=0), len(population))
    generator = np.random.default_rng(1)
    covered = np.zeros(len(metric.keys))
    for run in range(CORPORA):
        drawn = generator.integers(0, len(population), IMAGES)
        found = bootstrap(
            metric, statistics(population[drawn]), samples=SAMPLES, seed=run
        )
        covered += [i.low <= t <= i.high for i, t in zip(found.intervals, truth)]
    return covered / CORPORA


def false_positives(metric: Metric, first: Array, second: Array) -> tuple[Array, Array]:
    """Share of p-values up to 0.05 on random splits, by test and key."""
    generator = np.random.default_rng(2)
    found = np.zeros((2, len(metric.keys)))
    for run in range(CORPORA):
        drawn = generator.choice(len(first), IMAGES, replace=False)
        swap = generator.random((IMAGES, 1)) < 0.5
        rows = [
            np.where(swap, second[drawn], first[drawn]),
            np.where(swap, first[drawn], second[drawn]),
        ]
        a, b = resampled_scores(metric, rows, SAMPLES, run)
        scores = corpus(metric, rows[0]), corpus(metric, rows[1])
        paired, _ = tested(scores, a - b, 0.95)
        [random] = shuffled_p_values(metric, rows, SAMPLES, run).values()
        found += [paired <= 0.05, random <= 0.05]
    return found[0] / CORPORA, found[1] / CORPORA


def statistics(rows: Array) -> Statistics:
    """Return rows as the statistics of numbered images."""
    return Statistics(tuple(range(len(rows))), rows)


def main() -> int:
    """Print all figures; return 0 if every target is met."""
    parser = shared_parser(__doc__)
    shared = parser.parse_args().shared

    print(f"{CORPORA} corpora of {IMAGES} images, {SAMPLES} samples each")
    print(f"{'key':<28}{'coverage':>10}{'paired b.':>11}{'approx. r.':>12}")
    good = True
    for metric, first, second in populations(shared):
        covered = coverage(metric, first)
        shares = false_positives(metric, first, second)
        for i, key in enumerate(metric.keys):
            values = (covered[i], shares[0][i], shares[1][i])
            limits = (COVERAGE, FALSE_POSITIVES, FALSE_POSITIVES)
            fine = all(low <= v <= high for v, (low, high) in zip(values, limits))
            good &= fine
            for name, value in zip(("coverage", "paired", "random"), values):
                record.figure(f"{key.replace(' ', '-')}.{name}", 100 * float(value), 1)
            print(
                f"{key:<28}{covered[i]:>10.1%}{shares[0][i]:>11.1%}"
                f"{shares[1][i]:>12.1%}{'' if fine else '  outside'}"
            )
    rows = simulated_rows(np.random.default_rng(3), 5000)[0]
    start = time.process_time()
    bootstrap(Simulated(), statistics(rows), samples=1000)
    seconds = time.process_time() - start
    record.figure("seconds", seconds, 1)
    print(f"1,000 resamples of 5,000 images: {seconds:.2f} s of process time")
    return int(not good)


if __name__ == "__main__":
    raise SystemExit(record.run(main, "significance_coverage"))
