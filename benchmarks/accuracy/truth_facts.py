"""The share of facts in large models' answers that their graphs contain.

Usage: python -m benchmarks.accuracy.truth_facts [--errors N] [--shared DIR]

In: FaithScore's answers, each with the atomic facts that people drew from it ("There is
a giraffe.", "The neck is long."), true or not. A fact is read like a caption; recall is
the share of its tuples that the answer's graph has (with the grammar's equal wordings),
and the share of facts of which it has them all. Facts without a tuple ("element.")
count as missed. `--errors N` prints N facts with what is missing.
"""

import gzip
import json
from itertools import islice

from benchmarks.figures import figure, run
from benchmarks.java_oracle import shared_parser
from spicepy.graph.matching import match
from spicepy.graph.scene import SceneGraph
from spicepy.pipeline import Pipeline


def main() -> int:
    """Print recall of tuples and facts."""
    parser = shared_parser(__doc__)
    parser.add_argument("--errors", type=int, default=0)
    options = parser.parse_args()
    path = options.shared / "errors" / "faithscore.jsonl.gz"
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    pipeline = Pipeline(grammar="spicepy-1")
    answers = pipeline.parse([row["candidate"] for row in rows])
    facts = [
        (graph, fact) for graph, row in zip(answers, rows) for fact in row["facts"]
    ]
    graphs = pipeline.parse([fact for _, fact in facts])
    found = [flags(answer, own) for (answer, _), own in zip(facts, graphs, strict=True)]
    tuples = [flag for one in found for flag in one]
    whole = [bool(one) and all(one) for one in found]
    recall = sum(tuples) / len(tuples), sum(whole) / len(whole)
    print(f"{len(rows)} answers, {len(facts):,} facts, {len(tuples):,} tuples")
    print(f"recall of tuples {recall[0]:.3f}, of whole facts {recall[1]:.3f}")
    figure("tuples", recall[0], 3)
    figure("facts", recall[1], 3)
    missed = (x for x in zip(facts, graphs, found) if not (x[2] and all(x[2])))
    for (_, fact), graph, one in islice(missed, options.errors):
        lost = [str(x) for x, flag in zip(graph.tuples(), one, strict=True) if not flag]
        print(f"{fact}: {' '.join(lost)}")
    return 0


def flags(answer: SceneGraph, fact: SceneGraph) -> list[bool]:
    """Return for each tuple of a fact whether the answer's graph has it."""
    return [bool(x) for x in match(answer, fact).flags()[1]]


if __name__ == "__main__":
    raise SystemExit(run(main, "truth_facts"))
