"""Rewards: the numbers of the definition, prepared references, processes, threads."""

import collections
import json
import multiprocessing
import os
import pickle
import random
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

import spicepy
from spicepy.common.errors import InputError, SpicepyWarning
from spicepy.metrics.ngrams.cider import Cider
from spicepy.metrics.ngrams.frequencies import DocumentFrequencies
from spicepy.metrics.ngrams.grams import HALF
from spicepy.metrics.ngrams.storage import load_arrays, save_arrays
from spicepy.rewards import CiderD, Spice
from spicepy.tokenization.samples import TokenisedSample

WORDS = ["a", "a", "the", "dog", "dogs", "rides", "riding", "big", "red", "bus"]
WORDS += ["on", "of", "café", "'s"]
REFERENCES = {
    1: ["a dog runs on the grass", "the brown dog is running"],
    2: ["two cats sleep on a sofa", "cats are sleeping"],
    "c": ["a man rides a horse"],
}
CANDIDATES = ["a dog on the grass", "a cat sleeps", "a man on a horse"]
IDS = [1, 2, "c"]


def random_images(seed: int, images: int) -> list[tuple[str, list[str]]]:
    draw = random.Random(seed)

    def caption() -> str:
        return " ".join(draw.choices(WORDS, k=draw.randrange(14)))

    return [
        (caption(), [caption() for _ in range(draw.randint(1, 6))])
        for _ in range(images)
    ]


def naive(candidate: str, references: list[str], seen: dict, images: float) -> float:
    """CIDEr-D by equations 4-5 of the paper, as the code of the field sums it.

    Logarithms, powers and roots are numpy's, of single numbers; orders are added
    up a reference at a time.
    """

    def vector(text: str, n: int) -> tuple[dict, float]:
        words, counts = text.split(), collections.Counter()
        for at in range(len(words) - n + 1):
            counts[tuple(words[at : at + n])] += 1
        idf = {g: np.log(images) - np.log(max(1.0, seen.get(g, 0.0))) for g in counts}
        weights = {gram: float(count) * idf[gram] for gram, count in counts.items()}
        norm = 0.0
        for weight in weights.values():
            norm += pow(weight, 2)
        return weights, np.sqrt(norm)

    def bigrams(text: str) -> int:
        return max(len(text.split()) - 1, 0)

    total = np.zeros(4)
    for reference in references:
        likeness = np.zeros(4)
        for n in range(1, 5):
            own, norm = vector(candidate, n)
            other, other_norm = vector(reference, n)
            for gram, weight in own.items():
                value = other.get(gram, 0.0)
                likeness[n - 1] += min(weight, value) * value
            if norm != 0 and other_norm != 0:
                likeness[n - 1] /= norm * other_norm
            delta = float(bigrams(candidate) - bigrams(reference))
            likeness[n - 1] *= np.e ** (-(delta**2) / (2 * 6.0**2))
        total += likeness
    return float(np.mean(total) / len(references) * 10.0)


def counted(images: list[list[str]]) -> dict[tuple[str, ...], float]:
    """In how many images each n-gram is, as floats, like the pickles' counts."""
    seen: dict[tuple[str, ...], float] = defaultdict(float)
    for captions in images:
        words = [caption.split() for caption in captions]
        grams = {
            tuple(w[at : at + n])
            for w in words
            for n in range(1, 5)
            for at in range(len(w) - n + 1)
        }
        for gram in grams:
            seen[gram] += 1.0
    return seen


@pytest.mark.parametrize("seed", range(6))
def test_cider_d_is_the_definition_to_the_last_bit(seed: int, tmp_path: Path) -> None:
    images = random_images(seed, 40)
    seen = counted([references for _, references in images])
    path = tmp_path / "train.p"
    path.write_bytes(pickle.dumps({"document_frequency": seen, "ref_len": 40}, 2))
    more = random_images(100 + seed, 40)  # with n-grams that were never counted

    scores = CiderD(path)([c for c, _ in more], [r for _, r in more])

    assert scores.tolist() == [naive(c, r, seen, 40.0) for c, r in more]


