"""Choices and defaults, apart from the slow modules that use them.

Importing this loads no other stage, so that `--help` is quick and workers begin beside
all other imports.
"""

from dataclasses import dataclass, fields
from enum import StrEnum
from numbers import Integral, Real
from pathlib import Path
from typing import Annotated, Any, Final, Literal, get_args

from spicepy.common.errors import InputError, brief, check_kind, counted
from spicepy.common.resources import GRAMMAR

SEED: Final = 12345  # The seed of every resampling, unless another one is given

RELIABLE: Final = 0.5
"""Findings that are right with a lower probability are hidden, unless asked for."""

Correction = Literal["holm", "benjamini-hochberg", "none"]

Family = Literal["score", "all"]
"""The tests that are corrected together: those of one score (all pairs of systems),
or all of a comparison."""

Raters = Literal["average", "flatten"]
"""The use of several ratings of a caption: their mean, or each as a point."""

Equal = Literal["own", "image", "keep"]
"""The treatment of references equal to a candidate; see `study.judgments.EQUAL`."""

Ties = Literal["half", "strict", "equal"]
"""The credit for a pair whose captions score alike: a half, none, all of it."""


class GraphFormat(StrEnum):
    """The formats of a scene graph."""

    tuples = "tuples"
    json = "json"
    node_link = "node-link"
    dot = "dot"
    svg = "svg"
    factual = "factual"
    sng = "sng-parser"
    visual_genome = "visual-genome"


def check_settings(samples: int, level: float, seed: int = SEED) -> None:
    """Refuse numbers that no test can use, before any work."""
    check_seed(seed)
    check_kind("samples are", samples, Integral, "give a whole number from 2")
    check_kind("level is", level, Real, "give a number between 0 and 1")
    if samples < 2:
        raise InputError(
            f"{counted(samples, 'resample')}; at least 2 are needed, 1000 are usual"
        )
    if not 0 < level < 1:
        raise InputError(f"level {level} is not between 0 and 1 (0.95 is usual)")


def check_share(name: str, value: float) -> None:
    """Refuse a value that is not a number from 0 to 1."""
    if not isinstance(value, Real) or not 0 <= float(value) <= 1:
        raise InputError(f"{name} is {brief(value)}; it must be a number from 0 to 1")


def check_seed(seed: int) -> None:
    """Refuse a seed that the generator of random numbers does not take."""
    if not isinstance(seed, Integral) or seed < 0:
        raise InputError(f"seed is {brief(seed)}; it must be a whole number from 0")


# The options of the pipeline and of the metrics: names, defaults and help.
#
# Each is declared here once, for Python and for the command line, with its help.

Sentences = Literal["join", "split"]
"""Whether a caption of several sentences is read as one, as coco-caption does, or
sentence by sentence."""

File = str | Path


@dataclass(frozen=True, kw_only=True)
class PipelineOptions:
    """The options of a pipeline, by name; `grammar` may also be a `Grammar`."""

    model: Annotated[
        str | None,
        "A parser instead of the one that the grammar is written for: a bundled one, "
        "english-pcfg-3.6.0 (exact; see `spicepy model add`), or an installed spaCy "
        "model. SPICEPY_MODEL can also name one.",
    ] = None
    grammar: Annotated[Any, "A grammar's name or folder."] = GRAMMAR
    synonyms: Annotated[str, "bundled (WordNet 3.0), nltk (your corpus) or none."] = (
        "bundled"
    )
    sentences: Annotated[
        Sentences | None,
        "Captions of several sentences: split them, or join them to one as "
        "coco-caption does. By default split for spicepy-1, join for spice-1.0.",
    ] = None
    cache: Annotated[
        File | None,
        "A folder that keeps what is parsed: the next run, or this one after it was "
        "killed, parses only what is new.",
    ] = None
    jobs: Annotated[int, "Processes for parsing and for matching graphs."] = 1


@dataclass(frozen=True, kw_only=True)
class MetricOptions(PipelineOptions):
    """The options of metrics that are made by name; each takes those that it needs."""

    categories: Annotated[
        File | None, 'More SPICE categories: "extended", or a TOML file.'
    ] = None
    paraphrases: Annotated[
        File | None, "METEOR's paraphrase table (paraphrase-en.gz)."
    ] = None
    frequencies: Annotated[
        File | None, "CIDEr's document frequencies, saved by an earlier run."
    ] = None
    vectors: Annotated[
        File | None,
        "spice-soft and other metrics by meaning: word vectors (GloVe, word2vec or "
        "fastText text, .npz) instead of the bundled table.",
    ] = None
    instances: Annotated[
        tuple[File, ...],
        "chair, counting: annotated objects in COCO's format, one file or several.",
    ] = ()
    variant: Annotated[
        str,
        "chair: how objects are found; clean, or as the scripts do it: pattern, nltk.",
    ] = "clean"
    vocabulary: Annotated[
        File | None,
        "chair, counting: object classes and their words; coco-80, a TOML file, or an "
        "annotation file.",
    ] = None
    answers: Annotated[
        File | None, "faithful: a vision model's answers (see spicepy verify)."
    ] = None


for _kind in (PipelineOptions, MetricOptions):  # for `help` and the documentation
    _kind.__doc__ = f"{_kind.__doc__}\n\n    Attributes:"
    for _field in fields(_kind):
        _kind.__doc__ += f"\n        {_field.name}: {get_args(_field.type)[1]}"
