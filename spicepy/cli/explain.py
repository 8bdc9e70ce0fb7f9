"""`spicepy explain`: how one caption becomes a scene graph, stage by stage."""

from typing import TYPE_CHECKING, Annotated

import typer

from spicepy.cli import _console as console
from spicepy.cli._bundles import Graphs, unbundled
from spicepy.common.tables import Cell, Table

if TYPE_CHECKING:
    from spicepy.dependencies.graphs import DependencyGraph
    from spicepy.extraction.tuples import Proposals
    from spicepy.parsing.trees import Parse


@unbundled
def explain_command(
    caption: Annotated[str, typer.Argument(help="The caption.")],
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    *,
    graphs: Graphs,
) -> None:
    """Show tokens, dependency edges, the rule behind every tuple, and the graph.

    Example: spicepy explain "two dogs are playing with a red ball"
    """
    from spicepy.pipeline import Pipeline

    trace = Pipeline(**graphs.pipeline()).trace(caption)
    if json:
        typer.echo(console.to_json(trace.to_dict()), nl=False)
        return
    for tree, edges in zip(trace.parses, trace.dependencies, strict=True):
        console.show_table(_tokens(tree))
        console.show_table(_edges(edges))
    console.show_table(_proposals(trace.proposals))
    console.out.print(f"scene graph: {trace.graph}", markup=False)


def _tokens(parse: "Parse") -> Table:
    rows: list[tuple[Cell, ...]] = [
        (str(i), *token)
        for i, token in enumerate(
            zip(
                *(parse.words, parse.tags, parse.lemmas),
                *(map(str, parse.heads), parse.labels),
            ),
            1,
        )
    ]
    columns = ("", "token", "tag", "lemma", "head", "label")
    return Table("Tokens and the parser's tree", columns, tuple(rows))


def _edges(graph: "DependencyGraph") -> Table:
    def name(node: int) -> str:
        return f"{graph.words[node - 1]}-{node}" if node else "ROOT"

    rows = tuple((name(g), label, name(d)) for label, g, d in graph.edges)
    return Table("Edges the rules see", ("head", "label", "dependent"), rows)


def _proposals(proposals: "Proposals") -> Table:
    rows = tuple((str(p), p.rule) for p in proposals)
    return Table("Tuples and their rules", ("tuple", "rule"), rows)
