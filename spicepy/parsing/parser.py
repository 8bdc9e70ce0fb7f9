"""Basic dependency trees (`Parse`) of tokenised captions.

The parser is a small model that imitates SPICE's original parser; it is part of the
package (`models/`), is loaded at first use (`loading`) and runs without spaCy
(`bundled`), which makes it several times faster. Stock spaCy models work too; their
labels are mapped to Universal Dependencies v1.

A caption is one sentence and gets one tree.
"""

import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Final, TypeVar

from spicepy.common.errors import InputError, SpicepyWarning
from spicepy.common.processes import processors, run
from spicepy.common.progress import advance
from spicepy.parsing.exact.installed import WITHOUT_NUMBA, is_name, lacks_numba
from spicepy.parsing.loading import DEFAULT, ModelInfo, fingerprint, info, load
from spicepy.parsing.trees import Parse
from spicepy.tokenization.lengths import EXACT_WORDS, WORDS

Out = TypeVar("Out")

BATCH: Final = 1024
"""The number of captions that are parsed together."""
PER_PROCESS: Final = 2000
"""The number of captions for which one more process pays off."""
PER_PROCESS_EXACT: Final = 100
"""The same for a grammar that the user has added, which takes longer."""

MANY: Final = 200
"""A run of more captions by such a grammar says how numba is installed."""


def parse(
    captions: Sequence[str],
    *,
    model: str | None = None,
    jobs: int = 1,
    batch_size: int = BATCH,
) -> list[Parse]:
    """Parse tokenised captions: each gives one tree.

    The tree of a caption depends on the caption and the model alone, not on
    the other captions, `jobs`, `batch_size` or the number of threads.

    Args:
        captions: Tokens of the PTB tokeniser joined by single spaces; repeated
            captions are parsed once. An empty caption gives an empty `Parse`.
        model: Name (or path) of a spaCy model; the bundled parser by default.
        jobs: Processes at most, and at most one a processor; more than one are
            used only for several thousand captions, where they pay off. A script
            that asks for them needs `if __name__ == "__main__":`.
        batch_size: Captions a batch.

    Returns:
        One `Parse` a caption, in order, with Universal Dependencies v1 labels
        and exactly one root.

    Raises:
        InputError: `captions` is a single string, a number is below 1, or a script
            with several processes has no main guard.
        ResourceError: There is no such model, its labels are unknown, or a process
            was killed.
    """
    if isinstance(captions, str):
        raise InputError(f"parse takes a list of captions, not the str {captions!r}")
    for name, value in (("jobs", jobs), ("batch_size", batch_size)):
        if value < 1:
            raise InputError(f"{name} is {value}; it must be at least 1")
    parses: dict[str, Parse] = {}
    work = partial(read, model=model)
    per_process = captions_per_process(model)
    for batch, trees in spread(
        work, captions, jobs, batch_size=batch_size, per_process=per_process
    ):
        parses.update(zip(batch, trees, strict=True))
    return [parses[caption] for caption in captions]


def read(captions: Sequence[str], *, model: str | None = None) -> list[Parse]:
    """Parse tokenised captions of one batch, in this process."""
    words = [[word for word in text.split(" ") if word] for text in captions]
    return load(model or DEFAULT).parse(words)


def spread(
    work: Callable[[list[str]], list[Out]],
    captions: Iterable[str],
    jobs: int,
    *,
    away: Callable[[list[str]], list[Out]] | None = None,
    batch_size: int = BATCH,
    per_process: int = PER_PROCESS,
) -> Iterator[tuple[list[str], list[Out]]]:
    """Run parsing work batch by batch, in several processes where they pay off.

    Args:
        work: A function that returns a result for each caption of a batch.
        captions: Tokenised; repeated ones count once.
        jobs: See `parse`.
        away: The work as it is done in another process; the same by default.
        batch_size: Captions a batch.
        per_process: Captions for which one more process pays off.

    Yields:
        The captions of a batch, which are about equally long, and their results.
    """
    batch_size = min(batch_size, 2 * per_process)
    # The parser reads captions of one length together.
    distinct = sorted(dict.fromkeys(captions), key=lambda text: (text.count(" "), text))
    batches = [
        distinct[start : start + batch_size]
        for start in range(0, len(distinct), batch_size)
    ]
    processes = min(jobs, processors(), len(distinct) // per_process)
    if per_process == PER_PROCESS_EXACT and len(distinct) > MANY and lacks_numba():
        warnings.warn(WITHOUT_NUMBA, SpicepyWarning, stacklevel=2)
    made: Iterator[list[Out]] = map(work, batches)
    if processes > 1:
        batches.reverse()  # so that the last are the quickest, and all end together
        made = run(away or work, batches, processes)
    done = 0
    for batch, results in zip(batches, made, strict=True):
        done += len(batch)
        advance("parsing", done, len(distinct))
        yield batch, results


def captions_per_process(model: str | None) -> int:
    """Return the number of captions for which one more process pays off."""
    return PER_PROCESS_EXACT if is_name(model or DEFAULT) else PER_PROCESS


def most_words(model: str | None) -> int:
    """Return how many words a sentence may have that a model parses by default."""
    return EXACT_WORDS if model and is_name(model) else WORDS


def model_info(model: str | None = None) -> ModelInfo:
    """Return name, version and label scheme of a model.

    Raises:
        ResourceError: There is no such model, or its labels are unknown.
    """
    return info(model or DEFAULT)


def model_fingerprint(model: str | None = None) -> str:
    """Return a digest of all that can change a model's trees.

    Raises:
        ResourceError: There is no such model, or its labels are unknown.
    """
    return fingerprint(model or DEFAULT)


def model_signature(model: str | None = None) -> str:
    """Return "name-version" of a model, the parser's part of a signature.

    Raises:
        ResourceError: There is no such model, or its labels are unknown.
    """
    about = model_info(model)
    return f"{about.name}-{about.version}"
