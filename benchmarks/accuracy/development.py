"""All metrics side by side on the judgments that spice-soft was developed with.

In: `judgments/` of the shared data (never part of this project). Out: one table: a
figure (× 100) for each of seven sets, and their mean.

| figure | what |
|---|---|
| crowdflower | τ-b with the mean vote, Flickr8k-CF |
| Composite, machine | τ-c with correctness; the same for captions no person wrote |
| Nebula, CapEval1k | τ-c |
| PASCAL-50S | 2 (mean accuracy of HC, HI, HM, MM - 50), 5 references drawn 5 times |
| ABSTRACT-50S | 2 (accuracy - 50) on single triplets, one reference each |
| HM (recorded only) | accuracy on PASCAL-50S's pairs of a human and a machine caption |

These sets were used to choose what spice-soft is: its figures here are not those of a
test. All metrics get the same references; those equal to a candidate are removed.

    python -m benchmarks.accuracy.development --shared DIR
    [--metrics spice,spice-soft,…] [--vectors FILE] [--grammar spicepy-1]
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from rich.console import Console

from benchmarks.accuracy.judgments import (
    METRICS,
    composite_judgments,
    flickr8k_judgments,
    pascal_pairs,
    plain_judgments,
    rows,
)
from benchmarks.figures import figure, run
from benchmarks.java_oracle import shared_parser
from spicepy.common.settings import Equal, MetricOptions
from spicepy.common.tables import Table, to_rich
from spicepy.evaluation.options import resolve
from spicepy.metrics.base import Metric, signature_string
from spicepy.study.accuracy import ALL, MEAN, Accuracies, pairs
from spicepy.study.coefficients import coefficient
from spicepy.study.datasets import Judgment, scored_samples
from spicepy.study.preferences import Pair
from spicepy.study.scoring import SampleScores, score
from spicepy.tokenization.samples import tokenised

HUMAN_MACHINE = "HM"
SHOWN = ("spice-soft", "spice-soft-graph", "bleu-4")

Figures = Mapping[str, float]
"""Key -> figure, -1 to 1."""


def main() -> int:
    """Print all figures; return 0 if every target is met."""
    parser = shared_parser(__doc__)
    parser.add_argument("--metrics", default=METRICS)
    parser.add_argument("--vectors", type=Path, help="word vectors for spice-soft")
    parser.add_argument("--grammar", default="spice-1.0")
    given = parser.parse_args()
    folder = given.shared / "judgments"
    made = MetricOptions(grammar=given.grammar, vectors=given.vectors)
    metrics = resolve(given.metrics.split(","), made)
    fifty = pairs(pascal_pairs(folder), metrics=metrics, references=[5], repeats=5)
    found = {
        "crowdflower": crowdflower(folder, metrics),
        **composite(folder, metrics),
        "Nebula": plain(folder / "nebula_test.jsonl.gz", metrics),
        "CapEval1k": plain(folder / "capeval1k.jsonl.gz", metrics),
        "PASCAL-50S": accuracies(fifty, MEAN, 5),
        "ABSTRACT-50S": abstract(folder, metrics),
    }
    lines = []
    for key in (key for metric in metrics for key in metric.keys if shown(key)):
        figures = [100 * found[name][key] for name in found]
        lines.append((key, float(np.mean(figures)), *figures))
        for name, value in zip(("mean", *found), lines[-1][1:]):
            figure(f"{name}.{key}", value, 1)
    for key, value in accuracies(fifty, HUMAN_MACHINE, 5).items():
        figure(f"HM.{key}", 50 * (1 + value), 1)
    columns = ("metric", "mean", *found)
    table = Table("Development sets (× 100)", columns, tuple(lines), digits=1)
    Console(width=150).print(to_rich(table))
    for metric in metrics:
        print(signature_string(metric.signature(), "1-10"))
    return 0


def shown(key: str) -> bool:
    """Return whether a key is shown: not SPICE's categories or BLEU's lower orders."""
    return key in SHOWN or not key.startswith(("spice-", "bleu-"))


def crowdflower(folder: Path, metrics: Sequence[Metric]) -> Figures:
    """Return Kendall's τ-b on Flickr8k's crowd judgments."""
    return taus("kendall-b", *scored(flickr8k_judgments(folder), metrics))


def composite(folder: Path, metrics: Sequence[Metric]) -> Mapping[str, Figures]:
    """Return Kendall's τ-c on Composite, and on its machine captions."""
    kept, scores = scored(composite_judgments(folder), metrics, equal="image")
    machine = np.array([judgment.system != "human" for judgment in kept])
    return {
        "Composite": taus("kendall-c", kept, scores),
        "machine": taus("kendall-c", kept, scores, machine),
    }


def plain(path: Path, metrics: Sequence[Metric]) -> Figures:
    """Return Kendall's τ-c on a file of ratings."""
    return taus("kendall-c", *scored(plain_judgments(path), metrics))


def abstract(folder: Path, metrics: Sequence[Metric]) -> Figures:
    """Return the accuracy on the triplets of ABSTRACT-50S."""
    path = folder / "abstract50s_triplets.jsonl.gz"
    given = [
        Pair(line, row["B"], row["C"], "a" if row["rating"] > 0 else "b", (row["A"],))
        for line, row in enumerate(rows(path), 1)
    ]
    return accuracies(pairs(given, metrics=metrics), ALL, None)


def scored(
    judgments: Sequence[Judgment], metrics: Sequence[Metric], equal: Equal = "own"
) -> tuple[Sequence[Judgment], SampleScores]:
    """Return judgments that keep a reference, and the scores of their candidates."""
    words = tokenised([c for j in judgments for c in (j.candidate, *j.references)])
    found = scored_samples(judgments, words, equal)
    kept, samples = found.judgments, found.samples
    images = {j.image_id: j.references for j in judgments}
    documents = [[words[c] for c in references] for references in images.values()]
    return kept, score(metrics, samples, documents=documents)


def taus(
    name: str,
    judgments: Sequence[Judgment],
    scores: SampleScores,
    chosen: NDArray[np.bool_] | slice = slice(None),
) -> Figures:
    """Return Kendall's τ of (some of) the judgments' mean ratings with every key."""
    human = np.array([np.mean(j.ratings["human"]) for j in judgments])[chosen]
    return {
        key: coefficient(name, np.nan_to_num(scores[key])[chosen], human).value
        for key in scores.keys
    }


def accuracies(found: Accuracies, category: str, references: int | None) -> Figures:
    """Return 2 (accuracy - 1/2) of every key."""
    return {
        a.key: 2 * a.accuracy - 1
        for a in found.accuracies
        if (a.category, a.references) == (category, references)
    }


if __name__ == "__main__":
    raise SystemExit(run(main, "development"))
