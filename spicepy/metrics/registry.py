"""The metrics and their registry.

In: names, as on the command line. Out: metrics (see `spicepy.metrics.base`). A
metric's module is imported when the metric is made, so that importing spicepy
loads neither parser nor WordNet.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from spicepy.common.data_files import GRAMMAR
from spicepy.common.errors import InputError, nearest, shown
from spicepy.metrics.base import Metric
from spicepy.samples.sample import Sentences

if TYPE_CHECKING:
    from spicepy.metrics.ngrams.cider import Cider


@dataclass(frozen=True, slots=True)
class MetricOptions:
    """Options of metrics that are made by name; each takes those that it needs.

    Options of SPICE's parser and grammar apply to spice-soft, too.

    Attributes:
        model: SPICE: an installed spaCy model instead of the bundled parser.
        grammar: SPICE: a grammar's name or folder.
        synonyms: SPICE: "bundled", "nltk" or "none".
        sentences: SPICE: "join" or "split"; the grammar's own way if None.
        categories: SPICE: further categories, a shipped file's name or a TOML file.
        jobs: SPICE: processes that parse and match.
        cache: SPICE: a folder that keeps what is parsed.
        vectors: spice-soft: a file of word vectors instead of the bundled table.
        paraphrases: METEOR: the paraphrase table; found by itself if None.
        frequencies: CIDEr: a file of document frequencies; those of the scored
            corpus if None.
        instances: CHAIR and counting: annotation files in COCO's format.
        variant: CHAIR: "clean", "pattern" or "nltk"; see `annotations.readers`.
        vocabulary: CHAIR and counting: the classes of the annotations and their words;
            see `annotations.vocabulary`.
    """

    model: str | None = None
    grammar: str = GRAMMAR
    synonyms: str = "bundled"
    sentences: Sentences | None = None
    categories: str | Path | None = None
    jobs: int = 1
    cache: str | Path | None = None
    vectors: Path | None = None
    paraphrases: Path | None = None
    frequencies: Path | None = None
    instances: tuple[str, ...] = ()
    variant: str = "clean"
    vocabulary: str | Path | None = None


@dataclass(frozen=True, slots=True)
class Entry:
    """A registered metric: how it is made, and a line of help.

    `standard` metrics are those that "all" stands for. `takes` names the fields
    of `MetricOptions` that the metric reads; `note` is a warning for those who name it;
    `within` is a metric that has its numbers among others.
    """

    make: Callable[[MetricOptions], Metric]
    help: str
    standard: bool = False
    takes: tuple[str, ...] = ()
    note: str = ""
    within: str = ""


def _made(module: str, name: str, **fixed: Any) -> Callable[[MetricOptions], Metric]:
    """Return a factory for a metric that takes none of the user's options."""

    def make(options: MetricOptions) -> Metric:
        home = import_module(f"spicepy.metrics.{module}")
        metric: Metric = getattr(home, name)(**fixed)
        return metric

    return make


def _spice(options: MetricOptions) -> Metric:
    from spicepy.grammar.categories import read_categories
    from spicepy.metrics.spice.metric import Spice

    further = options.categories
    return Spice(
        grammar=options.grammar,
        model=options.model,
        synonyms=options.synonyms,
        sentences=options.sentences,
        categories=read_categories(further) if further is not None else (),
        jobs=options.jobs,
        cache=options.cache,
    )


def _spice_soft(options: MetricOptions) -> Metric:
    from spicepy.metrics.soft.metric import SpiceSoft

    return SpiceSoft(
        grammar=options.grammar,
        model=options.model,
        vectors=options.vectors,
        sentences=options.sentences,
        jobs=options.jobs,
        cache=options.cache,
    )


def _meteor(options: MetricOptions) -> Metric:
    from spicepy.metrics.meteor.metric import Meteor

    return Meteor(options.paraphrases) if options.paraphrases else Meteor()


def _cider(**fixed: Any) -> Callable[[MetricOptions], Metric]:
    """Return a factory for a CIDEr with the user's document frequencies."""
    return lambda options: _make_cider(options, **fixed)


def _make_cider(options: MetricOptions, **fixed: Any) -> "Cider":
    from spicepy.metrics.ngrams.cider import Cider
    from spicepy.metrics.ngrams.frequencies import DocumentFrequencies

    path = options.frequencies
    stemming = fixed.get("stemming", not fixed["damped"])
    used = DocumentFrequencies.load(path, stemming=stemming) if path else None
    return Cider(frequencies=used, **fixed)


