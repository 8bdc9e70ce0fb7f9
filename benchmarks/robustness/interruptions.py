"""Interrupted and resumed runs: the cache of parses, kills, faults, two processes.

Usage: python -m benchmarks.robustness.interruptions [--shared DIR] [--images N]
       [--minutes M] PART…

    times    seconds of the processor, cold, warm, and after a run that was killed
             halfway; start-up (imports, grammar, WordNet) is not counted
    jobs     seconds on the clock of `spicepy evaluate` in one process and in two
    kills    SIGKILL at 20 random moments, each time the same command again, in one
             process and in two: nothing lost, nothing doubled, the same output
    pair     two processes score random parts on one cache for M minutes (10)
    faults   a full disk, a folder that can only be read, a damaged file, a cache of
             an older version: the same numbers, and one warning

The candidates and references are those of 5,000 images of COCO. Exit code 0 if all
checks hold and all targets are met.
"""

import json
import os
import random
import resource
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from benchmarks.figures import figure, run
from benchmarks.java_oracle import read_json, shared_parser
from spicepy.pipeline.cache_store import NAME, Store

WARM, TIMES_FASTER, TWO = 1.0, 5.0, 1.8
ROUNDS, KILLS = 3, 20
_NOBODY = 65534

SCORE = """
import hashlib, json, os, sys, time
from spicepy.evaluation.evaluation import evaluate
from spicepy.metrics.spice import Spice
from spicepy.captions.reading import read_samples
samples, spice = read_samples(sys.argv[1]), Spice(cache=sys.argv[2])
if sys.argv[3:]:
    evaluate(samples[:1], [Spice(cache="")])  # import all, which another user may not
    os.setuid(int(sys.argv[3]))
start = time.process_time()
found = evaluate(samples, [spice])
seconds = time.process_time() - start
bits = hashlib.sha256(found.measured[0].statistics.rows.tobytes()).hexdigest()
print(json.dumps({"seconds": seconds, "bits": bits, "signature": found.signature}))
"""


def main() -> int:
    """Run the parts that are named; 0 if all hold."""
    parser = shared_parser(__doc__)
    parser.add_argument("--images", type=int, default=5_000)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("parts", nargs="+", choices=[*PARTS, "all"], metavar="PART")
    options = parser.parse_args()
    rows = read_json(options.shared / "oracle/ngram/coco5k_raw.json.gz")
    names = list(PARTS) if "all" in options.parts else options.parts
    good = True
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        samples = folder / "samples.json"
        samples.write_text(json.dumps(rows[: options.images]))
        for part in names:
            print(f"{part}, {min(options.images, len(rows)):,} images")
            good &= PARTS[part](folder, samples, options.minutes)
    return 0 if good else 1


def times(folder: Path, samples: Path, _: float) -> bool:
    """Time cold, warm and resumed runs; compare their numbers with an uncached run."""
    plain = score(samples, "")
    found: dict[str, list[float]] = {"cold": [], "warm": [], "resumed": []}
    same = True
    for n in range(ROUNDS):
        cache, half = folder / f"cold-{n}", folder / f"half-{n}"
        start_and_kill(samples, half, share=0.5)
        for kind, place in (("cold", cache), ("warm", cache), ("resumed", half)):
            one = score(samples, place)
            found[kind].append(one.pop("seconds"))
            same &= one == {key: plain[key] for key in one}
    medians = {kind: statistics.median(each) for kind, each in found.items()}
    for kind, seconds in medians.items():
        figure(f"times.{kind}", round(seconds, 2))
        each = ", ".join(f"{one:.2f}" for one in found[kind])
        print(f"   {kind:8s} {seconds:6.2f} s of the processor ({each})")
    faster = medians["cold"] / medians["warm"]
    figure("times.faster", round(faster, 1))
    size = Store(folder / "cold-0").size()
    figure("times.megabytes", round(size / 1e6, 1))
    print(f"   warm is {faster:.1f} x as fast (target {TIMES_FASTER:.0f}), target")
    print(f"   {WARM} s; {size / 1e6:.1f} MB; same numbers and signature: {same}")
    return same and medians["warm"] <= WARM and faster >= TIMES_FASTER


def jobs(folder: Path, samples: Path, _: float) -> bool:
    """Return the command on the clock, start-up included, in one process and in two."""
    found: dict[int, list[float]] = {1: [], 2: []}
    outputs = set()
    for n in range(ROUNDS):
        for many in found:
            output = folder / f"jobs-{many}-{n}.json"
            start = time.perf_counter()
            command(samples, "", output, "-j", many).wait()
            found[many].append(time.perf_counter() - start)
            outputs.add(output.read_bytes())
    one, two = (min(each) for each in found.values())
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    figure("jobs.one", round(one, 1))
    figure("jobs.two", round(two, 1))
    figure("jobs.times", round(one / two, 2))
    print(f"   one process {one:.1f} s, two {two:.1f} s: {one / two:.2f} x (target")
    print(f"   {TWO}); {used.ru_utime + used.ru_stime:.0f} s of the processor in all")
    print(f"   same output: {len(outputs) == 1}")
    return len(outputs) == 1 and one / two >= TWO


