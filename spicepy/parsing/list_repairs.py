"""Lists as the rules expect them: items and coordinators hang on the first item.

    a toilet, sink and tub        toilet ◀compound─ sink ─conj▶ tub
                               →  toilet ─conj▶ sink, toilet ─conj▶ tub
    a desk with a lamp, mouse     desk ─nmod▶ lamp, desk ─nmod▶ mouse
                               →  lamp ─conj▶ mouse
    cooks, cleans and sings       cooks ─dobj▶ cleans ─conj▶ sings
                               →  cooks ─conj▶ cleans, cooks ─conj▶ sings
    ham, cheese and tomato        ham ─conj▶ cheese ─cc▶ and, ham ─conj▶ tomato
                               →  ham ─cc▶ and
    ham, cheese and tomato        ham ─conj▶ cheese ─conj▶ tomato
                               →  ham ─conj▶ cheese, ham ─conj▶ tomato
    signs, a clock and people     signs ─dobj▶ clock
                               →  signs ─conj▶ clock
    a clown juggles balls, pins   balls ─compound▶ clown, balls ─compound▶ juggles
                               →  juggles ─nsubj▶ clown, juggles ─dobj▶ balls
    chops carrots, stirs soup     carrots ─conj▶ soup ─compound▶ stirs
                               →  chops ─conj▶ stirs ─dobj▶ soup
    a desk with a lamp, a mouse   desk ─nmod▶ lamp, desk ─punct▶ ","
                               →  lamp ─punct▶ ","

In: a tree. Out: the tree in which no comma stands inside a name that other items of a
list follow or between a verb and its object, in which no phrase after a comma lacks its
preposition, no noun has an object, and a coordinator hangs on the first item. The rules
share nothing among the items of a list whose first item has no coordinator. A comma
right after a noun with a preposition hangs on it, so that rules can tell "a desk with a
lamp, a mouse" from "a desk, a mouse with a lamp".

Sections that belong to it:

* Trees with lemmas, which all users of a model share.
"""

from collections.abc import Sequence
from typing import Final

from spicepy.parsing.bundled.analyser import Analyser
from spicepy.parsing.trees import (
    COMMA,
    Annotations,
    Parse,
    as_read,
    places_read,
    with_punctuation,
)
from spicepy.words.morphology import lemmatize

LIST: Final = frozenset(["cc", "conj"])
FINITE: Final = frozenset(["VBD", "VBP", "VBZ"])
_READ_AS: Final = ("dobj", "conj")
_CLAUSES: Final = frozenset(["advcl", "ccomp", "dep", "parataxis", "xcomp"])
_OWN: Final = frozenset(["aux", "cop", "expl", "mark", "nsubj", "nsubjpass"])
"""Labels of what only a clause of its own has."""
_OF_VERBS: Final = frozenset([*_OWN, "dobj", "prt", "compound:prt"])
"""Labels of what only a verb has."""
_NOUN_OF: Final = {"VBZ": "NNS", "VBP": "NN", "VB": "NN"}
"""Form of a verb -> the form of the nouns that look like it."""


def with_items(words: Sequence[str], tree: Annotations) -> Annotations:
    """Return the tree with the items of its lists on the first item.

    Args:
        words: The words of a sentence, with commas.
        tree: Their tags, heads and labels.
    """
    if "conj" not in tree.labels and COMMA not in words:
        return tree
    tags, heads, labels = list(tree.tags), list(tree.heads), list(tree.labels)
    commas = [place for place, word in enumerate(words, 1) if word == COMMA]
    for comma in reversed(commas):
        _split_name(comma, heads, labels)
    for comma in commas:
        _read_name_as_clause(comma, tags, heads, labels)
        _read_names_as_predicates(comma, words, tags, heads, labels)
        _join_object_of_noun(comma, tags, heads, labels)
        _join_bare_phrase(comma, tags, heads, labels)
        _join_predicate(comma, words, tags, heads, labels)
        _join_clause(comma, tags, heads, labels)
        _join_inner_list(comma, heads, labels)
        _close_list(comma, words, tags, heads, labels)
        _move_phrases(comma, tags, heads, labels)
        _hang_on_phrase(comma, tags, heads, labels)
        _read_bare_verbs_as_nouns(comma, tags, heads, labels)
    _raise_coordinators(heads, labels)
    # Not of a sentence so odd that a list would hang on a part of itself.
    made = Annotations(tuple(tags), tuple(heads), tuple(labels))
    return made if _is_tree(heads) else tree


