"""Reading grammars: names, digest, all faults at once, the text of cards."""

import os
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from doors import app
from typer.testing import CliRunner

from spicepy.common.errors import GrammarError
from spicepy.rules import loading as grammar
from spicepy.rules.cards import (
    CardError,
    LabelPattern,
    read_clause,
    read_emission,
    read_example,
    read_pattern,
)
from spicepy.rules.loading import load_grammar

HEADER = 'name = "mine"\nversion = "1"\nlabels = "universal-v1"\n'
CARD = """
[[rule]]
id = "adjective"
why = "{why}"
match = ["noun -amod-> adj"]
emit = "(noun, {member})"
example = ["a parked red motorcycle => (motorcycle, park) (motorcycle, red)"]
"""

SEVERAL = """
[[rule]]
id = "several"
why = "A name that stands for several nodes, and one that stands for a word."
match = ["noun -nmod:*=how-> other", "* noun -amod-> adjs"]
example = ["a dog on a table => (dog, on)"]
"""


def write(folder: Path, text: str) -> Path:
    path = folder / "mine.toml"
    path.write_text(HEADER + text, encoding="utf-8")
    return path


def test_lists_and_categories_of_spice() -> None:
    found = load_grammar("spice-1.0")

    assert len(found.lists["sizes"]) == 105
    assert [c.name for c in found.categories] == ["Color", "Cardinality", "Size"]


def test_unknown_grammar_names_the_known() -> None:
    with pytest.raises(GrammarError, match=r"spice-1\.O.*spice-1\.0"):
        load_grammar("spice-1.O")


def test_all_faults_come_at_once(tmp_path: Path) -> None:
    text = CARD.format(why="", member="adjj").replace("-amod->", "-amodd->")
    with pytest.raises(GrammarError) as caught:
        load_grammar(write(tmp_path, text))

    lines = str(caught.value).splitlines()
    assert [line.split(": ")[1][:4] for line in lines] == ["G104", "G202", "G203"]
    assert all(line.startswith('mine.toml, rule "adjective"') for line in lines)
    assert "did you mean 'amod'?" in lines[1]


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ("emit = '(noun, how) if how < noun'", "'how' .* is a word of a label"),
        ("emit = '(noun, how.text)'", "'how' .* is a word of a label"),
        ("emit = '(noun, adjs) if adjs lemma:red'", "'adjs' .* for several nodes"),
        (
            "emit = '(noun, adjs)'\nwithout = ['noun -conj:and-> adjs']",
            "'adjs' .* for several nodes",
        ),
        (
            "emit = '(noun, adjs)'\nany = ['how -amod-> noun']",
            "'how' .* is a word of a label",
        ),
        (
            "emit = '(noun, adjs)'\nwhere = {adjs = 'lemma:red'}",
            "'adjs' .* for several nodes",
        ),
    ],
)
def test_what_is_no_single_node_stands_only_where_it_may(
    tmp_path: Path, more: str, message: str
) -> None:
    with pytest.raises(GrammarError, match=f"G203 {message}"):
        load_grammar(write(tmp_path, SEVERAL + more))


LISTS = '[lists.hues]\nsource = "x"\nwords = ["{word}", "blue"]\n' + CARD.format(
    why="x", member="adj"
)


def test_edited_word_list_takes_effect(tmp_path: Path) -> None:
    """The header, and the times of all files, stay as they were."""
    header = tmp_path / "grammar.toml"
    header.write_text(HEADER + 'files = ["words.toml"]\n', encoding="utf-8")
    words = tmp_path / "words.toml"
    words.write_text(LISTS.format(word="rosy"), encoding="utf-8")
    times = words.stat().st_atime_ns, words.stat().st_mtime_ns
    before = load_grammar(tmp_path)
    assert load_grammar(tmp_path) is before

    words.write_text(LISTS.format(word="pink"), encoding="utf-8")
    os.utime(words, ns=times)
    after = load_grammar(tmp_path)

    assert after.lists["hues"] == ("pink", "blue")
    assert after.digest != before.digest


def test_a_word_with_a_capital_letter_is_a_fault(tmp_path: Path) -> None:
    """Captions are read in lower case, so that it would never be found."""
    path = tmp_path / "mine.toml"
    path.write_text(LISTS.format(word="Red"))

    with pytest.raises(GrammarError, match="G306 list 'hues' has 'Red'"):
        load_grammar(path)


def test_files_beside_a_header_that_names_none_are_a_fault(tmp_path: Path) -> None:
    (tmp_path / "grammar.toml").write_text(HEADER)
    (tmp_path / "words.toml").write_text(LISTS.format(word="rosy"))

    with pytest.raises(GrammarError, match="G104 missing 'files': words"):
        load_grammar(tmp_path)


