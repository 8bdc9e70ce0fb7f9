"""`spicepy parse`: captions in, scene graphs out."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from spicepy.cli import _console as console
from spicepy.cli._bundles import Graphs, unbundled
from spicepy.common.errors import InputError
from spicepy.common.writing import write_text

if TYPE_CHECKING:
    from spicepy.graph.scene import SceneGraph


class Form(StrEnum):
    """How a graph is printed."""

    tuples = "tuples"
    json = "json"
    node_link = "node-link"
    dot = "dot"


@unbundled
def parse_command(
    captions: Annotated[
        list[str] | None, typer.Argument(metavar="[CAPTION]...", help="Captions.")
    ] = None,
    file: Annotated[
        str | None,
        typer.Option("--file", "-f", help="One caption a line; - is standard input."),
    ] = None,
    format: Annotated[Form, typer.Option(help="How to print a graph.")] = Form.tuples,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write there instead.")
    ] = None,
    *,
    graphs: Graphs,
) -> None:
    """Parse captions into scene graphs, one line a caption.

    tuples: (dog) (dog, two) (dog, run); json: one object a line, merged words
    kept apart; node-link: networkx's JSON; dot: Graphviz.

    Examples:

        spicepy parse "two dogs run on the beach"

        spicepy parse --file captions.txt --format json --output graphs.jsonl

        spicepy parse "a man is riding a horse" --format dot | dot -Tsvg > graph.svg
    """
    from spicepy.api import parse

    console.check_files(output, (), file, *graphs.files())
    texts = _texts(captions, file)
    with console.progress_bar():
        parsed = parse(texts, **graphs.pipeline())
    lines = "".join(_line(graph, format) for graph in parsed)
    if output is None:
        typer.echo(lines, nl=False)
    else:
        write_text(output, lines)


def _texts(captions: list[str] | None, file: str | None) -> list[str]:
    from spicepy.common.files import read_text

    if bool(captions) == bool(file):
        raise InputError("give either captions or --file")
    if captions:
        return captions
    return read_text(str(file)).removesuffix("\n").split("\n")


def _line(graph: "SceneGraph", form: Form) -> str:
    import json

    if form is Form.json:
        return graph.to_json() + "\n"
    if form is Form.node_link:
        return json.dumps(graph.to_node_link(), ensure_ascii=False) + "\n"
    return f"{graph.to_dot() if form is Form.dot else graph}\n"
