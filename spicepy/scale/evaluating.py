"""Evaluation of any size: files in, scores of the images and of the corpus out.

    samples ─ survey ─▶ checked, counted ─ blocks ─ scoring ─▶ Folder ─▶ output

In: samples that can be read twice. Out: the output, and `Streamed`, the scores of the
corpus, with the same bits as `evaluate` gives for the whole in memory.
"""

import json
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from spicepy.common.errors import InputError
from spicepy.common.version import __version__
from spicepy.evaluation.empty_captions import EmptyCaptions
from spicepy.evaluation.evaluation import metrics_of
from spicepy.evaluation.measured import signature_string
from spicepy.metrics.base import Array, Line, Metric
from spicepy.metrics.documents import WeighsDocuments
from spicepy.metrics.registry import notes
from spicepy.metrics.totals import total_of_parts
from spicepy.scale.blocks import CAPTIONS, Block, cut_blocks
from spicepy.scale.engines import Engine, in_processes, work_through
from spicepy.scale.folder import Folder
from spicepy.scale.rows import check_ids
from spicepy.scale.scoring import Scoring
from spicepy.scale.surveys import (
    Samples,
    Survey,
    check_unique,
    frequencies_of,
    survey_samples,
)


@dataclass(frozen=True, slots=True)
class Streamed:
    """The scores of a corpus that was scored in blocks.

    Attributes:
        images: How many there are.
        totals: The sums of each metric's rows.
        metrics: In the same order.
        signature: Everything that can change the numbers.
        warnings: Sentences for people.
    """

    images: int
    metrics: tuple[Metric, ...]
    totals: tuple[Array, ...]
    signature: str
    warnings: tuple[str, ...]

    def lines(self) -> list[Line]:
        """Return corpus scores as lines of a table."""
        both = zip(self.metrics, self.totals)
        return [line for m, t in both for line in m.lines(t, self.images)]

    def scores(self) -> dict[str, float]:
        """Return every corpus score by its key; NaN where undefined."""
        return {
            key: float(score)
            for metric, totals in zip(self.metrics, self.totals)
            for key, score in zip(
                metric.keys, metric.corpus_scores(totals, self.images)
            )
        }

    def to_dict(self) -> dict[str, Any]:
        """`Evaluation.to_dict` with the number of images instead of their scores."""
        corpus: dict[str, Any] = {}
        for metric, totals in zip(self.metrics, self.totals):
            corpus |= metric.corpus_entry(totals, self.images)
        return {
            "signature": self.signature,
            "warnings": list(self.warnings),
            "corpus": corpus,
            "images": self.images,
        }


def evaluate_stream(
    samples: Samples,
    output: str | Path,
    metrics: Sequence[str | Metric] = ("spice",),
    *,
    tuples: bool = False,
    jobs: int = 1,
    engine: Engine | None = None,
    captions: int = CAPTIONS,
    said: Sequence[str] = (),
) -> Streamed:
    """Score samples in blocks; a run that was killed goes on where it was.

    Args:
        samples: All samples with their places, again at each call, such as
            `Source(paths).samples`.
        output: A `.jsonl` or `.parquet` file with a row an image, or a new folder of
            Parquet files. The scores of the corpus go to `NAME.corpus.json`.
        metrics: Names, or metrics made with options.
        tuples: Add the tuples that were compared to rows of JSON lines.
        jobs: Processes, each of which works on blocks of its own.
        engine: Who works on the blocks, instead of processes of this machine.
        captions: Captions of a block, about.
        said: Further warnings to go into the result.

    Raises:
        InputError: A sample is wrong or an image occurs twice (nothing was scored);
            the output cannot be written, is that of another run, or another process
            is writing it.
        ResourceError: A model, WordNet or pyarrow is missing.
    """
    corpus = local_corpus(samples, jobs=jobs, captions=captions)
    if engine is not None:
        corpus = replace(corpus, engine=engine)
    return evaluate_corpus(corpus, output, metrics, tuples=tuples, said=said)


