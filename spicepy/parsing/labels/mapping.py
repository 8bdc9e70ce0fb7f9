"""Map the labels of stock spaCy models to Universal Dependencies v1.

In: a `Parse` as the model labels it, and the name of its label scheme. Out: a
basic tree that `collapse` takes like one of the bundled parser. For "the dog is
in the car":

    nsubj(is, dog) prep(is, in) pobj(in, car)
    →  root(car) nsubj(car, dog) cop(car, is) case(car, in)

The labels are data (`grammars/labels/clear.toml`); changes of head are the
small procedures of `heads`, in a fixed order.
"""

from collections.abc import Iterable

from spicepy.common.errors import ResourceError
from spicepy.parsing.labels import heads as _universal
from spicepy.parsing.labels.schemes import load_labels
from spicepy.parsing.mutable_tree import MutableTree
from spicepy.parsing.trees import Parse

UNIVERSAL = "ud"
CLEAR = "clear"

_UNIVERSAL_SIGNS = frozenset({"nmod", "case", "dobj", "cop"})


def scheme_of(labels: Iterable[str]) -> str:
    """Return the scheme of a parser's labels: "ud" or "clear".

    Raises:
        ResourceError: Neither scheme has such labels (Universal Dependencies
            v2 is one: its `obl` and `obj` say less than v1's `nmod`, `dobj`).
    """
    known = set(labels)
    if load_labels(CLEAR).signs <= known:
        return CLEAR
    if known >= _UNIVERSAL_SIGNS:
        return UNIVERSAL
    raise ResourceError(
        "the model's dependency labels are of no known scheme: "
        f"{', '.join(sorted(known)) or 'it has none'}; use a model with the labels "
        "of en_core_web_sm (prep, pobj …) or Universal Dependencies v1 "
        "(nmod, case, dobj, cop …)"
    )


def to_universal(parse: Parse, scheme: str) -> Parse:
    """Return the parse as a basic Universal Dependencies v1 tree.

    Args:
        parse: A tree in the labels of `scheme`; its root is labelled "root".
        scheme: The label scheme of the model, from `scheme_of`.
    """
    if scheme == UNIVERSAL:
        return parse
    tree = MutableTree(parse)
    scheme_map = load_labels(scheme)
    for step in STEPS:
        step(tree, scheme_map)
    heads, labels = tuple(tree.heads[1:]), tuple(tree.labels[1:])
    return Parse(parse.words, parse.tags, parse.lemmas, heads, labels)


STEPS = (
    _universal.hang_root_participles,
    _universal.raise_predicates,
    _universal.flatten_coordination,
    _universal.lower_prepositions,
    _universal.reattach_premodifiers,
    _universal.rename,
    _universal.loosen_coordinated_participles,
)
