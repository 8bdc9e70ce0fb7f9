"""Data flows one way: a folder imports only from folders before it."""

import ast
from functools import cache
from pathlib import Path

import pytest
from paths import ROOT

PACKAGE = ROOT / "spicepy"

ORDER = (
    "common",
    "samples",
    "tokenization",
    "parsing",
    "grammar",
    "extraction",
    "graph",
    "pipeline",
    "annotations",
    "metrics",
    "evaluation",
    "scale",
    "api",
    "diagnosis",
    "grounding",
    "study",
    "reporting",
    "rewards",
    "compat",
    "cli",
    "__main__",
)
"""The entries of `spicepy/` in the order of the data flow."""

FILES = sorted(PACKAGE.rglob("*.py"))


@cache
def imports(path: Path) -> list[str]:
    """The modules that a file imports, wherever in the file."""
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            subs = [f"{node.module}.{alias.name}" for alias in node.names]
            found += subs if node.module == "spicepy" else [node.module]
    return found


def test_order_names_every_entry() -> None:
    entries = {
        path.stem
        for path in PACKAGE.iterdir()
        if path.suffix == ".py" or (path.is_dir() and path.name != "__pycache__")
    }

    assert entries - {"__init__", "grammars"} == set(ORDER)


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_imports_point_back(path) -> None:
    own = path.relative_to(PACKAGE).with_suffix("").parts[0]
    if own == "__init__":
        return
    for name in imports(path):
        top, _, rest = name.partition(".")
        other = rest.split(".")[0]
        if top == "spicepy" and other in ORDER:
            message = f"{own} imports {name}"
            assert ORDER.index(other) <= ORDER.index(own), message


@pytest.mark.parametrize(
    ("library", "home"), [("spacy", "parsing/spacy_models.py"), ("thinc", "")]
)
def test_only_one_module_imports(library: str, home: str) -> None:
    users = {
        path.relative_to(PACKAGE).as_posix()
        for path in FILES
        if any(name.split(".")[0] == library for name in imports(path))
    }

    assert users <= {home}


def test_only_wordnet_opens_wordnet() -> None:
    users = {
        path.name
        for path in FILES
        if "wordnet-3.0" in path.read_text(encoding="utf-8")
        or any(module.startswith("nltk.corpus") for module in imports(path))
    }

    assert users <= {"wordnet.py"}
