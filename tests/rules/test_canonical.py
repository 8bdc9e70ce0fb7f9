"""The digest of a grammar: its form written out, what moves it, and what does not."""

import hashlib
import json
import re
from dataclasses import fields
from pathlib import Path

import pytest

from spicepy.rules.cards import (
    Clause,
    Condition,
    Emission,
    LabelPattern,
    NodePattern,
    Part,
    WordTest,
)
from spicepy.rules.loading import load_grammar
from spicepy.rules.tuples import Category
from spicepy.rules.values import Grammar, Normalisation, Rewrite, Rule

TINY = """
name = "tiny"
version = "1"
description = "Two rules."
labels = "universal-v1"

[tags]
NOUN = ["NNS", "NN"]

[links.OBJ]
any = [
  { label = "dobj" },
  { label = "nmod:*", except = ["nmod:poss"], silent = ["on", "in"], to = "NOUN", \
having = "case" },
]

[lists.hues]
source = "ours"
words = ["red", "blue"]

[[rule]]
id = "clause"
why = "Who does what."
match = ["verb -nsubj-> subj:NOUN", "verb -OBJ=how-> obj", "? verb -compound:prt-> prt"]
where = { verb = "!lemma:have|be, tag:VBZ" }
without = ["verb -cop-> _", "verb -aux-> aux & no aux -dep-> _"]
emit = [
  "(subj, verb prt.text how, obj) if prt, subj < obj, obj !lemma:it|he",
  "(subj, 'do', obj)",
]
example = ["a man sees a dog => (man, do, dog)"]

[[rule]]
id = "hue"
why = "A hue."
match = ["noun -amod-> adj"]
any = ["noun -det-> _", "ROOT -root-> noun"]
once = true
where = { adj = "lemma:@hues" }
emit = "(noun, adj)"
example = ["a red dog => (dog, red)"]

[[category]]
name = "Hue"
length = 2
words = "@hues"
match = "any"

[[category]]
name = "Count"
length = 2
words = ["two"]
digits = true
"""

FORM = {
    "labels": "universal-v1",
    "rules": [
        {
            "id": "clause",
            "match": [
                "verb -nsubj-> subj:NOUN",
                "verb -OBJ=how-> obj",
                "? verb -compound:prt-> prt",
            ],
            "where": ["verb !lemma:be|have", "verb tag:VBZ"],
            "without": ["verb -aux-> aux & no aux -dep-> _", "verb -cop-> _"],
            "any": [],
            "once": False,
            "emit": [
                [
                    "(subj, verb prt.text how, obj)"
                    " if obj !lemma:he|it, prt, subj < obj",
                    "(subj, 'do', obj)",
                ]
            ],
        },
        {
            "id": "hue",
            "match": ["noun -amod-> adj"],
            "where": ["adj lemma:@hues"],
            "without": [],
            "any": ["ROOT -root-> noun", "noun -det-> _"],
            "once": True,
            "emit": [["(noun, adj)"]],
        },
    ],
    "tags": {"NOUN": ["NN", "NNS"]},
    "links": {
        "OBJ": [
            {"label": "dobj", "except": [], "silent": [], "to": "", "having": ""},
            {
                "label": "nmod:*",
                "except": ["nmod:poss"],
                "silent": ["in", "on"],
                "to": "NOUN",
                "having": "case",
            },
        ]
    },
    "lists": {"hues": ["blue", "red"]},
    "categories": [
        {
            "name": "Count",
            "length": 2,
            "words": ["two"],
            "match": "printed",
            "digits": True,
        },
        {
            "name": "Hue",
            "length": 2,
            "words": ["blue", "red"],
            "match": "any",
            "digits": False,
        },
    ],
}


def digest(folder: Path, text: str) -> str:
    path = folder / "tiny.toml"
    path.write_text(text, encoding="utf-8")
    return load_grammar(path).digest


def edited(*changes: tuple[str, str]) -> str:
    text = TINY
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return text


