"""The PTB tokeniser: every rule, the document semantics, bad and hard input.

Expected values follow the rules of PTBTokenizer 3.4.1 and were checked against
its output; the captions are written for this project.
"""

import gzip
import json
import re
import time
from pathlib import Path

import pytest
import typer
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from spicepy.cli._options import with_option_groups
from spicepy.cli.parse import tokenize_command
from spicepy.common.errors import InputError
from spicepy.tokenization.ptb import (
    SPLIT_WORDS,
    Scanner,
    _needing_rules,
    _simple_lines,
    tokenize,
)
from spicepy.tokenization.rules import RULES


def raw(*captions: str) -> list[str]:
    return tokenize(captions, punctuation=True)


RULE_CASES = [
    ("words", "A man's dog, asleep.", "a man 's dog , asleep ."),
    ("words joined by a stop", "at the end.The yes!no", "at the end.the yes!no"),
    ("cannot", "He cannot see", "he can not see"),
    ("'twas 'tis", "'Twas 'tis x", "'t was 't is x"),
    ("gonna and the like", "Gonna gotta lemme", "gon na got ta lem me"),
    ("c++ f#", "C++ f# c", "c++ f# c"),
    ("tags", "<a href='x y'>t</a> <br/>", "<a\u00a0href='x\u00a0y'> t </a> <br/>"),
    ("no tags", "<b\tx> <1> <- x", "< b x > < 1 > < - x"),
    ("dashes", "a – b &mdash; c -- d --- e ----- f", "a -- b -- c -- d -- e ----- f"),
    ("entities", "&amp; &odq; &#12; &nbsp;x &ntilde;", "& &odq; &#12; x & ntilde ;"),
    ("letters as entities", "caf&eacute; na&iuml;ve", "caf&eacute; na&iuml;ve"),
    ("umlauts as entities", "f&uuml;r", "f&uuml;r"),
    ("auxiliaries", "I'm he'll we've she'd", "i 'm he 'll we 've she 'd"),
    ("negation", "don't can't ain't", "do n't ca n't ai n't"),
    ("curly apostrophe", "it’s don’t", "it 's do n't"),
    ("entities of apostrophes", "it&apos;s it&APOS;s", "it 's it &apos;s"),
    ("soft hyphens", "ca\xadke \xad", "cake -"),
    (
        "apostrophe words",
        "rock 'n' roll 'em o'er y'all",
        "rock 'n' roll 'em o'er y' all",
    ),
    ("names", "D'Angelo l'eau O'o", "d'angelo l'eau o'o"),
    ("years", "'20s '05 x", "'20s '05 x"),
    (
        "urls",
        "http://a.b/c. www.a.com/xy, b.org x",
        "http://a.b/c . www.a.com/xy , b.org x",
    ),
    ("emails", "me@a.com. <me@a.com> x", "me@a.com . <me@a.com> x"),
    ("user names", "@me #tag #1 ##", "@me #tag # 1 ##"),
    ("dates", "01-02-2003 1/2/03", "01-02-2003 1/2/03"),
    ("numbers", "1,000.5 -3 +4 10:30 .5", "1,000.5 -3 +4 10:30 .5"),
    ("superscripts", "m² ⁻⁵ ₂₃", "m ² ⁻⁵ ₂₃"),
    ("fractions", "2 1/2 ½ ⅔ ⅞ cup", "2\u00a01/2 1/2 2/3 ⅞ cup"),
    ("hyphened prefixes", "pro-choice anti- x", "pro-choice anti- x"),
    ("slashes", "his/her and/or a / b", "his/her and/or a / b"),
    ("currency", "$5 US$ 6 £7 ¢ €", "$ 5 us$ 6 # 7 cents $"),
    ("initial", "the letter K. The end", "the letter k . the end"),
    ("initial inside", "the letter K. end", "the letter k. end"),
    ("acronym", "a U.S. A dog", "a u.s. . a dog"),
    ("abbreviation before a number", "no. 5 no. x", "no. 5 no . x"),
    ("company", "Smith Co. Ltd Pty. Lim", "smith co. ltd pty. lim"),
    ("final abbreviation", "in Jan. The x etc. y", "in jan. . the x etc. y"),
    ("inner abbreviation", "Mr. Dog on Main St. The x", "mr. dog on main st. the x"),
    ("state with a capital", "in Mass. x the mass. x", "in mass. x the mass . x"),
    ("vowel of a company", "PTE. x Pte. x", "pte . x pte. x"),
    ("file names", "photo.JPG! a.tar.gz x.y1", "photo.jpg ! a.tar.gz x.y1"),
    ("stop before a comma", "the end., x", "the end. , x"),
    ("telephones", "555-123-4567", "555-123-4567"),
    ("area codes", "(555) 123-4567", "-lrb-555-rrb-\u00a0123-4567"),
    ("dotted telephones", "555.123.4567 x", "555.123.4567 x"),
    ("quotes", '"Rex" says "$5"', "`` rex '' says `` $ 5 ''"),
    ("single quotes", "'Hello you' 'a b", "` hello you ' ' a b"),
    ("curly quotes", "“x” ‘y’ «z»", "`` x '' ` y ' `` z ''"),
    ("emoticons", ":) :-( ;D :)a <3", ":-rrb- :--lrb- ;d : -rrb- a < 3"),
    ("faces", "(^_^) ^_^ (x.x)", "-lrb-^_^-rrb- ^_^ -lrb-x.x-rrb-"),
    ("brackets", "(a) [b] {c}", "-lrb- a -rrb- -lsb- b -rsb- -lcb- c -rcb-"),
    ("ellipses", "xx... yy . . . zz … ..", "xx ... yy ... zz ... . ."),
    ("runs", "__ *** @@ ?! !!", "__ *** @@ ?! !!"),
    ("stops of other scripts", "¿ 。 ؟", "¿ 。 ؟"),
    (
        "hyphenated",
        "a close-up 30,000-foot t-shirt.",
        "a close-up 30,000-foot t-shirt .",
    ),
    ("things", "3D 6th o'clock a_b", "3d 6th o'clock a_b"),
    ("capitals", "AT&T AT&amp;T r&b A+B", "at&t at&t r & b a+b"),
    ("symbols", "50% ~ ° § ★ << >>", "50 % ~ ° § ★ << >>"),
    ("dropped", "dog\U0001f600 cat\x01 \u200b\ufeff x\x7fy", "dog cat x y"),
    ("other scripts", "Ünïcode 猫 кот ٣٤", "ünïcode 猫 кот ٣٤"),
    ("blanks", " a\t b\u00a0c \u3000", "a b c"),
]