def test_cider_d_of_its_own_references_is_the_metric() -> None:
    images = random_images(7, 60)
    samples = [TokenisedSample(i, c, tuple(r)) for i, (c, r) in enumerate(images)]
    reward = CiderD(references={s.image_id: s.references for s in samples})

    found = reward([c for c, _ in images], image_ids=range(60))

    np.testing.assert_allclose(found, Cider().count(samples).rows[:, 0], rtol=1e-14)


@pytest.mark.parametrize("make", [CiderD, Spice])
def test_candidates_references_and_shapes(make) -> None:
    reward = make(references=REFERENCES)
    one_by_one = reward(CANDIDATES, image_ids=IDS)

    assert one_by_one.shape == (3,)
    assert one_by_one.dtype == float
    given = reward(CANDIDATES, list(REFERENCES.values()))
    assert given.tolist() == one_by_one.tolist()
    several = reward([[c, "a dog"] for c in CANDIDATES], image_ids=IDS)
    assert several.shape == (3, 2)
    assert several[:, 0].tolist() == one_by_one.tolist()
    numpy_ids = reward(["a dog", "a cat", "dogs"], image_ids=np.array([1, 2, 1]))
    assert numpy_ids[0] == several[0, 1]
    assert reward([], image_ids=[]).shape == (0,)


def test_spice_is_the_metric() -> None:
    reward = Spice(REFERENCES)

    found = reward(CANDIDATES, image_ids=IDS)

    wanted = [spicepy.score(c, REFERENCES[i]).f for c, i in zip(CANDIDATES, IDS)]
    assert found.tolist() == wanted
    assert reward(CANDIDATES, image_ids=IDS).tolist() == wanted  # remembered
    assert Spice()(CANDIDATES, list(REFERENCES.values())).tolist() == wanted


@pytest.mark.parametrize("make", [CiderD, Spice])
def test_raw_captions_are_tokenised_when_asked(make) -> None:
    raw = {1: ["A Dog's ball."], 2: ["Two cats, asleep."]}
    tokens = {1: ["a dog 's ball"], 2: ["two cats asleep"]}

    from_raw = make(references=raw, tokenised=False)(
        ["The ball!", "Cats."], list(raw.values())
    )
    from_tokens = make(references=tokens)(["the ball", "cats"], image_ids=[1, 2])

    assert from_raw.tolist() == from_tokens.tolist()


def test_word_numbers_score_like_words() -> None:
    images = random_images(3, 20)
    number = {word: str(at) for at, word in enumerate(dict.fromkeys(WORDS), 1)}

    def numbers(text: str) -> str:
        return " ".join(number[word] for word in text.split())

    words = CiderD(references=dict(enumerate(r for _, r in images)))
    ids = CiderD(
        references={i: list(map(numbers, r)) for i, (_, r) in enumerate(images)}
    )
    candidates = [c for c, _ in images]

    found = ids(list(map(numbers, candidates)), image_ids=range(20))

    assert found.tolist() == words(candidates, image_ids=range(20)).tolist()


@pytest.mark.parametrize("seed", range(3))
def test_preparing_changes_no_bit(seed: int) -> None:
    images = random_images(seed, 50)
    references = {i: r for i, (_, r) in enumerate(images)}
    reward = CiderD(references=references)
    batch = [[c, c + " a dog"] for c, _ in images]

    prepared = CiderD(references=references).prepare()(batch, image_ids=range(50))

    assert prepared.tolist() == reward(batch, image_ids=range(50)).tolist()


def test_cider_d_is_saved_and_loaded(tmp_path: Path) -> None:
    reward = CiderD(references=REFERENCES)
    reward.save(tmp_path / "prepared.npz")

    loaded = CiderD.load(tmp_path / "prepared.npz")

    assert loaded.references == reward.references
    assert loaded.frequencies.label == reward.frequencies.label
    expected = reward(CANDIDATES, image_ids=IDS).tolist()
    assert loaded(CANDIDATES, image_ids=IDS).tolist() == expected


@pytest.mark.parametrize("name", ["prepared.json", "prepared.json.gz"])
def test_spice_is_saved_and_loaded_without_parsing(
    tmp_path: Path, name: str, monkeypatch
) -> None:
    reward = Spice(REFERENCES)
    expected = reward(CANDIDATES, image_ids=IDS).tolist()
    reward.save(tmp_path / name)

    loaded = Spice.load(tmp_path / name)
    parsed: list[str] = []
    make = loaded.pipeline.make
    monkeypatch.setattr(
        loaded.pipeline, "make", lambda texts: parsed.extend(texts) or make(texts)
    )

    assert loaded(CANDIDATES, image_ids=IDS).tolist() == expected
    assert sorted(parsed) == sorted(CANDIDATES)


