"""Label schemes: from ClearNLP labels to Universal Dependencies v1."""

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from spicepy.common.errors import ResourceError
from spicepy.common.resources import labels
from spicepy.parsing.trees import MutableTree, Parse


@dataclass(frozen=True, slots=True)
class LabelMap:
    """A label scheme as data; the file says what each part means."""

    signs: frozenset[str]
    root_participle: bool
    coordinated_participle: bool
    labels: dict[str, str]
    premodifiers: frozenset[str]
    premodifier_tags: tuple[tuple[str, str], ...]
    premodifier: str
    adverbial_nouns: frozenset[str]
    adverbial: dict[str, str]
    be: frozenset[str]
    time: frozenset[str]
    joined: frozenset[tuple[str, ...]]


@lru_cache(maxsize=4)
def load_labels(scheme: str) -> LabelMap:
    """Read `grammars/labels/<scheme>.toml`."""
    path = labels() / f"{scheme}.toml"
    if not path.is_file():
        raise ResourceError(f"no label scheme {scheme!r}: {path} is missing")
    with path.open("rb") as file:
        return _label_map(tomllib.load(file))


def _label_map(data: dict[str, Any]) -> LabelMap:
    before, adverbial, words = (
        data[key] for key in ("premodifiers", "adverbial-nouns", "words")
    )
    return LabelMap(
        signs=frozenset(data["signs"]),
        root_participle=data["options"]["root-participle"],
        coordinated_participle=data["options"]["coordinated-participle"],
        labels=data["labels"],
        premodifiers=frozenset(before["labels"]),
        premodifier_tags=tuple((tag, label) for tag, label in before["tags"]),
        premodifier=before["otherwise"],
        adverbial_nouns=frozenset(adverbial["labels"]),
        adverbial={key: adverbial[key] for key in ("time", "verb", "otherwise")},
        be=frozenset(words["be"]),
        time=frozenset(words["time"]),
        joined=frozenset(tuple(entry.split()) for entry in words["joined"]),
    )


# The changes of head between ClearNLP trees and Universal Dependencies v1.
#
# Each procedure takes the tree as it stands and a `LabelMap`, and changes the tree.
# They run in a fixed order; labels are ClearNLP's until `rename`, but for those
# that a procedure has already settled (marked by `_FIXED`).

_FIXED = "="  # marks a label as final until `rename` takes the mark away
_PREPOSITIONS = frozenset({"prep", "agent", "dative", "prt"})
_PREDICATES = ("attr", "acomp", "oprd")
_PARTICIPLES = frozenset({"VBG", "VBN", "VBD"})


def _set(tree: MutableTree, position: int, head: int, label: str) -> None:
    tree.heads[position] = head
    tree.labels[position] = _FIXED + label


def hang_root_participles(tree: MutableTree, scheme: LabelMap) -> None:
    """Hang "smiling" on "woman" in "a woman smiling", which has no auxiliary."""
    if not scheme.root_participle:
        return
    for verb, label in enumerate(tree.labels):
        if label != "root" or tree.tags[verb] not in ("VBG", "VBN"):
            continue
        children = tree.children(verb)
        subjects = [c for c in children if tree.labels[c] in ("nsubj", "nsubjpass")]
        helpers = [c for c in children if tree.labels[c] in ("aux", "auxpass")]
        if not subjects or any(tree.words[helper] != "being" for helper in helpers):
            continue
        subject = subjects[0]
        if not tree.tags[subject].startswith("NN"):
            continue
        tree.heads[subject], tree.labels[subject] = 0, "root"
        tree.heads[verb], tree.labels[verb] = subject, "acl"
        for child in tree.children(verb):
            if child < subject:  # it belongs to the new head
                tree.heads[child] = subject


def raise_predicates(tree: MutableTree, scheme: LabelMap) -> None:
    """Make the predicate of "be" the head, "be" its cop."""
    for be, word in enumerate(tree.words):
        if word not in scheme.be or tree.labels[be] in ("aux", "auxpass", "case"):
            continue
        children = tree.children(be)
        if any(tree.labels[child] == "expl" for child in children):
            for child in children:
                if tree.labels[child] == "attr":
                    tree.labels[child] = "nsubj"
            continue
        predicate = _predicate(tree, be, children)
        if not predicate:
            continue
        head, label = tree.heads[be], tree.labels[be]
        preposition = tree.heads[predicate]
        tree.replace(be, predicate)
        tree.labels[predicate] = label
        tree.heads[predicate] = head
        if preposition != be:
            _lower_chain(tree, preposition, be, predicate)
        _set(tree, be, predicate, "cop")


