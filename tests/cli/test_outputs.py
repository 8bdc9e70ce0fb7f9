"""What commands write, refuse to overwrite and say when they cannot."""

import io
import json
import os
import re
import signal
import subprocess
import sys
from contextlib import redirect_stdout, suppress
from pathlib import Path

import openpyxl
import pytest
from commands import Done, Run

from spicepy.cli import main, prepare_output

SAMPLES = [
    {"image_id": 1, "test": "=two dogs", "refs": ["dogs", "two dogs"]},
    {"image_id": "-b", "test": "a café", "refs": ["a blue car", "cars"]},
]
PAIR = {
    "image_id": 7,
    "candidate_a": "a dog",
    "candidate_b": "a cat",
    "preferred": "a",
    "references": ["dogs", "the dog"],
}


def spicepy(*args: object, **options: object) -> "subprocess.CompletedProcess[str]":
    given = {"stdout": subprocess.PIPE, **options}
    return subprocess.run(  # type: ignore[call-overload, no-any-return]
        [sys.executable, "-m", "spicepy", *map(os.fspath, map(_text, args))],
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        errors="surrogateescape",
        check=False,
        timeout=120,
        **given,
    )


def _text(value: object) -> "str | os.PathLike[str]":
    return value if isinstance(value, str | os.PathLike) else str(value)


@pytest.fixture
def samples(tmp_path: Path) -> Path:
    path = tmp_path / "samples.json"
    path.write_text(json.dumps(SAMPLES))
    return path


def refused(done: "subprocess.CompletedProcess[str] | Done", *words: str) -> None:
    assert done.returncode == 2, done.stderr
    assert "Traceback" not in done.stderr
    for word in words:
        assert word in done.stderr, done.stderr


def test_inputs_are_never_overwritten(run: Run, samples: Path, tmp_path: Path) -> None:
    link = tmp_path / "link.json"
    link.symlink_to(samples)
    beside = tmp_path / "x-2.csv"
    beside.write_text("image_id,candidate,reference\n1,a dog,a dog\n")
    table, other = tmp_path / "x-images.csv", tmp_path / "x.csv"
    table.write_text(beside.read_text())
    commands = [
        ("evaluate", samples, "-o", samples),
        ("evaluate", samples, "-o", link, "--metrics", "bleu"),
        *[
            ("evaluate", "a", "-o", samples, option, samples)
            for option in ("--candidates", "--references", "--frequencies")
        ],
        ("evaluate", "a", "-o", samples, "--paraphrases", samples),
        ("compare", samples, "-o", samples),
        ("compare", beside, "-o", other),
        ("diagnose", samples, "-o", samples),
        ("diagnose", table, "-o", other),
        ("frequencies", samples, "-o", samples),
        ("tokenize", samples, "-o", samples),
        ("parse", "--file", samples, "-o", samples),
        *[(name, samples, "-o", samples) for name in ("loocv", "correlate", "pairs")],
    ]
    before = samples.read_bytes()
    for command in commands:
        refused(run(*command), "read as input")
    assert samples.read_bytes() == before


