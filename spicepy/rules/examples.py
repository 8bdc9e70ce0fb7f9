"""Checking a grammar: its files and cards, then every example and reject.

The faults are those of reading (`spicepy.rules.CODES`) or, if there are none, G402 (an
example does not give what it states), G403 (a rejected caption fires), G404 (no parse).

Graphs of the examples come from the grammar's own `parses.jsonl` (one object a
line: caption, words, tags, lemmas, edges, copies), so that no parser is needed;
other captions go to the parser, if there is one. They are graphs as
rewrite rules see them; a grammar without such cards has them enhanced.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from spicepy.common.errors import InputError, SpicepyError
from spicepy.common.files import load_json, read_text
from spicepy.rules.dependency_graphs import DependencyGraph
from spicepy.rules.engine import annotate, extract, extract_unreal
from spicepy.rules.files import Fault
from spicepy.rules.loading import read_grammar
from spicepy.rules.normalising import compile_normalisation
from spicepy.rules.rewriting import trace
from spicepy.rules.tuples import SemanticTuple
from spicepy.rules.values import Grammar, Normalisation, Rule

Analyse = Callable[[Sequence[str], Grammar], Sequence[DependencyGraph]]
"""Makes the dependency graphs of captions, with the word lists of a grammar."""
Graphs = dict[str, DependencyGraph]


@dataclass(frozen=True, slots=True)
class Checked:
    """The result of `check`: the grammar (None if it cannot be used) and its faults."""

    # `rules` and `examples` are the numbers of its cards, and of their examples and
    # rejects. `unfrozen` are captions of examples without a graph in the `parses.jsonl`
    # beside the grammar; empty if there is no such file.

    grammar: Grammar | None
    faults: tuple[Fault, ...]
    rules: int
    examples: int
    unfrozen: tuple[str, ...] = ()


def check(name_or_path: str | Path, analyse: Analyse | None = None) -> Checked:
    """Find all faults of a grammar, running the examples of every card."""
    # A file of a grammar's folder means the whole grammar. `analyse` makes dependency
    # graphs of captions without a frozen parse; without it these are reported as G404.
    grammar, faults, folders = read_grammar(name_or_path)
    examples = sum(len(captions_of(card)) for card in cards_of(grammar))
    examples += sum(
        len(form.examples) + len(form.rejects) for form in grammar.normalisations
    )
    graphs = frozen_graphs(folders)
    if not faults:
        faults = run_examples(grammar, graphs, analyse)
    captions = {c: None for card in cards_of(grammar) for c in captions_of(card)}
    frozen = (folders[-1] / "parses.jsonl").is_file()
    unfrozen = tuple(c for c in captions if c not in graphs) if frozen else ()
    usable = None if faults else grammar
    cards = len(cards_of(grammar)) + len(grammar.normalisations)
    return Checked(usable, tuple(faults), cards, examples, unfrozen)


def frozen_graphs(folders: Iterable[Path]) -> Graphs:
    """Return the graphs kept beside grammars, by caption."""
    graphs: Graphs = {}
    for folder in folders:
        path = folder / "parses.jsonl"
        if path.is_file():
            for number, line in enumerate(read_text(path).split("\n"), 1):
                if line:
                    record = load_json(line, str(path), number)
                    graphs |= _frozen(record, f"{path}, line {number}")
    return graphs


def _frozen(record: Mapping[str, Any], where: str) -> Graphs:
    try:
        return {str(record["caption"]): _graph(record)}
    except (LookupError, TypeError, ValueError, ArithmeticError) as error:
        raise InputError(
            f"{where}: no parse with caption, words, tags, lemmas and edges "
            f"({type(error).__name__}: {str(error)[:200]})"
        ) from None


def _graph(record: Mapping[str, Any]) -> DependencyGraph:
    words, tags, lemmas = (tuple(record[n]) for n in ("words", "tags", "lemmas"))
    edges = tuple((str(e[0]), int(e[1]), int(e[2])) for e in record["edges"])
    copies = tuple(int(c) for c in record.get("copies", ()))
    nodes = [*copies, *(node for _, *ends in edges for node in ends)]
    if not all(isinstance(text, str) for text in (*words, *tags, *lemmas)):
        raise ValueError("words, tags and lemmas must be texts")
    if not len(words) == len(tags) == len(lemmas) >= len(copies):
        raise ValueError("there must be as many words as tags and lemmas")
    if not all(0 <= node <= len(words) for node in nodes):
        raise ValueError("an edge leads to a word that is not there")
    return DependencyGraph(words, tags, lemmas, edges, copies)


def run_examples(
    grammar: Grammar, graphs: Graphs, analyse: Analyse | None = None
) -> list[Fault]:
    """Check every card's examples and rejects."""
    cards = cards_of(grammar)
    captions = sorted({c for card in cards for c in captions_of(card)})
    missing = [caption for caption in captions if caption not in graphs]
    if missing and analyse is not None:
        with suppress(SpicepyError):  # no model: they are reported as G404
            graphs = graphs | dict(zip(missing, analyse(missing, grammar)))
    made = {c: _made(graphs[c], grammar) for c in captions if c in graphs}
    faults = [fault for card in cards for fault in _run(card, made)]
    return faults + [
        f for form in grammar.normalisations for f in _run_form(form, grammar)
    ]


