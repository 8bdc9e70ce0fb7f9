"""The accuracy of parsers on text annotated by people.

Usage: python -m benchmarks.accuracy.truth_trees [--model NAME …]
       [--errors FILE] [--shared DIR]

Percentages of words (tag right, head right, head and label right) in the captions and
audio captions of `fixtures/domains` and in UD English EWT's development part, its
labels turned into version 1. All in lower case and without punctuation marks, but for
`language-test`, whose commas are read and not counted. The captions of
`constructions-test` and `language-test` are also counted by what they were written for.
`--errors captions-dev` prints the wrong arcs of that file.
"""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from benchmarks.accuracy.domain_trees import Sentence, read_domain, without_marks
from benchmarks.figures import figure, run, table
from benchmarks.java_oracle import shared_parser
from spicepy.parsing.parser import model_signature, parse
from spicepy.parsing.trees import Parse
from spicepy.tokenization.samples import split_sentences
from training.parser.treebank import read_treebank

BUNDLED = "caption_graph_parser-1.8"
WITH_COMMAS = "language-test"
OWN = (
    *("captions", "audio", "captions-dev", "captions-test", "constructions-test"),
    WITH_COMMAS,
)
CONSTRUCTIONS = {
    "articles, adjectives, numbers": ("det", "amod", "nummod", "neg", "advmod"),
    "names of several words": ("compound",),
    "owners": ("nmod:poss",),
    "prepositions": ("case", "mwe"),
    "where prepositional phrases hang": ("nmod", "nmod:npmod", "nmod:tmod"),
    "subjects": ("nsubj", "nsubjpass", "expl"),
    "objects": ("dobj", "iobj"),
    "auxiliaries, copulas, particles": ("aux", "auxpass", "cop", "compound:prt"),
    "participles and relative clauses": ("acl", "acl:relcl"),
    "other clauses": ("advcl", "ccomp", "xcomp", "mark", "parataxis"),
    "coordination": ("cc", "conj", "cc:preconj"),
    "main word of the caption": ("root",),
}
"""Construction -> labels; all other labels are rare."""
COUNTED = "captions-test"
"""The text in which constructions are counted; none of its errors was looked at."""
WRITTEN_FOR = {"constructions-test": "kinds", WITH_COMMAS: "language"}
"""Captions that were written for a construction each, named in `sent_id`, and the table
of these."""
LONGEST = 60
"""The number of words of the longest sentence that is read."""


def main() -> int:
    """Print a row for each model."""
    parser = shared_parser(__doc__)
    parser.add_argument("--model", nargs="+", default=[BUNDLED], help="parsers")
    parser.add_argument("--errors", help="a file whose wrong arcs are printed")
    options = parser.parse_args()
    sentences = {name: read_domain(name) for name in OWN}
    texts = {name: [s.tree for s in own] for name, own in sentences.items()}
    texts["EWT dev"] = ewt(options.shared / "treebanks/ewt-dev.conllu.gz")
    print(f"{'tags / UAS / LAS':30}{''.join(f'{name:>19}' for name in texts)}")
    for model in options.model:
        row = f"{model_signature(model)[-29:]:30}"
        for name, gold in texts.items():
            if name == WITH_COMMAS:
                given = [
                    split_sentences(s.text, commas=True)[0] for s in sentences[name]
                ]
            else:
                given = [" ".join(tree.words) for tree in gold]
            found = [without_marks(tree) for tree in parse(given, model=model)]
            of_words = shares(gold, found)
            figure(f"{name}.LAS", of_words[2], 1)
            figures = (f"{x:.1f}" for x in of_words)
            row += f"{' / '.join(figures):>19}"
            if name == options.errors:
                print_errors(gold, found)
            if name == COUNTED and model == BUNDLED:
                lines = by_construction(gold, found)
                table("constructions", ("construction", "words", "right, %"), lines)
            if name in WRITTEN_FOR and model == BUNDLED:
                table(
                    WRITTEN_FOR[name],
                    ("kind", "words", "right, %"),
                    by_kind(sentences[name], found),
                )
        print(row, flush=True)
    return 0


def ewt(path: Path) -> list[Parse]:
    """Read a part of the treebank."""
    trees = []
    for rows in read_treebank(path):
        if len(rows) <= LONGEST:
            words, tags, lemmas, heads, labels = zip(*rows, strict=True)
            trees.append(Parse(words, tags, lemmas, heads, labels))
    return trees


def shares(gold: Sequence[Parse], found: Sequence[Parse]) -> tuple[float, ...]:
    """Return percentages of right tags, heads, and heads with labels."""
    right, words = [0, 0, 0], 0
    for a, b in zip(gold, found, strict=True):
        words += len(a.heads)
        heads = [x == y for x, y in zip(a.heads, b.heads)]
        right[0] += sum(x == y for x, y in zip(a.tags, b.tags))
        right[1] += sum(heads)
        right[2] += sum(x and y == z for x, y, z in zip(heads, a.labels, b.labels))
    return tuple(100 * x / words for x in right)


def by_construction(
    gold: Sequence[Parse], found: Sequence[Parse]
) -> list[tuple[str, int, str]]:
    """Return how many words a construction has and how many are right (LAS)."""
    words: Counter[str] = Counter()
    right: Counter[str] = Counter()
    for a, b in zip(gold, found, strict=True):
        for head, label, other, name in zip(a.heads, a.labels, b.heads, b.labels):
            words[label] += 1
            right[label] += (head, label) == (other, name)
    lines = []
    for name, labels in CONSTRUCTIONS.items():
        count = sum(words[label] for label in labels)
        share = 100 * sum(right[label] for label in labels) / count
        lines.append((name, count, f"{share:.1f}"))
    return lines


def by_kind(
    gold: Sequence[Sentence], found: Sequence[Parse]
) -> list[tuple[str, int, str]]:
    """Return how many words the captions of each kind have and are right (LAS)."""
    kinds: dict[str, list[tuple[Parse, Parse]]] = {}
    for sentence, tree in zip(gold, found, strict=True):
        kind = sentence.name.rpartition("-")[2]
        kinds.setdefault(kind, []).append((sentence.tree, tree))
    lines = []
    for kind, pairs in kinds.items():
        own, others = zip(*pairs, strict=True)
        words = sum(len(tree.words) for tree in own)
        lines.append((kind, words, f"{shares(own, others)[2]:.1f}"))
        print("{:28}{:6}{:>8}".format(*lines[-1]))
    return lines


def print_errors(gold: Sequence[Parse], found: Sequence[Parse]) -> None:
    """Print wrong arcs, then the pairs of labels by how often they are taken so."""
    pairs: Counter[tuple[str, str]] = Counter()
    for a, b in zip(gold, found, strict=True):
        wrong = []
        columns = zip(a.words, a.heads, a.labels, b.heads, b.labels)
        for word, head, label, other, name in columns:
            if (head, label) != (other, name):
                pairs[label, name] += 1
                ends = [a.words[x - 1] if x else "-" for x in (head, other)]
                wrong.append(f"{word}: {label} {ends[0]}, not {name} {ends[1]}")
        if wrong:
            print(" ".join(a.words), *wrong, sep="\n    ")
    print(pairs.most_common(20))


if __name__ == "__main__":
    raise SystemExit(run(main, "truth_trees"))
