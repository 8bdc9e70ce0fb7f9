"""Running the examples and rejects of rule cards.

In: a `Grammar` and the graphs of captions. Out: faults G402 (an example does not
fire as written), G403 (a rejected caption fires), G404 (no graph for a caption).

Graphs come from the grammar's own `parses.jsonl` (one object a line: caption,
words, tags, lemmas, edges, copies), so that no parser is needed; captions that
are not there go to the parser, if there is one.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from spicepy._grammar_files import Fault
from spicepy._grammar_types import Grammar, Rule
from spicepy.dependencies import DependencyGraph
from spicepy.extraction import extract
from spicepy.tuples import SemanticTuple

Analyse = Callable[[Sequence[str]], Sequence[DependencyGraph]]
Graphs = dict[str, DependencyGraph]


def frozen_graphs(folders: Iterable[Path]) -> Graphs:
    """The graphs kept beside grammars, by caption."""
    graphs: Graphs = {}
    for folder in folders:
        path = folder / "parses.jsonl"
        if path.is_file():
            for line in path.read_text(encoding="utf-8").splitlines():
                record = json.loads(line)
                graphs[record["caption"]] = _graph(record)
    return graphs


def _graph(record: Mapping[str, list[str]]) -> DependencyGraph:
    return DependencyGraph(
        words=tuple(record["words"]),
        tags=tuple(record["tags"]),
        lemmas=tuple(record["lemmas"]),
        edges=tuple((str(e[0]), int(e[1]), int(e[2])) for e in record["edges"]),
        copies=tuple(int(c) for c in record.get("copies", ())),
    )


def run_examples(
    grammar: Grammar, graphs: Graphs, analyse: Analyse | None = None
) -> list[Fault]:
    """Check every card's examples and rejects."""
    captions = sorted({c for rule in grammar.rules for c in captions_of(rule)})
    missing = [caption for caption in captions if caption not in graphs]
    if missing and analyse is not None:
        graphs = graphs | dict(zip(missing, analyse(missing)))
    made = {c: extract(graphs[c], grammar) for c in captions if c in graphs}
    return [fault for rule in grammar.rules for fault in _run(rule, made)]


def captions_of(rule: Rule) -> list[str]:
    """The captions of a card's examples and rejects."""
    return [*(example.caption for example in rule.examples), *rule.rejects]


def _run(rule: Rule, made: Mapping[str, list[SemanticTuple]]) -> Iterable[Fault]:
    for caption in captions_of(rule):
        if caption not in made:
            message = f'no parse of "{caption}" in parses.jsonl, and no parser'
            yield Fault(rule.file, rule.id, "G404", message)
    for example in rule.examples:
        if example.caption in made:
            got = _of(rule, made[example.caption])
            if sorted(got) != sorted(example.tuples):
                message = (
                    f'example "{example.caption}" gives {_show(got)}, '
                    f"not {_show(example.tuples)}"
                )
                yield Fault(rule.file, rule.id, "G402", message)
    for caption in rule.rejects:
        if got := _of(rule, made.get(caption, [])):
            message = f'rejected "{caption}" fires: {_show(got)}'
            yield Fault(rule.file, rule.id, "G403", message)


def _of(rule: Rule, made: Sequence[SemanticTuple]) -> list[tuple[str, ...]]:
    return [t.members for t in made if t.rule == rule.id]


def _show(tuples: Sequence[tuple[str, ...]]) -> str:
    return " ".join(f"({', '.join(members)})" for members in tuples) or "nothing"
