"""The tokeniser compared with recorded outputs of the Java program, and its speed.

In: `oracle/ngram/` of the shared data. Out: a table of differences and captions
per second of process time; exit status 0 if there are no differences and the
speed is at least 60,000 captions a second.

    python -m benchmarks.parity.tokenizer --shared DIR
"""

import gzip
import json
import statistics
import time
from pathlib import Path
from typing import Any

from benchmarks.figures import figure, run
from benchmarks.java_oracle import read_json, shared_parser
from spicepy.tokenization.ptb import tokenize

TARGET = 60_000
REPEATS = 3


def main() -> int:
    """Print all figures; return 0 if every target is met."""
    folder = shared_parser(__doc__).parse_args().shared / "oracle" / "ngram"
    oracle = json.loads((folder / "tokenizer_oracle.json").read_text("utf-8"))
    lines = oracle["lines"]
    rows = [
        ("oracle, raw", oracle["java"], tokenize(lines, punctuation=True)),
        ("oracle, no punctuation", oracle["coco"], tokenize(lines)),
    ]
    raw, expected = (
        read_json(folder / f"coco5k_{n}.json.gz") for n in ("raw", "tokenized")
    )
    for name, captions in (("candidates", _candidates), ("references", _references)):
        rows.append((f"coco5k {name}", captions(expected), tokenize(captions(raw))))
    captions = _lines(folder / "coco_train_raw.txt.gz")
    seconds, found = _timed(captions)
    rows.append(("coco train", _lines(folder / "coco_train_coco.txt.gz"), found))

    different = 0
    print(f"{'set':<24}{'lines':>9}{'different':>11}")
    for name, wanted, got in rows:
        count = abs(len(wanted) - len(got))
        count += sum(a != b for a, b in zip(wanted, got, strict=False))
        different += count
        print(f"{name:<24}{len(wanted):>9,}{count:>11,}")
        key = name.replace(", ", "-").replace(" ", "-")
        figure(f"{key}.lines", len(wanted))
        figure(f"{key}.different", count)
    figure("lines", len(lines) + len(captions))
    figure("different", different)
    speed = len(captions) / seconds
    figure("captions-per-second", int(round(speed, -3)))
    print(
        f"speed: {speed:,.0f} captions/s (median of {REPEATS}, process time, "
        f"one core; target {TARGET:,})"
    )
    return int(different > 0 or speed < TARGET)


def _timed(captions: list[str]) -> tuple[float, list[str]]:
    times = []
    for _ in range(REPEATS):
        start = time.process_time()
        found = tokenize(captions)
        times.append(time.process_time() - start)
    return statistics.median(times), found


def _candidates(images: Any) -> list[str]:
    return [image["test"] for image in images]


def _references(images: Any) -> list[str]:
    return [reference for image in images for reference in image["refs"]]


def _lines(path: Path) -> list[str]:
    text = gzip.decompress(path.read_bytes()).decode("utf-8")
    return text.removesuffix("\n").split("\n")


if __name__ == "__main__":
    raise SystemExit(run(main, "tokenizer_parity"))
