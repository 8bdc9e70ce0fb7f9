"""Repairs of lists in the trees of a parser that reads commas, step by step.

The network often reads a comma as part of a name, hangs items on the wrong item, or
takes a verb after a comma for a noun. After these steps all items of a list and its
coordinator hang on the first item, as collapsing expects:

    a toilet, sink and tub        toilet ◀compound─ sink ─conj▶ tub
                               →  toilet ─conj▶ sink, toilet ─conj▶ tub
    a desk with a lamp, mouse     desk ─nmod▶ lamp, desk ─nmod▶ mouse
                               →  lamp ─conj▶ mouse
    cooks, cleans and sings       cooks ─dobj▶ cleans ─conj▶ sings
                               →  cooks ─conj▶ cleans, cooks ─conj▶ sings

They are steps in code and not cards of a grammar because they look at the words right
before and after a comma, in trees that are not yet collapsed, and because they correct
the habits of one kind of parser, whatever grammar follows. What can be said of edges
alone is on cards (`grammars/spicepy-1`: `verb-in-list-of-nouns`, `lists.toml`).

In the result no comma stands inside a name that other items of a
list follow or between a verb and its object, in which no phrase after a comma lacks its
preposition, no noun has an object, and a coordinator hangs on the first item. The rules
share nothing among the items of a list whose first item has no coordinator.

Each step has an example and a counter-example in its docstring, which tests run. They
have word/tag/head/label of each word; `6>4` is a head 6 that becomes 4.
"""

from collections.abc import Sequence
from typing import Final

from spicepy.parsing.trees import COMMA, Annotations, MutableTree, Parse, is_tree

LIST: Final = frozenset(["cc", "conj"])
FINITE: Final = frozenset(["VBD", "VBP", "VBZ"])
_READ_AS: Final = ("dobj", "conj")
_CLAUSES: Final = frozenset(["advcl", "ccomp", "dep", "parataxis", "xcomp"])
_OF_CLAUSES: Final = frozenset(["aux", "cop", "expl", "mark", "nsubj", "nsubjpass"])
"""Labels of what only a clause of its own has."""
_NOUN_OF: Final = {"VBZ": "NNS", "VBP": "NN", "VB": "NN"}
"""Form of a verb -> the form of the nouns that look like it."""


def repair_lists(words: Sequence[str], annotations: Annotations) -> Annotations:
    """Return the tree of words and commas with items of lists on the first item."""
    if "conj" not in annotations.labels and COMMA not in words:
        return annotations
    tags, heads, labels = annotations
    tree = MutableTree(Parse(tuple(words), tags, (), heads, labels))
    commas = [position for position, word in enumerate(tree.words) if word == COMMA]
    for comma in reversed(commas):  # The last item of a name decides for all others.
        split_name(tree, comma)
    for comma in commas:
        for step in STEPS:
            step(tree, comma)
    raise_coordinators(tree)
    heads = tuple(tree.heads[1:])
    if heads.count(0) != 1 or not is_tree(heads):  # A list may hang on its own part.
        return annotations
    return Annotations(tuple(tree.tags[1:]), heads, tuple(tree.labels[1:]))


def split_name(tree: MutableTree, comma: int) -> None:
    """Make the last word before a comma the first item, if it is part of a name.

    Example: room/NN/0/root with/IN/6>4/case a/DT/6>4/det toilet/NN/6>1/compound>nmod
        ,/,/6/punct sink/NN/1>4/nmod>conj and/CC/6>4/cc tub/NN/6>4/conj
    But not: silver/NN/4/compound ,/,/4/punct metal/JJ/4/amod fridge/NN/0/root
    """
    heads, labels = tree.heads, tree.labels
    before = [position for position in range(1, comma) if heads[position] > comma]
    parts = [position for position in before if labels[position] == "compound"]
    if not parts:
        return
    first, second = parts[-1], heads[parts[-1]]
    items = _items(tree, second)
    if not items and labels[second] == "nmod":
        # The last item may hang on the governor: "a room with a bed, rug and lamps".
        items = [item for item in _items(tree, heads[second]) if item > second]
        for position in items:
            heads[position] = second
    if not items:
        return
    heads[first], labels[first] = heads[second], labels[second]
    heads[second], labels[second] = first, "conj"
    for position in (*before, *items):
        if heads[position] == second:
            heads[position] = first


