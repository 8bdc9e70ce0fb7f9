"""English: texts of arguments and attributes say what they are, in whole phrases."""

import ast
import re

from package_modules import FILES, tree
from paths import ROOT

FRAGMENT = re.compile(r"(?:\s+[\w*, ]+: )?(?:Of|Those|Whose|So many|So often)\b")
"""Such as "    seed: Of the samples."."""

FRAGMENTS = re.compile(r"\b(?:Of|Those|Whose|So many|So often)\b")

WORKSHOPS = [
    p
    for name in ("benchmarks", "docs", "training")
    for p in (ROOT / name).rglob("*.py")
]


def test_no_text_begins_with_of_those_or_whose() -> None:
    fragments = [
        f"{path.relative_to(ROOT)}:{node.lineno + at}: {line.strip()}"
        for path in FILES + WORKSHOPS
        if FRAGMENTS.search(path.read_text(encoding="utf-8"))
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        for at, line in enumerate(str(node.value.value).split("\n"))
        if FRAGMENT.match(line)
        if at == 0 or ": " in FRAGMENT.match(line)[0]
    ]

    assert fragments == []


OF = (
    "image|caption|key|sample|system|metric|row|process|word|score|reference|class|set"
    "|human|kind|limit|split|concept|category|column|pair|line|finding|object|relation"
)
CALQUES = re.compile(
    r"\bfrom (?:which|this|that) (?:\w+ ){0,2}on\b"
    r"|\bfrom (?:some )?[\d.,]+ (?:\w+ )?on\b"
    r"|(?<!here )\b(?:is|are) no (?:list|text|number|model|mapping|string|caption)\b"
    rf"|\b(?:one|an?|[\d,]+) (?:row|column|line|entry|score|number|mark|table|array"
    rf"|node|vote|pair|word)s? an? (?:{OF})\b",
)
"""Habits of another language: "from which on", "a row an image", "is no list"."""


def test_texts_have_no_habits_of_another_language() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{node.lineno + at}: {line.strip()}"
        for path in FILES
        if CALQUES.search(path.read_text(encoding="utf-8"))
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        for at, line in enumerate(str(node.value.value).split("\n"))
        if CALQUES.search(line)
    ]

    assert found == []


def test_pages_have_no_habits_of_another_language() -> None:
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md"]
    for folder in ("docs", "grammars"):
        pages += sorted((ROOT / folder).rglob("*.md"))
    found = [
        f"{page.relative_to(ROOT)}:{number}: {line}"
        for page in pages
        if "_build" not in page.parts
        for number, line in enumerate(page.read_text(encoding="utf-8").split("\n"), 1)
        if CALQUES.search(line)
    ]

    assert found == []