def test_digest_is_that_of_the_form_written_out(tmp_path: Path) -> None:
    text = json.dumps(FORM, sort_keys=True, separators=(",", ":"))
    expected = hashlib.sha256(f"spicepy-grammar-1\n{text}".encode()).hexdigest()

    assert digest(tmp_path, TINY) == expected


SECTIONS = re.split(r"\n(?=\[)", TINY)
SAME = {
    "prose": edited(("Who does what.", "!"), ('"ours"', '"theirs"')),
    "example": edited(("a red dog", "the red dog")),
    "reject": edited(("once = true", 'once = true\nreject = ["a dog"]')),
    "comments": edited(("[tags]", "# Classes.\n\n\n[tags]")),
    "blanks on cards": edited(
        ('"noun -amod-> adj"', '" noun -amod-> adj  "'), ("(noun, adj)", "( noun,adj )")
    ),
    "header": edited(('"tiny"', '"small"'), ('"1"', '"2"'), ("Two rules.", "Rules.")),
    "order of words": edited(('"red", "blue"', '"blue", "red", "blue"')),
    "order of tags": edited(('"NNS", "NN"', '"NN", "NNS"')),
    "order in a test": edited(("have|be", "be|have"), ("it|he", "he|it")),
    "order of tests": edited(("!lemma:have|be, tag:VBZ", "tag:VBZ, !lemma:be|have")),
    "order of conditions": edited(("if prt, subj < obj", "if subj < obj, prt")),
    "order of silent words": edited(('"on", "in"', '"in", "on"')),
    "order of alternatives that must hold": edited(
        ('"noun -det-> _", "ROOT -root-> noun"', '"ROOT -root-> noun", "noun -det-> _"')
    ),
    "emit as a list": edited(('"(noun, adj)"', '["(noun, adj)"]')),
    "order of the sections": "\n".join(
        [SECTIONS[0], SECTIONS[7], *SECTIONS[3:7], *SECTIONS[1:3]]
    ),
}


@pytest.mark.parametrize("text", SAME.values(), ids=SAME)
def test_what_changes_no_score_leaves_the_digest(tmp_path: Path, text: str) -> None:
    assert digest(tmp_path, text) == digest(tmp_path, TINY)


DIFFERENT = {
    "tag class": ('"NNS", "NN"', '"NNS"'),
    "label of a link": ('label = "dobj"', 'label = "iobj"'),
    "except of a link": ('"nmod:poss"', '"nmod:agent"'),
    "silent of a link": ('"on", "in"', '"on"'),
    "to of a link": (', to = "NOUN"', ""),
    "having of a link": (', having = "case"', ""),
    "order of a link": (
        '  { label = "dobj" },',
        '  { label = "nsubj" }, { label = "dobj" },',
    ),
    "word list": ('"red", "blue"', '"red"'),
    "label of a clause": ("-amod->", "-nmod->"),
    "class of a node": ("verb -nsubj-> subj:NOUN", "verb -nsubj-> subj"),
    "bound word": ("-OBJ=how->", "-OBJ->"),
    "optional clause": ("? verb", "* verb"),
    "order of match": (
        '"verb -nsubj-> subj:NOUN", "verb -OBJ=how-> obj"',
        '"verb -OBJ=how-> obj", "verb -nsubj-> subj:NOUN"',
    ),
    "negated test": ("!lemma:have", "lemma:have"),
    "attribute of a test": ("lemma:@hues", "text:@hues"),
    "value of a test": ("tag:VBZ", "tag:VBD"),
    "pattern that must not hold": ('"verb -cop-> _", ', ""),
    "negated clause": ("& no aux", "& aux"),
    "pattern of which one must hold": ('any = ["noun -det-> _", ', "any = ["),
    "once": ("once = true\n", ""),
    "member": ("(noun, adj)", "(adj, noun)"),
    "text for lemma": ("(noun, adj)", "(noun, adj.text)"),
    "literal": ("'do'", "'make'"),
    "condition": ("if prt, ", "if no prt, "),
    "order of words in the sentence": ("subj < obj", "obj < subj"),
    "test of a condition": ("it|he", "it"),
    "another tuple": ("\"(subj, 'do', obj)\",", '"(subj, \'do\', obj)", "(subj)",'),
    "length of a category": (
        'name = "Count"\nlength = 2',
        'name = "Count"\nlength = 3',
    ),
    "words of a category": ('["two"]', '["two", "ten"]'),
    "match of a category": ('match = "any"', 'match = "printed"'),
    "digits of a category": ("digits = true", "digits = false"),
    "name of a category": ('"Count"', '"Number"'),
}


