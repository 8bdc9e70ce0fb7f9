"""`spicepy parse` and `tokenize`: scene graphs and tokens of captions."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from spicepy.cli import _console as console
from spicepy.cli import _options as options
from spicepy.cli._blocks import (
    AddressOption,
    Engine,
    EngineOption,
    Workers,
    check_block_output,
    in_blocks,
    kept,
)
from spicepy.cli._console import check_files, write_out
from spicepy.cli._options import GraphOptions, with_option_groups
from spicepy.common.errors import InputError, brief, counted
from spicepy.common.settings import GraphFormat
from spicepy.common.writing import write_text

if TYPE_CHECKING:
    from spicepy.scale.blocks import Captioned

_RECORDS: Final = (".json", ".jsonl", ".ndjson", ".csv", ".tsv", ".parquet")
"""The extensions of files of records; other files have one caption per line."""

CaptionsArgument = Annotated[
    list[str] | None, typer.Argument(metavar="CAPTION", help="Captions.")
]
FileOption = Annotated[
    list[str] | None,
    typer.Option(
        "--file",
        "-f",
        help="One caption a line, or JSON lines, CSV, Parquet with a caption in "
        'each record; "data/*.parquet" for many; - is standard input.',
    ),
]
OutputOption = Annotated[
    str | None,
    typer.Option(
        "--output",
        "-o",
        help="Write there instead; .jsonl, .parquet or a folder/ of Parquet files "
        "are written in blocks, for data of any size.",
    ),
]


@with_option_groups
def parse_command(
    captions: CaptionsArgument = None,
    file: FileOption = None,
    format: Annotated[
        GraphFormat, typer.Option(help="How to write a graph.")
    ] = GraphFormat.tuples,
    output: OutputOption = None,
    jobs: options.Jobs = 1,
    engine: EngineOption = Engine.local,
    address: AddressOption = None,
    *,
    graphs: GraphOptions,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress.")] = False,
) -> None:
    """Parse captions into scene graphs, one line per caption.

    tuples: (dog) (dog, two) (dog, run); json: one object per line, merged words
    kept apart; node-link: networkx's JSON; dot: Graphviz; factual: FACTUAL's
    strings; sng-parser: its dictionaries; visual-genome: an image of
    scene_graphs.json.

    Outputs in blocks have one row per caption with its image_id, if it has one, the
    caption and the graph; a Parquet file has objects and relations in nested columns.
    Memory stays the same whatever the size, and the same command resumes a run that
    was stopped or killed.

    Examples:

        spicepy parse "two dogs run on the beach"

        spicepy parse --file captions.jsonl --output graphs.parquet --jobs 8

        spicepy parse --grammar spicepy-1 -f captions.txt --format factual

        spicepy parse "a man is riding a horse" --format dot | dot -Tsvg > graph.svg
    """
    if not captions and not file and not sys.stdin.isatty():
        file = ["-"]
    if bool(captions) == bool(file):
        raise InputError("give either captions or --file")
    for caption in captions or ():
        if caption.endswith(_RECORDS) and Path(caption).is_file():
            raise InputError(f"{brief(caption)} is a file: give it with --file")
    workers = Workers(engine, address, jobs)
    workers.check(output)
    files = _found(file or [])
    if in_blocks(output):
        given = captions or [], files
        _parse_in_blocks(given, str(output), format, workers, graphs, quiet)
        return
    from spicepy.graph.exchange import graph_line
    from spicepy.pipeline import Pipeline

    path = Path(output) if output else None
    console.check_files(path, (), *files, *graphs.files())
    items = [item for _, item in _captions(captions or [], files)()]
    with console.progress_bar(quiet=quiet):
        chosen = graphs.pipeline()
        chosen["jobs"] = jobs
        parsed = Pipeline(**chosen).parse([item.caption for item in items])
    ids = (
        number if i.image_id is None else i.image_id for number, i in enumerate(items)
    )
    lines = (graph_line(graph, format, key) + "\n" for graph, key in zip(parsed, ids))
    if path is None:
        console.write_out("".join(lines))
    else:
        write_text(path, lines)


def _parse_in_blocks(
    given: tuple[list[str], list[str]],
    output: str,
    form: GraphFormat,
    workers: Workers,
    graphs: GraphOptions,
    quiet: bool,
) -> None:
    from spicepy.pipeline import Pipeline
    from spicepy.scale.blocks import CAPTIONS
    from spicepy.scale.jobs import parse_corpus

    captions, files = given
    path = check_block_output(output, *files, *graphs.files())
    with (
        console.progress_bar(quiet=quiet),
        kept(path),
        workers.corpus(
            CAPTIONS, lambda: _for_ray(files), lambda: _captions(captions, files)
        ) as corpus,
    ):
        done = parse_corpus(corpus, path, Pipeline(**graphs.pipeline()), form)
    if done.unwritten:
        console.warn(
            f"{counted(done.unwritten, 'graph')} cannot be written as {form}; the row "
            "of each says why"
        )
    if not quiet:
        console.wrote(f"{path} ({counted(done.captions, 'caption')})")


def _for_ray(files: list[str]) -> list[str]:
    if not files or "-" in files:
        raise InputError("--engine ray reads files: give --file")
    return files


def _found(patterns: list[str]) -> list[str]:
    """Return the files that patterns such as "data/*.parquet" stand for, in order."""
    from glob import glob

    return [
        file
        for pattern in patterns
        for file in ([pattern] if Path(pattern).exists() else sorted(glob(pattern)))
        or [pattern]
    ]


def _captions(
    captions: list[str], files: list[str]
) -> "Callable[[], Iterator[tuple[str, Captioned]]]":
    """Return captions with their places and the ids of their images, at each call.

    Pipes are read once and kept.
    """
    from spicepy.captions.reading import kind_of
    from spicepy.captions.sample import check_caption
    from spicepy.captions.streams import Source, text_lines
    from spicepy.common.files import check_distinct_inputs, is_read_once, name_of
    from spicepy.scale.blocks import Captioned, read_captions

    def read(file: str) -> "Iterator[tuple[str, Captioned]]":
        if kind_of(file) in _RECORDS:
            return read_captions(Source([file], needed="").records())
        return ((name_of(file), Captioned(line)) for line in text_lines(file))

    pipes = [file for file in files if is_read_once(file)]
    check_distinct_inputs(pipes)
    kept = {file: list(read(file)) for file in pipes}

    def again() -> "Iterator[tuple[str, Captioned]]":
        for number, caption in enumerate(captions, 1):
            where = f"caption {number}"
            yield where, Captioned(check_caption(caption, "caption", where))
        for file in files:
            yield from kept[file] if file in kept else read(file)

    return again


# `spicepy tokenize`: captions to Penn Treebank tokens, as coco-caption does.


def tokenize_command(
    file: Annotated[
        str,
        typer.Argument(
            help="Captions, one a line, UTF-8; .gz is unpacked, - is standard input."
        ),
    ] = "-",
    punctuation: Annotated[
        bool, typer.Option("--punctuation", help="Keep punctuation tokens.")
    ] = False,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="A file instead of standard output."),
    ] = None,
) -> None:
    """Tokenise captions, one a line, as the PTB tokeniser of coco-caption does.

    The whole file is read first and is one document, as in coco-caption: the
    beginning of the next line can decide whether a stop ends a sentence. Lines
    end at line feeds only; line i of the result belongs to line i of the file.
    """
    from spicepy.common.files import read_text
    from spicepy.tokenization.ptb import tokenize

    check_files(output, (), file)
    text = read_text(file)
    lines = tokenize(text.removesuffix("\n").split("\n"), punctuation=punctuation)
    result = "".join(f"{line}\n" for line in lines) if text else ""
    if output is None:
        write_out(result, "utf-8")
    else:
        write_text(output, result)
