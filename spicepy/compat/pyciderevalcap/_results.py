"""Candidates and references of self-critical training, as samples.

In: `gts`, image id -> references, and `res`, a list of {"image_id": …, "caption": [one
caption]}, in which an id may occur several times. Out: samples in the order of `res`.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from spicepy.common.errors import InputError, shown
from spicepy.metrics.ngrams.frequencies import DocumentFrequencies
from spicepy.tokenization.samples import TokenisedSample

References = Mapping[Any, Sequence[str]]
Results = Sequence[Mapping[str, Any]]


def samples_of(gts: References, res: Results) -> list[TokenisedSample]:
    """Pair candidates with references.

    Raises:
        InputError: An entry lacks an id or its one caption, or its image has no
            references.
    """
    return [_sample(gts, number, entry) for number, entry in enumerate(res)]


def _sample(gts: References, number: int, entry: Any) -> TokenisedSample:
    try:
        image_id, [candidate] = entry["image_id"], entry["caption"]
    except (TypeError, KeyError, ValueError):
        raise InputError(
            f"res[{number}] is {shown(entry)}; it must be "
            "{'image_id': …, 'caption': [one caption]}"
        ) from None
    references = gts.get(image_id)
    if not references or not isinstance(references, list | tuple):
        raise InputError(
            f"image {shown(image_id)}: gts has {shown(references)}; it must be a list "
            "of references"
        )
    return TokenisedSample(number, candidate, tuple(references))


def frequencies_of(df: str, stemming: bool = False) -> DocumentFrequencies | None:
    """Return the document frequencies that `df` names, None for "corpus".

    A name without a folder or ending is looked for as `data/NAME.p`, too, as
    self-critical training does. Pickles are read without running what is in them.

    Raises:
        InputError: There is no such file, or it holds no document frequencies.
    """
    if df == "corpus":
        return None
    beside = Path("data", f"{df}.p")
    path = beside if not Path(df).is_file() and beside.is_file() else Path(df)
    return DocumentFrequencies.load(path, stemming=stemming)
