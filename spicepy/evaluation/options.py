"""Factories of metrics, which read the options that a user has set.

A metric's module is imported when the metric is made, so that importing spicepy loads
neither parser nor WordNet.
"""

import re
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from spicepy.captions.sample import is_sequence
from spicepy.common import errors
from spicepy.common.settings import MetricOptions, PipelineOptions
from spicepy.metrics.base import Metric

if TYPE_CHECKING:
    from spicepy.metrics.ngrams.cider import Cider

CORPUS_OPTIONS: Final = ("frequencies",)
"""The options of metrics that weigh n-grams by document frequencies."""


_FILES: Final = (
    *("vectors", "paraphrases", "frequencies", "categories", "vocabulary", "answers"),
)
PIPELINE: Final = tuple(field.name for field in fields(PipelineOptions))
"""The options of metrics that read scene graphs."""


def metric_options(caller: errors.Caller, given: Mapping[str, Any]) -> MetricOptions:
    """Return the options that the function `caller` was called with."""
    instances = given.get("instances") or ()
    files = [instances] if isinstance(instances, str | Path) else instances
    if not is_sequence(files) or not all(
        isinstance(file, str | Path) for file in files
    ):
        raise errors.InputError(
            f"instances is {errors.brief(instances)}; it must be a path or a list of "
            "paths"
        )
    options = errors.options_of(
        MetricOptions, caller, {**given, "instances": tuple(files)}
    )
    for name in _FILES:
        kinds = str | Path | None
        errors.check_kind(
            f"{name} is", getattr(options, name), kinds, "it must be a name or a path"
        )
    return options


@dataclass(frozen=True, slots=True)
class Entry:
    """A registered metric: how it is made, and a line of help."""

    # `standard` metrics are the meaning of "all". `takes` has the fields of
    # `MetricOptions` that the metric reads; `note` is a warning for users who name it;
    # `within` is a metric that includes its scores.
    make: Callable[[MetricOptions], Metric]
    help: str
    standard: bool = False
    takes: tuple[str, ...] = ()
    note: str = ""
    within: str = ""


def made(
    module: str, name: str, takes: Sequence[str] = (), **fixed: Any
) -> Callable[[MetricOptions], Metric]:
    """Return a maker of a class of `spicepy.metrics`, from options that it takes."""

    def make(options: MetricOptions) -> Metric:
        home = import_module(f"spicepy.metrics.{module}")
        given = {option: getattr(options, option) for option in takes}
        metric: Metric = getattr(home, name)(**given, **fixed)
        return metric

    return make


def spice(options: MetricOptions) -> Metric:
    """Return SPICE."""
    from spicepy.metrics.spice import Spice
    from spicepy.rules.tuples import read_categories

    further = options.categories
    categories = read_categories(further) if further is not None else ()
    read = {name: getattr(options, name) for name in PIPELINE}
    return Spice(categories=categories, **read)


def meteor(options: MetricOptions) -> Metric:
    """Return METEOR with the user's paraphrase table, or the one that is found."""
    # Without a table it is METEOR without paraphrases, and a warning says so.
    from spicepy.metrics.meteor.metric import Meteor

    given = options.paraphrases
    metric = Meteor(Path(given)) if given else Meteor()
    if metric.paraphrases is None:
        warnings.warn(_WITHOUT_PARAPHRASES, errors.SpicepyWarning, stacklevel=2)
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
    if options.variant == "clean":
        warnings.warn(_CLEAN, errors.SpicepyWarning, stacklevel=2)
    reader = load_reader(
        options.variant, options.vocabulary, jobs=options.jobs, cache=options.cache
    )
    return Chair(options.instances, reader)


_CLEAN = (
    "chair of the variant clean finds objects by spicepy's parser; figures of papers "
    "are those of the variants pattern and nltk (--variant)"
)


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
        raise errors.InputError(
            "faithful compares captions with a vision model's answers: give their file "
            "with --answers FILE (answers=... in Python)"
        )
    return Faithful(options.answers)


def by_meaning(module: str, name: str, help: str) -> Entry:
    """Return the entry of a metric of captions read by spicepy-1 and of vectors."""
    takes = ("model", "jobs", "cache", "vectors")
    return Entry(made(module, name, takes), help, takes=takes)


def _check_annotated(name: str, options: MetricOptions) -> None:
    if not options.instances:
        raise errors.InputError(
            f"{name} compares captions with annotated objects: give their files with "
            "--instances FILE (instances=[...] in Python)"
        )


