"""The modules of the package as syntax trees, read once a process."""

import ast
from functools import cache
from pathlib import Path

from paths import ROOT

PACKAGE = ROOT / "spicepy"
FILES = sorted(PACKAGE.rglob("*.py"))


@cache
def tree(path: Path) -> ast.Module:
    """Return the syntax tree of a module."""
    return ast.parse(path.read_text(encoding="utf-8"))
