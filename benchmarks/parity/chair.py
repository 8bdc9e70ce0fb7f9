"""CHAIR compared with recorded outputs of the published scripts, by caption.

In: `annotations/` of the shared data (`spec/chair.md` says how the scripts' outputs
were made), and for the variant nltk NLTK's tagger (NLTK_DATA). Out: how many captions
differ in the objects they name or hallucinate or in their figures, how many sets in
theirs, and how many images in the objects of their references; exit status 0 if none
does.

    python -m benchmarks.parity.chair --shared DIR
"""

import argparse
import csv
import json
import lzma
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.figures import figure, run
from benchmarks.java_oracle import shared_parser
from spicepy.common.errors import ResourceError
from spicepy.objects.chair import CaptionObjects, caption_scores, corpus_scores
from spicepy.objects.mentions import MentionReader
from spicepy.objects.readers import load_reader

GOLDENS = ("goldens_lvlm", "goldens_coco_systems")
COLUMNS = ("CHAIRs", "CHAIRi", "Recall", "Precision", "F1", "Len")
TOLERANCE = 1e-6  # the records have six decimals


def main() -> int:
    """Print all figures; return 0 if nothing differs."""
    folder = _options().shared / "annotations"
    records = [
        record for name in GOLDENS for record in _lines(folder / f"{name}.jsonl.xz")
    ]
    figure("captions", len(records))
    good = True
    for variant, key in (("pattern", "b"), ("nltk", "c")):
        try:
            reader = load_reader(variant)
        except ResourceError as error:
            print(f"{variant}: skipped ({error})")
            continue
        good &= check_captions(folder, records, reader, variant, key)
        good &= check_references(folder, reader, variant, key)
    return int(not good)


def _options() -> argparse.Namespace:
    return shared_parser(__doc__).parse_args()


def check_captions(
    folder: Path,
    records: list[dict[str, Any]],
    reader: MentionReader,
    variant: str,
    key: str,
) -> bool:
    """Compare objects and figures of every caption, and the figures of every set."""
    truth = {own["image_id"]: _truth(own, key) for own in _lines(_truths(folder))}
    start = time.perf_counter()
    read = reader.read([record["caption"] for record in records])
    seconds = time.perf_counter() - start
    differing, rows = 0, defaultdict[str, list[tuple[float, ...]]](list)
    for record in records:
        found = read[record["caption"]]
        image_id, caption = record["image_id"], record["caption"]
        own = CaptionObjects(
            image_id, caption, found.mentions, truth[image_id], found.tokens
        )
        rows[record["set"]].append(own.row)
        expected = record["b"] if record[key] == "=b" else record[key]
        differing += not _agrees(own, expected)
    sets = sum(
        not np.allclose(
            corpus_scores(np.sum(rows[line["set"]], axis=0), len(rows[line["set"]])),
            [float(line[column]) for column in COLUMNS],
            rtol=0,
            atol=TOLERANCE,
        )
        for line in _sets(folder, key)
        if line["set"] in rows
    )
    print(f"{variant:<9}{len(records):>9,} captions {differing:>4} differ; ", end="")
    print(f"{len(rows):>3} sets {sets:>3} differ; {seconds:.0f} s")
    figure(f"{variant}.different", differing)
    figure(f"{variant}.sets", len(rows))
    figure(f"{variant}.sets.different", sets)
    return not (differing or sets)


def _agrees(own: CaptionObjects, expected: dict[str, Any]) -> bool:
    hallucinated = [[mention.word, mention.name] for mention in own.hallucinated]
    names = [mention.name for mention in own.mentions]
    scores = caption_scores(np.array([own.row]))[0][:3]
    figures = [expected["s"], expected["i"], expected["r"]]
    return (
        names == expected["words"]
        and hallucinated == expected["hall"]
        and bool(np.allclose(scores, figures, rtol=0, atol=TOLERANCE))
    )


def check_references(
    folder: Path, reader: MentionReader, variant: str, key: str
) -> bool:
    """Compare the objects that the references of each val2014 image name."""
    references = {
        r["image_id"]: r["refs"] for r in _lines(folder / "refs_val2014.jsonl.xz")
    }
    read = reader.read([caption for own in references.values() for caption in own])
    differing = 0
    for own in _lines(_truths(folder)):
        if captions := references.get(own["image_id"]):
            named = {name for caption in captions for name in read[caption].names}
            differing += named != set(_named(own, key))
    print(f"{variant:<9}{len(references):>9,} images   {differing:>4} differ")
    figure(f"{variant}.images", len(references))
    figure(f"{variant}.images.different", differing)
    return not differing


def _truths(folder: Path) -> Path:
    return folder / "gt_objects.jsonl.xz"


def _named(record: dict[str, Any], key: str) -> list[str]:
    own: list[str] | str = record[f"cap_{key}"]
    return record["cap_b"] if isinstance(own, str) else own


def _truth(record: dict[str, Any], key: str) -> frozenset[str]:
    return frozenset((*record["inst"], *_named(record, key)))


def _sets(folder: Path, key: str) -> Iterator[dict[str, str]]:
    with open(folder / "sets.tsv", encoding="utf-8") as file:
        lines = csv.DictReader(file, delimiter="\t")
        yield from (line for line in lines if line["variant"] == key)


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    with lzma.open(path, "rt", encoding="utf-8") as file:
        yield from map(json.loads, file)


if __name__ == "__main__":
    raise SystemExit(run(main, "chair_parity"))
