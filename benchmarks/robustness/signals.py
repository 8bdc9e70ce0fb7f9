"""Runs that receive a signal: their ends, their files, and the results of restarts.

In: captions made here. Out: a table, a row a way of running (in memory or in blocks), a
signal and who gets it (the command, one of its workers, or the whole process group, as
from `timeout` and batch systems), at random moments. A trial passes if

- the command has ended within 3 s and nothing that it started is left running,
- its exit code is 128 + the signal (2 where only a worker was told to end; 0 where it
  was complete first, or where a worker was told of Ctrl-C, which is not its business;
  where a worker that had no part left was told to end, the run goes on to 0),
- standard error holds no traceback (but of Python that is only beginning to load the
  package: there is no command yet that could answer),
- the output is absent or complete, and nothing lies beside it but the folder from which
  the next run goes on; the same command again gives the bytes of a run without signal.

    python -m benchmarks.robustness.signals [--trials N] [--seed N] [--restarts SHARE]

Exit status 0 if all pass. Linux only.
"""

import argparse
import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path

from benchmarks.figures import figure, run, table

LIMIT = 3.0
"""The maximum seconds from a signal to the end of a command."""
SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
TARGETS = ("command", "worker", "group")
OUTPUTS = {"in memory": "x.json", "in blocks": "x.jsonl"}
IMAGES = 4_000


@dataclass(frozen=True)
class Trial:
    """A trial: the command, the signal and its receiver, and the time in seconds."""

    way: str
    number: signal.Signals
    target: str
    moment: float


@dataclass
class Outcome:
    """The outcome of a trial; `faults` are empty if it passed."""

    code: int | None = None
    seconds: float = 0.0
    faults: list[str] = field(default_factory=list)


def main() -> int:
    """Print all figures; return 0 if every target is met."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trials", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--restarts", type=float, default=0.25, help="share of trials")
    options = parser.parse_args()
    rng = random.Random(options.seed)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        samples = write_samples(folder, IMAGES)
        for way in OUTPUTS:  # so that all that is loaded is in memory
            undisturbed(samples, way, folder / f"first {way}")
        whole = {way: undisturbed(samples, way, folder / way) for way in OUTPUTS}
        found: dict[tuple[str, str, str], list[Outcome]] = {}
        for at, trial in enumerate(trials(options.trials, whole, rng)):
            again = rng.random() < options.restarts
            place = folder / f"trial-{at}"
            outcome = attempt(samples, trial, place, whole[trial.way][1], again=again)
            key = trial.way, trial.number.name, trial.target
            found.setdefault(key, []).append(outcome)
            if outcome.faults:
                print(trial, outcome, flush=True)
    return report(found)


def report(found: dict[tuple[str, str, str], list[Outcome]]) -> int:
    """Print and name the figures."""
    columns = ("run", "signal", "to", "trials", "exit codes", "longest (s)", "failed")
    rows = []
    for key, outcomes in sorted(found.items()):
        codes = Counter(str(outcome.code) for outcome in outcomes)
        listed = ", ".join(f"{code} × {many}" for code, many in sorted(codes.items()))
        longest = round(max(outcome.seconds for outcome in outcomes), 2)
        failed = sum(bool(outcome.faults) for outcome in outcomes)
        rows.append((*key, len(outcomes), listed, longest, failed))
        print(*rows[-1], sep="\t")
    every = [outcome for outcomes in found.values() for outcome in outcomes]
    failed = sum(bool(outcome.faults) for outcome in every)
    longest = max(outcome.seconds for outcome in every)
    print(f"{len(every)} trials, {failed} failed, longest {longest:.2f} s")
    table("outcomes", columns, rows)
    figure("trials", len(every))
    figure("failed", failed)
    figure("longest", longest, 2)
    return int(failed > 0)


def trials(
    many: int, whole: dict[str, tuple[float, dict[str, bytes]]], rng: random.Random
) -> list[Trial]:
    """Return trials of all combinations, at moments spread over a run."""
    kinds = list(product(OUTPUTS, SIGNALS, TARGETS))
    chosen = [kinds[at % len(kinds)] for at in range(many)]
    rng.shuffle(chosen)
    return [Trial(*kind, rng.uniform(0.05, whole[kind[0]][0])) for kind in chosen]


def write_samples(folder: Path, images: int) -> Path:
    """Write images with a candidate and four references, all captions distinct."""
    rng = random.Random(0)
    things = [
        "dog",
        "cat",
        "man",
        "woman",
        "child",
        "horse",
        "car",
        "boat",
        "bird",
        "table",
    ]
    doing = ["stands", "runs", "sits", "waits", "sleeps", "plays"]
    places = ["beach", "street", "field", "kitchen", "river", "hill", "bench", "bus"]
    path = folder / "samples.jsonl"

    def caption(number: int) -> str:
        one, other, place = *rng.sample(things, 2), rng.choice(places)
        return (
            f"{number} red {one}s and a {other} that {rng.choice(doing)} on the {place}"
        )

    with path.open("w") as file:
        for n in range(images):
            texts = [caption(10 * n + k) for k in range(5)]
            record = {"image_id": n, "candidate": texts[0], "references": texts[1:]}
            file.write(json.dumps(record) + "\n")
    return path


def begin(samples: Path, way: str, folder: Path) -> subprocess.Popen[str]:
    """Start the command in a session of its own."""
    folder.mkdir(exist_ok=True)
    output = folder / OUTPUTS[way]
    command = [sys.executable, "-m", "spicepy", "evaluate", str(samples), "-q"]
    return subprocess.Popen(
        [*command, "-o", str(output), "-j", "2"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=answer_signals,
        env={**os.environ, "SPICEPY_CACHE": ""},
    )


def answer_signals() -> None:
    """Undo, in the command, what `nohup` and shells do to their children's signals."""
    for number in SIGNALS:
        signal.signal(number, signal.SIG_DFL)


