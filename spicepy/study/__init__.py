"""Studies of metrics and data sets; each result has its protocol.

* `loocv`: a data set against itself, with lower bounds and rank correlations
  between metrics; `loocv_sets`: several data sets;
* `correlate`: metrics against human scores;
* `pairs`: metrics against human preferences;
* `stability`: the number of images that a stable ranking of systems needs.
"""

from spicepy.study.accuracy import Accuracies, Accuracy, pairs
from spicepy.study.captions import Correlation
from spicepy.study.coefficients import RankMatrix, williams_test
from spicepy.study.correlation import Correlations, Stability, correlate, stability
from spicepy.study.datasets import Judgment, read_judgments
from spicepy.study.leave_one_out import Loocv, Loocvs, Summary, loocv, loocv_sets
from spicepy.study.preferences import Pair, read_pairs
from spicepy.study.scoring import (
    Bound,
    gibberish,
    other_set,
    other_sets,
    random_caption,
    sentences,
)
from spicepy.study.systems import read_system_ratings

__all__ = ["Accuracies", "Accuracy", "Bound", "Correlation", "Correlations"]
__all__ += ["Judgment", "Loocv", "Loocvs", "Pair", "RankMatrix", "Stability", "Summary"]
__all__ += ["correlate", "gibberish", "loocv", "loocv_sets", "other_set", "other_sets"]
__all__ += ["pairs", "random_caption", "read_judgments", "read_pairs"]
__all__ += ["read_system_ratings", "sentences", "stability", "williams_test"]


def __dir__() -> list[str]:
    return sorted(__all__)
