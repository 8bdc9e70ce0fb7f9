"""Evaluation: all scores of samples by some metrics, with their signature.

    samples ─ tokenise (one document per side) ─ metric.count ─▶ Evaluation

Every number of an `Evaluation` is keyed by image id. Its `to_dict` is the one
JSON schema of all metrics (`spicepy evaluate --output scores.json`).
"""

import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from os.path import isfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from spicepy.captions.reading import Column, Samples, chosen_samples
from spicepy.captions.sample import ImageId, Sample, as_samples
from spicepy.common.errors import (
    CaptionWarning,
    InputError,
    SpicepyWarning,
    brief,
    counted,
    find_name,
)
from spicepy.common.progress import advance, notebook_bar
from spicepy.common.resources import required
from spicepy.common.settings import MetricOptions
from spicepy.common.tables import Table
from spicepy.evaluation.measured import (
    CorpusScores,
    EmptyCaptions,
    Measured,
    plain_score,
    sign_sentences,
    signs_among,
)
from spicepy.evaluation.options import metric_options, notes, resolve, unused
from spicepy.graph.exchange import GraphSample
from spicepy.metrics.base import Metric, reference_count, signature_string
from spicepy.metrics.outside import Outside, Score
from spicepy.rules.tuples import SemanticTuple
from spicepy.tokenization.samples import TokenisedSample, as_tokens, tokenised_samples

if TYPE_CHECKING:
    import pandas as pd


_INTERNAL: Final = frozenset(
    (
        *(
            "entries",
            "lower_is_better",
            "amounts",
            "undirected",
            "lines",
            "measured",
            "tokenised",
        ),
        *("with_details", "columns", "rows"),
    )
)


@dataclass(frozen=True, slots=True, repr=False)
class Evaluation(CorpusScores):
    """The scores of one system's captions by one or several metrics.

    Attributes:
        samples: The samples as they were given.
        tokenised: The tokens that the metrics compared, in the same order.
        measured: The statistics of each metric.
        warnings: Warnings, such as the number of empty captions.
    """

    samples: tuple[Sample, ...]
    tokenised: tuple[TokenisedSample, ...]
    measured: tuple[Measured, ...]
    warnings: tuple[str, ...] = ()

    @property
    def lower_is_better(self) -> frozenset[str]:
        """The keys whose lower scores are better."""
        return frozenset(k for m in self.measured for k in m.metric.lower_is_better)

    @property
    def amounts(self) -> frozenset[str]:
        """The keys that are numbers of things, not shares of a whole."""
        return frozenset(k for m in self.measured for k in m.metric.amounts)

    @property
    def undirected(self) -> frozenset[str]:
        """The keys of which neither a higher nor a lower score is better."""
        return frozenset(k for m in self.measured for k in m.metric.undirected)

    @property
    def titles(self) -> dict[str, str]:
        """Column titles of the keys that have one, in the order of the papers."""
        return {k: v for m in self.measured for k, v in m.metric.titles.items()}

    def corpus_score(self, key: str) -> float:
        """Return the corpus score named `key`, NaN where undefined."""
        measured, column = self._find(key)
        return self.scores()[measured.metric.keys[column]]

    def image_scores(self, key: str) -> dict[ImageId, float]:
        """Return the score named `key` of every image, NaN where undefined."""
        measured, column = self._find(key)
        scores = map(plain_score, measured.images[:, column])
        return dict(zip(measured.statistics.image_ids, scores))

    def columns(self) -> dict[str, Any]:
        """Return image ids, candidates and scores; NaN where undefined."""
        columns: dict[str, Any] = {
            "image_id": [sample.image_id for sample in self.samples],
            "candidate": [sample.candidate for sample in self.samples],
        }
        for measured in self.measured:
            columns |= dict(zip(measured.metric.keys, measured.images.T))
        return columns

    def to_frame(self) -> "pd.DataFrame":
        """Return the scores of the images as a pandas table.

        Returns:
            One row per image, indexed by image id: its candidate and every score,
            NaN where undefined.

        Raises:
            ResourceError: pandas is not installed.
        """
        pandas = required("pandas", "to_frame()")
        columns = self.columns()
        ids = pandas.Index(columns.pop("image_id"), name="image_id")
        return pandas.DataFrame(columns, index=ids)

    def __dir__(self) -> list[str]:
        """Return the names for users, not those by which other rooms take it apart."""
        return [name for name in object.__dir__(self) if name not in _INTERNAL]

    def __repr__(self) -> str:
        """Return the size and the first corpus score of each metric."""
        scores = self.scores()
        keys = (m.metric.keys[0] for m in self.measured)
        firsts = (f"{key} {scores[key]:.4f}" for key in keys)
        return f"Evaluation({counted(len(self.samples), 'image')}: {', '.join(firsts)})"

    def rows(self) -> dict[str, Table]:
        """Return the table of the images: id, candidate and every score."""
        columns = self.columns()
        listed = (x.tolist() if hasattr(x, "tolist") else x for x in columns.values())
        return {"": Table("Scores", tuple(columns), list(zip(*listed)))}

    def to_dict(self, *, tuples: bool = False) -> dict[str, Any]:
        """Return the result as JSON-ready values.

        Args:
            tuples: Add the candidate's and references' tuples with match flags.
        """
        images = []
        for entry in self.entries(tuples=tuples):
            images.append(entry)
            advance("building the result", len(images), len(self.samples))
        return self._entry(images)

    def entries(self, *, tuples: bool = False) -> Iterator[dict[str, Any]]:
        """Yield the entries of `images` in `to_dict`, one by one."""
        for index, sample in enumerate(self.samples):
            entry: dict[str, Any] = {
                "image_id": sample.image_id,
                "candidate": sample.candidate,
            }
            for measured in self.measured:
                entry |= measured.image_entry(index, tuples=tuples)
            yield entry

    def with_details(self, kind: type) -> Measured | None:
        """Return the first metric whose details of each image are a `kind`, if any.

        SPICE's is a `spicepy.metrics.spice.SpiceScore`: graphs and matching.
        """
        for measured in self.measured:
            details = measured.statistics.details
            if details and isinstance(details[0], kind):
                return measured
        return None

    def _find(self, key: str) -> tuple[Measured, int]:
        key = find_name("score", key, self.keys)
        measured = next(each for each in self.measured if key in each.metric.keys)
        return measured, measured.metric.keys.index(key)


