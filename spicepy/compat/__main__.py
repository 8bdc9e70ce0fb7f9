"""`python -m spicepy.compat run PROGRAM …`: run a program with spicepy's modules.

In the program, a file or `-m` and a module, and in all processes that it starts,
imports of `pycocoevalcap` and the other packages of `install` give spicepy's modules;
so do imports of copies in other packages (`nlgeval.pycocoevalcap`, or by their shape).
"""

import argparse
import os
import runpy
import sys
from importlib.util import find_spec
from pathlib import Path

from spicepy.common.errors import InputError
from spicepy.compat.installing import FOR_PROGRAMS, VARIABLE, install


def main() -> None:
    """Run the program named on the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m spicepy.compat",
        description="Run a program with spicepy's modules in place of pycocoevalcap, "
        "pyciderevalcap, the package evaluation of meshed-memory transformers and "
        "their copies, wherever they are, in all processes that it starts.",
    )
    parser.add_argument("command", choices=["run"])
    parser.add_argument(
        "--also",
        action="append",
        default=[],
        metavar="NAME=PACKAGE",
        help="another name of a copy: lib.capeval=pycocoevalcap; may be repeated",
    )
    parser.add_argument(
        "-m", dest="module", action="store_true", help="PROGRAM is a module's name"
    )
    parser.add_argument("program", metavar="PROGRAM", help="a Python file")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, help="its arguments")
    options = parser.parse_args()
    if not options.module and not Path(options.program).is_file():
        parser.error(f"{options.program}: no such file")
    folder = str(Path(__file__).parent / "startup")
    others = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = os.pathsep.join([folder, *([others] if others else [])])
    sys.argv = [options.program, *options.arguments]
    names = [*FOR_PROGRAMS, *options.also]
    os.environ[VARIABLE] = " ".join(names)
    try:
        install(names, replace=True)
    except InputError as error:
        parser.error(f"--also: {error}")
    if options.module:
        sys.path[0] = os.getcwd()
        if not _runs(options.program):
            parser.error(f"no module named {options.program} that can be run")
        runpy.run_module(options.program, run_name="__main__", alter_sys=True)
    else:
        sys.path[0] = str(Path(options.program).parent)
        runpy.run_path(options.program, run_name="__main__")


def _runs(module: str) -> bool:
    """Return whether there is a module of the name, or a package with a `__main__`."""
    try:
        found = find_spec(module)
        folders = found and found.submodule_search_locations
        return bool(find_spec(f"{module}.__main__") if folders else found)
    except (ImportError, ValueError):  # of a package above it
        return False


if __name__ == "__main__":
    main()
