"""The command line: commands that share options share a file.

Only the command that is called is loaded, and commands import the library inside
their functions, so that `--help` is quick.
"""

import codecs
import inspect
import io
import os
import platform
import signal
import sys
import time
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final, NoReturn

import typer
from rich import markup

from spicepy.cli._console import err, out, warn
from spicepy.cli._options import SpicepyCommand, with_option_groups
from spicepy.common import __version__, errors
from spicepy.common.files import fill_standard_files

# The end of a command: one sentence on stderr and an exit code, never a traceback.

_SIGNALS: Final = ("SIGINT", "SIGTERM", "SIGHUP")
_ONCE: Final = 1.0
"""The seconds during which further signals count as the same one: `timeout` sends its
signal to the command, and then to the whole group."""

_PLAIN = str.maketrans({"–": "-", "—": "-", "…": ".", "±": "~", "‘": "'", "’": "'"})


def prepare_output() -> None:
    """Let standard output take any character in any encoding.

    Where that is not UTF-8, dashes become hyphens and other characters their
    JSON escapes; rich draws tables in ASCII there. Standard files that are closed stay
    closed, and no other file takes their numbers.
    """
    fill_standard_files()
    codecs.register_error("spicepy", _escaped)
    out = sys.stdout
    if isinstance(out, io.TextIOWrapper) and out.errors in (
        "strict",
        "surrogateescape",
    ):
        out.reconfigure(errors="spicepy")


@contextmanager
def exit_codes() -> Iterator[None]:
    """Turn the exception that ends a command into a message and an exit code."""
    try:
        with _signals_unwind():
            try:
                yield
            finally:
                if sys.stdout is not None:  # closed by `>&-`
                    sys.stdout.flush()
    except errors.SpicepyError as error:
        _end(str(error))
    except (KeyboardInterrupt, SystemExit) as error:
        if (interrupt := _interrupt(error)) is None:
            raise
        notes = "".join(f"; {note}" for note in getattr(interrupt, "__notes__", ()))
        err.print(f"interrupted{notes}")
        sys.exit(130)
    except (*errors.MEMORY_ERRORS, OSError) as error:
        _end_for(error)


@contextmanager
def _signals_unwind() -> Iterator[None]:
    """Let signals unwind the stack, so that no file stays half written.

    Signals that are ignored (`nohup`) stay ignored.
    """
    last = -_ONCE

    def unwind(number: int, _: object) -> None:
        nonlocal last
        before, last = last, time.monotonic()
        if last - before < _ONCE:
            return
        if number == signal.SIGINT:
            raise KeyboardInterrupt
        sys.exit(128 + number)

    before = {}
    for name in _SIGNALS:
        number = getattr(signal, name, None)  # Windows has not all of them
        if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
            before[number] = signal.signal(number, unwind)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _interrupt(error: BaseException) -> BaseException | None:
    """Return the Ctrl-C that typer has turned into an exit; None for other exits."""
    found: BaseException | None = error
    while found is not None and not isinstance(found, KeyboardInterrupt):
        found = found.__cause__ or found.__context__
    return found


def _end(message: str) -> NoReturn:
    told = "; ".join(filter(None, (message, _folder_fault())))
    err.print(f"error: {told}", style="red")
    sys.exit(2)


def _folder_fault() -> str:
    """Return a sentence if no file is found from the current folder, otherwise ""."""
    try:
        os.getcwd()
        usable = os.access(os.curdir, os.X_OK)
    except OSError:  # it was deleted
        usable = False
    return "" if usable else "the current folder is gone or cannot be entered"


def _end_for(error: BaseException) -> None:
    """Exit for an error of the system, such as a full disk; raise any other error."""
    if errors.is_out_of_files(error):
        _end_plainly(errors.OUT_OF_FILES)
    if errors.is_out_of_memory(error):
        _end_plainly(errors.OUT_OF_MEMORY)
    if not isinstance(error, OSError):
        raise error
    with suppress(OSError, ValueError):  # what is left in standard output's buffer
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    if isinstance(error, BrokenPipeError):  # the reader has gone (`| head`)
        sys.exit(1)
    reason = errors.reason_of(error)
    if error.filename:
        _end(f"{error.filename}: cannot be used ({reason})")
    _end("" if _folder_fault() else f"standard output: cannot be written ({reason})")


def _end_plainly(message: str) -> NoReturn:
    """Exit without loading any module, which rich would do."""
    sys.stderr.write(f"error: {message}\n")
    sys.exit(2)


