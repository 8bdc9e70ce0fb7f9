"""A pipeline with a cache: the same numbers, and nothing is parsed twice."""

import json
import os
import pickle
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from itertools import product
from pathlib import Path

import pytest
from paths import ROOT

from spicepy import evaluate
from spicepy.captions.reading import read_samples
from spicepy.common.errors import InputError
from spicepy.metrics.soft.metric import SpiceSoft
from spicepy.metrics.spice import Spice
from spicepy.pipeline import Pipeline
from spicepy.pipeline import cache_store as store
from spicepy.pipeline import pipeline as module
from spicepy.pipeline.cache import open_cache
from spicepy.pipeline.cache_store import Store
from spicepy.rules.tuples import pack, unpack

CAPTIONS = ["two dogs run", "A man's hat is red. It is near a stop sign.", "", "🐕"]

Parsed = list[str]


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> Parsed:
    """What was parsed since."""
    read, found = module.read, []

    def noting(captions, **options):
        found.extend(captions)
        return read(captions, **options)

    monkeypatch.setattr(module, "read", noting)
    return found


@pytest.mark.parametrize("grammar", ["spice-1.0", "spicepy-1"])
def test_graphs_are_the_same(tmp_path: Path, parsed: Parsed, grammar: str) -> None:
    graphs = [graph.to_json() for graph in Pipeline(grammar=grammar).parse(CAPTIONS)]
    for _ in range(2):
        pipeline = Pipeline(grammar=grammar, cache=tmp_path)
        assert [graph.to_json() for graph in pipeline.parse(CAPTIONS)] == graphs
    assert pipeline.signature() == Pipeline(grammar=grammar).signature()

    parsed.clear()
    assert Pipeline(grammar=grammar, cache=tmp_path).parse(CAPTIONS)
    assert parsed == []


def test_traces_are_the_same(tmp_path: Path, parsed: Parsed) -> None:
    traces = [trace.to_dict() for trace in Pipeline().traces(CAPTIONS)]
    for _ in range(2):
        made = list(Pipeline(cache=tmp_path).traces(CAPTIONS))
        assert [trace.to_dict() for trace in made] == traces

    parsed.clear()
    assert list(Pipeline(cache=tmp_path).traces(CAPTIONS))
    assert parsed == []


@pytest.mark.parametrize("metric", [Spice, SpiceSoft])
def test_scores_are_the_same(
    tmp_path: Path, fixtures: Path, parsed: Parsed, metric: Callable[..., Spice]
) -> None:
    samples = read_samples(fixtures / "scenes.json")[:60]
    plain = evaluate(samples, [metric()])
    for run in range(2):
        parsed.clear()
        found = evaluate(samples, [metric(cache=tmp_path)])
        assert found.to_dict(tuples=True) == plain.to_dict(tuples=True)
        assert bool(parsed) == (run == 0)
    rows = [e.measured[0].statistics.rows.tobytes() for e in (found, plain)]
    assert rows[0] == rows[1]


def test_only_what_is_new_is_parsed(tmp_path: Path, parsed: Parsed) -> None:
    Pipeline(cache=tmp_path).propose(["two dogs run", "a cat"])
    parsed.clear()
    Pipeline(cache=tmp_path).propose(["two dogs run", "a hat"])

    assert parsed == ["a hat"]


def test_the_environment_names_a_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SPICEPY_CACHE", str(tmp_path / "named"))

    assert Pipeline().cache is open_cache(tmp_path / "named")
    assert Pipeline(cache="").cache is None


@pytest.mark.parametrize(
    ("name", "value"), [("code_digest", "0"), ("fingerprint", "0")]
)
def test_other_code_or_models_are_other_namespaces(
    tmp_path: Path, parsed: Parsed, monkeypatch: pytest.MonkeyPatch, name: str, value
) -> None:
    Pipeline(cache=tmp_path).propose(["two dogs run"])
    parsed.clear()
    monkeypatch.setattr(module, name, lambda *_: value)
    Pipeline(cache=tmp_path).propose(["two dogs run"])

    assert parsed == ["two dogs run"]


def test_grammars_have_namespaces_of_their_own(tmp_path: Path, parsed: Parsed) -> None:
    for grammar in ("spice-1.0", "spicepy-1"):
        Pipeline(grammar=grammar, cache=tmp_path).propose(["two dogs run"])

    assert parsed == ["two dogs run"] * 2


def test_a_pickled_pipeline_has_its_cache(tmp_path: Path) -> None:
    data = pickle.dumps(Pipeline(cache=tmp_path / "cache"))
    assert pickle.loads(data).cache is open_cache(tmp_path / "cache")

    (tmp_path / "cache").rmdir()
    (tmp_path / "cache").touch()  # as where it cannot be made
    store._STORES.clear()
    assert pickle.loads(data).cache is None


