"""`python -m spicepy.compat run`: copies by name and shape, and what is the user's."""

import subprocess
import sys
from pathlib import Path

OURS = "spicepy.compat.scorers"
COPY = """
class {name}:
    own = True
"""


def write(folder: Path, **files: str) -> None:
    for name, text in files.items():
        path = folder / (name.replace("__", "/").replace("PACKAGE", "__init__") + ".py")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def copy_of_coco(folder: Path, evaluator: str = "") -> None:
    """Write a package with the shape of pycocoevalcap."""
    write(
        folder,
        bleu__bleu=COPY.format(name="Bleu"),
        bleu__extra="kept = 1",
        cider__cider=COPY.format(name="Cider"),
        eval=evaluator or "from .bleu.bleu import Bleu\nmine = True",
    )
    for package in (".", "bleu", "cider"):
        (folder / package / "__init__.py").touch()


def run(folder: Path, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "spicepy.compat", "run", *arguments],
        capture_output=True,
        text=True,
        timeout=120,
        cwd=folder,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_a_copy_is_known_by_its_shape(tmp_path: Path) -> None:
    copy_of_coco(tmp_path / "lib" / "capeval")
    write(
        tmp_path,
        program="from lib.capeval.eval import Bleu, mine\n"
        "from lib.capeval.cider.cider import Cider\n"
        "from lib.capeval.bleu.extra import kept\n"
        "print(Bleu.__module__, Cider.__module__, mine, kept)",
    )

    assert run(tmp_path, "program.py") == f"{OURS} {OURS} True 1"


def test_a_copy_of_another_name_is_named(tmp_path: Path) -> None:
    write(tmp_path / "lib", scores="", program="")
    (tmp_path / "lib" / "__init__.py").touch()
    write(
        tmp_path,
        program="from lib.scores.bleu.bleu import Bleu\nprint(Bleu.__module__)",
    )

    also = "--also", "lib.scores=pycocoevalcap"
    assert run(tmp_path, *also, "program.py") == OURS


def test_an_evaluator_with_other_arguments_stays(tmp_path: Path) -> None:
    evaluator = """
from .bleu.bleu import Bleu
class COCOEvalCap:
    def __init__(self, images, coco, cocoRes, scale): pass
"""
    copy_of_coco(tmp_path / "tool" / "pycocoevalcap", evaluator)
    (tmp_path / "tool" / "__init__.py").touch()
    write(
        tmp_path,
        program="from tool.pycocoevalcap.eval import COCOEvalCap, Bleu\n"
        "print(COCOEvalCap.__module__, Bleu.__module__)",
    )

    assert run(tmp_path, "program.py") == f"tool.pycocoevalcap.eval {OURS}"


def test_a_package_evaluation_of_the_user_is_not_hidden(tmp_path: Path) -> None:
    write(tmp_path, evaluation__own="value = 1", evaluation__PACKAGE="")
    write(
        tmp_path / "tools",
        go="import sys; sys.path.insert(0, sys.argv[1])\n"
        "from evaluation.own import value\nprint(value)",
    )

    assert run(tmp_path, "tools/go.py", str(tmp_path)) == "1"


def test_a_package_with_the_tokeniser_alone_gets_ours(tmp_path: Path) -> None:
    write(
        tmp_path,
        evaluation__PACKAGE="from .tokenizer import PTBTokenizer",
        evaluation__own="value = 1",
        evaluation__tokenizer="import java\nclass PTBTokenizer: pass",
        program="from evaluation import PTBTokenizer\n"
        "from evaluation.own import value\n"
        "print(PTBTokenizer.tokenize(['A dog.']), value)",
    )

    assert run(tmp_path, "program.py") == "{0: ['a dog']} 1"


def test_a_package_evaluation_of_a_copy_is_ours(tmp_path: Path) -> None:
    copy_of_coco(tmp_path / "evaluation")
    write(tmp_path, evaluation__tokenizer="import java\nclass PTBTokenizer: pass")
    write(
        tmp_path,
        program="from evaluation import Cider, compute_scores\nprint(Cider.__module__)",
    )

    assert run(tmp_path, "program.py") == "spicepy.compat.meshed_memory"


def test_a_module_is_run(tmp_path: Path) -> None:
    write(
        tmp_path,
        program="import sys\nfrom pycocoevalcap.bleu.bleu import Bleu\n"
        "print(Bleu.__module__, sys.argv[1:])",
    )

    assert run(tmp_path, "-m", "program", "-x", "1") == f"{OURS} ['-x', '1']"


def test_a_wrong_package_is_named(tmp_path: Path) -> None:
    write(tmp_path, program="print(1)")
    command = [sys.executable, "-m", "spicepy.compat", "run", "--also", "foo"]

    done = subprocess.run(
        [*command, "program.py"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        check=False,
    )

    assert done.returncode == 2
    assert "error: --also: unknown package 'foo'; choose from" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_module_that_is_not_there_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "package").mkdir()
    (tmp_path / "package" / "__init__.py").touch()
    for module in ("nomod", "no.mod", "package"):
        done = subprocess.run(
            [sys.executable, "-m", "spicepy.compat", "run", "-m", module],
            capture_output=True,
            text=True,
            timeout=120,
            cwd=tmp_path,
            check=False,
        )
        assert done.returncode == 2
        assert f"no module named {module} that can be run" in done.stderr
        assert "Traceback" not in done.stderr
