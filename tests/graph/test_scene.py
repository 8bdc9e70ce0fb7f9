"""Scene graphs: merging, provenance, and other forms."""

import json
import pickle
import shutil
import subprocess

import networkx as nx
import pytest
from hypothesis import given
from strategies import CAPTIONS

from spicepy.common.errors import InputError, SpicepyWarning
from spicepy.graph import concepts
from spicepy.graph.concepts import ConceptLexicon, Origin, printed_words
from spicepy.graph.scene import SceneGraph
from spicepy.rules.tuples import SemanticTuple
from spicepy.words.wordnet import load_synonyms

LEXICON = ConceptLexicon(load_synonyms())
EXACT = ConceptLexicon(load_synonyms("none"))


def graph(*tuples: tuple[str, ...], lexicon: ConceptLexicon = LEXICON) -> SceneGraph:
    return SceneGraph.from_tuples(tuples, lexicon)


def test_printing() -> None:
    scene = graph(("man", "be on", "horse"), ("man", "tall"))

    assert str(scene) == "(horse) (man) (man, on, horse) (man, tall)"
    assert len(scene) == 4
    assert repr(scene).startswith("SceneGraph((horse)")


def test_graphs_are_equal_if_they_say_the_same() -> None:
    brown = graph(("dog", "brown"), ("dog", "on", "sofa"), ("couch",))
    same = graph(("sofa",), ("couch",), ("dog", "on", "sofa"), ("dog", "brown"))

    assert brown == same
    assert {brown: 1}[same] == 1
    assert SceneGraph.from_json(brown.to_json(), LEXICON) == brown
    assert pickle.loads(pickle.dumps(brown)) == brown
    assert brown != graph(("dog", "brown"), ("dog", "on", "sofa"))
    assert brown != graph(("dog", "brown"), ("sofa", "on", "dog"), ("couch",))
    assert graph(("sofa",)) != graph(("sofa",), lexicon=EXACT)
    assert graph(("sofa",)) != "(sofa)"


def test_order_of_entry_decides_what_a_node_becomes() -> None:
    assert str(graph(("bike",), ("bicycle",), ("motorcycle",))) == (
        "(motorcycle/bicycle/bike)"
    )
    assert len(graph(("bicycle",), ("motorcycle",), ("bike",)).objects) == 2


def test_merged_words_print_in_the_originals_order() -> None:
    assert printed_words(["bike", "bicycle", "motorcycle"]) == [
        "motorcycle",
        "bicycle",
        "bike",
    ]
    assert printed_words(["couch", "sofa"]) == ["sofa", "couch"]


def test_attributes_merge_within_their_node_only() -> None:
    scene = graph(("horse", "gray"), ("dog", "grey"), ("horse", "grey"))

    assert scene.to_tuples() == [
        ("dog",),
        ("dog", "grey"),
        ("horse",),
        ("horse", "gray/grey"),
    ]


def test_relations_merge_between_the_same_nodes_in_one_direction() -> None:
    scene = graph(("a", "sit", "b"), ("a", "sit down", "b"), ("b", "sit", "a"))

    assert ("a", "sit_down", "b") not in scene.to_tuples()
    assert len(scene.relations) == 2
    assert graph(("dog", "chase", "dog")).to_tuples()[-1] == ("dog", "chase", "dog")


def test_without_synonyms_nothing_merges() -> None:
    scene = graph(("bike",), ("bicycle",), ("bike", "gray"), ("bike", "grey"),
                  lexicon=EXACT)  # fmt: skip

    assert len(scene.objects) == 2
    assert len(scene.attributes[0]) == 2


def test_origins_name_caption_rule_and_tokens() -> None:
    captions = [
        [SemanticTuple(("man", "ride", "bike"), "clause", (2, 3, 5))],
        [SemanticTuple(("bicycle", "red"), "adjective", (3, 2)),
         SemanticTuple(("man", "have", "bicycle"), "owner", (5, 0, 3))],
    ]  # fmt: skip
    scene = SceneGraph.from_proposals(captions, LEXICON)
    origins = scene.origins()

    assert origins[1,] == [
        Origin(0, "clause", (5,)),
        Origin(1, "adjective", (3,)),
        Origin(1, "owner", (3,)),
    ]
    assert origins[1, 0] == [Origin(1, "adjective", (2,))]
    assert origins[0, 1, 1] == [Origin(1, "owner", ())]
    assert set(origins) == set(scene.places())


