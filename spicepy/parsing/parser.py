"""Tokenised captions in, one basic dependency tree (`Parse`) each out.

The parser is a small model that imitates SPICE's original parser; it is part of the
package (`models/`), is loaded at first use (`loading`) and runs without spaCy
(`bundled`), which makes it several times faster. Stock spaCy models work too; their
labels are mapped to Universal Dependencies v1.

A caption is one sentence and gets one tree.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final

from spicepy.common.errors import InputError
from spicepy.common.progress import advance
from spicepy.parsing.loading import DEFAULT, ModelInfo, load
from spicepy.parsing.processes import processors, run
from spicepy.parsing.trees import Parse

WORTH_A_PROCESS: Final = 4000
"""Captions that take about as long as starting one more process."""


def parse(
    captions: Sequence[str],
    *,
    model: str | None = None,
    n_process: int = 1,
    batch_size: int = 1024,
) -> list[Parse]:
    """Parse tokenised captions: each gives one tree.

    The tree of a caption depends on the caption and the model alone, not on
    the other captions, `n_process`, `batch_size` or the number of threads.

    Args:
        captions: Tokens of the PTB tokeniser joined by single spaces; repeated
            captions are parsed once. An empty caption gives an empty `Parse`.
        model: Name (or path) of a spaCy model; the bundled parser by default.
        n_process: Processes at most, and at most one a processor; more than one are
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
    for name, value in (("n_process", n_process), ("batch_size", batch_size)):
        if value < 1:
            raise InputError(f"{name} is {value}; it must be at least 1")
    name = model or DEFAULT
    # The parser reads captions of one length together.
    distinct = sorted(dict.fromkeys(captions), key=lambda text: (text.count(" "), text))
    batches = [
        distinct[start : start + batch_size]
        for start in range(0, len(distinct), batch_size)
    ]
    processes = min(n_process, processors(), len(distinct) // WORTH_A_PROCESS)
    parses: dict[str, Parse] = {}
    for batch, trees in zip(batches, _run(batches, name, processes), strict=True):
        parses.update(zip(batch, trees, strict=True))
        advance("parsing", len(parses), len(distinct))
    return [parses[caption] for caption in captions]


def model_info(model: str | None = None) -> ModelInfo:
    """Return name, version and label scheme of a model.

    Raises:
        ResourceError: There is no such model, or its labels are unknown.
    """
    return load(model or DEFAULT).info


def model_signature(model: str | None = None) -> str:
    """Return "name-version" of a model, the parser's part of a signature.

    Raises:
        ResourceError: There is no such model, or its labels are unknown.
    """
    info = model_info(model)
    return f"{info.name}-{info.version}"


def _run(batches: list[list[str]], name: str, processes: int) -> Iterator[list[Parse]]:
    """Yield the trees of each batch; in other processes if they are two or more."""
    work = partial(_parse_batch, name=name)
    if processes < 2:
        yield from map(work, batches)
        return
    load(name)  # complain here, not in a child
    yield from run(work, batches, processes)


def _parse_batch(captions: list[str], name: str) -> list[Parse]:
    return load(name).parse([[w for w in text.split(" ") if w] for text in captions])
