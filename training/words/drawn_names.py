"""Learn from drawn scene graphs whether two nouns in a row are one name.

Usage: python -m training.words.drawn_names --out grammars/spicepy-1/drawn.toml

In: `SHARED/scene-graphs/factual-train.jsonl.gz` and the bundled parser for scene
graphs, which says what stands before a noun as its modifier. Out: word lists of pairs
(modifier and noun, as lemmas) by what most people made of them, if `OFTEN` of them did:
a name ("parking meter"), a noun and its attribute ("computer monitor"), only one of the
two ("mountain top"), or two objects and their relation ("bathroom sink": the sink is in
the bathroom). Nouns that are attributes before nouns of many kinds are a list, too. The
development captions are left out.
"""

import argparse
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import fill

from spicepy.parsing.parser import parse
from spicepy.parsing.trees import Parse
from spicepy.pipeline import Pipeline
from spicepy.rules.loading import load_grammar
from spicepy.rules.values import Grammar
from spicepy.tokenization.ptb import tokenize
from training import SHARED
from training.parser.files import without_punctuation
from training.parser.people_graphs import Drawn, read_graphs, value

OFTEN, NOUNS = 2, 4
"""The minimum numbers of captions with a pair, and of nouns after a modifier."""

MIN_SHARES = 0.5, 0.65
"""The minimum shares of captions with a pair, and with a modifier, that agree."""

Pair = tuple[str, str]

ADJECTIVES = {"wood": "wooden"}
"""Nouns that are drawn as adjectives."""

LISTS = {
    "name": ("drawn-names", "are one name"),
    "attribute": ("drawn-attributes", "are a noun and its attribute"),
    "last": ("drawn-last", "are the second noun, and nothing else"),
    "first": ("drawn-first", "are the first noun, and nothing else"),
    "has": ("drawn-wholes", "are a whole and a part that it has"),
    "in": ("drawn-in", "are a place and what is in it"),
    "on": ("drawn-on", "are a place and what is on it"),
    "for": ("drawn-for", "are what something is for and the thing"),
    "bears": ("drawn-bearing", "are something and what it is on"),
}
"""The reading of a pair by people → its list, and the kind of its pairs."""

WORDS = "drawn-modifiers"
"""The list of words that are attributes before nouns."""

RELATIONS = {
    ("first", "have"): "has",
    ("last", "in"): "in",
    ("last", "inside"): "in",
    ("last", "on"): "on",
    ("last", "for"): "for",
    ("first", "on"): "bears",
}
"""The subject among the two words, and the predicate → the reading of the pair."""