def cards_of(grammar: Grammar) -> list[Rule]:
    """Return the cards whose examples are captions; normalisation rules have tuples."""
    return [
        *(turn.card for turn in grammar.rewrites),
        *grammar.rules,
        *grammar.annotations,
    ]


def _made(graph: DependencyGraph, grammar: Grammar) -> list[SemanticTuple]:
    """Return the tuples of a caption, and the edges and names of rewrite rules."""
    turned, changes = trace(graph, grammar)
    edges = [SemanticTuple(x, change.card) for change in changes for x in change.made]
    return [*edges, *extract(turned, grammar), *annotate(turned, grammar)]


def _run_form(form: Normalisation, grammar: Grammar) -> Iterable[Fault]:
    stated = [*form.examples, *((each, (each,)) for each in form.rejects)]
    explained = explain_normalisation(form, grammar)
    for (given, got), (_, wanted) in zip(explained, stated, strict=True):
        if sorted(got) != sorted(wanted):
            code = "G402" if (given, wanted) in form.examples else "G403"
            message = (
                f"{show_tuples([given])} gives {show_tuples(got)}, "
                f"not {show_tuples(wanted)}"
            )
            yield Fault(form.file, form.id, code, message)


@dataclass(frozen=True, slots=True)
class ExplainedExample:
    """The effect of a card on the caption of one of its examples or rejects."""

    # `stated` are the tuples of the example, none for a reject; `before` and `after`
    # are the graphs around the card (a rule changes nothing), `made` its tuples, edges
    # and names. `tuples` are those of all rules, denied or supposed ones included,
    # before pronouns are resolved and normalisation rules run.

    caption: str
    stated: tuple[tuple[str, ...], ...]
    before: DependencyGraph
    after: DependencyGraph
    made: tuple[tuple[str, ...], ...]
    tuples: tuple[SemanticTuple, ...]


def explain_examples(
    card: Rule, grammar: Grammar, graphs: Graphs, analyse: Analyse
) -> list[ExplainedExample]:
    """Run a card of a grammar without faults on its examples, then on its rejects."""
    # `graphs` are those of `frozen_graphs`; `analyse` is called for the other captions.
    captions = captions_of(card)
    missing = [caption for caption in captions if caption not in graphs]
    graphs = graphs | dict(zip(missing, analyse(missing, grammar)))
    stated = {example.caption: example.tuples for example in card.examples}
    return [
        _explained(card, grammar, caption, graphs[caption], stated.get(caption, ()))
        for caption in captions
    ]


def _explained(
    card: Rule,
    grammar: Grammar,
    caption: str,
    graph: DependencyGraph,
    stated: tuple[tuple[str, ...], ...],
) -> ExplainedExample:
    final, steps = trace(graph, grammar)
    stated_tuples = extract(final, grammar)
    tuples = (*stated_tuples, *extract_unreal(final, grammar))
    proposed = (*stated_tuples, *annotate(final, grammar))
    places = {turn.card.id: place for place, turn in enumerate(grammar.rewrites)}
    place = places.get(card.id, len(places))  # Rules run after all rewrite rules.
    earlier = [step for step in steps if places[step.card] < place]
    before = earlier[-1].after if earlier else graph
    own = [step for step in steps if step.card == card.id]
    made = [each for step in own for each in step.made]
    made += [each.members for each in proposed if each.rule == card.id]
    after = own[-1].after if own else before
    return ExplainedExample(caption, stated, before, after, tuple(made), tuples)


def explain_normalisation(
    form: Normalisation, grammar: Grammar
) -> list[tuple[tuple[str, ...], list[tuple[str, ...]]]]:
    """Return the tuple of each example and reject, and what the card makes of it."""
    run = compile_normalisation(form, grammar)
    given = [*(example for example, _ in form.examples), *form.rejects]
    made = [(each, run(SemanticTuple(each))) for each in given]
    return [
        (each, [each] if found is None else [x.members for x in found])
        for each, found in made
    ]


def captions_of(rule: Rule) -> list[str]:
    """Return the captions of a card's examples and rejects."""
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
                    f'example "{example.caption}" gives {show_tuples(got)}, '
                    f"not {show_tuples(example.tuples)}"
                )
                yield Fault(rule.file, rule.id, "G402", message)
    for caption in rule.rejects:
        if got := _of(rule, made.get(caption, [])):
            message = f'rejected "{caption}" fires: {show_tuples(got)}'
            yield Fault(rule.file, rule.id, "G403", message)


def _of(rule: Rule, made: Sequence[SemanticTuple]) -> list[tuple[str, ...]]:
    return [t.members for t in made if t.rule == rule.id]


def show_tuples(tuples: Iterable[tuple[str, ...]]) -> str:
    """Return tuples as cards write them; "nothing" if there are none."""
    return " ".join(f"({', '.join(members)})" for members in tuples) or "nothing"
