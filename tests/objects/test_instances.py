"""Annotation files in COCO's format."""

import gzip
import json

import pytest
from cli_run import run as run
from hypothesis import given
from hypothesis import strategies as st

from spicepy.captions.sample import Sample
from spicepy.common import json_values as streamed
from spicepy.common.errors import InputError
from spicepy.evaluation.evaluation import evaluate
from spicepy.objects.chair import Chair, ObjectsOfImages, caption_objects
from spicepy.objects.counting import Counting
from spicepy.objects.instances import digest, read_instances
from spicepy.objects.readers import load_reader
from spicepy.objects.vocabulary import load_vocabulary

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
            "category 9, or says that it has none",
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


def test_images_may_have_no_objects(tmp_path) -> None:
    path = written(tmp_path / "a.json", {**GOOD, "annotations": []})

    assert not any(i.counts for i in read_instances([path]).images.values())


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
    path = tmp_path_factory.getbasetemp() / "items.json"
    text = json.dumps({"other": other, "list": items, "n": 1.5})
    path.write_text(text)
    expected = [("list", item) for item in items]

    assert list(streamed.items_of(path, ("list",))) == expected

    path.write_text(text[: min(cut, len(text) - 1)])
    with pytest.raises(InputError):
        list(streamed.items_of(path, ("list",)))


def test_a_digest_tells_annotations_apart(tmp_path) -> None:
    other = {
        **GOOD,
        "images": [{"id": 8}],
        "annotations": [{"image_id": 8, "category_id": 1}],
    }
    paths = [written(tmp_path / "a.json", GOOD), written(tmp_path / "b.json", other)]
    more = {**GOOD, "annotations": [*GOOD["annotations"], *GOOD["annotations"]]}
    changed = written(tmp_path / "c.json", more)

    one, both = digest(read_instances(paths[:1])), digest(read_instances(paths))
    assert both == digest(read_instances(paths[::-1])) != one
    assert digest(read_instances([changed])) != one
    assert (
        f"instances:{one}"
        in evaluate(
            [Sample(7, "a dog", ("dogs",))], [Chair(paths[:1], load_reader("pattern"))]
        ).signature
    )


def classes(folder, *categories):
    """Return the words of the categories of a file, given as names or entries."""
    entries = [c if isinstance(c, dict) else {"name": c} for c in categories]
    listed = [{"id": k, **c} for k, c in enumerate(entries, 1)]
    path = written(folder / "own.json", {**GOOD, "categories": listed})
    return load_vocabulary(path).classes


def test_categories_get_words_of_wordnet(tmp_path) -> None:
    found = classes(tmp_path, "dog", "bass_(fish)", "bat_(animal)", "baseball_bat")

    assert found["poodle"] == found["dog"] == "dog"
    assert found["bass"] == "bass_(fish)"
    assert "chair" not in found
    assert "bat" not in found  # of an animal, or of baseball?


def test_names_of_objects365(tmp_path) -> None:
    found = classes(
        tmp_path,
        *("Person", "Other Shoes", "Cabinet/shelf", "Cutting/chopping Board"),
        *("Potted Plant", "Wild Bird", "Duck", "Machinery Vehicle", "Car", "Sneakers"),
    )

    assert found["people"] == found["woman"] == "Person"
    assert found["shoe"] == "Other Shoes"
    assert found["shelf"] == found["cabinet"] == "Cabinet/shelf"
    assert found["cutting board"] == "Cutting/chopping Board"
    assert found["plant"] == "Potted Plant"
    assert found["sneaker"] == "Sneakers"
    assert "bird" not in found  # ducks are birds, too
    assert "vehicle" not in found


def test_synonyms_and_synsets_of_lvis(tmp_path) -> None:
    found = classes(
        tmp_path,
        {"name": "crane_(bird)", "synset": "crane.n.05", "synonyms": ["crane_(bird)"]},
        {"name": "zucchini", "synset": "zucchini.n.02", "synonyms": ["courgette"]},
    )

    assert found["whooping crane"] == found["crane"] == "crane_(bird)"
    assert "stephen crane" not in found
    assert found["courgette"] == "zucchini"


LVIS = {
    "images": [
        {
            "id": 7,
            "coco_url": "http://images.cocodataset.org/val2017/000000000007.jpg",
            "neg_category_ids": [2],
            "not_exhaustive_category_ids": [1],
        },
        {"id": 8, "coco_url": "http://x/000000000008.jpg", "neg_category_ids": []},
    ],
    "annotations": [{"image_id": 7, "category_id": 1}],
    "categories": [
        {"id": 1, "name": "dog", "synset": "dog.n.01", "frequency": "f"},
        {"id": 2, "name": "cat", "synset": "cat.n.01", "frequency": "f"},
        {"id": 1203, "name": "zucchini", "synset": "zucchini.n.02", "frequency": "c"},
    ],
}


def test_what_nobody_looked_for_is_not_judged(tmp_path) -> None:
    path = written(tmp_path / "lvis.json", LVIS)
    instances = read_instances([path])
    reader = load_reader(vocabulary=path)

    assert instances.image("000000000007.jpg", "") == 7
    assert instances.images[7].crowd == {"dog"}
    text = "three dogs with a cat and a zucchini"
    found, other = caption_objects(
        [(7, text), (8, text)], ObjectsOfImages(instances, {}, reader), reader
    )
    assert [m.name for m in found.mentions] == ["dog", "cat"]
    assert [m.name for m in found.hallucinated] == ["cat"]
    assert found.to_dict()["unjudged"] == ["zucchini"]
    assert other.mentions == ()
    counted, unknown = Counting(instances, reader).measure([(7, text), (8, text)])
    assert counted.claims[0].claim.number == 3
    assert counted.claims[0].verdict == "consistent"
    assert unknown.claims[0].verdict == "uncounted"


def test_a_vocabulary_is_written_as_it_is_read(run, tmp_path) -> None:
    path = written(tmp_path / "lvis.json", LVIS)
    done = run("grammar", "vocabulary", path)
    own = tmp_path / "own.toml"
    own.write_text(done.stdout)

    assert load_vocabulary(own).classes == load_vocabulary(path).classes
    name = load_vocabulary(own).name
    own.write_text(done.stdout.replace('"wolfhound"', '"fox"'))
    assert load_vocabulary(own).name != name  # it is part of the signature


def test_an_endless_item_is_refused_in_time(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(streamed, "_MAX_ITEM", 1 << 16)
    monkeypatch.setattr(streamed, "_CHUNK", 1 << 12)
    path = tmp_path / "x.json"
    path.write_text('{"annotations": [{"segmentation": [[' + "1.25," * 100_000)

    with pytest.raises(InputError, match="a value of more than"):
        read_instances([path])
