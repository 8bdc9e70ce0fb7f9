"""`spicepy correlate`, `pairs` and `loocv`: metrics against human judgments."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from spicepy.cli import _console as console
from spicepy.cli import _options as options
from spicepy.cli._options import OWN, ScoringOptions
from spicepy.cli._results import StudyOutput, check_outputs, named_files, report
from spicepy.common.errors import InputError, brief, counted
from spicepy.common.settings import SEED, Equal, Raters, Ties, check_settings
from spicepy.common.writing import check_distinct, write_text

if TYPE_CHECKING:
    from spicepy.study.leave_one_out import Loocv, LoocvOptions, Loocvs
    from spicepy.study.scoring import Bound


def correlate_command(
    judgments: Annotated[
        str,
        typer.Argument(help="Rated captions, JSON lines, JSON or CSV; - for stdin."),
    ],
    human: Annotated[
        list[str] | None,
        "Column with human scores. May be repeated.",
        {"show_default": "human"},
    ] = None,
    metrics: options.Metrics = "all",
    raters: Annotated[
        Raters, "Correlate with the mean rating, or with every rating."
    ] = "average",
    equal: Annotated[
        Equal,
        "A reference equal to a candidate: removed for that candidate (own) or for all "
        "of the image (image), or kept (keep).",
    ] = "own",
    system_scores: Annotated[
        str | None,
        "Ratings of whole systems: a file with a system and one or more numbers per "
        "record. The captions then need no human column.",
    ] = None,
    samples: Annotated[
        int, "Bootstrap samples of the intervals; 0 for none.", {"min": 0}
    ] = 1000,
    level: options.Level = 0.95,
    seed: options.Seed = SEED,
    *,
    scoring: ScoringOptions,
    output: StudyOutput = None,
    quiet: options.Quiet = False,
) -> None:
    """Correlate metrics with human ratings of the same captions.

    One rated caption per record:

    {"image_id": 7, "system": "B", "candidate": "a dog runs",
    "references": ["a dog is running", "…"], "human": [3, 4, 4]}

    A human column holds a number or a list of numbers, one per rater; in CSV
    "3;4;4", and every column that begins with "reference" is a reference. With
    "system" given (three or more systems) corpus scores are correlated as well,
    and metrics compared by the Williams test. Several raters: their agreement.

    Examples:

        spicepy correlate judgments.jsonl --human human -o table.tex

        spicepy correlate captions.jsonl --system-scores challenge.csv
    """
    from spicepy.reporting.study_figures import PICTURES
    from spicepy.study import correlation
    from spicepy.study.datasets import read_judgments
    from spicepy.study.systems import read_system_ratings

    inputs = [judgments, system_scores, *scoring.files()]
    paths = check_outputs(output, inputs, PICTURES)
    check_settings(samples or 2, level, seed)  # 0: no intervals
    chosen = scoring.metrics(metrics)
    columns = human or (("human",) if system_scores is None else ())
    given = None if system_scores is None else read_system_ratings(system_scores)
    with console.progress_bar(quiet=quiet):
        result = correlation.correlate(
            read_judgments(judgments, columns),
            metrics=chosen,
            raters=raters,
            equal=equal,
            samples=samples,
            level=level,
            seed=seed,
            system_ratings=given,
        )
    console.warn(*result.warnings)
    report(result, paths, quiet=quiet, forms=PICTURES)


def pairs_command(
    file: Annotated[
        str,
        typer.Argument(
            metavar="PAIRS", help="Pairs or triplet votes, JSON lines, JSON or CSV."
        ),
    ],
    metrics: options.Metrics = "all",
    references: Annotated[
        str, "Numbers of references to try, such as 1,5,10,all."
    ] = "all",
    repeats: Annotated[int, "Samples of references for each number.", {"min": 1}] = 10,
    ties: Annotated[
        Ties, "A tie counts half, as wrong (strict) or as right (equal)."
    ] = "half",
    keep_equal: Annotated[
        bool, "Leave references equal to a candidate in place (removed otherwise)."
    ] = False,
    rankings: Annotated[
        Path | None,
        "Write the captions of each image, ranked by people and by each metric, to "
        "this .csv file.",
    ] = None,
    seed: options.Seed = SEED,
    *,
    scoring: ScoringOptions,
    output: StudyOutput = None,
    quiet: options.Quiet = False,
) -> None:
    """Count how often metrics prefer the caption that people preferred.

    One pair per record ("preferred" may be given as "votes_a" and "votes_b"):

    {"image_id": 7, "candidate_a": "…", "candidate_b": "…", "preferred": "a",
    "category": "HC", "references": ["…", "…"]}

    or one vote on a triplet per record (is B or C closer to A? 1: B, -1: C);
    votes on the same pair are gathered, the majority decides:

    {"pair": 0, "A": "…", "B": "…", "C": "…", "rating": 1}

    Votes show how well people agree. With "system_a" and "system_b" given, the
    share of its pairs that each system wins is also compared. With several numbers
    of references: mean and sd over repeated samples, and
    the curve in .html and .svg output.

    Example: spicepy pairs pairs.jsonl --references 1,5,10,20,50 -o curve.svg
    """
    from spicepy.reporting.study_figures import PICTURES
    from spicepy.study import accuracy
    from spicepy.study.preferences import rankings_csv, read_pairs

    inputs = [file, *scoring.files()]
    paths = check_outputs(output, inputs, PICTURES)
    console.check_files(rankings, (".csv",), *inputs)
    check_distinct([*paths, *([rankings] if rankings else [])])
    chosen = scoring.metrics(metrics)
    counts = _counts(references)
    preferences, even = read_pairs(file)
    if even:
        console.warn(
            f"{counted(even, 'pair')} left out: as many votes for one caption as for "
            "the other"
        )
    with console.progress_bar(quiet=quiet):
        result = accuracy.pairs(
            preferences,
            metrics=chosen,
            references=counts,
            repeats=repeats,
            ties=ties,
            remove_equal=not keep_equal,
            seed=seed,
        )
    if rankings is not None:
        write_text(rankings, rankings_csv(result.rankings, result.keys))
        console.wrote(rankings)
    report(result, paths, quiet=quiet, forms=PICTURES)


def _counts(text: str) -> list[int | None]:
    """Return numbers of references: "1,5,all" -> [1, 5, None]."""
    try:
        return [
            None if part.strip() == "all" else int(part) for part in text.split(",")
        ]
    except ValueError:
        raise InputError(
            f"--references is {brief(text)}; "
            "it must be numbers or 'all', such as 1,5,all"
        ) from None


@dataclass(frozen=True, kw_only=True)
class LowerBounds:
    """The captions that replace the one left out."""

    lower: Annotated[
        bool,
        "Also lower bounds: a random caption of another image (of several sets, also "
        "one of the others), and gibberish from the set's words.",
    ] = False
    other: Annotated[
        list[str] | None,
        "Lower bounds from another data set: its captions, and gibberish from its "
        "words. May be repeated.",
    ] = None
    sentences: Annotated[
        list[str] | None,
        "Lower bounds from a text, one sentence per line, or 'brown' (nltk's "
        "corpus): its sentences, and gibberish from its words. May be repeated.",
        {"rich_help_panel": OWN},
    ] = None
    words: Annotated[
        int | None,
        "Words of a gibberish caption.",
        {"min": 1, "max": 1000, "show_default": "set's average"},
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


def loocv_command(
    datasets: Annotated[
        list[str],
        typer.Argument(
            metavar="DATASET",
            help="Captions: COCO annotations, or SPICE JSON / JSON lines / CSV whose "
            "candidate and references are pooled; - is standard input. Several sets "
            "are compared.",
        ),
    ],
    metrics: options.Metrics = METRICS,
    *,
    lower_bounds: LowerBounds,
    references: Annotated[
        int | None,
        typer.Option(
            min=1, help="Sample this many references for each fold.", show_default="all"
        ),
    ] = None,
    images: Annotated[
        int | None,
        "Sample the folds of this many images.",
        {"min": 1, "show_default": "all"},
    ] = None,
    correct_df: Annotated[
        bool, "Take the left-out caption out of CIDEr's document frequencies."
    ] = False,
    correlation: Annotated[
        list[str] | None,
        "Rank correlation between metrics: kendall-b or spearman. May be repeated.",
        {"show_default": "kendall-b"},
    ] = None,
    seed: options.Seed = SEED,
    scoring: ScoringOptions,
    output: StudyOutput = None,
    quiet: options.Quiet = False,
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
    from spicepy.study.leave_one_out import loocv, loocv_sets

    files = named_files(datasets)
    inputs = [*files.values(), *lower_bounds.files(), *scoring.files()]
    paths = check_outputs(output, inputs, PICTURES)
    if correct_df and scoring.frequencies:
        raise InputError(
            "--correct-df takes captions out of the data set's own document "
            "frequencies; leave out --frequencies"
        )
    chosen = scoring.metrics(metrics)
    read = {name: read_dataset(file) for name, file in files.items()}
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
