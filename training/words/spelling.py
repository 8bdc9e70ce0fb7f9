"""The words that are usual in captions, for mending what is misspelt.

    python -m training.words.spelling --captions coco_train_coco.txt.gz

In: captions after tokenisation, one a line. Out: `spicepy/words/caption-words.tsv`,
each word that occurs often enough, with its number of occurrences, the most usual
first. What WordNet does not have must occur oftener, since it may be misspelt itself.
"""

import argparse
import gzip
from collections import Counter
from pathlib import Path

from spacy.lang.en.stop_words import STOP_WORDS

from spicepy.words.wordnet import load_wordnet
from training import ROOT

OUT = ROOT / "spicepy" / "words" / "caption-words.tsv"
OFTEN = 30
"""The least number of occurrences of a word that WordNet has."""
VERY_OFTEN = 1500
"""The same of other words, such as "selfie"; those without a meaning of their own, from
spaCy's list, are always taken."""


def main() -> None:
    """Count the words of the captions and write the usual ones."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--captions", type=Path, required=True)
    counts: Counter[str] = Counter()
    with gzip.open(parser.parse_args().captions, "rt", encoding="utf-8") as lines:
        for line in lines:
            counts.update(line.split())
    counts.update(STOP_WORDS)
    usual = [(word, n) for word, n in counts.items() if is_usual(word, n)]
    usual.sort(key=lambda entry: (-entry[1], entry[0]))
    text = "".join(f"{word}\t{n}\n" for word, n in usual)
    OUT.write_text(text, encoding="utf-8")


def is_usual(word: str, occurrences: int) -> bool:
    """Return whether a word is usual, and no misspelling that is."""
    if not (word.isascii() and word.isalpha()):
        return False
    if word in STOP_WORDS or occurrences < OFTEN:
        return word in STOP_WORDS
    wordnet = load_wordnet()
    known = any(wordnet.base_forms(word, part) for part in "nvar")
    return known or occurrences >= VERY_OFTEN


if __name__ == "__main__":
    main()
