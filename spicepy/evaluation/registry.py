"""The metrics by name.

In: names, as on the command line. Out: metrics (see `spicepy.metrics.base`).
"""

from collections.abc import Iterable
from dataclasses import fields

from spicepy.common.errors import InputError, brief, nearest
from spicepy.evaluation import options
from spicepy.evaluation.options import (
    Entry,
    MetricOptions,
    cider,
    cider_d,
    made,
    rouge,
    smoothed_bleu,
)
from spicepy.metrics.base import Metric

_GEOMETRIC = "the geometric instead of the arithmetic mean over n"
_BEST = "the best reference instead of the mean over references"

METRICS: dict[str, Entry] = {
    "spice": Entry(
        options.spice,
        "SPICE: scene-graph tuples, with categories",
        standard=True,
        takes=(
            *("model", "grammar", "synonyms", "sentences"),
            *("categories", "jobs", "cache"),
        ),
    ),
    "bleu": Entry(
        made("ngrams.bleu", "Bleu"), "BLEU-1 to BLEU-4, as coco-caption", standard=True
    ),
    "rouge": Entry(
        made("ngrams.rouge", "RougeL"), "ROUGE-L, as coco-caption", standard=True
    ),
    "meteor": Entry(
        options.meteor, "METEOR 1.5 for English", standard=True, takes=("paraphrases",)
    ),
    "cider-d": Entry(
        options.cider_maker(damped=True),
        "CIDEr-D, as coco-caption's CIDEr",
        standard=True,
        takes=options.CORPUS_OPTIONS,
    ),
    "cider": Entry(
        options.cider_maker(damped=False),
        "CIDEr as first published, stemmed",
        standard=True,
        takes=options.CORPUS_OPTIONS,
        note="cider is CIDEr as first published, over stemmed words; the CIDEr of "
        "coco-caption, which most papers report, is cider-d",
    ),
    "spice-soft": Entry(
        options.spice_soft,
        "scene graphs and words compared by meaning",
        takes=("model", "grammar", "sentences", "jobs", "cache", "vectors"),
    ),
    "spider": Entry(
        options.spider,
        "SPIDEr: the mean of CIDEr-D and SPICE",
        takes=("model", "grammar", "synonyms", "jobs", "cache", "frequencies"),
    ),
    "chair": Entry(
        options.chair,
        "CHAIR: hallucinated objects, against annotations",
        takes=("instances", "variant", "vocabulary"),
    ),
    "counting": Entry(
        options.counting,
        "numbers of objects, against annotations",
        takes=("instances", "vocabulary"),
    ),
    "faithful": Entry(
        options.faithful,
        "statements that a vision model confirms",
        takes=("answers",),
    ),
    "bleu-no-penalty": Entry(
        made("ngrams.bleu", "Bleu", brevity_penalty=False),
        "BLEU without brevity penalty",
    ),
    "bleu-smooth-1": smoothed_bleu(1),
    "bleu-smooth-2": smoothed_bleu(2),
    "bleu-smooth-3": smoothed_bleu(3),
    "bleu-smooth-4": smoothed_bleu(4),
    "bleu-smooth-5": smoothed_bleu(5),
    "bleu-smooth-6": smoothed_bleu(6),
    "bleu-smooth-7": smoothed_bleu(7),
    "rouge-l": Entry(
        made("ngrams.rouge", "RougeL"), "the same as rouge", within="rouge"
    ),
    "rouge-1": rouge("1"),
    "rouge-2": rouge("2"),
    "rouge-3": rouge("3"),
    "rouge-4": rouge("4"),
    "rouge-l-lin": rouge("l"),
    "rouge-l-f1": Entry(
        made("ngrams.rouge", "Rouge", kind="l", beta=1.0),
        "ROUGE-L with beta 1, as rouge_score's rougeL, best reference",
    ),
    "rouge-w-1.2": rouge("w"),
    "rouge-s4": rouge("s"),
    "rouge-su4": rouge("su"),
    "rouge-1-average": rouge("1", "average"),
    "rouge-2-average": rouge("2", "average"),
    "rouge-3-average": rouge("3", "average"),
    "rouge-4-average": rouge("4", "average"),
    "rouge-l-lin-average": rouge("l", "average"),
    "rouge-w-1.2-average": rouge("w", "average"),
    "rouge-s4-average": rouge("s", "average"),
    "rouge-su4-average": rouge("su", "average"),
    "rouge-1-jackknife": rouge("1", "jackknife"),
    "rouge-2-jackknife": rouge("2", "jackknife"),
    "rouge-3-jackknife": rouge("3", "jackknife"),
    "rouge-4-jackknife": rouge("4", "jackknife"),
    "rouge-l-lin-jackknife": rouge("l", "jackknife"),
    "rouge-w-1.2-jackknife": rouge("w", "jackknife"),
    "rouge-s4-jackknife": rouge("s", "jackknife"),
    "rouge-su4-jackknife": rouge("su", "jackknife"),
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
    return f"unknown metric {brief(name)}{hint or ';'} {_LIST}"
