"""Normalisation rules: tuples of one meaning get one form, and keep their words."""

from pathlib import Path

import pytest
from small_grammars import with_card

from spicepy.common.errors import GrammarError
from spicepy.graph.concepts import ConceptLexicon
from spicepy.graph.matching import match
from spicepy.graph.scene import SceneGraph
from spicepy.rules.loading import load_grammar
from spicepy.rules.normalising import normalise
from spicepy.rules.tuples import SemanticTuple
from spicepy.rules.values import Grammar
from spicepy.words.wordnet import load_synonyms

SHIRT = SemanticTuple(("man", "in", "red shirt"), "rule", (1, 0, 4))


def grammar(folder: Path, card: str) -> Grammar:
    return with_card(folder, "normalisation", card)


def members(found: list[SemanticTuple]) -> list[tuple[str, ...]]:
    return [tuple_.members for tuple_ in found]


WEAR = """
relation = ["in", "* dressed in"]
where = { object = "lemma:@clothing" }
becomes = "(subject, wear, object)"
"""


def test_a_relation_gets_another_form_and_keeps_its_words(tmp_path: Path) -> None:
    [made] = normalise([SHIRT], grammar(tmp_path, WEAR))

    assert made.members == ("man", "wear", "red shirt")
    assert made.written == SHIRT.members
    assert made.same == ("in",)
    assert made.tokens == (1, 0, 4)


def test_other_tuples_stay(tmp_path: Path) -> None:
    others = [
        SemanticTuple(("man", "in", "water")),
        SemanticTuple(("man", "on", "shirt")),
        SemanticTuple(("shirt",)),
    ]

    assert normalise(others, grammar(tmp_path, WEAR)) == others


def test_a_member_may_have_two_tests(tmp_path: Path) -> None:
    card = WEAR.replace("@clothing", "@clothing, !lemma:shirt")

    assert normalise([SHIRT], grammar(tmp_path, card)) == [SHIRT]


def test_some_cards_are_for_captions_of_several_sentences(tmp_path: Path) -> None:
    rules = grammar(tmp_path, f"{WEAR}several = true\n")

    assert normalise([SHIRT], rules) == [SHIRT]
    assert members(normalise([SHIRT], rules, 2)) == [("man", "wear", "red shirt")]


def test_sides_can_be_turned(tmp_path: Path) -> None:
    card = 'relation = ["of"]\nbecomes = "(object, have, subject)"'
    [made] = normalise(
        [SemanticTuple(("eye", "of", "cat"), "", (2, 0, 5))], grammar(tmp_path, card)
    )

    assert made.members == ("cat", "have", "eye")
    assert made.tokens == (5, 0, 2)
    assert made.same == ()


def test_a_star_keeps_the_words_before(tmp_path: Path) -> None:
    rules = grammar(tmp_path, 'relation = { "* beneath" = "* under" }')
    found = [
        SemanticTuple(("cat", relation, "bed"))
        for relation in ("beneath", "sit beneath", "sit underbeneath")
    ]

    relations = [made.members[1] for made in normalise(found, rules)]
    assert relations == ["under", "sit under", "sit underbeneath"]


def test_attributes_objects_and_what_is_left_out(tmp_path: Path) -> None:
    number = grammar(tmp_path, 'attribute = { two = "2" }')
    spelling = grammar(tmp_path, 'object = { "surf board" = "surfboard" }')
    unseen = grammar(
        tmp_path, 'object = ["*"]\nwhere = { object = "lemma:sense" }\ndrop = true'
    )
    board = SemanticTuple(("boy", "on", "surf board"))

    assert members(normalise([SemanticTuple(("dog", "two"))], number)) == [("dog", "2")]
    assert members(normalise([board], spelling)) == [("boy", "on", "surfboard")]
    assert normalise([SemanticTuple(("boy", "have", "sense")), board], unseen) == [
        board
    ]


def test_forms_that_only_compare(tmp_path: Path) -> None:
    rules = grammar(tmp_path, 'relation = { "* beside" = "* next to" }\nsame = true')
    lexicon = ConceptLexicon(load_synonyms("bundled"))
    ours, theirs = (
        SceneGraph.from_proposals(
            [normalise([SemanticTuple(("dog", relation, "cat"))], rules)], lexicon
        )
        for relation in ("sit beside", "sit next to")
    )
    plain = SceneGraph.from_tuples([("dog", "sit next to", "cat")], lexicon)

    assert str(ours) == "(cat) (dog) (dog, sit beside, cat)"
    assert match(ours, theirs).counts().f == match(ours, plain).counts().f == 1.0


def test_a_longer_name_matches_its_last_word_but_is_not_merged() -> None:
    rules = load_grammar("spicepy-1")

    def made(*names: str) -> SceneGraph:
        objects = [SemanticTuple((name,)) for name in names]
        attributes = [SemanticTuple((name, "red")) for name in names]
        return SceneGraph.from_proposals([normalise(objects + attributes, rules)])

    def f(one: SceneGraph, other: SceneGraph) -> float | None:
        return match(one, other).counts().f

    assert len(made("stop sign", "street sign", "sign").objects) == 3
    assert f(made("stop sign"), made("sign")) == f(made("sign"), made("stop sign")) == 1
    assert f(made("stop sign"), made("street sign")) == 0
    assert f(made("corn dog"), made("dog")) == 0
    assert f(made("tennis racquet"), made("racket")) == 1
    again = SceneGraph.from_json(made("stop sign").to_json())
    assert f(again, made("sign")) == 1


def test_json_keeps_what_only_compares(tmp_path: Path) -> None:
    rules = grammar(tmp_path, 'relation = { inside = "in" }\nsame = true')
    found = normalise([SemanticTuple(("dog", "inside", "car"))], rules)
    graph = SceneGraph.from_proposals([found])
    again = SceneGraph.from_json(graph.to_json())

    assert again.to_json() == graph.to_json()
    assert again.relations[0, 1][0].same == ["in"]


def test_the_words_as_written_are_among_the_origins(tmp_path: Path) -> None:
    made = normalise([SHIRT], grammar(tmp_path, WEAR))
    graph = SceneGraph.from_proposals([made])

    [origin] = graph.origins()[0, 1, 0]
    assert origin.written == ("man", "in", "red shirt")


@pytest.mark.parametrize(
    ("card", "message"),
    [
        ("", "G104 needs 'why' and one of relation, attribute, object"),
        ('relation = ["of"]', "G104 missing 'becomes'"),
        ('object = ["pup"]\nbecomes = "(dog)"', "G207 an object has no 'becomes'"),
        ('relation = {of = "x"}\nwhere = {thing = "lemma:a"}', "G203 'thing'"),
        ('relation = {of = "x"}\nwhere = {object = "lemma:@no"}', "G302 unknown list"),
        ('relation = {of = "x"}\nwhere = {object = "tag:NN"}', "G301"),
        ('relation = {of = "x"}\nmatch = ["a -b-> c"]', "G103 unknown key 'match'"),
    ],
)
def test_faults_of_form_cards(tmp_path: Path, card: str, message: str) -> None:
    with pytest.raises(GrammarError, match=message):
        grammar(tmp_path, card)


def test_a_grammar_without_forms_changes_nothing() -> None:
    assert normalise([SHIRT], load_grammar("spice-1.0")) == [SHIRT]
