"""The same scores to the last bit, whatever vector units the processor has.

numpy's `exp`, `log` and `power` have one code for each kind of vector unit, and these
do not agree in the last bit. What a score rests on must not use them.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from paths import ROOT

pytestmark = pytest.mark.slow

SCRIPT = """
import json, sys, warnings
from pathlib import Path
from spicepy import evaluate
from spicepy.evaluation.options import METRICS
warnings.simplefilter("ignore")
samples = json.loads(Path(sys.argv[1]).read_text())
names = (
    name
    for name, entry in METRICS.items()
    if {"instances", "answers"}.isdisjoint(entry.takes)
)
result = evaluate(samples, sorted(names))
for key in result.keys:
    print(key, result.corpus_score(key).hex())
    for image, score in result.image_scores(key).items():
        print(key, image, score.hex())
"""


def vector_units() -> list[str]:
    """What numpy can be told not to use here."""
    from numpy._core import _multiarray_umath as umath

    here = umath.__cpu_features__
    return [name for name in umath.__cpu_dispatch__ if here.get(name)]


def scores(samples: Path, **settings: str) -> list[str]:
    run = [sys.executable, "-W", "error::ImportWarning", "-c", SCRIPT, str(samples)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **settings}
    ended = subprocess.run(run, env=environment, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
    return ended.stdout.splitlines()


@pytest.fixture(scope="module")
def expected(fixtures: Path) -> list[str]:
    return scores(fixtures / "scenes.json")


def test_vector_units(expected: list[str], fixtures: Path) -> None:
    units = vector_units()
    if not units:
        pytest.skip("this processor has no vector units that numpy can do without")
    found = scores(fixtures / "scenes.json", NPY_DISABLE_CPU_FEATURES=" ".join(units))

    assert found == expected


@pytest.mark.skipif(sys.platform != "linux", reason="OpenBLAS names its cores on Linux")
def test_kernels_of_blas(expected: list[str], fixtures: Path) -> None:
    assert scores(fixtures / "scenes.json", OPENBLAS_CORETYPE="Nehalem") == expected
