"""All metrics compared with public human judgments, with the published figures.

In: `judgments/` of the shared data (never part of this project). Out: one table
a data set, then every anchor with what was found. Exit status 0 if all anchors
lie within their tolerance. The protocol of every table is printed with it.

The tolerance covers what cannot be reproduced from here: Composite and
PASCAL-50S are present as random halves (the sampling error of a half's accuracy
in one PASCAL category is about 2 points, of a τ about 0.6, alike for all metrics),
the sampled references of PASCAL-50S were never published, and of its 48 votes a pair
only 11 are in the file.

References that are rated captions themselves leave all candidates of their image
(`equal="image"`): only then do all metrics on Composite differ from the published
figures by the same amount.

The file of Flickr8k-CF cannot give the published figures: it lacks the 721 pairs of an
image with one of its own captions (47,109 of 47,830 pairs). So the file as it is is
held against what it gave when these figures were first made, which shows whether
anything moved. "Flickr8k-CF, own captions" is held against the published ones: it
puts as many pairs back. Each image has one caption among the 1,000 that were rated;
721 images are drawn, and their caption is taken to have been accepted by all raters.

    python -m benchmarks.accuracy.judgments --shared DIR [--only flickr8k,pascal]
    [--metrics spice,bleu,…] [--samples 200] [--curve [--output DIR]] [--model NAME]
"""

import argparse
import gzip
import json
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from math import isnan
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console

from benchmarks import figures
from benchmarks.figures import run
from benchmarks.java_oracle import shared_parser
from spicepy.common.settings import Equal, MetricOptions
from spicepy.common.tables import Table, to_rich
from spicepy.common.writing import write
from spicepy.evaluation.options import resolve
from spicepy.metrics.base import Metric
from spicepy.reporting.study_figures import PICTURES
from spicepy.study.accuracy import ALL, Accuracies, pairs, split_agreement
from spicepy.study.correlation import Correlations, correlate
from spicepy.study.datasets import Judgment
from spicepy.study.preferences import Pair, from_triplets

METRICS = "spice-soft,spice,bleu,rouge,meteor,cider,cider-d"
CURVE = (1, 2, 5, 10, 20, 30, None)


@dataclass(frozen=True)
class Anchor:
    """An expected figure, the figure found, and the tolerance between them."""

    data: str
    name: str
    expected: float
    tolerance: float
    value: float


def main() -> int:
    """Print all figures; return 0 if every target is met."""
    parser = shared_parser(__doc__)
    parser.add_argument("--only", default=",".join(STUDIES))
    parser.add_argument("--metrics", default=METRICS)
    parser.add_argument("--model", help="a spaCy model instead of the bundled parser")
    parser.add_argument("--samples", type=int, default=200)
    parser.add_argument("--curve", action="store_true", help="vary the references")
    parser.add_argument("--output", type=Path, help="folder for curves as pictures")
    options = parser.parse_args()
    folder = options.shared / "judgments"
    if not folder.is_dir():
        print(f"no {folder}: give --shared")
        return 2
    console = Console(width=200)
    anchors: list[Anchor] = []
    for name in options.only.split(","):
        start = time.process_time()
        tables, found = STUDIES[name](folder, options)
        anchors += found
        for table in tables:
            console.print(to_rich(table))
        print(f"{name}: {time.process_time() - start:.0f} s of process time\n")
    rows = tuple(
        (a.data, a.name, a.expected, a.value, a.value - a.expected, a.tolerance)
        for a in anchors
    )
    columns = ("data", "figure", "expected", "found", "difference", "tolerance")
    console.print(to_rich(Table("Anchors (× 100)", columns, rows, digits=1)))
    return int(any(abs(a.value - a.expected) > a.tolerance for a in anchors))


FLICKR8K = {
    "spice": (24.4, 12.0),
    "meteor": (22.2, 11.5),
    "cider-d": (24.6, 12.7),
    "bleu-1": (17.9, 9.3),
    "bleu-4": (16.9, 8.7),
    "rouge-l": (19.9, 10.3),
}
FLICKR8K_FILE = {
    "spice": (21.6, 10.1),
    "meteor": (19.6, 9.6),
    "cider-d": (22.1, 10.8),
    "bleu-1": (15.7, 7.7),
    "bleu-4": (14.6, 7.1),
    "rouge-l": (17.2, 8.4),
}
"""The numbers from the file: ours, not published."""

COMPOSITE = {
    "spice": (38.8, 40.3),
    "meteor": (36.0, 38.9),
    "cider-d": (34.9, 37.7),
    "bleu-1": (29.0, 31.3),
    "bleu-4": (28.3, 30.6),
    "rouge-l": (30.0, 32.4),
}
"""τ-b and τ-c; Hessel et al. 2021 (CLIPScore), Sarto et al. 2023 (PAC-S)."""

FLICKR8K_PAIRS = 47_830