def _split_name(comma: int, heads: list[int], labels: list[str]) -> None:
    """Make the last word before a comma the first item, if it is part of a name."""
    before = [place for place in range(1, comma) if heads[place - 1] > comma]
    parts = [place for place in before if labels[place - 1] == "compound"]
    if not parts:
        return
    first, second = parts[-1], heads[parts[-1] - 1]
    items = _items(second, heads, labels)
    if not items and labels[second - 1] == "nmod":  # the governor may have them
        items = [x for x in _items(heads[second - 1], heads, labels) if x > second]
        for place in items:
            heads[place - 1] = second
    if not items:
        return
    heads[first - 1], labels[first - 1] = heads[second - 1], labels[second - 1]
    heads[second - 1], labels[second - 1] = first, "conj"
    for place in (*before, *items):
        if heads[place - 1] == second:
            heads[place - 1] = first


def _join_bare_phrase(
    comma: int, tags: Sequence[str], heads: list[int], labels: list[str]
) -> None:
    """Make a phrase without a preposition an item of the phrase before the comma."""
    bare = _hung_before(comma, heads)
    if not bare or labels[bare - 1] != "nmod" or _has_case(bare, heads, labels):
        return
    first = next(
        (
            place
            for place in range(comma - 1, heads[bare - 1], -1)
            if heads[place - 1] == heads[bare - 1] and labels[place - 1] == "nmod"
        ),
        0,
    )
    if first and _has_case(first, heads, labels):
        _join(bare, first, tags, heads, labels)


def _join_predicate(
    comma: int,
    words: Sequence[str],
    tags: list[str],
    heads: list[int],
    labels: list[str],
) -> None:
    """Make a verb of what was read as the object of the verb before the comma."""
    verb, second = comma - 1, comma + 1
    if not 2 <= verb <= len(heads) - 2 or not _may_be(
        tags[verb - 1], second, words, tags
    ):
        return
    is_item = labels[verb - 1] == "conj"
    if words[verb - 2] == COMMA and not is_item:  # "buildings, docks, boats"
        return
    first = heads[verb - 1] if is_item else verb
    is_object = labels[second - 1] in _READ_AS and heads[second - 1] in (first, verb)
    if not is_object or not tags[first - 1].startswith("VB"):
        return
    tags[second - 1] = tags[verb - 1]
    last = _join(second, first, tags, heads, labels)
    if labels[last - 3 : last - 1] == ["cc", "compound"]:  # "and cooks vegetables"
        heads[last - 2], labels[last - 2] = first, "conj"
        heads[last - 1], labels[last - 1] = last - 1, "dobj"
        last -= 1
    if _may_be(tags[verb - 1], last, words, tags):
        tags[last - 1] = tags[verb - 1]


def _join_inner_list(comma: int, heads: list[int], labels: Sequence[str]) -> None:
    """Hang the items of the second item, which follows a comma, on the first one.

    What stands after them, too, for all items share it.
    """
    second = _hung_before(comma, heads)
    if not second or labels[second - 1] != "conj":
        return
    first = heads[second - 1]
    if any(labels[place - 1] == "cc" for place in _items(first, heads, labels)):
        return
    items = _items(second, heads, labels)
    for place in range(second + 1, len(heads) + 1):
        if heads[place - 1] == second and items and place >= items[0]:
            heads[place - 1] = first


def _join_clause(
    comma: int, tags: Sequence[str], heads: list[int], labels: list[str]
) -> None:
    """Make a verb after a comma, which has no subject, an item of the verb before."""
    second = comma + 1
    if second > len(heads) or labels[second - 1] not in _CLAUSES:
        return
    first, tag = heads[second - 1], tags[second - 1]
    has_own = any(h == second and x in _OWN for h, x in zip(heads, labels))
    if tag in FINITE and 0 < first < comma and tags[first - 1] == tag and not has_own:
        labels[second - 1] = "conj"


