"""All n-gram metrics against recorded outputs of coco-caption, in one report.

In: `oracle/ngram/` of the shared data. BLEU, ROUGE-L and CIDEr-D are scored from
the raw captions of 5,000 images; then `tokenizer_parity` and `meteor_parity` run.
Out: tables of differences; exit status 0 if no score differs by more than 1e-12
and both other reports are good.

    python benchmarks/ngram_parity.py --shared DIR
"""

import argparse
import gzip
import json
import os
import sys
from pathlib import Path
from typing import Any

import numpy as np

from spicepy.captions import Sample
from spicepy.evaluation import evaluate

TOLERANCE = 1e-12
KEYS = {
    **{f"bleu-{n}": f"Bleu_{n}" for n in range(1, 5)},
    "rouge-l": "ROUGE_L",
    "cider-d": "CIDEr",
}


def main() -> int:
    good = check_scores(_folder() / "oracle" / "ngram")
    # The other reports import their metrics; they read the same options.
    import meteor_parity
    import tokenizer_parity

    for module in (tokenizer_parity, meteor_parity):
        print(f"\n{module.__name__}")
        good &= module.main() == 0
    return int(not good)


def check_scores(folder: Path) -> bool:
    """Per image and corpus, from raw captions."""
    images = _json(folder / "coco5k_raw.json.gz")
    expected = _json(folder / "coco5k_scores.json.gz")
    samples = [Sample(i["image_id"], i["test"], tuple(i["refs"])) for i in images]
    result = evaluate(samples, ["bleu", "rouge", "cider-d"])
    print(f"{'score':<10}{'corpus':>10}{'difference':>12}", end="")
    print(f"{'largest of an image':>21}{'images different':>18}")
    worst = 0.0
    for key, name in KEYS.items():
        found = result.image_scores(key)
        ids = expected["per_image"]["image_ids"]
        scores = np.array([found[image_id] for image_id in ids], float)
        apart = np.abs(scores - np.array(expected["per_image"][name]))
        corpus = float(result.corpus_score(key) or 0.0)
        difference = abs(corpus - expected["corpus"][name])
        worst = max(worst, difference, float(apart.max()))
        print(f"{key:<10}{corpus:>10.6f}{difference:>12.1e}", end="")
        print(f"{apart.max():>21.1e}{np.count_nonzero(apart):>18,}")
    return worst <= TOLERANCE


def _folder() -> Path:
    beside = Path(__file__).parents[2] / "shared"
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    default = Path(os.environ.get("SPICEPY_SHARED", beside))
    parser.add_argument("--shared", type=Path, default=default)
    return Path(parser.parse_args().shared)


def _json(path: Path) -> Any:
    return json.loads(gzip.decompress(path.read_bytes()))


if __name__ == "__main__":
    sys.exit(main())
