"""`spicepy cache`: show, empty and verify the parses that are kept of earlier runs.

The commands name the folder as the others do: `--cache DIR`, or SPICEPY_CACHE.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from spicepy.cli import _console as console
from spicepy.cli import _options as options
from spicepy.common.errors import InputError, counted
from spicepy.common.tables import Table

if TYPE_CHECKING:
    from spicepy.pipeline.cache_store import Store

app = typer.Typer(
    help="Look at the cache of parses, empty it, compare it with new parses.",
    no_args_is_help=True,
)

Folder = Annotated[
    str | None,
    typer.Option(
        "--cache", envvar="SPICEPY_CACHE", metavar="DIR", help="The cache's folder."
    ),
]


@app.command("info")
def info_command(cache: Folder = None, as_json: options.Json = False) -> None:
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
    if as_json:
        console.write_out(console.to_json(values))
        return
    columns = ("kind", "grammar", "model", "version", "rows")
    rows = tuple(
        tuple(namespace.get(name, "") for name in columns) for namespace in namespaces
    )
    console.show_table(Table("Results", columns, rows))
    size, limit = (f"{values[name] / 2**20:,.1f} MiB" for name in ("bytes", "limit"))
    console.out.print(f"{store.path}: {size} of at most {limit}", markup=False)


@app.command("clear")
def clear_command(cache: Folder = None) -> None:
    """Delete all results, and damaged caches that were set aside.

    What spicepy has not made, or is so damaged that this cannot be told, stays.

    Example: spicepy cache clear --cache ~/.cache/spicepy
    """
    console.out.print(f"deleted {counted(_store(cache).clear(), 'result')}")


@app.command("verify")
def verify_command(
    cache: Folder = None,
    sample: Annotated[
        int, typer.Option(min=1, help="Rows to compare, drawn at random.")
    ] = 1_000,
    everything: Annotated[
        bool, typer.Option("--all", help="Compare all rows instead.")
    ] = False,
    seed: options.Seed = 0,
    as_json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Parse rows of the cache again and compare; exit code 1 if any is wrong.

    Example: spicepy cache verify --cache ~/.cache/spicepy --sample 5000
    """
    from spicepy.pipeline.verifying import verify

    store = _store(cache)
    with console.progress_bar(quiet=quiet):
        result = verify(store, None if everything else sample, seed)
    if as_json:
        console.write_out(console.to_json(result.to_dict()))
    else:
        console.out.print(
            f"{counted(result.rows, 'row')}: {result.same:,} as parsed anew, "
            f"{len(result.wrong):,} wrong, {result.damaged:,} damaged, "
            f"{result.others:,} of other versions"
        )
        for text in result.wrong[:20]:
            console.out.print(f"   wrong: {text}", markup=False)
    if result.wrong or result.damaged:
        raise typer.Exit(1)


def _store(folder: str | None) -> "Store":
    """Return the cache in a folder, which must be there already.

    Raises:
        InputError: No folder is named, or it holds no cache.
    """
    from spicepy.pipeline.cache import open_cache
    from spicepy.pipeline.cache_store import NAME

    if not folder:
        raise InputError("no cache named: give --cache DIR or set SPICEPY_CACHE")
    if not (Path(folder).expanduser() / NAME).exists():
        raise InputError(f"{folder}: no cache here yet (no {NAME})")
    store = open_cache(folder)
    assert store is not None  # the folder is named
    return store
