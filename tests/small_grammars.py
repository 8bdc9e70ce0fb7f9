"""A grammar of one rule, every noun is an object, and one card that is tested."""

from pathlib import Path

from spicepy.rules.loading import load_grammar
from spicepy.rules.values import Grammar

BEFORE = """
name = "mine"
version = "1"
labels = "universal-v1"
[tags]
NOUN = ["NN", "NNS"]
[lists.clothing]
source = "test"
words = ["shirt", "hat"]
[lists.stuff]
source = "test"
words = ["stone", "brick"]
[lists.pairs]
source = "test"
words = ["stop sign"]
[[rule]]
id = "object"
why = "Every noun."
match = ["noun:NOUN"]
emit = "(noun)"
example = ["a dog => (dog)"]
"""
EXAMPLES = {"normalisation": "(dog) => (dog)", "rewrite": "a dog => (dog)"}


def with_card(folder: Path, kind: str, card: str) -> Grammar:
    """The grammar in a folder with a card of a kind, "normalisation" or "rewrite"."""
    head = f'[[{kind}]]\nid = "mine"\nwhy = "Under test."\n'
    example = f'example = ["{EXAMPLES[kind]}"]\n'
    path = folder / "mine.toml"
    path.write_text(BEFORE + head + example + card, encoding="utf-8")
    return load_grammar(path)
