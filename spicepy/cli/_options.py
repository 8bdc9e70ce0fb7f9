"""Groups of options: those of the pipeline, and those of scoring.

A command with a parameter such as `scoring: ScoringOptions` gets an option for every
field of that dataclass, and one value, which makes the metrics and lists the files in
its options.
"""

import functools
import inspect
from collections import Counter
from collections.abc import Callable
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass
from itertools import takewhile
from os.path import isdir, isfile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Final, get_args, get_origin

import typer
from typer.core import TyperCommand, TyperOption

from spicepy.captions.records import ColumnNames
from spicepy.cli import _console as console
from spicepy.common.errors import InputError
from spicepy.common.files import check_name, is_read_once, name_of
from spicepy.common.settings import MetricOptions

if TYPE_CHECKING:
    from spicepy.diagnosis.analysis import Analysis
    from spicepy.evaluation.comparison import Layout
    from spicepy.metrics.base import Metric

Command = Callable[..., None]


@dataclass(frozen=True, kw_only=True)
class ScoringOptions(MetricOptions):
    """Options of scoring by any metric."""

    shown: ClassVar[tuple[str, ...] | None] = None
    """The options that the commands have; None for all."""

    metric_from: Annotated[
        list[str] | None,
        "A metric of your own in addition to --metrics: a function of samples that "
        "returns a score for each. Its module is imported. May be repeated.",
        {"metavar": "MODULE:FUNCTION"},
    ] = None

    def kept(self) -> str:
        """Return a sentence on the parses that an interrupted command keeps."""
        if not self.cache:
            return "the next run begins anew (--cache DIR keeps what was parsed)"
        return f"what was parsed is kept in {self.cache}: the same command resumes"

    def files(self) -> list[object]:
        """Return the files that the options name; None where there is none."""
        grammar = Path(self.grammar)
        if isfile(grammar):  # it may belong to a grammar of several files
            grammar = grammar.parent
        return [
            self.grammar,
            *_inside(grammar, "*.toml", "parses.jsonl"),
            *_inside(self.model, "**/*"),
            *_inside(self.cache, "parses*"),
            *(self.categories, self.paraphrases, self.frequencies, self.vectors),
            *(self.vocabulary, *self.instances, self.answers),
        ]

    def metrics(self, names: str) -> "list[Metric]":
        """Return metrics by comma-separated names, and those from outside.

        Print a warning for options that no metric reads, and for names that are easily
        confused with others.
        """
        from spicepy.evaluation.options import resolve, unused

        for file in filter(None, self.files()):
            if is_read_once(str(file)):
                raise InputError(
                    f"{name_of(str(file))}: is a pipe or a device, but several metrics "
                    "may read what an option names; write it to a file first"
                )
        own = self.outside()
        listed = names.split(",") if names or not own else []
        chosen = resolve(listed, self) if listed else []
        for name in unused(listed, self):
            console.warn(f"--{name} is ignored: none of the metrics ({names}) uses it")
        console.warn(*metric_notes(names))
        return [*chosen, *own]

    def outside(self) -> "list[Metric]":
        """Return the metrics that functions of the user compute."""
        if not self.metric_from:
            return []
        from spicepy.metrics.outside import load_outside

        return list(map(load_outside, self.metric_from))


class GraphOptions(ScoringOptions):
    """Options of the pipeline from captions to scene graphs."""

    shown = ("model", "grammar", "synonyms", "sentences", "cache")

    def pipeline(self) -> dict[str, Any]:
        """Return the options as a `Pipeline` takes them."""
        return {name: getattr(self, name) for name in self.shown}


class SpiceOptions(ScoringOptions):
    """Options of scoring by SPICE."""

    shown = (*GraphOptions.shown, "categories", "jobs")


def _inside(folder: str | Path | None, *patterns: str) -> list[Path]:
    """Return the files of a folder, if there is one."""
    if not folder or not isdir(folder):  # Path.is_dir may raise errors
        return []
    return [file for pattern in patterns for file in Path(folder).glob(pattern)]