def _escaped(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    text = error.object[error.start : error.end].translate(_PLAIN)
    units = text.encode("utf-16-be", "surrogatepass")
    codes = (units[i : i + 2] for i in range(0, len(units), 2))
    plain = (chr(c[1]) if c[0] == 0 and c[1] < 128 else f"\\u{c.hex()}" for c in codes)
    return "".join(plain), error.end


# The facts that a bug report needs: versions, models, grammars, the machine.

LIBRARIES: Final = (
    *("numpy", "spacy", "nltk", "networkx", "typer", "rich", "jinja2"),
    "threadpoolctl",
)
OPTIONAL: Final = (
    *("scipy", "matplotlib", "pyarrow", "ray", "numba"),
    *("torch", "torchmetrics", "pycocoevalcap"),
)


def about() -> Iterator[tuple[str, str]]:
    """Yield the headings and facts."""
    yield "spicepy", f"{__version__} in {Path(__file__).parents[1]}"
    yield "Python", f"{platform.python_version()} ({platform.python_implementation()})"
    yield (
        "system",
        f"{platform.platform()}, {errors.counted(os.cpu_count() or 1, 'processor')}",
    )
    yield "libraries", _versions(LIBRARIES)
    yield "optional libraries", _versions(OPTIONAL)
    yield "linear algebra", _linear_algebra()
    from spicepy.common.resources import folder
    from spicepy.metrics.meteor.paraphrases import find_paraphrases
    from spicepy.parsing.parser import DEFAULT, available_models
    from spicepy.rules.loading import load_grammar

    models = (f"{n} (default)" if n == DEFAULT else n for n in available_models())
    yield "parsers", ", ".join(models)
    names = sorted(path.parent.name for path in folder().glob("*/grammar.toml"))
    grammars = (f"{name}@{load_grammar(name).digest[:8]}" for name in names)
    yield "grammars", ", ".join(grammars)
    yield "METEOR's table", str(find_paraphrases() or "not installed")
    shown = ("SPICEPY_", "OPENBLAS_", "OMP_", "NPY_", "PYTHONHASHSEED")
    values = (f"{k}={v}" for k, v in sorted(os.environ.items()) if k.startswith(shown))
    yield "environment", " ".join(values) or "nothing set"


def _versions(names: Iterable[str]) -> str:
    return ", ".join(f"{name} {_version_of(name)}" for name in names)


def _version_of(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "(not installed)"


def _linear_algebra() -> str:
    import numpy  # noqa: F401 (its library is looked up)
    from threadpoolctl import threadpool_info

    names = ("internal_api", "version", "architecture", "num_threads")
    described = (
        " ".join(str(library[name]) for name in names if library.get(name))
        for library in threadpool_info()
    )
    return "; ".join(described) or "unknown"


PANELS: Final = {
    "Score": ("evaluate", "compare", "check", "chair", "count", "pope", "verify"),
    "Analyze": ("diagnose", "diff", "report", "plot"),
    "Study": ("loocv", "correlate", "pairs", "stability"),
    "Inspect": ("parse", "explain", "questions", "tokenize"),
    "Manage": ("frequencies", "grammar", "model", "cache"),
}
"""Commands by purpose; each is the function `NAME_command` of a module here."""
MODULES: Final = {
    **dict.fromkeys(("chair", "count", "pope"), "objects"),
    **dict.fromkeys(("check", "diff", "stability"), "compare"),
    **dict.fromkeys(("loocv", "correlate", "pairs"), "studies"),
    **dict.fromkeys(("frequencies", "model", "cache"), "manage"),
    "plot": "report",
    "questions": "verify",
    **dict.fromkeys(("explain", "tokenize"), "parse"),
}
"""Command -> its module, where the two have different names."""
GROUPS: Final = ("grammar", "model", "cache")
"""The groups of commands; each is the `NAME_app` of its module."""


def command_line(only: str | None = None) -> typer.Typer:
    """Return all commands, or `only` the one of that name, if there is one.

    Preparing the options of the others takes a fortieth of a short run.
    """
    app = typer.Typer(
        name="spicepy",
        help="Score image captions: SPICE, BLEU, ROUGE, METEOR 1.5, CIDEr.",
        no_args_is_help=True,
        invoke_without_command=True,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_root)
    panels = {name: panel for panel, names in PANELS.items() for name in names}
    for name in (only,) if only in panels else panels:
        module = import_module(f"spicepy.cli.{MODULES.get(name, name)}")
        panel = panels[name]
        if name in GROUPS:
            group = getattr(module, f"{name}_app")
            for each in group.registered_commands:
                assert each.callback is not None
                each.help, each.cls = _paragraphs(each.callback), SpicepyCommand
                each.callback = with_option_groups(each.callback)
            app.add_typer(group, name=name, rich_help_panel=panel)
        else:
            function = getattr(module, f"{name}_command")
            text = _paragraphs(function)
            app.command(name, cls=SpicepyCommand, help=text, rich_help_panel=panel)(
                with_option_groups(function)
            )
    return app


def _paragraphs(function: Callable[..., object] | None) -> str:
    """Return a docstring, one line per paragraph, so that help fits every terminal."""
    paragraphs = markup.escape(inspect.getdoc(function) or "").split("\n\n")
    return "\n\n".join(
        text if text.startswith(" ") else text.replace("\n", " ") for text in paragraphs
    )


def _root(
    context: typer.Context,
    version: bool = typer.Option(False, "--version", help="Show the version."),
    verbose: bool = typer.Option(
        False, "--verbose", help="With --version: also print what a bug report needs."
    ),
) -> None:
    """Score image captions: SPICE, BLEU, ROUGE, METEOR 1.5, CIDEr."""
    if version:
        typer.echo(f"spicepy {__version__}")
        if verbose:
            for heading, text in about():
                out.print(f"{heading}: {text}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        raise typer.BadParameter("--verbose goes with --version")


def _show_warning(message: Warning | str, *_: object, **__: object) -> None:
    # Commands print warnings about captions themselves.
    if not isinstance(message, errors.CaptionWarning):
        warn(str(message))


def main() -> None:
    """Run the `spicepy` command; a user's mistake ends it with exit code 2."""
    warnings.showwarning = _show_warning
    with exit_codes():
        prepare_output()
        command_line(next(iter(sys.argv[1:]), None))()
