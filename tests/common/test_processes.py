"""Processes that parse: as many as there are processors; none outlives its parent."""

import json
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count, product
from pathlib import Path

import pytest
from paths import ROOT

from benchmarks.robustness import signals
from spicepy.common import processes
from spicepy.common.errors import ResourceError

linux = pytest.mark.skipif(
    not Path("/proc/self/task").is_dir() or processes.processors() < 2,
    reason="needs Linux and two processors",
)

SCRIPT = """
import json, sys
from spicepy import evaluate
from spicepy.metrics.spice import Spice
evaluate(json.load(open(sys.argv[1])), [Spice(jobs=2)])
"""


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with so many captions that two processes parse them."""
    words = [f"dog{n}" for n in range(100)], [f"beach{n}" for n in range(100)]
    texts = [f"a {one} runs on the {other}" for one, other in product(*words)]
    images = [
        {"image_id": n, "test": texts[n], "refs": texts[n + 1 : n + 10]}
        for n in range(0, len(texts), 10)
    ]
    path = tmp_path_factory.mktemp("processes") / "samples.json"
    path.write_text(json.dumps(images))
    return path


@contextmanager
def evaluating(samples: Path) -> Iterator[tuple[subprocess.Popen[str], list[int]]]:
    """Run `spicepy evaluate -j 2`; give the process and its two workers."""
    command = [sys.executable, "-m", "spicepy", "evaluate", str(samples), "-j", "2"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        command,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    ) as parent:
        found: list[int] = []
        try:
            wait_for(lambda: len(workers(parent.pid)) == 2)
            found += workers(parent.pid) + servers(parent.pid)
            yield parent, found
        finally:
            for pid in (parent.pid, *found):
                if is_running(pid):
                    os.kill(pid, signal.SIGKILL)


def workers(parent: int) -> list[int]:
    """The children of the server that workers are forked from."""
    return [pid for server in servers(parent) for pid in children(server)]


def servers(parent: int) -> list[int]:
    return [
        pid
        for pid in children(parent)
        if b"forkserver" in Path(f"/proc/{pid}/cmdline").read_bytes()
    ]


def children(pid: int) -> list[int]:
    try:
        return [*map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split())]
    except OSError:
        return []


def is_running(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def wait_for(what: Callable[[], bool], seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < end, "waited too long"
        time.sleep(0.05)


@linux
@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_workers_end_with_their_parent(samples: Path, number: signal.Signals) -> None:
    with evaluating(samples) as (parent, found):
        parent.send_signal(number)

        wait_for(lambda: not any(map(is_running, found)), seconds=20)


@linux
@pytest.mark.slow
def test_a_killed_worker_is_one_sentence(samples: Path) -> None:
    with evaluating(samples) as (parent, found):
        os.kill(found[0], signal.SIGKILL)
        messages = parent.communicate(timeout=60)[1]

        assert parent.returncode == 2
        assert messages.startswith("error: a process that parses ended unexpectedly")
        assert messages.count("\n") == 1


def test_an_ended_worker_is_a_resource_error() -> None:
    with pytest.raises(ResourceError, match="ended unexpectedly"):
        list(processes.run(os._exit, [1, 1], 2))


def double(number: int) -> int:
    return 2 * number


def fail(number: int) -> object:
    raise LookupError(number, lambda: None)  # which cannot be pickled


def test_a_script_that_ends_its_workers_is_not_called_too_little_memory(
    tmp_path: Path,
) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "import sys, multiprocessing\n"
        "from spicepy.common import processes\n"
        "if hasattr(multiprocessing.current_process(), '_inheriting'): sys.exit(3)\n"
        "print(list(processes.run(abs, [-1, -2], 2)))\n"
    )
    done = subprocess.run(
        [sys.executable, str(script)],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )

    last = done.stderr.splitlines()[-1]
    assert "with exit code" in last
    assert "memory" not in last


@pytest.mark.skipif(os.name == "nt", reason="files of POSIX")
def test_standard_files_may_be_closed(tmp_path: Path) -> None:
    samples, output = tmp_path / "samples.json", tmp_path / "x.jsonl"
    image = {"test": "a dog", "refs": ["two dogs"]}
    samples.write_text(json.dumps([{"image_id": n, **image} for n in range(50)]))
    command = f'exec "$0" -m spicepy evaluate "{samples}" -m bleu -j 2 -o "{output}"'
    for closed in ("<&-", "<&- >&-", "<&- >&- 2>&-"):
        done = subprocess.run(
            ["sh", "-c", f"{command} -q {closed}", sys.executable],
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )

        assert (done.returncode, done.stderr) == (0, "")
        assert output.read_text().count("\n") == 50
        output.unlink()


def test_a_program_from_standard_input_is_not_called_too_little_memory() -> None:
    script = """