@pytest.mark.parametrize(
    ("caption", "expected"),
    [case[1:] for case in RULE_CASES],
    ids=[case[0] for case in RULE_CASES],
)
def test_rule(caption, expected):
    # A caption follows, so that "the end of the text" is not a part of the case.
    assert [expected, "x"] == raw(caption, "x")


def test_punctuation_is_removed_but_for_bracket_names_and_runs():
    caption = "\"Stop!\" (he said): a - b -- c; de... 'e', f?! `g` & him."

    assert tokenize([caption]) == ["stop -lrb- he said -rrb- a b c de e f ?! g & him"]


def test_the_next_caption_can_end_a_sentence():
    assert raw("The letter K.", "The dog") == ["the letter k .", "the dog"]
    assert raw("The letter K.", "big dogs") == ["the letter k.", "big dogs"]
    assert raw("The letter K.", "", "The dog") == ["the letter k .", "", "the dog"]


def test_the_end_of_the_text_counts():
    assert raw("x etc.") == ["x etc. ."]
    assert raw(":)") == [": -rrb-"]


def test_line_breaks_inside_a_caption_are_spaces():
    for mark in "\n\r\v\f\u2028\u2029":
        assert tokenize([f"a{mark}dog", "b"]) == ["a dog", "b"]
    assert raw("a\x85dog") == ["a ... dog"]


def test_a_tag_cannot_swallow_the_next_caption():
    lines = raw('a <b x="', '"> dog', "c")

    assert lines == ["a < b x = ''", "'' > dog", "c"]


def test_empty_captions():
    assert tokenize([]) == []
    assert tokenize(["", " ", "."]) == ["", "", ""]


@pytest.mark.parametrize("value", [None, 3, b"dog", ["a"]])
def test_other_than_strings(value):
    with pytest.raises(InputError, match=r"caption 1 is .* a string is expected"):
        tokenize(["a", value])


def test_one_string_is_not_a_list():
    with pytest.raises(InputError, match="list of strings"):
        tokenize("a dog")


@given(st.lists(st.text(max_size=60), max_size=6), st.booleans())
@settings(max_examples=300, deadline=None)
def test_one_line_a_caption(captions, punctuation):
    lines = tokenize(captions, punctuation=punctuation)

    assert len(captions) == len(lines)
    assert all("\n" not in line and line == line.strip(" ") for line in lines)


_HARD = st.text(
    st.sampled_from([*"abTnsd10.,:;-_'\"`!?()<>[]{}@#$&/+*=^~x \u00a0é\xad’A"]),
    max_size=25,
)


