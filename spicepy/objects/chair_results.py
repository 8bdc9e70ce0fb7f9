"""The result of CHAIR: hallucinated objects by class and by sentence."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Final, Generic, TypeVar

import numpy as np

from spicepy.captions.sample import ImageId, Sample
from spicepy.common.errors import counted
from spicepy.common.settings import SEED
from spicepy.common.tables import Cell, Table
from spicepy.common.writing import Displayed
from spicepy.metrics.base import (
    Metric,
    Statistics,
    number,
    reference_count,
    signature_string,
    total,
)
from spicepy.metrics.significance import Bootstrap, bootstrap, wilson
from spicepy.objects.chair import WIDTH, CaptionObjects, Chair, caption_objects
from spicepy.objects.counting import CaptionCounts
from spicepy.objects.instances import ImageCaption

# Results that CHAIR and counting share: captions and scores.

_HEADS: Final = {
    **{"low": "from", "high": "to"},
    **{"off-by-one": "off by one", "mae": "MAE", "always_two": "always two"},
}
"""The heads of columns that are not called as their values are."""

Caption = TypeVar("Caption", CaptionObjects, CaptionCounts)
Measure = TypeVar("Measure", bound=Metric)


@dataclass(frozen=True, repr=False)
class MeasuredCaptions(Displayed, Generic[Caption, Measure]):
    """Captions measured by one metric."""

    # Every caption with what was measured, in the order of the file.
    captions: tuple[Caption, ...]
    metric: Measure  # The metric that measured them
    signature: str  # Everything that can change the scores
    seed: int = SEED  # Random seed of the intervals
    titles: ClassVar[Mapping[str, str]]  # The titles of the scores in tables
    width: ClassVar[int]  # The number of columns of a row

    @cached_property
    def statistics(self) -> Statistics:
        """The row of each caption; an image has a row for each of its captions."""
        rows = np.array([c.row for c in self.captions]).reshape(-1, self.width)
        return Statistics(tuple(c.image_id for c in self.captions), rows)

    @property
    def signatures(self) -> tuple[str, ...]:
        """The signature, as pages show it."""
        return (self.signature,)

    def corpus(self) -> dict[str, float | None]:
        """Return the corpus scores by key, None where undefined."""
        rows = self.statistics.rows
        scores = self.metric.corpus_scores(total(rows), len(rows))
        return dict(zip(self.metric.keys, map(number, scores)))

    @cached_property
    def bootstrap(self) -> Bootstrap:
        """The 95 % intervals of the scores, from 1,000 resamples of captions."""
        return bootstrap(self.metric, self.statistics, seed=self.seed)

    def intervals(self) -> dict[str, list[float | None]]:
        """Return the ends of the intervals by key, None where undefined."""
        return {
            i.key: [number(i.low), number(i.high)] for i in self.bootstrap.intervals
        }

    def score_rows(self) -> tuple[tuple[Cell, ...], ...]:
        """Return the scores and their intervals as rows of a table."""
        intervals = self.bootstrap.intervals
        return tuple((self.titles[i.key], i.score, i.low, i.high) for i in intervals)


def entry_table(
    title: str,
    first: str,
    entries: Mapping[Any, Mapping[str, Any]],
    keys: Iterable[str],
    limit: int | None = None,
) -> Table:
    """Return a table with a row for each named entry, up to a limit."""
    # The columns are the names, headed by `first`, and the values of `keys`.
    chosen, shown = tuple(keys), list(entries.items())[:limit]
    heads = (first, *(_HEADS.get(key, key) for key in chosen))
    rows = tuple((str(name), *(row[key] for key in chosen)) for name, row in shown)
    return Table(title, heads, rows)


_SHOWN: Final = 20  # The number of classes that a table shows
TITLES: Final = {
    "chair-s": "CHAIRs (captions)",
    "chair-i": "CHAIRi (mentions)",
    "chair-recall": "Recall",
    "chair-precision": "Precision",
    "chair-f1": "F1",
    "chair-length": "Length (tokens)",
}
"""The titles of the scores in tables."""


def _rate(mentions: int, hallucinated: int) -> dict[str, Any]:
    """Return how many mentions are hallucinated, and their share with its interval."""
    share = hallucinated / mentions if mentions else None
    low, high = wilson(hallucinated, mentions) or (None, None)
    counts = {"mentions": mentions, "hallucinated": hallucinated}
    return {**counts, "share": share, "low": low, "high": high}


@dataclass(frozen=True, repr=False)
class ChairResult(MeasuredCaptions[CaptionObjects, Chair]):
    """CHAIR of a file of captions."""

    titles = TITLES
    width = WIDTH

    @property
    def protocol(self) -> dict[str, object]:
        """The protocol of the measurement, line by line."""
        named = " and references" if "+references|" in self.signature else ""
        return {
            "captions": f"{len(self.captions):,}",
            "variant": self.metric.reader.variant,
            "what is there": f"annotations{named}",
        }

    def by_class(self) -> dict[str, dict[str, Any]]:
        """Return the rate of each class, and how often it was present and named."""
        # The classes that are hallucinated most often come first.
        mentions, hallucinated, there, recalled = (Counter[str]() for _ in range(4))
        for caption in self.captions:
            mentions.update(m.name for m in caption.mentions)
            hallucinated.update(m.name for m in caption.hallucinated)
            there.update(caption.truth)
            recalled.update(caption.truth & caption.named)
        names = {*mentions, *there}
        order = sorted(names, key=lambda name: (-hallucinated[name], name))
        return {
            name: {
                **_rate(mentions[name], hallucinated[name]),
                "there": there[name],
                "recalled": recalled[name],
            }
            for name in order
        }

    def by_sentence(self) -> dict[int, dict[str, Any]]:
        """Return the rate by the number of the sentence, from 1."""
        mentions, hallucinated = Counter[int](), Counter[int]()
        for caption in self.captions:
            mentions.update(m.sentence for m in caption.mentions)
            hallucinated.update(m.sentence for m in caption.hallucinated)
        reached = Counter(caption.sentences for caption in self.captions)
        last = max(reached, default=0)
        return {
            place: {
                "captions": sum(n for k, n in reached.items() if k >= place),
                **_rate(mentions[place], hallucinated[place]),
            }
            for place in range(1, last + 1)
        }

    def to_dict(self) -> dict[str, Any]:
        """Return JSON-ready values: the sums, then every caption."""
        return {
            "signature": self.signature,
            "variant": self.metric.reader.variant,
            "corpus": self.corpus(),
            "intervals": self.intervals(),
            "by_class": self.by_class(),
            "by_sentence": {str(k): v for k, v in self.by_sentence().items()},
            "captions": [caption.to_dict() for caption in self.captions],
        }

    def tables(self) -> tuple[Table, ...]:
        """Return the scores, the classes most often hallucinated, and the sentences."""
        return (self._scores(), *self._classes(), *self._sentences())

    def _scores(self) -> Table:
        notes = (
            f"{counted(len(self.captions), 'caption')}; 95 % intervals from "
            f"{self.bootstrap.samples:,} resamples of captions, seed {self.seed}",
            self.signature,
        )
        columns = ("Score", "value", "from", "to")
        return Table("CHAIR", columns, self.score_rows(), notes, digits=4)

    def _classes(self) -> Iterator[Table]:
        classes = {k: v for k, v in self.by_class().items() if v["hallucinated"]}
        if classes:
            keys = ("hallucinated", "mentions", "share", "low", "high", "there")
            title = "Classes most often hallucinated"
            table = entry_table(title, "Class", classes, keys, _SHOWN)
            more = len(classes) > _SHOWN
            notes = (f"{_SHOWN} of {len(classes)} classes",) if more else ()
            yield replace(table, notes=notes)

    def _sentences(self) -> Iterator[Table]:
        sentences = self.by_sentence()
        if len(sentences) > 1:
            keys = ("captions", "mentions", "hallucinated", "share", "low", "high")
            title = "Hallucinated mentions by sentence"
            yield entry_table(title, "Sentence", sentences, keys, _SHOWN)

    def rows(self) -> dict[str, Table]:
        """Return plain rows by name: "" for captions, "classes" and "sentences"."""
        captions = (caption.to_dict() for caption in self.captions)
        listed = ("mentioned", "hallucinated", "words", "missed")
        plain = [
            {k: "; ".join(v) if k in listed else v for k, v in caption.items()}
            for caption in captions
        ]
        return {
            "": _as_rows("Captions", plain),
            "classes": _as_rows("Classes", _named("class", self.by_class())),
            "sentences": _as_rows("Sentences", _named("sentence", self.by_sentence())),
        }


def _named(
    column: str, entries: Mapping[Any, Mapping[str, Any]]
) -> list[dict[str, Any]]:
    return [{column: name, **values} for name, values in entries.items()]


def _as_rows(title: str, entries: Sequence[Mapping[str, Any]]) -> Table:
    columns = tuple(entries[0]) if entries else ()
    return Table(title, columns, tuple(tuple(row.values()) for row in entries))


def measure_chair(
    captions: Sequence[ImageCaption],
    metric: Chair,
    references: Mapping[ImageId, Sequence[str]],
) -> ChairResult:
    """Measure captions by CHAIR; an image may have several, which all count."""
    # Objects that reference captions name count as objects of the image.
    objects = caption_objects(captions, metric.truth(references), metric.reader)
    return ChairResult(tuple(objects), metric, signature(captions, metric, references))


def signature(
    captions: Iterable[ImageCaption],
    metric: Metric,
    references: Mapping[ImageId, Sequence[str]],
) -> str:
    """Return everything that can change the scores of captions."""
    own = [Sample(i, "", tuple(references.get(i, ()))) for i, _ in captions]
    parts = dict(metric.signature())
    if "truth" in parts and not any(sample.references for sample in own):
        parts["truth"] = "instances"
    return signature_string(parts, reference_count(own))
