"""The command line: each command is one file.

Only the command that is called is loaded, and commands import the library inside
their functions, so that `--help` is quick.
"""

import inspect
import sys
import warnings
from collections.abc import Callable
from importlib import import_module
from typing import Final

import typer

from spicepy.cli._console import out, warn
from spicepy.cli._exit import exit_codes, prepare_output
from spicepy.cli._options import SpicepyCommand
from spicepy.common import __version__

PANELS: Final = {
    "Score": ("evaluate", "compare", "check", "chair", "count", "pope", "verify"),
    "Analyse": ("diagnose", "diff", "report", "plot"),
    "Study": ("loocv", "correlate", "pairs", "stability"),
    "Inspect": ("parse", "explain", "questions", "tokenize"),
    "Manage": ("frequencies", "grammar", "model", "cache"),
}
"""Modules of this folder by purpose; each has the function `NAME_command`."""
GROUPS: Final = ("grammar", "model", "cache")
"""The groups of commands; their modules have an `app`."""


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
        module, panel = import_module(f"spicepy.cli.{name}"), panels[name]
        if name in GROUPS:
            for each in module.app.registered_commands:
                each.help, each.cls = _paragraphs(each.callback), SpicepyCommand
            app.add_typer(module.app, name=name, rich_help_panel=panel)
        else:
            function = getattr(module, f"{name}_command")
            text = _paragraphs(function)
            app.command(name, cls=SpicepyCommand, help=text, rich_help_panel=panel)(
                function
            )
    return app


def _paragraphs(function: Callable[..., object] | None) -> str:
    """Return a docstring, one line per paragraph, so that help fits every terminal."""
    paragraphs = (inspect.getdoc(function) or "").split("\n\n")
    return "\n\n".join(
        text if text.startswith(" ") else text.replace("\n", " ") for text in paragraphs
    )


def _root(
    context: typer.Context,
    version: bool = typer.Option(False, "--version", help="Show the version."),
    verbose: bool = typer.Option(
        False,
        "--verbose",
        help="With --version: also print what a bug report needs.",
    ),
) -> None:
    """Score image captions: SPICE, BLEU, ROUGE, METEOR 1.5, CIDEr."""
    if version:
        typer.echo(f"spicepy {__version__}")
        if verbose:
            from spicepy.cli._exit import about

            for heading, text in about():
                out.print(f"{heading}: {text}", markup=False)
        raise typer.Exit
    if context.invoked_subcommand is None:
        raise typer.BadParameter("--verbose goes with --version")


def _show_warning(message: Warning | str, *_: object, **__: object) -> None:
    warn(str(message))


def main() -> None:
    """Run the `spicepy` command; a user's mistake ends it with exit code 2."""
    warnings.showwarning = _show_warning
    with exit_codes():
        prepare_output()
        command_line(next(iter(sys.argv[1:]), None))()
