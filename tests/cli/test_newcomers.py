"""What a newcomer types first: names for systems, files in the wrong place, limits."""

import json
from pathlib import Path

import pytest
from commands import Run

from spicepy.cli._results import named_files, parted
from spicepy.common.errors import InputError

REFERENCES = {
    1: ["three brown dogs run", "3 dogs on the grass"],
    2: ["a small red bus", "a bus in a street"],
    3: ["a cat sleeps on a bed", "a gray cat on a bed"],
}
CAPTIONS = {1: "three brown dogs run", 2: "a small red bus", 3: "a cat on a bed"}
OTHERS = {**CAPTIONS, 2: "a small blue bus", 3: ""}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A current folder with a.json, b.json and references, all in COCO's format."""
    pairs = [(i, text) for i, texts in REFERENCES.items() for text in texts]
    for name, captions in (
        ("captions_val", pairs),
        ("a", list(CAPTIONS.items())),
        ("b", list(OTHERS.items())),
    ):
        rows = [{"image_id": i, "caption": text} for i, text in captions]
        (tmp_path / f"{name}.json").write_text(json.dumps(rows))
    monkeypatch.chdir(tmp_path)
    return tmp_path


REFERRED = ("-r", "captions_val.json")


def test_systems_have_the_names_that_are_given(run: Run, folder: Path) -> None:
    systems = ("full=a.json", "ablation=b.json")
    quick = ("--metrics", "bleu", "--samples", "10", "-q")

    compared = run("compare", *systems, *REFERRED, *quick, "-o", "c.json")
    assert compared.returncode == 0, compared.stderr
    assert json.loads(Path("c.json").read_text())["systems"] == ["full", "ablation"]
    for command in (("report",), ("plot", "categories")):
        done = run(*command, *systems, *REFERRED, "-q", "-o", f"{command[0]}.html")
        if command[0] == "report":
            assert done.returncode == 0, done.stderr
            assert "ablation" in Path("report.html").read_text()
        else:
            assert "ends in .html" in done.stderr or ".svg" in done.stderr


def test_a_files_own_name_may_have_the_sign(folder: Path) -> None:
    Path("lr=0.1.json").write_text("[]")
    Path("x=1").mkdir()
    Path("x=1/a.json").write_text("[]")

    assert named_files(["lr=0.1.json"]) == {"lr=0.1": "lr=0.1.json"}
    assert named_files(["fast=lr=0.1.json"]) == {"fast": "lr=0.1.json"}
    assert named_files(["x=1/a.json", "a.json", "b=-"]) == {
        "x=1/a.json": "x=1/a.json",
        "a.json": "a.json",
        "b": "-",
    }
    assert parted("photos/x={image_id}.jpg") == ("", "photos/x={image_id}.jpg")
    assert parted("flux=photos/{image_id}.jpg") == ("flux", "photos/{image_id}.jpg")


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (["full=c.json"], "full=c.json: no such file, and none called c.json"),
        (["full="], "full=: no such file"),
        (["=a.json"], "=a.json: no such file"),
        (["one=a.json", "one=b.json"], "two systems are called 'one'"),
        (["b=a.json", "b.json"], "two systems are called 'b'"),
        (["one=a.json", "two=a.json"], "a.json: the same file is given twice"),
    ],
)
def test_names_that_cannot_be(folder: Path, given: list[str], words: str) -> None:
    with pytest.raises(InputError, match=words):
        named_files(given)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (
            ["a.json", "captions_val.json"],
            "give --candidates a.json --references captions_val.json",
        ),
        (
            ["captions_val.json", "a.json"],
            "give --candidates a.json --references captions_val.json",
        ),
        (["full=a.json", "ablation=b.json"], "`spicepy compare full=a.json ablation="),
        (["a.json", "b.json"], "`spicepy compare a.json b.json --references FILE`"),
        (["a.json", "b.json", *REFERRED], "b.json --references captions_val.json`"),
        (["a.json"], "holds candidates without references; give"),
    ],
)
def test_the_error_says_what_to_write(
    run: Run, folder: Path, given: list[str], words: str
) -> None:
    done = run("evaluate", *given)

    assert done.returncode == 2
    assert words in done.stderr


@pytest.mark.parametrize("command", ["evaluate", "diagnose"])
def test_candidates_may_stand_first(run: Run, folder: Path, command: str) -> None:
    first = run(command, "a.json", *REFERRED)
    named = run(command, "--candidates", "a.json", *REFERRED)

    assert first.returncode == 0, first.stderr
    assert first.stdout == named.stdout


def test_results_are_no_captions(run: Run, folder: Path) -> None:
    run("evaluate", "a.json", *REFERRED, "-m", "bleu", "-q", "-o", "scores.json")

    done = run("compare", "scores.json", "b.json", *REFERRED)

    assert done.returncode == 2
    assert "scores.json: a result that spicepy wrote; give the captions" in done.stderr


