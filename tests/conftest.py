"""Shared fixtures."""

import os
import sys
from pathlib import Path

import pytest
from hypothesis import settings
from paths import ROOT

# Models that a user has added, and tables that were compiled, change what is listed.
# Nobody, not even root, can write a folder below a file.
os.environ["SPICEPY_DATA"] = str(ROOT / "tests" / "conftest.py" / "no-data")

# Modules are compiled once, not by each process again; where Python is told to write
# nothing beside them, in a folder of pytest's.
if sys.dont_write_bytecode:
    sys.dont_write_bytecode = False
    sys.pycache_prefix = str(ROOT / ".pytest_cache" / "bytecode")
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ["PYTHONPYCACHEPREFIX"] = sys.pycache_prefix

# A test that is slow because the machine is busy has not failed.
settings.register_profile("spicepy", deadline=None)
settings.load_profile("spicepy")


@pytest.fixture(scope="session")
def fixtures() -> Path:
    """The folder of captions and numbers written for this project."""
    return ROOT / "fixtures"


@pytest.fixture
def small_paraphrases(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let METEOR read a table of a few lines; the installed one takes seconds."""
    table = ROOT / "fixtures" / "frozen" / "paraphrases.gz"
    module = "spicepy.metrics.meteor.paraphrases"
    monkeypatch.setattr(f"{module}.find_paraphrases", lambda: table)


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of oracle data; tests that need it skip where it is absent."""
    path = Path(os.environ.get("SPICEPY_SHARED", ROOT.parent / "shared"))
    if not (path / "oracle").is_dir():
        pytest.skip(f"oracle data not found at {path} (set SPICEPY_SHARED)")
    return path
