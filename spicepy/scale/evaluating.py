"""Evaluation of any size: scores of the images and of the corpus.

    samples ─ survey ─▶ checked, counted ─ blocks ─ scoring ─▶ Folder ─▶ output

The scores of the corpus have the same bits as `evaluate` gives for the whole in memory.
"""

import json
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from spicepy.captions.reading import chosen_samples
from spicepy.captions.sample import Sample, as_samples
from spicepy.common.errors import InputError
from spicepy.common.json_values import plain
from spicepy.common.progress import advance
from spicepy.common.writing import SCHEMA_VERSION, check_writable
from spicepy.evaluation import measured as totals
from spicepy.evaluation.evaluation import Evaluation, metrics_of
from spicepy.evaluation.options import notes
from spicepy.metrics.base import (
    Metric,
    UsesDocumentFrequencies,
    WordForm,
    exact_sum_of_blocks,
    signature_string,
)
from spicepy.metrics.ngrams.frequencies import HashedFrequencies, count_hashed
from spicepy.scale.blocks import SIZE, Block, Survey, check_unique
from spicepy.scale.folder import BlockResult, Folder, json_lines, parquet_bytes
from spicepy.scale.jobs import Corpus, run_job
from spicepy.tokenization.samples import TokenisedSample, tokenised_samples


@dataclass(frozen=True)
class Scoring:
    """Scores blocks by some metrics."""

    # The metrics; those that need a corpus's frequencies have them already.
    metrics: tuple[Metric, ...]
    ending: str = ".jsonl"  # ".jsonl" or ".parquet", the form of the rows
    # Whether rows of JSON lines have the tuples that were compared.
    tuples: bool = False
    # Whether all image ids are integers (the type of Parquet's column).
    integers: bool = True

    def __call__(self, block: Block[Sample]) -> BlockResult:
        """Score a block."""
        tokens = tokenised_samples(block.items, block.after)
        measured = tuple(totals.Measured(m, m.count(tokens), "") for m in self.metrics)
        evaluation = Evaluation(block.items, tuple(tokens), measured)
        if self.ending == ".parquet":
            rows = parquet_bytes(evaluation.columns(), self._types)
        else:
            rows = json_lines(evaluation.entries(tuples=self.tuples))
        sums = [one.statistics.rows for one in measured]
        signs = totals.signs_among(block.items, tokens, self.metrics)
        facts = {**plain(totals.EmptyCaptions.among(tokens)), "signs": dict(signs)}
        return BlockResult(block.number, rows, sums, facts)

    @cached_property
    def _types(self) -> dict[str, Any]:
        import pyarrow

        numbers = {key: pyarrow.float64() for m in self.metrics for key in m.keys}
        id_type = pyarrow.int64() if self.integers else pyarrow.string()
        return {"image_id": id_type, "candidate": pyarrow.string(), **numbers}


def score_columns(
    columns: Mapping[str, Sequence[Any]], metrics: Sequence[str | Metric] = ("spice",)
) -> dict[str, Any]:
    """Score a batch of a table: columns in, columns out, and nothing else.

    The function that Spark's `mapInPandas`, Dask's `map_partitions` and the like
    apply to the batches of a table. Make metrics once per process and pass them on.

    Args:
        columns: `image_id`, `candidate` and `references` (lists of captions).
        metrics: Names, or metrics. CIDEr needs document frequencies of the whole.

    Returns:
        `image_id`, `candidate` and one column per score, NaN where undefined.

    Raises:
        InputError: A caption or image id is wrong, or an image occurs twice.

    >>> table = {"image_id": [7], "candidate": ["a dog"], "references": [["dogs"]]}
    >>> score_columns(table, ["bleu"])["bleu-1"].round(3)
    array([0.])
    """
    chosen = list(metrics_of(metrics))
    given = (columns[name] for name in ("candidate", "references", "image_id"))
    raw = as_samples(chosen_samples(None, *given))
    tokens = tokenised_samples(raw)
    measured = tuple(totals.Measured(m, m.count(tokens), "") for m in chosen)
    return Evaluation(tuple(raw), tuple(tokens), measured).columns()


@dataclass(frozen=True, slots=True)
class Streamed(totals.CorpusScores):
    """The scores of a corpus that was scored in blocks."""

    images: int  # The number of images
    measured: tuple[totals.Summed, ...]  # The sums of each metric's rows
    warnings: tuple[str, ...]  # Warnings, such as the number of empty captions

    def to_dict(self) -> dict[str, Any]:
        """Return `Evaluation.to_dict` with only the number of images."""
        return self._entry(self.images)


