"""`spicepy grammar`: check and show grammars."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

import typer

from spicepy.cli._console import err, out, to_json, warn, write_out
from spicepy.common.errors import counted
from spicepy.common.resources import GRAMMAR

if TYPE_CHECKING:
    from spicepy.rules.dependency_graphs import DependencyGraph
    from spicepy.rules.examples import ExplainedExample
    from spicepy.rules.values import Grammar, Normalisation, Rule

grammar_app = typer.Typer(
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
CARD = typer.Argument(help="The id of a card, or its source.")
RULE = typer.Option(None, "--rule", help="Show this card only.")
JSON = typer.Option(False, "--json", help="Print JSON.")


@grammar_app.command("check")
def check_command(grammars: list[str] = GRAMMARS) -> None:
    """Find every fault, running all examples; exit code 2 if there is one."""
    from spicepy.rules.examples import check

    faulty = False
    for name in grammars:
        checked = check(name, _analyse)
        for fault in checked.faults:
            err.print(str(fault))
        if checked.unfrozen:
            first, *more = checked.unfrozen
            rest = f" and {len(more)} more" if more else ""
            message = f'{name}: no graph in parses.jsonl of "{first}"{rest}: in a '
            message += "checkout of spicepy, python -m tests.refreeze adds it"
            err.print(message)
        faulty |= bool(checked.faults)
        if not checked.faults:
            before = f"{name}: " if len(grammars) > 1 else ""
            rules = counted(checked.rules, "rule")
            examples = counted(checked.examples, "example")
            out.print(f"{before}ok: {rules}, {examples}")
        # Shipped cards that read a list may fail because of the words that it lost.
        warn(*(f"{name}: {text}" for text in _lost_words(name)))
    if faulty:
        raise typer.Exit(2)


def _lost_words(name: str) -> Iterator[str]:
    """Yield a sentence on each word list without words of the list that it replaces."""
    from spicepy.rules.files import Layer, Place, locate, read_layers, texts

    def words_of(layer: Layer) -> dict[str, list[str]]:
        lists = [content.get("lists", {}) for _, content in layer.files]
        tables = {
            k: v for each in lists if isinstance(each, dict) for k, v in each.items()
        }
        known = {k: v.get("words") for k, v in tables.items() if isinstance(v, dict)}
        return {each: texts(words) or [] for each, words in known.items()}

    path = locate(name)
    assert path is not None  # the grammar was checked
    *bases, own = read_layers(path.resolve(), Place())
    known = {k: words for base in bases for k, words in words_of(base).items()}
    for each, words in words_of(own).items():
        if lost := [word for word in known.get(each, ()) if word not in words]:
            some = ", ".join(lost[:3]) + (", …" if len(lost) > 3 else "")
            yield (
                f"the list {each!r} replaces that of {own.header['extends']} and lacks "
                f"{len(lost)} of its {counted(len(known[each]), 'word')} ({some}), so "
                "that its cards may fail; repeat the words to keep, or give the list "
                "another name"
            )


@grammar_app.command("show")
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
        write_out(to_json(shown))
        return
    if not rule:
        out.print(f"{grammar.name}  {grammar.digest[:8]}", style="bold")
        out.print(grammar.description)
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
    for rewrite in grammar.rewrites:
        if rewrite.phase:
            tables[rewrite.card.id]["phase"] = rewrite.phase
    kinds: dict[str, Iterable[Rule | Normalisation]] = {
        "rewrites": (each.card for each in grammar.rewrites),
        "rules": grammar.rules,
        "annotations": grammar.annotations,
        "normalisations": grammar.normalisations,
    }
    return {kind: [tables[card.id] for card in cards] for kind, cards in kinds.items()}


@grammar_app.command("explain")
def explain_command(card: str = CARD, name: str = NAME) -> None:
    """Show what a card does to the captions of its examples and rejects.

    A caption is followed by the edges of its dependency graph where the card runs:
    those marked "-" are there before the card has run, those with
    "+" after it, all others before and after. "makes" has what the card makes, as its
    examples state it; "tuples" what all rules make of the caption, before
    normalisation. A normalisation rule has no graph: its examples are tuples before and
    after.

    Examples:

        spicepy grammar explain owner

        spicepy grammar explain place-of spicepy-1

        spicepy grammar explain clause-object spice-1.0
    """
    from spicepy.rules.examples import (
        cards_of,
        explain_examples,
        explain_normalisation,
        frozen_graphs,
    )
    from spicepy.rules.loading import load_grammar, read_grammar

    grammar = load_grammar(name)
    listed = [each for cards in _cards(grammar, name).values() for each in cards]
    if all(card not in (each["id"], each.get("source")) for each in listed):
        _name_other_grammars(card, name)
    [table, *_] = _chosen(listed, grammar.name, card)
    _print_card(table, without=("example", "reject"))
    for form in grammar.normalisations:
        if form.id == table["id"]:
            _print_forms(explain_normalisation(form, grammar), len(form.examples))
    for rule in cards_of(grammar):
        if rule.id == table["id"]:
            graphs = frozen_graphs(read_grammar(name)[2])
            explained = explain_examples(rule, grammar, graphs, _analyse)
            for number, one in enumerate(explained):
                _print_example(one, rejected=number >= len(rule.examples))


def _name_other_grammars(card: str, name: str) -> None:
    """Raise an error that names a shipped grammar with a card, if there is one."""
    from spicepy.common.errors import GrammarError
    from spicepy.rules.files import known_names
    from spicepy.rules.loading import load_grammar

    for other in known_names():
        known = _cards(load_grammar(other), other).values()
        if any(card == each["id"] for cards in known for each in cards):
            hint = f"spicepy grammar explain {card} {other}"
            raise GrammarError(f"{name} has no rule {card!r}, {other} has: {hint}")


def _print_example(example: "ExplainedExample", rejected: bool) -> None:
    """Print the caption of an example, its graph before and after, and its tuples."""
    from spicepy.rules.examples import show_tuples

    out.print()
    _print_lines("reject" if rejected else "example", [example.caption])
    _print_lines("graph", list(_difference(example.before, example.after)))
    _print_lines("makes", [show_tuples(example.made)])
    if sorted(example.made) != sorted(example.stated):
        _print_lines("stated", [show_tuples(example.stated)])
    for key, mood in (("tuples", ""), ("denied", "denied"), ("supposed", "supposed")):
        tuples = [each.members for each in example.tuples if each.mood == mood]
        if tuples or not mood:
            _print_lines(key, [show_tuples(dict.fromkeys(tuples))])


def _difference(before: "DependencyGraph", after: "DependencyGraph") -> Iterator[str]:
    """Yield the edges of two graphs: those that stay, that are gone, that are new.

    Before them stand words whose name or part of speech has changed.
    """
    old, new = _names(before), _names(after)
    for name, other in zip(old, new, strict=True):
        if name != other:
            yield f"- {name}"
            yield f"+ {other}"
    for mark, graph, names in (
        ("  ", after, new),
        ("- ", before, old),
        ("+ ", after, new),
    ):
        other_edges = before.edges if graph is after else after.edges
        for label, head, node in graph.edges:
            if ((label, head, node) in other_edges) == (mark == "  "):
                yield f"{mark}{names[head]} -{label}-> {names[node]}"


def _names(graph: "DependencyGraph") -> list[str]:
    """Return the names of a graph's nodes, ROOT first: "clock-2/NN"."""
    words = zip(graph.words, graph.tags, strict=True)
    return ["ROOT", *(f"{word}-{n}/{tag}" for n, (word, tag) in enumerate(words, 1))]


