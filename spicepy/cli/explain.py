"""`spicepy explain`: how a caption becomes a scene graph; how spice-soft scores it."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from spicepy.cli import _console as console
from spicepy.cli import _options as options
from spicepy.cli._options import GraphOptions, with_option_groups
from spicepy.common.errors import InputError
from spicepy.common.json_values import plain
from spicepy.common.tables import Table

if TYPE_CHECKING:
    from spicepy.diagnosis import Diagnosis, Finding
    from spicepy.parsing.trees import Parse
    from spicepy.rules.dependency_graphs import DependencyGraph
    from spicepy.rules.tuples import Proposals


@with_option_groups
def explain_command(
    caption: Annotated[str, typer.Argument(help="The caption, or a candidate.")],
    references: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="REFERENCE", help="References: explain the candidate's score."
        ),
    ] = None,
    vectors: Annotated[
        Path | None,
        typer.Option(help="With references: word vectors instead of the bundled ones."),
    ] = None,
    json: options.Json = False,
    *,
    graphs: GraphOptions,
) -> None:
    """Show tokens, dependency edges, the rule behind every tuple, and the graph.

    With references: first what the candidate may say wrong or leave out, each finding
    with the probability that it is right; then which concept of the candidate
    found which partner among theirs, and with what weight, in the metric spice-soft.

    Examples:

        spicepy explain "two dogs are playing with a red ball"

        spicepy explain "a cat chases a brown puppy" "a dog chases a cat"
    """
    from spicepy.pipeline import Pipeline

    if references:
        _explain_score(caption, references, vectors, json, graphs)
        return
    if vectors is not None:
        raise InputError("--vectors explains a score: give references, too")
    trace = Pipeline(**graphs.pipeline()).trace(caption)
    if json:
        console.write_out(console.to_json(trace.to_dict()))
        return
    for word, meant in trace.spelling.items():
        read_as = f"read as {meant!r}" if meant else "unknown, left as it is"
        console.out.print(f"{word!r} is {read_as}", markup=False)
    for tree, edges in zip(trace.parses, trace.dependencies, strict=True):
        console.show_table(_tokens(tree))
        console.show_table(_edges(edges))
    console.show_table(_proposals((*trace.proposals, *trace.unreal)))
    graph = trace.graph
    console.out.print(f"scene graph: {graph}", markup=False)
    for mood, tuples in (("denied", graph.denied), ("supposed", graph.supposed)):
        if tuples:
            console.out.print(f"{mood}: {' '.join(map(str, tuples))}", markup=False)


def _explain_score(
    candidate: str,
    references: list[str],
    vectors: Path | None,
    json: bool,
    graphs: GraphOptions,
) -> None:
    from spicepy.captions.sample import Sample
    from spicepy.metrics.soft.explanation import explain_sample
    from spicepy.metrics.soft.metric import SpiceSoft
    from spicepy.tokenization.samples import tokenised_samples

    console.check_files(None, (), vectors)
    diagnosed = _diagnosed(candidate, references)
    metric = SpiceSoft(vectors=vectors, **graphs.pipeline())
    sample = Sample(0, candidate, tuple(references))
    [tokenised] = tokenised_samples([sample])
    explanation = explain_sample(metric, tokenised)
    if json:
        values = {"findings": plain(diagnosed.findings), **explanation.to_dict()}
        console.write_out(console.to_json(values))
        return
    for line in _sentences(diagnosed):
        console.out.print(line, markup=False)
    for table in explanation.tables():
        console.show_table(table)


def _diagnosed(candidate: str, references: list[str]) -> "Diagnosis":
    """Return the errors of a candidate."""
    from spicepy.diagnosis import Analysis, Scene, diagnose

    analysis = Analysis()
    readings = analysis.reader.read([candidate, *references])
    others = tuple(readings[reference] for reference in references)
    return diagnose([Scene(0, readings[candidate], others)], analysis=analysis)


def _sentences(diagnosed: "Diagnosis") -> Iterator[str]:
    """Yield all findings of each question: "says wrong: wrong count: 2 for 1 (.70)"."""
    from spicepy.diagnosis.kinds import QUESTIONS

    ranked = sorted(diagnosed.findings, key=lambda f: -(f.probability or 0))
    for question, kinds in QUESTIONS.items():
        found = [_sentence(f) for f in ranked if f.kind in kinds]
        if found or question != "remarks":
            yield f"{question}: {'; '.join(found) or 'nothing found'}"


def _sentence(finding: "Finding") -> str:
    """Return a finding in words: "wrong count: 2 for 1 (.70)"."""
    from spicepy.diagnosis.results.tables import limit

    said = finding.words or finding.text
    if finding.said is not None:
        said = str(finding.said)
    meant = f" for {finding.expected}" if finding.expected is not None else ""
    likely = finding.probability
    chance = "not measured" if likely is None else limit(likely)
    return f"{finding.kind}: {said}{meant} ({chance})"


def _tokens(parse: "Parse") -> Table:
    rows = [
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
    return Table("Tokens and the parser's tree", columns, rows)


def _edges(graph: "DependencyGraph") -> Table:
    def name(node: int) -> str:
        return f"{graph.words[node - 1]}-{node}" if node else "ROOT"

    rows = tuple((name(g), label, name(d)) for label, g, d in graph.edges)
    return Table("Edges the rules see", ("head", "label", "dependent"), rows)


def _proposals(proposals: "Proposals") -> Table:
    rows = tuple((f"{p} {p.mood}".rstrip(), p.rule) for p in proposals)
    return Table("Tuples and their rules", ("tuple", "rule"), rows)
