"""Work in blocks: memory by size, killed runs, Ray with several workers.

In: COCO captions (`oracle/ngram/` of the shared data), varied by numbers and colours so
that no two are the same. Out: peak memory and seconds of `spicepy evaluate x.jsonl
--output y.jsonl` for 10,000 captions and more; whether runs that were killed (SIGKILL)
at random moments give the bits of one that was not; seconds under Ray with 1 and 2
workers. Exit status 0 if memory stays below 700 MB and all bits are the same.

    python -m benchmarks.speed.streaming memory --shared DIR
    python -m benchmarks.speed.streaming kills --shared DIR
    python -m benchmarks.speed.streaming ray --shared DIR
"""

import argparse
import contextlib
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

from benchmarks.figures import figure, run, table
from benchmarks.java_oracle import shared_parser
from spicepy.captions.streams import Source
from spicepy.common.settings import GraphFormat
from spicepy.metrics.base import WordForm
from spicepy.pipeline import Pipeline
from spicepy.scale.blocks import read_captions
from spicepy.scale.evaluating import evaluate_corpus, evaluate_stream, frequencies_of
from spicepy.scale.jobs import Corpus, run_job
from spicepy.scale.parsing import Parsing
from spicepy.scale.ray_cluster import Cluster

MAX_MEMORY = 700
"""The maximum of memory, in megabytes."""
SIZES = (10_000, 100_000, 1_000_000)
VARIED = ("red", "blue", "green", "old", "small", "large", "wooden", "wet", "two", "3")


def main() -> int:
    """Print all figures; return 0 if every target is met."""
    parser = shared_parser(__doc__)
    parser.add_argument("part", help="memory, kills or ray")
    parser.add_argument("--data", help=argparse.SUPPRESS)
    parser.add_argument("--output", help=argparse.SUPPRESS)
    parser.add_argument("--block", type=int, default=100, help=argparse.SUPPRESS)
    parser.add_argument("--sizes", type=int, nargs="*", default=SIZES)
    parser.add_argument("--metrics", default="spice,bleu,rouge,meteor,cider-d")
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--captions", type=int, default=2_000)
    options = parser.parse_args()
    if options.part.startswith("run-"):
        return one_run(options)
    with tempfile.TemporaryDirectory() as folder:
        part = {"memory": memory, "kills": kills, "ray": on_ray}[options.part]
        return int(not part(options, Path(folder)))


def captions(shared: Path) -> Iterator[str]:
    """Yield distinct captions without end."""
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
    """Write images with a candidate and a reference, `size` captions in all."""
    found = islice(captions(shared), size)
    with path.open("w", encoding="utf-8") as file:
        for number, (own, other) in enumerate(zip(found, found)):
            row = {"image_id": number, "candidate": own, "references": [other]}
            file.write(json.dumps(row) + "\n")


def command(*arguments: object) -> list[str]:
    """Return a command of spicepy in this interpreter."""
    return [sys.executable, "-m", "spicepy", *map(str, arguments)]


def memory(options: argparse.Namespace, folder: Path) -> bool:
    """Return whether memory stays flat as the data grow."""
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
        good &= status == 0 and peak <= MAX_MEMORY
    write_samples(data, options.shared, 50_000)
    rates(data)
    table("memory", ["captions", "MB", "seconds", "processor seconds"], rows)
    return good


def rates(data: Path) -> None:
    """Measure the captions a second that are checked, and whose n-grams are counted."""
    corpus = Corpus(Source([data]).samples)
    begin = time.process_time()
    found = corpus.survey()
    between = time.process_time()
    frequencies_of(corpus.blocks, [WordForm.WORDS], found.captions)
    end = time.process_time()
    figure("checked-a-second", round(found.captions / (between - begin), -3))
    figure("counted-a-second", round(found.captions / (end - between), -3))
    print(
        f"{found.captions / (between - begin):,.0f} captions a second checked, "
        f"{found.captions / (end - between):,.0f} counted"
    )


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


def kills(options: argparse.Namespace, folder: Path) -> bool:
    """Kill runs at random moments; the last one ends by itself."""
    data = folder / "x.jsonl"
    write_samples(data, options.shared, options.captions)
    rng, good = random.Random(7), True
    for job in ("evaluate", "evaluate-2", "parse"):
        whole, killed = folder / "whole.jsonl", folder / "killed.jsonl"
        module = "benchmarks.speed.streaming"
        called = [sys.executable, "-m", module, f"run-{job}", "--data", str(data)]
        begin = time.monotonic()
        subprocess.run([*called, "--output", whole], check=True)
        seconds = time.monotonic() - begin
        part, kept, same, ends = Path(f"{killed}.part"), [], True, 0
        while len(kept) < options.kills:
            process = subprocess.Popen([*called, "--output", killed])
            if rng.random() < 0.8:  # when some blocks are finished
                wait_for_block(process, part, len(list(part.glob("rows/part-*"))))
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(rng.uniform(0, seconds / 4))
            if process.poll() is None:
                process.send_signal(signal.SIGKILL)
                process.wait()
                kept.append(len(list(part.glob("rows/part-*"))))
                if len(kept) == options.kills:
                    process = subprocess.Popen([*called, "--output", killed])
                    process.wait()
            if killed.exists() and process.returncode == 0:
                same &= whole.read_bytes() == killed.read_bytes() and not part.exists()
                killed.unlink()
                ends += 1
        print(
            f"{job}: {len(kept)} kills, blocks kept {kept}, {ends} ends, "
            f"{seconds:.0f} s in one go, {'the same bits' if same else 'OTHER BITS'}",
            flush=True,
        )
        figure(f"kills-{job}", len(kept))
        good &= same
        whole.unlink()
    return good


def wait_for_block(process: subprocess.Popen, part: Path, more_than: int) -> None:
    """Wait until a run has written a further block, or ended."""
    while process.poll() is None and len(list(part.glob("rows/part-*"))) <= more_than:
        time.sleep(0.01)


def one_run(options: argparse.Namespace) -> int:
    """Run in small blocks, to be killed."""
    source = Source([options.data])
    if options.part == "run-parse":
        records = lambda: read_captions(source.records())  # noqa: E731
        corpus = Corpus(records, cut=options.block)
        run_job(Parsing(Pipeline(), GraphFormat.factual), corpus, options.output)
    else:
        evaluate_stream(
            source.samples,
            options.output,
            ["spice", "cider-d"],
            captions=options.block,
            jobs=2 if options.part.endswith("2") else 1,
        )
    return 0


def on_ray(options: argparse.Namespace, folder: Path) -> bool:
    """Measure 1 and 2 workers without Ray's start, and compare the bits."""
    data, outputs, seconds = folder / "x.jsonl", [], []
    write_samples(data, options.shared, options.captions)
    for workers in (1, 2):
        output = folder / f"{workers}.jsonl"
        begin = time.monotonic()
        with Cluster(workers=workers).running() as work:
            running = time.monotonic()
            corpus = Corpus(Source([data]).samples, run=work)
            evaluate_corpus(corpus, output, ["spice"])
            seconds.append(time.monotonic() - running)
        print(
            f"{workers} workers: {time.monotonic() - begin:.1f} s, "
            f"{seconds[-1]:.1f} s of them without Ray's start",
            flush=True,
        )
        outputs.append(output.read_bytes())
        figure(f"ray-seconds-{workers}", seconds[-1], 1)
    print(f"{seconds[0] / seconds[1]:.2f} times as fast")
    return outputs[0] == outputs[1]


if __name__ == "__main__":
    sys.exit(run(main, "scale_stream"))