def _close_list(
    comma: int,
    words: Sequence[str],
    tags: Sequence[str],
    heads: list[int],
    labels: Sequence[str],
) -> None:
    """Give a list in a phrase the coordinator and last items that its governor has.

    Within a phrase the items after "of" are the outer phrase's: "a table with a plate
    of food, a glass and a cup".
    """
    first = comma - 1
    if first < 1 or labels[first - 1] != "nmod":
        return
    is_inner = heads[heads[first - 1] - 1] > 0
    if is_inner and "of" in _cases(first, words, heads, labels):
        return
    own, others = (_items(x, heads, labels) for x in (first, heads[first - 1]))
    others = [place for place in others if own and place > own[0]]
    nouns = [place for place in others if tags[place - 1].startswith("NN")]
    if not any(labels[place - 1] == "cc" for place in own) and nouns:
        for place in others:
            heads[place - 1] = first


def _move_phrases(
    comma: int, tags: Sequence[str], heads: list[int], labels: Sequence[str]
) -> None:
    """Hang what stands after a list of bare verbs on the last of them."""
    first = comma - 1
    items = _items(first, heads, labels) if first >= 1 else []
    if tags[first - 1] in FINITE and items and tags[items[-1] - 1] == tags[first - 1]:
        for place in range(items[-1] + 1, len(heads) + 1):
            if heads[place - 1] == first and labels[place - 1] == "nmod":
                heads[place - 1] = items[-1]


def _hang_on_phrase(
    comma: int, tags: Sequence[str], heads: list[int], labels: Sequence[str]
) -> None:
    """Hang a comma within a list on the noun with a preposition before it."""
    before, after = comma - 1, comma + 1
    is_inside = before >= 1 and after <= len(heads) and heads[comma - 1] > 0
    if is_inside and labels[before - 1] == "nmod" and tags[after - 1] != "CC":
        heads[comma - 1] = before


def _read_name_as_clause(
    comma: int, tags: list[str], heads: list[int], labels: list[str]
) -> None:
    """Make a clause of a name with a plural inside: "a clown juggles balls, pins"."""
    last, verb, subject = comma - 1, comma - 2, comma - 3
    if subject < 1 or tags[subject - 1 : last] != ["NN", "NNS", "NNS"]:
        return
    if any(
        heads[x - 1] not in (verb, last) or labels[x - 1] != "compound"
        for x in (subject, verb)
    ):
        return
    tags[verb - 1] = "VBZ"
    heads[verb - 1], labels[verb - 1] = heads[last - 1], labels[last - 1]
    heads[last - 1], labels[last - 1] = verb, "dobj"
    heads[subject - 1], labels[subject - 1] = verb, "nsubj"
    for place in range(1, subject):
        if heads[place - 1] in (verb, last):
            heads[place - 1] = subject


def _read_names_as_predicates(
    comma: int,
    words: Sequence[str],
    tags: list[str],
    heads: list[int],
    labels: list[str],
) -> None:
    """Make verbs of the first words of all items: "chops carrots, stirs soup"."""
    first = comma - 1
    verb = heads[first - 1] if first >= 1 else 0
    if not verb or labels[first - 1] != "dobj" or tags[verb - 1] != "VBZ":
        return
    parts = _items(first, heads, labels)
    items = [place for place in parts if labels[place - 1] == "conj"]
    if not items or not all(_may_be_predicate(x, words, tags, heads) for x in items):
        return
    for place in items:
        tags[place - 2] = "VBZ"
        heads[place - 2], labels[place - 2] = verb, "conj"
        heads[place - 1], labels[place - 1] = place - 1, "dobj"
    for place in parts:
        if labels[place - 1] == "cc":
            heads[place - 1] = verb


def _may_be_predicate(
    item: int, words: Sequence[str], tags: Sequence[str], heads: Sequence[int]
) -> bool:
    """Return whether an item is a name of two words whose first may be a verb."""
    is_name = tags[item - 2] == "NNS" and heads[item - 2] == item
    is_first = words[item - 3] == COMMA or tags[item - 3] == "CC"
    return is_name and is_first and heads.count(item) == 1


def _join_object_of_noun(
    comma: int, tags: Sequence[str], heads: list[int], labels: list[str]
) -> None:
    """Make an item of what was read as the object of a noun before the comma."""
    second = _hung_before(comma, heads)
    if second and labels[second - 1] == "dobj":
        noun = heads[second - 1]
        first = heads[noun - 1] if labels[noun - 1] == "conj" else noun
        if tags[noun - 1].startswith("NN") and tags[second - 1].startswith("NN"):
            _join(second, first, tags, heads, labels)


