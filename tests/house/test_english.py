"""English: texts of arguments and attributes say what they are, in whole phrases."""

import ast
import re
from functools import cache

from package_modules import FILES, tree
from paths import ROOT

from spicepy.words.wordnet import load_wordnet

FRAGMENT = re.compile(r"(?:\s+[\w*, ]+: )?(?:Of|Those|Whose|So many|So often)\b")
"""Such as "    seed: Of the samples."."""

WORKSHOPS = [
    p
    for name in ("benchmarks", "docs", "training")
    for p in (ROOT / name).rglob("*.py")
]


def test_no_text_begins_with_of_those_or_whose() -> None:
    fragments = [
        f"{path.relative_to(ROOT)}:{node.lineno + at}: {line.strip()}"
        for path in FILES + WORKSHOPS
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        for at, line in enumerate(str(node.value.value).split("\n"))
        if FRAGMENT.match(line)
        if at == 0 or ": " in FRAGMENT.match(line)[0]
    ]

    assert fragments == []


def test_functions_say_what_they_do_with_a_verb() -> None:
    senses = cache(load_wordnet().senses)
    nominal = [
        f"{path.relative_to(ROOT)}:{node.lineno}: {text}"
        for path in FILES
        for node in ast.walk(tree(path))
        if isinstance(node, ast.FunctionDef) and not _is_property(node)
        if (text := (ast.get_docstring(node) or "").split("\n")[0])
        if (word := re.split(r"\W", text)[0].lower()) != "tokenise"
        if not any(part == "v" for part, _ in senses(word))
    ]

    assert nominal == []


def _is_property(node: ast.FunctionDef) -> bool:
    return any(ast.unparse(d).endswith("property") for d in node.decorator_list)