@pytest.mark.parametrize(
    ("name", "args"),
    [
        ("z.corpus.json", ["evaluate", "{f}", "-o", "{dir}/z.jsonl"]),
        ("z.corpus.json", ["evaluate", "{hard}", "-o", "{dir}/z.parquet"]),
        ("z.corpus.json", ["evaluate", "{link}", "-o", "{dir}/z.jsonl"]),
        ("z.corpus.json", ["evaluate", "a", "--frequencies", "{f}", "-o", "{z}.jsonl"]),
        ("z.jsonl.part/rows/a.json", ["evaluate", "{f}", "-o", "{dir}/z.jsonl"]),
        ("z.part/a.json", ["evaluate", "{link}", "-o", "{dir}/z/"]),
        ("z.jsonl.part/a.jsonl", ["parse", "--file", "{link}", "-o", "{dir}/z.jsonl"]),
        ("z-2.csv", ["compare", "{link}", "-o", "{dir}/z.csv"]),
        ("z-images.csv", ["diagnose", "{hard}", "-o", "{dir}/z.csv"]),
        ("z-images.csv", ["diagnose", "a", "--vocabulary", "{f}", "-o", "{z}.csv"]),
        ("g/words.toml", ["parse", "a dog", "--grammar", "{dir}/g", "-o", "{f}"]),
        ("g/parses.jsonl", ["evaluate", "a", "--grammar", "{dir}/g", "-o", "{f}"]),
        ("g/parses.sqlite", ["parse", "a dog", "--cache", "{dir}/g", "-o", "{f}"]),
        ("m/meta.json", ["evaluate", "a", "--model", "{dir}/m", "-o", "{f}"]),
    ],
)
def test_no_file_that_is_written_beside_is_an_input(
    run: Run, tmp_path: Path, name: str, args: list[str]
) -> None:
    path, link, hard = tmp_path / name, tmp_path / "link", tmp_path / "hard"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text('{"name": "z", "classes": {}}')
    link.symlink_to(path)
    hard.hardlink_to(path)
    there = sorted(tmp_path.rglob("*"))
    places = {"f": path, "link": link, "hard": hard, "dir": tmp_path}

    done = run(*(arg.format(**places, z=tmp_path / "z") for arg in args))

    refused(done, "read as input")
    assert path.read_text() == '{"name": "z", "classes": {}}'
    assert sorted(tmp_path.rglob("*")) == there


def test_standard_input_is_not_overwritten(samples: Path) -> None:
    before = samples.read_bytes()
    with samples.open() as file:
        refused(spicepy("evaluate", "-", "-o", samples, stdin=file), "read as input")
    assert samples.read_bytes() == before


@pytest.mark.parametrize(
    "args",
    [
        ["compare", "{s}", "-o", "{dir}/x.csv", "-o", "{dir}/x-2.csv"],
        ["compare", "{s}", "-o", "{dir}/x.json", "-o", "{dir}/../{name}/x.json"],
        ["pairs", "{s}", "-o", "{dir}/x.csv", "--rankings", "{dir}/x.csv"],
    ],
)
def test_no_output_overwrites_another(
    run: Run, samples: Path, tmp_path: Path, args: list[str]
) -> None:
    places = {"s": samples, "dir": tmp_path, "name": tmp_path.name}

    refused(run(*(arg.format(**places) for arg in args)), "is written twice")


@pytest.mark.parametrize(
    ("references", "words"),
    [
        ('"refs": ["a dog", 7]', "entry 1 (image 1): the reference 2 is 7"),
        ('"refs": []', "entry 1 (image 1): no references"),
        ('"caption": "a dog"', "candidates without references; give the pair"),
    ],
)
def test_wrong_references_are_not_missing_ones(
    run: Run, tmp_path: Path, references: str, words: str
) -> None:
    path = tmp_path / "captions.json"
    path.write_text('[{"image_id": 1, "test": "dogs", ' + references + "}]")

    refused(run("evaluate", path, "-m", "bleu"), words)


def test_annotations_alone_hold_no_candidates(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "captions_val.json"
    entries = [{"image_id": 1, "caption": text} for text in ("a dog", "a cat")]
    path.write_text(json.dumps({"annotations": entries}))

    said = "holds references without candidates; give the pair"
    refused(run("evaluate", path, "-m", "bleu"), said)


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["evaluate", ""], ["empty name"]),
        (["evaluate", "{s}", "-o", "{dir}"], ["is a folder"]),
        (["evaluate", "{s}", "-m", "blue"], ["'bleu'", "spice, bleu"]),
        (["evaluate", "{s}", "-m", ","], ["unknown metric ''"]),
        (["compare", "{s}", "--seed", "-1"], ["--seed"]),
        (["compare", "{s}", "--level", "nan"], ["level nan"]),
        (["loocv", "{s}", "--words", "-5"], ["--words"]),
        (["loocv", "{s}", "--words", "0"], ["--words"]),
        (["loocv", "{s}", "--images", "0"], ["--images"]),
        (["loocv", "{s}", "--references", "0"], ["--references"]),
        (["pairs", "{p}", "--repeats", "0"], ["--repeats"]),
        (["pairs", "{p}", "--references", "0"], ["references"]),
        (["pairs", "{p}", "--references", "1,9", "-m", "bleu"], ["9", "at most 2"]),
        (["correlate", "{s}", "--samples", "-1"], ["--samples"]),
        (["correlate", "{s}", "--samples", "1", "-m", "bleu"], ["at least 2"]),
        (["correlate", "{s}", "--level", "2", "-m", "bleu"], ["level"]),
        (["compare", "{c}", "{c2}"], ["candidates without references", "--references"]),
    ],
)
def test_wrong_options_end_before_the_work(
    run: Run, args: list[str], words: list[str], samples: Path, tmp_path: Path
) -> None:
    (tmp_path / "dir.json").mkdir()
    pairs = tmp_path / "pairs.json"
    pairs.write_text(json.dumps([PAIR]))
    for name in ("c", "c2"):
        records = [{"image_id": 1, "caption": "a dog"}]
        (tmp_path / f"{name}.json").write_text(json.dumps(records))
    names = {"s": samples, "p": pairs, "dir": tmp_path / "dir.json"}
    names |= {n: tmp_path / f"{n}.json" for n in ("c", "c2")}

    done = run(*(a.format(**names) for a in args))

    refused(done, *words)
    assert max(map(len, done.stderr.splitlines())) < 500