def _spider(options: MetricOptions) -> Metric:
    from spicepy.metrics.spider import Spider

    return Spider(_spice(options), _make_cider(options, damped=True))


def _chair(options: MetricOptions) -> Metric:
    from spicepy.annotations.readers import load_reader
    from spicepy.metrics.chair import Chair

    _check_annotated("chair", options)
    reader = load_reader(
        options.variant, options.vocabulary, jobs=options.jobs, cache=options.cache
    )
    return Chair(options.instances, reader=reader)


def _counting(options: MetricOptions) -> Metric:
    from spicepy.annotations.parsed_mentions import load_parsed_reader
    from spicepy.metrics.counting import Counting

    _check_annotated("counting", options)
    reader = load_parsed_reader(
        options.vocabulary, jobs=options.jobs, cache=options.cache
    )
    return Counting(options.instances, reader)


def _check_annotated(name: str, options: MetricOptions) -> None:
    if not options.instances:
        raise InputError(
            f"{name} compares captions with annotated objects: give their files with "
            "--instances FILE (instances=[...] in MetricOptions)"
        )


_CIDER_VARIANTS: dict[str, tuple[dict[str, Any], str]] = {
    "n": ({"orders": "separate"}, "a score for each n from 1 to 4"),
    "exp": ({"orders": "exp"}, "the geometric instead of the arithmetic mean over n"),
    "max": (
        {"references": "max"},
        "the best reference instead of the mean over references",
    ),
    "no-idf": ({"idf": False}, "all n-grams weighted alike"),
    "raw": ({"scale": 1.0}, "without the factor 10"),
}
_ROUGES = {
    **{f"rouge-{n}": (str(n), f"ROUGE-{n}: n-grams") for n in range(1, 5)},
    "rouge-l-lin": ("l", "ROUGE-L, Lin (2004)"),
    "rouge-w-1.2": ("w", "ROUGE-W, weight 1.2"),
    "rouge-s4": ("s", "ROUGE-S, skip distance 4"),
    "rouge-su4": ("su", "ROUGE-SU, skip distance 4"),
}
_SEVERAL = {
    "max": ("", "best reference"),
    "average": ("-average", "mean over references"),
    "jackknife": ("-jackknife", "jackknife over references"),
}
_B, _R = "ngrams.bleu", "ngrams.rouge"
_CORPUS = ("frequencies",)

METRICS: dict[str, Entry] = {
    "spice": Entry(
        _spice,
        "SPICE: scene-graph tuples, with categories",
        standard=True,
        takes=(
            *("model", "grammar", "synonyms", "sentences"),
            *("categories", "jobs", "cache"),
        ),
    ),
    "bleu": Entry(
        _made(_B, "Bleu"), "BLEU-1 to BLEU-4, as coco-caption", standard=True
    ),
    "rouge": Entry(_made(_R, "RougeL"), "ROUGE-L, as coco-caption", standard=True),
    "meteor": Entry(
        _meteor, "METEOR 1.5 for English", standard=True, takes=("paraphrases",)
    ),
    "cider-d": Entry(
        _cider(damped=True),
        "CIDEr-D, as coco-caption's CIDEr",
        standard=True,
        takes=_CORPUS,
    ),
    "cider": Entry(
        _cider(damped=False),
        "CIDEr as first published, stemmed",
        standard=True,
        takes=_CORPUS,
        note="cider is CIDEr as first published, over stemmed words; the CIDEr of "
        "coco-caption, which most papers report, is cider-d",
    ),
    "spice-soft": Entry(
        _spice_soft,
        "scene graphs and words compared by meaning",
        takes=("model", "grammar", "sentences", "jobs", "cache", "vectors"),
    ),
    "spider": Entry(
        _spider,
        "SPIDEr: the mean of CIDEr-D and SPICE",
        takes=("model", "grammar", "synonyms", "jobs", "cache", "frequencies"),
    ),
    "chair": Entry(
        _chair,
        "CHAIR: hallucinated objects, against annotations",
        takes=("instances", "variant", "vocabulary"),
    ),
    "counting": Entry(
        _counting,
        "numbers of objects, against annotations",
        takes=("instances", "vocabulary"),
    ),
    "bleu-no-penalty": Entry(
        _made(_B, "Bleu", brevity_penalty=False), "BLEU without brevity penalty"
    ),
    **{
        f"bleu-smooth-{k}": Entry(
            _made(_B, "Bleu", smoothing=k), f"mean sentence BLEU, smoothing {k}"
        )
        for k in range(1, 8)
    },
    "rouge-l": Entry(_made(_R, "RougeL"), "the same as rouge", within="rouge"),
    **{
        name + suffix: Entry(
            _made(_R, "Rouge", kind=kind, references=several), f"{help_}, {way}"
        )
        for several, (suffix, way) in _SEVERAL.items()
        for name, (kind, help_) in _ROUGES.items()
    },
    **{
        f"{title.lower()}-{name}": Entry(
            _cider(damped=title == "CIDEr-D", **fixed),
            f"{title}, {help_}",
            takes=_CORPUS,
        )
        for title in ("CIDEr-D", "CIDEr")
        for name, (fixed, help_) in _CIDER_VARIANTS.items()
    },
    **{
        f"cider-{n}": Entry(
            _cider(damped=False, orders=n),
            f"CIDEr of {n}-grams alone",
            takes=_CORPUS,
            within="cider-n",
        )
        for n in range(1, 5)
    },
    "cider-unstemmed": Entry(
        _cider(damped=False, stemming=False), "CIDEr without stemming", takes=_CORPUS
    ),
    "cider-unstemmed-raw": Entry(
        _cider(damped=False, stemming=False, scale=1.0),
        "CIDEr without stemming and the factor 10",
        takes=_CORPUS,
    ),
}
"""All metrics by name."""


