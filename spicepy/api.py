"""The two one-liners: a caption's scene graph, one candidate's SPICE score.

Whole files go through `spicepy.evaluate`, which batches.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Unpack, overload

from spicepy.captions.sample import Sample, as_samples, check_caption
from spicepy.common.errors import InputError, shown
from spicepy.graph.scene import SceneGraph
from spicepy.metrics.spice import Spice
from spicepy.metrics.spice_image import SpiceScore
from spicepy.pipeline import PipelineOptions, pipeline_for
from spicepy.tokenization.samples import tokenised_samples


@overload
def parse(
    captions: str, *, instances: bool = False, **options: Unpack[PipelineOptions]
) -> SceneGraph: ...
@overload
def parse(
    captions: list[str] | tuple[str, ...],
    *,
    instances: bool = False,
    **options: Unpack[PipelineOptions],
) -> list[SceneGraph]: ...


def parse(
    captions: str | list[str] | tuple[str, ...],
    *,
    instances: bool = False,
    **options: Unpack[PipelineOptions],
) -> SceneGraph | list[SceneGraph]:
    """Parse a caption into its scene graph, or each of several captions.

    Args:
        captions: Raw text; a sequence gives a list of graphs in its order.
        instances: Whether two things of one name ("one woman … another woman") are two
            nodes; SPICE, and every score, has one.
        options: grammar, model, synonyms, jobs; see
            `spicepy.pipeline.PipelineOptions`.

    Raises:
        InputError: A caption is not a string, or an option is unknown.
        GrammarError: The grammar is wrong.
        ResourceError: A model or WordNet is missing.

    Example:
        >>> print(parse("a brown dog is running"))
        (dog) (dog, brown) (dog, run)
    """
    listed = [captions] if isinstance(captions, str) else captions
    if not isinstance(listed, Iterable):
        raise InputError(f"captions: found {shown(listed)}; give a string, or several")
    texts = [
        check_caption(t, "caption", f"caption {k}") for k, t in enumerate(listed, 1)
    ]
    graphs = pipeline_for("parse", options).parse(texts, instances=instances)
    return graphs[0] if isinstance(captions, str) else graphs


def score(
    candidate: str, references: str | Sequence[str], **options: Unpack[PipelineOptions]
) -> SpiceScore:
    """Return SPICE of one candidate caption against its references.

    Args:
        candidate: Raw text.
        references: One or several captions, raw text.
        options: As for `parse`.

    Returns:
        F, precision and recall overall and by category, and the matched,
        missing and spurious tuples.

    Raises:
        InputError: A caption is not a string, there are no references, or an option
            is unknown.

    Example:
        >>> round(score("a man is riding a horse", ["a man on a horse"]).f, 3)
        0.667
    """
    texts: Any = (references,) if isinstance(references, str) else references
    if isinstance(texts, Iterable):
        texts = tuple(texts)
    samples = as_samples([Sample(0, candidate, texts)])
    metric = Spice(pipeline_for("score", options))
    scores: SpiceScore = metric.count(tokenised_samples(samples)).details[0]
    return scores