@dataclass(kw_only=True)
class AnalysisOptions:
    """Options of the error analysis: the names in its signature."""

    analysis_grammar: Annotated[str, "The grammar that reads captions for errors."] = (
        "spicepy-1"
    )
    analysis_model: Annotated[
        str | None,
        "Its parser.",
        {"show_default": "the one that the grammar is written for"},
    ] = None
    lexicon: Annotated[
        str | None,
        "A TOML file of words that are added to its own, in tables as "
        "grammars/diagnosis.toml has; or its words as a signature names them.",
    ] = None
    weights: Annotated[
        str | None,
        "The weights of evidence, as a signature names them; others are refused.",
    ] = None

    def analysis(self, jobs: int, cache: str | Path | None) -> "Analysis":
        """Return the analysis."""
        from spicepy.diagnosis.analysis import Analysis
        from spicepy.diagnosis.captions.reader import analysis_pipeline
        from spicepy.diagnosis.lexicon.lexicon import load_lexicon

        pipeline = analysis_pipeline(
            jobs, cache, grammar=self.analysis_grammar, model=self.analysis_model
        )
        named = self.lexicon or ""
        own = named if named.endswith(".toml") or isfile(named) else None
        made = Analysis(load_lexicon(own), pipeline=pipeline)
        check_name("lexicon", None if own else self.lexicon, made.lexicon.name)
        check_name("table of weights", self.weights, made.lexicon.weights.name)
        return made


@dataclass(kw_only=True)
class PaperOptions:
    """Options of tables of scores: which, in per cent, digits, turned."""

    columns: Annotated[
        str | None,
        "The scores of the table, in this order: bleu-4,meteor,cider-d,spice.",
        {"metavar": "NAMES"},
    ] = None
    percent: Annotated[bool, "Print scores times 100, as papers do."] = False
    digits: Annotated[
        int | None,
        "Decimals of scores.",
        {"min": 0, "max": 9, "show_default": "3, or 1 with --percent"},
    ] = None

    def layout(self, *, turned: bool | None = None) -> "Layout":
        """Return the layout of a table of scores."""
        from spicepy.evaluation.comparison import Layout

        names = [name.strip() for name in (self.columns or "").split(",")]
        return Layout(tuple(filter(None, names)), self.percent, self.digits, turned)


@dataclass(kw_only=True)
class ReadingOptions:
    """Options of reading captions: names of columns, the split, repeated rows."""

    id_column: Annotated[
        str | None, "The column or key of the image ids, if it is not image_id."
    ] = None
    candidate_id_column: Annotated[
        str | None, "The same in a file of candidates alone."
    ] = None
    reference_id_column: Annotated[
        str | None, "The same in a file of references alone."
    ] = None
    candidate_column: Annotated[
        str | None, "The column or key of the candidates, if it has another name."
    ] = None
    references_column: Annotated[
        str | None,
        "The column or key of the references (texts or lists), if it has another name; "
        "several with commas.",
    ] = None
    split: Annotated[
        str | None, "Take the references of this split (test) of their file."
    ] = None
    drop_repeats: Annotated[bool, "Keep a row once that is repeated identically."] = (
        False
    )

    def naming(self) -> ColumnNames:
        """Return the options as readers take them."""
        return ColumnNames(
            self.id_column,
            self.candidate_column,
            tuple(filter(None, (self.references_column or "").split(","))),
            candidate_id=self.candidate_id_column,
            reference_id=self.reference_id_column,
            split=self.split,
            once=self.drop_repeats,
        )


def metric_notes(names: str) -> list[str]:
    """Return the registry's notes on the metrics named."""
    from spicepy.evaluation.options import notes

    return notes(names.split(","))


def with_option_groups(command: Command) -> Command:
    """Return the command with an option for every field of its groups.

    An option of the command, or of an earlier group, hides a field of its name. An
    option is annotated by its help and, after that, by what else `typer.Option` takes:
    `Annotated[int, "Processes for parsing.", {"min": 1}]`.
    """
    signature = inspect.signature(command, eval_str=True)
    groups: dict[str, Any] = {
        name: parameter.annotation
        for name, parameter in signature.parameters.items()
        if is_dataclass(parameter.annotation)
    }
    taken = set(signature.parameters)
    added: dict[str, list[Field[Any]]] = {}
    for name, group in groups.items():
        shown = getattr(group, "shown", None) or [f.name for f in fields(group)]
        added[name] = [
            f for f in fields(group) if f.name in shown and f.name not in taken
        ]
        taken |= {f.name for f in added[name]}

    @functools.wraps(command)
    def called(**given: Any) -> None:
        for name, group in groups.items():
            values = {f.name: given.pop(f.name) for f in added[name]}
            several = {f.name for f in added[name] if f.default == ()}
            given[name] = group(
                **{k: tuple(v or ()) if k in several else v for k, v in values.items()}
            )
        if any(getattr(given[name], "jobs", 1) > 1 for name in groups):
            # A server process loads the parser while this one imports and reads.
            from spicepy.common.processes import preload, start

            preload("spicepy.pipeline.preload")
            start()
        try:
            command(**given)
        except KeyboardInterrupt as error:
            for name, group in groups.items():
                noted = getattr(error, "__notes__", ())  # A note says what is kept.
                if issubclass(group, ScoringOptions) and not noted:
                    error.add_note(given[name].kept())
            raise

    options: list[inspect.Parameter] = []
    for name, parameter in signature.parameters.items():
        if name in added:
            options += [_option(f.name, f.type, f.default) for f in added[name]]
        else:
            options.append(_option(name, parameter.annotation, parameter.default))
    named = [option.replace(kind=option.KEYWORD_ONLY) for option in options]
    called.__annotations__ = {option.name: option.annotation for option in named}
    called.__signature__ = signature.replace(parameters=named)  # type: ignore[attr-defined]
    return called


