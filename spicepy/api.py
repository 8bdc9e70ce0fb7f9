"""The two one-liners: a caption's scene graph, one candidate's SPICE score.

Whole files go through `spicepy.evaluation.evaluate`, which batches.
"""

from collections.abc import Sequence
from typing import overload

from spicepy.evaluation.evaluation import tokenised_samples
from spicepy.grammar.loading import DEFAULT, load_grammar
from spicepy.graph.concepts import Lexicon
from spicepy.graph.scene import SceneGraph
from spicepy.metrics.spice.image import SpiceScore
from spicepy.pipeline import propose
from spicepy.samples.sample import Sample, check_caption
from spicepy.tokenization.ptb import tokenize
from spicepy.words.wordnet import load_synonyms


@overload
def parse(
    captions: str,
    *,
    grammar: str = ...,
    model: str | None = ...,
    synonyms: str = ...,
) -> SceneGraph: ...
@overload
def parse(
    captions: list[str] | tuple[str, ...],
    *,
    grammar: str = ...,
    model: str | None = ...,
    synonyms: str = ...,
) -> list[SceneGraph]: ...


def parse(
    captions: str | list[str] | tuple[str, ...],
    *,
    grammar: str = DEFAULT,
    model: str | None = None,
    synonyms: str = "bundled",
) -> SceneGraph | list[SceneGraph]:
    """Parse a caption into its scene graph, or each of several captions.

    Args:
        captions: Raw text; a sequence gives a list of graphs in its order.
        grammar: Name of a grammar, or the path of its folder.
        model: Name of a spaCy model; the bundled caption parser by default.
        synonyms: "bundled" (WordNet 3.0), "nltk" (your NLTK corpus) or "none".

    Raises:
        InputError: A caption is not a string, or an option is unknown.
        GrammarError: The grammar is wrong.
        ResourceError: A model or WordNet is missing.

    Example:
        >>> print(parse("a brown dog is running"))
        (dog) (dog, brown) (dog, run)
    """
    texts = [captions] if isinstance(captions, str) else list(captions)
    texts = [
        check_caption(text, "caption", f"caption {place}")
        for place, text in enumerate(texts, 1)
    ]
    # Each caption is a document of its own: its graph depends on it alone.
    tokens = [tokenize([text])[0] for text in texts]
    proposals = propose(tokens, load_grammar(grammar), model=model)
    lexicon = Lexicon(load_synonyms(synonyms))
    graphs = [SceneGraph.from_proposals([proposals[t]], lexicon) for t in tokens]
    return graphs[0] if isinstance(captions, str) else graphs


def score(candidate: str, references: str | Sequence[str]) -> SpiceScore:
    """SPICE of one candidate caption against its references.

    Returns:
        F, precision and recall overall and by category, and the matched,
        missing and spurious tuples.

    Raises:
        InputError: A caption is not a string, or there are no references.

    Example:
        >>> round(score("a man is riding a horse", ["a man on a horse"]).f, 3)
        0.667
    """
    from spicepy.metrics.spice.metric import Spice
    from spicepy.samples.sample import as_samples

    texts = (references,) if isinstance(references, str) else tuple(references)
    samples = as_samples([Sample(0, candidate, texts)])
    found: SpiceScore = Spice().count(tokenised_samples(samples)).details[0]
    return found
