"""A scene graph in each of the forms that `spicepy parse` writes.

In: a `SceneGraph` and the name of a form. Out: a value that is ready for JSON, or text.
"""

import json
from collections.abc import Callable
from typing import Any, Final

from spicepy.common.jsonlines import json_line
from spicepy.common.settings import GraphFormat
from spicepy.graph import exchange
from spicepy.graph.scene import SceneGraph
from spicepy.samples.sample import ImageId


def graph_value(graph: SceneGraph, form: GraphFormat, image_id: ImageId = 0) -> Any:
    """Return the graph as a value ready for JSON; text for the forms that are text.

    Args:
        graph: The graph.
        form: The form.
        image_id: Its image, which only Visual Genome names.

    Raises:
        InputError: A name cannot be written in this form (a comma in FACTUAL).
    """
    if form is GraphFormat.visual_genome:
        return exchange.write_visual_genome(graph, image_id)
    return _VALUES[form](graph)


def graph_line(graph: SceneGraph, form: GraphFormat, image_id: ImageId = 0) -> str:
    """Return the graph as a line of text (Graphviz: several lines).

    Raises:
        InputError: As for `graph_value`.
    """
    if form is GraphFormat.tuples:
        return str(graph)
    value = graph_value(graph, form, image_id)
    return value if isinstance(value, str) else json_line(value)


def nested(graph: SceneGraph) -> dict[str, Any]:
    """Return the graph as the nested columns of a Parquet file.

    `objects` is a list of {name, words, attributes}, `relations` one of {subject,
    predicate, object}, the ends being places in `objects`, from 0. Of merged words
    (bike/bicycle) `name`, attributes and predicates give the first.
    """
    objects = [
        {
            "name": concept.words[0],
            "words": list(concept.words),
            "attributes": [attribute.words[0] for attribute in attributes],
        }
        for concept, attributes in zip(graph.objects, graph.attributes)
    ]
    relations = [
        {"subject": source, "predicate": relation, "object": target}
        for source, relation, target in exchange.edges(graph)
    ]
    return {"objects": objects, "relations": relations}


_VALUES: Final[dict[GraphFormat, Callable[[SceneGraph], Any]]] = {
    GraphFormat.tuples: lambda graph: [list(t.members) for t in graph.tuples()],
    GraphFormat.json: lambda graph: json.loads(graph.to_json()),
    GraphFormat.node_link: lambda graph: graph.to_node_link(),
    GraphFormat.dot: lambda graph: graph.to_dot(),
    GraphFormat.factual: exchange.write_factual,
    GraphFormat.sng: exchange.write_sng,
}