@pytest.mark.parametrize(
    ("limit", "words"),
    [
        ("bleu-4=.1,BLEU-4=.2", "two limits for a drop of bleu-4; give one"),
        ("bleu-4=1", "can never fail: the scale is from 0 to 1"),
        ("BLEU_4=.5", ""),
        ("CIDEr-D=10", "the scale is from 0 to 10"),
        ("Cider-D=.5", ""),
        ("ROUGE_L=.5", ""),
        ("Spice-Color=.5", ""),
        ("BLEU=.5", "did you mean 'bleu-4'"),
        ("cidar=.5", "did you mean 'cider'"),
    ],
)
def test_limits_are_on_a_scale(run: Run, folder: Path, limit: str, words: str) -> None:
    Path("old.json").write_text(Path("a.json").read_text())
    sides = "a.json", "--against", "old.json", *REFERRED

    done = run("check", *sides, "--max-drop", limit)

    assert done.returncode == (2 if words else 0)
    assert words in done.stderr


def test_a_score_that_cannot_fall_so_far_is_told(run: Run, folder: Path) -> None:
    sides = "check", "a.json", "--against", "b.json", *REFERRED

    done = run(*sides, "--max-drop", "bleu-4=.9")

    assert done.returncode == 0
    assert "cannot fall by more than the limit of 0.9" in done.stderr


def test_what_few_images_give_is_told(run: Run, folder: Path) -> None:
    done = run("compare", "a.json", "b.json", *REFERRED, "--samples", "10")

    assert "b has no words for 1 image" in done.stdout
    assert "scores of few images: " in done.stdout
    assert "Size 1" in done.stdout


def test_a_list_that_loses_words_is_told(run: Run, folder: Path) -> None:
    text = 'name = "mine"\nversion = "1"\nextends = "spice-1.0"\n[lists.colors]\n'
    Path("mine.toml").write_text(text + 'source = "mine"\nwords = ["red", "teal"]\n')

    done = run("grammar", "check", "mine.toml")

    assert done.returncode == 0
    assert "'colors' replaces that of spice-1.0 and lacks 17 of its 18" in done.stderr


def test_words_of_the_user_reach_the_analysis(run: Run, folder: Path) -> None:
    rows = [{"image_id": 1, "test": "the car is puce", "refs": ["a blue car"] * 3}]
    Path("cars.json").write_text(json.dumps(rows))
    Path("words.toml").write_text('[colors]\nvalues = { puce = "brown" }\n')
    Path("wrong.toml").write_text('[colours]\nvalues = { puce = "brown" }\n')

    shipped = run("diagnose", "cars.json", "--precision", "0")
    own = run("diagnose", "cars.json", "--precision", "0", "--lexicon", "words.toml")
    wrong = run("diagnose", "cars.json", "--lexicon", "wrong.toml")

    assert "wrong color" not in shipped.stdout
    assert "wrong color" in own.stdout
    assert wrong.returncode == 2
    assert "did you mean 'colors'?" in wrong.stderr


def test_a_column_that_is_not_found_is_named_by_an_option(
    run: Run, folder: Path
) -> None:
    Path("made.csv").write_text("filename,text\n1,a dog\n2,a cat\n3,a bus\n")
    Path("both.csv").write_text("filename,caption,references\n1,a dog,dogs\n")

    text = run("evaluate", "made.csv", *REFERRED, "-m", "bleu")
    named = ("--candidate-column", "text")
    known = run("evaluate", "made.csv", *named, *REFERRED, "-m", "bleu")
    both = run("evaluate", "both.csv", "-m", "bleu")

    assert text.returncode == 2
    assert "--candidate-column, or columns={'candidate': …} in Python" in text.stderr
    assert (known.returncode, both.returncode) == (0, 0), (known.stderr, both.stderr)


def test_what_stands_after_an_option(run: Run, folder: Path) -> None:
    for name in ("cap.txt", "ref0.txt", "ref1.txt"):
        Path(name).write_text("a dog\na cat\n")
    limits = "[max-drop]\nspice = .01\n"
    Path("limits.toml").write_text(limits)
    sides = "check", "a.json", "--against", "b.json", *REFERRED

    metrics = run("evaluate", "a.json", *REFERRED, "-m", "spice", "cider")
    texts = run("evaluate", "cap.txt", "-r", "ref0.txt", "ref1.txt", "-m", "bleu")
    point = run(*sides, "--limits", "limits.toml")

    assert "write --metrics spice,cider" in metrics.stderr
    assert texts.returncode == 0, texts.stderr
    assert "refs:2" in texts.stdout
    assert "write 0.01 for .01" in point.stderr
    assert (metrics.returncode, point.returncode) == (2, 2)


LISTS = """
name = "mine"
version = "1"
labels = "universal-v1"
extends = "spicepy-1"
[lists.containers]
source = "me"
words = ["bowl", {words}]
[[rule]]
id = "contents"
why = "What a bowl holds."
match = ["thing:NOUN -nmod:of-> content:NOUN"]
where = {{ thing = "lemma:@containers" }}
emit = "(thing, {word}, content)"
example = ["a bowl of fruit on a table => (bowl, hold, fruit)"]
"""


