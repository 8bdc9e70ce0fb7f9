"""The pipeline: what it remembers, and that every stage agrees with the others."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from spicepy.common.errors import GrammarError, InputError, ResourceError
from spicepy.metrics.soft.table import bundled_table, load_table
from spicepy.metrics.spice import Spice
from spicepy.objects.vocabulary import load_vocabulary
from spicepy.pipeline import Pipeline
from spicepy.pipeline import pipeline as module
from spicepy.rules.tuples import Proposals
from spicepy.tokenization.samples import TokenisedSample

GIVEN = ("grammar", "model", "synonyms", "sentences")


@pytest.mark.parametrize("grammar", ["spice-1.0", "spicepy-1"])
def test_the_names_of_a_signature_are_options(grammar: str) -> None:
    own = Pipeline(grammar=grammar)
    signature = own.signature()
    given = {name: signature[name] for name in GIVEN if name in signature}

    again = Pipeline(**given)

    assert again.signature() == signature
    assert again.model == own.model or own.model is None
    assert again.namespace("tuples").basis == own.namespace("tuples").basis
    assert Pipeline(synonyms="none").lexicon.synonyms.signature == "none"


def test_names_of_a_signature_are_checked(tmp_path: Path) -> None:
    with pytest.raises(
        GrammarError, match=r"spice-1\.0@[0-9a-f]{8} now, not spice-1\.0@"
    ):
        Pipeline(grammar="spice-1.0@01234567")
    with pytest.raises(GrammarError, match="no grammar 'spice-9@01234567'"):
        Pipeline(grammar="spice-9@01234567")
    with pytest.raises(ResourceError, match=r"caption_parser-3\.4\.9"):
        Pipeline(model="caption_parser-3.4.9").parse(["a dog"])

    table = bundled_table()
    assert load_table(table.name) is table
    path = tmp_path / "own.txt"
    path.write_text("dog 1 2\ncat 2 3\n")
    named = path.parent / load_table(path).name
    assert load_table(named).name == named.name
    path.write_text("dog 1 2\ncat 3 3\n")
    with pytest.raises(InputError, match=r"own\.txt@[0-9a-f]{8} now, not"):
        load_table(named)

    words = tmp_path / "own.toml"
    words.write_text('[classes]\ndog = ["dog", "puppy"]\n')
    called = words.parent / load_vocabulary(words).name
    assert load_vocabulary(called).name == called.name
    words.write_text('[classes]\ndog = ["dog"]\n')
    with pytest.raises(InputError, match=r"own\.toml@[0-9a-f]{8} now, not"):
        load_vocabulary(called)


class Noting(Pipeline):
    """A pipeline that finds nothing, and notes which captions it was given."""

    def __init__(self) -> None:
        super().__init__()
        self.calls: list[list[str]] = []

    def make(self, captions: Sequence[str]) -> list[Proposals]:
        self.calls.append(list(captions))
        return [[] for _ in captions]


@pytest.fixture
def noting(monkeypatch: pytest.MonkeyPatch) -> Noting:
    monkeypatch.setattr(module, "CACHED", 4)
    return Noting()


def test_references_of_the_last_system_are_not_parsed_again(noting: Noting) -> None:
    spice, references = Spice(noting), tuple(f"reference {n}" for n in range(9))

    for system in "ab":
        spice.count([TokenisedSample(1, f"system {system}", references)])

    assert noting.calls == [[*references, "system a"], ["system b"]]


def test_the_oldest_captions_are_forgotten(noting: Noting) -> None:
    spice = Spice(noting)
    for candidate, reference in ("ab", "cd", "ae", "fe", "da", "cb"):
        spice.count([TokenisedSample(1, candidate, (reference,))])

    # "ae" makes b the oldest, "fe" c; all of "da" is still known.
    assert noting.calls == [["a", "b"], ["c", "d"], ["e"], ["f"], [], ["b", "c"]]


def test_trace_agrees_with_parse() -> None:
    pipeline = Pipeline()
    caption = "Two dogs are playing with a red ball."
    trace, [graph] = pipeline.trace(caption), pipeline.parse([caption])

    assert trace.graph.to_tuples() == graph.to_tuples()
    assert pipeline.propose([pipeline.text(caption)]) == {
        pipeline.text(caption): trace.proposals
    }


@pytest.mark.parametrize(
    ("option", "value"),
    [
        *[("jobs", value) for value in ("2", 0, 1.0, None, True)],
        *[("cache", value) for value in (5, True, b"x", ["x"])],
        *[("grammar", value) for value in (5, None, ["spice-1.0"])],
        *[("synonyms", value) for value in (5, None, ["none"])],
        ("model", 5),
        ("sentences", ["join"]),
    ],
)
def test_options_of_a_wrong_type_are_refused(option: str, value: object) -> None:
    for door in (Pipeline, Spice):
        with pytest.raises(InputError, match=rf"^{option} (is|are) "):
            door(**{option: value})