def _print_forms(
    explained: Sequence[tuple[tuple[str, ...], list[tuple[str, ...]]]], examples: int
) -> None:
    """Print the tuples of a normalisation rule's examples and rejects."""
    from spicepy.rules.examples import show_tuples

    out.print()
    for number, (given, made) in enumerate(explained):
        key = "example" if number < examples else "reject"
        left = show_tuples(made) if made != [given] else "left as it is"
        _print_lines(key, [f"{show_tuples([given])} => {left}"])


@grammar_app.command("vocabulary")
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


def _print_card(card: dict[str, Any], without: Sequence[str] = ()) -> None:
    """Print one rule as a block of lines, `key text` each."""
    source = f"  ({card['source']})" if card.get("source") else ""
    out.print()
    out.print(card["id"] + source, style="bold cyan")
    out.print(f"  {card['why']}", style="italic")
    for key, value in card.items():
        if key not in (*_HEADING, *without):
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
        out.print(f"  {label:8} {text}")


def _print_words(grammar: "Grammar") -> None:
    """Print the sizes of the word lists and categories."""
    out.print()
    out.print("word lists", style="bold")
    for name, words in grammar.lists.items():
        sample = ", ".join(words[:5]) + (", …" if len(words) > 5 else "")
        out.print(f"  {name} ({len(words)}): {sample}")
    names = ["Object", "Attribute", "Relation", *(c.name for c in grammar.categories)]
    out.print("categories", style="bold")
    out.print(f"  {', '.join(names)}")