def undisturbed(
    samples: Path, way: str, folder: Path
) -> tuple[float, dict[str, bytes]]:
    """Return the seconds of a run without signal, and its files."""
    start = time.monotonic()
    process = begin(samples, way, folder)
    messages = process.communicate()[1]
    assert process.returncode == 0, messages
    return time.monotonic() - start, files(folder)


def files(folder: Path) -> dict[str, bytes]:
    """Return the output's files, without those that a later run resumes from."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.relative_to(folder).parts[0].endswith(".part")
    }


def attempt(
    samples: Path, trial: Trial, folder: Path, whole: dict[str, bytes], *, again: bool
) -> Outcome:
    """Run, send the signal, look."""
    process = begin(samples, trial.way, folder)
    time.sleep(trial.moment)
    sent = send(process, trial)
    start = time.monotonic()
    outcome = Outcome()
    try:
        messages = process.communicate(timeout=LIMIT if must_end(trial, sent) else 60)
    except subprocess.TimeoutExpired:
        outcome.faults.append("still running")
        end_session(process.pid)
        messages = process.communicate()
    ended = time.monotonic()
    outcome.code = process.returncode % 256
    if must_end(trial, sent) or outcome.code:
        outcome.seconds = ended - start
    if process.returncode < 0:
        outcome.code = 128 - process.returncode
    while session(process.pid) and time.monotonic() < ended + LIMIT:
        time.sleep(0.05)
    if left := session(process.pid):
        outcome.faults.append(f"left running: {left}")
        end_session(process.pid)
    outcome.faults += wrong_end(trial, outcome)
    if "Traceback" in messages[1] and "_get_module_details" not in messages[1]:
        outcome.faults.append(messages[1])
    there = files(folder)
    if not (there == {} or there.items() <= whole.items()):
        outcome.faults.append(f"half written: {sorted(there)}")
    if again:
        restarted = undisturbed(samples, trial.way, folder)[1]
        if restarted != whole or list(folder.glob("*.part")):
            outcome.faults.append("a restart gives other bytes")
    return outcome


def must_end(trial: Trial, sent: bool) -> bool:
    """Return whether the run must end now; without one worker it may be complete."""
    return sent and trial.target != "worker"


def wrong_end(trial: Trial, outcome: Outcome) -> list[str]:
    """Return faults if the run ended late, or with a code that is not expected."""
    right = {0, 2 if trial.target == "worker" else 128 + trial.number}
    faults = [] if outcome.code in right else [f"exit code {outcome.code}"]
    late = outcome.seconds > LIMIT and "still running" not in outcome.faults
    return [*faults, "ended late"] if late else faults


def send(process: subprocess.Popen[str], trial: Trial) -> bool:
    """Send the signal; False if the run ended before."""
    if trial.target == "group":
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, trial.number)
            return True
    if trial.target == "worker":
        while process.poll() is None:
            if found := workers(process.pid):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(random.choice(found), trial.number)
                    return True
            time.sleep(0.01)
        return False
    process.send_signal(trial.number)
    return True


def workers(pid: int) -> list[int]:
    """Return the working processes of a session, without command and servers."""
    found = session(pid)
    parents = {int(stat(p)[1]) for p in found if stat(p)}
    return [
        p
        for p in found
        if p != pid and p not in parents and "tracker" not in command_of(p)
        and not ("forkserver" in command_of(p) and int(stat(p)[1]) == pid)
    ]  # fmt: skip


def session(pid: int) -> list[int]:
    """Return all processes of a session that are not yet dead."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and (fields := stat(int(entry.name))):
            state, _, _, own, *_ = fields
            if int(own) == pid and state != "Z":
                found.append(int(entry.name))
    return found


def stat(pid: int) -> list[str]:
    """State, parent, group, session … of a process; nothing if it has ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []


def command_of(pid: int) -> str:
    """Return the command line of a process."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_text()
    except OSError:
        return ""


def end_session(pid: int) -> None:
    """Kill the remaining processes of a session that was started here."""
    for each in session(pid):
        with contextlib.suppress(ProcessLookupError):
            os.kill(each, signal.SIGKILL)


if __name__ == "__main__":
    sys.exit(run(main, "signals"))
