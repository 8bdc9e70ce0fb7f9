"""Parsing: dependency trees (`Parse`) of tokenised captions.

`parser` finds and runs a model: the bundled one (`bundled`, without
spaCy) or a stock spaCy model (`spacy_models`), whose labels `labels` maps to Universal
Dependencies v1.
"""

from spicepy.parsing.parser import (
    DEFAULT,
    ModelInfo,
    available_models,
    model_info,
    model_signature,
    parse,
)
from spicepy.parsing.trees import Parse

__all__ = ["DEFAULT", "ModelInfo", "Parse", "available_models", "model_info"]
__all__ += ["model_signature", "parse"]
