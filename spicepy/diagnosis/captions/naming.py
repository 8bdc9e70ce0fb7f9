"""Names: put nouns and attributes of a caption into their dictionary forms.

In: semantic tuples, whose members are lemmas as SPICE makes them, and the caption's
words. Out: the same tuples with the names of the error analysis: "sunglasses" for
"sunglass", "martial arts match" for "arts match", "computer" for "others computer";
"forking tree" also yields (tree, fork). Tuples about a placeholder for an unknown word
("UNK") are dropped.
"""

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import replace

from spicepy.common.words.hierarchy import load_hierarchy
from spicepy.common.words.lemmas import lemmatize
from spicepy.diagnosis.lexicon.names import Names
from spicepy.extraction.tuples import SemanticTuple


def named(
    proposals: Sequence[SemanticTuple],
    names: Names,
    words: Sequence[str] = (),
    lemmas: Sequence[str] = (),
) -> list[SemanticTuple]:
    """Return the tuples with dictionary forms as members.

    Args:
        proposals: The tuples of one caption.
        names: The dictionary forms and placeholders of the lexicon.
        words: The words of the caption; empty if they are unknown.
        lemmas: The lemma of each word.
    """
    pairs = [t for t in proposals if len(t.members) == 2]
    joined = {
        pair.tokens[0]: (name, pair.members[1])
        for pair in pairs
        if pair.tokens and (name := _with_adjective(pair, words, lemmas))
    }
    return [made for t in proposals for made in _corrected(t, names, joined)]


def _corrected(
    tuple_: SemanticTuple, names: Names, joined: Mapping[int, tuple[str, str]]
) -> Iterator[SemanticTuple]:
    """Yield the tuple with corrected members; nothing if it has a placeholder."""
    members = list(tuple_.members)
    for at in range(0, len(members), 2):
        place = tuple_.tokens[at] if at < len(tuple_.tokens) else 0
        name, adjective = joined.get(place, ("", ""))
        if len(members) == 2 and members[1] == adjective:
            return
        members[at] = name if place and name else names.noun(members[at])
    if len(members) == 2:
        members[1] = names.lemma(members[1])
    if all(members):
        same = tuple(members) == tuple_.members
        yield tuple_ if same else replace(tuple_, members=tuple(members))
        yield from _participle(tuple_, members[0])


def of_materials(
    proposals: Sequence[SemanticTuple], materials: Container[str]
) -> list[SemanticTuple]:
    """Return the tuples with (wall, brick) in place of (wall, make of, brick).

    The material is an attribute then, and its own tuple (brick) is left out.

    Args:
        proposals: The tuples of one caption.
        materials: Names of materials.
    """
    made_of = {
        t
        for t in proposals
        if t.members[1:2] == ("make of",) and t.members[2] in materials
    }
    places = {t.tokens[2] for t in made_of if t.tokens}
    return [
        replace(t, members=t.members[::2], tokens=t.tokens[::2]) if t in made_of else t
        for t in proposals
        if not (len(t.members) == 1 and t.tokens and t.tokens[0] in places)
    ]


def _participle(tuple_: SemanticTuple, name: str) -> Iterator[SemanticTuple]:
    """Yield (tree, fork) for a "forking tree", a name that the dictionary lacks."""
    before, _, last = tuple_.members[0].rpartition(" ")
    if len(tuple_.members) == 1 and name == last and before.endswith("ing"):
        place = tuple_.tokens[0]
        members = name, lemmatize(before, "VBG")
        yield replace(tuple_, members=members, tokens=(place, max(place - 1, 0)))


def _with_adjective(
    tuple_: SemanticTuple, words: Sequence[str], lemmas: Sequence[str]
) -> str:
    """Return "martial arts match" for (arts match, martial), "" for other tuples.

    The adjective belongs to the name if WordNet has it with the plural after it.
    """
    name, adjective = tuple_.members
    parts = name.split(" ")
    start = tuple_.tokens[0] - len(parts)
    if len(parts) < 2 or start < 1 or words[start : start + 1] != (parts[0],):
        return ""
    if words[start - 1] != adjective or lemmas[start] == words[start]:
        return ""
    known = load_hierarchy().synsets(f"{adjective} {lemmas[start]}")
    return f"{adjective} {name}" if known else ""
