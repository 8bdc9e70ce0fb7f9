"""`spicepy questions`: every statement of captions as a yes / no question."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from spicepy.cli import _console as console
from spicepy.cli import _options as options
from spicepy.common.errors import InputError, counted, unknown
from spicepy.common.writing import write_text

if TYPE_CHECKING:
    from spicepy.asking.formats import Asked

CaptionsFile = Annotated[
    str,
    typer.Argument(
        metavar="CAPTIONS",
        help="Captions or prompts: image_id, caption, as JSON, JSON lines, CSV or "
        "Parquet; or a text file (.txt) with one caption a line.",
    ),
]


def questions_command(
    captions: CaptionsFile,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Write there instead."),
    ] = None,
    references: Annotated[
        str | None,
        typer.Option(
            "--references",
            "-r",
            help="A file with references: ask also what they say and the captions do "
            "not, how many there are of what they count, and about a thing of another "
            "image; for `spicepy diagnose --answers`.",
        ),
    ] = None,
    format: Annotated[
        str,
        typer.Option(
            help="jsonl (our own), dsg (DSG's CSV), tifa (TIFA's JSON) or pope (POPE's "
            "JSON lines)."
        ),
    ] = "jsonl",
    cache: options.Cache = None,
    quiet: options.Quiet = False,
) -> None:
    """Put what captions say as yes / no questions about the picture.

    Things and parts, numbers, attributes, relations, what is written and what is
    denied, each once: "Are there two dogs?", "Is the man wearing a hat?". A question
    has the ids of its parents, its category, its tuple, the piece of the caption that
    it comes from and the expected answer. Nothing is downloaded, and the same captions
    give the same questions.

    Examples:

        spicepy questions captions.json -o questions.jsonl

        spicepy questions prompts.txt --format dsg -o questions.csv

        spicepy questions results.json -r captions_val.json -o questions.jsonl
    """
    from spicepy.asking.formats import FORMATS, written

    if format not in FORMATS:
        raise unknown("format", format, FORMATS)
    console.check_files(output, (), captions, references)
    with console.progress_bar(quiet=quiet):
        if references is None:
            asked = list(asked_of(captions, cache))
        else:
            asked = asked_beside(captions, references, cache)
        number = sum(len(each.questions) for each in asked)
        if output is not None:
            write_text(output, written(asked, format))
    if output is None:
        typer.echo("".join(written(asked, format)), nl=False)
    elif not quiet:
        console.wrote(
            f"{output} ({counted(number, 'question')} about "
            f"{counted(len(asked), 'caption')})"
        )


def read_image_captions(path: str) -> "Sequence[tuple[int | str, str]]":
    """Return the captions of a file with their image ids; lines are numbered from 1."""
    from spicepy.captions.reading import kind_of, read_candidates
    from spicepy.captions.streams import text_lines

    if kind_of(path) == ".txt":
        lines = [(number, line) for number, line in enumerate(text_lines(path), 1)]
        if not any(line.strip() for _, line in lines):
            raise InputError(f"{path}: no captions in the file")
        return lines
    return list(read_candidates(path).items())


def asked_of(path: str, cache: str | None = None) -> "Iterator[Asked]":
    """Yield the captions of a file with their questions."""
    from spicepy.asking.formats import Asked
    from spicepy.asking.questioning import GRAMMAR, Questioner
    from spicepy.common.progress import advance
    from spicepy.pipeline import Pipeline

    read = read_image_captions(path)
    questioner = Questioner(Pipeline(grammar=GRAMMAR, cache=cache))
    asked = questioner.ask(caption for _, caption in read)
    for number, ((image_id, caption), own) in enumerate(zip(read, asked), 1):
        advance("asking", number, len(read))
        yield Asked(image_id, caption, own)


def asked_beside(path: str, references: str, cache: str | None = None) -> "list[Asked]":
    """Return the questions about each image, those of the references included."""
    from spicepy.asking.formats import Asked
    from spicepy.asking.questioning import GRAMMAR, Questioner
    from spicepy.asking.scenes import ask_scenes
    from spicepy.captions.reading import read_pair
    from spicepy.pipeline import Pipeline

    samples = read_pair(path, references)
    questioner = Questioner(Pipeline(grammar=GRAMMAR, cache=cache))
    scenes = ask_scenes(samples, questioner)
    return [
        Asked(sample.image_id, sample.candidate, scene.all)
        for sample, scene in zip(samples, scenes)
    ]
