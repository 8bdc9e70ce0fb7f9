"""`--cache`, `spicepy cache`, and what Ctrl-C says."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from commands import Run
from paths import ROOT

SAMPLES = [
    {"image_id": 1, "test": "two dogs run", "refs": ["dogs are running", "a dog"]},
    {"image_id": 2, "test": "a red hat", "refs": ["the hat is red", "a blue hat"]},
]

INTERRUPTED = """
import os, signal, sys
from spicepy.cli import main
from spicepy.pipeline import pipeline
pipeline.map_batches = lambda *_, **__: os.kill(os.getpid(), signal.SIGINT)
sys.argv[1:] = ["evaluate", *sys.argv[1:]]
main()
"""


@pytest.fixture
def captions(tmp_path: Path) -> Path:
    file = tmp_path / "captions.json"
    file.write_text(json.dumps(SAMPLES))
    return file


@pytest.mark.usefixtures("small_paraphrases")
def test_commands_take_a_cache(
    run: Run, captions: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = tmp_path / "cache"
    commands = [
        ["evaluate", captions, "--metrics", "all,spice-soft,spider"],
        ["diagnose", captions],
        ["report", captions, "--output", tmp_path / "page.html"],
        ["parse", "two dogs run"],
        ["explain", "two dogs run"],
    ]
    plain = [run(*command) for command in commands]
    cold = [run(*command, "--cache", cache) for command in commands]
    monkeypatch.setattr("spicepy.pipeline.pipeline.read", lambda *_, **__: 1 / 0)
    warm = [run(*command, "--cache", cache) for command in commands]
    monkeypatch.setenv("SPICEPY_CACHE", str(cache))
    named = [run(*command) for command in commands]

    assert plain == cold == warm == named
    assert all(done.returncode == 0 for done in plain)


def test_info_and_clear(run: Run, captions: Path, tmp_path: Path) -> None:
    cache = ["--cache", tmp_path / "cache"]
    run("evaluate", captions, *cache)
    found = json.loads(run("cache", "info", "--json", *cache).stdout)
    table = run("cache", "info", *cache).stdout

    assert found["rows"] == found["namespaces"][0]["rows"] == 6
    assert found["limit"] == 2 * 2**30
    assert "spice-1.0" in table
    assert "of at most 2,048.0 MiB" in table
    assert "deleted 6 results" in run("cache", "clear", *cache).stdout
    assert json.loads(run("cache", "info", "--json", *cache).stdout)["rows"] == 0


def test_no_cache_named(run: Run) -> None:
    done = run("cache", "info")

    assert done.returncode == 2
    assert done.stderr.startswith("error: no cache named: give --cache DIR")


def test_a_folder_without_a_cache(run: Run, tmp_path: Path) -> None:
    for command in ("info", "clear"):
        done = run("cache", command, "--cache", tmp_path / "missing")

        assert done.returncode == 2
        assert "no cache here yet" in done.stderr
    assert not (tmp_path / "missing").exists()


def test_a_cache_that_is_a_file(run: Run, captions: Path) -> None:
    done = run("evaluate", captions, "--cache", captions)

    assert done.returncode == 2
    assert "cannot be made (File exists)" in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="needs signals of POSIX")
@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--cache", "kept"], "what was parsed is kept in kept: the same command"),
        ([], "the next run begins anew (--cache DIR keeps what was parsed)"),
    ],
)
def test_ctrl_c(captions: Path, options: list[str], said: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED, str(captions), *options],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        cwd=captions.parent,
        capture_output=True,
        text=True,
        timeout=60,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )

    assert done.returncode == 130
    assert done.stderr.startswith(f"interrupted; {said}")
    assert done.stderr.count("\n") == 1
    assert done.stdout == ""
