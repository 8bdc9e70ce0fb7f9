"""English: texts of arguments and attributes say what they are, in whole phrases."""

import ast
import re

from package_modules import FILES, PACKAGE, tree

FRAGMENT = re.compile(r"(?:\s+[\w*, ]+: )?(?:Of|Those|Whose|So many|So often)\b")
"""Such as "    seed: Of the samples."."""


def test_no_text_begins_with_of_those_or_whose() -> None:
    fragments = [
        f"{path.relative_to(PACKAGE)}:{node.lineno + at}: {line.strip()}"
        for path in FILES
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        for at, line in enumerate(str(node.value.value).split("\n"))
        if FRAGMENT.match(line)
        if at == 0 or ": " in FRAGMENT.match(line)[0]
    ]

    assert fragments == []