def resolve(names: Iterable[str], options: MetricOptions | None = None) -> list[Metric]:
    """Make metrics from their names.

    Args:
        names: names of `METRICS`, or "all" for the standard ones; spaces
            around a name, capitals, hyphens and repetitions do not matter, and
            "Bleu_4" is "bleu", which has all four orders.
        options: what the user set; the defaults if None.

    Raises:
        InputError: an unknown name (nothing was made), or no name at all.
        ResourceError: a metric's model, WordNet or table is missing.
    """
    chosen: dict[str, Entry] = {}
    for raw in names:
        name = _canonical(raw)
        if name == "all":
            chosen |= {key: entry for key, entry in METRICS.items() if entry.standard}
        elif name in METRICS:
            chosen[name] = METRICS[name]
        else:
            raise InputError(_unknown(raw.strip()))
    if not chosen:
        raise InputError(f"no metric named; {_LIST}")
    options = options or MetricOptions()
    return [e.make(options) for e in chosen.values() if e.within not in chosen]


def notes(names: Iterable[str]) -> list[str]:
    """Return what to know about metrics that are easily taken for others ("CIDEr")."""
    keys = dict.fromkeys(map(_canonical, names))
    return [METRICS[k].note for k in keys if k in METRICS and METRICS[k].note]


def unused(names: Iterable[str], options: MetricOptions) -> list[str]:
    """Return the options that were set but are read by none of these metrics.

    `jobs` and `cache` are left out: they change no number.
    """
    keys = set(map(_canonical, names))
    chosen = [
        e for k, e in METRICS.items() if k in keys or ("all" in keys and e.standard)
    ]
    taken = {field for entry in chosen for field in entry.takes} | {"jobs", "cache"}
    return [
        f.name
        for f in fields(options)
        if getattr(options, f.name) != f.default and f.name not in taken
    ]


def _letters(name: str) -> str:
    return "".join(filter(str.isalnum, name.lower()))


_BY_LETTERS = {
    **{f"bleu{n}": "bleu" for n in range(1, 5)},
    **{_letters(name): name for name in METRICS},
}


def _canonical(name: str) -> str:
    """Return the name in `METRICS` that is meant: "ROUGE_L" is "rouge-l"."""
    return _BY_LETTERS.get(_letters(name), name.strip().lower())


_LIST = "the usual ones are {}, or all (`spicepy evaluate --help` has more)".format(
    ", ".join(name for name, entry in METRICS.items() if entry.standard)
)


def _unknown(name: str) -> str:
    hint = nearest(name.lower(), [*METRICS, "all"])
    return f"unknown metric {shown(name)}{hint or ';'} {_LIST}"
