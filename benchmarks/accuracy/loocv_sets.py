"""Leave-one-out over three data sets, with n-gram metrics.

In: of the shared data, COCO (`oracle/ngram/coco5k_raw.json.gz`), and the references of
Flickr8k and PASCAL-50S in `judgments/`. Out: bounds of all three, 300 images each,
and the published range of BLEU-1 over such sets. Exit status 0 if every set is in it.

Each fold has four references, since scores depend on their number.

    python -m benchmarks.accuracy.loocv_sets --shared DIR [--images N]
    [--output sets.html]
"""

import gzip
import json
from pathlib import Path

from rich.console import Console

from benchmarks.figures import figure, run
from benchmarks.java_oracle import shared_parser
from spicepy.common.tables import to_rich
from spicepy.common.writing import write
from spicepy.evaluation.options import resolve
from spicepy.reporting.study_figures import PICTURES
from spicepy.study.datasets import read_dataset
from spicepy.study.leave_one_out import loocv_sets

METRICS = "bleu,bleu-smooth-3,rouge,cider-unstemmed-raw,cider-d"
BLEU_1 = (0.56, 0.91)  # Wang & Gaizauskas 2016


def main() -> int:
    """Print all figures; return 0 if every target is met."""
    parser = shared_parser(__doc__)
    parser.add_argument("--images", type=int, default=300)
    parser.add_argument("--output", type=Path, help="the page to write")
    options = parser.parse_args()
    coco = options.shared / "oracle" / "ngram" / "coco5k_raw.json.gz"
    if not coco.exists():
        print(f"no {coco}: give --shared")
        return 2
    folder = options.shared / "judgments"
    sets = {
        "COCO": read_dataset(coco),
        "Flickr8k": references(folder / "flickr8k_crowdflower.jsonl.gz"),
        "PASCAL-50S": references(folder / "pascal50s_half.jsonl.gz"),
    }
    # Document frequencies come from all images of a set, so sets have equal sizes.
    sets = {n: dict(list(s.items())[: options.images]) for n, s in sets.items()}
    found = loocv_sets(
        sets, metrics=resolve(METRICS.split(",")), lower=True, references=4
    )
    console = Console(width=160)
    for table in found.tables()[:2]:
        console.print(to_rich(table))
    for name, result in zip(found.names, found.results, strict=True):
        for one in result.summaries:
            figure(f"{name}.{one.key}.{one.bound}", one.micro, 3)
    if options.output:
        write(found, options.output, PICTURES)
    low, high = BLEU_1
    return int(not all(low <= value <= high for _, value in found.ranked("bleu-1")))


def references(path: Path) -> dict[str, tuple[str, ...]]:
    """Return the references of each image, in the order of the file."""
    found: dict[str, tuple[str, ...]] = {}
    for line in gzip.decompress(path.read_bytes()).decode("utf-8").splitlines():
        row = json.loads(line)
        found.setdefault(row["image_id"], tuple(row["references"]))
    return found


if __name__ == "__main__":
    raise SystemExit(run(main, "loocv_sets"))
