"""References that equal a candidate: remove them, and count them by system.

In: judgments and their tokens. Out: the samples to score, and a `Removed` for each
system. A system whose captions were copied from the references loses more references
than others and is then scored against fewer, which can reverse a correlation.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from spicepy.common.errors import InputError
from spicepy.common.lazy_imports import required
from spicepy.common.tables import Table
from spicepy.samples.sample import ImageId
from spicepy.study.judgments import Judgment
from spicepy.tokenization.samples import TokenisedSample

ANYONE = "–"
"""The system of captions without a system."""

_CHANCE = 0.01  # less likely than this if captions of all systems were alike


@dataclass(frozen=True, slots=True)
class Removed:
    """The references that a system's captions lost.

    `references` were removed from the references of `touched` of its `captions`;
    `left_out` of them had no other references.
    """

    system: str
    captions: int
    references: int
    touched: int
    left_out: int


@dataclass(frozen=True, slots=True)
class Kept:
    """The judgments that are scored, their samples and the references removed."""

    judgments: list[Judgment]
    samples: list[TokenisedSample]
    removed: tuple[Removed, ...]


def scored_samples(
    judgments: Sequence[Judgment], words: Mapping[str, str], equal: str
) -> Kept:
    """Return tokenised samples, numbered, and the judgments they come from.

    Args:
        judgments: Rated captions.
        words: Every caption with its tokens joined by spaces.
        equal: The treatment of references equal to a candidate; see `EQUAL`.

    Raises:
        InputError: No caption has references left.
    """
    rated: dict[ImageId, set[str]] = {}
    for judgment in judgments:
        rated.setdefault(judgment.image_id, set()).add(words[judgment.candidate])
    kept: list[Judgment] = []
    samples: list[TokenisedSample] = []
    losses: dict[str, list[tuple[int, bool]]] = {}
    for judgment in judgments:
        candidate = words[judgment.candidate]
        references = tuple(words[c] for c in judgment.references)
        if equal != "keep":
            unwanted = rated[judgment.image_id] if equal == "image" else {candidate}
            references = tuple(c for c in references if c not in unwanted)
        lost = len(judgment.references) - len(references)
        losses.setdefault(judgment.system or ANYONE, []).append((lost, not references))
        if references:
            samples.append(TokenisedSample(len(kept), candidate, references))
            kept.append(judgment)
    if not kept:
        raise InputError("no caption has references other than itself")
    removed = tuple(
        Removed(
            system,
            len(loss),
            sum(lost for lost, _ in loss),
            sum(lost > 0 for lost, _ in loss),
            sum(alone for _, alone in loss),
        )
        for system, loss in losses.items()
    )
    return Kept(kept, samples, removed)


def uneven(removed: Sequence[Removed]) -> str | None:
    """Return one sentence if systems lost more references than chance explains.

    The references removed are compared with the captions of each system by a
    chi-squared test, at 1 %.
    """
    total = sum(r.references for r in removed)
    captions = sum(r.captions for r in removed)
    if not total or len(removed) < 2:
        return None
    stats = required("scipy.stats", "a study of correlations")
    expected = [total * r.captions / captions for r in removed]
    chance = stats.chisquare([r.references for r in removed], expected).pvalue
    if chance >= _CHANCE:
        return None
    most = max(removed, key=lambda r: r.references / r.captions)
    return (
        f"{most.references} of the {total} references removed for being equal to a "
        f"candidate are those of system {most.system}, which wrote {most.captions} of "
        f"{captions} captions and is scored against fewer references than the others; "
        "--equal image gives all captions of an image the same ones"
    )


def removed_table(removed: Sequence[Removed]) -> Table:
    """Return one row a system; no row if nothing was removed."""
    columns = ("system", "captions", "references removed", "from captions", "left out")
    rows = tuple(
        (r.system, r.captions, r.references, r.touched, r.left_out) for r in removed
    )
    shown = rows if any(r.references for r in removed) else ()
    notes = ("left out: captions that had no other references",)
    return Table("References equal to a candidate", columns, shown, notes)
