"""Reading of ready-made scene graphs from files, as `GraphSample` values.

In: files of tuples. Out: checked graphs of candidates and references.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from spicepy.common.errors import InputError, shown
from spicepy.extraction.tuples import Proposals
from spicepy.graph.formats import read_tuples
from spicepy.samples.reading import first, locate, read_records
from spicepy.samples.sample import ImageId


@dataclass(frozen=True, slots=True)
class GraphSample:
    """One image whose candidate and references are tuples already."""

    image_id: ImageId
    candidate: Proposals
    references: Sequence[Proposals]


def read_graphs(path: str | Path) -> list[GraphSample]:
    """Read ready-made tuples: SPICE JSON with lists of tuples for captions.

    `candidate` (or `test`) is a list of tuples, ["dog"], ["dog", "two"] or
    ["dog", "on", "grass"]; `references` (or `refs`) such a list, or one such
    list a reference.

    Raises:
        InputError: See `read_samples`; a tuple has more than three members.
    """
    samples: dict[ImageId, GraphSample] = {}
    for where, record in read_records(path):
        image_id, place = locate(record, where)
        if image_id in samples:
            raise InputError(f"{place}: the image occurs twice")
        candidate = first(record, ("candidate", "test"), place)
        references = first(record, ("references", "refs"), place)
        if not isinstance(references, list):
            raise InputError(
                f"{place}: the references are {shown(references)}; they must be a "
                "list of tuples, or a list of such lists"
            )
        if not references:
            raise InputError(f"{place}: no references; at least one graph is needed")
        if all(_is_tuple(r) for r in references):
            references = [references]
        samples[image_id] = GraphSample(
            image_id,
            read_tuples(candidate, f"{place}, candidate"),
            tuple(
                read_tuples(r, f"{place}, reference {k}")
                for k, r in enumerate(references, 1)
            ),
        )
    return list(samples.values())


def _is_tuple(value: Any) -> bool:
    return isinstance(value, str) or (
        isinstance(value, list)
        and all(isinstance(v, str) for v in value)
        and value != []
    )