def flickr8k(folder: Path, options: argparse.Namespace) -> Any:
    """Compare metrics on Flickr8k's crowd judgments."""
    judgments = flickr8k_judgments(folder)
    found = correlated(judgments, options)
    anchors = taus("Flickr8k-CF", found, FLICKR8K_FILE, 0.3)
    whole = correlated([*judgments, *own_captions(judgments)], options, equal="image")
    anchors += taus("Flickr8k-CF, own captions", whole, FLICKR8K, 1.0)
    return found.tables() + whole.tables(), anchors


def own_captions(judgments: list[Judgment]) -> Iterator[Judgment]:
    """Yield accepted captions of the images themselves, as many as the file lacks."""
    candidates = {normal(j.candidate) for j in judgments}
    images = {j.image_id: j for j in judgments}
    own = {
        image_id: [c for c in j.references if normal(c) in candidates]
        for image_id, j in images.items()
    }
    usable = [image_id for image_id, found in own.items() if found]
    drawn = np.random.default_rng(1).permutation(len(usable))
    for k in drawn[: FLICKR8K_PAIRS - len(judgments)]:
        j = images[usable[k]]
        human = {"human": (1.0,) * 3}
        yield Judgment(j.image_id, own[j.image_id][0], j.references, human)


def normal(caption: str) -> str:
    """Return letters and digits only, since a caption is written in several ways."""
    return "".join(filter(str.isalnum, caption.lower()))


def composite(folder: Path, options: argparse.Namespace) -> Any:
    """Compare metrics on half of Composite."""
    found = correlated(composite_judgments(folder), options, equal="image")
    return found.tables(), taus("Composite", found, COMPOSITE, 2.0)


def nebula(folder: Path, options: argparse.Namespace) -> Any:
    """Compare metrics on Nebula's test set."""
    found = correlated(plain_judgments(folder / "nebula_test.jsonl.gz"), options)
    return found.tables(), taus("Nebula", found, {"spice": (51.5, 47.4)}, 1.0)


def capeval1k(folder: Path, options: argparse.Namespace) -> Any:
    """Compare metrics on CapEval1k."""
    found = correlated(plain_judgments(folder / "capeval1k.jsonl.gz"), options)
    _record("CapEval1k", found)
    return found.tables(), []


PASCAL = {
    "spice": (63.3, 96.3, 87.5, 68.2),
    "meteor": (64.0, 98.1, 94.2, 66.8),
    "cider-d": (61.9, 98.0, 91.0, 64.6),
    "bleu-1": (64.9, 95.2, 90.7, 60.1),
    "rouge-l": (61.7, 95.3, 91.7, 60.3),
}
"""Accuracy for HC, HI, HM, MM with 5 references; "CIDEr" there is CIDEr-D."""


def pascal(folder: Path, options: argparse.Namespace) -> Any:
    """Compare metrics on half of PASCAL-50S."""
    given = pascal_pairs(folder)
    found = pairs(given, metrics=metrics(options), references=[5], repeats=5)
    anchors = [
        Anchor("PASCAL-50S", f"{key} {category}", published, 4.0, value)
        for key, figures in PASCAL.items()
        for category, published in zip(("HC", "HI", "HM", "MM"), figures)
        if (value := accuracy(found, key, category, 5)) is not None
    ]
    for one in found.accuracies:
        figures.figure(f"PASCAL-50S.{one.key}.{one.category}", 100 * one.accuracy, 1)
    anchors += people("PASCAL-50S", found, 90)
    for one in found.wins:
        if not isnan(one.pearson):
            figures.figure(f"PASCAL-50S.wins.{one.key}.{one.category}", one.pearson, 2)
    tables = found.tables() + geometric("PASCAL-50S", given)
    if options.curve:
        tables += curve("pascal", given, options)
    return tables, anchors


def abstract(folder: Path, options: argparse.Namespace) -> Any:
    """Compare metrics on ABSTRACT-50S."""
    records = list(rows(folder / "abstract50s_triplets.jsonl.gz"))
    given, even = from_triplets((f"line {i}", row) for i, row in enumerate(records, 1))
    found = pairs(given, metrics=metrics(options))
    print(f"abstract: {even} pairs without a majority left out")
    value = accuracy(found, "cider", ALL, None)
    anchors = [] if value is None else [Anchor("ABSTRACT-50S", "cider", 84, 2, value)]
    agreed = 100 * every_pair(records)
    figures.figure("ABSTRACT-50S.people.all-400-pairs", agreed, 1)
    anchors.append(Anchor("ABSTRACT-50S", "people, all 400 pairs", 83, 2, agreed))
    people("ABSTRACT-50S", found, 83)
    tables = found.tables() + geometric("ABSTRACT-50S", given)
    if options.curve:
        tables += curve("abstract", given, options)
    return tables, anchors


def people(data: str, found: Accuracies, published: float) -> list[Anchor]:
    """Return the agreement of people in halves of their votes, by category."""
    for one in found.ceilings:
        figures.figure(f"{data}.people.{one.category}", 100 * one.agreement, 1)
    whole = 100 * found.ceilings[-1].agreement
    return [Anchor(data, "people", published, 4.0, whole)]


def every_pair(records: list[dict[str, Any]]) -> float:
    """Return the agreement of people, with pairs that have no majority, too."""
    votes: dict[Any, list[int]] = {}
    for row in records:
        votes.setdefault(row["pair"], [0, 0])[row["rating"] < 0] += 1
    return float(np.mean([split_agreement((a, b)) for a, b in votes.values()]))


