"""Keep the graphs of a grammar's examples beside it, so they run without a parser.

    python -m benchmarks.parity.freeze_examples [--model NAME] [GRAMMAR…]

Graphs are the original converter's, from `fixtures/spice_cases.json` (captions and
trees written for this project); captions without one are printed. Those of a grammar
with rewrite rules stay as they are in its parses.jsonl; new ones are made by its
parser, or by NAME, and must be read: a card is no better than its example's tree.
"""

import argparse
import json
import sys
from dataclasses import asdict
from pathlib import Path

from benchmarks import FIXTURES, ROOT
from benchmarks.parity.extraction import cases
from spicepy.parsing.parser import parse
from spicepy.pipeline import Pipeline
from spicepy.rules.dependency_graphs import DependencyGraph
from spicepy.rules.examples import captions_of, cards_of, frozen_graphs
from spicepy.rules.loading import load_grammar


def main() -> int:
    """Write parses.jsonl for each grammar."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("grammars", nargs="*", type=Path, default=shipped())
    parser.add_argument("--model", help="the parser for grammars with rewrite rules")
    options = parser.parse_args()
    return 1 if sum(freeze(g, options.model) for g in options.grammars) else 0


def shipped() -> list[Path]:
    """Return the folders of the shipped grammars."""
    return [path.parent for path in sorted(ROOT.glob("grammars/*/grammar.toml"))]


def freeze(folder: Path, model: str | None = None) -> int:
    """Write a grammar's parses.jsonl.

    Args:
        folder: The grammar's.
        model: The parser of new captions for a grammar with rewrite rules.

    Returns:
        How many captions have no graph; they are printed, as are new graphs.
    """
    grammar = load_grammar(folder)
    captions = dict.fromkeys(c for card in cards_of(grammar) for c in captions_of(card))
    if grammar.rewrites:
        pipeline = Pipeline(grammar=grammar, model=model)
        graphs = frozen_graphs([folder])
        new = [caption for caption in captions if caption not in graphs]
        texts = [pipeline.text(caption).replace("\n", " ") for caption in new]
        for caption, tree in zip(new, parse(texts, model=pipeline.model)):
            graphs[caption] = pipeline.stages.collapsed(tree)
            print(f"{folder.name}: new, read it: {caption}")
            print(f"    {_edges(graphs[caption])}")
    else:
        graphs = {}
        for caption, (graph,), _ in cases(FIXTURES / "spice_cases.json"):
            graphs.setdefault(caption, graph)
    missing = [caption for caption in captions if caption not in graphs]
    for caption in missing:
        print(f"{folder.name}: no graph for {caption!r}")
    lines = [
        json.dumps({"caption": caption} | asdict(graphs[caption]))
        for caption in captions
        if caption in graphs
    ]
    (folder / "parses.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"{folder.name}: {len(lines)} graphs of examples")
    return len(missing)


def _edges(graph: DependencyGraph) -> str:
    """Return a graph as (head, label, dependent), with parts of speech."""
    nodes = ["ROOT", *map("/".join, zip(graph.words, graph.tags))]
    edges = ((nodes[head], label, nodes[word]) for label, head, word in graph.edges)
    return " ".join(f"({', '.join(edge)})" for edge in edges)


if __name__ == "__main__":
    sys.exit(main())
