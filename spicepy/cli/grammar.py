"""`spicepy grammar`: check and show grammars."""

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import typer

from spicepy.cli._console import err, out
from spicepy.common.shipped import GRAMMAR

if TYPE_CHECKING:
    from spicepy.dependencies.graphs import DependencyGraph
    from spicepy.grammar.values import Grammar, Rule

app = typer.Typer(
    help="Check and show grammars: rules, word lists and categories.",
    no_args_is_help=True,
)

GRAMMARS = typer.Argument(help="Grammar folders or TOML files, or names.")
NAME = typer.Argument(GRAMMAR, help="A name, folder or TOML file.")
RULE = typer.Option(None, "--rule", help="Show this rule only.")
JSON = typer.Option(False, "--json", help="Print JSON.")


@app.command("check")
def check_command(grammars: list[str] = GRAMMARS) -> None:
    """Find every fault, running all examples; exit code 2 if there is one."""
    from spicepy.extraction.examples import check

    faulty = False
    for name in grammars:
        checked = check(name, _analyse)
        for fault in checked.faults:
            err.print(str(fault), markup=False, highlight=False, soft_wrap=True)
        faulty |= bool(checked.faults)
        if not checked.faults:
            before = f"{name}: " if len(grammars) > 1 else ""
            counts = f"{checked.rules} rules, {checked.examples} examples"
            out.print(f"{before}ok: {counts}", markup=False, highlight=False)
    if faulty:
        raise typer.Exit(2)


@app.command("show")
def show_command(name: str = NAME, rule: str = RULE, as_json: bool = JSON) -> None:
    """Print the rule cards, word lists and categories of a grammar."""
    from spicepy.grammar.loading import load_grammar

    grammar = load_grammar(name)
    rules = _chosen(grammar, rule)
    if as_json:
        shown = [_card(r) for r in rules] if rule else _whole(grammar)
        typer.echo(json.dumps(shown, indent=2, ensure_ascii=False))
        return
    if not rule:
        out.print(f"{grammar.name}  {grammar.digest[:8]}", style="bold", markup=False)
        out.print(grammar.description, markup=False, highlight=False)
    for card in rules:
        _print_card(_card(card))
    if not rule:
        _print_words(grammar)


def _analyse(captions: Sequence[str], grammar: "Grammar") -> list["DependencyGraph"]:
    """Graphs of captions without a frozen parse, from the grammar's parser."""
    from spicepy.pipeline import Pipeline

    pipeline = Pipeline(grammar=grammar)
    return [
        pipeline.collapsed(tree)
        for caption in captions
        for tree in pipeline.trace(caption).parses[:1]
    ]


def _chosen(grammar: "Grammar", rule: str | None) -> list["Rule"]:
    """All rules, or the one asked for."""
    from spicepy.common.errors import GrammarError, nearest

    if rule is None:
        return list(grammar.rules)
    chosen = [card for card in grammar.rules if rule in (card.id, card.source)]
    if not chosen:
        known = [card.id for card in grammar.rules]
        hint = nearest(rule, known) or f"; known: {', '.join(known)}"
        raise GrammarError(f"{grammar.name} has no rule {rule!r}{hint}")
    return chosen


def _card(rule: "Rule") -> dict[str, Any]:
    """A card with its texts as they are written."""
    return {
        "id": rule.id,
        "source": rule.source,
        "why": rule.why,
        "match": [clause.text for clause in rule.match],
        "where": [f"{node} {test}" for node, test in rule.where],
        "without": [_joined(pattern) for pattern in rule.without],
        "any": [_joined(pattern) for pattern in rule.any],
        "once": rule.once,
        "emit": [[emission.text for emission in group] for group in rule.emit],
        "example": [str(example) for example in rule.examples],
        "reject": list(rule.rejects),
        "file": rule.file,
    }


def _joined(pattern: Sequence[tuple[bool, Any]]) -> str:
    return " & ".join(f"{'no ' * negated}{clause.text}" for negated, clause in pattern)


def _whole(grammar: "Grammar") -> dict[str, Any]:
    return {
        "name": grammar.name,
        "version": grammar.version,
        "description": grammar.description,
        "labels": grammar.labels,
        "digest": grammar.digest,
        "rules": [_card(rule) for rule in grammar.rules],
        "tags": {name: list(tags) for name, tags in grammar.tags.items()},
        "links": {
            name: [pattern.label for pattern in link]
            for name, link in grammar.links.items()
        },
        "lists": {name: list(words) for name, words in grammar.lists.items()},
        "categories": [
            {"name": c.name, "length": c.length, "words": sorted(c.words or ())}
            for c in grammar.categories
        ],
    }


def _print_card(card: dict[str, Any]) -> None:
    """One rule as a block of lines, `key  text` each."""
    source = f"  ({card['source']})" if card["source"] else ""
    out.print()
    out.print(card["id"] + source, style="bold cyan", markup=False, highlight=False)
    out.print(f"  {card['why']}", style="italic", markup=False, highlight=False)
    emits = [text for group in card["emit"] for text in group]
    for key in ("match", "where", "without", "any"):
        _print_lines(key, card[key])
    if card["once"]:
        _print_lines("once", ["only the first match of a head token"])
    _print_lines("emit", emits)
    _print_lines("example", card["example"])
    _print_lines("reject", card["reject"])


def _print_lines(key: str, texts: Sequence[str]) -> None:
    for number, text in enumerate(texts):
        label = key if number == 0 else ""
        out.print(f"  {label:8} {text}", markup=False, highlight=False, soft_wrap=True)


def _print_words(grammar: "Grammar") -> None:
    """Sizes of the word lists and categories."""
    out.print()
    out.print("word lists", style="bold")
    for name, words in grammar.lists.items():
        sample = ", ".join(words[:5]) + (", …" if len(words) > 5 else "")
        out.print(f"  {name} ({len(words)}): {sample}", markup=False, highlight=False)
    names = ["Object", "Attribute", "Relation", *(c.name for c in grammar.categories)]
    out.print("categories", style="bold")
    out.print(f"  {', '.join(names)}", markup=False, highlight=False)
