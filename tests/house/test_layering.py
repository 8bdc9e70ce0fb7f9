"""Data flows one way: a folder imports only from folders before it."""

import ast

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
    "metrics",
    "evaluation",
    "scale",
    "api",
    "diagnosis",
    "study",
    "reporting",
    "rewards",
    "compat",
    "cli",
    "__main__",
)
"""The entries of `spicepy/` in the order of the data flow."""

FILES = sorted(PACKAGE.rglob("*.py"))


def imports(source: str) -> list[str]:
    """The modules that a file imports, wherever in the file."""
    found = []
    for node in ast.walk(ast.parse(source)):
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
    for name in imports(path.read_text(encoding="utf-8")):
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
        if any(
            name.split(".")[0] == library
            for name in imports(path.read_text(encoding="utf-8"))
        )
    }

    assert users <= {home}


def test_only_wordnet_opens_wordnet() -> None:
    texts = {path.name: path.read_text(encoding="utf-8") for path in FILES}
    users = {
        name
        for name, text in texts.items()
        if "wordnet-3.0" in text
        or any(module.startswith("nltk.corpus") for module in imports(text))
    }

    assert users <= {"wordnet.py"}
