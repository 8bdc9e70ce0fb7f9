"""The examples in docstrings give what they say."""

import doctest
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

import spicepy

PACKAGE = Path(spicepy.__file__).parent


def modules() -> list[ModuleType]:
    names = sorted(
        path.relative_to(PACKAGE.parent).with_suffix("").parts
        for path in PACKAGE.rglob("*.py")
        if ">>> " in path.read_text(encoding="utf-8")
    )
    dotted = (".".join(name).removesuffix(".__init__") for name in names)
    return [import_module(name) for name in dotted]


EXAMPLES = [
    found
    for module in modules()
    for found in doctest.DocTestFinder().find(module)
    if found.examples
]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_examples_in_docstrings(example: doctest.DocTest) -> None:
    shown: list[str] = []
    doctest.DocTestRunner(verbose=False).run(example, out=shown.append)

    assert not shown, "".join(shown)


def test_examples_were_found() -> None:
    assert {"spicepy", "spicepy.api.parse"} <= {example.name for example in EXAMPLES}