def test_edited_base_takes_effect(tmp_path: Path) -> None:
    base, top = tmp_path / "base.toml", tmp_path / "top.toml"
    base.write_text(HEADER + LISTS.format(word="rosy"), encoding="utf-8")
    top.write_text(HEADER + f'extends = "{base}"\n', encoding="utf-8")
    assert load_grammar(top).lists["hues"] == ("rosy", "blue")

    base.write_text(HEADER + LISTS.format(word="pink"), encoding="utf-8")

    assert load_grammar(top).lists["hues"] == ("pink", "blue")


def test_a_grammar_that_breaks_is_no_longer_given(tmp_path: Path) -> None:
    path = write(tmp_path, LISTS.format(word="rosy"))
    load_grammar(path)

    path.write_text("name = ", encoding="utf-8")

    with pytest.raises(GrammarError, match="G102"):
        load_grammar(path)


def test_threads_are_given_one_grammar(tmp_path: Path) -> None:
    path = write(tmp_path, LISTS.format(word="rosy"))
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(load_grammar, [path] * 32))

    assert len({id(grammar) for grammar in found}) == 1


def test_only_the_last_grammars_are_kept(tmp_path: Path) -> None:
    for number in range(40):
        (tmp_path / str(number)).mkdir()
        load_grammar(write(tmp_path / str(number), LISTS.format(word=f"hue{number}")))

    assert len(grammar._KEEP) == grammar._KEPT


def test_extending_replaces_and_drops() -> None:
    base, repaired = load_grammar("spice-1.0"), load_grammar("spicepy-1")
    ids = [rule.id for rule in repaired.rules]

    assert base.digest != repaired.digest
    assert "number-clause" not in ids
    assert ids.index("object") == len([r for r in base.rules if r.id in ids]) - 1
    assert repaired.lists["colors"] == base.lists["colors"]


def test_clause_text() -> None:
    clause = read_clause("verb -OBJ=how-> obj:NOUN")

    assert (clause.head.name, clause.label, clause.bind) == ("verb", "OBJ", "how")
    assert (clause.dependent.name, clause.dependent.tags) == ("obj", "NOUN")
    assert read_clause("* prep -mwe-> rest").mode == "all"
    assert [no for no, _ in read_pattern("a -x-> b & no a -y-> _")] == [False, True]


@pytest.mark.parametrize("text", ["a ->b", "a -x> b", "", "? a", "a -x-> b c"])
def test_unreadable_clauses(text: str) -> None:
    with pytest.raises(CardError):
        read_clause(text)


@pytest.mark.parametrize("text", ["a, b", "(a, b", "(a,)", "(a, b, c, d)", "(a) if ?"])
def test_unreadable_emissions(text: str) -> None:
    with pytest.raises(CardError):
        read_emission(text)


def test_example_text() -> None:
    example = read_example("a man sits => (man) (man, sit)")

    assert example.tuples == (("man",), ("man", "sit"))
    assert str(example) == "a man sits => (man) (man, sit)"


@pytest.mark.parametrize(
    ("label", "word"),
    [
        ("nmod:in_front_of", "in front of"),
        ("nmod:poss", ""),
        ("nmod", None),
        ("nmod:agent", None),
    ],
)
def test_word_bound_from_a_label(label: str, word: str | None) -> None:
    link = LabelPattern("nmod:*", excluded=("nmod:agent",), silent=("poss",))

    assert link.bound(label) == word


def test_check_command() -> None:
    done = CliRunner().invoke(app, ["grammar", "check", "spice-1.0"])

    assert done.exit_code == 0
    assert done.stdout.startswith("ok: 14 rules, ")


def test_check_command_fails_with_2(fixtures: Path) -> None:
    path = fixtures / "grammars-bad" / "G202-label.toml"
    done = CliRunner().invoke(app, ["grammar", "check", str(path)])

    assert done.exit_code == 2
    assert "G202 unknown label 'amd'" in done.output


def test_show_command() -> None:
    done = CliRunner().invoke(app, ["grammar", "show", "--rule", "owner"])
    assert "thing:NOUN -nmod:poss-> owner:NOUN" in done.stdout

    command = ["grammar", "show", "spicepy-1", "--rule", "taking-photo"]
    assert "  retag    " in CliRunner().invoke(app, command).output
    done = CliRunner().invoke(app, ["grammar", "show", "--json"])
    assert '"digest"' in done.stdout