def read_name_as_clause(tree: MutableTree, comma: int) -> None:
    """Make a clause of a name with a plural inside.

    Example: a/DT/4>2/det clown/NN/3/compound>nsubj juggles/NNS>VBZ/4>0/compound>root
        balls/NNS/0>3/root>dobj ,/,/4/punct pins/NNS/4/conj
    But not: a/DT/4/det metal/NN/4/compound trash/NN/4/compound cans/NNS/0/root
        ,/,/4/punct pins/NNS/4/conj
    """
    tags, heads, labels = tree.tags, tree.heads, tree.labels
    subject, verb, last = comma - 3, comma - 2, comma - 1
    if subject < 1 or tags[subject:comma] != ["NN", "NNS", "NNS"]:
        return
    for position in (subject, verb):
        if heads[position] not in (verb, last) or labels[position] != "compound":
            return
    tags[verb] = "VBZ"
    heads[verb], labels[verb] = heads[last], labels[last]
    heads[last], labels[last] = verb, "dobj"
    heads[subject], labels[subject] = verb, "nsubj"
    for position in range(1, subject):
        if heads[position] in (verb, last):
            heads[position] = subject


def read_names_as_predicates(tree: MutableTree, comma: int) -> None:
    """Make verbs of the first words of all items after a verb and its object.

    The parser may also make an item of the verb, right before its object.

    Example: chef/NN/2/nsubj chops/VBZ/0/root leeks/NNS/2/dobj ,/,/3/punct
        stirs/NNS>VBZ/6>2/compound>conj soup/NN/3>5/conj>dobj and/CC/3>2/cc
        salts/NNS>VBZ/3>2/conj meat/NN/3>8/conj>dobj
    But not: chef/NN/2/nsubj chops/VBZ/0/root leeks/NNS/2/dobj ,/,/3/punct
        tomato/NN/6/compound soup/NN/3/conj
    """
    tags, heads, labels = tree.tags, tree.heads, tree.labels
    first, verb = comma - 1, heads[comma - 1]
    if verb < 1 or labels[first] != "dobj" or tags[verb] != "VBZ":
        return
    parts = _items(tree, first)
    conjuncts = [position for position in parts if labels[position] == "conj"]
    items = [position for position in conjuncts if position + 1 not in conjuncts]
    if not items or not all(_may_be_predicate(tree, item) for item in items):
        return
    for item in items:
        tags[item - 1] = "VBZ"
        heads[item - 1], labels[item - 1] = verb, "conj"
        heads[item], labels[item] = item - 1, "dobj"
    for position in parts:
        if labels[position] == "cc":
            heads[position] = verb


def join_object_of_noun(tree: MutableTree, comma: int) -> None:
    """Make an item of what was read as the object of a noun before the comma.

    Example: room/NN/0/root with/IN/3/case signs/NNS/1/nmod ,/,/3/punct a/DT/6/det
        clock/NN/3/dobj>conj and/CC/3/cc lamps/NNS/3/conj
    But not: man/NN/2/nsubj holds/VBZ/0/root ,/,/2/punct a/DT/5/det clock/NN/2/dobj
    """
    second = _hung_before(tree, comma)
    if not second or tree.labels[second] != "dobj":
        return
    noun = tree.heads[second]
    first = tree.heads[noun] if tree.labels[noun] == "conj" else noun
    if tree.tags[noun].startswith("NN") and tree.tags[second].startswith("NN"):
        _join(tree, second, first)


def join_bare_phrase(tree: MutableTree, comma: int) -> None:
    """Make a phrase without a preposition an item of the phrase before the comma.

    Example: desk/NN/0/root with/IN/3/case lamp/NN/1/nmod ,/,/3/punct
        phone/NN/1>3/nmod>conj and/CC/5>3/cc mouse/NN/5>3/conj
    But not: man/NN/0/root in/IN/3/case suit/NN/1/nmod ,/,/3/punct on/IN/6/case
        bench/NN/1/nmod
    """
    bare = _hung_before(tree, comma)
    if not bare or tree.labels[bare] != "nmod" or tree.has_children(bare, "case"):
        return
    governor = tree.heads[bare]
    phrases = tree.children(governor, "nmod")
    before = [position for position in phrases if governor < position < comma]
    if before and tree.has_children(before[-1], "case"):
        _join(tree, bare, before[-1])


