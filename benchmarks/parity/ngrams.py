"""All n-gram metrics compared with recorded outputs of coco-caption.

In: `oracle/ngram/` of the shared data. BLEU, ROUGE-L and CIDEr-D are scored from
the raw captions of 5,000 images; then `tokenizer_parity` and `meteor_parity` run.
Where `pycocoevalcap` is installed, odd made-up captions are also scored beside it.
Out: tables of differences; exit status 0 if no score differs by more than 1e-12
and both other reports are good.

    python -m benchmarks.parity.ngrams --shared DIR
"""

import contextlib
import io
import random
import warnings
from pathlib import Path

import numpy as np

from benchmarks.figures import figure, run
from benchmarks.java_oracle import read_json, shared_parser
from spicepy.captions.sample import Sample
from spicepy.common.errors import SpicepyWarning
from spicepy.evaluation.evaluation import evaluate
from spicepy.evaluation.options import resolve

TOLERANCE = 1e-12
KEYS = {
    **{f"bleu-{n}": f"Bleu_{n}" for n in range(1, 5)},
    "rouge-l": "ROUGE_L",
    "cider-d": "CIDEr",
}


def main() -> int:
    """Print all figures; return 0 if every target is met."""
    good = check_scores(shared_parser(__doc__).parse_args().shared / "oracle" / "ngram")
    good &= check_odd_captions()
    # The other reports import their metrics; they read the same options.
    from benchmarks.parity import meteor as meteor_parity
    from benchmarks.parity import tokenizer as tokenizer_parity

    for module in (tokenizer_parity, meteor_parity):
        print(f"\n{module.__name__}")
        good &= module.main() == 0
    return int(not good)


def check_scores(folder: Path) -> bool:
    """Compare the scores of images and of the corpus, from raw captions."""
    images = read_json(folder / "coco5k_raw.json.gz")
    expected = read_json(folder / "coco5k_scores.json.gz")
    samples = [Sample(i["image_id"], i["test"], tuple(i["refs"])) for i in images]
    result = evaluate(samples, ["bleu", "rouge", "cider-d"])
    print(f"{'score':<10}{'corpus':>10}{'difference':>12}", end="")
    print(f"{'largest of an image':>21}{'images different':>18}")
    worst, wrong = 0.0, set()
    for key, name in KEYS.items():
        found = result.image_scores(key)
        ids = expected["per_image"]["image_ids"]
        scores = np.array([found[image_id] for image_id in ids], float)
        apart = np.abs(scores - np.array(expected["per_image"][name]))
        corpus = result.corpus_score(key)
        difference = abs(corpus - expected["corpus"][name])
        worst = max(worst, difference, float(apart.max()))
        print(f"{key:<10}{corpus:>10.6f}{difference:>12.1e}", end="")
        print(f"{apart.max():>21.1e}{np.count_nonzero(apart):>18,}")
        wrong |= set(np.flatnonzero(apart).tolist())
        figure(f"{key}.corpus", corpus, 6)
        figure(f"{key}.different", int(np.count_nonzero(apart)))
    figure("images", len(ids))
    figure("different", len(wrong))
    return worst <= TOLERANCE


def check_odd_captions() -> bool:
    """Compare made-up corpora of odd captions with an installed pycocoevalcap."""
    try:
        from pycocoevalcap.bleu.bleu import Bleu as TheirBleu
        from pycocoevalcap.cider.cider import Cider as TheirCider
        from pycocoevalcap.rouge.rouge import Rouge as TheirRouge
    except ImportError:
        print("odd captions: skipped, pycocoevalcap is not installed")
        return True
    rng, different, scores = random.Random(1), 0, 0
    warnings.simplefilter("ignore", SpicepyWarning)
    for _ in range(200):
        samples = _odd_samples(rng)
        references = {s.image_id: list(s.references) for s in samples}
        candidates = {s.image_id: [s.candidate] for s in samples}
        scorers = (TheirBleu(4), TheirRouge(), TheirCider())
        for metric, scorer in zip(resolve(["bleu", "rouge", "cider-d"]), scorers):
            with contextlib.redirect_stdout(io.StringIO()):
                corpus, images = scorer.compute_score(references, candidates)
            rows = metric.count(samples).rows
            found = metric.corpus_scores(rows.sum(axis=0), len(rows))
            apart = np.abs(metric.image_scores(rows).T - np.atleast_2d(images))
            apart = np.append(apart, np.abs(found - corpus))
            different += int((apart > TOLERANCE).sum())
            scores += apart.size
    print(f"odd captions: {scores:,} scores, {different:,} different")
    figure("odd.scores", scores)
    figure("odd.different", different)
    return different == 0


def _odd_samples(rng: random.Random) -> list[Sample]:
    """Return samples with empty and long captions, odd white space and symbols."""
    words = ["a", "dog", "the", "é", "x\xa0y", "", "\u2003", "\0", "b\x1cc"]

    def caption() -> str:
        return " ".join(rng.choices(words, k=rng.choice([0, 1, 2, 3, 5, 8, 13, 70])))

    return [
        # pycocoevalcap fails if no reference of a corpus has a word.
        Sample(i, caption(), ("a dog", *(caption() for _ in range(rng.randrange(5)))))
        for i in range(rng.randint(1, 6))
    ]


if __name__ == "__main__":
    raise SystemExit(run(main, "ngram_parity"))