def kills(folder: Path, samples: Path, _: float) -> bool:
    """Kill runs at random moments, then run the same command to its end."""
    whole = folder / "whole.json"
    begun = time.perf_counter()
    command(samples, folder / "whole", whole).wait()
    seconds = time.perf_counter() - begun
    chance, good = random.Random(0), True
    for many in (1, 2):
        cache, output = folder / f"killed-{many}", folder / f"killed-{many}.json"
        for _ in range(KILLS // 2):
            process = command(samples, cache, output, "-j", many)
            try:
                process.wait(chance.uniform(0, seconds / many / 2))
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGKILL)
                process.wait()
            left = [path for path in folder.iterdir() if ".spicepy-" in path.name]
            good &= not output.exists() or output.read_bytes() == whole.read_bytes()
            for path in left:  # a temporary file of a killed run may stay
                path.unlink()
        command(samples, cache, output, "-j", many).wait()
        same = output.read_bytes() == whole.read_bytes()
        rows, expected = row_count(cache), row_count(folder / "whole")
        good &= same and rows == expected
        print(f"   {KILLS // 2} kills, --jobs {many}: same output {same}, in the cache")
        print(f"   {rows:,} rows, {expected:,} after a run that was not killed")
    return good


def row_count(cache: Path) -> int:
    """Return the number of results in a cache."""
    return sum(many for _, many in Store(cache).namespaces().values())


def pair(folder: Path, samples: Path, minutes: float) -> bool:
    """Let two processes score random parts of the samples on one cache."""
    cache, end = folder / "pair", time.monotonic() + 60 * minutes
    rows, chance = json.loads(samples.read_text()), random.Random(0)
    parts = []
    for n in range(6):
        part = folder / f"part-{n}.json"
        part.write_text(json.dumps(chance.sample(rows, max(1, len(rows) // 5))))
        parts.append((part, score(part, "")["bits"]))
    runs = 0
    good = True
    while time.monotonic() < end:
        if not runs % 10:  # from the beginning
            Store(cache).clear()
        chosen = [chance.choice(parts) for _ in range(2)]
        both = [scoring(part, cache) for part, _ in chosen]
        for process, (_, bits) in zip(both, chosen, strict=True):
            said, errors = process.communicate()
            good &= process.returncode == 0 and not errors
            good &= json.loads(said)["bits"] == bits
        runs += 2
    print(f"   {runs} runs in {minutes:g} minutes, all with the right bits: {good};")
    print(f"   {row_count(cache):,} rows at the end")
    return good


def faults(folder: Path, samples: Path, _: float) -> bool:
    """Check that a faulty cache costs time and one warning, and moves no number."""
    plain = score(samples, "")["bits"]
    made = folder / "made"
    score(samples, made)
    whole = (made / NAME).read_bytes()
    cases = {
        "full disk": b"",
        "read only": whole,
        "damaged": _damaged(whole),
        "older version": whole[:60] + bytes(4) + whole[64:],
    }
    good = True
    for name, data in cases.items():
        cache = Path(tempfile.mkdtemp())  # not in `folder`, where only its owner may go
        if data:
            (cache / NAME).write_bytes(data)
        if name == "read only":
            (cache / NAME).chmod(0o444)
            cache.chmod(0o555)
        process = scoring(
            samples,
            cache,
            before=_limit_files if name == "full disk" else None,
            user=name == "read only" and os.getuid() == 0 and _NOBODY,
        )
        said, errors = process.communicate()
        right = process.returncode == 0 and json.loads(said)["bits"] == plain
        warnings = errors.count("SpicepyWarning")
        good &= right and warnings == 1
        print(f"   {name}: same bits {right}, {warnings} warning")
        cache.chmod(0o755)
        shutil.rmtree(cache)
    return good


def score(samples: Path, cache: Path | str) -> dict[str, Any]:
    """Score in a process of its own."""
    process = scoring(samples, cache)
    said, errors = process.communicate()
    if process.returncode:
        raise SystemExit(errors)
    found: dict[str, Any] = json.loads(said)
    return found


def scoring(
    samples: Path,
    cache: Path | str,
    before: Callable[[], Any] | None = None,
    user: int = 0,
) -> "subprocess.Popen[str]":
    """Begin to score in a process of its own, perhaps as another user."""
    named = [str(user)] if user else []
    return subprocess.Popen(
        [sys.executable, "-c", SCORE, str(samples), str(cache), *named],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=before,
    )


def command(
    samples: Path, cache: Path | str, output: Path, *options: object
) -> "subprocess.Popen[bytes]":
    """Begin `spicepy evaluate`."""
    named = ["--cache", cache] if cache else []
    words: Sequence[object] = [samples, "-q", "-o", output, *named, *options]
    return subprocess.Popen(
        [sys.executable, "-m", "spicepy", "evaluate", *map(str, words)],
        stdout=subprocess.DEVNULL,
    )


def kept(store: Store) -> int:
    """Return the number of results in a store."""
    return sum(count for _, count in store.namespaces().values())


def start_and_kill(samples: Path, cache: Path, share: float) -> None:
    """Score until that share of the captions is in the cache; then SIGKILL."""
    texts = sum(1 + len(row["refs"]) for row in json.loads(samples.read_text()))
    process, store = scoring(samples, cache), Store(cache)
    while process.poll() is None and kept(store) < share * texts:
        time.sleep(0.02)
    process.kill()
    process.communicate()


def _limit_files() -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (10**5, 10**5))


def _damaged(whole: bytes) -> bytes:
    chance, data = random.Random(0), bytearray(whole)
    for _ in range(len(data) // 100):
        data[chance.randrange(len(data))] ^= 255
    return bytes(data)


PARTS: dict[str, Callable[[Path, Path, float], bool]] = {
    "times": times,
    "jobs": jobs,
    "kills": kills,
    "pair": pair,
    "faults": faults,
}

if __name__ == "__main__":
    raise SystemExit(run(main, "scale"))
