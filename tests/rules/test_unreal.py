"""What a caption denies or supposes: kept in the graph, and no part of it."""

import json
from pathlib import Path

import pytest

from spicepy.graph.scene import SceneGraph
from spicepy.metrics.soft.metric import SpiceSoft
from spicepy.pipeline import Pipeline
from spicepy.rules.tuples import facts, pack, unpack


@pytest.fixture(scope="module")
def pipeline() -> Pipeline:
    return Pipeline(grammar="spicepy-1")


def members(tuples: object) -> list[tuple[str, ...]]:
    return [tuple_.members for tuple_ in tuples]  # type: ignore[attr-defined]


def test_what_is_denied_is_kept_apart(pipeline: Pipeline) -> None:
    [graph] = pipeline.parse(["A girl rides a bike without wearing a helmet."])
    assert str(graph) == "(bike) (girl) (girl, ride, bike)"
    assert members(graph.denied) == [("girl", "wear", "helmet"), ("helmet",)]
    assert not graph.supposed


def test_each_of_several_is_denied(pipeline: Pipeline) -> None:
    [graph] = pipeline.parse(["A wall with no pictures and no clock."])
    assert str(graph) == "(wall)"
    assert ("clock",) in members(graph.denied)


def test_what_is_supposed_is_kept_apart(pipeline: Pipeline) -> None:
    [graph] = pipeline.parse(["The players could be celebrating a goal."])
    assert str(graph) == "(player)"
    assert members(graph.supposed) == [("goal",), ("player", "celebrate", "goal")]


def test_what_one_has_and_another_lacks_is_there(pipeline: Pipeline) -> None:
    [graph] = pipeline.parse(["A man wears a hat and a boy wears no hat."])
    assert ("hat",) in graph.to_tuples()
    assert members(graph.denied) == [("boy", "wear", "hat")]


def test_definite_nouns_are_there_whatever_is_denied(pipeline: Pipeline) -> None:
    [graph] = pipeline.parse(["A woman walks without holding the leash."])
    assert ("leash",) in graph.to_tuples()
    assert members(graph.denied) == [("woman", "hold", "leash")]


def test_every_door_has_facts_only(pipeline: Pipeline) -> None:
    caption = "A man without a hat might be waiting for a bus."
    text = pipeline.text(caption)
    trace = pipeline.trace(caption)
    assert not any(tuple_.mood for tuple_ in pipeline.propose([text])[text])
    assert not any(tuple_.mood for tuple_ in trace.proposals)
    assert {tuple_.mood for tuple_ in trace.unreal} == {"denied", "supposed"}
    [(_, read)] = pipeline.read([text])
    assert not any(tuple_.mood for tuple_ in read)
    moods = [entry.get("mood") for entry in trace.to_dict()["proposals"]]
    assert {None, "denied", "supposed"} == set(moods)
    assert SpiceSoft(pipeline=pipeline)


def test_json_keeps_what_is_denied_and_supposed(pipeline: Pipeline) -> None:
    [graph] = pipeline.parse(["There are no clouds, and the dog may be asleep."])
    data = json.loads(graph.to_json())
    assert data["denied"] == [["cloud"]]
    assert data["supposed"] == [["dog", "asleep"]]
    again = SceneGraph.from_json(graph.to_json())
    assert (again, again.denied, again.supposed) == (
        graph,
        graph.denied,
        graph.supposed,
    )


def test_packed_proposals_keep_their_mood(pipeline: Pipeline) -> None:
    trace = pipeline.trace("A table with no plates could be in a kitchen.")
    proposals = [*trace.proposals, *trace.unreal]
    packed = unpack(pack(proposals))
    assert list(packed) == proposals
    assert list(facts(packed)) == list(trace.proposals)
    assert str(SceneGraph.from_proposals([packed])) == str(trace.graph)


def test_kept_results_have_the_same_moods(tmp_path: Path) -> None:
    caption = "A dog that may be asleep wears no collar."
    graphs = [
        Pipeline(grammar="spicepy-1", cache=tmp_path).parse([caption])[0]
        for _ in range(2)
    ]
    assert graphs[0].denied == graphs[1].denied
    assert members(graphs[1].denied) == [("collar",), ("dog", "wear", "collar")]
    assert members(graphs[1].supposed) == [("dog", "asleep")]
