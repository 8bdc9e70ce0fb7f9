"""METEOR 1.5 compared with recorded outputs of the Java program, and their speeds.

In: `oracle/ngram/` of the shared data; for the modes with paraphrases and for the
speed, an installed `pycocoevalcap` (and java). Out: tables of differences and of
seconds from start to end of a process; exit status 0 if nothing differs (per-image
scores of the 5,000 images by no more than 1e-12) and spicepy is twice as fast.

    python -m benchmarks.parity.meteor --shared DIR
"""

import argparse
import shutil
import statistics
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

from benchmarks.figures import figure, run
from benchmarks.java_oracle import read_json, shared_parser
from spicepy.captions.sample import Sample
from spicepy.metrics.meteor.metric import Meteor, normalize
from spicepy.metrics.meteor.paraphrases import find_paraphrases
from spicepy.words.morphology import stem
from spicepy.words.wordnet import load_wordnet

TOLERANCE = 1e-12
FASTER = 2.0
# Scores the 5,000 images in a process of its own, as the Java program is timed.
SCORE = """
import gzip, json, sys
from pathlib import Path
from spicepy.captions.sample import Sample
from spicepy.metrics.meteor import Meteor
metric = Meteor(Path(sys.argv[2]) if len(sys.argv) > 2 else None)
images = json.load(gzip.open(sys.argv[1]))
rows = metric.count(
    [Sample(image["image_id"], image["test"], tuple(image["refs"])) for image in images]
).rows
metric.image_scores(rows), metric.corpus_scores(rows.sum(axis=0), len(rows))
"""


def main() -> int:
    """Print all figures; return 0 if every target is met."""
    options = _options()
    folder = options.shared / "oracle" / "ngram"
    paraphrases = find_paraphrases()
    good = check_parts(folder)
    good &= check_oracle(folder, None)
    if paraphrases is None:
        print("with paraphrases and coco5k: skipped, pycocoevalcap is not installed")
        return int(not good)
    good &= check_oracle(folder, paraphrases)
    good &= check_images(folder, paraphrases)
    if shutil.which("java") is None:
        print("speed beside Java: skipped, java is not installed")
        return int(not good)
    return int(not (good & compare_speed(folder, paraphrases, options.repeats)))


def _options() -> argparse.Namespace:
    parser = shared_parser(__doc__)
    parser.add_argument("--repeats", type=int, default=3, help="timed runs each")
    return parser.parse_args()


def check_parts(folder: Path) -> bool:
    """Compare stemmer, normaliser and synonyms."""
    stems = read_json(folder / "stem_oracle.json").items()
    texts = read_json(folder / "normalizer_oracle.json")
    synonyms = read_json(folder / "synonym_oracle.json")["words"]
    wordnet = load_wordnet()
    differing = {
        "stemmer": [stem(word) != expected for word, expected in stems],
        "normaliser": [normalize(text).lower() != expected for text, expected in texts],
        "synonyms": [
            [wordnet.get_syn_sets(word), wordnet.get_stem_syn_sets(word)]
            != [frozenset(ids) for ids in expected]
            for word, expected in synonyms.items()
        ],
    }
    print(f"{'part':<24}{'cases':>9}{'different':>11}")
    for name, cases in differing.items():
        print(f"{name:<24}{len(cases):>9,}{sum(cases):>11,}")
        figure(f"{name}.cases", len(cases))
        figure(f"{name}.different", sum(cases))
    return not any(any(cases) for cases in differing.values())


