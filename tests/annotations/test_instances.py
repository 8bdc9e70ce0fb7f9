"""Annotation files in COCO's format."""

import gzip
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spicepy.annotations.instances import read_instances
from spicepy.annotations.vocabulary import read_vocabulary
from spicepy.common import streamed
from spicepy.common.errors import InputError

GOOD = {
    "images": [{"id": 7, "file_name": "COCO_val2014_000000000007.jpg"}],
    "annotations": [{"image_id": 7, "category_id": 1, "iscrowd": 0}],
    "categories": [{"id": 1, "name": "dog"}],
}


def written(path, value):
    path.write_text(value if isinstance(value, str) else json.dumps(value))
    return path


def test_objects_are_counted_and_crowds_kept_apart(fixtures) -> None:
    read = read_instances([fixtures / "annotations" / "instances.json"])

    assert read.images[1].counts == {"person": 2, "horse": 2}
    assert read.images[3].counts == {"bus": 3, "person": 4}
    assert read.images[3].crowd == {"person"}
    assert read.images[4].counts == {}


@pytest.mark.parametrize(
    "name",
    [
        *(7, "7", "000000000007.jpg", "COCO_val2014_000000000007.jpg"),
        *("val2014/COCO_val2014_000000000007.jpg", "COCO_val2014_000000000007"),
    ],
)
def test_images_are_known_by_id_and_file_name(tmp_path, name) -> None:
    read = read_instances([written(tmp_path / "a.json", GOOD)])

    assert read.image(name, "x") == 7


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("", "expected a JSON object"),
        ("[]", "expected a JSON object"),
        ("{}", "has no annotations"),
        ('{"annotations": [{"image_id": 7, ', "invalid JSON"),
        ('{"annotations": [{"image_id": 7 "x": 1}]}', "invalid JSON"),
        (json.dumps(GOOD)[:-1], "the file ends"),
        (json.dumps(GOOD) + "x", "text follows"),
        ("[" * 100_000, "expected a JSON object"),
        ({**GOOD, "categories": []}, "has no categories"),
        ({**GOOD, "categories": [{"id": 1}]}, "its name is null"),
        ({**GOOD, "annotations": [3]}, "expected an object, found 3"),
        ({**GOOD, "annotations": [{"image_id": 7, "caption": "x"}]}, "--references"),
        ({**GOOD, "annotations": [{"image_id": 7}]}, "no key 'category_id'"),
        ({**GOOD, "annotations": [{"category_id": 1}]}, "no key 'image_id'"),
        (
            {**GOOD, "annotations": [{"image_id": 7, "category_id": 9}]},
            "category 9, which is not among its categories",
        ),
        (
            {**GOOD, "annotations": [{"image_id": None, "category_id": 1}]},
            "image_id is null",
        ),
    ],
)
def test_wrong_files_are_refused(tmp_path, value, message) -> None:
    path = written(tmp_path / "bad.json", value)

    with pytest.raises(InputError, match=message) as error:
        read_instances([path])

    assert str(path) in str(error.value)


def test_an_image_in_two_files_is_refused(tmp_path) -> None:
    path = written(tmp_path / "a.json", GOOD)

    with pytest.raises(InputError, match="would count twice"):
        read_instances([path, path])


def test_items_across_chunks_are_whole(tmp_path, monkeypatch) -> None:
    path = written(tmp_path / "a.json", json.dumps(GOOD, indent=1))
    packed = tmp_path / "a.json.gz"
    packed.write_bytes(gzip.compress(path.read_bytes()))
    whole = read_instances([path]).images
    for size in (1, 2, 3, 7, 50):
        monkeypatch.setattr(streamed, "_CHUNK", size)

        assert read_instances([path]).images == whole
        assert read_instances([packed]).images == whole


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(st.lists(JSON, max_size=5), JSON, st.integers(0, 400))
def test_items_are_those_of_json(tmp_path_factory, items, other, cut) -> None:
    path = tmp_path_factory.mktemp("json") / "x.json"
    text = json.dumps({"other": other, "list": items, "n": 1.5})
    path.write_text(text)
    expected = [("list", item) for item in items]

    assert list(streamed.items_of(path, ("list",))) == expected

    path.write_text(text[: min(cut, len(text) - 1)])
    with pytest.raises(InputError):
        list(streamed.items_of(path, ("list",)))


def test_categories_get_words_of_wordnet(tmp_path) -> None:
    value = {
        **GOOD,
        "categories": [{"id": 1, "name": "dog"}, {"id": 2, "name": "bass_(fish)"}],
    }
    found = read_vocabulary(written(tmp_path / "own.json", value)).classes

    assert found["poodle"] == found["dog"] == "dog"
    assert found["bass"] == "bass_(fish)"
    assert "chair" not in found
