"""Dependency graphs compared with the original's: different edges, and speed.

Usage: python -m benchmarks.parity.dependencies [--shared DIR]

For every recorded caption: basic tree → collapsed edges, recorded collapsed
edges → enhanced edges, and both steps in one. Every class of difference is
listed. Times are process time per caption.

Exit code 0 if at least 99.9 % of the captions have identical edges everywhere
and both steps together take at most 70 µs.
"""

import gzip
import json
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, TypeVar

from benchmarks.figures import figure, run
from benchmarks.java_graphs import case_tree, edge_set, graph, parse
from benchmarks.java_oracle import shared_parser
from spicepy.rules.collapsing import collapse
from spicepy.rules.dependency_graphs import DependencyGraph, DependencyWords, enhance
from spicepy.rules.loading import load_grammar

TARGET = 0.999
MICROSECONDS = 70

Row = dict[str, Any]
Item = TypeVar("Item")


def main() -> int:
    """Compare all recorded captions; 0 if every target is met."""
    parser = shared_parser(__doc__)
    shared: Path = parser.parse_args().shared
    words = DependencyWords.from_lists(load_grammar("spice-1.0").lists)
    good = _cases(shared / "spec/spice_cases.json", words)
    for name in (
        "oracle/parser/pp-coordination.jsonl.gz",
        "oracle/spice/coco5k_captions.jsonl.gz",
        "fixtures/captions_parsed.jsonl.gz",
    ):
        rows = list(_sentences(shared / name))
        print(f"{name}: {len(rows):,} captions")
        good &= _recorded(rows, words)
    return 0 if good else 1


def _cases(path: Path, words: DependencyWords) -> bool:
    rows = json.loads(path.read_text(encoding="utf-8"))
    print(f"{path.name}: {len(rows)} hand-made trees")
    graphs = [graph(_tokens(row), row["edges"]) for row in rows]
    enhanced = [enhance(each, words) for each in graphs]
    good = _compare("collapsed → enhanced", rows, enhanced, "edges_enhanced", 1.0)
    derivable = [(row, tree) for row in rows if (tree := case_tree(row)) is not None]
    return good & _compare(
        "basic → collapsed (derivable)",
        [row for row, _ in derivable],
        [collapse(tree, words) for _, tree in derivable],
        "edges",
        1.0,
    )


def _recorded(rows: list[Row], words: DependencyWords) -> bool:
    trees = [parse(row["tokens"], row["basic"]) for row in rows]
    graphs = [graph(row["tokens"], row["ccproc"]) for row in rows]
    collapsed, first = _timed(lambda tree: collapse(tree, words), trees)
    _, second = _timed(lambda each: enhance(each, words), collapsed)
    good = _compare("basic → collapsed", rows, collapsed, "ccproc")
    figure("collapse_us", round(first))
    figure("enhance_us", round(second))
    enhanced = [enhance(each, words) for each in graphs]
    good &= _compare("collapsed → enhanced", rows, enhanced, "enhanced")
    both = [enhance(collapse(tree, words), words) for tree in trees]
    good &= _compare("basic → enhanced", rows, both, "enhanced")
    print(f"   collapse {first:.1f} µs, enhance {second:.1f} µs a caption")
    return good and first + second <= MICROSECONDS


def _compare(
    title: str,
    rows: list[Row],
    graphs: Iterable[DependencyGraph],
    key: str,
    target: float = TARGET,
) -> bool:
    classes: Counter[str] = Counter()
    examples: dict[str, str] = {}
    same = 0
    for row, made in zip(rows, graphs, strict=True):
        wanted, found = {tuple(edge) for edge in row[key]}, edge_set(made)
        if wanted == found:
            same += 1
            continue
        missing = sorted(edge[0] for edge in wanted - found)
        extra = sorted(edge[0] for edge in found - wanted)
        name = f"missing {' '.join(missing) or '-'}, extra {' '.join(extra) or '-'}"
        classes[name] += 1
        examples.setdefault(name, row.get("caption", ""))
    share = same / len(rows)
    step = title.split(" (")[0].replace(" → ", "-")
    figure(f"{len(rows)}.{step}", f"{same:,} of {len(rows):,}")
    print(f"   {title:30} {same:6,} of {len(rows):6,} identical ({share:.3%})")
    for name, count in classes.most_common():
        print(f"      {count:4} × {name}: {examples[name]!r}")
    return share >= target


def _timed(
    step: Callable[[Item], DependencyGraph], values: list[Item]
) -> tuple[list[DependencyGraph], float]:
    """Return the results, and the best process time of three runs in µs a value."""
    times = []
    made: list[DependencyGraph] = []
    for _ in range(3):
        start = time.process_time()
        made = [step(value) for value in values]
        times.append(time.process_time() - start)
    return made, 1e6 * min(times) / len(values)


def _sentences(path: Path) -> Iterator[Row]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            for sentence in row["sentences"]:
                yield {"caption": row["caption"], **sentence}


def _tokens(row: Row) -> list[tuple[str, str, str]]:
    return list(zip(row["words"], row["tags"], row["lemmas"], strict=True))


if __name__ == "__main__":
    raise SystemExit(run(main, "dependencies"))
