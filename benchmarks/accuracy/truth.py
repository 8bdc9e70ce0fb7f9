"""Scene graphs of several parsers, compared with those that people drew.

Usage: python -m benchmarks.accuracy.truth [--model NAME …] [--grammar NAME]
       [--captions N] [--errors N] [--equal] [--shared DIR]

FACTUAL's development captions (one sentence each), the long ones among its others, and
DiscoSG's (several sentences): macro F of all tuples, objects, attributes and relations,
as SPICE counts them (lemmas, WordNet synonyms; a category without drawn tuples is left
out), the share of captions whose graph is the drawn one, recall of objects, and how
many captions a second of processor time parses.
One model's captions of one sentence are also counted by construction.
`--errors N` prints N captions with what is missing and what is too much.

Graphs are compared as printed, so that every grammar is measured alike; `--equal` also
counts what the grammar says is equal ("inside" and "in", "stop sign" and "sign"). A
grammar that resolves pronouns gets its captions sentence by sentence.
"""

import re
import time
from dataclasses import replace
from pathlib import Path

from benchmarks.figures import figure, run, table
from benchmarks.java_oracle import shared_parser
from spicepy.graph.concepts import ConceptLexicon
from spicepy.graph.matching import match
from spicepy.graph.scene import SceneGraph
from spicepy.parsing.parser import model_signature
from spicepy.pipeline import Pipeline
from spicepy.rules.loading import load_grammar
from spicepy.rules.tuples import SemanticTuple
from spicepy.words.wordnet import load_synonyms
from training.parser.people_graphs import Drawn, compare, is_whole, read_graphs

DATA = {
    "factual": "factual-dev",
    "long": "factual-long-dev",
    "discosg": "discosg-train",
    "train": "factual-train",
}
CONSTRUCTIONS = {
    "one relation, or none": lambda words, drawn: len(drawn.relations) < 2,
    "two relations": lambda words, drawn: len(drawn.relations) == 2,
    "three relations": lambda words, drawn: len(drawn.relations) == 3,
    "four relations or more": lambda words, drawn: len(drawn.relations) > 3,
    "coordination": lambda words, drawn: "and" in words,
    "two prepositions": lambda words, drawn: _prepositions(words) == 2,
    "three prepositions or more": lambda words, drawn: _prepositions(words) > 2,
    "with": lambda words, drawn: "with" in words,
    "of": lambda words, drawn: "of" in words,
    "relative clause": lambda words, drawn: not RELATIVE.isdisjoint(words),
}
"""Name of a construction -> whether a caption has it, by its words and its graph."""

RELATIVE = frozenset(["that", "which", "who", "whose", "where"])
PREPOSITIONS = re.compile(
    "about|above|across|against|along|around|at|behind|below|beneath|beside|between|by"
    "|for|from|in|inside|into|near|of|off|on|onto|over|through|to|towards?|under"
    "|underneath|with|without"
)

KINDS = ("All", "objects", "attributes", "relations")
MORE = ("whole", "recall")
SINGLE = ("factual", "long")
"""The data sets with captions of one sentence, which are counted by construction."""


def main() -> int:
    """Print a row for each model and data set."""
    parser = shared_parser(__doc__)
    parser.add_argument("--model", nargs="+", default=[None], help="parsers")
    parser.add_argument("--grammar", default="spicepy-1")
    parser.add_argument(
        "--data", nargs="+", choices=DATA, default=["factual", "long", "discosg"]
    )
    parser.add_argument(
        "--equal", action="store_true", help="count the grammar's equal wordings"
    )
    parser.add_argument("--captions", type=int, help="the first N only")
    parser.add_argument("--errors", type=int, default=0)
    options = parser.parse_args()
    folder: Path = options.shared / "scene-graphs"
    distinct = load_grammar(options.grammar).distinct_words
    lexicon = ConceptLexicon(load_synonyms("bundled"), distinct=distinct)
    heads = "".join(f"{kind:>12}" for kind in (*KINDS, *MORE, "a second"))
    print(f"{'':52}{heads}")
    counted: list[tuple[Drawn, list[SemanticTuple]]] = []
    for name in options.data:
        drawn = read_graphs(folder / f"{DATA[name]}.jsonl.gz")[: options.captions]
        for model in options.model:
            reader = Pipeline(grammar=options.grammar, model=model)
            row = f"{name}, {model_signature(reader.model)} + {options.grammar}"
            proposals, took = propose_all(drawn, model, options.grammar, options.equal)
            figures = measure(drawn, proposals, lexicon)
            cells = "".join(f"{figures[kind]:12.3f}" for kind in (*KINDS, *MORE))
            print(f"{row:52}{cells}{len(drawn) / took:12.0f}", flush=True)
            for kind in (*KINDS, *MORE):
                figure(f"{name}.{kind}", figures[kind], 3)
            figure(f"{name}.a-second", round(len(drawn) / took))
            if name in SINGLE and len(options.model) == 1:
                counted += zip(drawn, proposals, strict=True)
            if options.errors:
                show_errors(drawn, proposals, lexicon, options.errors)
    columns = ("construction", "captions", "F", "relations", "whole")
    table("constructions", columns, by_construction(counted, lexicon))
    return 0