def _predicate(tree: MutableTree, be: int, children: list[int]) -> int:
    """Return the predicate of `be`, 0 if there is none."""
    after = [child for child in children if child > be]
    for child in after:
        if tree.labels[child] in _PREDICATES:
            return child
    for child in after:
        if tree.labels[child] == "prep":
            return _object(tree, child)
    return 0


def _object(tree: MutableTree, preposition: int) -> int:
    """Return the noun of a preposition, also below further ones ("out of")."""
    seen = set()
    while preposition not in seen:
        seen.add(preposition)
        if nouns := tree.children(preposition, "pobj"):
            return nouns[0]
        inner = [*tree.children(preposition, "prep")]
        inner += [
            child
            for child in tree.children(preposition, "pcomp")
            if tree.tags[child] in ("IN", "TO")
        ]
        if not inner:
            return 0
        preposition = inner[0]
    return 0


def _lower_chain(tree: MutableTree, last: int, top: int, noun: int) -> None:
    """Make each preposition from `last` up to below `top` a case of `noun`."""
    while last > 0 and last not in (top, noun) and tree.labels[last] != _FIXED + "case":
        above = tree.heads[last]
        others = [child for child in tree.children(last) if child != noun]
        _set(tree, last, noun, "case")
        for child in others:
            tree.heads[child] = noun
        last = above if above != noun else 0


def flatten_coordination(tree: MutableTree, scheme: LabelMap) -> None:
    """Hang all conjuncts and coordinators of a chain on its first word."""
    heads, labels = tree.heads, tree.labels
    for position, label in enumerate(labels):
        lists = ("conj", "cc")
        if label == "appos" and any(tree.children(position, x) for x in lists):
            labels[position] = "conj"
    for position, label in enumerate(labels):
        if label not in ("conj", "cc"):
            continue
        seen = {position}
        while labels[heads[position]] == "conj" and heads[position] not in seen:
            seen.add(heads[position])
            heads[position] = heads[heads[position]]


def lower_prepositions(tree: MutableTree, scheme: LabelMap) -> None:
    """Make prepositions the case of their nouns, the mark of their verbs."""
    for position in range(1, len(tree.words)):
        _join_words(tree, scheme, position)
    for position in range(1, len(tree.words)):
        if tree.labels[position] in _PREPOSITIONS:
            _lower(tree, position)


def _join_words(tree: MutableTree, scheme: LabelMap, first: int) -> None:
    """Join prepositions such as "because of", the second word below the first."""
    second = first + 1
    if tuple(tree.words[first : first + 2]) not in scheme.joined:
        return
    if tree.heads[second] == first and not tree.has_children(second):
        _set(tree, second, first, "mwe")
    elif tree.heads[first] == second and not tree.has_children(first):
        tree.heads[first], tree.labels[first] = tree.heads[second], "prep"
        for child in tree.children(second):
            tree.heads[child] = first
        _set(tree, second, first, "mwe")


def _lower(tree: MutableTree, preposition: int) -> None:
    head = tree.heads[preposition]
    second = _coordinated(tree, preposition)
    if noun := _object(tree, preposition):
        last = tree.heads[noun]
        tree.heads[noun], tree.labels[noun] = head, _FIXED + "nmod"
        _lower_chain(tree, last, head, noun)
        if second and (other := _object(tree, second)):
            tree.heads[other], tree.labels[other] = noun, _FIXED + "conj"
            _lower_chain(tree, second, noun, other)
    elif second and (noun := _object(tree, second)):
        tree.heads[noun], tree.labels[noun] = head, _FIXED + "nmod"
        _set(tree, preposition, noun, "case")
        _set(tree, second, preposition, "conj")
    elif clauses := tree.children(preposition, "pcomp"):
        noun_head = tree.tags[head].startswith("NN")
        _set(tree, clauses[0], head, "acl" if noun_head else "advcl")
        _set(tree, preposition, clauses[0], "mark")
    elif tree.labels[preposition] == "prep" and tree.tags[head].startswith("VB"):
        _set(tree, preposition, head, "compound:prt")


