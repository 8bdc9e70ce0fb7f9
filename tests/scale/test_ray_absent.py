"""Ray that does not begin, or cannot be reached, is one sentence."""

from types import SimpleNamespace

import pytest

from spicepy.common.errors import ResourceError
from spicepy.scale import ray_cluster
from spicepy.scale.ray_cluster import Cluster


def broken(*_: object, **__: object) -> None:
    raise ConnectionError("No cluster was found.\nAll that Ray knows about it")


@pytest.mark.parametrize(
    ("address", "message"),
    [
        (None, "Ray cannot begin on this machine: 'No cluster was found.'"),
        ("auto", "Ray cannot be reached at 'auto': 'No cluster was found.'"),
    ],
)
def test_ray_that_does_not_begin(
    monkeypatch: pytest.MonkeyPatch, address: str | None, message: str
) -> None:
    ray = SimpleNamespace(is_initialized=lambda: False, init=broken)
    monkeypatch.setattr(ray_cluster, "required", lambda *_: ray)

    with pytest.raises(ResourceError) as raised, Cluster(address).running():
        pass

    assert str(raised.value) == message
