"""A namespace of the cache: the results of one kind that depend on the same things.

In: a `Store` and all that the results depend on beside the text. Out: a `Namespace`:
text -> packed result. A namespace without a store is always empty.
"""

import hashlib
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

from spicepy.extraction.packing import packable

if TYPE_CHECKING:
    from spicepy.pipeline.cache.store import Store

FOLDER_VARIABLE: Final = "SPICEPY_CACHE"
"""The environment variable that names the folder where none is given."""


def open_cache(folder: str | Path | None) -> "Store | None":
    """Return the cache in a folder, which is created if it is missing.

    Args:
        folder: None takes the folder that SPICEPY_CACHE names; "" is no cache.

    Raises:
        InputError: The folder cannot be made, or the limit is no number.
    """
    named = os.environ.get(FOLDER_VARIABLE, "") if folder is None else str(folder)
    if not named:
        return None
    from spicepy.pipeline.cache.store import open_store  # needs SQLite

    return open_store(Path(os.path.abspath(os.path.expanduser(named))))


@dataclass(frozen=True, slots=True)
class Namespace:
    """Results by text.

    Attributes:
        store: The store of the results; None for none.
        basis: All values that the results depend on beside the text, by name.
        names: The names of the parser and the grammar, for people.
    """

    store: "Store | None"
    basis: Mapping[str, str]
    names: Mapping[str, str] = field(default_factory=dict)

    @property
    def number(self) -> int:
        """A number of 63 bits, from all values of `basis`."""
        text = json.dumps(dict(self.basis), sort_keys=True)
        return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") >> 1

    def get(self, texts: Iterable[str]) -> dict[str, str]:
        """Return the results that are known."""
        return {} if self.store is None else self.store.get(self.number, texts)

    def put(self, texts: Sequence[str], results: Iterable[str]) -> None:
        """Keep a result of each text, all of them or (when killed) none.

        Without a store the results are not even made, if they are an iterator.
        """
        if self.store is not None:
            made = zip(texts, results, strict=True)
            rows = {text: result for text, result in made if packable(text)}
            about = json.dumps({**self.basis, **self.names})
            self.store.put(self.number, about, rows)