def test_evaluate_says_what_it_wrote_and_warns_once(
    run: Run, samples: Path, tmp_path: Path
) -> None:
    output = tmp_path / "x.json"
    done = run("evaluate", samples, "-m", "CIDEr", "-o", output)

    assert f"wrote {output}" in done.stderr
    assert done.stderr.count("is cider-d") == 1
    assert "is cider-d" in json.loads(output.read_text())["warnings"][0]
    assert "is cider-d" not in run("evaluate", samples, "-m", "cider-d").stderr


def test_evaluate_writes_every_output(run: Run, samples: Path, tmp_path: Path) -> None:
    files = [tmp_path / f"x.{kind}" for kind in ("json", "csv", "tex")]
    outputs = [part for file in files for part in ("-o", file)]

    done = run("evaluate", samples, "-m", "bleu", "-q", *outputs)
    mixed = run("evaluate", samples, "-m", "bleu", *outputs, "-o", tmp_path / "x.jsonl")

    assert [f"wrote {file}" for file in files] == done.stderr.splitlines()
    assert all(file.is_file() for file in files)
    assert done.stdout == ""
    refused(mixed, "x.jsonl is written in blocks; give no other output")


def test_options_without_effect_are_named(
    run: Run, samples: Path, tmp_path: Path
) -> None:
    frequencies = tmp_path / "df.json"
    run("frequencies", samples, "-o", frequencies)
    done = run(
        *("evaluate", samples, "-m", "bleu", "--frequencies", frequencies),
        *("--paraphrases", samples, "--tuples", "-o", tmp_path / "x.csv", "-q"),
    )

    assert done.returncode == 0, done.stderr
    for option in ("--frequencies", "--paraphrases", "--tuples"):
        assert f"warning: {option} is ignored" in done.stderr


def test_cells_that_look_like_formulas_are_text(
    run: Run, samples: Path, tmp_path: Path
) -> None:
    output = tmp_path / "x.csv"
    run("evaluate", samples, "-m", "bleu", "-o", output, "-q")
    rows = output.read_text().splitlines()

    assert rows[1].startswith("1,'=two dogs,")
    assert rows[2].startswith("'-b,a café,")


def test_json_in_parts_is_json_as_before(
    run: Run, samples: Path, tmp_path: Path
) -> None:
    for output in (tmp_path / "x.json", tmp_path / "x.json.gz"):
        run("evaluate", samples, "-o", output, "-q", "--tuples")
    text = (tmp_path / "x.json").read_text()

    assert text == json.dumps(json.loads(text), ensure_ascii=False, indent=1) + "\n"
    assert len(list(tmp_path.iterdir())) == 3


