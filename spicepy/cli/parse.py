"""`spicepy parse`, `explain` and `tokenize`: scene graphs and tokens of captions."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from spicepy.cli import _console as console
from spicepy.cli import _options as options
from spicepy.cli._blocks import (
    AddressOption,
    EngineOption,
    Workers,
    check_block_output,
    in_blocks,
    kept,
)
from spicepy.cli._console import check_files, write_out
from spicepy.cli._options import GraphOptions
from spicepy.common.errors import InputError, brief, counted
from spicepy.common.json_values import plain
from spicepy.common.settings import GraphFormat
from spicepy.common.tables import Table
from spicepy.common.writing import write_text

if TYPE_CHECKING:
    from spicepy.diagnosis import Diagnosis, Finding
    from spicepy.metrics.spice import SpiceScore
    from spicepy.parsing.trees import Parse
    from spicepy.rules.dependency_graphs import DependencyGraph
    from spicepy.rules.tuples import Proposals
    from spicepy.scale.blocks import Captioned

_DRAWINGS: Final = (".svg", ".png", ".pdf")
_FORMS: Final[dict[str, tuple[GraphFormat, ...]]] = {
    **dict.fromkeys(_DRAWINGS, (GraphFormat.svg,)),
    ".json": (
        *(GraphFormat.json, GraphFormat.node_link),
        *(GraphFormat.sng, GraphFormat.visual_genome),
    ),
    ".dot": (GraphFormat.dot,),
    ".txt": tuple(GraphFormat),
    "": tuple(GraphFormat),
}
"""The formats that a file of each extension can have, the usual one first."""
_RECORDS: Final = (".json", ".jsonl", ".ndjson", ".csv", ".tsv", ".parquet")
"""The extensions of files of records; other files have one caption per line."""


def parse_command(
    captions: Annotated[
        list[str] | None, typer.Argument(metavar="CAPTION", help="Captions.")
    ] = None,
    file: Annotated[
        list[str] | None,
        "One caption per line, or JSON lines, CSV, Parquet with a caption in "
        'each record; "data/*.parquet" for many; - is standard input.',
    ] = None,
    format: Annotated[
        GraphFormat | None,
        "How to write a graph.",
        {"show_default": "that of the extension of --output, or tuples"},
    ] = None,
    output: Annotated[
        str | None,
        "Write there instead; .jsonl, .parquet or a folder/ of Parquet files "
        "are written in blocks, for data of any size; .json is a list of graphs, .dot "
        "and .txt have a graph on each line; .svg, .png and .pdf draw the graph of one "
        "caption.",
    ] = None,
    jobs: options.Jobs = 1,
    engine: EngineOption = "local",
    address: AddressOption = None,
    *,
    graphs: GraphOptions,
    quiet: Annotated[bool, "No progress."] = False,
) -> None:
    """Parse captions into scene graphs, one line per caption.

    tuples: (dog) (dog, two) (dog, run); json: one object per line, merged words
    kept apart; node-link: networkx's JSON; dot: Graphviz; svg: a drawing; factual:
    FACTUAL's strings; sng-parser: its dictionaries; visual-genome: an image of
    scene_graphs.json.

    Outputs in blocks have one row per caption with its image_id, if it has one, the
    caption and the graph; a Parquet file has objects and relations in nested columns.
    Memory stays the same whatever the size, and the same command resumes a run that
    was stopped or killed.

    Examples:

        spicepy parse "two dogs run on the beach"

        spicepy parse --file captions.jsonl --output graphs.parquet --jobs 8

        spicepy parse --grammar spicepy-1 -f captions.txt --format factual

        spicepy parse "a man is riding a horse" -o graph.png
    """
    captions = list(map(console.argument, captions or ()))
    if captions == ["-"] or not (captions or file or sys.stdin.isatty()):
        captions, file = [], [*(file or ()), "-"]
    if bool(captions) == bool(file):
        raise InputError("give either captions or --file")
    for caption in captions:
        if caption.endswith((*_RECORDS, ".txt")) and Path(caption).is_file():
            raise InputError(f"{brief(caption)} is a file: give it with --file")
    workers = Workers(engine, address, jobs)
    workers.check(output)
    files = _found(file or [])
    if in_blocks(output):
        form = format or GraphFormat.tuples
        _parse_in_blocks((captions, files), str(output), form, workers, graphs, quiet)
        return
    from spicepy.graph.exchange import graph_line
    from spicepy.pipeline import Pipeline

    path = Path(output) if output else None
    console.check_files(path, (), *files, *graphs.files())
    ending, form = _form_of(path, format)
    items = [item for _, item in _captions(captions, files)()]
    draws = ending in _DRAWINGS
    if draws and len(items) != 1:
        raise InputError(
            f"{path} holds the drawing of one graph, and there are "
            f"{counted(len(items), 'caption')}: give one"
        )
    with console.progress_bar(quiet=quiet):
        chosen = graphs.pipeline()
        chosen["jobs"] = jobs
        parsed = Pipeline(**chosen).parse([item.candidate for item in items])
    if path is not None and draws:
        from spicepy.reporting.plotting import plot_graph

        plot_graph(parsed[0], path)
        return
    ids = (
        number if i.image_id is None else i.image_id for number, i in enumerate(items)
    )
    lines = [graph_line(graph, form, key) for graph, key in zip(parsed, ids)]
    text = ",\n".join(lines) if ending == ".json" else "\n".join(lines)
    text = f"[{text}]\n" if ending == ".json" else f"{text}\n" if lines else ""
    if path is None:
        console.write_out(text)
    else:
        write_text(path, text)


def _form_of(path: Path | None, chosen: GraphFormat | None) -> tuple[str, GraphFormat]:
    """Return the extension of an output and its format; refuse one it cannot hold."""
    name = "" if path is None else path.name.lower().removesuffix(".gz")
    ending = Path(name).suffix
    if ending not in _FORMS:
        raise InputError(
            f"{path}: unsupported file type; use .json, .dot, .txt, .svg, .png, .pdf, "
            ".jsonl, .parquet or a folder/"
        )
    if chosen is not None and chosen not in _FORMS[ending]:
        raise InputError(
            f"{path}: a {ending} file cannot hold --format {chosen}, only "
            f"{', '.join(_FORMS[ending])}; give another name"
        )
    return ending, chosen or _FORMS[ending][0]


def _parse_in_blocks(
    given: tuple[list[str], list[str]],
    output: str,
    form: GraphFormat,
    workers: Workers,
    graphs: GraphOptions,
    quiet: bool,
) -> None:
    from spicepy.pipeline import Pipeline
    from spicepy.scale.jobs import run_job
    from spicepy.scale.parsing import Parsing

    captions, files = given
    path = check_block_output(output, *files, *graphs.files())
    with (
        console.progress_bar(quiet=quiet),
        kept(path),
        workers.corpus(_captions(captions, files)) as corpus,
    ):
        done = run_job(Parsing(Pipeline(**graphs.pipeline()), form), corpus, path)
    if done.unwritten:
        console.warn(
            f"{counted(done.unwritten, 'graph')} cannot be written as {form}; the row "
            "of each says why"
        )
    if not quiet:
        console.wrote(f"{path} ({counted(done.captions, 'caption')})")


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


def tokenize_command(
    file: Annotated[
        str,
        typer.Argument(help="Captions, one per line, UTF-8; - is standard input."),
    ] = "-",
    punctuation: Annotated[bool, "Keep punctuation tokens."] = False,
    output: Annotated[Path | None, "A file instead of standard output."] = None,
) -> None:
    """Tokenize captions, one per line, as the PTB tokenizer of coco-caption does.

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


