"""`python -m spicepy.compat run PROGRAM …`: run a program with spicepy's modules.

In: a Python file and its arguments. Out: the program runs, and in it and in all
processes that it starts, imports of `pycocoevalcap` and the other packages of `install`
give spicepy's modules; so do imports of copies in other packages
(`nlgeval.pycocoevalcap`).
"""

import argparse
import os
import runpy
import sys
from pathlib import Path

from spicepy.compat.installing import VARIABLE, install, packages_on_path


def main() -> None:
    """Run the program named on the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m spicepy.compat",
        description="Run a program with spicepy's modules in place of pycocoevalcap, "
        "pyciderevalcap and the package evaluation of meshed-memory transformers, "
        "wherever they are, in all processes that it starts.",
    )
    parser.add_argument("command", choices=["run"])
    parser.add_argument("program", type=Path, help="a Python file")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, help="its arguments")
    options = parser.parse_args()
    if not options.program.is_file():
        parser.error(f"{options.program}: no such file")
    folder = str(Path(__file__).parent / "startup")
    others = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = os.pathsep.join([folder, *([others] if others else [])])
    sys.argv = [str(options.program), *options.arguments]
    sys.path[0] = str(options.program.parent)
    names = packages_on_path()
    os.environ[VARIABLE] = " ".join(names)
    install(names, replace=True)
    runpy.run_path(str(options.program), run_name="__main__")


if __name__ == "__main__":
    main()
