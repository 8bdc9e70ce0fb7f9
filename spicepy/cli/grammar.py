"""`spicepy grammar`: check and show grammars."""

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

import typer

from spicepy.cli._console import err, out, write_out
from spicepy.common.errors import counted
from spicepy.common.resources import GRAMMAR

if TYPE_CHECKING:
    from spicepy.rules.dependency_graphs import DependencyGraph
    from spicepy.rules.values import Grammar, Normalisation, Rule

app = typer.Typer(
    help="Check and show grammars: rules, word lists and categories.",
    no_args_is_help=True,
)

_HEADING: Final = ("id", "source", "why", "file")
"""The keys of a card that are printed above all others."""

GRAMMARS = typer.Argument(help="Grammar folders or TOML files, or names.")
NAME = typer.Argument(GRAMMAR, help="A name, folder or TOML file.")
VOCABULARY = typer.Argument(
    "coco-80", help="An annotation file in COCO's format, a TOML file, or coco-80."
)
RULE = typer.Option(None, "--rule", help="Show this card only.")
JSON = typer.Option(False, "--json", help="Print JSON.")


@app.command("check")
def check_command(grammars: list[str] = GRAMMARS) -> None:
    """Find every fault, running all examples; exit code 2 if there is one."""
    from spicepy.rules.examples import check

    faulty = False
    for name in grammars:
        checked = check(name, _analyse)
        for fault in checked.faults:
            err.print(str(fault), markup=False, highlight=False, soft_wrap=True)
        if checked.unfrozen:
            first, *more = checked.unfrozen
            rest = f" and {len(more)} more" if more else ""
            message = f'{name}: no graph in parses.jsonl of "{first}"{rest}: in a '
            message += "checkout of spicepy, python -m tests.refreeze adds it"
            err.print(message, markup=False, highlight=False, soft_wrap=True)
        faulty |= bool(checked.faults)
        if not checked.faults:
            before = f"{name}: " if len(grammars) > 1 else ""
            rules = counted(checked.rules, "rule")
            examples = counted(checked.examples, "example")
            out.print(f"{before}ok: {rules}, {examples}", markup=False, highlight=False)
    if faulty:
        raise typer.Exit(2)


@app.command("show")
def show_command(name: str = NAME, rule: str = RULE, as_json: bool = JSON) -> None:
    """Print the rule cards, word lists and categories of a grammar."""
    from spicepy.rules.loading import load_grammar

    grammar = load_grammar(name)
    cards = _cards(grammar, name)
    chosen = [card for listed in cards.values() for card in listed]
    if rule:
        chosen = _chosen(chosen, grammar.name, rule)
    if as_json:
        shown = chosen if rule else _whole(grammar) | cards
        write_out(json.dumps(shown, indent=2, ensure_ascii=False) + "\n")
        return
    if not rule:
        out.print(f"{grammar.name}  {grammar.digest[:8]}", style="bold", markup=False)
        out.print(grammar.description, markup=False, highlight=False)
    for card in chosen:
        _print_card(card)
    if not rule:
        _print_words(grammar)


def _analyse(captions: Sequence[str], grammar: "Grammar") -> list["DependencyGraph"]:
    """Return graphs of captions without a frozen parse, from the grammar's parser."""
    from spicepy.pipeline import Pipeline

    pipeline = Pipeline(grammar=grammar)
    return [
        pipeline.stages.collapsed(tree)
        for caption in captions
        for tree in pipeline.trace(caption).parses[:1]
    ]


def _cards(grammar: "Grammar", name: str) -> dict[str, list[dict[str, Any]]]:
    """Return all cards by kind, as their files have them, in the order of running."""
    from spicepy.rules.files import Place, locate, read_layers

    path = locate(name)
    assert path is not None  # the grammar was loaded
    tables = {
        card["id"]: card | {"file": file}
        for layer in read_layers(path.resolve(), Place())
        for file, content in layer.files
        for kind in ("rewrite", "rule", "annotation", "normalisation")
        for card in content.get(kind, ())
    }
    kinds: dict[str, Iterable[Rule | Normalisation]] = {
        "rewrites": (each.card for each in grammar.rewrites),
        "rules": grammar.rules,
        "annotations": grammar.annotations,
        "normalisations": grammar.normalisations,
    }
    return {kind: [tables[card.id] for card in cards] for kind, cards in kinds.items()}


@app.command("vocabulary")
def vocabulary_command(name: str = VOCABULARY) -> None:
    """Print the object classes and words of a vocabulary as TOML, to be corrected.

    An annotation file's categories get WordNet's words. Pass the corrected file to
    `spicepy chair` and `count` with --vocabulary.

    Example: spicepy grammar vocabulary lvis_v1_val.json > lvis.toml
    """
    from spicepy.objects.vocabulary import load_vocabulary, to_toml

    write_out(to_toml(load_vocabulary(name)))


def _chosen(
    cards: list[dict[str, Any]], grammar: str, rule: str
) -> list[dict[str, Any]]:
    """Return the cards that `rule` names, by id or source."""
    from spicepy.common.errors import GrammarError, nearest

    chosen = [card for card in cards if rule in (card["id"], card.get("source"))]
    if not chosen:
        known = [card["id"] for card in cards]
        hint = nearest(rule, known) or f"; known: {', '.join(known)}"
        raise GrammarError(f"{grammar} has no rule {rule!r}{hint}")
    return chosen


def _whole(grammar: "Grammar") -> dict[str, Any]:
    return {
        "name": grammar.name,
        "version": grammar.version,
        "description": grammar.description,
        "labels": grammar.labels,
        "digest": grammar.digest,
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
    """Print one rule as a block of lines, `key text` each."""
    source = f"  ({card['source']})" if card.get("source") else ""
    out.print()
    out.print(card["id"] + source, style="bold cyan", markup=False, highlight=False)
    out.print(f"  {card['why']}", style="italic", markup=False, highlight=False)
    for key, value in card.items():
        if key not in _HEADING:
            _print_lines(key, list(_lines(value)))


def _lines(value: Any) -> Iterator[str]:
    """Yield the lines of a value: a test, a clause or an example each."""
    if isinstance(value, dict):
        yield from (f"{name} {text}" for name, v in value.items() for text in _lines(v))
    elif isinstance(value, list):
        yield from (" & ".join(_lines(each)) for each in value)
    else:
        yield str(value).lower() if isinstance(value, bool) else str(value)


def _print_lines(key: str, texts: Sequence[str]) -> None:
    for number, text in enumerate(texts):
        label = key if number == 0 else ""
        out.print(f"  {label:8} {text}", markup=False, highlight=False, soft_wrap=True)


def _print_words(grammar: "Grammar") -> None:
    """Print the sizes of the word lists and categories."""
    out.print()
    out.print("word lists", style="bold")
    for name, words in grammar.lists.items():
        sample = ", ".join(words[:5]) + (", …" if len(words) > 5 else "")
        out.print(f"  {name} ({len(words)}): {sample}", markup=False, highlight=False)
    names = ["Object", "Attribute", "Relation", *(c.name for c in grammar.categories)]
    out.print("categories", style="bold")
    out.print(f"  {', '.join(names)}", markup=False, highlight=False)