def explain_command(
    caption: Annotated[str, typer.Argument(help="The caption, or a candidate.")],
    references: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="REFERENCE", help="References: explain the candidate's scores."
        ),
    ] = None,
    vectors: Annotated[
        Path | None, "With references: word vectors instead of the bundled ones."
    ] = None,
    json: options.Json = False,
    *,
    graphs: GraphOptions,
) -> None:
    """Show tokens, dependency edges, the rule behind every tuple, and the graph.

    With references: first what the candidate may say wrong or leave out, each finding
    with the probability that it is right; then its SPICE with the tuples that match,
    those that no reference has and those that the candidate lacks; then which concept
    of the candidate found which partner among theirs, and with what weight, in the
    metric spice-soft. A caption "-" is read from standard input.

    Examples:

        spicepy explain "two dogs are playing with a red ball"

        spicepy explain "a cat chases a brown puppy" "a dog chases a cat"
    """
    from spicepy.pipeline import Pipeline

    caption = _piped() if caption == "-" else console.argument(caption)
    if references:
        references = list(map(console.argument, references))
        _explain_score(caption, references, vectors, json, graphs)
        return
    if vectors is not None:
        raise InputError("--vectors explains a score: also give references")
    trace = Pipeline(**graphs.pipeline()).trace(caption)
    if json:
        console.write_out(console.to_json(trace.to_dict()))
        return
    for word, meant in trace.spelling.items():
        read_as = f"read as {meant!r}" if meant else "unknown, left as it is"
        console.out.print(f"{word!r} is {read_as}")
    for tree, edges in zip(trace.parses, trace.dependencies, strict=True):
        console.show_table(_tokens(tree))
        console.show_table(_edges(edges))
    console.show_table(_proposals((*trace.proposals, *trace.unreal)))
    graph = trace.graph
    console.out.print(f"scene graph: {str(graph) or 'empty'}")
    for mood, tuples in (("denied", graph.denied), ("supposed", graph.supposed)):
        if tuples:
            console.out.print(f"{mood}: {' '.join(map(str, tuples))}")


def _piped() -> str:
    """Return the one caption of standard input."""
    [*items] = _captions([], ["-"])()
    if len(items) != 1:
        raise InputError(
            f"standard input has {counted(len(items), 'caption')}; give one, or use "
            "`spicepy parse`"
        )
    return items[0][1].candidate


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
    from spicepy.metrics.spice import Spice
    from spicepy.tokenization.samples import tokenised_samples

    console.check_files(None, (), vectors)
    diagnosed = _diagnosed(candidate, references)
    metric = SpiceSoft(vectors=vectors, **graphs.pipeline())
    [tokenised] = tokenised_samples([Sample(0, candidate, tuple(references))])
    explanation = explain_sample(metric, tokenised)
    spice: SpiceScore = Spice(metric.pipeline).count([tokenised]).details[0]
    if json:
        values = {
            "findings": plain(diagnosed.findings),
            "spice": spice.to_dict(tuples=True),
            **explanation.to_dict(),
        }
        console.write_out(console.to_json(values))
        return
    for line in _sentences(diagnosed):
        console.out.print(line)
    console.out.print(
        f"SPICE: {spice.f:.3f} (precision {spice.precision:.3f}, recall "
        f"{spice.recall:.3f})"
    )
    for what, tuples in (
        ("matched", spice.matched),
        ("no reference says", spice.spurious),
        ("the candidate lacks", spice.missing),
    ):
        text = " ".join(map(str, tuples)) or "none"
        console.out.print(f"  {what}: {text}")
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
