"""All public objects in many threads at once: what one thread finds, and no error."""

import gc
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice, product
from pathlib import Path
from typing import Any

import pytest
from paths import ROOT
from threadpoolctl import threadpool_info

from spicepy.common.threads import no_collector
from spicepy.metrics.base import Metric, Statistics
from spicepy.metrics.meteor.metric import Meteor
from spicepy.metrics.ngrams import grams as ngrams
from spicepy.metrics.ngrams.bleu import Bleu
from spicepy.metrics.ngrams.cider import Cider
from spicepy.metrics.ngrams.frequencies import DocumentFrequencies
from spicepy.metrics.ngrams.rouge import Rouge, RougeL
from spicepy.metrics.spice import Spice
from spicepy.parsing.bundled.analyser import Analyser
from spicepy.parsing.bundled.words import ParserThresholds
from spicepy.parsing.parser import DEFAULT, MODELS
from spicepy.tokenization.samples import TokenisedSample

THREADS = 8
CALL = 15


@pytest.fixture(autouse=True)
def _often() -> Iterator[None]:
    """Let threads take turns as often as possible."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(interval)


def in_threads(works: Sequence[Callable[[], Any]]) -> list[Any]:
    """Call each of the functions in a thread of its own, all at once."""
    found: list[Any] = [None] * len(works)
    ready = threading.Barrier(len(works))

    def run(number: int) -> None:
        ready.wait()
        try:
            found[number] = works[number]()
        except BaseException as error:
            found[number] = error

    threads = [threading.Thread(target=run, args=[n]) for n in range(len(works))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return found


def captions(many: int) -> list[str]:
    """Different captions of many words: tables are filled again and again."""
    parts = (
        ["a red dog", "one wooden clock", "half-eaten pizza", "a 2nd zebra"],
        ["runs on", "sits near", "is painted under", "looks at", "jumps over the"],
        ["beach", "old street", "table", "field of grass", "kitchen", "river"],
        ["with kites", "in the sun", "and barks"],
    )
    texts = (" ".join(words) for words in product(*parts))
    return [f"{text} x{n} y{n}" for n, text in islice(enumerate(texts), many)]


def samples(many: int) -> list[TokenisedSample]:
    texts = captions(4 * many)
    return [
        TokenisedSample(n, texts[n], tuple(texts[many + 3 * n : many + 3 * n + 3]))
        for n in range(many)
    ]


def parts(metric: Metric, images: list[TokenisedSample]) -> list[Callable[[], Any]]:
    """All threads count the same images, but each begins with another one."""

    def count(first: int) -> list[list[float]]:
        own = images[first:] + images[:first]
        found = [metric.count([image]).rows[0].tolist() for image in own]
        return found[-first:] + found[:-first] if first else found

    return [partial(count, first) for first in range(THREADS)]


def rows(statistics: Statistics) -> list[list[list[float]]]:
    return [statistics.rows.tolist()] * THREADS


def calls(texts: Sequence[str]) -> list[list[list[str]]]:
    words = [text.split() for text in texts]
    return [words[at : at + CALL] for at in range(0, len(words), CALL)]


@pytest.fixture(scope="module")
def trees() -> list[Any]:
    """What one thread finds."""
    net = Analyser.from_disk(MODELS / DEFAULT / "caption_parser")
    return [net.analyse(call) for call in calls(captions(THREADS * CALL))]


@pytest.mark.slow
@pytest.mark.parametrize("words", [16_000, 100])
def test_trees_are_those_of_one_thread(trees: list[Any], words: int) -> None:
    todo = calls(captions(THREADS * CALL))
    for _ in range(3):
        thresholds = ParserThresholds(cached_words=words)
        net = Analyser.from_disk(MODELS / DEFAULT / "caption_parser", thresholds)

        assert in_threads([partial(net.analyse, call) for call in todo]) == trees
        assert [net.analyse(call) for call in todo] == trees


@pytest.mark.slow
def test_shared_spice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("spicepy.pipeline.pipeline.CACHED", 20)
    images = samples(12)
    expected = Spice().count(images)
    spice = Spice()

    assert in_threads(parts(spice, images)) == rows(expected)


@pytest.mark.slow
def test_shared_meteor() -> None:
    images = samples(40)
    expected = Meteor(None).count(images)
    for _ in range(3):
        meteor = Meteor(None)

        assert in_threads(parts(meteor, images)) == rows(expected)


@pytest.mark.slow
def test_shared_frequencies() -> None:
    images = samples(80)
    half = DocumentFrequencies.of(images[:40])
    expected = Cider(frequencies=half).count(images)
    for _ in range(3):
        cider = Cider(frequencies=DocumentFrequencies.of(images[:40]))

        assert in_threads(parts(cider, images)) == rows(expected)


@pytest.mark.slow
def test_one_table_of_captions() -> None:
    images = samples(80)
    makers = [Bleu, RougeL, Cider, lambda: Rouge("4")] * 2
    expected = [make().count(images).rows.tolist() for make in makers]
    for _ in range(3):
        ngrams._LAST.clear()
        metrics = [make() for make in makers]

        found = in_threads([partial(metric.count, images) for metric in metrics])

        assert [statistics.rows.tolist() for statistics in found] == expected


def blas_threads() -> list[int]:
    return [x["num_threads"] for x in threadpool_info() if x["user_api"] == "blas"]


@pytest.mark.slow
def test_blas_has_its_threads_again() -> None:
    code = (
        "from test_threads import *\n"
        "from spicepy.parsing.bundled.analyser import one_thread\n"
        "before = blas_threads()\n"
        "with one_thread():\n"
        "    with one_thread():\n"
        "        assert set(blas_threads()) == {1}\n"
        "    assert set(blas_threads()) == {1}\n"
        "assert blas_threads() == before\n"
        "def work():\n"
        "    for _ in range(100):\n"
        "        with one_thread():\n"
        "            assert set(blas_threads()) == {1}\n"
        "assert in_threads([work] * THREADS) == [None] * THREADS\n"
        "assert blas_threads() == before, (blas_threads(), before)\n"
        "print(*before)\n"
    )
    here = Path(__file__).parent
    places = [str(here), str(ROOT), str(ROOT / "tests")]
    many = {"OPENBLAS_NUM_THREADS": "2", "OMP_NUM_THREADS": "2"}
    ended = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, **many, "PYTHONPATH": os.pathsep.join(places)},
        capture_output=True,
        text=True,
    )

    assert ended.returncode == 0, ended.stderr


def test_collector_is_on_again() -> None:
    def work() -> None:
        for _ in range(3_000):
            with no_collector():
                assert not gc.isenabled()

    assert in_threads([work] * THREADS) == [None] * THREADS
    assert gc.isenabled()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_forked_child_finds_the_lock_open() -> None:
    code = (
        "import os, threading\n"
        "from spicepy.common.threads import LOCK\n"
        "held, free = threading.Event(), threading.Event()\n"
        "def hold():\n"
        "    with LOCK:\n"
        "        held.set()\n"
        "        free.wait(0.2)\n"
        "threading.Thread(target=hold).start()\n"
        "held.wait()\n"
        "child = os.fork()\n"
        "if not child:\n"
        "    os._exit(0 if LOCK.acquire(timeout=5) else 1)\n"
        "assert os.waitpid(child, 0)[1] == 0\n"
        "assert LOCK.acquire(timeout=5)\n"
    )
    ended = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True
    )

    assert ended.returncode == 0, ended.stderr
