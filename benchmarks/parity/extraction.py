"""Enhanced graphs to proposals: parity with the original SPICE, and speed.

    python -m benchmarks.parity.extraction [--shared DIR] [--grammar spice-1.0]

Prints captions with identical proposals (order included) for each recording,
every class of difference with an example, and the time a caption takes. Exit
status 0 if all of spice_cases.json, at least 99.9 % of each recording and the
speed (70 µs a caption of processor time) are met.
"""

import gzip
import json
import statistics
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.figures import figure, run
from benchmarks.java_graphs import graph
from benchmarks.java_oracle import proposals, shared_parser
from spicepy.rules.dependency_graphs import DependencyGraph
from spicepy.rules.engine import extract
from spicepy.rules.loading import load_grammar
from spicepy.rules.values import Grammar

Case = tuple[str, list[DependencyGraph], list[tuple[str, ...]]]
TARGET_SHARE, TARGET_MICROSECONDS = 0.999, 70.0


def members(rows: list[list[str]]) -> list[tuple[str, ...]]:
    """Return recorded proposals as plain tuples."""
    return [proposal.members for proposal in proposals(rows)]


def cases(path: Path) -> Iterator[Case]:
    """Yield the trees of spice_cases.json."""
    for record in json.loads(path.read_text()):
        tokens = list(zip(record["words"], record["tags"], record["lemmas"]))
        enhanced = graph(tokens, record["edges_enhanced"])
        yield record["caption"], [enhanced], members(record["proposals"])


def recordings(path: Path) -> Iterator[Case]:
    """Yield captions recorded from the original, one a line."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            record: dict[str, Any] = json.loads(line)
            graphs = [graph(s["tokens"], s["enhanced"]) for s in record["sentences"]]
            yield record["caption"], graphs, members(record["tuples"])


def difference(got: list[tuple[str, ...]], want: list[tuple[str, ...]]) -> str:
    """Return the class of a difference."""
    if got == want:
        return ""
    surplus, lacking = Counter(got) - Counter(want), Counter(want) - Counter(got)
    if not surplus and not lacking:
        return "same proposals, other order"
    lengths = sorted({len(t) for t in (*surplus, *lacking)})
    kind = (
        "extra and missing"
        if surplus and lacking
        else "extra"
        if surplus
        else "missing"
    )
    return f"{kind}, tuples of length {', '.join(map(str, lengths))}"


def compare(name: str, data: list[Case], grammar: Grammar) -> float:
    """Print one line on parity and the classes of difference."""
    classes: dict[str, list[str]] = {}
    for caption, graphs, want in data:
        got = [t.members for each in graphs for t in extract(each, grammar)]
        classes.setdefault(difference(got, want), []).append(caption)
    same = len(classes.pop("", []))
    figure(f"{name.split('.')[0]}.same", same)
    figure(f"{name.split('.')[0]}.captions", len(data))
    print(f"{name:34} {same:6} of {len(data):6} identical ({same / len(data):.4%})")
    for kind, captions in sorted(classes.items()):
        print(f"    {kind}: {len(captions)}, e.g. {captions[0]!r}")
    return same / len(data)


def speed(graphs: list[DependencyGraph], grammar: Grammar, rounds: int = 5) -> float:
    """Return the median processor time per caption in microseconds."""
    times = []
    for _ in range(rounds):
        start = time.process_time()
        for each in graphs:
            extract(each, grammar)
        times.append((time.process_time() - start) / len(graphs) * 1e6)
    return statistics.median(times)


def main() -> int:
    """Run all comparisons."""
    parser = shared_parser(__doc__)
    parser.add_argument("--grammar", default="spice-1.0")
    options = parser.parse_args()
    shared, grammar = options.shared, load_grammar(options.grammar)
    coco = list(recordings(shared / "oracle/spice/coco5k_captions.jsonl.gz"))
    own = list(recordings(shared / "fixtures/captions_parsed.jsonl.gz"))
    phrases = list(recordings(shared / "oracle/parser/pp-coordination.jsonl.gz"))
    trees = list(cases(shared / "spec/spice_cases.json"))
    met = compare("spice_cases.json", trees, grammar) == 1.0
    met &= compare("pp-coordination.jsonl.gz", phrases, grammar) == 1.0
    met &= compare("captions_parsed.jsonl.gz", own, grammar) >= TARGET_SHARE
    met &= compare("coco5k_captions.jsonl.gz", coco, grammar) >= TARGET_SHARE
    graphs = [each for _, every, _ in coco[:5000] for each in every]
    tokens = sum(len(each.words) for each in graphs) / len(graphs)
    took = speed(graphs, grammar)
    figure("microseconds", took, 0)
    figure("rules", len(grammar.rules))
    print(
        f"{took:.1f} µs a caption of {tokens:.1f} tokens (target {TARGET_MICROSECONDS})"
    )
    return 0 if met and took <= TARGET_MICROSECONDS else 1


if __name__ == "__main__":
    raise SystemExit(run(main, "extraction"))
