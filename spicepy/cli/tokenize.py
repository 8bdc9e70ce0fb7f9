"""`spicepy tokenize`: captions to Penn Treebank tokens, as coco-caption does."""

from pathlib import Path
from typing import Annotated

import typer

from spicepy.cli._console import check_files, write_out
from spicepy.common.writing import write_text


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
