"""Verification: whether the results in the cache equal those of a new parse.

In: a cache. Out: a `Verified`: the number of rows that were compared with a new parse,
and the wrong ones among them. There should be none, since the key of a row has digests
of all that it depends on.
"""

import random
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any, Final

from spicepy.common.errors import SpicepyError
from spicepy.common.progress import advance
from spicepy.common.resources import GRAMMAR
from spicepy.pipeline.cache_store import Store
from spicepy.pipeline.pipeline import Pipeline
from spicepy.rules.tuples import pack, pack_tree

Reader = Callable[[list[str]], list[str]]
"""Texts -> their packed results, made anew."""

_BLOCK: Final = 4_096


@dataclass(frozen=True, slots=True)
class Verified:
    """The result of a comparison.

    Attributes:
        rows: Rows looked at.
        same: The number of rows that a new parse agrees with.
        wrong: Texts of those that it does not agree with.
        damaged: Rows whose check sum is wrong; they are never used.
        others: Rows of other versions, parsers or grammars, which cannot be parsed
            again here and are not used either.
    """

    rows: int
    same: int
    wrong: tuple[str, ...]
    damaged: int
    others: int

    def to_dict(self) -> dict[str, Any]:
        """Return the fields by name."""
        return asdict(self)


def verify(store: Store, sample: int | None = 1_000, seed: int = 0) -> Verified:
    """Parse rows of a cache again.

    Args:
        store: The cache.
        sample: The number of rows, drawn at random; None for all.
        seed: Random seed for sampling rows.
    """
    numbers: Sequence[int] = store.numbers()
    if sample is not None and sample < len(numbers):
        numbers = sorted(random.Random(seed).sample(numbers, sample))
    readers = {
        number: _reader(number, about or {}, store)
        for number, (about, _) in store.namespaces().items()
    }
    rows = same = damaged = others = 0
    wrong: list[str] = []
    for at in range(0, len(numbers), _BLOCK):
        batch = store.rows(numbers[at : at + _BLOCK])
        rows += len(batch)
        damaged += sum(not row.sound for row in batch)
        for namespace in {row.namespace for row in batch if row.sound}:
            kept = {
                r.text: r.result for r in batch if r.sound and r.namespace == namespace
            }
            read = readers.get(namespace)
            if read is None:
                others += len(kept)
                continue
            again = zip(kept, read(list(kept)), strict=True)
            bad = [text for text, result in again if result != kept[text]]
            same += len(kept) - len(bad)
            wrong += bad
        advance("parsing again", min(at + _BLOCK, len(numbers)), len(numbers))
    return Verified(rows, same, tuple(wrong), damaged, others)


def _reader(number: int, about: dict[str, str], store: Store) -> Reader | None:
    """Return what makes the results of a namespace, if this version can make them."""
    try:
        pipeline = Pipeline(
            grammar=about.get("grammar", GRAMMAR),
            model=about["model"],
            synonyms="none",
            cache=store.path.parent,
        )
        known = pipeline.namespace(about["kind"]).number == number
    except (SpicepyError, LookupError):
        return None
    pipeline.cache = None
    if not known:
        return None
    if about["kind"] == "tuples":
        return lambda texts: list(map(pack, pipeline.make(texts)))
    return partial(_trees, pipeline=pipeline)


def _trees(lines: list[str], pipeline: Pipeline) -> list[str]:
    trees = pipeline.trees(lines)
    return [pack_tree(trees[line]) for line in lines]
