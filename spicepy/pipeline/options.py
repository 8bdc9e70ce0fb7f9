"""The options of a pipeline."""

from pathlib import Path
from typing import TypedDict

from spicepy.grammar.values import Grammar
from spicepy.samples.sample import Sentences


class PipelineOptions(TypedDict, total=False):
    """The options of a pipeline, by name.

    Attributes:
        grammar: A shipped grammar's name, the path of a folder, or a `Grammar`;
            "spice-1.0" by default.
        model: An installed spaCy model's name or a bundled parser's; by default the
            one that the grammar is written for.
        synonyms: "bundled" (WordNet 3.0), "nltk" (your NLTK corpus) or "none".
        sentences: "join" or "split"; by default "split" for grammars that say what
            pronouns mean (spicepy-1), else "join".
        jobs: Processes that parse; 1 is best below some 5,000 captions.
        cache: A folder where the results of captions are kept for later runs; by
            default the one that the environment variable SPICEPY_CACHE names, and
            with neither none. It changes no number.
    """

    grammar: str | Grammar
    model: str | None
    synonyms: str
    sentences: Sentences | None
    jobs: int
    cache: str | Path | None
