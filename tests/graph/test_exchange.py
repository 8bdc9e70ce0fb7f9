"""Scene graphs to and from FACTUAL, sng_parser and Visual Genome."""

import json

import pytest

from spicepy.api import parse
from spicepy.common.errors import InputError
from spicepy.graph.exchange import (
    read_factual,
    read_sng,
    read_visual_genome,
    write_factual,
    write_sng,
    write_visual_genome,
)
from spicepy.graph.scene import SceneGraph

TUPLES = [
    ("fire hydrant",),
    ("man", "tall"),
    ("man", "wear", "shirt"),
    ("shirt", "red"),
    ("dog",),
    ("man", "next to", "fire hydrant"),
]


@pytest.fixture
def graph() -> SceneGraph:
    return SceneGraph.from_tuples(TUPLES)


def test_factual_text(graph: SceneGraph) -> None:
    expected = (
        "( man , is , tall ) , ( shirt , is , red ) , ( man , wear , shirt ) , "
        "( man , next to , fire hydrant ) , ( dog )"
    )

    assert write_factual(graph) == expected


@pytest.mark.parametrize(
    ("write", "read"),
    [
        (write_factual, read_factual),
        (write_sng, read_sng),
        (write_visual_genome, read_visual_genome),
    ],
)
def test_there_and_back_loses_nothing(write, read, graph: SceneGraph) -> None:
    for one in (graph, SceneGraph.from_tuples([])):
        written = json.loads(json.dumps(write(one)))
        assert read(written).to_tuples() == one.to_tuples()


def test_sng_parser_determiners_are_no_attributes() -> None:
    modifiers = [
        {"dep": "det", "span": "a", "lemma_span": "a"},
        {"dep": "amod", "span": "red", "lemma_span": "red"},
    ]
    cup = {"span": "a red cup", "head": "cup", "modifiers": modifiers}

    assert read_sng({"entities": [cup], "relations": []}).to_tuples() == [
        ("cup",),
        ("cup", "red"),
    ]


def test_visual_genome_takes_names_and_predicates_as_they_come() -> None:
    data = {
        "image_id": 7,
        "objects": [
            {"object_id": 31, "names": ["Lamp"], "attributes": ["lit "], "x": 3},
            {"object_id": 58, "names": ["desk"]},
        ],
        "relationships": [{"subject_id": 31, "predicate": "ON", "object_id": 58}],
    }

    assert read_visual_genome(data).to_tuples() == [
        ("desk",),
        ("lamp",),
        ("lamp", "lit"),
        ("lamp", "on", "desk"),
    ]


@pytest.mark.parametrize(
    ("read", "data", "message"),
    [
        (read_factual, "man wears shirt", "not a FACTUAL graph"),
        (read_factual, "( man , wear )", "fact 0"),
        (read_factual, "( man , , shirt )", "fact 0"),
        (read_factual, 3, "not a FACTUAL graph"),
        (read_sng, {}, "entities: a list"),
        (read_sng, {"entities": [{}], "relations": []}, r"entities\[0\]: 'lemma_head'"),
        (
            read_sng,
            {"entities": [], "relations": [{"subject": 0, "object": 1}]},
            r"relations\[0\]: 'subject' is 0: no such object",
        ),
        (read_visual_genome, [], "objects: a list"),
        (
            read_visual_genome,
            {"objects": [{"object_id": 1, "names": []}], "relationships": []},
            r"objects\[0\]: 'names'",
        ),
        (
            read_visual_genome,
            {"objects": [], "relationships": [{"subject_id": [1]}]},
            r"relationships\[0\]: 'subject_id'",
        ),
    ],
)
def test_bad_input_is_named(read, data, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read(data)


def test_factual_cannot_hold_commas() -> None:
    with pytest.raises(InputError, match="comma or bracket"):
        write_factual(SceneGraph.from_tuples([("a, b",)]))


def test_sng_parser_bounds_are_those_of_the_caption() -> None:
    graph = parse("two brown dogs run in a big park")
    written = write_sng(graph)

    bounds = {e["span"]: e["span_bounds"] for e in written["entities"]}
    assert bounds == {"dog": [0, 3], "park": [6, 8]}
    assert [r["relation_bounds"] for r in written["relations"]] == [[3, 4]]


def test_sng_parser_bounds_of_tuples_are_unknown(graph: SceneGraph) -> None:
    assert not any(e["span_bounds"] for e in write_sng(graph)["entities"])