def test_a_list_that_breaks_cards_of_the_grammar_is_named(
    run: Run, folder: Path
) -> None:
    Path("mine.toml").write_text(LISTS.format(words='"cup"', word="'hold'"))
    done = run("grammar", "check", "mine.toml")

    assert done.returncode == 2
    assert "G402" in done.stderr
    assert "the list 'containers' replaces that of spicepy-1 and lacks" in done.stderr
    assert "repeat the words to keep, or give the list another name" in done.stderr


def test_faults_of_a_card_are_told_once_and_with_a_remedy(
    run: Run, folder: Path
) -> None:
    Path("mine.toml").write_text(LISTS.format(words="5", word="hold"))
    done = run("grammar", "check", "mine.toml")
    assert "'containers' needs words = [\"…\"], all of them texts, not 5" in done.stderr
    assert 'a word is written in quotes: "hold"' in done.stderr

    text = LISTS.format(words='"cup"', word="'hold'")
    text = text.replace(
        'thing:NOUN -nmod:of-> content:NOUN"',
        ('thing:NOUNN -nmod:of-> content:NOUN", "thing:NOUNN -amod-> other:NOUN"'),
    )
    Path("mine.toml").write_text(text)
    done = run("grammar", "check", "mine.toml")
    faults = [line for line in done.stderr.splitlines() if "G206" in line]
    assert len(faults) == len(set(faults)) > 0


def test_a_column_that_is_not_computed(run: Run, folder: Path) -> None:
    def said(columns: str) -> str:
        given = ("compare", "a.json", "b.json", *REFERRED, "--columns", columns)
        return run(*given).stderr

    for name in ("bleu-4", "bleu4", "Bleu_4"):
        assert f"column '{name}' is a score of bleu, which is not computed" in said(
            name
        )
    assert "unknown column 'spice-colr'; did you mean 'spice-color'" in said(
        "spice-colr"
    )
    assert "unknown column 'marks'" in said("marks")


def test_a_metric_stands_for_its_only_score(run: Run, folder: Path) -> None:
    given = ("compare", "a.json", "b.json", *REFERRED, "--metrics", "meteor,bleu")
    done = run(*given, "--columns", "bleu-4,meteor", "--output", "x.csv")

    assert done.returncode == 0, done.stderr
    header = Path("x.csv").read_text().splitlines()[0]
    assert header.startswith("System,bleu-4,meteor")


def test_an_open_quote_is_named_by_its_line(run: Run, folder: Path) -> None:
    rows = ["image_id,candidate,reference", "1,a dog,a dog", '2,"two\nlines",x']
    Path("c.csv").write_text("\n".join([*rows, '3,"a dog,b', "4,x,y", ""]))

    done = run("evaluate", "c.csv", "-m", "bleu")

    assert "c.csv, line 5: a quote is not closed" in done.stderr


def test_a_key_of_the_lexicon_is_named_with_its_table(run: Run, folder: Path) -> None:
    Path("words.toml").write_text('[colors]\nwords = ["teal"]\n')
    done = run("diagnose", "a.json", *REFERRED, "--lexicon", "words.toml")
    assert "the table [colors] has no entry 'words'; known: patterns" in done.stderr
    Path("words.toml").write_text('[hedges]\nwords = ["teal"]\n')
    done = run("diagnose", "a.json", *REFERRED, "--lexicon", "words.toml")
    assert "there is no table 'hedges'" in done.stderr


def test_facts_are_printed_where_they_are_asked_for(run: Run, folder: Path) -> None:
    plain = run("diagnose", "b.json", *REFERRED, "-q")
    listed = run("diagnose", "b.json", *REFERRED, "-q", "--facts")

    assert "Facts" not in plain.stdout
    assert "Facts" in listed.stdout


def test_a_wrong_choice_is_told_without_words_of_libraries(
    run: Run, folder: Path
) -> None:
    wrong = run("parse", "a dog", "--format", "conllu")
    model = run("parse", "a dog", "--model", "en_core_web_none")

    assert "Value error" not in wrong.stderr
    assert "'conllu' is not one of" in " ".join(wrong.stderr.split())
    assert "[E050]" not in model.stderr
    assert "there is no usable spaCy model 'en_core_web_none'" in model.stderr


def test_images_and_missing_keys_are_named_once(run: Run, folder: Path) -> None:
    rows = [{"image_id": 2, "test": "a dog", "refs": ["...", "!", "a dog"]}]
    Path("blank.json").write_text(json.dumps(rows))
    Path("own.toml").write_text('[[category]]\nname = "X"\nwords = ["a"]\n')

    blank = run("evaluate", "blank.json", "-m", "bleu")
    own = run("evaluate", "a.json", *REFERRED, "--categories", "own.toml")

    assert "2 references have no words (image 2)" in blank.stderr
    assert "category 'X': length is missing: give 1, 2 or 3" in own.stderr