def evaluate(
    samples: Samples | None = None,
    metrics: Sequence[str | Metric | Score] = ("spice",),
    *,
    candidates: Column | None = None,
    references: Column | None = None,
    image_ids: Iterable[Any] | None = None,
    columns: Mapping[str, str | Sequence[str]] | None = None,
    common: bool = False,
    tokenised: bool = False,
    **options: Any,
) -> Evaluation:
    """Score candidate captions against references.

    Args:
        samples: `Sample` values, or mappings with `image_id`, `candidate` (or
            `test`) and `references` (or `refs`), or a file that holds them; or else
        candidates: Captions, a list or a column of a table, and
        references: The references of each, in the same order, with
        image_ids: Their ids; 0, 1, … by default. Or both `candidates` and
            `references` are files, a COCO pair, or mappings from image ids
            (pycocoevalcap's `res` and `gts`), which are joined by image id.
        metrics: Names from `spicepy.METRICS` ("spice", "bleu", …, "all"), metrics made
            with options, or functions of samples that return a score for each.
        columns: The names that a table or files have for "image_id", "candidate" and
            "references" (one or several), or "candidate_id" and "reference_id", where
            they are others.
        common: Whether to score only the images that both files of a pair have.
        tokenised: Whether captions are tokens joined by single spaces already, as
            the tokeniser writes them; raw text by default.
        options: Options of the metrics that are named: grammar, model, cache, jobs, …;
            see `spicepy.common.settings.MetricOptions`.

    Raises:
        InputError: A sample, a file, a metric's name or an option is wrong; nothing
            was computed.
        ResourceError: A model or WordNet is missing.

    Warns:
        SpicepyWarning: The name is ambiguous: coco-caption's CIDEr is called "cider-d"
            here. Or no metric uses an option.

    >>> from spicepy import evaluate
    >>> sample = {"image_id": 1, "test": "two dogs run", "refs": ["two dogs run"]}
    >>> evaluate([sample]).corpus_score("spice")
    1.0
    >>> evaluate(candidates=["dogs run"], references=[["a dog runs"]]).scores()[
    ...     "spice"
    ... ]
    1.0
    """
    file = isinstance(metrics, str) and isfile(metrics)
    if file or isinstance(metrics, Path | Mapping) or hasattr(metrics, "dtype"):
        raise InputError(
            f"metrics: found {'the file ' * file}{brief(metrics)}; give captions as "
            "candidates=... and references=..."
        )
    settings = metric_options(evaluate, options)
    chosen = list(metrics_of(metrics, settings))
    given = samples, candidates, references, image_ids
    raw = as_samples(chosen_samples(*given, common=common, columns=columns))
    tokens = as_tokens(raw) if tokenised else tokenised_samples(raw)
    references_each = reference_count(raw)
    changed = {"tokeniser": "none"} if tokenised else {}
    measured = []
    with notebook_bar():
        for done, metric in enumerate(chosen):
            advance("scoring by metrics", done, len(chosen))
            parts = {**metric.signature(), **changed}
            signature = signature_string(parts, references_each)
            measured.append(Measured(metric, metric.count(tokens), signature))
    noted = notes(_named(metrics))
    signs = list(sign_sentences(signs_among(raw, tokens, chosen), chosen))
    for text in signs:
        warnings.warn(text, CaptionWarning, stacklevel=2)
    all_warnings = (*noted, *EmptyCaptions.among(tokens).sentences(), *signs)
    return Evaluation(tuple(raw), tuple(tokens), tuple(measured), all_warnings)


