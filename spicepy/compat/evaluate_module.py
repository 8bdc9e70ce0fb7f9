"""Every metric of spicepy as a module script of Hugging Face `evaluate`.

`evaluate` loads the script by its path, offline; the configuration names the metric:

    from spicepy.compat import evaluate_module
    spice = evaluate.load(evaluate_module.__file__, "spice")
    spice.compute(predictions=["a dog"], references=[["A dog runs."]])
"""

from collections.abc import Sequence
from typing import Any

import spicepy
from spicepy.common.errors import InputError
from spicepy.common.resources import required

# `evaluate` takes the first class of a script that is one of its own: no other name of
# this module may stand for one.
datasets: Any = required("datasets", "spicepy.compat.evaluate_module")
evaluate: Any = required("evaluate", "spicepy.compat.evaluate_module")


class CaptionMetric(evaluate.Metric):  # type: ignore[misc]
    """Corpus scores of captions by the metric that the configuration names.

    Without a configuration the metric is SPICE.
    """

    def _info(self) -> Any:
        text = datasets.Value("string")
        several = {"predictions": text, "references": datasets.Sequence(text)}
        one = {"predictions": text, "references": text}
        return evaluate.MetricInfo(
            description="Caption evaluation: SPICE, BLEU, ROUGE-L, METEOR, CIDEr-D.",
            citation="",
            inputs_description="predictions: captions; references: those of each image",
            features=[datasets.Features(several), datasets.Features(one)],
        )

    def add_batch(
        self, *, predictions: Any = None, references: Any = None, **kwargs: Any
    ) -> None:
        """Add captions, as `evaluate` does."""
        if predictions is not None and len(predictions) == 0:
            raise InputError("no captions: predictions and references are empty")
        super().add_batch(predictions=predictions, references=references, **kwargs)

    def _compute(
        self,
        predictions: Sequence[str],
        references: Sequence[Sequence[str] | str],
        *,
        tokenised: bool = False,
    ) -> dict[str, float]:
        """Return corpus scores by name; NaN where undefined."""
        given = [[texts] if isinstance(texts, str) else texts for texts in references]
        name = self.config_name
        evaluation = spicepy.evaluate(
            candidates=predictions,
            references=given,
            metrics=["spice" if name == "default" else name],
            tokenised=tokenised,
        )
        return evaluation.scores()