@dataclass(frozen=True)
class Corpus:
    """Samples as an engine works on them.

    Attributes:
        survey: Reads and counts them all.
        samples: All of them with their places.
        blocks: All of them, cut.
        given: The blocks as the engine gets them: themselves, or their addresses.
        engine: Works on the blocks.
        cut: How they are cut; another way does not go on with a run.
    """

    survey: Callable[[], Survey]
    samples: Samples
    blocks: Callable[[], Iterator[Block]]
    given: Callable[[], Iterator[Any]]
    engine: Engine
    cut: Any


def local_corpus(
    samples: Samples, *, jobs: int = 1, captions: int = CAPTIONS
) -> Corpus:
    """Return samples that this machine works on."""

    def cut() -> Iterator[Block]:
        return cut_blocks((sample for _, sample in samples()), captions)

    engine = partial(in_processes, processes=jobs)
    return Corpus(lambda: survey_samples(cut()), samples, cut, cut, engine, captions)


def evaluate_corpus(
    corpus: Corpus,
    output: str | Path,
    metrics: Sequence[str | Metric] = ("spice",),
    *,
    tuples: bool = False,
    said: Sequence[str] = (),
) -> Streamed:
    """`evaluate_stream` for samples that any engine works on."""
    chosen = tuple(metrics_of(metrics))
    named = metrics.split(",") if isinstance(metrics, str) else metrics
    warnings = (*said, *notes(name for name in named if isinstance(name, str)))
    folder = Folder(Path(output))
    with folder.alone():
        return _evaluated(corpus, folder, chosen, tuples, warnings)


def _evaluated(
    corpus: Corpus,
    folder: Folder,
    chosen: tuple[Metric, ...],
    tuples: bool,
    warnings: tuple[str, ...],
) -> Streamed:
    seen = corpus.survey()
    if not seen.images:
        raise InputError("no samples: at least one image is needed")
    check_unique(seen, corpus.samples)
    seen.hashes = array("Q")  # 8 bytes an image
    _check_ids(seen, folder)
    signature = _signature(chosen, seen)
    folder.begin(_about(seen, signature, corpus.cut, tuples))
    weighing = [metric for metric in chosen if isinstance(metric, WeighsDocuments)]
    lacking = {form for metric in weighing if (form := metric.from_corpus)}
    frequencies = frequencies_of(corpus.blocks, lacking, seen.captions)
    ready = tuple(
        metric.with_corpus(frequencies)
        if isinstance(metric, WeighsDocuments)
        else metric
        for metric in chosen
    )
    integers = seen.integers == seen.images
    count = work_through(
        Scoring(ready, folder.ending, tuples, integers),
        folder,
        corpus.given(),
        stage="scoring captions",
        captions=seen.captions,
        engine=corpus.engine,
    )
    result = _result(folder, count, chosen, seen, signature, warnings)
    folder.finish(count, json.dumps(result.to_dict(), ensure_ascii=False, indent=1))
    return result


def _check_ids(seen: Survey, folder: Folder) -> None:
    if folder.ending == ".parquet" and 0 < seen.integers < seen.images:
        raise InputError(
            f"{seen.integers:,} of {seen.images:,} image ids are integers, the others "
            "text; a column of Parquet holds one of the two: write .jsonl"
        )
    if folder.ending == ".parquet":
        check_ids(seen.too_large)


def _signature(metrics: Iterable[Metric], seen: Survey) -> str:
    parts = (signature_string(m.signature(), seen.references) for m in metrics)
    return "; ".join(parts)


def _about(seen: Survey, signature: str, cut: Any, tuples: bool) -> dict[str, Any]:
    return {
        "work": "evaluate",
        "spicepy": __version__,
        "signature": signature,
        "images": seen.images,
        "captions": seen.captions,
        "digest of the captions": seen.digest,
        "captions of a block": cut,
        "tuples": tuples,
    }


def _result(
    folder: Folder,
    count: int,
    metrics: tuple[Metric, ...],
    seen: Survey,
    signature: str,
    said: tuple[str, ...],
) -> Streamed:
    wordless = EmptyCaptions()
    for facts in folder.facts(count):
        wordless += EmptyCaptions(**{**facts, "first": tuple(facts["first"])})
    totals = tuple(
        total_of_parts(folder.sums(count, at), seen.images)
        for at in range(len(metrics))
    )
    warnings = (*said, *wordless.sentences())
    return Streamed(seen.images, metrics, totals, signature, warnings)