from spicepy.common import processes
try:
    print(list(processes.run(abs, [-1, -2], 2)))
except Exception as error:
    print(type(error).__name__, error)
"""
    done = subprocess.run(
        [sys.executable, "-"],
        input=script,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )

    assert done.stdout.startswith("InputError the processes that parse cannot begin")
    assert "it may have come from standard input" in done.stdout
    assert done.stderr == ""


def test_results_come_in_the_order_of_the_parts() -> None:
    assert list(processes.run(double, range(20), 2)) == list(range(0, 40, 2))


def test_parts_without_end_are_read_only_a_little_ahead() -> None:
    parts = count()
    results = processes.run_unordered(double, parts, 2)
    found = {next(results) for _ in range(10)}
    results.close()  # type: ignore[attr-defined]

    assert all(result == 2 * number for number, result in found)
    assert next(parts) <= 15


def test_what_work_raises_is_raised_here() -> None:
    with pytest.raises(RuntimeError, match="LookupError"):
        list(processes.run(fail, [1, 1], 2))


def end_of_file(number: int) -> object:
    raise EOFError(number)


def end_within_a_message(number: int) -> object:
    os.write(worker_pipe(), (1000).to_bytes(4, "big") + b"half")
    os._exit(1)


def worker_pipe() -> int:
    """The worker's end of its pipe: its only socket."""
    numbers = [int(name) for name in os.listdir("/proc/self/fd")]
    return next(n for n in numbers if "socket" in _target(n))


def _target(number: int) -> str:
    try:
        return os.readlink(f"/proc/self/fd/{number}")
    except OSError:
        return ""


def test_an_error_of_the_work_is_not_taken_for_the_end_of_a_worker() -> None:
    with pytest.raises(EOFError):
        list(processes.run(end_of_file, [1, 1], 2))


@linux
def test_a_worker_that_ends_within_a_message_is_a_resource_error() -> None:
    with pytest.raises(ResourceError, match="ended unexpectedly"):
        list(processes.run(end_within_a_message, [1, 1], 2))


def test_many_large_parts_and_results() -> None:
    parts = [bytes(1 << 20)] * 6

    assert list(processes.run(bytes, parts, 2)) == parts


def test_no_worker_is_left_when_nobody_wants_the_other_results() -> None:
    results = processes.run_unordered(time.sleep, [0.01, 60, 60], 2)
    next(results)
    before = set(multiprocessing.active_children())
    results.close()  # type: ignore[attr-defined]

    assert not {p for p in before if p.is_alive()} - idle()


def idle() -> set[object]:
    return {worker.process for worker in processes._IDLE}


@linux
@pytest.mark.slow
def test_signals(tmp_path: Path) -> None:
    samples = signals.write_samples(tmp_path, 3_000)
    whole = {way: signals.undisturbed(samples, way, tmp_path / way) for way in WAYS}
    for number, (way, target) in enumerate(product(WAYS, ("group", "worker"))):
        trial = signals.Trial(way, signal.SIGTERM, target, 0.6 * whole[way][0])
        place = tmp_path / str(number)
        outcome = signals.attempt(samples, trial, place, whole[way][1], again=True)
        assert not outcome.faults, trial


WAYS = ("in memory", "in blocks")


@linux
@pytest.mark.slow
def test_a_script_without_main_guard(samples: Path, tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    ended = subprocess.run(
        [sys.executable, str(script), str(samples)],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=120,
    )

    assert ended.returncode == 1
    last = ended.stderr.splitlines()[-1]
    assert last.startswith("spicepy.InputError: ")
    assert 'if __name__ == "__main__":' in last
    assert "bootstrapping" not in ended.stderr


def test_no_more_processes_than_processors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {3}, raising=False)

    assert processes.processors() == 1