_NAMES: Final = {"all_": "--all", "as_json": "--json", "studies": "--study"}
_SHORT: Final = {
    **{"file": "-f", "jobs": "-j", "metrics": "-m", "output": "-o", "quiet": "-q"},
    **{"references": "-r", "yes": "-y"},
}
"""The short names of options, and the long ones that are not those in Python."""
_SHELL: Final[dict[str, tuple[Any, dict[str, Any]]]] = {
    "grammar": (str, {}),
    "cache": (str | None, {"envvar": "SPICEPY_CACHE", "metavar": "DIR"}),
    "jobs": (int, {"min": 1}),
    "categories": (str | None, {}),
    "paraphrases": (Path | None, {}),
    "frequencies": (Path | None, {}),
    "vectors": (Path | None, {}),
    "instances": (list[str] | None, {"metavar": "FILE..."}),
    "vocabulary": (str | None, {"show_default": "coco-80"}),
    "answers": (str | None, {}),
}
"""The types of options on the command line where Python has others, and their look."""


def _option(name: str, annotation: Any, default: Any) -> inspect.Parameter:
    """Return the parameter of a command for an option of it, or of a group."""
    if get_origin(annotation) is Annotated and isinstance(get_args(annotation)[1], str):
        kind, told, *further = get_args(annotation)
        kind, look = _SHELL.get(name, (kind, {}))
        look = further[0] if further else look
        names = [_NAMES.get(name, "--" + name.replace("_", "-"))]  # no --no-…
        names += [_SHORT[name]] if name in _SHORT else []
        annotation = Annotated[kind, typer.Option(*names, help=told, **look)]
        default = None if default == () else default
    return inspect.Parameter(
        name,
        inspect.Parameter.KEYWORD_ONLY,
        annotation=annotation,
        default=inspect.Parameter.empty if default is MISSING else default,
    )


# Options that several commands share, and those that take several files.


OWN: Final = "Options"
"""The panel of a command's own options. An option names it if others of its name, which
mean something else, stand in another panel."""

PANELS: Final = {
    "Input": (
        *("candidates", "references", "common", "file", "graphs", "instances"),
        *("id_column", "candidate_id_column", "reference_id_column"),
        *("candidate_column", "references_column", "split", "drop_repeats"),
        *("human", "system_scores", "studies"),
    ),
    "Metrics": (
        *("metrics", "paraphrases", "frequencies", "vectors", "variant", "vocabulary"),
        *("answers", "metric_from"),
    ),
    "SPICE": ("model", "grammar", "synonyms", "sentences", "categories"),
    "Error analysis": ("analysis_grammar", "analysis_model", "lexicon", "weights"),
    "Statistics": ("samples", "level", "correction", "family", "seed"),
    "Output": (
        *("output", "table", "tuples", "format", "json", "as_json", "quiet"),
        *("columns", "percent", "digits", "transpose"),
    ),
    "Large data": ("jobs", "cache", "engine", "address"),
}
"""The options that commands share, by the panel of their help in which they stand; a
command's own options stand before them."""


def panel_of(name: str | None, named: str | None = None) -> str:
    """Return the panel of an option: the one that it names, or that of its name."""
    shared = (panel for panel, names in PANELS.items() if name in names)
    return named or next(shared, OWN)


def panel_rank(panel: str) -> int:
    """Return the place of a panel in the help, from 0."""
    return [OWN, *PANELS].index(panel)


def _panel(parameter: object) -> str:
    return (
        parameter.rich_help_panel or OWN if isinstance(parameter, TyperOption) else OWN
    )


_PLACES: Final = {n: i for i, n in enumerate(n for ns in PANELS.values() for n in ns)}