@pytest.mark.parametrize("change", DIFFERENT.values(), ids=DIFFERENT)
def test_what_can_change_a_score_moves_the_digest(
    tmp_path: Path, change: tuple[str, str]
) -> None:
    changed = edited(change)
    if change == DIFFERENT["bound word"]:
        changed = changed.replace(" how, obj)", ", obj)")

    assert digest(tmp_path, changed) != digest(tmp_path, TINY)


def test_label_scheme_moves_the_digest(tmp_path: Path) -> None:
    card = (
        TINY[: TINY.index("[tags]")]
        + """
[[rule]]
id = "clause"
why = "Labels that both schemes have."
match = ["verb -nsubj-> subj"]
emit = "(subj, verb)"
example = ["a man runs => (man, run)"]
"""
    )
    other = card.replace("universal-v1", "clear")

    assert digest(tmp_path, card) != digest(tmp_path, other)


def test_order_of_rules_moves_the_digest(tmp_path: Path) -> None:
    parts = list(SECTIONS)
    parts[4], parts[5] = parts[5], parts[4]

    assert digest(tmp_path, "\n".join(parts)) != digest(tmp_path, TINY)


def test_distinct_words_change_the_digest(tmp_path: Path) -> None:
    distinct = f"distinct_words = true\n{TINY.lstrip()}"

    assert digest(tmp_path, distinct) != digest(tmp_path, TINY)


def test_order_of_files_without_rules_leaves_the_digest(tmp_path: Path) -> None:
    head, tail = TINY.split("[tags]")
    lists, rest = tail.split("[[rule]]", 1)
    (tmp_path / "lists.toml").write_text("[tags]" + lists, encoding="utf-8")
    (tmp_path / "rules.toml").write_text("[[rule]]" + rest, encoding="utf-8")
    found = set()
    for files in ('["lists.toml", "rules.toml"]', '["rules.toml", "lists.toml"]'):
        header = f"{head}\nfiles = {files}\n"
        (tmp_path / "grammar.toml").write_text(header, encoding="utf-8")
        found.add(load_grammar(tmp_path).digest)

    (tmp_path / "one").mkdir()
    assert found == {digest(tmp_path / "one", TINY)}


COUNTED = {
    Grammar: "labels rules tags links lists categories "
    "rewrites annotations normalisations distinct_words",
    Rule: "id match where without any once emit",
    Rewrite: "card becomes add remove replace join drop retag denied supposed "
    "saying order",
    Normalisation: "id member forms where becomes drop same several head",
    Clause: "head label dependent bind mode",
    NodePattern: "name tags",
    WordTest: "attribute values negated",
    Emission: "members conditions",
    Condition: "kind node other",
    Part: "name literal surface",
    LabelPattern: "label excluded silent to having",
    Category: "name length words match digits",
}
PROSE = {
    Grammar: "name version description digest parser phases in_order",
    Rewrite: "phase",
    Rule: "why source file examples rejects",
    Normalisation: "why source file examples rejects",
    Clause: "text",
    Emission: "text",
    Category: "where",
}


@pytest.mark.parametrize("kind", COUNTED, ids=lambda kind: kind.__name__)
def test_every_field_is_in_the_form_or_cannot_change_a_score(kind: type) -> None:
    """A new field fails here until `canonical` has it, or it is known as prose."""
    known = f"{COUNTED[kind]} {PROSE.get(kind, '')}".split()

    assert {field.name for field in fields(kind)} == set(known)
