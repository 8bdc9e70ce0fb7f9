"""Data flows one way: a folder imports only from folders before it."""

import ast
from functools import cache
from pathlib import Path

import pytest
from package_modules import FILES, PACKAGE, tree

ORDER = (
    "common",
    "words",
    "captions",
    "tokenization",
    "parsing",
    "rules",
    "graph",
    "pipeline",
    "asking",
    "metrics",
    "objects",
    "evaluation",
    "scale",
    "diagnosis",
    "study",
    "reporting",
    "api",
    "rewards",
    "compat",
    "cli",
    "__main__",
)
"""The entries of `spicepy/` in the order of the data flow."""

NAMES = {
    ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts): path
    for path in FILES
}
"""Full names of modules (`spicepy.api`) and their files; packages end in `__init__`."""

DYNAMIC = {
    "spicepy.__init__": "the names that `import spicepy` offers, at first use",
    "spicepy.common.resources": "libraries, not modules of spicepy",
    "spicepy.evaluation.options": "metrics by name, from the table of the registry",
    "spicepy.metrics.outside": "functions of the user, by their names",
    "spicepy.compat.installing": "its own modules, and the homes of their names",
    "spicepy.cli.__init__": "commands by name, from its own table",
}
"""The modules that may import others by a name that is not a constant, and which."""


@cache
def imports(path: Path) -> list[str]:
    """The modules that a file imports, wherever in the file and however.

    A string that is the name of a module counts, since it can only be there to be
    imported: `import_module("spicepy.study")`, or the preload of a process.
    """
    found = []
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                sub = f"{node.module}.{alias.name}"
                is_module = sub in NAMES or f"{sub}.__init__" in NAMES
                found.append(sub if is_module else node.module)
        elif isinstance(node, ast.Constant) and node.value in NAMES:
            found.append(str(node.value))
    return found


def arrows() -> dict[str, set[str]]:
    """Module -> the modules of spicepy that it imports."""
    full = {name.removesuffix(".__init__"): name for name in NAMES}
    return {
        name: {full[other] for other in imports(path) if other in full} - {name}
        for name, path in NAMES.items()
    }


def test_modules_have_no_circles() -> None:
    """Whoever reads a module has read, or need not read, what imports it."""
    left = arrows()
    while ready := {name for name, others in left.items() if not others & set(left)}:
        left = {name: others for name, others in left.items() if name not in ready}

    assert sorted(left) == []


def test_only_tables_of_names_are_imported_from() -> None:
    users = {
        name
        for name, path in NAMES.items()
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Call)
        and getattr(node.func, "id", "") in ("import_module", "__import__")
        and not isinstance(node.args[0], ast.Constant)
    }

    assert users == set(DYNAMIC)


def test_order_names_every_entry() -> None:
    entries = {
        path.stem
        for path in PACKAGE.iterdir()
        if path.suffix == ".py" or (path.is_dir() and path.name != "__pycache__")
    }

    assert entries - {"__init__", "grammars"} == set(ORDER)


def test_imports_point_back() -> None:
    forward = []
    for path in FILES:
        own = path.relative_to(PACKAGE).with_suffix("").parts[0]
        for name in imports(path) if own != "__init__" else ():
            top, _, rest = name.partition(".")
            other = rest.split(".")[0]
            if top == "spicepy" and other in ORDER[ORDER.index(own) + 1 :]:
                forward.append(f"{path.relative_to(PACKAGE)} imports {name}")

    assert forward == []


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
