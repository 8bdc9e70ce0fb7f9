"""The steps of continuous integration, on any system.

    python .ci/steps.py WORK [STEP …]

WORK is a folder for environments and what is built. Without steps all are done, in the
order below. `.ci/run` does them here, `.github/workflows/ci.yml` on other systems.
"""

import hashlib
import os
import subprocess
import sys
import venv
from collections.abc import Callable, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SCENES = str(ROOT / "fixtures" / "scenes.json")
METRICS = "spice,bleu,rouge,meteor,cider-d"
VECTOR_UNITS = """
from numpy._core._multiarray_umath import __cpu_dispatch__, __cpu_features__
print(*(name for name in __cpu_dispatch__ if __cpu_features__[name]))
"""


class Environment:
    """A virtual environment; it is made when it is first asked for."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.programs = folder / ("Scripts" if os.name == "nt" else "bin")
        if not folder.exists():
            venv.create(folder, with_pip=True)

    def run(
        self, *command: str, at: Path = ROOT, more: dict[str, str] | None = None
    ) -> None:
        """Run a Python module or one of the environment's programs."""
        path = os.pathsep.join([str(self.programs), os.environ.get("PATH", "")])
        program = str(self.programs / command[0])
        values = {**os.environ, "PATH": path, **(more or {})}
        subprocess.run([program, *command[1:]], cwd=at, check=True, env=values)

    def install(self, *what: str) -> None:
        """Install packages."""
        self.run("python", "-m", "pip", "install", "-q", *what)

    def asked(self, code: str) -> str:
        """Return what a piece of Python code prints."""
        command = [str(self.programs / "python"), "-c", code]
        return subprocess.run(command, check=True, stdout=-1, text=True).stdout.strip()


def wheel(work: Path) -> None:
    """Run the README's first command: install, and the main job."""
    own = Environment(work / "venv")
    own.install(".")
    own.run("spicepy", "evaluate", SCENES, "--metrics", METRICS, at=work)


def light(work: Path) -> None:
    """Do the main job with four libraries only."""
    own = Environment(work / "light")
    own.install("numpy", "typer", "rich", "threadpoolctl")
    own.install("--no-deps", ".")
    own.run("spicepy", "evaluate", SCENES, "--metrics", METRICS, at=work)


def package(work: Path) -> None:
    """Build what is published, twice: the bytes are the same."""
    own = Environment(work / "venv")
    own.install("build", "twine")
    built = []
    for name in ("dist", "again"):
        own.run("python", "-m", "build", "--outdir", str(work / name), ".")
        files = sorted((work / name).iterdir())
        built.append([hashlib.sha256(file.read_bytes()).digest() for file in files])
    if built[0] != built[1]:
        raise SystemExit("two builds of the same sources differ")
    own.run("twine", "check", "--strict", *map(str, sorted((work / "dist").iterdir())))


def tests(work: Path) -> None:
    """Run the README's second command: the tests."""
    own = Environment(work / "venv")
    own.install("-e", ".[dev]")
    own.run("pytest")


def slow(work: Path) -> None:
    """Run the slow tests: browser, processes, documents."""
    Environment(work / "venv").run("pytest", "-m", "slow")


def units(work: Path) -> None:
    """Compute scores again without the vector units that numpy chooses among."""
    own = Environment(work / "venv")
    # Only those that this processor has: numpy warns of others.
    names = own.asked(VECTOR_UNITS)
    print("without:", names or "nothing, there are none", flush=True)
    places = ["tests/metrics", "tests/parsing/test_parser.py", "tests/parsing/bundled"]
    own.run("pytest", *places, more={"NPY_DISABLE_CPU_FEATURES": names})


def lint(work: Path) -> None:
    """Run the linters and the type checker."""
    own = Environment(work / "venv")
    own.run("ruff", "check", ".")
    own.run("ruff", "format", "--check", ".")
    own.run("mypy")


def documentation(work: Path) -> None:
    """Build the site without a warning, its notebooks run; no page is too wide."""
    own = Environment(work / "venv")
    own.install("-e", ".[docs]")
    site = str(work / "site")
    own.run("sphinx-build", "-q", "-W", "--keep-going", "-n", "docs", site)
    own.run("python", "-m", "docs.widths", site)


def training(work: Path) -> None:
    """Run the training recipe, small."""
    own = Environment(work / "venv")
    own.install("-e", ".[training]")
    own.run("pytest", "-q", "-n", "0", "tests/training/test_word_table.py")
    command = ("-m", "training.parser.train", "--smoke", "--work")
    own.run("python", *command, str(work / "training"))


STEPS: dict[str, Callable[[Path], None]] = {
    step.__name__: step
    for step in (
        wheel,
        light,
        package,
        tests,
        slow,
        units,
        lint,
        documentation,
        training,
    )
}


def main(arguments: Sequence[str]) -> None:
    """Do the steps; the first that fails ends the run."""
    work = Path(arguments[0]).resolve()
    work.mkdir(parents=True, exist_ok=True)
    for name in arguments[1:] or STEPS:
        print(f"== {name}: {(STEPS[name].__doc__ or '').splitlines()[0]}", flush=True)
        STEPS[name](work)


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except subprocess.CalledProcessError as error:
        sys.exit(f"failed with {error.returncode}: {' '.join(map(str, error.cmd))}")