def geometric(data: str, given: list[Pair]) -> tuple[Table, ...]:
    """Return CIDEr as the sum and as the geometric mean over n, with all references."""
    found = pairs(given, metrics=["cider", "cider-exp"])
    for key in ("cider", "cider-exp"):
        one = found.accuracy(key)
        figures.figure(f"{data}.all-references.{key}", 100 * one.accuracy, 1)
        figures.figure(f"{data}.all-references.{key}.tied", 100 * one.tied, 1)
    return found.tables()[:1]


STUDIES: Mapping[str, Callable[[Path, argparse.Namespace], Any]] = {
    "flickr8k": flickr8k,
    "composite": composite,
    "nebula": nebula,
    "capeval1k": capeval1k,
    "pascal": pascal,
    "abstract": abstract,
}


def correlated(
    judgments: list[Judgment], options: argparse.Namespace, equal: Equal = "own"
) -> Correlations:
    """Correlate the metrics of the command with judgments."""
    return correlate(
        judgments, metrics=metrics(options), samples=options.samples, equal=equal
    )


def curve(
    name: str, given: list[Pair], options: argparse.Namespace
) -> tuple[Table, ...]:
    """Return the accuracy by number of references; its pictures go to `--output`."""
    found = pairs(given, metrics=metrics(options), references=CURVE, repeats=3)
    for one in found.accuracies:
        key = f"{name}.{one.key}.{one.category}.{one.references or 'all'}"
        figures.figure(key, 100 * one.accuracy, 1)
    if options.output:
        write(found, options.output / f"{name}.json")
        write(found, options.output / f"{name}.html", PICTURES)
    return found.tables()[1:]


def metrics(options: argparse.Namespace) -> list[Metric]:
    """Return the metrics that the command names."""
    return resolve(options.metrics.split(","), MetricOptions(model=options.model))


def taus(
    data: str,
    found: Correlations,
    published: Mapping[str, tuple[float, float]],
    tolerance: float,
) -> list[Anchor]:
    """Return the published correlations of metrics beside the measured ones."""
    _record(data, found)
    return [
        Anchor(data, f"{key} {name}", figure, tolerance, 100 * measured[name].value)
        for measured in found.captions
        if measured.human == "human"
        if (key := measured.key.removesuffix("-no-paraphrase")) in published
        for name, figure in zip(("kendall-b", "kendall-c"), published[key])
    ]


def _record(data: str, found: Correlations) -> None:
    """Name τ-b and τ-c of every key of a data set, × 100."""
    for measured in found.captions:
        if measured.human == "human":
            b, c = (100 * measured[f"kendall-{x}"].value for x in "bc")
            figures.figure(f"{data}.{measured.key}", f"{b:.1f} / {c:.1f}")


def accuracy(
    found: Accuracies, key: str, category: str, count: int | None
) -> float | None:
    """Return the accuracy × 100 of a key; METEOR may be without paraphrases."""
    keys = {a.key for a in found.accuracies}
    name = next((k for k in (key, f"{key}-no-paraphrase") if k in keys), None)
    return name and 100 * found.accuracy(name, category, count).accuracy


def flickr8k_judgments(folder: Path) -> list[Judgment]:
    """Read Flickr8k's crowd judgments."""
    return [
        judgment(row, (1.0,) * row["votes_yes"] + (0.0,) * row["votes_no"])
        for row in rows(folder / "flickr8k_crowdflower.jsonl.gz")
    ]


def composite_judgments(folder: Path) -> list[Judgment]:
    """Read the judgments of Composite."""

    def thoroughness(row: dict[str, Any]) -> tuple[float, ...]:
        value = row["thoroughness"]
        return () if value is None else (value,)

    return [
        judgment(row, (row["human"],), row["system"], thoroughness=thoroughness(row))
        for row in rows(folder / "composite_half.jsonl.gz")
    ]


def plain_judgments(path: Path) -> list[Judgment]:
    """Read a file of ratings."""
    return [judgment(row, (row["human"],)) for row in rows(path)]


def judgment(
    row: dict[str, Any],
    human: tuple[float, ...],
    system: str = "",
    **more: tuple[float, ...],
) -> Judgment:
    """Return a judgment from a row of a file."""
    references, ratings = tuple(row["references"]), {"human": human, **more}
    return Judgment(row["image_id"], row["candidate"], references, ratings, system)


def pascal_pairs(folder: Path) -> list[Pair]:
    """Read the pairs of PASCAL-50S."""
    return [
        Pair(
            row["image_id"],
            row["candidate_a"],
            row["candidate_b"],
            row["preferred"],
            tuple(row["references"]),
            row["category"],
            (row["votes_a"], row["votes_b"]),
            (f"system {row['system_a']}", f"system {row['system_b']}"),
        )
        for row in rows(folder / "pascal50s_half.jsonl.gz")
    ]


def rows(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the rows of a file of JSON lines."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


if __name__ == "__main__":
    raise SystemExit(run(main, "judgments"))
