"""Document frequencies counted on disk equal those in memory."""

import numpy as np
import pytest
from paths import ROOT

from spicepy.captions.reading import read_samples
from spicepy.metrics.ngrams import frequencies
from spicepy.metrics.ngrams.cider import Cider
from spicepy.metrics.ngrams.frequencies import DocumentFrequencies, count_hashed
from spicepy.metrics.ngrams.grams import ORDERS, count_grams
from spicepy.tokenization.samples import tokenised_samples

SAMPLES = tokenised_samples(read_samples(ROOT / "fixtures" / "scenes.json"))
BLOCKS = [SAMPLES[at : at + 37] for at in range(0, len(SAMPLES), 37)]


@pytest.mark.parametrize("stemming", [False, True])
def test_every_frequency(monkeypatch: pytest.MonkeyPatch, stemming: bool) -> None:
    monkeypatch.setattr(frequencies, "_HELD", 5_000)
    exact = DocumentFrequencies.of(SAMPLES, stemming=stemming)

    found = count_hashed(BLOCKS, stemming=stemming)

    repeated = sum(int((counts > 1).sum()) for counts in exact.counts)
    assert (found.images, len(found.hashes)) == (exact.images, repeated)
    for n in ORDERS:
        table = exact.table(SAMPLES)
        grams = count_grams(table, n)
        assert (found.idf(table, grams, n) == exact.idf(table, grams, n)).all()


@pytest.mark.parametrize("damped", [False, True])
def test_scores(damped: bool) -> None:
    metric = Cider(damped=damped)
    whole = metric.count(SAMPLES).rows

    ready = metric.with_document_frequencies(
        {metric.required_word_form: count_hashed(BLOCKS, stemming=metric.stemming)}
    )

    parts = np.concatenate([ready.count(block).rows for block in BLOCKS])
    assert parts.tobytes() == whole.tobytes()
    assert ready.signature() == metric.signature()
