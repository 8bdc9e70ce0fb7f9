"""`spicepy grammar`: check and show grammars."""

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import typer

from spicepy.cli._console import err, out
from spicepy.common.data_files import GRAMMAR
from spicepy.common.plurals import counted

if TYPE_CHECKING:
    from spicepy.extraction.dependencies.graphs import DependencyGraph
    from spicepy.grammar.values import Grammar, Normalisation, Rewrite, Rule

app = typer.Typer(
    help="Check and show grammars: rules, word lists and categories.",
    no_args_is_help=True,
)

_SHOWN: Final = (
    *("match", "relation", "attribute", "object", "where", "without", "any", "once"),
    *("becomes", "adds", "replace", "join", "drop", "retag", "option", "emit"),
    *("example", "reject"),
)
"""The keys of a card that are printed, in this order."""

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
    from spicepy.extraction.examples import check

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
    from spicepy.grammar.loading import load_grammar

    grammar = load_grammar(name)
    cards = _chosen(grammar, rule)
    if as_json:
        shown = cards if rule else _whole(grammar)
        typer.echo(json.dumps(shown, indent=2, ensure_ascii=False))
        return
    if not rule:
        out.print(f"{grammar.name}  {grammar.digest[:8]}", style="bold", markup=False)
        out.print(grammar.description, markup=False, highlight=False)
    for card in cards:
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


def _cards(grammar: "Grammar") -> dict[str, list[dict[str, Any]]]:
    """Return all cards by kind, in the order in which they run."""
    cards = {
        "rewrites": [_rewrite(each) for each in grammar.rewrites],
        "rules": [_card(rule) for rule in grammar.rules],
        "annotations": [_card(note) for note in grammar.annotations],
        "normalisations": [_normalisation(each) for each in grammar.normalisations],
    }
    return {kind: listed for kind, listed in cards.items() if listed or kind == "rules"}


@app.command("vocabulary")
def vocabulary_command(name: str = VOCABULARY) -> None:
    """Print the object classes and words of a vocabulary as TOML, to be corrected.

    An annotation file's categories get WordNet's words. Pass the corrected file to
    `spicepy chair` and `count` with --vocabulary.

    Example: spicepy grammar vocabulary lvis_v1_val.json > lvis.toml
    """
    from spicepy.annotations.vocabulary import load_vocabulary, to_toml

    typer.echo(to_toml(load_vocabulary(name)), nl=False)


def _chosen(grammar: "Grammar", rule: str | None) -> list[dict[str, Any]]:
    """Return all cards, or the one that `rule` names."""
    from spicepy.common.errors import GrammarError, nearest

    cards = [card for listed in _cards(grammar).values() for card in listed]
    if rule is None:
        return cards
    chosen = [card for card in cards if rule in (card["id"], card["source"])]
    if not chosen:
        known = [card["id"] for card in cards]
        hint = nearest(rule, known) or f"; known: {', '.join(known)}"
        raise GrammarError(f"{grammar.name} has no rule {rule!r}{hint}")
    return chosen


def _card(rule: "Rule") -> dict[str, Any]:
    """Return a card with its texts as they are written."""
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


def _rewrite(turn: "Rewrite") -> dict[str, Any]:
    """Return a rewrite rule: the keys of a rule, and its changes."""
    card = _card(turn.card)
    del card["emit"], card["once"]
    edges = {"becomes": turn.becomes or (), "adds": turn.adds}
    return card | {
        **{key: [clause.text for clause in links] for key, links in edges.items()},
        "replace": [f"{old} by {new}" for old, new in turn.replace],
        "join": list(turn.join),
        "drop": list(turn.drop),
        "retag": [f"{name} {tag}" for name, tag in turn.retag],
    }


def _normalisation(form: "Normalisation") -> dict[str, Any]:
    """Return a normalisation rule with its texts as they are written."""
    options = [name for name in ("same", "drop") if getattr(form, name)]
    return {
        "id": form.id,
        "source": form.source,
        "why": form.why,
        form.member: [f"{a} = {b}" if b else a for a, b in form.forms],
        "where": [f"{name} {test}" for name, test in form.where],
        "becomes": [_members(made) for made in form.becomes],
        "option": options,
        "example": [
            f"{_members(given)} => {' '.join(map(_members, made))}"
            for given, made in form.examples
        ],
        "reject": [_members(left) for left in form.rejects],
        "file": form.file,
    }


def _members(members: Sequence[str]) -> str:
    return f"({', '.join(members)})"


def _joined(pattern: Sequence[tuple[bool, Any]]) -> str:
    return " & ".join(f"{'no ' * negated}{clause.text}" for negated, clause in pattern)


def _whole(grammar: "Grammar") -> dict[str, Any]:
    return {
        "name": grammar.name,
        "version": grammar.version,
        "description": grammar.description,
        "labels": grammar.labels,
        "digest": grammar.digest,
        **_cards(grammar),
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
    source = f"  ({card['source']})" if card["source"] else ""
    out.print()
    out.print(card["id"] + source, style="bold cyan", markup=False, highlight=False)
    out.print(f"  {card['why']}", style="italic", markup=False, highlight=False)
    shown = dict(card)
    shown["emit"] = [text for group in card.get("emit", ()) for text in group]
    shown["once"] = ["only the first match of a head token"] * card.get("once", False)
    for key in _SHOWN:
        _print_lines(key, shown.get(key, ()))


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