def join_predicate(tree: MutableTree, comma: int) -> None:
    """Make a verb of what was read as the object of the verb before the comma.

    Example: man/NN/2/nsubj jumps/VBZ/0/root ,/,/2/punct twists/NNS>VBZ/2/dobj>conj
        and/CC/4>2/cc lands/NNS>VBZ/4>2/conj
    But not: she/PRP/2/nsubj sits/VBZ/0/root ,/,/2/punct head/NN/2/dobj down/RB/4/advmod
    """
    tags, heads, labels = tree.tags, tree.heads, tree.labels
    verb, second = comma - 1, comma + 1
    if verb < 2 or second >= len(heads) or not _may_be(tree, second, tags[verb]):
        return
    is_item = labels[verb] == "conj"
    if tree.words[verb - 1] == COMMA and not is_item:  # "buildings, docks, boats"
        return
    first = heads[verb] if is_item else verb
    is_object = labels[second] in _READ_AS and heads[second] in (first, verb)
    if not is_object or not tags[first].startswith("VB"):
        return
    tags[second] = tags[verb]
    last = _join(tree, second, first)
    if labels[last - 2 : last] == ["cc", "compound"]:  # "and cooks vegetables"
        heads[last - 1], labels[last - 1] = first, "conj"
        heads[last], labels[last] = last - 1, "dobj"
        last -= 1
    if _may_be(tree, last, tags[verb]):
        tags[last] = tags[verb]


def join_clause(tree: MutableTree, comma: int) -> None:
    """Make a verb after a comma, which has no subject, an item of the verb before.

    Example: man/NN/2/nsubj takes/VBZ/0/root it/PRP/2/dobj ,/,/2/punct
        runs/VBZ/2/ccomp>conj
    But not: man/NN/2/nsubj says/VBZ/0/root ,/,/2/punct it/PRP/5/nsubj runs/VBZ/2/ccomp
    """
    second = comma + 1
    if second >= len(tree.heads) or tree.labels[second] not in _CLAUSES:
        return
    first, tag = tree.heads[second], tree.tags[second]
    if tag not in FINITE or not 0 < first < comma or tree.tags[first] != tag:
        return
    if not any(tree.labels[x] in _OF_CLAUSES for x in tree.children(second)):
        tree.labels[second] = "conj"


def join_inner_list(tree: MutableTree, comma: int) -> None:
    """Hang the items of the second item, which follows a comma, on the first one.

    Material after the list is also attached, because all items share it.

    Example: ham/NN/0/root ,/,/1/punct old/JJ/4/amod brie/NN/1/conj and/CC/4>1/cc
        egg/NN/4>1/conj on/IN/8/case rice/NN/4>1/nmod
    But not: ham/NN/0/root or/CC/1/cc egg/NN/1/conj ,/,/1/punct rice/NN/1/conj
        and/CC/5/cc pea/NN/5/conj
    """
    second = _hung_before(tree, comma)
    if not second or tree.labels[second] != "conj":
        return
    first, items = tree.heads[second], _items(tree, second)
    if not items or any(tree.labels[x] == "cc" for x in _items(tree, first)):
        return
    for position in tree.children(second):
        if position >= items[0]:
            tree.heads[position] = first


def close_list(tree: MutableTree, comma: int) -> None:
    """Give a list in a phrase the coordinator and last items that its governor has.

    Within a phrase the items after "of" are the outer phrase's: "a table with a plate
    of food, a glass and a cup".

    Example: tray/NN/0/root of/IN/3/case cups/NNS/1/nmod ,/,/3/punct spoons/NNS/3/conj
        ,/,/1/punct and/CC/1>3/cc jar/NN/1>3/conj
    But not: man/NN/0/root with/IN/3/case hat/NN/1/nmod ,/,/3/punct and/CC/1/cc
        dog/NN/1/conj
    """
    first = comma - 1
    if tree.labels[first] != "nmod":
        return
    governor = tree.heads[first]
    cases = [tree.words[position] for position in tree.children(first, "case")]
    if tree.heads[governor] > 0 and "of" in cases:
        return
    own = _items(tree, first)
    others = [
        position for position in _items(tree, governor) if own and position > own[0]
    ]
    is_open = not any(tree.labels[position] == "cc" for position in own)
    if is_open and any(tree.tags[position].startswith("NN") for position in others):
        for position in others:
            tree.heads[position] = first


