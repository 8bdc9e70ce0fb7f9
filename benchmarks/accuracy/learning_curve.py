"""The number of images that ranks three systems of Composite as all images do.

In: `judgments/composite_half.jsonl.gz` of the shared data: captions by people, a neural
and a template system on 2,028 images. References that equal one of the three captions
are removed for all three. Out: mean τ-b with the ranking on all images, by metric and
number of images.

    python -m benchmarks.accuracy.learning_curve --shared DIR [--metrics spice,bleu,…]
"""

import gzip
import json
from pathlib import Path

from rich.console import Console

from benchmarks.figures import figure, run
from benchmarks.java_oracle import shared_parser
from spicepy.captions.sample import Sample
from spicepy.common.tables import to_rich
from spicepy.evaluation.evaluation import evaluate
from spicepy.evaluation.options import resolve
from spicepy.study.correlation import stability

METRICS = "spice,bleu,rouge,cider-d"


def main() -> int:
    """Print all figures; return 0 if every target is met."""
    parser = shared_parser(__doc__)
    parser.add_argument("--metrics", default=METRICS)
    options = parser.parse_args()
    path = options.shared / "judgments" / "composite_half.jsonl.gz"
    if not path.exists():
        print(f"no {path}: give --shared")
        return 2
    scorers = resolve(options.metrics.split(","))
    systems = {
        name: evaluate(samples, scorers) for name, samples in composite(path).items()
    }
    found = stability(systems)
    console = Console(width=200)
    for table in found.tables():
        console.print(to_rich(table))
    for one in found.agreements:
        figure(f"composite.{one.key}.{one.images}", one.tau, 2)
    for key in found.keys:
        enough = found.enough(key)
        figure(
            f"composite.{key}.enough",
            f"> {found.sizes[-1]}" if enough is None else enough,
        )
    return 0


def composite(path: Path) -> dict[str, list[Sample]]:
    """Return the captions of each system, all with the same references."""
    lines = gzip.decompress(path.read_bytes()).decode("utf-8").splitlines()
    records = [json.loads(line) for line in lines]
    shared: dict[str, list[str]] = {}
    for row in records:
        known = shared.setdefault(row["image_id"], row["references"])
        shared[row["image_id"]] = [c for c in known if c in row["references"]]
    own: dict[str, dict[str, Sample]] = {}
    for row in records:
        image = row["image_id"]
        sample = Sample(image, row["candidate"], tuple(shared[image]))
        own.setdefault(row["system"], {})[image] = sample
    everywhere = [
        image
        for image, left in shared.items()
        if left and all(image in found for found in own.values())
    ]
    return {name: [found[i] for i in everywhere] for name, found in own.items()}


if __name__ == "__main__":
    raise SystemExit(run(main, "learning_curve"))
