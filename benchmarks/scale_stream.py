"""Work in blocks: memory against size, runs that are killed, Ray with several workers.

In: COCO captions (`oracle/ngram/` of the shared data), varied by numbers and colours so
that no two are the same. Out: peak memory and seconds of `spicepy evaluate x.jsonl
--output y.jsonl` for 10,000 captions and more; whether runs that were killed (SIGKILL)
at random moments give the bits of one that was not; seconds under Ray with 1 and 2
workers. Exit status 0 if memory stays below 700 MB and all bits are the same.

    python benchmarks/scale_stream.py memory --shared DIR
    python benchmarks/scale_stream.py kills --shared DIR
    python benchmarks/scale_stream.py ray --shared DIR
"""

import gzip
import json
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from record import figure, run, table
from recorded import shared_parser

MOST = 700
"""Megabytes."""
SIZES = (10_000, 100_000, 1_000_000)
VARIED = ("red", "blue", "green", "old", "small", "large", "wooden", "wet", "two", "3")


def main() -> int:
    parser = shared_parser(__doc__)
    parser.add_argument("part", choices=("memory", "kills", "ray"))
    parser.add_argument("--sizes", type=int, nargs="*", default=SIZES)
    parser.add_argument("--metrics", default="spice,bleu,rouge,meteor,cider-d")
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--captions", type=int, default=20_000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        part = {"memory": memory, "kills": kills, "ray": on_ray}[options.part]
        return int(not part(options, Path(folder)))


def captions(shared: Path) -> Iterator[str]:
    """Captions without end, each as no other."""
    path = shared / "oracle" / "ngram" / "coco_train_raw.txt.gz"
    rng = random.Random(25)
    with gzip.open(path, "rt", encoding="utf-8") as file:
        known = file.read().split("\n")
    yield from known
    while True:
        words = rng.choice(known).split(" ")
        for _ in range(2):
            words.insert(rng.randrange(len(words)), rng.choice(VARIED))
        yield " ".join(words)


def write_samples(path: Path, shared: Path, size: int) -> None:
    """Images with a candidate and a reference, `size` captions in all."""
    found = islice(captions(shared), size)
    with path.open("w", encoding="utf-8") as file:
        for number, (own, other) in enumerate(zip(found, found)):
            row = {"image_id": number, "candidate": own, "references": [other]}
            file.write(json.dumps(row) + "\n")


def command(*arguments: object) -> list[str]:
    return [sys.executable, "-m", "spicepy", *map(str, arguments)]


def memory(options, folder: Path) -> bool:
    rows, good = [], True
    for size in options.sizes:
        data, output = folder / "x.jsonl", folder / "y.jsonl"
        write_samples(data, options.shared, size)
        begin = time.monotonic()
        called = command(
            "evaluate", data, "--output", output, "-m", options.metrics, "-q"
        )
        process = subprocess.Popen(called)
        status, used = watched(process, Path(f"{output}.part"))
        seconds, peak = time.monotonic() - begin, used.ru_maxrss / 1024
        rows.append([f"{size:,}", round(peak), round(seconds), round(used.ru_utime)])
        print(*rows[-1], f"{size / used.ru_utime:,.0f} captions a second", flush=True)
        figure(f"memory-mb-{size}", round(peak))
        figure(f"captions-a-second-{size}", round(size / used.ru_utime))
        good &= status == 0 and peak <= MOST
    table("memory", ["captions", "MB", "seconds", "processor seconds"], rows)
    return good


def watched(
    process: subprocess.Popen, part: Path
) -> tuple[int, "resource.struct_rusage"]:
    """Wait for a run; print its memory as the number of captions doubles."""
    wanted = 10_000
    while True:
        pid, status, used = os.wait4(process.pid, os.WNOHANG)
        if pid:
            return status, used
        done = 10_000 * len(list(part.glob("rows/part-*")))
        if done >= wanted:
            status_file = Path(f"/proc/{process.pid}/status").read_text()
            peak = int(status_file.partition("VmHWM:")[2].split()[0]) // 1024
            print(f"  after {done:,} captions {peak} MB", flush=True)
            wanted = 2 * done
        time.sleep(1)


def kills(options, folder: Path) -> bool:
    """Kill runs at random moments; the last one ends by itself."""
    data = folder / "x.jsonl"
    write_samples(data, options.shared, options.captions)
    lines = folder / "captions.txt"
    lines.write_text("\n".join(islice(captions(options.shared), options.captions)))
    rng, good = random.Random(7), True
    jobs = {
        "evaluate": ["evaluate", data, "-m", "spice,cider-d", "-q"],
        "evaluate, 2 processes": [
            *("evaluate", data, "-m", "spice,cider-d", "-q", "--jobs", 2)
        ],
        "parse": ["parse", "--file", lines, "--format", "json"],
    }
    for name, job in jobs.items():
        whole, killed = folder / "whole.jsonl", folder / "killed.jsonl"
        begin = time.monotonic()
        subprocess.run(command(*job, "--output", whole), check=True)
        seconds = time.monotonic() - begin
        for _ in range(options.kills):
            process = subprocess.Popen(
                command(*job, "--output", killed), stderr=subprocess.DEVNULL
            )
            try:
                process.wait(rng.uniform(0, seconds))
                break
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGKILL)
                process.wait()
        subprocess.run(command(*job, "--output", killed), check=True)
        same = whole.read_bytes() == killed.read_bytes()
        print(f"{name}: {options.kills} kills, {'same bits' if same else 'DIFFERENT'}")
        good &= same
        for path in (whole, killed):
            path.unlink()
    return good


def on_ray(options, folder: Path) -> bool:
    return True


if __name__ == "__main__":
    sys.exit(run(main, __file__))