class SpicepyCommand(TyperCommand):
    """A command with its options in panels, some of which may take several files.

    `--instances A B` is read as `--instances A --instances B`, up to the next option;
    but if no captions were left, B is the captions. Where the option takes one name,
    several text files are one name with commas (`--references ref0.txt ref1.txt`).
    """

    def __init__(self, *args: Any, **given: Any) -> None:
        super().__init__(*args, **given)
        for parameter in self.params:
            if isinstance(parameter, TyperOption):
                named = parameter.rich_help_panel
                parameter.rich_help_panel = panel_of(parameter.name, named)
        # The help shows panels in the order of their first options; arguments stay in
        # theirs, whatever an option of their name has.
        self.params.sort(
            key=lambda p: (
                panel_rank(_panel(p)),
                _PLACES.get(p.name, 0) if p.param_type_name == "option" else 0,
            )
        )

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Repeat the options before each of their files, then parse as usual."""
        args = self._joined(list(map(_renamed, args)))
        repeated = self._repeated(args)
        if repeated != args:
            given, _, _ = self.make_parser(ctx).parse_args([*repeated])
            captions = {p.name for p in self.params if p.param_type_name == "argument"}
            if not any(given.get(name) for name in {*captions, "candidates"}):
                repeated = args
        self._check_once(ctx, repeated)
        try:
            return super().parse_args(ctx, repeated)
        except typer.BadParameter as error:
            error.message = error.message.removeprefix("Value error, ")
            raise

    def _check_once(self, ctx: Any, args: list[str]) -> None:
        """Refuse an option with one value that is given twice: one would be lost."""
        _, _, order = self.make_parser(ctx).parse_args([*args])
        for option, number in Counter(order).items():
            if number < 2 or not isinstance(option, TyperOption):
                continue
            if not (option.multiple or option.is_flag or option.count):
                raise InputError(
                    f"{option.opts[0]} is given {number} times; give it once (where it "
                    "takes several values, with commas between them)"
                )

    def _joined(self, args: list[str]) -> list[str]:
        """Return the arguments with text files after `--references` as one name."""
        single = [
            name
            for p in self.params
            if "--references" in p.opts and not getattr(p, "multiple", False)
            for name in p.opts
            if name in args
        ]
        if not single:
            return args
        first = args.index(single[0]) + 1
        texts = list(takewhile(lambda a: a.endswith(".txt"), args[first:]))
        one = [",".join(texts)] if texts else []
        return [*args[:first], *one, *args[first + len(texts) :]]

    def _repeated(self, args: list[str]) -> list[str]:
        multiple = (p.opts for p in self.params if getattr(p, "multiple", False))
        several = {
            name for names in multiple if {*names} & {*_SEVERAL} for name in names
        }
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


_EARLIER: Final = {
    "--image-id-key": "--id-column",
    "--caption-key": "--candidate-column",
}
"""Earlier names of options, which still work."""


def _renamed(argument: str) -> str:
    """Return an argument with the name that an option has now."""
    name, equals, value = argument.partition("=")
    return f"{_EARLIER.get(name, name)}{equals}{value}"


_SEVERAL: Final = ("--instances", "--references", "--answers", "--images", "--study")
ANNOTATED: Final = "Annotated objects in COCO's format (instances_val2014.json)"

Systems = Annotated[
    list[str],
    typer.Argument(metavar="SYSTEM", help="One captions file each: FILE or NAME=FILE."),
]
References = Annotated[
    str | None,
    "References of a COCO pair (annotations file); or text files with one caption per "
    "line (ref0.txt ref1.txt).",
]
Metrics = Annotated[
    str,
    "Names, comma-separated: spice, bleu, rouge, meteor, cider-d (the CIDEr "
    "of coco-caption), cider (as first published, stemmed), …; or all.",
]
CommonToAll = Annotated[bool, "Take only images that all systems have."]
Resamples = Annotated[
    int | None,
    "Bootstrap samples and random shuffles.",
    {"min": 2, "show_default": "1000, more for several systems"},
]
Level = Annotated[float, "Confidence level of the intervals, 0-1."]
Seed = Annotated[int, "Random seed; the result keeps it.", {"min": 0}]
Precision = Annotated[
    float,
    "List findings with this probability or more; 0 lists all, also kinds "
    "that nobody has checked.",
    {"min": 0, "max": 1},
]
Jobs = Annotated[int, "Processes for parsing."]
Cache = Annotated[str | None, "A folder that keeps what is parsed."]
Json = Annotated[bool, "Print JSON."]
Quiet = Annotated[bool, "No progress; no table if --output."]
