"""Scores, explanations, reports and digests are what they were, to the last bit.

If one moves on purpose, say so in the CHANGELOG (Scores, Grammar) and run
`python -m tests.refreeze`.
"""

import json
from typing import Any

import frozen
import pytest


@pytest.mark.parametrize("name", frozen.RECORDS)
def test_frozen(name: str) -> None:
    made: Any = json.loads(json.dumps(frozen.RECORDS[name]()))
    old = frozen.read(name)
    if name == "scores":  # a new metric moves nothing that was there
        made = {key: made[key] for key in made if key in old}
    moved = frozen.changes(old, made)

    assert not moved, "\n".join(moved)


def test_changes_are_named() -> None:
    old = {"a": {"b": 1, "c": [2]}, "d": 3}
    changes = frozen.changes

    assert changes(old, {"a": {"b": 1, "c": [3]}, "d": 3}) == [
        "/a/c:\n    - 2\n    + 3"
    ]
    assert changes(old, {"a": {"b": 1, "c": [2]}, "e": 3}) == ["/d: gone", "/e: new"]
    assert changes(old, dict(reversed(old.items()))) == [": keys in another order"]
    assert changes(old, old) == []
    assert changes({"a": "0" * 64}, {"a": "1" * 64}) == ["/a: differs"]
    graphs = {"a": "(dog) (dog, big)"}, {"a": "(dog) (dog, in, car)"}
    assert changes(*graphs) == ["/a:\n    - (dog, big)\n    + (dog, in, car)"]