def main() -> None:
    """Write the lists."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--shared", type=Path, default=SHARED)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    folder = options.shared / "scene-graphs"
    known = {x.caption for x in read_graphs(folder / "factual-dev.jsonl.gz")}
    drawn = read_graphs(folder / "factual-train.jsonl.gz")
    drawn = [x for x in drawn if x.caption not in known]
    trees, ours = read_all(plain(), [x.caption for x in drawn])
    people, rules = counted(trees, drawn), counted(trees, ours)
    words = of_words(people, rules)
    pairs = of_pairs(people, rules)
    rest = [x for x in pairs["drawn-attributes"] if x.split()[0] not in words]
    lists = {**pairs, "drawn-attributes": rest, WORDS: words}
    lists = {name: sorted(found) for name, found in lists.items()}
    print({name: len(found) for name, found in lists.items()})
    options.out.write_text(as_toml(lists), encoding="utf-8")


def plain() -> Grammar:
    """Return the grammar as it is without these lists."""
    text = 'name = "plain"\nversion = "1"\ndescription = "No lists"\n'
    text += 'labels = "universal-v1"\nextends = "spicepy-1"\n'
    text += f'parser = "{load_grammar("spicepy-1").parser}"\n'
    for name in (*(name for name, _ in LISTS.values()), WORDS):
        text += f'[lists.{name}]\nsource = "nowhere"\nwords = ["-"]\n'
    with TemporaryDirectory() as folder:
        path = Path(folder) / "plain.toml"
        path.write_text(text, encoding="utf-8")
        return load_grammar(path)


def read_all(
    grammar: Grammar, captions: Sequence[str]
) -> tuple[list[Parse], list[Drawn]]:
    """Return the trees of captions and the graphs that a grammar makes of them."""
    pipeline = Pipeline(grammar=grammar)
    lines = tokenize(captions)
    texts = [" ".join(without_punctuation(line.split())) for line in lines]
    trees = parse(texts, model=grammar.parser)
    made = [pipeline.stages.extract([tree]) for tree in trees]
    graphs = [
        Drawn(caption, tuple(x.members for x in tuples))
        for caption, tuples in zip(captions, made, strict=True)
    ]
    return trees, graphs


def counted(
    trees: Sequence[Parse], graphs: Sequence[Drawn]
) -> dict[Pair, Counter[str]]:
    """Return what graphs make of each pair of a modifier and its noun."""
    counts: defaultdict[Pair, Counter[str]] = defaultdict(Counter)
    for tree, graph in zip(trees, graphs, strict=True):
        for pair in modifiers(tree):
            counts[pair][meaning(graph, *pair)] += 1
    return counts


def modifiers(tree: Parse) -> Iterator[Pair]:
    """Yield the lemmas of nouns and of the modifiers right before them."""
    for at, (head, label) in enumerate(zip(tree.heads, tree.labels)):
        is_before = label in ("amod", "compound") and head == at + 2
        if is_before and tree.tags[at + 1].startswith("NN"):
            last = tree.lemmas[at + 1]
            if not last.endswith("ing"):  # a participle that is taken for a noun
                yield tree.lemmas[at], last


def meaning(drawn: Drawn, first: str, last: str) -> str:
    """Return what people made of a modifier and a noun of a caption."""
    objects = {x[0] for x in drawn.tuples if len(x) == 1}
    if f"{first} {last}" in objects:
        return "name"
    said = {first, value(first), ADJECTIVES.get(first, first)}
    if any(x[0].split()[-1] == last and x[1] in said for x in drawn.attributes):
        return "attribute"
    ends = {(first, last): "first", (last, first): "last"}
    for subject, how, object_ in drawn.relations:
        if side := ends.get((subject, object_)):
            return RELATIONS.get((side, how), "other")
    if first in objects or last in objects:
        both = first in objects and last in objects
        return "other" if both else "first" if first in objects else "last"
    return "other"


def of_pairs(
    people: Mapping[Pair, Counter[str]], rules: Mapping[Pair, Counter[str]]
) -> dict[str, list[str]]:
    """Return the lists of pairs of which people make something else than the rules."""
    lists: dict[str, list[str]] = {name: [] for name, _ in LISTS.values()}
    for pair, found in people.items():
        (best, often), total = found.most_common(1)[0], found.total()
        made = rules[pair].most_common(1)[0][0]
        # The rules know what adjectives are; only names are in doubt.
        doubtful = made != best and ("name" in (made, best) or made == "has")
        if (
            doubtful
            and best in LISTS
            and total >= OFTEN
            and often > MIN_SHARES[0] * total
        ):
            lists[LISTS[best][0]].append(" ".join(pair))
    return lists


def of_words(
    people: Mapping[Pair, Counter[str]], rules: Mapping[Pair, Counter[str]]
) -> list[str]:
    """Return the nouns that people, not the rules, make attributes of most nouns."""
    nouns: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)
    for pair, found in people.items():
        most = (x.most_common(1)[0][0] for x in (found, rules[pair]))
        nouns[pair[0]].append(tuple(most))
    return [
        word
        for word, made in nouns.items()
        if len(made) >= NOUNS
        and sum(x == "attribute" for x, _ in made) > MIN_SHARES[1] * len(made)
        and sum(x == "attribute" for _, x in made) <= MIN_SHARES[1] * len(made)
    ]


def as_toml(lists: Mapping[str, Sequence[str]]) -> str:
    """Return the file's text."""
    sources = {name: f"pairs that {what}" for name, what in LISTS.values()}
    text = "# Made by `python -m training.words.drawn_names`.\n"
    for name, words in lists.items():
        source = sources.get(name, "words that are attributes before nouns")
        text += f'\n[lists.{name}]\nsource = "FACTUAL, training captions: {source}"\n'
        pieces = fill(" ".join(f'"{word}",'.replace(" ", "\0") for word in words), 86)
        lines = pieces.replace("\0", " ").splitlines()
        text += "words = [\n" + "".join(f"  {line}\n" for line in lines) + "]\n"
    return text


if __name__ == "__main__":
    main()