def test_a_grammar_names_its_parser_outside_the_digest(tmp_path: Path) -> None:
    text = CARD.format(why="w", member="adj")
    plain = load_grammar(write(tmp_path, text))
    path = tmp_path / "other.toml"
    path.write_text(f'{HEADER}parser = "mine-1.0"\n{text}', encoding="utf-8")
    named = load_grammar(path)
    path.write_text(f"{HEADER}parser = 3\n{text}", encoding="utf-8")

    assert (plain.parser, named.parser) == ("", "mine-1.0")
    assert plain.digest == named.digest
    assert load_grammar("spice-1.0").parser == ""
    with pytest.raises(GrammarError, match="G105 'parser' must be a text"):
        load_grammar(path)


def test_words_are_distinct_if_the_grammar_says_so(tmp_path: Path) -> None:
    text = CARD.format(why="w", member="adj")
    plain = load_grammar(write(tmp_path, text))
    path = tmp_path / "other.toml"
    path.write_text(f"{HEADER}distinct_words = true\n{text}", encoding="utf-8")
    distinct = load_grammar(path)
    path.write_text(f"{HEADER}distinct_words = 1\n{text}", encoding="utf-8")

    assert (plain.distinct_words, distinct.distinct_words) == (False, True)
    assert plain.digest != distinct.digest
    assert not load_grammar("spice-1.0").distinct_words
    assert load_grammar("spicepy-1").distinct_words
    with pytest.raises(
        GrammarError, match="G105 'distinct_words' must be true or false"
    ):
        load_grammar(path)


def layer(folder: Path, name: str, extends: str) -> Path:
    path = folder / f"{name}.toml"
    path.write_text(HEADER + f'extends = "{extends}"\n', encoding="utf-8")
    return path


def test_what_a_grammar_extends_is_looked_up_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("here", "there"):
        (tmp_path / name).mkdir()
        base = HEADER + LISTS.format(word=name)
        (tmp_path / name / "base.toml").write_text(base, encoding="utf-8")
    top = layer(tmp_path / "there", "top", "base.toml")
    monkeypatch.chdir(tmp_path / "here")

    assert load_grammar(top).lists["hues"][0] == "there"
    assert load_grammar("../there/top.toml").lists["hues"][0] == "there"
    (tmp_path / "there" / "base.toml").unlink()
    with pytest.raises(GrammarError, match=r"unknown grammar 'base\.toml'"):
        load_grammar(top)


def test_a_long_chain_is_no_circle(tmp_path: Path) -> None:
    (tmp_path / "0.toml").write_text(HEADER + LISTS.format(word="rosy"))
    for number in range(1, 15):
        top = layer(tmp_path, str(number), f"{number - 1}.toml")

    assert load_grammar(top).lists["hues"] == ("rosy", "blue")
    layer(tmp_path, "5", "12.toml")
    with pytest.raises(GrammarError, match=r"extends itself: '12\.toml'"):
        load_grammar(top)


def test_a_fault_of_the_system_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "words.toml").mkdir()
    with pytest.raises(GrammarError) as raised:
        load_grammar(write(tmp_path, 'files = ["words.toml"]\n'))

    assert "cannot be read: Is a directory" in str(raised.value)
    assert str(raised.value).count("words.toml") == 1


@pytest.mark.parametrize(
    ("header", "faults"),
    [
        ('name = "a"\nversion = "1"\nextends = "spicepy-9"', ["G107 unknown grammar"]),
        ('name = "a"\nversion = "1"\nextends = "mine.toml"', ["G107 extends itself"]),
        ('name = 3\nextends = "no"', ["G107", "G105 'name'", "G104 .*'version'"]),
        ('name = "a"\nversion = " "\nlabels = 3', ["G104.*version", "G105 'labels'"]),
        ('name = "caf\xe9"', [r"G101 cannot be read: line 1: byte 0xe9 is not UTF-8"]),
    ],
)
def test_a_header_has_its_own_faults_only(
    tmp_path: Path, header: str, faults: list[str]
) -> None:
    """What is named in a grammar that cannot be found is not unknown as well."""
    path = tmp_path / "mine.toml"
    card = CARD.format(why="w", member="adj").replace("noun -", "noun:THING -")
    card = card if "extends" in header else CARD.format(why="w", member="adj")
    path.write_bytes(f"{header}\n{card}".encode("latin-1"))
    with pytest.raises(GrammarError) as caught:
        load_grammar(path)

    lines = str(caught.value).splitlines()
    assert len(lines) == len(faults)
    for line, fault in zip(lines, faults):
        assert re.match(f"mine.toml: {fault}", line)


def test_the_mark_of_an_editor_is_no_fault(tmp_path: Path) -> None:
    path = write(tmp_path, LISTS.format(word="rosy"))
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())

    assert load_grammar(path).lists["hues"] == ("rosy", "blue")
