"""Every metric of spicepy as a torchmetrics `Metric` (extra `[torch]`).

Corpus scores are tensors of doubles. The state has one row of statistics for each
image, and processes gather these rows. They are added as everywhere in spicepy, so that
the scores equal those of `spicepy.evaluate` to the bit, in the gathered order.
"""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from spicepy.common.errors import InputError
from spicepy.common.resources import required
from spicepy.compat.coco_samples import warn_of_signs
from spicepy.evaluation.evaluation import metrics_of
from spicepy.metrics.base import Metric, total
from spicepy.metrics.ngrams.cider import Cider
from spicepy.metrics.spider import Spider
from spicepy.rewards.batches import flat_batch
from spicepy.tokenization.samples import TokenisedSample

torch = required("torch", "spicepy.compat.torchmetrics")
_Base: Any = required("torchmetrics", "spicepy.compat.torchmetrics").Metric


class CaptionScore(_Base):  # type: ignore[misc]
    """Corpus scores of captions by one metric, gathered over batches and processes.

    Args:
        metric: A metric, or its name ("spice", "bleu", "rouge", "meteor", …). CIDEr
            and SPIDEr need document frequencies:
            `Cider(frequencies=DocumentFrequencies.load(…))`.
        tokenised: Whether captions are tokens joined by spaces already. False
            tokenises each batch by itself.
        options: Options of `torchmetrics.Metric`.

    Raises:
        InputError: No such metric, several, or one without frequencies.

    Usage:
        score = CaptionScore("rouge")
        score.update(["a dog runs"], [["A dog runs.", "dogs"]])
        score.compute()  # {'rouge-l': tensor(1., dtype=torch.float64)}
        MetricTracker(MetricCollection([score]))  # best_metric() of each score
    """

    is_differentiable = False
    higher_is_better = True
    full_state_update = False
    plot_lower_bound = 0.0

    def __init__(
        self, metric: str | Metric = "spice", *, tokenised: bool = False, **options: Any
    ) -> None:
        super().__init__(**options)
        metrics = list(metrics_of([metric]))
        if len(metrics) != 1:
            raise InputError(f"{metric!r} is {len(metrics)} metrics; give one")
        [self.metric] = metrics
        cider = self.metric.cider if isinstance(self.metric, Spider) else self.metric
        if isinstance(cider, Cider) and cider.idf and cider.frequencies is None:
            raise InputError(
                "CIDEr scores batches by common document frequencies; give them: "
                "Cider(frequencies=DocumentFrequencies.load(…))"
            )
        self.tokenised = tokenised
        self.rows: Any
        self.add_state("rows", default=[], dist_reduce_fx="cat")

    def update(self, preds: Sequence[str], target: Sequence[Sequence[str]]) -> None:
        """Add a batch.

        Args:
            preds: One candidate per image.
            target: The references of each.

        Raises:
            InputError: The batch is wrong; names the place in it.
        """
        texts, references, _ = flat_batch(
            preds, target, None, {}, tokenised=self.tokenised
        )
        samples = [
            TokenisedSample(at, text, captions)
            for at, (text, captions) in enumerate(zip(texts, references))
        ]
        if samples:
            warn_of_signs(samples)
            rows = np.ascontiguousarray(self.metric.count(samples).rows)
            self.rows.append(torch.from_numpy(rows).to(self.device))

    def sync(self, *args: Any, **kwargs: Any) -> None:
        """Gather the rows of all processes; one without captions gives none."""
        if not self.rows:
            # torchmetrics would send floats of one dimension, which the others refuse.
            blank = self.metric.count([TokenisedSample(0, "", ("",))]).rows
            self.rows = [torch.from_numpy(blank[:0].copy()).to(self.device)]
        super().sync(*args, **kwargs)

    def compute(self) -> dict[str, Any]:
        """Return corpus score by name; NaN where undefined, or before any caption."""
        # One tensor after processes have gathered theirs.
        parts = self.rows if isinstance(self.rows, list) else [self.rows]
        rows = torch.cat(parts).cpu().numpy() if parts else np.empty(0)
        scores = [math.nan] * len(self.metric.keys)
        if len(rows):
            scores = self.metric.corpus_scores(total(rows), len(rows)).tolist()
        return {
            key: torch.tensor(score, dtype=torch.float64, device=self.device)
            for key, score in zip(self.metric.keys, scores)
        }

    def plot(self, val: Any = None, ax: Any = None) -> Any:
        """Return the figure and axes with scores: those of `compute`, or `val`.

        Args:
            val: The value of `compute` or `forward`, or a list of them by step.
            ax: The axes to draw on.
        """
        return self._plot(val, ax)

    def set_dtype(self, dst_type: Any) -> "CaptionScore":
        """Return the metric unchanged, since statistics are always doubles."""
        return self