def test_prepared_graphs_of_another_grammar_are_refused(tmp_path: Path) -> None:
    Spice(REFERENCES).save(tmp_path / "prepared.json")

    with pytest.raises(InputError, match="made with synonyms"):
        Spice.load(tmp_path / "prepared.json", synonyms="none")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"references": [[[1], ["a"]]]}, "image_id"),
        ({"references": [[1, []]]}, "no references"),
        ({"references": {"a": 1}}, "pairs"),
        ({"tokenised": 1}, "tokenised is 1"),
        ({"made-by": None}, "made-by"),
        ({"tuples": {"a dog": [[]]}}, r"\[\]"),
        ({"tuples": {"a dog": [["dog", 1]]}}, "texts"),
        ({"tuples": []}, "must be an object"),
    ],
)
def test_bad_prepared_graphs_are_named(tmp_path: Path, change, said: str) -> None:
    path = tmp_path / "prepared.json"
    Spice({1: ["a dog"]}).save(path)
    path.write_text(json.dumps(json.loads(path.read_text()) | change))

    with pytest.raises(InputError, match=said) as error:
        Spice.load(path)
    assert str(path) in str(error.value)


def test_frequencies_from_every_kind_of_file(tmp_path: Path) -> None:
    images = [TokenisedSample(i, "", tuple(r)) for i, r in REFERENCES.items()]
    counted_here = DocumentFrequencies.of(images, name="train")
    seen = counted([list(r) for r in REFERENCES.values()])
    counted_here.save(tmp_path / "train.json.gz")
    save_arrays(tmp_path / "train.npz", counted_here)
    for name, protocol in (("train.p", 0), ("train.pkl", 2), ("train.pickle", 5)):
        content = {"document_frequency": seen, "ref_len": 3.0}
        (tmp_path / name).write_bytes(pickle.dumps(content, protocol))

    files = list(tmp_path.iterdir())
    found = [CiderD(p)(CANDIDATES, list(REFERENCES.values())).tolist() for p in files]

    assert len(files) == 5
    assert found == [found[0]] * 5
    for path in files:
        loaded = DocumentFrequencies.load(path)
        assert loaded.label == counted_here.label
        samples = [TokenisedSample(1, "a dog on the grass", ("a dog", "the grass"))]
        assert Cider(frequencies=loaded).count(samples).rows[0, 0] > 0


