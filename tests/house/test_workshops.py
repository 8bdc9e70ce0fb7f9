"""Benchmarks, training and the programs of the documentation are packages."""

import ast
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest
from paths import ROOT

WORKSHOPS = ("training", "benchmarks", "docs")
"""Each imports only from itself, from those before it, and from `spicepy`."""
FILES = sorted(path for name in WORKSHOPS for path in (ROOT / name).rglob("*.py"))
STEMS = {path.stem for path in FILES} - {"__init__"}


def imported(path: Path) -> set[str]:
    """Return the full names of the modules that a file imports."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            found.add(node.module or "")
    return found


def test_workshops_import_by_full_names() -> None:
    for path in FILES:
        own = WORKSHOPS.index(path.relative_to(ROOT).parts[0])
        for name in imported(path):
            top, _, rest = name.partition(".")
            bare = not rest and top in STEMS and (path.parent / f"{top}.py").exists()
            assert not bare, f"{path}: {name} is imported without its package"
            assert top not in WORKSHOPS[own + 1 :], f"{path} imports {name}"


def test_names_that_workshops_import_exist() -> None:
    for path in FILES:
        text = path.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(text if "from spicepy" in text else "")):
            home = str(getattr(node, "module", ""))
            if isinstance(node, ast.ImportFrom) and home.startswith("spicepy"):
                module = import_module(home)
                for alias in node.names:
                    name = f"{home}.{alias.name}"
                    found = hasattr(module, alias.name) or find_spec(name)
                    assert found, f"{path}: {name}"


@pytest.mark.parametrize("name", ["benchmarks", "training"])
def test_every_module_is_in_a_room(name: str) -> None:
    flat = {path.stem for path in (ROOT / name).glob("*.py")} - {"__init__"}

    assert flat <= {"figures", "java_oracle", "java_graphs", "structure"}
