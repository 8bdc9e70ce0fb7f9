"""Several systems side by side: the same images, metrics and order of rows.

In: the samples, or the evaluation, of each system by its name. Out: their common
images, an error that says what differs, and the rows of each metric in one order.
"""

from collections.abc import Mapping, Sequence

from spicepy.common.errors import InputError, shown
from spicepy.evaluation.evaluation import Evaluation
from spicepy.evaluation.resampling import MetricRows
from spicepy.evaluation.significance import in_same_order
from spicepy.samples.sample import ImageId, Sample, listed


def common_images(systems: Mapping[str, Sequence[Sample]]) -> dict[str, list[Sample]]:
    """Return the samples of the images that every system has, in the first's order.

    Raises:
        InputError: There is no such image.
    """
    of_image = {n: {s.image_id: s for s in samples} for n, samples in systems.items()}
    first, *others = of_image.values()
    shared = [i for i in first if all(i in other for other in others)]
    if not shared:
        raise InputError("no image is common to all systems")
    return {name: [by_id[i] for i in shared] for name, by_id in of_image.items()}


def check_images(systems: Mapping[str, Sequence[Sample]]) -> None:
    """Refuse systems that lack images or references another system has.

    Raises:
        InputError: It lists the images each system lacks.
    """
    everything: dict[ImageId, tuple[str, ...]] = {}
    for samples in systems.values():
        for sample in samples:
            known = everything.setdefault(sample.image_id, sample.references)
            if known != sample.references:
                raise InputError(
                    f"image {shown(sample.image_id)} has different references in the "
                    "systems' files; give one file with --references"
                )
    faults = []
    for name, samples in systems.items():
        ids = {s.image_id for s in samples}
        missing = [i for i in everything if i not in ids]
        if missing:
            faults.append(f"{name} lacks {listed(missing)}")
    if faults:
        raise InputError(
            "; ".join(faults) + " (use --common to compare the images of all systems)"
        )


def check_comparable(systems: Mapping[str, Evaluation]) -> None:
    """Refuse systems that different metrics scored, or on different images.

    Raises:
        InputError: Two systems differ; it names both and what differs.
    """
    (name, first), *others = systems.items()
    for other, second in others:
        if first.signature != second.signature:
            raise InputError(
                f"{name} and {other} are not comparable: {first.signature!r} "
                f"against {second.signature!r}"
            )
        check_images({name: first.samples, other: second.samples})


def rows_by_metric(systems: Mapping[str, Evaluation]) -> list[MetricRows]:
    """Return each metric and each system's rows, in the first system's order."""
    pairs: list[MetricRows] = []
    for first, *others in zip(*(system.measured for system in systems.values())):
        statistics = [measured.statistics for measured in (first, *others)]
        rows = [in_same_order(first.statistics, one).rows for one in statistics]
        pairs.append((first.metric, rows))
    return pairs