def propose_all(
    drawn: list[Drawn], model: str | None, grammar: str, equal: bool
) -> tuple[list[list[SemanticTuple]], float]:
    """Return the tuples of each caption, and seconds taken, without preparations."""
    pipeline = Pipeline(grammar=grammar, model=model)
    pipeline.propose([pipeline.text("A man rides a horse.")])  # Compiles the grammar.
    start = time.process_time()
    texts = [pipeline.text(x.caption) for x in drawn]
    proposals = pipeline.propose(texts)
    made = [list(proposals[text]) for text in texts]
    took = time.process_time() - start
    if not equal:
        made = [[replace(t, same=(), heads=()) for t in tuples] for tuples in made]
    return made, took


def measure(
    drawn: list[Drawn], proposals: list[list[SemanticTuple]], lexicon: ConceptLexicon
) -> dict[str, float]:
    """Return mean F by kind, the share of whole graphs and mean recall of objects."""
    counts = [compare(made, x, lexicon) for made, x in zip(proposals, drawn)]
    figures = {}
    for kind in KINDS:
        fs = [x[kind].f for x in counts if x[kind].defined]
        figures[kind] = sum(fs) / max(1, len(fs))
    figures["whole"] = sum(is_whole(x["All"]) for x in counts) / len(counts)
    objects = [x["objects"] for x in counts]
    figures["recall"] = sum(x.tp / (x.tp + x.fn) for x in objects) / len(objects)
    return figures


def by_construction(
    counted: list[tuple[Drawn, list[SemanticTuple]]], lexicon: ConceptLexicon
) -> list[tuple[str, int, str, str, str]]:
    """Return and print the figures of captions that have a construction."""
    rows = []
    for name, has in CONSTRUCTIONS.items():
        own = [x for x in counted if has(x[0].caption.lower().split(), x[0])]
        if own:
            drawn, made = map(list, zip(*own, strict=True))
            figures = measure(drawn, made, lexicon)
            cells = (f"{figures[kind]:.3f}" for kind in ("All", "relations", "whole"))
            rows.append((name, len(own), *cells))
            print("{:28}{:6}{:>8}{:>8}{:>8}".format(*rows[-1]))
    return rows


def _prepositions(words: list[str]) -> int:
    return sum(PREPOSITIONS.fullmatch(word) is not None for word in words)


def show_errors(
    drawn: list[Drawn],
    proposals: list[list[SemanticTuple]],
    lexicon: ConceptLexicon,
    most: int,
) -> None:
    """Print captions whose graph is not the drawn one."""
    for made, x in zip(proposals, drawn):
        ours = SceneGraph.from_proposals([made], lexicon)
        matching = match(ours, SceneGraph.from_tuples(x.tuples, lexicon))
        flags = matching.flags()
        sides = (matching.candidate, matching.reference)
        wrong = [
            [" | ".join(map(str, y)) for y, right in zip(side, flag) if not right]
            for side, flag in zip(sides, flags)
        ]
        if any(wrong) and most:
            most -= 1
            print(f"{x.caption}\n    ours: {wrong[0]}\n    people: {wrong[1]}")


if __name__ == "__main__":
    raise SystemExit(run(main, "truth"))
