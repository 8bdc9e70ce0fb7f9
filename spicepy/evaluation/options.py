"""Factories of metrics, which read the options that a user has set.

In: `MetricOptions`. Out: metrics. A metric's module is imported when the metric is
made, so that importing spicepy loads neither parser nor WordNet.
"""

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from spicepy.captions.sample import Sentences, is_sequence
from spicepy.common.errors import InputError, SpicepyWarning, brief, unknown
from spicepy.common.resources import GRAMMAR
from spicepy.metrics.base import Metric

if TYPE_CHECKING:
    from spicepy.metrics.ngrams.cider import Cider
    from spicepy.rules.values import Grammar

CORPUS_OPTIONS: Final = ("frequencies",)
"""The options of metrics that weigh n-grams by document frequencies."""


@dataclass(frozen=True, slots=True)
class MetricOptions:
    """Options of metrics that are made by name; each takes those that it needs.

    Parser and grammar options also apply to spice-soft.

    Attributes:
        model: SPICE: an installed spaCy model in place of the bundled parser.
        grammar: SPICE: the name or folder of a grammar, or a `Grammar`.
        synonyms: SPICE: "bundled", "nltk" or "none".
        sentences: SPICE: "join" or "split"; the default of the grammar if None.
        categories: SPICE: further categories, a shipped file's name or a TOML file.
        jobs: SPICE: the number of processes that parse and match.
        cache: SPICE: a folder that keeps parses.
        vectors: spice-soft: a file of word vectors in place of the bundled table.
        paraphrases: METEOR: the paraphrase table; if None, `find_paraphrases` finds it.
        frequencies: CIDEr: a file of document frequencies; those of the scored
            corpus if None.
        instances: CHAIR and counting: annotation files in COCO's format.
        variant: CHAIR: "clean", "pattern" or "nltk"; see `annotations.readers`.
        vocabulary: CHAIR and counting: the classes of the annotations and their words;
            see `annotations.vocabulary`.
        answers: faithful: a file of answers of a vision model.
    """

    model: str | None = None
    grammar: "str | Grammar" = GRAMMAR
    synonyms: str = "bundled"
    sentences: Sentences | None = None
    categories: str | Path | None = None
    jobs: int = 1
    cache: str | Path | None = None
    vectors: str | Path | None = None
    paraphrases: str | Path | None = None
    frequencies: str | Path | None = None
    instances: tuple[str | Path, ...] = ()
    variant: str = "clean"
    vocabulary: str | Path | None = None
    answers: str | Path | None = None


_FILES: Final = (
    *("vectors", "paraphrases", "frequencies", "categories", "vocabulary", "answers"),
)


def options_of(caller: str, given: Mapping[str, Any]) -> MetricOptions:
    """Return the options that a function was called with, by name.

    Args:
        caller: The name of the function, for messages.
        given: Fields of `MetricOptions`; `instances` may be one path or a list.

    Raises:
        InputError: There is no option of such a name, or a file is not a path.
    """
    known = [field.name for field in fields(MetricOptions)]
    for name, value in given.items():
        if name not in known:
            raise unknown(f"{caller} option", name, known)
        if name in _FILES and not isinstance(value, str | Path | None):
            raise InputError(f"{name} is {brief(value)}; it must be a name or a path")
    instances = given.get("instances") or ()
    files = [instances] if isinstance(instances, str | Path) else instances
    if not is_sequence(files) or not all(
        isinstance(file, str | Path) for file in files
    ):
        raise InputError(
            f"instances is {brief(instances)}; it must be a path or a list of paths"
        )
    return MetricOptions(**{**given, "instances": tuple(files)})


@dataclass(frozen=True, slots=True)
class Entry:
    """A registered metric: how it is made, and a line of help.

    `standard` metrics are the meaning of "all". `takes` has the fields of
    `MetricOptions` that the metric reads; `note` is a warning for users who name it;
    `within` is a metric that includes its scores.
    """

    make: Callable[[MetricOptions], Metric]
    help: str
    standard: bool = False
    takes: tuple[str, ...] = ()
    note: str = ""
    within: str = ""


def made(module: str, name: str, **fixed: Any) -> Callable[[MetricOptions], Metric]:
    """Return a factory for a metric that takes none of the user's options."""

    def make(options: MetricOptions) -> Metric:
        home = import_module(f"spicepy.metrics.{module}")
        metric: Metric = getattr(home, name)(**fixed)
        return metric

    return make


def spice(options: MetricOptions) -> Metric:
    """Return SPICE."""
    from spicepy.metrics.spice import Spice
    from spicepy.rules.categories import read_categories

    further = options.categories
    categories = read_categories(further) if further is not None else ()
    return Spice(synonyms=options.synonyms, categories=categories, **_pipeline(options))


def spice_soft(options: MetricOptions) -> Metric:
    """Return SPICE by meaning."""
    from spicepy.metrics.soft.metric import SpiceSoft

    return SpiceSoft(vectors=options.vectors, **_pipeline(options))