def test_networkx_view() -> None:
    captions = [[SemanticTuple(("man", "ride", "bike"), "clause", (2, 3, 5)),
                 SemanticTuple(("bike", "red"), "adjective", (5, 4))]]  # fmt: skip
    scene = SceneGraph.from_proposals(captions, LEXICON)
    view = scene.to_networkx()

    assert isinstance(view, nx.MultiDiGraph)
    assert view.nodes[1]["label"] == "bike"
    assert view.nodes[1]["attributes"][0]["origins"] == [
        {"caption": 0, "rule": "adjective", "tokens": [4]}
    ]
    assert [data["label"] for *_, data in view.edges(data=True)] == ["ride"]


@given(CAPTIONS)
def test_other_forms_keep_the_graph(captions: list[list[SemanticTuple]]) -> None:
    scene = SceneGraph.from_proposals(captions, LEXICON)

    again = SceneGraph.from_json(scene.to_json(), LEXICON)
    assert again.to_tuples() == scene.to_tuples()
    assert [c.keys for c in again.objects] == [c.keys for c in scene.objects]
    data = json.loads(json.dumps(scene.to_node_link()))
    view = nx.node_link_graph(data, edges="edges")
    assert nx.utils.graphs_equal(view, scene.to_networkx())


@given(CAPTIONS)
def test_repetition_changes_nothing(captions: list[list[SemanticTuple]]) -> None:
    """A caption whose tuples come twice in a row gives the same graph."""
    exact = SceneGraph.from_proposals(captions, EXACT)
    twice = SceneGraph.from_proposals([*captions, *captions], EXACT)

    assert twice.to_tuples() == exact.to_tuples()


@given(CAPTIONS)
def test_exact_graphs_do_not_depend_on_order(
    captions: list[list[SemanticTuple]],
) -> None:
    backwards = [list(reversed(proposals)) for proposals in reversed(captions)]

    assert (
        SceneGraph.from_proposals(backwards, EXACT).to_tuples()
        == SceneGraph.from_proposals(captions, EXACT).to_tuples()
    )


def test_json_list_of_tuples() -> None:
    scene = SceneGraph.from_json('["sky", ["man", "tall"], ["man", "on", "horse"]]')

    assert str(scene) == "(horse) (man) (man, on, horse) (man, tall) (sky)"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "line 1, column 2"),
        ('{"objects": []}', '"objects" and "relations"'),
        ('{"objects": [{"words": ["a"]}], "relations": []}', 'needs "attributes"'),
        ('{"objects": [{"words": "a", "attributes": []}], "relations": []}', '"words"'),
        ('{"objects": [], "relations": [{"source": 0, "target": 0, "words": ["a"]}]}',
         "there is no object 0"),
        ("[[]]", "tuple 1 is []"),
        ('[["a", "b", "c", "d"]]', r"\[source, relation, target\]"),
        ('["a", ["b", 3]]', "tuple 2.* member 3"),
        ('["a", ["b", " "]]', "tuple 2.* member ' '"),
        ("3", "list of tuples"),
        ('"dog"', "list of tuples"),
        ("null", "list of tuples"),
        ("[null]", "tuple 1 is null"),
        ('{"objects": "a", "relations": []}', 'needs "objects"'),
        ('{"objects": ["a"], "relations": []}', "object 1 needs"),
        ('{"objects": [{"words": ["a"], "attributes": ["b"]}], "relations": []}',
         "an attribute of object 1 are 'b'"),
        ('{"objects": [{"words": ["a"], "attributes": []}], "relations": '
         '[{"source": false, "target": 0, "words": ["a"]}]}',
         "there is no object false"),
        ('{"objects": [], "objects": [], "relations": []}', "'objects' occurs twice"),
        ("[" * 99_999, "nested too deeply"),
        ("[" + "1" * 5000 + "]", "more than 4,300 digits"),
    ],
)  # fmt: skip
def test_broken_json(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message.replace("[]", r"\[\]")):
        SceneGraph.from_json(text)


