"""Keep the graphs of a grammar's examples beside it, so they run without a parser.

    python -m benchmarks.parity.freeze_examples [--model NAME] [GRAMMAR…]

Graphs are the original converter's, from `fixtures/spice_cases.json` (captions and
trees written for this project); captions without one are printed. Those of a grammar
with turn cards stay as they are in its parses.jsonl; new ones are made by its parser,
or by NAME, and must be read: a card is no better than the tree of its example.
"""

import argparse
import json
import sys
from dataclasses import asdict
from pathlib import Path

from benchmarks import FIXTURES, ROOT
from benchmarks.parity.extraction import cases
from spicepy.extraction.dependencies.graphs import DependencyGraph
from spicepy.extraction.examples import captions_of, cards_of, frozen_graphs
from spicepy.grammar.loading import load_grammar
from spicepy.parsing.parser import parse
from spicepy.pipeline import Pipeline
from spicepy.tokenization.ptb import tokenize


def main() -> int:
    """Write parses.jsonl for each grammar."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument(
        "grammars", nargs="*", default=sorted(ROOT.glob("grammars/*-*"))
    )
    parser.add_argument("--model", help="the parser for grammars with turn cards")
    options = parser.parse_args()
    recorded: dict[str, DependencyGraph] = {}
    for caption, (graph,), _ in cases(FIXTURES / "spice_cases.json"):
        recorded.setdefault(caption, graph)
    missing = 0
    for folder in map(Path, options.grammars):
        grammar, graphs = load_grammar(folder), recorded
        cards = cards_of(grammar)
        captions = dict.fromkeys(c for card in cards for c in captions_of(card))
        if grammar.turns:
            pipeline = Pipeline(grammar=grammar, model=options.model)
            graphs = frozen_graphs([folder])
            new = [caption for caption in captions if caption not in graphs]
            trees = parse(tokenize(new), model=pipeline.model)
            for caption, tree in zip(new, trees):
                graphs[caption] = pipeline.collapsed(tree)
                print(f"{folder}: new, read it: {graphs[caption]}")
        lines = []
        for caption in captions:
            if caption in graphs:
                lines.append(json.dumps({"caption": caption} | asdict(graphs[caption])))
            else:
                missing += 1
                print(f"{folder}: no graph for {caption!r}")
        (folder / "parses.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
        print(f"{folder}: {len(lines)} graphs")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
