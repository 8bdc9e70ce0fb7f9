"""Options that several commands share."""

from typing import Annotated

import typer

Samples = Annotated[
    str | None,
    typer.Argument(metavar="FILE", help="Candidates and references in one file."),
]
Systems = Annotated[
    list[str], typer.Argument(metavar="SYSTEM", help="One captions file each.")
]
Candidates = Annotated[
    str | None, typer.Option(help="Candidates of a COCO pair: image_id, caption.")
]
References = Annotated[
    str | None, typer.Option(help="References of a COCO pair (annotations file).")
]
IdColumn = Annotated[
    str | None,
    typer.Option(help="The column or key of the image ids, if it is not image_id."),
]
CandidateColumn = Annotated[
    str | None,
    typer.Option(help="The column or key of the candidates, if it has another name."),
]
ReferencesColumn = Annotated[
    str | None,
    typer.Option(
        help="The column or key of the references (texts or lists), if it has another "
        "name; several with commas."
    ),
]
Metrics = Annotated[
    str,
    typer.Option(
        "--metrics",
        "-m",
        help="Names, comma-separated: spice, bleu, rouge, meteor, cider-d (the CIDEr "
        "of coco-caption), cider (as first published, stemmed), …; or all.",
    ),
]
Common = Annotated[
    bool,
    typer.Option("--common", help="Score only images that both sides have."),
]
CommonToAll = Annotated[
    bool,
    typer.Option("--common", help="Take only images that all systems have."),
]
Resamples = Annotated[
    int | None,
    typer.Option(
        min=2,
        help="Bootstrap samples and random shuffles.",
        show_default="1000, more for many systems",
    ),
]
Level = Annotated[float, typer.Option(help="Confidence level of the intervals, 0-1.")]
Seed = Annotated[int, typer.Option(min=0, help="Random seed; the result keeps it.")]
Precision = Annotated[
    float,
    typer.Option(
        min=0,
        max=1,
        help="List findings with this probability or more, and wrong statements "
        "only if such a share of them is right, judged by how many findings the "
        "references get; 0 lists all, also kinds that nobody has checked.",
    ),
]
Jobs = Annotated[
    int, typer.Option("--jobs", "-j", min=1, help="Processes for parsing.")
]
Cache = Annotated[
    str | None,
    typer.Option(
        envvar="SPICEPY_CACHE",
        metavar="DIR",
        help="A folder that keeps what is parsed.",
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Quiet = Annotated[
    bool, typer.Option("--quiet", "-q", help="No progress; no table if --output.")
]