WRONG = (
    "dog\x1f\x1erule\x1e1",  # not ended
    "nothing of the kind",
    "dog\x1f\x1erule\x1eone\x1d",  # no number
    "a\x1fb\x1fc\x1fd\x1f\x1erule\x1e1\x1d",  # four members
    "dog\x1f\x1erule\x1e1\x1e\x1d",  # a part of what may follow
)


@pytest.mark.parametrize("written", WRONG)
def test_a_damaged_result_with_a_right_check_sum_is_made_anew(
    tmp_path: Path, parsed: Parsed, written: str
) -> None:
    pipeline = Pipeline(cache=tmp_path)
    pipeline.namespace("tuples").put(["two dogs run"], iter([written]))

    found = pipeline.parse(["two dogs run"])
    assert found[0].to_json() == Pipeline().parse(["two dogs run"])[0].to_json()
    assert parsed == ["two dogs run"] * 2


@pytest.mark.parametrize("heads", ["2 3 0 1", "0", "2 0 x", "2 1 0", "3 0 9", "-1 0 2"])
def test_a_damaged_tree_with_a_right_check_sum_is_made_anew(
    tmp_path: Path, parsed: Parsed, heads: str
) -> None:
    pipeline = Pipeline(cache=tmp_path)
    parts = ["CD NNS VBP", heads, "nummod nsubj root", "two dog run"]
    written = "\x1e".join("".join(f"{w}\x1f" for w in p.split(" ")) for p in parts)
    pipeline.namespace("trees").put(["two dogs run"], iter([written]))

    assert pipeline.trees(["two dogs run"]) == Pipeline().trees(["two dogs run"])
    assert parsed == ["two dogs run"] * 2


def test_what_is_packed_has_the_form_of_what_is_packed(fixtures: Path) -> None:
    samples = read_samples(fixtures / "scenes.json")
    captions = [s.candidate for s in samples]
    for grammar in ("spice-1.0", "spicepy-1"):
        pipeline = Pipeline(grammar=grammar, cache="")
        found = pipeline.propose(map(pipeline.text, captions))
        assert all(unpack(pack(own)) == own for own in found.values())


def test_what_a_namespace_is_about_has_a_check_sum(tmp_path: Path) -> None:
    Pipeline(cache=tmp_path).propose(["two dogs run"])
    store = open_cache(tmp_path)
    assert store is not None
    before = store.namespaces()
    for damage in ("x'7b22'", "'[]'", "7", "x'ff'", "substr(about, 2)"):
        with closing(sqlite3.connect(store.path)) as connection:
            connection.execute(f"UPDATE namespaces SET about = {damage}")
            connection.commit()
        assert list(store.namespaces().values()) == [(None, 1)]
    Pipeline(cache=tmp_path).propose(["a cat"])
    [(about, _)] = before.values()
    assert list(store.namespaces().values()) == [(about, 2)]


def test_jobs_are_at_least_one() -> None:
    with pytest.raises(InputError, match="jobs is 0"):
        Pipeline(jobs=0)


def _kept(store: Store) -> int:
    """Return the number of results in a store."""
    return sum(count for _, count in store.namespaces().values())


@pytest.mark.slow
def test_a_killed_run_goes_on(tmp_path: Path, parsed: Parsed) -> None:
    things = [f"thing{n}" for n in range(47)]
    texts = [f"a {one} is near the {other}" for one, other in product(things, things)]
    images = [
        {"image_id": n, "test": texts[n], "refs": texts[n + 1 : n + 5]}
        for n in range(0, len(texts), 5)
    ]
    file, cache = tmp_path / "samples.json", tmp_path / "cache"
    file.write_text(json.dumps(images))
    command = [sys.executable, "-m", "spicepy", "evaluate", file, "--cache", cache]
    store = open_cache(cache)
    assert store is not None

    with subprocess.Popen(
        list(map(str, command)),
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.DEVNULL,
    ) as run:
        end = time.monotonic() + 60
        while not _kept(store):
            assert time.monotonic() < end
            time.sleep(0.01)
        run.send_signal(signal.SIGKILL)
    kept = _kept(store)
    found = evaluate(read_samples(file), [Spice(cache=cache)])

    assert kept % 1024 == 0
    assert len(parsed) == len(texts) - kept
    assert found.to_dict() == evaluate(read_samples(file), [Spice()]).to_dict()
    assert _kept(store) == len(texts)
