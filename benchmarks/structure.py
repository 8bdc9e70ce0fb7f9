"""The files and functions of spicepy that three everyday flows enter, and its size.

In: nothing but the package and `fixtures/`. Out: for each flow the number of files and
of functions that a call enters (what a reader follows; loading of modules does not
count), then files and lines by room. Exit status 0 if the limits hold.

    python -m benchmarks.structure
"""

import contextlib
import inspect
import io
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import spicepy
from benchmarks import ROOT
from benchmarks.figures import figure, run

PACKAGE = Path(spicepy.__file__).parent
SCENES = str(ROOT / "fixtures" / "scenes.json")
LIMITS = {"score": 40, "evaluate": 60, "diagnose": 90}
"""Flow -> the files that it may enter."""
MODULES, LINES = 250, 50_000


def score() -> None:
    """Score one caption."""
    spicepy.score("a red dog", ["a dog"])


def evaluate() -> None:
    """Run `spicepy evaluate` with two metrics."""
    command("evaluate", SCENES, "--metrics", "spice,cider-d")


def diagnose() -> None:
    """Run `spicepy diagnose`."""
    command("diagnose", SCENES)


def command(*arguments: str) -> None:
    """Run a command of the command line in this process; its output is dropped."""
    from spicepy.__main__ import main

    sys.argv = ["spicepy", *arguments]
    with (
        contextlib.redirect_stdout(io.StringIO()),
        contextlib.redirect_stderr(io.StringIO()),
        contextlib.suppress(SystemExit),
    ):
        main()


FLOWS: dict[str, Callable[[], None]] = {
    "score": score,
    "evaluate": evaluate,
    "diagnose": diagnose,
}


def entered(name: str) -> tuple[int, int]:
    """Return the number of files and of functions of spicepy that a flow enters."""
    found: set[CodeType] = set()

    def note(frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        if event != "call" or not is_function(code) or code in found:
            return
        # What a module does while it is imported is not part of the flow.
        if not any(f.f_code.co_name == "<module>" for f in callers(frame)):
            found.add(code)

    sys.setprofile(note)
    try:
        FLOWS[name]()
    finally:
        sys.setprofile(None)
    return len({code.co_filename for code in found}), len(found)


def is_function(code: CodeType) -> bool:
    """Return whether code is a function of spicepy; the body of a class is none."""
    own = code.co_filename.startswith(str(PACKAGE))
    return own and bool(code.co_flags & inspect.CO_OPTIMIZED)


def callers(frame: FrameType) -> Iterator[FrameType]:
    """Yield the frames of spicepy that wait for a frame, innermost first."""
    while frame := frame.f_back:
        if frame.f_code.co_filename.startswith(str(PACKAGE)):
            yield frame


def rooms() -> dict[str, tuple[int, int]]:
    """Return the number of files and of lines of each room of the package."""
    files, lines = Counter[str](), Counter[str]()
    for path in PACKAGE.rglob("*.py"):
        room = path.relative_to(PACKAGE).parts[0]
        files[room] += 1
        lines[room] += len(path.read_text(encoding="utf-8").splitlines())
    return {room: (files[room], lines[room]) for room in sorted(files)}


def main() -> int:
    """Print all figures; return 0 if every limit holds."""
    good = True
    for name in FLOWS:
        # A process of its own, since what is cached is not entered a second time.
        count = f"import benchmarks.structure as s; print(*s.entered({name!r}))"
        done = subprocess.run(
            [sys.executable, "-c", count], check=True, capture_output=True, text=True
        )
        files, functions = map(int, done.stdout.split())
        print(f"{name}: {files} files (limit {LIMITS[name]}), {functions} functions")
        figure(f"{name}.files", files, 0)
        figure(f"{name}.functions", functions, 0)
        good &= files <= LIMITS[name]
    for room, (files, lines) in rooms().items():
        print(f"{room:20} {files:4} files {lines:7,} lines")
    files, lines = (sum(column) for column in zip(*rooms().values()))
    print(f"{'all':20} {files:4} files {lines:7,} lines")
    figure("modules", files, 0)
    figure("lines", lines, 0)
    return int(not (good and files <= MODULES and lines <= LINES))


if __name__ == "__main__":
    sys.exit(run(main, "structure"))
