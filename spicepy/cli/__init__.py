"""The command line, one file a command.

Commands import the library inside their functions, so that `--help` is quick.
"""

import warnings

import typer

from spicepy import __version__
from spicepy.cli import cache as cache_commands
from spicepy.cli import grammar as grammar_commands
from spicepy.cli._console import warn
from spicepy.cli._ending import ending, prepare_output
from spicepy.cli.compare import compare_command
from spicepy.cli.correlate import correlate_command
from spicepy.cli.diagnose import diagnose_command
from spicepy.cli.diff import diff_command
from spicepy.cli.evaluate import evaluate_command
from spicepy.cli.explain import explain_command
from spicepy.cli.frequencies import frequencies_command
from spicepy.cli.loocv import loocv_command
from spicepy.cli.pairs import pairs_command
from spicepy.cli.parse import parse_command
from spicepy.cli.plot import plot_command
from spicepy.cli.report import report_command
from spicepy.cli.stability import stability_command
from spicepy.cli.tokenize import tokenize_command

app = typer.Typer(
    name="spicepy",
    help="Score image captions: SPICE, BLEU, ROUGE, METEOR 1.5, CIDEr.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

app.command("evaluate")(evaluate_command)
app.command("compare")(compare_command)
app.command("diagnose")(diagnose_command)
app.command("diff")(diff_command)
app.command("report")(report_command)
app.command("plot")(plot_command)
app.command("parse")(parse_command)
app.command("explain")(explain_command)
app.command("tokenize")(tokenize_command)
app.command("frequencies")(frequencies_command)
app.add_typer(grammar_commands.app, name="grammar")
app.add_typer(cache_commands.app, name="cache")
app.command("loocv")(loocv_command)
app.command("correlate")(correlate_command)
app.command("pairs")(pairs_command)
app.command("stability")(stability_command)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"spicepy {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: bool = typer.Option(
        False, "--version", callback=_version, is_eager=True, help="Show the version."
    ),
) -> None:
    """Score image captions: SPICE, BLEU, ROUGE, METEOR 1.5, CIDEr."""


def _show_warning(message: Warning | str, *_: object, **__: object) -> None:
    warn(str(message))


def main() -> None:
    """Run the `spicepy` command; a user's mistake ends it with exit code 2."""
    warnings.showwarning = _show_warning
    with ending():
        prepare_output()
        app()
