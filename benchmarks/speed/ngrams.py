"""Time of tokeniser, BLEU, ROUGE-L and CIDEr-D, compared with pycocoevalcap; growth.

In: the raw captions of 5,000 images (`oracle/ngram/` of the shared data); an
installed `pycocoevalcap` and java for the comparison. Out: the least seconds of the
processor (children included) of each step, measured in turns in one run; seconds and
peak memory for 5,000 to 500,000 images (the same captions under new ids, 5,000 at a
time). Exit status 0 if spicepy is twenty times as fast (BLEU eight times), and 500,000
images cost a hundred times 5,000 (within a half) and no more than 100 MB.

    python -m benchmarks.speed.ngrams --shared DIR
"""

import argparse
import contextlib
import gzip
import io
import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from benchmarks import ROOT
from benchmarks.figures import figure, processor, run
from benchmarks.java_oracle import shared_parser
from spicepy.captions.sample import Sample
from spicepy.metrics.ngrams.bleu import Bleu
from spicepy.metrics.ngrams.cider import Cider
from spicepy.metrics.ngrams.frequencies import DocumentFrequencies
from spicepy.metrics.ngrams.grams import encode
from spicepy.metrics.ngrams.rouge import RougeL
from spicepy.tokenization.samples import tokenised_samples

FASTER = {"all": 20.0, "BLEU": 8.0}
SIZES = (5_000, 50_000, 500_000)
STEPS = ("tokenise", "BLEU", "ROUGE-L", "CIDEr-D")
Times = dict[str, float]


def main() -> int:
    """Print all figures; return 0 if every target is met."""
    options = _options()
    images = _images(options.shared)
    if options.grow:
        print(json.dumps(grow(images, options.grow)))
        return 0
    good = compare(images, options.repeats) if options.repeats else True
    return int(not (good & check_growth(options.shared, options.sizes)))


def _options() -> argparse.Namespace:
    parser = shared_parser(__doc__)
    parser.add_argument(
        "--repeats", type=int, default=5, help="timed turns; 0 for none"
    )
    parser.add_argument("--sizes", type=int, nargs="*", default=SIZES)
    parser.add_argument("--grow", type=int, help=argparse.SUPPRESS)
    return parser.parse_args()


def _images(shared: Path) -> list[dict[str, Any]]:
    path = shared / "oracle" / "ngram" / "coco5k_raw.json.gz"
    images: list[dict[str, Any]] = json.loads(gzip.decompress(path.read_bytes()))
    return images


def _samples(images: list[dict[str, Any]], first: int = 0) -> list[Sample]:
    return [
        Sample(first + i, image["test"], tuple(image["refs"]))
        for i, image in enumerate(images)
    ]


def compare(images: list[dict[str, Any]], repeats: int) -> bool:
    """Compare the least processor times of both, run in turns."""
    try:
        import pycocoevalcap  # noqa: F401
    except ImportError:
        print("speed beside pycocoevalcap: skipped, it is not installed")
        return True
    ours, theirs = [], []
    for turn in range(repeats):
        # New ids, so that no cache of the last turn helps.
        ours.append(_spicepy(_samples(images, turn * len(images))))
        theirs.append(_pycocoevalcap(images))
    times: Times = {}
    print(f"{'seconds':<10}{'spicepy':>9}{'pycocoevalcap':>15}{'times':>8}")
    for step in (*STEPS, "all"):
        a, b = (_least(x, step) for x in (ours, theirs))
        figure(f"{step}.seconds", a, 3)
        figure(f"{step}.pycocoevalcap", b, 3)
        times[step] = b / a
        figure(f"{step}.times", b / a, 1)
        print(f"{step:<10}{a:>9.3f}{b:>15.3f}{b / a:>8.1f}")
    targets = ", ".join(f"{step} {wanted:g}" for step, wanted in FASTER.items())
    print(f"(the least of {repeats} turns, {processor()}; targets: {targets} times)")
    return all(times[step] >= wanted for step, wanted in FASTER.items())


def _least(turns: Sequence[Times], step: str) -> float:
    """Return the least seconds of a step; of all steps, the sum of these."""
    if step == "all":
        return sum(_least(turns, one) for one in STEPS)
    return min(times[step] for times in turns)


