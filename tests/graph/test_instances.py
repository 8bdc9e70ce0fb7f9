"""Two women stay two nodes, where somebody asks for instances."""

import pytest

import spicepy
from spicepy.graph.scene import SceneGraph


def parsed(caption: str) -> SceneGraph:
    return spicepy.parse(caption, instances=True, grammar="spicepy-1")


@pytest.mark.parametrize(
    ("caption", "objects"),
    [
        ("One woman holds a cup and another woman reads.", "cup woman woman"),
        ("A dog chases another dog.", "dog dog"),
        ("A black cat lies next to a white one.", "cat cat"),
        ("A man rides a horse. He wears a hat.", "hat horse man"),
        ("A man rides a horse. The horse is brown.", "horse man"),
        ("a red bus and a blue bus", "bus bus"),
        ("two men and a dog", "dog man"),
    ],
)
def test_each_thing_is_a_node(caption: str, objects: str) -> None:
    assert sorted(map(str, parsed(caption).objects)) == objects.split()


def test_what_is_said_of_one_is_not_said_of_the_other() -> None:
    graph = parsed("A man holds a red umbrella and a woman holds a blue one.")
    said = [
        (str(name), *map(str, attributes))
        for name, attributes in zip(graph.objects, graph.attributes, strict=True)
        if attributes
    ]
    assert sorted(said) == [("umbrella", "blue"), ("umbrella", "red")]


def test_one_node_is_the_default() -> None:
    graph = spicepy.parse("a red bus and a blue bus", grammar="spicepy-1")
    assert str(graph) == "(bus) (bus, blue) (bus, red)"


def test_instances_survive_json_and_keep_origins_and_denials() -> None:
    graph = parsed("A man with a hat and a boy without a hat.")
    again = SceneGraph.from_json(graph.to_json())
    assert len(again.objects) == len(graph.objects) == 3
    assert again.denied == graph.denied
    assert graph.denied
    assert set(graph.places()) == set(graph.origins())
