"""`spicepy loocv`: leave-one-out scores of a data set, with lower bounds."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from spicepy.cli import _console as console
from spicepy.cli import _options as common
from spicepy.cli._options import ScoringOptions, with_option_groups
from spicepy.cli._results import StudyOutput, check_outputs, report, system_names
from spicepy.common.errors import InputError
from spicepy.common.files import check_distinct_inputs
from spicepy.common.settings import SEED

if TYPE_CHECKING:
    from spicepy.study.leave_one_out import Loocv, LoocvOptions
    from spicepy.study.scoring import Bound
    from spicepy.study.several_sets import Loocvs


@dataclass(frozen=True, kw_only=True)
class LowerBounds:
    """The captions that replace the one left out."""

    lower: Annotated[
        bool,
        typer.Option(
            "--lower",
            help="Lower bounds too: a random caption of another image (of several "
            "sets, also one of the others), and gibberish from the set's words.",
        ),
    ] = False
    other: Annotated[
        list[str] | None,
        typer.Option(
            help="Lower bounds from another data set: its captions, and gibberish "
            "from its words. May be repeated."
        ),
    ] = None
    sentences: Annotated[
        list[str] | None,
        typer.Option(
            help="Lower bounds from a text, one sentence a line, or 'brown' (nltk's "
            "corpus): its sentences, and gibberish from its words. May be repeated."
        ),
    ] = None
    words: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=1000,
            help="Words of a gibberish caption.",
            show_default="set's average",
        ),
    ] = None

    def files(self) -> list[str]:
        """Return the files that the options name."""
        return [*(self.other or ()), *(self.sentences or ())]

    def own(self) -> "list[Bound]":
        """Return the bounds that a single set draws from itself, with --lower."""
        from spicepy.study.scoring import gibberish, random_caption

        return [random_caption(), gibberish(self.words)] if self.lower else []

    def given(self) -> "list[Bound]":
        """Return the bounds that other sets and texts give, read from their files."""
        from spicepy.study import scoring
        from spicepy.study.datasets import BROWN, read_dataset, read_sentences

        chosen = []
        for path in self.other or ():
            name, captions = console.label(path), read_dataset(path)
            lines = [caption for listed in captions.values() for caption in listed]
            chosen += [scoring.other_set(name, captions)]
            chosen += [scoring.gibberish(self.words, name, lines)]
        for path in self.sentences or ():
            name = "the Brown corpus" if path == BROWN else console.label(path)
            lines = read_sentences(path)
            chosen += [scoring.sentences(name, lines)]
            chosen += [scoring.gibberish(self.words, name, lines)]
        return chosen


METRICS = (
    "spice,bleu,bleu-smooth-3,rouge,rouge-1,rouge-w-1.2,rouge-su4,cider-raw,cider-d"
)

DatasetsArgument = Annotated[
    list[str],
    typer.Argument(
        metavar="DATASET",
        help="Captions: COCO annotations, or SPICE JSON / JSON lines / CSV "
        "whose candidate and references are pooled; - is standard input. Several "
        "sets are compared.",
    ),
]
ReferencesOption = Annotated[
    int | None,
    typer.Option(
        min=1, help="Sample this many references for each fold.", show_default="all"
    ),
]
ImagesOption = Annotated[
    int | None,
    typer.Option(
        min=1, help="Sample the folds of this many images.", show_default="all"
    ),
]
CorrectDfOption = Annotated[
    bool,
    typer.Option(
        "--correct-df",
        help="Take the left-out caption out of CIDEr's document frequencies.",
    ),
]
CorrelationOption = Annotated[
    list[str] | None,
    typer.Option(
        help="Rank correlation between metrics: kendall-b or spearman. "
        "May be repeated.",
        show_default="kendall-b",
    ),
]


@with_option_groups
def loocv_command(
    datasets: DatasetsArgument,
    metrics: common.Metrics = METRICS,
    *,
    lower_bounds: LowerBounds,
    references: ReferencesOption = None,
    images: ImagesOption = None,
    correct_df: CorrectDfOption = False,
    correlation: CorrelationOption = None,
    seed: common.Seed = SEED,
    scoring: ScoringOptions,
    output: StudyOutput = None,
    quiet: common.Quiet = False,
) -> None:
    """Score every caption of a data set against the other captions of its image.

    The scores are an upper bound of each metric, over captions (micro) and images
    (macro), with their spread. A second table shows how similarly the metrics rank
    captions and images. With --lower, --other and --sentences the left-out caption is
    replaced by one that does not describe the image, which gives a lower bound.
    (Wang & Gaizauskas 2016.)

    Examples:

        spicepy loocv captions_val2014.json --lower --sentences brown
        -o bounds.html -o bounds.json

        spicepy loocv flickr8k.json flickr30k.json coco.json --lower -o sets.html
    """
    from spicepy.reporting.study_figures import PICTURES
    from spicepy.study.datasets import read_dataset
    from spicepy.study.leave_one_out import loocv
    from spicepy.study.several_sets import loocv_sets

    inputs = [*datasets, *lower_bounds.files(), *scoring.files()]
    paths = check_outputs(output, inputs, PICTURES)
    if correct_df and scoring.frequencies:
        raise InputError(
            "--correct-df takes captions out of the data set's own document "
            "frequencies; leave out --frequencies"
        )
    check_distinct_inputs(datasets)
    chosen = scoring.metrics(metrics)
    read = {n: read_dataset(f) for n, f in zip(system_names(datasets), datasets)}
    given = lower_bounds.given()
    options: LoocvOptions = {
        "references": references,
        "images": images,
        "corrected": correct_df,
        "coefficients": correlation or ("kendall-b",),
        "seed": seed,
    }
    result: Loocv | Loocvs
    with console.progress_bar(quiet=quiet):
        if len(read) > 1:
            lower, words = lower_bounds.lower, lower_bounds.words
            result = loocv_sets(
                read, metrics=chosen, lower=lower, words=words, bounds=given, **options
            )
        else:
            [captions], own = read.values(), lower_bounds.own()
            result = loocv(captions, metrics=chosen, bounds=[*own, *given], **options)
    report(result, paths, quiet=quiet, forms=PICTURES)