def _pipeline(options: MetricOptions) -> dict[str, Any]:
    """Return the options of the pipeline that all metrics of scene graphs share."""
    names = ("grammar", "model", "sentences", "jobs", "cache")
    return {name: getattr(options, name) for name in names}


def meteor(options: MetricOptions) -> Metric:
    """Return METEOR with the user's paraphrase table, or the one that is found.

    Without a table it is METEOR without paraphrases, and a warning says so.
    """
    from spicepy.metrics.meteor.metric import Meteor

    given = options.paraphrases
    metric = Meteor(Path(given)) if given else Meteor()
    if metric.paraphrases is None:
        warnings.warn(_WITHOUT_PARAPHRASES, SpicepyWarning, stacklevel=2)
    return metric


_WITHOUT_PARAPHRASES = (
    "METEOR's paraphrase table is not installed, so its scores are about 0.008 lower "
    "and are called meteor-no-paraphrase: pip install 'spicepy-captions[meteor]' "
    "brings the table, or SPICEPY_PARAPHRASES names paraphrase-en.gz"
)


def cider_maker(**fixed: Any) -> Callable[[MetricOptions], Metric]:
    """Return a factory for a CIDEr with the user's document frequencies."""
    return lambda options: _make_cider(options, **fixed)


def _make_cider(options: MetricOptions, **fixed: Any) -> "Cider":
    from spicepy.metrics.ngrams.cider import Cider
    from spicepy.metrics.ngrams.frequencies import DocumentFrequencies

    path = options.frequencies
    stemming = fixed.get("stemming", not fixed["damped"])
    used = DocumentFrequencies.load(path, stemming=stemming) if path else None
    return Cider(frequencies=used, **fixed)


def spider(options: MetricOptions) -> Metric:
    """Return the mean of CIDEr-D and SPICE."""
    from spicepy.metrics.spider import Spider

    return Spider(spice(options), _make_cider(options, damped=True))


def chair(options: MetricOptions) -> Metric:
    """Return CHAIR against the user's annotations."""
    from spicepy.objects.chair import Chair
    from spicepy.objects.readers import load_reader

    _check_annotated("chair", options)
    reader = load_reader(
        options.variant, options.vocabulary, jobs=options.jobs, cache=options.cache
    )
    return Chair(options.instances, reader)


def counting(options: MetricOptions) -> Metric:
    """Return the score of numbers against the user's annotations."""
    from spicepy.objects.counting import Counting
    from spicepy.objects.mentions import load_parsed_reader

    _check_annotated("counting", options)
    reader = load_parsed_reader(
        options.vocabulary, jobs=options.jobs, cache=options.cache
    )
    return Counting(options.instances, reader)


def faithful(options: MetricOptions) -> Metric:
    """Return the share of statements that a vision model confirms."""
    from spicepy.metrics.faithful import Faithful

    if options.answers is None:
        raise InputError(
            "faithful compares captions with a vision model's answers: give their file "
            "with --answers FILE (answers=... in Python)"
        )
    return Faithful(options.answers)


def _check_annotated(name: str, options: MetricOptions) -> None:
    if not options.instances:
        raise InputError(
            f"{name} compares captions with annotated objects: give their files with "
            "--instances FILE (instances=[...] in Python)"
        )


def smoothed_bleu(smoothing: int) -> Entry:
    """Return the entry of BLEU of single sentences, averaged."""
    make = made("ngrams.bleu", "Bleu", smoothing=smoothing)
    return Entry(make, f"mean sentence BLEU, smoothing {smoothing}")


_ROUGES: Final = {
    "1": "ROUGE-1: n-grams",
    "2": "ROUGE-2: n-grams",
    "3": "ROUGE-3: n-grams",
    "4": "ROUGE-4: n-grams",
    "l": "ROUGE-L, Lin (2004)",
    "w": "ROUGE-W, weight 1.2",
    "s": "ROUGE-S, skip distance 4",
    "su": "ROUGE-SU, skip distance 4",
}
_REFERENCES: Final = {
    "max": "best reference",
    "average": "mean over references",
    "jackknife": "jackknife over references",
}


def rouge(kind: str, references: str = "max") -> Entry:
    """Return the entry of a ROUGE of Lin (2004)."""
    make = made("ngrams.rouge", "Rouge", kind=kind, references=references)
    return Entry(make, f"{_ROUGES[kind]}, {_REFERENCES[references]}")


def cider(change: str, *, within: str = "", **fixed: Any) -> Entry:
    """Return the entry of a CIDEr with other options than the published ones."""
    make = cider_maker(damped=False, **fixed)
    return Entry(make, f"CIDEr, {change}", takes=CORPUS_OPTIONS, within=within)


def cider_d(change: str, **fixed: Any) -> Entry:
    """Return the entry of a CIDEr-D with other options than coco-caption's."""
    make = cider_maker(damped=True, **fixed)
    return Entry(make, f"CIDEr-D, {change}", takes=CORPUS_OPTIONS)