def test_words_are_letters_or_digits(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "s.json"
    path.write_text(json.dumps([{"image_id": 1, "test": "...!!", "refs": ["a dog"]}]))

    stderr = run("evaluate", path, "-m", "bleu").stderr
    assert "1 candidate has no words and scores 0 (image 1)" in stderr
    path.write_text(json.dumps([{"image_id": 7, "test": "a dog", "refs": ["...!!"]}]))

    assert (
        "1 reference has no words (image 7)"
        in run("evaluate", path, "-m", "bleu").stderr
    )


def test_an_ascii_terminal_gets_ascii(samples: Path) -> None:
    ascii_only = os.environ | {"PYTHONIOENCODING": "ascii"}
    done = spicepy("explain", "a café", env=ascii_only)
    scores = spicepy("evaluate", samples, "-m", "bleu", env=ascii_only)

    assert (done.returncode, scores.returncode) == (0, 0), done.stderr
    assert done.stdout.isascii()
    assert scores.stdout.isascii()
    assert "| bleu-1" in scores.stdout


def test_json_stays_json_in_ascii() -> None:
    prepare_output()
    text = json.dumps({"candidate": "a café \U0001f600"}, ensure_ascii=False)
    escaped = text.encode("ascii", "spicepy").decode("ascii")

    assert json.loads(escaped) == json.loads(text)
    assert "a – b".encode("ascii", "spicepy") == b"a - b"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="Linux only")
@pytest.mark.parametrize("command", ["evaluate", "tokenize"])
def test_a_full_device_is_one_line(command: str, samples: Path) -> None:
    metrics = ("-m", "bleu") if command == "evaluate" else ()
    with open("/dev/full", "w") as full:
        done = spicepy(command, samples, *metrics, stdout=full)

    assert done.returncode == 2
    assert done.stderr.splitlines()[-1] == (
        "error: standard output: cannot be written (No space left on device)"
    )
    assert "Traceback" not in done.stderr
    assert "Exception" not in done.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="the limits differ")
@pytest.mark.parametrize("megabytes", [60, 100, 115, 120, 200, 215])
def test_too_little_memory_is_one_sentence(megabytes: int, samples: Path) -> None:
    import resource

    limit = megabytes * 2**20
    threads = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS")
    plain = {key: value for key, value in os.environ.items() if key not in threads}
    done = spicepy(
        *("evaluate", samples),
        env=plain,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)),
    )

    refused(done, "error: out of memory")
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.skipif(sys.platform != "linux", reason="needs such file names")
def test_a_file_name_without_utf8(run: Run, samples: Path, tmp_path: Path) -> None:
    odd = Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.json"))
    odd.write_bytes(samples.read_bytes())
    output = tmp_path / "r.html"
    done = run("report", odd, samples, "-o", output, "-m", "bleu")

    assert done.returncode == 0, done.stderr
    assert "caf\ufffd" in output.read_text()
    assert run("frequencies", odd, "-o", tmp_path / "f.json").returncode == 0
    assert run("compare", odd, samples, "-m", "bleu").returncode == 0


def test_image_addresses_have_a_limit(run: Run, samples: Path, tmp_path: Path) -> None:
    for pattern in ("x/{image_id:999999999d}.jpg", "x/{image_id:>{image_id}}.jpg"):
        done = run(
            *("report", samples, "-o", tmp_path / "r.html", "-m", "bleu"),
            *("--images", pattern),
        )
        refused(done, "--images", "1000")


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
@pytest.mark.parametrize("signals", ["TERM", "HUP", "TERM TERM", "HUP TERM", "INT"])
def test_a_command_that_gets_a_signal_leaves_nothing_behind(
    tmp_path: Path, signals: str
) -> None:
    script = (
        "import os, signal\n"
        "from spicepy.cli import exit_codes\n"
        "from spicepy.common.writing import written\n"
        "with exit_codes(), written('scores.json') as file:\n"
        "    file.write(b'half')\n"
        "    try:\n"
        f"        os.kill(os.getpid(), signal.SIG{signals.split()[0]})\n"
        "    finally:\n"
        f"        os.kill(os.getpid(), signal.SIG{signals.split()[-1]})\n"
        "    file.write(b'whole')\n"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}

    def heeded() -> None:
        # What starts in the background, or by nohup, ignores some signals.
        for name in ("SIGINT", "SIGHUP", "SIGTERM"):
            signal.signal(getattr(signal, name), signal.SIG_DFL)

    ended = subprocess.run(
        [sys.executable, "-c", script],
        cwd=tmp_path,
        env=environment,
        preexec_fn=heeded,
        check=False,
    )

    assert ended.returncode == 128 + getattr(signal, f"SIG{signals.split()[0]}")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="limits of Linux")
