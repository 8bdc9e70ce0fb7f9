"""Keep the graphs of a grammar's examples beside it, so they run without a parser.

    python benchmarks/freeze_examples.py [--shared DIR] [GRAMMAR_FOLDER…]

Graphs are the original converter's, from spice_cases.json (captions and trees
written for this project); names the captions that are not there.
"""

import json
import sys
from dataclasses import asdict
from pathlib import Path

from extraction import cases
from recorded import shared_parser

from spicepy.extraction.examples import captions_of
from spicepy.grammar.loading import load_grammar

ROOT = Path(__file__).parents[1]


def main() -> int:
    """Write parses.jsonl for each grammar."""
    parser = shared_parser(__doc__)
    parser.add_argument(
        "grammars", nargs="*", default=sorted(ROOT.glob("grammars/*-*"))
    )
    options = parser.parse_args()
    graphs: dict[str, object] = {}
    for caption, (graph,), _ in cases(options.shared / "spec/spice_cases.json"):
        graphs.setdefault(caption, graph)
    missing = 0
    for folder in map(Path, options.grammars):
        rules = load_grammar(folder).rules
        captions = dict.fromkeys(c for rule in rules for c in captions_of(rule))
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
