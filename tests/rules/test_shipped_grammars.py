"""The shipped grammars: every card's examples and rejects, every broken sample."""

import json
import shutil
from pathlib import Path

import pytest
from paths import ROOT

from spicepy.common.errors import InputError
from spicepy.rules.examples import (
    captions_of,
    cards_of,
    check,
    frozen_graphs,
)
from spicepy.rules.files import known_names
from spicepy.rules.loading import CODES, load_grammar, read_grammar

BAD = sorted((ROOT / "fixtures/grammars-bad").glob("*.toml"))


@pytest.mark.parametrize("name", known_names())
def test_cards_have_no_faults_and_fire_on_their_examples_only(name: str) -> None:
    assert check(name).faults == ()
    assert check(name).unfrozen == ()


@pytest.mark.parametrize("name", known_names())
def test_rules_and_lists_say_why_and_whence(name: str) -> None:
    grammar = load_grammar(name)
    cards = cards_of(grammar)
    assert all(card.why and card.examples for card in (*cards, *grammar.normalisations))
    graphs = frozen_graphs(read_grammar(name)[2])
    assert {c for card in cards for c in captions_of(card)} <= graphs.keys()


def test_spice_has_its_rules_in_order() -> None:
    sources = [rule.source for rule in load_grammar("spice-1.0").rules]
    expected = "P1 P2 P3a P3b P4 P5 P6 P7 P8 P9a P9b P9c P10 P12"

    assert " ".join(sources) == expected


@pytest.mark.parametrize("path", BAD, ids=lambda path: path.stem)
def test_broken_grammar_gives_its_code(path: Path) -> None:
    """Each file is named by the one code it must give."""
    faults = check(path).faults

    assert [fault.code for fault in faults] == [path.stem[:4]]


@pytest.mark.parametrize("value", ["[" * 99_999, "1" * 5000, "'"])
def test_broken_toml_is_a_fault(tmp_path: Path, value: str) -> None:
    (tmp_path / "grammar.toml").write_text(f"name = {value}\n")

    assert next(fault.code for fault in check(tmp_path).faults) == "G102"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", ", column 2: invalid JSON"),
        ("3", ": no parse with caption"),
        ('{"caption": "a"}', ": no parse .*words"),
        (
            '{"caption": "a", "words": ["a"], "tags": ["DT"], "lemmas": ["a"],'
            ' "edges": [["root", 0, 2]]}',
            "an edge leads to a word that is not there",
        ),
    ],
)
def test_broken_parses_are_named(tmp_path: Path, line: str, message: str) -> None:
    (tmp_path / "parses.jsonl").write_text(f"\n{line}\n")

    with pytest.raises(InputError, match=rf"parses\.jsonl, line 2.*{message}"):
        frozen_graphs([tmp_path])


def test_every_code_has_a_sample() -> None:
    assert {path.stem[:4] for path in BAD} == set(CODES)


def test_captions_without_a_frozen_graph_are_named(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    shutil.copytree(ROOT / "grammars" / "spice-1.0", folder)
    before = check(folder).unfrozen
    lines = (folder / "parses.jsonl").read_text(encoding="utf-8").splitlines(True)
    (folder / "parses.jsonl").write_text("".join(lines[1:]), encoding="utf-8")

    assert before == ()
    assert check(folder).unfrozen == (json.loads(lines[0])["caption"],)