@pytest.mark.parametrize("tuples", ["dog", {"dog": 1}, None, 3])
def test_a_graph_is_made_from_a_list_of_tuples(tuples: object) -> None:
    with pytest.raises(InputError, match="is not a list of tuples; give one such as"):
        SceneGraph.from_tuples(tuples, EXACT)  # type: ignore[arg-type]


@pytest.mark.parametrize("verb", ["is", "are", "was", "were"])
def test_a_relation_that_should_be_an_attribute_is_warned_of(verb: str) -> None:
    tuples = [("dog",), ("dog", verb, "brown")]
    message = r"tuple 2, .*'brown'\), .* for an attribute give \('dog', 'brown'\)"
    with pytest.warns(SpicepyWarning, match=message):
        scene = SceneGraph.from_tuples(tuples, EXACT)
    assert str(scene) == f"(brown) (dog) (dog, {verb}, brown)"


def test_graphs_as_spicepy_makes_them_are_not_warned_of(
    recwarn: pytest.WarningsRecorder,
) -> None:
    graph(("dog", "brown"), ("is",), ("dog", "be", "pet"), ("dog", "sit on", "mat"))

    assert not recwarn.list


def test_half_an_emoji_in_a_tuple_can_be_written() -> None:
    nodes = '{"objects": [{"words": ["a\\ud83d"], "attributes": []}], "relations": []}'
    for text in ('[["a\\ud83d"]]', nodes):
        assert SceneGraph.from_json(text, EXACT).to_json().encode()


def test_dot_escapes_and_colours() -> None:
    dot = graph(('say "hi"\\', "two\nlines"), ("a", "on", "b")).to_dot()

    assert '[label="say \\"hi\\"\\\\", color="#d62728"]' in dot
    assert '[label="two\\nlines", color="#2ca02c"]' in dot
    assert '[label="on", color="#1f77b4"]' in dot
    if shutil.which("dot"):
        subprocess.run(["dot", "-Tsvg"], input=dot.encode(), check=True,
                       stdout=subprocess.DEVNULL)  # fmt: skip


def test_empty_graph() -> None:
    scene = SceneGraph.from_proposals([[]], LEXICON)

    assert (str(scene), len(scene), scene.to_tuples()) == ("", 0, [])
    assert len(scene.to_networkx()) == 0


ROOM = [("bathroom",), ("toilet",), ("bathroom", "with", "toilet")]


def test_synonyms_of_one_caption_may_be_distinct() -> None:
    distinct = ConceptLexicon(load_synonyms(), distinct=True)

    assert str(SceneGraph.from_tuples(ROOM, LEXICON)).count("toilet/bathroom") == 3
    assert SceneGraph.from_tuples(ROOM, distinct).to_tuples() == sorted(ROOM)


def test_distinct_words_of_several_captions_merge() -> None:
    distinct = ConceptLexicon(load_synonyms(), distinct=True)
    captions = [[SemanticTuple((word,))] for word in ("bathroom", "toilet")]

    assert len(SceneGraph.from_proposals(captions, distinct)) == 1


def test_a_distinct_lexicon_stays_so_when_pickled() -> None:
    lexicon = ConceptLexicon(load_synonyms("none"), distinct=True)

    assert pickle.loads(pickle.dumps(lexicon)).distinct


def test_a_full_lexicon_begins_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """A job without end keeps so many words; the graphs are the same."""
    monkeypatch.setattr(concepts, "WORDS", 3)
    tuples = [("bike",), ("bicycle",), ("bike", "red"), ("man", "ride", "motorcycle")]
    small = ConceptLexicon(load_synonyms())

    found = SceneGraph.from_tuples(tuples, small)

    assert found.to_json() == SceneGraph.from_tuples(tuples, LEXICON).to_json()
    assert len(small) <= 3
