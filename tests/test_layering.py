"""Data flows one way: a stage imports only from stages before it."""

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "spicepy"

# Rooms in the order of the data flow; a room imports from itself and rooms
# before it. A module that is not listed belongs to the room of its prefix.
ROOMS = (
    ("errors", "_plain", "sharing", "collector", "progress", "tables", "writing"),
    ("captions", "dependencies", "tuples"),
    ("tokenization", "lemmatization", "stemming", "wordnet"),
    ("labelmap", "parsing", "dependency_words", "collapsing", "enhancing"),
    ("categories", "concepts", "grammar"),
    ("extraction", "graph"),
    ("matching", "pipeline", "checking", "scoring", "reading"),
    ("metrics", "significance"),
    ("evaluation",),
    ("api", "explanation", "diagnosis", "comparison"),
    ("plotting", "reporting", "study", "output", "policy"),
    ("cli",),
    ("__main__", "__init__"),
)
PRIVATE = {
    "_ptb": "tokenization",
    "_coordination": "collapsing",
    "_tree": "collapsing",
    "_universal": "labelmap",
    "_label_schemes": "labelmap",
    "_files": "errors",
    "_grammar_files": "errors",
    "_grammar": "grammar",
    "_extraction": "extraction",
    "_graph": "graph",
    "_diagnosis": "diagnosis",
}
RANK = {name: rank for rank, room in enumerate(ROOMS) for name in room}


def room(module: str) -> str:
    name = module.removeprefix("spicepy").removeprefix(".").split(".")[0] or "__init__"
    if name in RANK:
        return name
    for prefix, home in PRIVATE.items():
        if name.startswith(prefix):
            return home
    pytest.fail(f"spicepy.{name} has no room: add it to ROOMS in {__file__}")


def imports(path: Path) -> list[str]:
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            subs = [f"{node.module}.{a.name}" for a in node.names]
            found += subs if node.module == "spicepy" else [node.module]
    return found


FILES = sorted(PACKAGE.rglob("*.py"))


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_imports_point_back(path: Path) -> None:
    own = room(".".join(path.relative_to(PACKAGE).with_suffix("").parts))
    if own == "__init__":
        return
    for name in imports(path):
        if name in ("spicepy.__version__", "spicepy"):
            continue
        if name.startswith("spicepy."):
            other = room(name)
            message = f"{path.name} ({own}) imports {name} ({other})"
            assert RANK[other] <= RANK[own], message


@pytest.mark.parametrize(
    ("library", "home"), [("spacy", "parsing/spacy_models.py"), ("thinc", "")]
)
def test_only_one_module_imports(library: str, home: str) -> None:
    users = {
        p.relative_to(PACKAGE).as_posix()
        for p in FILES
        if any(i.split(".")[0] == library for i in imports(p))
    }

    assert users <= {home}


def test_only_wordnet_opens_wordnet() -> None:
    users = {
        p.name
        for p in FILES
        if any(i.startswith("nltk.corpus") for i in imports(p))
        or "wordnet-3.0" in p.read_text(encoding="utf-8")
    }

    assert users <= {"wordnet.py"}