def unscored(samples: Iterable[Sample]) -> Evaluation:
    """Return samples and their tokens without any score, to diagnose their captions."""
    raw = as_samples(samples)
    tokens = tokenised_samples(raw)
    signs = sign_sentences(signs_among(raw, tokens, ()), ())
    warnings = (*EmptyCaptions.among(tokens).sentences(), *signs)
    return Evaluation(tuple(raw), tuple(tokens), (), warnings)


def evaluate_graphs(graphs: Sequence[GraphSample], metric: Metric) -> Evaluation:
    """Score ready-made scene graphs by SPICE; nothing is parsed.

    The samples of the result show the tuples where captions would stand.

    Raises:
        InputError: The metric compares no scene graphs.
    """
    statistics = metric.count_graphs(graphs)
    shown = [
        (g.image_id, _shown(g.candidate), tuple(map(_shown, g.references)))
        for g in graphs
    ]
    samples = tuple(Sample(*one) for one in shown)
    tokenised = tuple(TokenisedSample(*one) for one in shown)
    parts = {**metric.signature(), "model": "none", "tokeniser": "none"}
    signature = signature_string(parts, reference_count(samples))
    return Evaluation(samples, tokenised, (Measured(metric, statistics, signature),))


def _shown(tuples: Iterable[SemanticTuple]) -> str:
    return " ".join(map(str, tuples))


def _named(metrics: Sequence[str | Metric | Score]) -> list[str]:
    listed = metrics.split(",") if isinstance(metrics, str) else metrics
    return [name for name in listed if isinstance(name, str)]


def metrics_of(
    metrics: Sequence[str | Metric | Score], options: MetricOptions | None = None
) -> Iterable[Metric]:
    """Yield metrics made from their names; ready ones are passed through."""
    # A name that is easily taken for another ("CIDEr") is warned of, at the line that
    # called the caller (`SpicepyWarning`); so is an option that no metric uses.
    if isinstance(metrics, str):
        metrics = metrics.split(",")
    if not isinstance(metrics, Iterable):
        raise InputError(
            f"metrics: found {brief(metrics)}; a list of names is expected"
        )
    metrics = list(metrics)
    if not metrics:
        yield from resolve(())  # raises the error that lists the names
    named = _named(metrics)
    for option in unused(named, options or MetricOptions()):
        whose = f"none of the metrics named ({', '.join(named)}) uses it"
        ready = "metrics that are not given by name have their own options"
        text = f"{option} is ignored: {whose if named else ready}"
        warnings.warn(text, SpicepyWarning, stacklevel=3)
    for metric in metrics:
        if isinstance(metric, str):
            for note in notes([metric]):
                warnings.warn(note, SpicepyWarning, stacklevel=3)
            yield from resolve([metric], options)
        elif isinstance(metric, Metric):
            yield metric
        elif callable(metric) and not isinstance(metric, type):
            yield Outside(metric)
        else:
            raise InputError(
                f"metrics: found {brief(metric)}; a name is expected (captions are "
                "candidates=[…], references=[[…], …])"
            )