def _spent() -> float:
    """Return processor seconds of this process and of its children (Java)."""
    both = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(used.ru_utime + used.ru_stime for used in both)


def _timed(times: Times, step: str, run: Callable[[], Any]) -> Any:
    start = _spent()
    result = run()
    times[step] = _spent() - start
    return result


def _spicepy(raw: list[Sample]) -> Times:
    times: Times = {}
    samples = _timed(times, "tokenise", lambda: tokenised_samples(raw))
    for step, metric in zip(STEPS[1:], (Bleu(), RougeL(), Cider())):
        _timed(times, step, lambda metric=metric: _score(metric, samples))
    return times


def _score(metric: Any, samples: list[Sample]) -> None:
    rows = metric.count(samples).rows
    metric.image_scores(rows), metric.corpus_scores(rows.sum(axis=0), len(rows))


def _pycocoevalcap(images: list[dict[str, Any]]) -> Times:
    from pycocoevalcap.bleu.bleu import Bleu as TheirBleu
    from pycocoevalcap.cider.cider import Cider as TheirCider
    from pycocoevalcap.rouge.rouge import Rouge as TheirRouge
    from pycocoevalcap.tokenizer.ptbtokenizer import PTBTokenizer

    references = {
        i["image_id"]: [{"caption": caption} for caption in i["refs"]] for i in images
    }
    candidates = {i["image_id"]: [{"caption": i["test"]}] for i in images}
    times: Times = {}
    with contextlib.redirect_stdout(io.StringIO()):
        gts, res = _timed(
            times,
            "tokenise",
            lambda: [PTBTokenizer().tokenize(x) for x in (references, candidates)],
        )
        for step, scorer in zip(STEPS[1:], (TheirBleu(4), TheirRouge(), TheirCider())):
            _timed(times, step, lambda s=scorer: s.compute_score(gts, res))
    return times


def check_growth(shared: Path, sizes: list[int]) -> bool:
    """Measure seconds and peak memory of a process of its own for each size."""
    print(f"\n{'images':>8}{'seconds':>9}{'µs an image':>13}{'peak MB':>9}")
    results = []
    for size in sizes:
        command = [
            sys.executable,
            "-m",
            "benchmarks.speed.ngrams",
            "--shared",
            str(shared),
            "--grow",
            str(size),
        ]
        done = subprocess.run(
            command, check=True, capture_output=True, text=True, cwd=ROOT
        )
        seconds, peak = json.loads(done.stdout)
        results.append((size, seconds, peak))
        figure(f"{size}.seconds", seconds, 2)
        figure(f"{size}.microseconds", round(1e6 * seconds / size))
        figure(f"{size}.megabytes", round(peak))
        print(f"{size:>8,}{seconds:>9.2f}{1e6 * seconds / size:>13.1f}{peak:>9.0f}")
    (first, seconds, peak), (last, more_seconds, more_peak) = results[0], results[-1]
    ratio = more_seconds / seconds / (last / first)
    print(f"cost of an image {ratio:.2f} times, memory {more_peak - peak:+.0f} MB")
    return ratio <= 1.5 and more_peak - peak <= 100


def grow(images: list[dict[str, Any]], size: int) -> tuple[float, float]:
    """Process seconds and peak MB for `size` images in parts.

    Document frequencies are gathered in a first pass over the captions.
    """
    starts = range(0, size, len(images))
    start_time = time.process_time()
    frequencies = DocumentFrequencies.empty()
    for start in starts:
        table = encode(
            tokenised_samples(_samples(images, start)), frequencies.vocabulary
        )
        frequencies = frequencies.add(table)
    metrics = (Bleu(), RougeL(), Cider(frequencies=frequencies))
    totals: list[Any] = [0.0] * len(metrics)
    for start in starts:
        samples = tokenised_samples(_samples(images, start))
        for i, metric in enumerate(metrics):
            totals[i] = totals[i] + metric.count(samples).rows.sum(axis=0)
    for metric, total in zip(metrics, totals):
        metric.corpus_scores(total, size)
    seconds = time.process_time() - start_time
    return seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    raise SystemExit(run(main, "ngram_speed"))
