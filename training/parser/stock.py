"""Trees of a stock spaCy model, as a teacher: words in, a tree of each caption out."""

import importlib.util
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from spicepy.parsing import labels as _universal
from spicepy.parsing.labels import CLEAR, STEPS, load_labels
from spicepy.parsing.spacy_models import StockModel
from spicepy.parsing.trees import MutableTree, Parse
from training.grammar.kbest import Candidate

STOP = "."
"""Stock models read a caption better that ends like a sentence."""

IMITATING = (_universal.loosen_coordinated_participles,)
"""Steps of the mapping that are there because the original errs so."""


def load(package: str) -> StockModel:
    """Load the model that a package holds, wherever in it that is.

    Raises:
        OSError: There is no such package, or no model in it.
    """
    spec = importlib.util.find_spec(package)
    if not spec or not spec.origin:
        raise OSError(f"the package {package} is not installed: pip install {package}")
    configs = Path(spec.origin).parent.glob("*/config.cfg")
    return StockModel(str(next(configs).parent))


def stock_trees(
    model: StockModel, captions: Sequence[Sequence[str]], *, stop: bool = True
) -> list[Candidate | None]:
    """Return Universal Dependencies v1 trees, None where something hangs on the stop.

    Args:
        model: A model with ClearNLP labels.
        captions: Words without punctuation marks.
        stop: Whether the model sees a full stop after them.
    """
    scheme = replace(load_labels(CLEAR), coordinated_participle=False)
    given = [[*words, STOP] for words in captions] if stop else captions
    found: list[Candidate | None] = []
    for words, (tags, heads, labels) in zip(captions, model.analyse(given)):
        size = len(words)
        if stop and (size + 1 in heads[:size] or not heads[size]):
            found.append(None)
            continue
        tags, heads, labels = tags[:size], heads[:size], labels[:size]
        tree = MutableTree(Parse(tuple(words), tags, tuple(words), heads, labels))
        for step in STEPS:
            if step not in IMITATING:
                step(tree, scheme)
        found.append(Candidate(tags, tuple(tree.heads[1:]), tuple(tree.labels[1:])))
    return found
