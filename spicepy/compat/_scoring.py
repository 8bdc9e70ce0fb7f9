"""The steps that the stand-ins for CIDEr and ROUGE share.

In: the name of document frequencies, such as "corpus", or a file; samples. Out: a
table of frequencies; the corpus score and the scores of the images.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from spicepy.metrics.base import Array, MeanOfImages, total
from spicepy.metrics.ngrams.frequencies import DocumentFrequencies
from spicepy.tokenization.samples import TokenisedSample


def mean_and_scores(
    metric: MeanOfImages, samples: Sequence[TokenisedSample]
) -> tuple[np.float64, Array]:
    """Return the mean and the scores of the images, shape (images,)."""
    rows = metric.count(samples).rows
    return metric.corpus_scores(total(rows), len(rows))[0], rows[:, 0]


def frequencies_of(df: str, stemming: bool = False) -> DocumentFrequencies | None:
    """Return the document frequencies that `df` names, None for "corpus".

    A name without a folder or ending is also searched as `data/NAME.p`, as in
    self-critical training. Pickles are read without running any code in them.

    Raises:
        InputError: There is no such file, or it holds no document frequencies.
    """
    if df == "corpus":
        return None
    beside = Path("data", f"{df}.p")
    path = beside if not Path(df).is_file() and beside.is_file() else Path(df)
    return DocumentFrequencies.load(path, stemming=stemming)