@pytest.mark.parametrize("limit", [5, 6, 8, 10, 12, 16, 24])  # Python needs 5
def test_few_files_may_be_open(tmp_path: Path, limit: int) -> None:
    import resource

    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))

    images = [
        {
            "image_id": n,
            "candidate": f"{n} dogs",
            "references": [f"{n} {k} cats" for k in "ab"],
        }
        for n in range(2500)
    ]
    path = tmp_path / "samples.jsonl"
    path.write_text("".join(json.dumps(image) + "\n" for image in images))
    for output in ("x.json", "x.jsonl"):
        done = spicepy(
            *("evaluate", path, "-q", "-j", "2", "-o", tmp_path / output),
            preexec_fn=limited,
        )
        if done.returncode:
            read = "samples.jsonl: cannot be read (Too many open files)"
            refused(done, read if read in done.stderr else "`ulimit -n 256`")
            assert not (tmp_path / output).exists()


@pytest.mark.parametrize("number", [2**63, 2**70, -(2**63) - 1])
@pytest.mark.parametrize("output", ["x.parquet", "x/"])
def test_integers_that_parquet_cannot_hold(
    run: Run, tmp_path: Path, number: int, output: str
) -> None:
    pytest.importorskip("pyarrow")
    path = tmp_path / "samples.jsonl"
    record = {"image_id": number, "candidate": "a dog", "references": ["dogs"]}
    path.write_text(json.dumps(record) + "\n")
    for command in (["evaluate", path, "-m", "bleu"], ["parse", "--file", path]):
        done = run(*command, "-q", "-o", f"{tmp_path}/{output}")
        refused(done, str(number), "64 bits", "write .jsonl")
        assert list(tmp_path.iterdir()) == [path]