def _coordinated(tree: MutableTree, preposition: int) -> int:
    """Return the preposition that is the conjunct of another, 0 if there is none."""
    for child in tree.children(preposition, "conj"):
        if tree.tags[child] in ("IN", "TO", "RP", "RB"):
            return child
    return 0


def reattach_premodifiers(tree: MutableTree, scheme: LabelMap) -> None:
    """Hang what precedes a noun on it, not on another modifier (flat phrases)."""
    heads, labels = tree.heads, tree.labels
    for position, label in enumerate(labels):
        if label not in scheme.premodifiers:
            continue
        noun, seen = heads[position], {position}
        while (
            labels[noun] in scheme.premodifiers
            and tree.tags[noun].startswith("NN")
            and noun not in seen
        ):
            seen.add(noun)
            noun = heads[noun]
        heads[position] = noun


def rename(tree: MutableTree, scheme: LabelMap) -> None:
    """Give every word its universal label."""
    for position in range(1, len(tree.words)):
        label = tree.labels[position]
        tree.labels[position] = (
            label[1:]
            if label.startswith(_FIXED)
            else _label(tree, scheme, position, label)
        )


def _label(tree: MutableTree, scheme: LabelMap, position: int, label: str) -> str:
    tag, head = tree.tags[position], tree.heads[position]
    if label in scheme.premodifiers:
        for prefix, name in scheme.premodifier_tags:
            if tag.startswith(prefix):
                return name
        return scheme.premodifier
    if label in scheme.adverbial_nouns:
        if not tree.tags[head].startswith("VB"):
            return scheme.adverbial["otherwise"]
        kind = "time" if tree.words[position] in scheme.time else "verb"
        return scheme.adverbial[kind]
    if label == "aux" and tag == "TO":
        return "mark"
    return "root" if label == "root" else scheme.labels.get(label, "dep")


def loosen_coordinated_participles(tree: MutableTree, scheme: LabelMap) -> None:
    """Call a coordinated participle phrase dep, as the original does."""
    if not scheme.coordinated_participle:
        return
    for verb, label in enumerate(tree.labels):
        if label != "acl" or tree.tags[verb] not in _PARTICIPLES:
            continue
        children = tree.children(verb)
        conjuncts = [child for child in children if tree.labels[child] == "conj"]
        if conjuncts and any(
            verb < child < conjuncts[0] and tree.labels[child] != "cc"
            for child in children
        ):
            tree.labels[verb] = "dep"


# Map the labels of stock spaCy models to Universal Dependencies v1.
#
# For "the dog is in the car":
#
#     nsubj(is, dog) prep(is, in) pobj(in, car)
#     →  root(car) nsubj(car, dog) cop(car, is) case(car, in)
#
# The labels are data (`grammars/labels/clear.toml`); changes of head are the small
# procedures above, in a fixed order.

UNIVERSAL = "ud"
CLEAR = "clear"

_UNIVERSAL_SIGNS = frozenset({"nmod", "case", "dobj", "cop"})


def scheme_of(labels: Iterable[str]) -> str:
    """Return the scheme of a parser's labels: "ud" or "clear"."""
    # Universal Dependencies v2 is neither: its `obl` and `obj` say less than v1's
    # `nmod`, `dobj`.
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
    """Return a parse in a scheme's labels as a basic Universal Dependencies v1 tree."""
    if scheme == UNIVERSAL:
        return parse
    tree = MutableTree(parse)
    scheme_map = load_labels(scheme)
    for step in STEPS:
        step(tree, scheme_map)
    heads, labels = tuple(tree.heads[1:]), tuple(tree.labels[1:])
    return Parse(parse.words, parse.tags, parse.lemmas, heads, labels)


STEPS = (
    hang_root_participles,
    raise_predicates,
    flatten_coordination,
    lower_prepositions,
    reattach_premodifiers,
    rename,
    loosen_coordinated_participles,
)