class Evil:
    def __reduce__(self):
        return os.system, ("echo run > /dev/null",)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (pickle.dumps(Evil()), "system"),
        (pickle.dumps(eval), "eval"),
        (pickle.dumps(np.float64(3)), "numpy"),
        (b"no pickle", "not pickle, or damaged"),
        (pickle.dumps([1]), "it must be"),
        (pickle.dumps({"document_frequency": {}, "ref_len": 0}), "ref_len"),
        (pickle.dumps({"document_frequency": {}, "ref_len": 1e999}), "ref_len"),
        (pickle.dumps({"document_frequency": [], "ref_len": 1}), "no mapping"),
        (pickle.dumps({"document_frequency": {"a": 1}, "ref_len": 1}), "'a'"),
        (pickle.dumps({"document_frequency": {("a b",): 1}, "ref_len": 1}), "'a b'"),
        (pickle.dumps({"document_frequency": {("a",): 0.5}, "ref_len": 1}), "0.5"),
        (pickle.dumps({"document_frequency": {("a",): 3}, "ref_len": 2}), "1 to 2"),
        (pickle.dumps({"document_frequency": {(): 1}, "ref_len": 2}), "an n-gram"),
        (
            pickle.dumps({"document_frequency": {(1,): 1}, "ref_len": 2}),
            "not an n-gram",
        ),
        (
            pickle.dumps({"document_frequency": {("a",) * 5: 1}, "ref_len": 2}),
            "4 words",
        ),
        (
            pickle.dumps({"document_frequency": {("a",): 10**400}, "ref_len": 2}),
            "1 to 2",
        ),
        (b"\x80\x04\x8e\xff\xff\xff\xff\xff\xff\xff\x7f.", "pickle"),
    ],
)
def test_pickles_run_nothing_and_bad_ones_are_named(tmp_path, content, said) -> None:
    path = tmp_path / "frequencies.p"
    path.write_bytes(content)

    with pytest.raises(InputError, match=said) as error:
        CiderD(path)
    assert str(path) in str(error.value)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"codes1": [3, 1]}, "codes1 is not sorted"),
        ({"codes1": [0]}, "codes1 has 1 n-grams, counts1 2"),
        ({"codes1": [0, 99]}, "codes1 has 99"),
        ({"codes2": [99 << HALF]}, "codes2 has"),
        ({"codes3": [-1], "counts3": [1]}, "codes3 has -1"),
        ({"codes4": [1], "counts4": [1]}, "codes4 has 1"),
        ({"counts1": [0, 1]}, "frequency of 'a' is 0; must be 1 to 2"),
        ({"counts1": [1, 3]}, "frequency of 'dog' is 3; must be 1 to 2"),
        ({"images": 0}, '"images" is 0'),
        ({"images": 2.5}, '"images" is'),
        ({"images": 1}, "the label"),
        ({"pairs": [99]}, "pairs has 99"),
        ({"pairs": [1, 1]}, "there twice"),
        ({"words": np.frombuffer(b"a\na\nb", np.uint8)}, "there twice"),
        ({"words": np.frombuffer(b"a b\nc", np.uint8)}, "not an n-gram"),
        ({"words": np.frombuffer(b"\xff", np.uint8)}, "frequencies"),
        ({"format": np.frombuffer(b"other", np.uint8)}, "not the arrays"),
        ({"name": np.frombuffer(b"other", np.uint8)}, "the label"),
        ({"codes1": [[0, 1]]}, "a row of integers"),
        ({"codes1": [0.0, 1.0]}, "a row of integers"),
        ({"codes1": np.array([{}])}, "Object arrays"),
    ],
)
def test_arrays_are_checked_like_json(tmp_path: Path, change, said: str) -> None:
    images = [TokenisedSample(i, "", ("a dog",)) for i in (1, 2)]
    path, bad = tmp_path / "good.npz", tmp_path / "bad.npz"
    save_arrays(path, DocumentFrequencies.of(images, name="toy"))
    with np.load(path) as file:
        np.savez(bad, **{**file, **{k: np.asarray(v) for k, v in change.items()}})

    with pytest.raises(InputError, match=said) as error:
        DocumentFrequencies.load(bad)
    assert str(bad) in str(error.value)


def test_bad_arrays_are_named(tmp_path: Path) -> None:
    good = DocumentFrequencies.of([TokenisedSample(1, "", ("a dog",))])
    path = tmp_path / "f.npz"
    save_arrays(path, good)
    with np.load(path) as file:
        np.savez(tmp_path / "less.npz", **{k: file[k] for k in file if k != "pairs"})
    with pytest.raises(InputError, match=r"less\.npz: has no array 'pairs'"):
        load_arrays(tmp_path / "less.npz")
    path.write_bytes(b"text")
    with pytest.raises(InputError, match=r"f\.npz: cannot be read"):
        load_arrays(path)
    with pytest.raises(InputError, match=r"no\.npz: no such file"):
        CiderD.load(tmp_path / "no.npz")
    with pytest.raises(InputError, match="stems"):
        save_arrays(path, DocumentFrequencies.empty(stemming=True))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"tokenised": b"3"}, "tokenised is 3; must be"),
        ({"references": b"[[1]]"}, "pairs"),
        ({"references": b"[[1, [2]]]"}, "image 1"),
        ({"references": b"[[1, ["}, "invalid JSON"),
    ],
)
def test_a_bad_saved_reward_is_named(tmp_path: Path, change, said: str) -> None:
    path, bad = tmp_path / "good.npz", tmp_path / "bad.npz"
    CiderD(references={1: ["a dog"], 2: ["a cat"]}).save(path)
    with np.load(path) as file:
        arrays = {key: np.frombuffer(v, np.uint8) for key, v in change.items()}
        np.savez(bad, **{**file, **arrays})

    with pytest.raises(InputError, match=said) as error:
        CiderD.load(bad)
    assert str(bad) in str(error.value)


