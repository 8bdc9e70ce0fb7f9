"""Results by text: read them from the cache, or make and keep them.

In: texts, and functions that make, pack and unpack results. Out: text -> result.
"""

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import Generic, TypeVar

from spicepy.parsing.parser import spread
from spicepy.pipeline.cache.namespace import Namespace

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ResultKind(Generic[T]):
    """A kind of result.

    Attributes:
        make: A function from a batch of texts to their results, in this process.
        away: The same, as it is done in another process.
        pack, unpack: To a string that the cache keeps, and back with the text; a
            damaged string raises `ValueError`.
    """

    make: Callable[[list[str]], list[T]]
    away: Callable[[list[str]], list[T]]
    pack: Callable[[T], str]
    unpack: Callable[[str, str], T]


def get_or_make(
    texts: Iterable[str],
    kind: ResultKind[T],
    namespace: Namespace,
    *,
    jobs: int,
    per_process: int,
) -> dict[str, T]:
    """Return the result of each text; make and keep those that the cache lacks.

    Args:
        texts: The texts; repeated ones count once.
        kind: The functions that make, pack and unpack results.
        namespace: The part of the cache that keeps the results.
        jobs: Processes at most.
        per_process: Texts for which one more process pays off.
    """
    distinct = list(dict.fromkeys(texts))
    results: dict[str, T] = {}
    for text, packed in namespace.get(distinct).items():
        with suppress(ValueError):  # damaged
            results[text] = kind.unpack(packed, text)
    new = [text for text in distinct if text not in results]
    for batch, made in spread(
        kind.make, new, jobs, away=kind.away, per_process=per_process
    ):
        namespace.put(batch, map(kind.pack, made))
        results.update(zip(batch, made, strict=True))
    return results
