"""Speed of SPICE: the stages after the parse, and the whole run.

Usage: python -m benchmarks.speed.spice [--shared DIR] [--images N] [--no-parser]

Process CPU time on one core, median of three passes; the record names the processor.
Times of the original are of other machines and are not compared with: targets are 4,000
captions/s after the parse, 1,680 captions per CPU second for the whole run, 600 MB, and
1.4 s of CPU for a command that scores 500 images.

Exit code 0 if all targets are met.
"""

import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks.figures import figure, processor, run
from benchmarks.java_oracle import Recorded, read_captions, read_scores, shared_parser
from spicepy.graph.exchange import GraphSample
from spicepy.metrics.spice import Spice
from spicepy.rules.collapsing import collapse
from spicepy.rules.dependency_graphs import DependencyWords, enhance
from spicepy.rules.engine import extract
from spicepy.rules.loading import load_grammar
from spicepy.tokenization.samples import TokenisedSample

AFTER_PARSE, WHOLE, MEMORY = 4_000, 1_680, 600
COMMAND_IMAGES, COMMAND = 500, 1.4


def main() -> int:
    """Time the stages and the whole run; 0 if every target is met."""
    parser = shared_parser(__doc__)
    parser.add_argument("--images", type=int, help="only the first N images")
    parser.add_argument("--no-parser", action="store_true", help="skip the whole run")
    options = parser.parse_args()
    folder = options.shared / "oracle/spice"
    rows = read_scores(folder / "coco5k_scores.json.gz")[: options.images]
    samples = [
        TokenisedSample(r["image_id"], r["test"], tuple(r["refs"])) for r in rows
    ]
    count = sum(1 + len(sample.references) for sample in samples)

    good = True
    if not options.no_parser:  # first, so that its peak memory is its own
        good &= _whole(samples, count)
        good &= _command(samples[:COMMAND_IMAGES])
    captions = read_captions(folder / "coco5k_captions.jsonl.gz")
    return 0 if _stages(samples, captions, count) and good else 1


def _whole(samples: list[TokenisedSample], count: int) -> bool:
    start = time.process_time()
    spice = Spice()
    ready = time.process_time()
    spice.count(samples)
    end = time.process_time()
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    speed = count / (end - start)
    figure("whole.captions", count)
    figure("whole.speed", round(speed))
    figure("whole.megabytes", memory)
    print(f"Whole run over {count:,} captions, start-up {ready - start:.2f} s included")
    print(
        f"   {speed:,.0f} captions per CPU second (target {WHOLE:,}); {memory} MB "
        f"(target {MEMORY}); {processor()}"
    )
    return speed >= WHOLE and memory <= MEMORY


def _command(samples: list[TokenisedSample]) -> bool:
    """Time `spicepy evaluate` in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "samples.json"
        rows = [
            {
                "image_id": sample.image_id,
                "test": sample.candidate,
                "refs": sample.references,
            }
            for sample in samples
        ]
        path.write_text(json.dumps(rows), encoding="utf-8")
        called = [sys.executable, "-m", "spicepy", "evaluate", str(path), "-q"]
        cpu_time_of(called)  # compiles the modules, as pip does
        seconds = statistics.median(cpu_time_of(called) for _ in range(5))
    figure("command.seconds", round(seconds, 2))
    print(
        f"   `spicepy evaluate` on {len(samples)} images: {seconds:.2f} s of CPU",
        end="",
    )
    print(f" (target {COMMAND})")
    return seconds <= COMMAND


def cpu_time_of(command: list[str]) -> float:
    """Return the seconds of processor time of a command, its compiled modules kept."""
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": ""}
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, env=environment)
    _, _, used = os.wait4(process.pid, 0)
    return used.ru_utime + used.ru_stime


def _stages(
    samples: list[TokenisedSample], captions: dict[str, Recorded], count: int
) -> bool:
    grammar, spice = load_grammar(), Spice()
    words = DependencyWords.from_lists(grammar.lists)
    used = {text for s in samples for text in (s.candidate, *s.references)}
    trees = [tree for text in used for tree in captions[text].trees]
    made = {text: row.proposals for text, row in captions.items()}
    collapsed = [collapse(tree, words) for tree in trees]
    enhanced = [enhance(graph, words) for graph in collapsed]
    ids = [sample.image_id for sample in samples]

    def score() -> object:
        return spice.count_graphs(
            list(
                map(
                    GraphSample,
                    ids,
                    [made[sample.candidate] for sample in samples],
                    [[made[text] for text in sample.references] for sample in samples],
                )
            )
        )

    stages: dict[str, Callable[[], object]] = {
        "collapse": lambda: [collapse(tree, words) for tree in trees],
        "enhance": lambda: [enhance(graph, words) for graph in collapsed],
        "extract": lambda: [extract(graph, grammar) for graph in enhanced],
        "graphs and matching": score,
    }
    print(f"From trees to scores, {count:,} captions on one core")
    total = 0.0
    for name, stage in stages.items():
        seconds = statistics.median(_cpu_time(stage) for _ in range(3))
        total += seconds
        figure(name.replace(" ", "-"), round(seconds / count * 1e6))
        print(f"   {name:20s} {seconds / count * 1e6:6.1f} µs a caption")
    speed = count / total
    figure("stages.speed", round(speed))
    print(f"   {'together':20s} {speed:,.0f} captions/s (target {AFTER_PARSE:,})")
    return speed >= AFTER_PARSE


def _cpu_time(stage: Callable[[], object]) -> float:
    start = time.process_time()
    stage()
    return time.process_time() - start


if __name__ == "__main__":
    raise SystemExit(run(main, "spice_speed"))