@pytest.mark.parametrize("make", [CiderD, Spice])
def test_wrong_batches_are_named(make) -> None:
    reward = make(references=REFERENCES)
    for call, said in (
        (lambda: reward(["a"], image_ids=[9]), "image 9 has no references"),
        (lambda: reward(["a"], image_ids=["1"]), "'1' has no references here; 1 has"),
        (
            lambda: reward([None, "a"], image_ids=[1, 2]),
            "candidate 1 of the batch: the candidate is null; it must be a string",
        ),
        (lambda: reward(["a"], image_ids=[1, 2]), "1 candidate, but ids of 2"),
        (lambda: reward(["a"], [["a"], ["b"]]), "references of 2"),
        (lambda: reward(["a"]), "either references or image ids"),
        (lambda: reward("a", image_ids=[1]), "give a list"),
        (lambda: reward(["a", 3], image_ids=[1, 2]), "candidate 2 of the batch"),
        (
            lambda: reward([["a"], ["b", "c"]], image_ids=[1, 2]),
            "image 2 of the batch has",
        ),
        (
            lambda: reward([1, 2], ["a", "b"]),
            "candidate 1 of the batch: the candidate is 1",
        ),
        (lambda: reward(["a"], [[]]), "references 1 of the batch: no references"),
        (lambda: make(references={5: []}), "image 5: no references"),
        (lambda: make(references={5: "a"}), "image 5: the references are 'a'"),
    ):
        with pytest.raises(InputError, match=said):
            call()
    with pytest.raises(InputError, match="needs document frequencies"):
        CiderD()


def test_one_image_is_warned_of() -> None:
    with pytest.warns(SpicepyWarning, match="one image"):
        CiderD(references={1: ["a dog"]})


def _work(reward) -> list[float]:
    found: list[float] = reward(CANDIDATES, image_ids=IDS).tolist()
    return found


@pytest.mark.parametrize("make", [CiderD, Spice])
@pytest.mark.parametrize(
    "start", ["fork", pytest.param("spawn", marks=pytest.mark.slow)]
)
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_processes(make, start: str) -> None:
    reward = make(references=REFERENCES)
    expected = _work(reward)

    with multiprocessing.get_context(start).Pool(1) as pool:
        assert pool.apply(_work, (reward,)) == expected


@pytest.mark.parametrize("make", [CiderD, Spice])
def test_threads(make) -> None:
    expected = _work(make(references=REFERENCES))
    reward = make(references=REFERENCES)

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(_work, [reward] * 24)) == [expected] * 24


class Rewarded:
    """A data set for a `DataLoader` whose items are rewards."""

    def __init__(self, reward) -> None:
        self.reward = reward

    def __len__(self) -> int:
        return len(IDS)

    def __getitem__(self, at: int) -> float:
        [score] = self.reward([CANDIDATES[at]], image_ids=[IDS[at]])
        return float(score)


@pytest.mark.parametrize("make", [CiderD, Spice])
@pytest.mark.parametrize(
    "start", ["fork", pytest.param("spawn", marks=pytest.mark.slow)]
)
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_workers_of_a_data_loader(make, start: str) -> None:
    data = pytest.importorskip("torch.utils.data")
    reward = make(references=REFERENCES)
    expected = _work(reward)
    loader = data.DataLoader(
        Rewarded(reward), batch_size=2, num_workers=2, multiprocessing_context=start
    )

    for _ in range(2):
        assert [x for batch in loader for x in batch.tolist()] == expected


def test_pickles_are_small() -> None:
    assert len(pickle.dumps(Spice(REFERENCES))) < 3_000
    assert len(pickle.dumps(CiderD(references=REFERENCES))) < 10_000


def test_idf_memory_is_bounded(monkeypatch) -> None:
    monkeypatch.setattr("spicepy.rewards.ciderd._GRAMS", 5)
    reward = CiderD(references=REFERENCES)
    expected = _work(CiderD(references=REFERENCES))

    assert [_work(reward) for _ in range(3)] == [expected] * 3


def test_raw_references_of_a_reward_for_tokens_are_warned_of() -> None:
    raw = {1: ["A dog runs.", "A dog on a lawn."]}
    with pytest.warns(SpicepyWarning, match="tokenised=False"):
        CiderD(references=raw)