def _read_bare_verbs_as_nouns(
    comma: int, tags: list[str], heads: Sequence[int], labels: Sequence[str]
) -> None:
    """Make nouns of bare verbs in a list of a phrase: "with ham, tomato and mayo"."""
    first = comma - 1
    if first < 1 or labels[first - 1] != "nmod" or not tags[first - 1].startswith("NN"):
        return
    for place in _items(first, heads, labels):
        if tags[place - 1] in ("VB", "VBP") and not any(
            head == place and label in _OF_VERBS for head, label in zip(heads, labels)
        ):
            tags[place - 1] = "NN"


def _hung_before(comma: int, heads: Sequence[int]) -> int:
    """Return the first word after a comma whose head is before it, 0 without one."""
    after = range(comma + 1, len(heads) + 1)
    return next((place for place in after if 0 < heads[place - 1] < comma), 0)


def _may_be(tag: str, place: int, words: Sequence[str], tags: Sequence[str]) -> bool:
    """Return whether a word that was read as a noun may be a verb of a form."""
    if tag == "VBG":
        return words[place - 1].endswith("ing")
    return tags[place - 1] == _NOUN_OF.get(tag)


def _join(
    second: int,
    first: int,
    tags: Sequence[str],
    heads: list[int],
    labels: list[str],
) -> int:
    """Make a word and its items those of an earlier word; return the last item.

    What stands after the last item is hung on it ("a hat, a scarf and boots on a mat"),
    but what has a pronoun on the first one ("a plate with rice, meat and salad on it").
    """
    items = _items(second, heads, labels)
    last = max([second, *(x for x in items if labels[x - 1] == "conj")])
    for place in range(last + 1, len(heads) + 1):
        if heads[place - 1] == second:
            heads[place - 1] = first if tags[place - 1] == "PRP" else last
    for place in (second, *items):
        heads[place - 1] = first
    labels[second - 1] = "conj"
    return last


def _raise_coordinators(heads: list[int], labels: list[str]) -> None:
    """Hang the coordinators of an item that has no items itself on the first item."""
    parents = {head for head, label in zip(heads, labels) if label == "conj"}
    for place, label in enumerate(labels, 1):
        item = heads[place - 1]
        is_item = item and labels[item - 1] == "conj"
        if label == "cc" and is_item and item not in parents:
            heads[place - 1] = heads[item - 1]


def _is_tree(heads: Sequence[int]) -> bool:
    """Return whether one word is the root, and all others are below it."""
    if heads.count(0) != 1:
        return False
    for place in range(1, len(heads) + 1):
        steps = 0
        while place and steps <= len(heads):
            place, steps = heads[place - 1], steps + 1
        if place:
            return False
    return True


def _items(first: int, heads: Sequence[int], labels: Sequence[str]) -> list[int]:
    """Return the items and coordinators after the first item of a list."""
    after = range(first + 1, len(heads) + 1)
    return [x for x in after if heads[x - 1] == first and labels[x - 1] in LIST]


def _cases(
    place: int, words: Sequence[str], heads: Sequence[int], labels: Sequence[str]
) -> list[str]:
    """Return the prepositions of a word."""
    rows = zip(words, heads, labels, strict=True)
    return [word for word, head, label in rows if head == place and label == "case"]


def _has_case(place: int, heads: Sequence[int], labels: Sequence[str]) -> bool:
    """Return whether a word has a preposition."""
    return any(h == place and x == "case" for h, x in zip(heads, labels))


# Trees with lemmas, which all users of a model share.
#
# In: the words of sentences and a model. Out: a tree with lemmas for each.


def parse_words(analyser: Analyser, sentences: Sequence[list[str]]) -> list[Parse]:
    """Parse sentences; marks that the model does not read hang on the root."""
    places = [places_read(words, analyser.reads_commas) for words in sentences]
    annotations = analyser.analyse(list(map(as_read, sentences, places)))
    whole = map(with_punctuation, sentences, places, annotations)
    if analyser.reads_commas:
        whole = map(with_items, sentences, whole)
    return list(map(with_lemmas, sentences, whole))


def with_lemmas(words: Sequence[str], analysis: Annotations) -> Parse:
    """Add the lemmas of words with the tags that they have."""
    tags, heads, labels = analysis
    lemmas = tuple(map(lemmatize, words, tags))
    return Parse(tuple(words), tags, lemmas, heads, labels)