def test_a_mark_of_another_encoding_within_a_file(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "samples.csv"
    path.write_bytes(b"image_id,candidate,references\n1,a dog,dogs\n\xff\xfe\n")
    output = tmp_path / "x.jsonl"

    done = run("evaluate", path, "-m", "bleu", "-o", output)

    refused(done, "line 3: byte 0xff is not UTF-8")


@pytest.mark.parametrize("command", ["evaluate", "diagnose"])
def test_json_goes_to_standard_output(run: Run, command: str, samples: Path) -> None:
    done = run(command, samples, "-o", "-")

    assert "signature" in json.loads(done.stdout)
    assert "wrote" not in done.stderr


READERS = [
    ("evaluate", "-"),
    ("evaluate", "-", "-m", "bleu", "-o", "{new}.jsonl"),
    ("evaluate", "--candidates", "-", "--references", "{samples}"),
    ("compare", "-", "{samples}"),
    ("diagnose", "-"),
    ("diff", "{samples}", "-"),
    ("parse", "--file", "-"),
    ("parse", "--file", "-", "-o", "{new}.jsonl"),
    ("tokenize",),
    ("loocv", "-"),
    ("correlate", "-"),
    ("pairs", "-"),
    ("pope", "-", "{samples}"),
    ("frequencies", "-", "-o", "{new}.json"),
    ("report", "-", "-o", "{new}.html"),
    ("stability", "-"),
]


@pytest.mark.parametrize("command", READERS, ids=" ".join)
def test_standard_input_is_closed(
    run: Run,
    command: tuple[str, ...],
    samples: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("sys.stdin", None)
    names = {"samples": samples, "new": tmp_path / "new"}

    done = run(*(part.format(**names) for part in command))

    refused(done, "error: standard input is closed")


ESCAPES = re.compile("[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f]")


@pytest.mark.parametrize(
    "command",
    [
        ("evaluate", "no\x1b[2J\x9bm.json"),
        ("evaluate", "{samples}", "-m", "bleu", "-o", "{folder}/a\x1b[2J.json"),
        ("evaluate", "{samples}", "-m", "bleu", "-o", "no\x1b[2J/a.json"),
        ("compare", "{samples}", "{folder}/a\x1b[31mb.json", "-m", "bleu"),
        ("parse", "a dog", "--grammar", "no\x1b[2J"),
        ("explain", "see http://a/\x1b[2J\x9bx of a dog"),
    ],
)
def test_no_escape_reaches_a_terminal(
    run: Run, command: tuple[str, ...], samples: Path, tmp_path: Path
) -> None:
    (tmp_path / "a\x1b[31mb.json").write_text(samples.read_text())

    done = run(*(part.format(samples=samples, folder=tmp_path) for part in command))

    assert "\\u001b[" in done.stdout + done.stderr or "\\x1b[" in done.stderr
    assert not ESCAPES.search(done.stdout + done.stderr)


@pytest.mark.skipif(os.name == "nt", reason="terminals of POSIX")
@pytest.mark.parametrize("command", ["parse", "tokenize"])
def test_data_are_cleaned_for_terminals_alone(
    run: Run, command: str, tmp_path: Path
) -> None:
    import pty

    path = tmp_path / "captions.txt"
    path.write_text("see http://a/\x1b[2Jx of a dog\n", encoding="utf-8")
    arguments = (command, path) if command == "tokenize" else (command, "-f", path)
    ours, theirs = pty.openpty()
    done = spicepy(*arguments, stdout=theirs)
    shown = os.read(ours, 10_000).decode()

    assert done.returncode == 0, done.stderr
    assert "/\\u001b[2jx" in shown.lower()
    assert not ESCAPES.search(shown.replace("\r\n", "\n"))
    assert "/\x1b[2jx" in run(*arguments).stdout.lower()


@pytest.mark.skipif(os.name == "nt", reason="pipes of POSIX")
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("command", ["tokenize", "evaluate"])
def test_a_reader_that_has_enough(
    command: str, unbuffered: str, tmp_path: Path
) -> None:
    path = tmp_path / ("captions.txt" if command == "tokenize" else "samples.json")
    images = (
        {"image_id": n, "test": "a dog on a mat", "refs": ["the cat is asleep"]}
        for n in range(3000)
    )
    text = "a dog on a beach\n" * 30_000
    path.write_text(text if command == "tokenize" else json.dumps([*images]))
    options = () if command == "tokenize" else ("-m", "bleu", "-o", "-")
    with subprocess.Popen(
        [sys.executable, "-m", "spicepy", command, str(path), *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ | {"PYTHONUNBUFFERED": unbuffered},
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.read(10)
        process.stdout.close()

        assert process.stderr.read() == b""
        assert process.wait() == 1


def test_standard_output_may_take_text_alone(
    monkeypatch: pytest.MonkeyPatch, samples: Path
) -> None:
    for arguments in (["parse", "a café"], ["evaluate", str(samples), "-qo", "-"]):
        monkeypatch.setattr("sys.argv", ["spicepy", *arguments])
        with redirect_stdout(io.StringIO()) as text, suppress(SystemExit):
            main()

        assert "café" in text.getvalue()


@pytest.mark.skipif(os.name == "nt", reason="folders of POSIX")
def test_a_current_folder_that_is_gone(tmp_path: Path, samples: Path) -> None:
    script = "import os; os.rmdir(os.getcwd()); from spicepy.cli import main; main()"
    for arguments in (["parse", "a", "--grammar", "mine"], ["evaluate", "x.json"]):
        (tmp_path / "here").mkdir()
        done = subprocess.run(
            [sys.executable, "-c", script, *arguments],
            cwd=tmp_path / "here",
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )

        refused(done, "the current folder is gone or cannot be entered")
        assert "standard output" not in done.stderr


def test_findings_in_a_workbook_and_with_a_mark(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    caption = '=HYPERLINK("http://x") a red dog'
    row = {"image_id": 1, "candidate": caption, "references": ["a blue dog"] * 3}
    (tmp_path / "c.json").write_text(json.dumps([row]))
    monkeypatch.chdir(tmp_path)
    files = ("-o", "x.xlsx", "-o", "x.csv", "--bom")
    done = run("diagnose", "c.json", *files, "--precision", "0", "--quiet")
    assert done.returncode == 0
    sheet = openpyxl.load_workbook("x.xlsx")["errors"]
    [head, first, *_] = sheet.values
    assert dict(zip(head, first))["caption"] == caption
    assert (tmp_path / "x.csv").read_bytes().startswith(b"\xef\xbb\xbfimage_id")
    assert (tmp_path / "x-images.csv").read_bytes().startswith(b"\xef\xbb\xbf")