@given(_HARD, _HARD)
@settings(max_examples=400, deadline=None)
def test_short_cuts_change_nothing(caption, following):
    document = f"{caption}\n{following}"
    scanner = Scanner(document)
    end = len(caption)

    assert scanner.rules_only(0, end) == scanner.line(0, end)


_SIMPLE = st.lists(
    st.sampled_from(["a", "A", "the", "dog", "Jan", "etc", "runs,", "sits", "b,"]),
    min_size=1,
    max_size=8,
)


@given(_SIMPLE, st.sampled_from(["", ".", " .", ". "]))
def test_the_fast_path_agrees_with_the_rules(words, stop):
    caption = " ".join(words) + stop
    expected = " ".join(Scanner(f"{caption}\nx").rules_only(0, len(caption))).lower()

    assert [expected, "x"] == raw(caption, "x")


@given(st.lists(st.text("abcXYZ ", max_size=20), max_size=5))
def test_words_without_punctuation_stay(captions):
    once = tokenize(captions)

    assert once == tokenize(once)


def test_split_words_are_never_simple():
    assert tokenize(["The CANNOT.", "Gonna", "x"]) == ["the can not", "gon na", "x"]
    for word in SPLIT_WORDS:
        assert tokenize([f"a {word} b"])[0].count(" ") == 3


def test_simple_lines():
    easy = ["A dog, a cat .", "A dog.  ", "", "a b c"]
    hard = ["a dog.x", "at St.", "a b.", "x ,y", "it's", "é", "a,b", "..", "a. b."]
    lines = [*easy, *hard]
    for punctuation in (True, False):
        tokens = _simple_lines("\n".join(lines).lower(), punctuation)
        found = _needing_rules(lines, tokens)
        assert found == set(range(len(easy), len(lines)))


def test_first_characters_are_complete():
    """A rule is only tried where its first character fits: nothing is lost."""
    for caption in [case[1] for case in RULE_CASES]:
        for position in range(len(caption)):
            for rule in RULES:
                if re.compile(rule.match).match(caption, position):
                    first = re.compile(rule.first)
                    assert first.match(caption, position), (rule.number, caption)


@given(st.text(st.characters(max_codepoint=127), max_size=40))
def test_text_in_ascii_is_read_as_any_other(text):
    """Its rules are compiled without the letters beyond ASCII."""
    line = text.replace("\n", " ")
    as_other = Scanner(f"{line}\nx\nà").rules_only(0, len(line))

    assert Scanner(f"{line}\nx\na").rules_only(0, len(line)) == as_other


ADVERSARIAL = """
- a. < ' 1 A <!a 1a. #. =www. a@ a/b@ &#1 1- o' n't U.S.- http:// (5 A+
""".split()  # noqa: SIM905


@pytest.mark.parametrize(
    "piece",
    [*ADVERSARIAL, "<a ", ". ", "\xad", '<a b="'],
)
def test_adversarial_text_takes_linear_time(piece):
    start = time.process_time()
    tokenize([piece * (10_000 // len(piece))])

    assert time.process_time() - start < 1.5


def test_ten_thousand_words():
    caption = "The man's big dog, " * 2_500

    start = time.process_time()
    lines = tokenize([caption])

    assert time.process_time() - start < 1.0
    assert [" ".join(["the man 's big dog"] * 2_500)] == lines


def test_command(tmp_path: Path):
    app = typer.Typer()
    app.command()(with_option_groups(tokenize_command))
    source, target = tmp_path / "captions.txt.gz", tmp_path / "tokens.txt"
    source.write_bytes(gzip.compress("A dog.\r\nIt’s\x0bhere\n".encode()))
    run = CliRunner().invoke

    plain = run(app, [str(source)])
    kept = run(app, ["-", "--punctuation"], input="A dog.\n\nx")
    written = run(app, [str(source), "--output", str(target)])
    missing = run(app, [str(tmp_path / "none.txt")])

    assert plain.stdout == "a dog\nit 's here\n"
    assert kept.stdout == "a dog .\n\nx\n"
    assert written.exit_code == 0
    assert target.read_text("utf-8") == plain.stdout
    assert isinstance(missing.exception, InputError)


def test_equal_to_the_recorded_output_of_java(shared: Path):
    path = shared / "oracle" / "ngram" / "tokenizer_oracle.json"
    oracle = json.loads(path.read_text("utf-8"))

    assert oracle["java"] == raw(*oracle["lines"])
    assert oracle["coco"] == tokenize(oracle["lines"])


@pytest.mark.parametrize("pattern", [x.match + x.stuck for x in RULES])
def test_no_group_is_possessive(pattern: str) -> None:
    """Python 3.11.0 to 3.11.4 match such groups wrongly."""
    assert not re.search(r"(?<!\\)\)[*+?]\+", pattern)
