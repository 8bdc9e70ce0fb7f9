"""What publishing and other systems rely on agrees with the project's files."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_workflow_names_steps_that_exist() -> None:
    workflow = (ROOT / ".github/workflows/ci.yml").read_text("utf-8")
    steps = (ROOT / ".ci/steps.py").read_text("utf-8")

    [named] = re.findall(r"/spicepy (\w.*)$", workflow, re.MULTILINE)

    for name in named.split():
        assert f"\ndef {name}(work: Path)" in steps


def test_pythons_of_the_workflow_are_those_of_the_package() -> None:
    workflow = (ROOT / ".github/workflows/ci.yml").read_text("utf-8")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    listed = [
        entry.rpartition(" ")[2]
        for entry in project["classifiers"]
        if entry.startswith("Programming Language :: Python :: 3.")
    ]

    [line] = re.findall(r"python: \[(.*)\]", workflow)

    assert [word.strip(' "') for word in line.split(",")] == listed