_ROUGES: Final = {
    **{f"{n}": f"ROUGE-{n}: n-grams" for n in (1, 2, 3, 4)},
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


_SOFT = ("model", "grammar", "sentences", "jobs", "cache", "vectors")
_ROUGE_NAMES = {"l": "l-lin", "w": "w-1.2", "s": "s4", "su": "su4"}
_GEOMETRIC = "the geometric instead of the arithmetic mean over n"
_BEST = "the best reference instead of the mean over references"

METRICS: dict[str, Entry] = {
    "spice": Entry(
        spice,
        "SPICE: scene-graph tuples, with categories",
        standard=True,
        takes=(*PIPELINE, "categories"),
    ),
    "bleu": Entry(
        made("ngrams.bleu", "Bleu"), "BLEU-1 to BLEU-4, as coco-caption", standard=True
    ),
    "rouge": Entry(
        made("ngrams.rouge", "RougeL"), "ROUGE-L, as coco-caption", standard=True
    ),
    "meteor": Entry(
        meteor, "METEOR 1.5 for English", standard=True, takes=("paraphrases",)
    ),
    "cider-d": Entry(
        cider_maker(damped=True),
        "CIDEr-D, as coco-caption's CIDEr",
        standard=True,
        takes=CORPUS_OPTIONS,
    ),
    "cider": Entry(
        cider_maker(damped=False),
        "CIDEr as first published, stemmed",
        standard=True,
        takes=CORPUS_OPTIONS,
        note="cider is CIDEr as first published, over stemmed words; the CIDEr of "
        "coco-caption, which most papers report, is cider-d",
    ),
    "spice-soft": Entry(
        made("soft.metric", "SpiceSoft", _SOFT),
        "scene graphs and words compared by meaning",
        takes=_SOFT,
    ),
    "spider": Entry(
        spider,
        "SPIDEr: the mean of CIDEr-D and SPICE",
        takes=(*PIPELINE, "frequencies"),
    ),
    "chair": Entry(
        chair,
        "CHAIR: hallucinated objects, against annotations",
        takes=("instances", "variant", "vocabulary"),
    ),
    "counting": Entry(
        counting,
        "numbers of objects, against annotations",
        takes=("instances", "vocabulary"),
    ),
    "faithful": Entry(
        faithful, "statements that a vision model confirms", takes=("answers",)
    ),
    "content-recall": by_meaning(
        *("content", "ContentRecall"),
        "nouns and verbs of the references that the candidate says",
    ),
    "capture-like": by_meaning(
        *("content", "CaptureLike"),
        "long captions: objects, attributes and relations, after CAPTURE",
    ),
    "aloha-like": by_meaning(
        *("content", "AlohaLike"),
        "the least supported object of a caption, after ALOHa",
    ),
    "bleu-no-penalty": Entry(
        made("ngrams.bleu", "Bleu", brevity_penalty=False),
        "BLEU without brevity penalty",
    ),
    **{
        f"bleu-smooth-{n}": Entry(
            made("ngrams.bleu", "Bleu", smoothing=n),
            f"mean sentence BLEU, smoothing {n}",
        )
        for n in range(1, 8)
    },
    "rouge-l": Entry(
        made("ngrams.rouge", "RougeL"), "the same as rouge", within="rouge"
    ),
    **{f"rouge-{kind}": rouge(kind) for kind in "1234"},
    "rouge-l-lin": rouge("l"),
    "rouge-l-f1": Entry(
        made("ngrams.rouge", "Rouge", kind="l", beta=1.0),
        "ROUGE-L with beta 1, as rouge_score's rougeL, best reference",
    ),
    "rouge-w-1.2": rouge("w"),
    "rouge-s4": rouge("s"),
    "rouge-su4": rouge("su"),
    **{
        f"rouge-{_ROUGE_NAMES.get(kind, kind)}-{how}": rouge(kind, how)
        for how in ("average", "jackknife")
        for kind in _ROUGES
    },
    "cider-d-n": cider_d("a score for each n from 1 to 4", orders="separate"),
    "cider-d-exp": cider_d(_GEOMETRIC, orders="exp"),
    "cider-d-max": cider_d(_BEST, references="max"),
    "cider-d-no-idf": cider_d("all n-grams weighted alike", idf=False),
    "cider-d-raw": cider_d("without the factor 10", scale=1.0),
    "cider-n": cider("a score for each n from 1 to 4", orders="separate"),
    "cider-exp": cider(_GEOMETRIC, orders="exp"),
    "cider-max": cider(_BEST, references="max"),
    "cider-no-idf": cider("all n-grams weighted alike", idf=False),
    "cider-raw": cider("without the factor 10", scale=1.0),
    "cider-1": cider("of 1-grams alone", orders=1, within="cider-n"),
    "cider-2": cider("of 2-grams alone", orders=2, within="cider-n"),
    "cider-3": cider("of 3-grams alone", orders=3, within="cider-n"),
    "cider-4": cider("of 4-grams alone", orders=4, within="cider-n"),
    "cider-unstemmed": cider("without stemming", stemming=False),
    "cider-unstemmed-raw": cider(
        "without stemming and the factor 10", stemming=False, scale=1.0
    ),
}
"""All metrics by name; each name stands here once, as users write it."""


def resolve(names: Iterable[str], options: MetricOptions | None = None) -> list[Metric]:
    """Make metrics from their names.

    Args:
        names: Names of `METRICS`, or "all" for the standard ones; spaces
            around a name, capitals, hyphens and repetitions do not matter, and
            "Bleu_4" is "bleu", which has all four orders.
        options: The user's options; the defaults if None.

    Raises:
        InputError: An unknown name (nothing was made), or no name at all.
        ResourceError: A metric's model, WordNet or table is missing.
    """
    chosen: dict[str, Entry] = {}
    for raw in names:
        name = canonical(raw)
        if name == "all":
            chosen |= {key: entry for key, entry in METRICS.items() if entry.standard}
        elif name in METRICS:
            chosen[name] = METRICS[name]
        else:
            hint = errors.nearest(raw.strip().lower(), [*METRICS, "all"]) or ";"
            raise errors.InputError(
                f"unknown metric {errors.brief(raw.strip())}{hint} {_LIST}"
            )
    if not chosen:
        raise errors.InputError(f"no metric named; {_LIST}")
    options = options or MetricOptions()
    return [e.make(options) for e in chosen.values() if e.within not in chosen]


def notes(names: Iterable[str]) -> list[str]:
    """Return what to know about metrics that are easily taken for others ("CIDEr")."""
    keys = dict.fromkeys(map(canonical, names))
    return [METRICS[k].note for k in keys if k in METRICS and METRICS[k].note]


def unused(names: Iterable[str], options: MetricOptions) -> list[str]:
    """Return the options that were set but are read by none of these metrics."""
    # `jobs` and `cache` are left out: they change no number.
    keys = set(map(canonical, names))
    chosen = [
        e for k, e in METRICS.items() if k in keys or ("all" in keys and e.standard)
    ]
    taken = {field for entry in chosen for field in entry.takes} | {"jobs", "cache"}
    return [
        f.name
        for f in fields(MetricOptions)
        if getattr(options, f.name) != f.default and f.name not in taken
    ]


_BY_LETTERS = {
    **{f"bleu{n}": "bleu" for n in range(1, 5)},
    **{errors.letters(name): name for name in METRICS},
}


def canonical(name: str) -> str:
    """Return the name in `METRICS` that is meant: "ROUGE_L" is "rouge-l"."""
    return _BY_LETTERS.get(errors.letters(name), name.strip().lower())


_OWNERS: Final = {
    r"count-.*": "counting",
    r"cider-d-[1-4]": "cider-d-n",
    r"bleu-[1-4]-(.+)": r"bleu-\1",
}
"""Scores that do not begin with the names of their metrics."""


def metric_with(score: str) -> str | None:
    """Return the name of the metric that has a score; None if there is none.

    >>> metric_with("bleu-4"), metric_with("spice-color"), metric_with("count-mae")
    ('bleu', 'spice', 'counting')
    """
    name = score.strip().lower().replace("_", "-")
    for pattern, owner in _OWNERS.items():
        if found := re.fullmatch(pattern, name):
            name = found.expand(owner)
    parts = name.split("-")
    begins = (canonical("-".join(parts[:n])) for n in range(len(parts), 0, -1))
    return next((each for each in begins if each in METRICS), None)


_USUAL = [name for name, entry in METRICS.items() if entry.standard]
_VARIANTS = ("bleu-", "rouge-", "cider-")
_OTHERS = [n for n in METRICS if n not in _USUAL and not n.startswith(_VARIANTS)]
_LIST = (
    f"the usual ones are {', '.join(_USUAL)}, or all; further ones are "
    f"{', '.join(_OTHERS)}, and variants (spicepy.METRICS has every name)"
)