def check_oracle(folder: Path, table: Path | None) -> bool:
    """Compare the statistics, segment and corpus scores of all items, bit by bit."""
    oracle = read_json(folder / "meteor_oracle.json")
    java = oracle["java"]["nopara" if table is None else "full"]
    metric = Meteor(table)
    samples = [
        Sample(k, item["hyp"], tuple(item["refs"]))
        for k, item in enumerate(oracle["items"])
    ]
    rows = metric.count(samples).rows
    expected = np.array([[float(x) for x in line.split()] for line in java["stats"]])
    statistics_differ = int((rows[:, :23] != expected).any(axis=1).sum())
    scores = metric.image_scores(rows)[:, 0]
    scores_differ = int((scores != np.array(java["seg"], dtype=float)).sum())
    corpus = float(metric.corpus_scores(rows.sum(axis=0), len(rows))[0])
    corpus_differs = corpus != float(java["corpus"])
    for name, count in (("statistics", statistics_differ), ("scores", scores_differ)):
        print(f"{metric.keys[0] + ' ' + name:<33}{len(rows):>6,}{count:>5,}")
        figure(f"{metric.keys[0]}.{name}", len(rows))
        figure(f"{metric.keys[0]}.{name}.different", count)
    print(f"{metric.keys[0]} corpus {corpus!r}, Java {java['corpus']}")
    return not (statistics_differ or scores_differ or corpus_differs)


def check_images(folder: Path, table: Path) -> bool:
    """Return the 5,000 COCO images: per image and corpus."""
    samples = [
        Sample(image["image_id"], image["test"], tuple(image["refs"]))
        for image in read_json(folder / "coco5k_tokenized.json.gz")
    ]
    expected = read_json(folder / "coco5k_scores.json.gz")
    metric = Meteor(table)
    rows = metric.count(samples).rows
    scores = metric.image_scores(rows)[:, 0]
    apart = np.abs(scores - expected["per_image"]["METEOR"])
    largest = float(apart.max())
    corpus = float(metric.corpus_scores(rows.sum(axis=0), len(rows))[0])
    difference = abs(corpus - expected["corpus"]["METEOR"])
    figure("images.different", int(np.count_nonzero(apart)))
    figure("images.corpus", corpus, 6)
    print(f"coco5k: largest difference of an image {largest:.1e}, ", end="")
    print(f"corpus {corpus:.6f}, difference {difference:.1e}")
    return max(largest, difference) <= TOLERANCE


def compare_speed(folder: Path, table: Path, repeats: int) -> bool:
    """Time whole processes, in turns with the Java program."""
    images = folder / "coco5k_tokenized.json.gz"
    lines = "".join(
        " ||| ".join(["SCORE", *image["refs"], image["test"]]) + "\n"
        for image in read_json(images)
    )
    java = ["java", "-Xmx2G", "-jar", "meteor-1.5.jar"]
    java += ["-", "-", "-stdio", "-l", "en", "-norm"]
    python = [sys.executable, "-c", SCORE, str(images.resolve())]
    home = table.resolve().parents[1]
    modes = {
        "meteor": ([*python, str(table.resolve())], java),
        "meteor-no-paraphrase": (python, [*java, "-m", "exact stem synonym"]),
    }
    print(f"{'5,000 images, seconds':<24}{'spicepy':>9}{'Java':>9}{'faster':>9}")
    good = True
    for name, (ours, theirs) in modes.items():
        pairs = [
            (_seconds(ours, "", Path.cwd()), _seconds(theirs, lines, home))
            for _ in range(repeats)
        ]
        here, there = (statistics.median(column) for column in zip(*pairs))
        figure(f"{name}.seconds", here, 1)
        figure(f"{name}.java-seconds", there, 1)
        figure(f"{name}.times", there / here, 1)
        print(f"{name:<24}{here:>9.2f}{there:>9.2f}{there / here:>8.1f}x")
        good &= there >= FASTER * here
    return good


def _seconds(command: list[str], text: str, folder: Path) -> float:
    start = time.perf_counter()
    nothing = subprocess.DEVNULL
    subprocess.run(
        command, input=text, text=True, cwd=folder, check=True, stdout=nothing
    )
    return time.perf_counter() - start


if __name__ == "__main__":
    raise SystemExit(run(main, "meteor_parity"))
