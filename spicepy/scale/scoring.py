"""The scoring of a block, in one process, in several, or on a cluster.

In: a block of samples. Out: its rows of the output and its rows of statistics.
`Scoring` holds what all blocks share, and can be pickled.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from spicepy.common.plain_values import plain
from spicepy.evaluation.empty_captions import EmptyCaptions
from spicepy.evaluation.evaluation import Evaluation, metrics_of
from spicepy.evaluation.measured import Measured
from spicepy.metrics.base import Metric
from spicepy.samples.columns import chosen_samples
from spicepy.samples.sample import Sample, as_samples
from spicepy.scale.block_files import Done
from spicepy.scale.blocks import Block
from spicepy.scale.rows import json_lines, parquet_bytes
from spicepy.tokenization.samples import tokenised_samples


@dataclass(frozen=True)
class Scoring:
    """Scores blocks by some metrics.

    Attributes:
        metrics: The metrics; those that need a corpus's frequencies have them already.
        ending: ".jsonl" or ".parquet", the form of the rows.
        tuples: Whether rows of JSON lines have the tuples that were compared.
        integers: Whether all image ids are integers (the type of Parquet's column).
    """

    metrics: tuple[Metric, ...]
    ending: str = ".jsonl"
    tuples: bool = False
    integers: bool = True

    def __call__(self, block: Block[Sample]) -> Done:
        """Score a block."""
        tokens = tokenised_samples(block.items, block.after)
        measured = tuple(Measured(m, m.count(tokens), "") for m in self.metrics)
        evaluation = Evaluation(block.items, tuple(tokens), measured)
        if self.ending == ".parquet":
            rows = parquet_bytes(columns_of(evaluation), self._types)
        else:
            rows = json_lines(evaluation.entries(tuples=self.tuples))
        sums = [one.statistics.rows for one in measured]
        return Done(block.number, rows, sums, plain(EmptyCaptions.among(tokens)))

    @cached_property
    def _types(self) -> dict[str, Any]:
        import pyarrow

        numbers = {key: pyarrow.float64() for m in self.metrics for key in m.keys}
        id_type = pyarrow.int64() if self.integers else pyarrow.string()
        return {"image_id": id_type, "candidate": pyarrow.string(), **numbers}


def columns_of(evaluation: Evaluation) -> dict[str, Any]:
    """Return image ids, candidates and scores of the images, NaN where undefined."""
    scores = {
        key: one.images[:, column]
        for one in evaluation.measured
        for column, key in enumerate(one.metric.keys)
    }
    return {
        "image_id": [sample.image_id for sample in evaluation.samples],
        "candidate": [sample.candidate for sample in evaluation.samples],
        **scores,
    }


def score_columns(
    columns: Mapping[str, Sequence[Any]],
    metrics: Sequence[str | Metric] = ("spice",),
) -> dict[str, Any]:
    """Score a batch of a table: columns in, columns out, and nothing else.

    The function that Spark's `mapInPandas`, Dask's `map_partitions` and the like
    apply to the batches of a table. Make metrics once a process and pass them on.

    Args:
        columns: `image_id`, `candidate` and `references` (lists of captions).
        metrics: Names, or metrics. CIDEr needs document frequencies of the whole.

    Returns:
        `image_id`, `candidate` and a column a score, NaN where undefined.

    Raises:
        InputError: A caption or image id is wrong, or an image occurs twice.

    Example:
        >>> table = {"image_id": [7], "candidate": ["a dog"], "references": [["dogs"]]}
        >>> score_columns(table, ["bleu"])["bleu-1"].round(3)
        array([0.])
    """
    chosen = list(metrics_of(metrics))
    given = (columns[name] for name in ("candidate", "references", "image_id"))
    raw = as_samples(chosen_samples(None, *given))
    tokens = tokenised_samples(raw)
    measured = tuple(Measured(m, m.count(tokens), "") for m in chosen)
    return columns_of(Evaluation(tuple(raw), tuple(tokens), measured))
