"""Run the commands and the Python examples that a page quotes.

In: the lines of a block. Out: the same lines, each command or example followed by
what it prints now.
"""

import contextlib
import doctest
import io
import os
import re
import shlex
import subprocess
import sys
import traceback
import warnings
from pathlib import Path
from typing import Any

MISTAKE = re.compile(r"^error: |\bG\d{3}\b")
"""The line below a command if the page shows a user's mistake."""


class StaleError(Exception):
    """Something a page quotes cannot be made; the message says where and why."""


def console(lines: list[str]) -> list[str]:
    """Return the commands of a block, each followed by its current output."""
    result, at = [], 0
    while at < len(lines):
        if not lines[at].startswith("$ "):
            at += 1  # old output
            continue
        command = [lines[at]]
        while lines[at].endswith("\\"):
            at += 1
            command.append(lines[at])
        at += 1
        joined = " ".join(line.removesuffix("\\").strip() for line in command)
        mistake = at < len(lines) and MISTAKE.search(lines[at]) is not None
        result += [*command, *printed(joined.removeprefix("$ "), mistake=mistake)]
    return result


def printed(command: str, *, mistake: bool = False) -> list[str]:
    """Return both streams of a command without blanks at the ends of lines.

    Args:
        command: The command; `spicepy …` may have a pipe or `> FILE` after it.
        mistake: Whether the page shows a user's mistake, which ends with 2.
    """
    first, pipe, rest = command.partition(" | ")
    first, _, file = first.partition(" > ")
    words = first.split(maxsplit=1)
    if words[0] == "cd":
        os.chdir(words[1])
        return []
    if words[0] == "spicepy":
        output = run_spicepy(first, mistake=mistake)
        if file:
            Path(file).write_text(output, encoding="utf-8")
            return []
        if pipe:
            output = run_shell(rest, output)
    else:
        output = run_shell(command, "")
    return [line.rstrip() for line in output.rstrip("\n").split("\n") if output]


def run_shell(command: str, text: str) -> str:
    """Run a command in bash, with `text` as its input."""
    done = subprocess.run(
        ["bash", "-c", command],
        input=text,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    if done.returncode:
        raise StaleError(f"`{command}` ends with {done.returncode}:\n{done.stdout}")
    return done.stdout


def run_spicepy(command: str, *, mistake: bool = False) -> str:
    """Run `spicepy …` in this process, which has the parser loaded already."""
    from spicepy.cli import main as spicepy

    output, arguments = io.StringIO(), sys.argv
    sys.argv = shlex.split(command)
    with (
        contextlib.redirect_stdout(output),
        contextlib.redirect_stderr(output),
        warnings.catch_warnings(),
    ):
        warnings.simplefilter("default")
        try:
            spicepy()
        except SystemExit as ended:
            if ended.code not in ((2,) if mistake else (0, None, 1)):
                raise StaleError(
                    f"`{command}` ends with {ended.code}:\n{output.getvalue()}"
                ) from None
        except Exception:
            raise StaleError(f"`{command}`:\n{traceback.format_exc()}") from None
        finally:
            sys.argv = arguments
    return output.getvalue()


def session(text: str, names: dict[str, Any]) -> list[str]:
    """Return the examples of a Python session, each followed by its output."""
    result: list[str] = []
    for part in doctest.DocTestParser().parse(text):
        if isinstance(part, str):
            result += part.strip("\n").split("\n") if part.strip() else []
            continue
        first, *more = part.source.rstrip("\n").split("\n")
        result += [f">>> {first}", *(f"... {line}".rstrip() for line in more)]
        output, _ = run_python(part.source, "single", names)
        result += output.rstrip("\n").split("\n") if output else []
    return result


def run_python(text: str, mode: str, names: dict[str, Any]) -> tuple[str, bool]:
    """Run Python code; return its output and whether it failed."""
    output = io.StringIO()
    with (
        contextlib.redirect_stdout(output),
        warnings.catch_warnings(),
    ):
        warnings.simplefilter("ignore")
        try:
            exec(compile(text, "<page>", mode), names)
        except Exception as error:
            lines = traceback.format_exception_only(error)
            output.write("Traceback (most recent call last):\n  ...\n" + "".join(lines))
            return output.getvalue(), True
    return output.getvalue(), False
