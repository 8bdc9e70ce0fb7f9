"""Options that several commands share, and those that take several files."""

from typing import Annotated, Any, Final

import typer
from typer.core import TyperCommand


class SeveralFiles(TyperCommand):
    """A command whose options `--instances` and `--references` may take several files.

    `--instances A B` is read as `--instances A --instances B`, up to the next option;
    but if no captions were left, B is the captions.
    """

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Repeat the options before each of their files, then parse as usual."""
        repeated = self._repeated(args)
        if repeated != args:
            given, _, _ = self.make_parser(ctx).parse_args([*repeated])
            captions = {p.name for p in self.params if p.param_type_name == "argument"}
            if not any(given.get(name) for name in {*captions, "candidates"}):
                repeated = args
        return super().parse_args(ctx, repeated)

    def _repeated(self, args: list[str]) -> list[str]:
        multiple = (p.opts for p in self.params if getattr(p, "multiple", False))
        several = {name for names in multiple for name in names if name in _SEVERAL}
        repeated: list[str] = []
        option = ""
        for arg in args:
            if arg.startswith("-") and arg != "-":
                option = arg if arg in several else ""
                if not option:
                    repeated.append(arg)
            else:
                repeated += [option, arg] if option else [arg]
        return repeated


_SEVERAL: Final = ("--instances", "--references")
ANNOTATED: Final = "Annotated objects in COCO's format (instances_val2014.json)"

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