def evaluate_stream(
    samples: Callable[[], Iterator[tuple[str, Sample]]],
    output: str | Path,
    metrics: Sequence[str | Metric] = ("spice",),
    *,
    tuples: bool = False,
    jobs: int = 1,
    captions: int = SIZE,
    further: Sequence[str] = (),
) -> Streamed:
    """Score samples in blocks; a run that was killed can be resumed.

    Args:
        samples: All samples with their places, again at each call, such as
            `Source(paths).samples`.
        output: A `.jsonl` or `.parquet` file with one row per image, or a new folder of
            Parquet files. The scores of the corpus go to `NAME.corpus.json`.
        metrics: Names, or metrics made with options.
        tuples: Add the tuples that were compared to rows of JSON lines.
        jobs: Processes, each of which works on blocks of its own.
        captions: Captions of a block, about.
        further: Warnings to go into the result.
    """
    corpus = Corpus(samples, jobs, captions)
    return evaluate_corpus(corpus, output, metrics, tuples=tuples, further=further)


def evaluate_corpus(
    corpus: Corpus[Sample],
    output: str | Path,
    metrics: Sequence[str | Metric] = ("spice",),
    *,
    tuples: bool = False,
    further: Sequence[str] = (),
) -> Streamed:
    """Score samples on this machine or a cluster; see `evaluate_stream`."""
    folder = Folder(Path(output))
    if not folder.is_folder and folder.output.parent.is_dir():
        check_writable(folder.corpus)
    named = metrics.split(",") if isinstance(metrics, str) else metrics
    warnings = (*further, *notes(name for name in named if isinstance(name, str)))
    return run_job(
        Evaluating(tuple(metrics_of(metrics)), tuples, warnings), corpus, output
    )


@dataclass(frozen=True)
class Evaluating:
    """The job of scoring samples."""

    metrics: tuple[Metric, ...]
    # Whether to add the tuples that were compared to rows of JSON lines.
    tuples: bool = False
    warnings: tuple[str, ...] = ()  # Warnings to go into the result
    stage = "scoring captions"
    nothing = "no samples: at least one image is needed"

    def about(
        self, survey: Survey, corpus: Corpus[Sample], ending: str
    ) -> dict[str, Any]:
        """See `Job`."""
        check_unique(survey, corpus.items)
        survey.hashes = array("Q")  # 8 bytes per image
        if ending == ".parquet" and len(survey.ids) > 1:
            raise InputError(
                f"{survey.ids['int']:,} of {survey.images:,} image ids are integers, "
                "the others text; a column of Parquet holds one of the two: write "
                ".jsonl"
            )
        return {
            "work": "evaluate",
            "signature": "; ".join(self._signatures(survey)),
            "images": survey.images,
            "tuples": self.tuples,
        }

    def work(self, survey: Survey, corpus: Corpus[Sample], ending: str) -> Scoring:
        """See `Job`; counts the n-grams of the whole first, if metrics need that."""
        for metric in self.metrics:
            metric.prepare(survey.captions)
        weighing = [
            metric
            for metric in self.metrics
            if isinstance(metric, UsesDocumentFrequencies)
        ]
        forms = {form for metric in weighing if (form := metric.required_word_form)}
        frequencies = frequencies_of(corpus.blocks, forms, survey.captions)
        ready = tuple(
            metric.with_document_frequencies(frequencies)
            if isinstance(metric, UsesDocumentFrequencies)
            else metric
            for metric in self.metrics
        )
        return Scoring(ready, ending, self.tuples, integers="int" in survey.ids)

    def result(
        self, survey: Survey, folder: Folder, blocks: int
    ) -> tuple[Streamed, str]:
        """See `Job`."""
        empty, signs = totals.EmptyCaptions(), Counter[str]()
        for facts in folder.facts(blocks):
            signs.update(facts.pop("signs"))
            empty += totals.EmptyCaptions(**{**facts, "first": tuple(facts["first"])})
        images = survey.images
        measured = tuple(
            totals.Summed(
                m, (exact_sum_of_blocks(folder.sums(blocks, at), images), images), s
            )
            for at, (m, s) in enumerate(zip(self.metrics, self._signatures(survey)))
        )
        found_signs = totals.sign_sentences(signs, self.metrics)
        warnings = (*self.warnings, *empty.sentences(), *found_signs)
        scores = Streamed(images, measured, warnings)
        values = {"schema_version": SCHEMA_VERSION, **scores.to_dict()}
        return scores, json.dumps(values, ensure_ascii=False, indent=1)

    def _signatures(self, survey: Survey) -> list[str]:
        parts = (metric.signature() for metric in self.metrics)
        return [signature_string(one, survey.references) for one in parts]


def frequencies_of(
    blocks: Callable[[], Iterable[Block[Sample]]],
    forms: Iterable[WordForm],
    captions: int,
) -> dict[WordForm, HashedFrequencies]:
    """Return document frequencies of the references, of words, stems or both."""

    def tokens() -> Iterator[list[TokenisedSample]]:
        done = 0
        for block in blocks():
            yield tokenised_samples(block.items, block.after)
            done += block.captions
            advance("counting n-grams", done, captions)

    return {
        form: count_hashed(tokens(), stemming=form is WordForm.STEMS) for form in forms
    }
