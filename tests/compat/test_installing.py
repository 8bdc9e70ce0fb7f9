"""`install` puts spicepy's modules under the name `pycocoevalcap`, when asked."""

import subprocess
import sys
from importlib.util import find_spec

import pytest

INSTALLED = find_spec("pycocoevalcap") is not None

IMPORTS = """
import importlib, importlib.util, pickle, sys
import spicepy.compat
from spicepy.metrics.meteor.paraphrases import find_paraphrases
table = find_paraphrases()
spicepy.compat.install(replace=True)
spicepy.compat.install()
from pycocoevalcap.bleu.bleu import Bleu
from pycocoevalcap.cider.cider import Cider
from pycocoevalcap.eval import COCOEvalCap
from pycocoevalcap.meteor.meteor import Meteor
from pycocoevalcap.rouge.rouge import Rouge
from pycocoevalcap.spice.spice import Spice
from pycocoevalcap.tokenizer.ptbtokenizer import PTBTokenizer
import pycocoevalcap.bleu as bleu, spicepy.compat.pycocoevalcap.bleu.bleu as ours
assert Bleu is ours.Bleu is bleu.bleu.Bleu
assert bleu.__spec__.name == bleu.__name__ == "pycocoevalcap.bleu"
assert ours.__spec__.name == "spicepy.compat.pycocoevalcap.bleu.bleu"
spec = importlib.util.find_spec("pycocoevalcap.bleu.bleu")
assert spec.name == "pycocoevalcap.bleu.bleu" and spec.origin == ours.__file__
assert importlib.util.find_spec("pycocoevalcap").submodule_search_locations
assert importlib.util.find_spec("pycocoevalcap.wmd") is None
assert find_paraphrases() == table
scores = pickle.loads(pickle.dumps(Cider())).compute_score({1: ["a"]}, {1: ["a"]})
spicepy.compat.uninstall()
assert "pycocoevalcap" not in sys.modules
"""

NEVER_UNASKED = """
import spicepy.compat
from spicepy import InputError
try:
    spicepy.compat.install()
except InputError as error:
    assert "install(replace=True)" in str(error), error
    refused = True
else:
    refused = False
from pycocoevalcap.bleu.bleu import Bleu
print(refused, Bleu.__module__)
"""


def run(code: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_every_module_imports_by_the_real_name() -> None:
    run(IMPORTS)


@pytest.mark.skipif(not INSTALLED, reason="pycocoevalcap is not installed")
def test_a_real_package_is_not_shadowed_unasked() -> None:
    assert run(NEVER_UNASKED) == "True pycocoevalcap.bleu.bleu\n"


@pytest.mark.skipif(INSTALLED, reason="pycocoevalcap is installed")
def test_without_the_real_package_no_question_is_asked() -> None:
    module = "spicepy.compat.scorers"
    assert run(NEVER_UNASKED) == f"False {module}\n"