def move_phrases(tree: MutableTree, comma: int) -> None:
    """Hang what stands after a list of bare verbs on the last of them.

    Example: men/NNS/2/nsubj jump/VBP/0/root ,/,/2/punct spin/VBP/2/conj and/CC/2/cc
        clap/VBP/2/conj on/IN/8/case ice/NN/2>6/nmod
    But not: men/NNS/2/nsubj jump/VBP/0/root ,/,/2/punct twists/NNS/2/conj on/IN/6/case
        ice/NN/2/nmod
    """
    first = comma - 1
    items = _items(tree, first)
    if (
        tree.tags[first] in FINITE
        and items
        and tree.tags[items[-1]] == tree.tags[first]
    ):
        for position in tree.children(first, "nmod"):
            if position > items[-1]:
                tree.heads[position] = items[-1]


def hang_on_phrase(tree: MutableTree, comma: int) -> None:
    """Hang a comma within a list on the noun with a preposition before it.

    So cards can tell "a desk with a lamp, a mouse" from "a desk, a mouse with a lamp".

    Example: desk/NN/0/root with/IN/3/case lamp/NN/1/nmod ,/,/1>3/punct mouse/NN/1/conj
    But not: desk/NN/0/root with/IN/3/case lamp/NN/1/nmod ,/,/1/punct and/CC/1/cc
        bed/NN/1/conj
    """
    before, after = comma - 1, comma + 1
    is_inside = after < len(tree.heads) and tree.heads[comma] > 0
    if is_inside and tree.labels[before] == "nmod" and tree.tags[after] != "CC":
        tree.heads[comma] = before


STEPS: Final = (
    read_name_as_clause,
    join_object_of_noun,
    join_bare_phrase,
    join_predicate,
    join_clause,
    join_inner_list,
    read_names_as_predicates,
    close_list,
    move_phrases,
    hang_on_phrase,
)
"""The steps at each comma, from left to right, after names are split at all of them.

First what is a clause, then what is an item, whether of verbs or nouns, then what hangs
on which item.
"""


def raise_coordinators(tree: MutableTree) -> None:
    """Hang the coordinators of an item that has no items itself on the first item.

    Example: ham/NN/0/root ,/,/1/punct cheese/NN/1/conj and/CC/3>1/cc tomato/NN/1/conj
    But not: man/NN/0/root and/CC/1/cc woman/NN/1/conj or/CC/3/cc girl/NN/3/conj
    """
    labels, heads = tree.labels, tree.heads
    parents = {head for head, label in zip(heads, labels) if label == "conj"}
    for position, label in enumerate(labels):
        item = heads[position]
        if label == "cc" and labels[item] == "conj" and item not in parents:
            heads[position] = heads[item]


def _items(tree: MutableTree, first: int) -> list[int]:
    """Return the items and coordinators after the first item of a list."""
    return [x for x in tree.children(first) if x > first and tree.labels[x] in LIST]


def _hung_before(tree: MutableTree, comma: int) -> int:
    """Return the first word after a comma whose head is before it, 0 without one."""
    after = range(comma + 1, len(tree.heads))
    return next((position for position in after if 0 < tree.heads[position] < comma), 0)


def _may_be(tree: MutableTree, position: int, tag: str) -> bool:
    """Return whether a word that was read as a noun may be a verb of a form."""
    if tag == "VBG":
        return tree.words[position].endswith("ing")
    return tree.tags[position] == _NOUN_OF.get(tag)


def _may_be_predicate(tree: MutableTree, item: int) -> bool:
    """Return whether an item is a name of two words whose first may be a verb."""
    head = tree.heads[item - 1]
    is_name = tree.tags[item - 1] == "NNS" and head in (item, tree.heads[item])
    is_first = tree.words[item - 2] == COMMA or tree.tags[item - 2] == "CC"
    return is_name and is_first and tree.heads.count(item) == (head == item)


def _join(tree: MutableTree, second: int, first: int) -> int:
    """Make a word and its items those of an earlier word; return the last item."""
    # What stands after the last item is hung on it ("a hat, a scarf and boots on a
    # mat"), but what has a pronoun on the first one ("a plate with rice, meat and salad
    # on it").
    items = _items(tree, second)
    last = max([second, *(x for x in items if tree.labels[x] == "conj")])
    for position in tree.children(second):
        if position > last:
            tree.heads[position] = first if tree.tags[position] == "PRP" else last
    for position in (second, *items):
        tree.heads[position] = first
    tree.labels[second] = "conj"
    return last
