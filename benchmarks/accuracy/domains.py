"""The parser on texts other than COCO's, compared with trees annotated by hand.

Usage: python -m benchmarks.accuracy.domains [--model NAME] [--errors]

Captions, the same with typos, in other case and punctuation; audio captions,
news, questions, fragments and long sentences, all written for this project
(`fixtures/domains`). Texts go the whole way: tokeniser, parser, rules. Figures
are percentages of words (punctuation marks do not count); for tuples F of the
proposals against those from the annotated tree. "same" counts the variants that
get the tree of their plain caption.

Exit code 0 if every text gets a tree and plain captions have LAS of 80 or more.
"""

import argparse
from collections import Counter
from collections.abc import Sequence

from benchmarks.accuracy.domain_trees import (
    DOMAINS,
    SEAM,
    Sentence,
    align,
    is_word,
    join,
    read_domain,
    without_marks,
    worse,
)
from benchmarks.figures import run, table
from spicepy.parsing.parser import model_signature, parse
from spicepy.parsing.trees import Parse
from spicepy.pipeline import Pipeline
from spicepy.tokenization.ptb import tokenize

FLOOR = 80.0
"""The LAS on plain captions that any reasonable model reaches."""

JOINED = 20
"""The number of sentences that are joined to a text of about 200 words."""

COLUMNS = ("tags", "UAS", "LAS", "tuples")

Counts = Counter[str]

_ROWS: list[list[object]] = []
"""The lines of the table, as they are printed."""


def main() -> int:
    """Print the table; 0 if the floor is met."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--model", help="a spaCy model (default: the bundled one)")
    parser.add_argument("--errors", action="store_true", help="list wrong arcs")
    options = parser.parse_args()
    domains = {domain: read_domain(domain) for domain in DOMAINS}
    print(f"{model_signature(options.model)}, % of words\n")
    heads = "".join(f"{name:>9}" for name in COLUMNS)
    print(f"{'':18}{'texts':>6}{'words':>7}{heads}")
    counted, good = {}, True
    for domain, sentences in domains.items():
        trees = parse_texts([s.text for s in sentences], options.model)
        good &= all_trees(trees)
        counted[domain] = count(sentences, trees)
        _print(domain, counted[domain])
        if options.errors:
            _errors(sentences, trees)
        if domain == "captions":
            good &= _variants(sentences, trees, counted[domain], options.model)
    whole = sum(counted.values(), Counter())
    _print("all of these", whole)
    texts = [s for name in ("captions", "audio", "news") for s in domains[name]]
    long = [join(texts[at : at + JOINED]) for at in range(0, 3 * JOINED, JOINED)]
    trees = parse_texts([s.text for s in long], options.model)
    good &= all_trees(trees)
    _print("joined", count(long, trees))
    _print_labels(whole)
    table("all", ("text", "texts", "words", *COLUMNS), _ROWS)
    las = figures(counted["captions"])["LAS"]
    print(f"\nLAS of captions {las:.1f} (>= {FLOOR}), every text has a tree: {good}")
    return 0 if good and las >= FLOOR else 1


def parse_texts(texts: Sequence[str], model: str | None = None) -> list[Parse]:
    """Tokenise and parse."""
    return parse(tokenize(texts), model=model)


def all_trees(trees: Sequence[Parse]) -> bool:
    """Return whether every parse has words and one root."""
    return all(tree.words and tree.heads.count(0) == 1 for tree in trees)


def _variants(
    plain: Sequence[Sentence], trees: Sequence[Parse], base: Counts, model: str | None
) -> bool:
    good = True
    for kind in worse(plain[0]):
        found = parse_texts([worse(sentence)[kind] for sentence in plain], model)
        good &= all_trees(found)
        aligned = [align(s.tree.words, tree) for s, tree in zip(plain, found)]
        same = sum(_arcs(a) == _arcs(without_marks(b)) for a, b in zip(trees, aligned))
        _print(f"  {kind}", count(plain, aligned), base, f"same {same}")
    return good


def _arcs(tree: Parse) -> tuple[object, ...]:
    return tree.tags, tree.heads, tree.labels


def count(sentences: Sequence[Sentence], trees: Sequence[Parse]) -> Counts:
    """Count words, arcs and tuples, and those that are right."""
    counts: Counts = Counter()
    pipeline = Pipeline()
    for sentence, tree in zip(sentences, trees, strict=True):
        gold, found = sentence.tree, without_marks(tree)
        if gold.words != found.words:
            raise ValueError(f"{sentence.name}: {gold.words} became {found.words}")
        arcs = [
            (b, a == x, a == x and b == y)
            for a, b, x, y in zip(gold.heads, gold.labels, found.heads, found.labels)
            if b != SEAM
        ]
        true, ours = (
            {x.members for x in pipeline.stages.extract([t])} for t in (gold, tree)
        )
        counts += Counter(
            texts=1,
            words=len(gold.words),
            tags=sum(a == b for a, b in zip(gold.tags, found.tags)),
            arcs=len(arcs),
            UAS=sum(head for _, head, _ in arcs),
            LAS=sum(both for _, _, both in arcs),
            same=len(true & ours),
            tuples=len(true) + len(ours),
        )
        counts.update(f"all {label}" for label, _, _ in arcs)
        counts.update(f"right {label}" for label, _, both in arcs if both)
    return counts


def figures(counts: Counts) -> dict[str, float]:
    """Turn counts into the percentages of the table."""
    return {
        "tags": 100 * counts["tags"] / counts["words"],
        "UAS": 100 * counts["UAS"] / counts["arcs"],
        "LAS": 100 * counts["LAS"] / counts["arcs"],
        "tuples": 200 * counts["same"] / counts["tuples"],
    }


def _print(
    name: str, counts: Counts, base: Counts | None = None, note: str = ""
) -> None:
    now = figures(counts)
    shown = [f"{now[column]:.1f}" for column in COLUMNS]
    _ROWS.append([name.strip(), counts["texts"], counts["words"], *shown])
    line = "".join(f"{now[column]:9.1f}" for column in COLUMNS)
    print(f"{name:18}{counts['texts']:6}{counts['words']:7}{line}", end="")
    if base:
        before = figures(base)
        falls = [f"{now[x] - before[x]:+.1f}" for x in COLUMNS]
        print(f"   {' '.join(falls)}   {note}", end="")
    print()


def _print_labels(counts: Counts) -> None:
    """Print the recall of each frequent label."""
    found = [
        f"{label} {counts[f'right {label}']}/{n}"
        for label, n in (
            (key.removeprefix("all "), n)
            for key, n in counts.most_common()
            if key.startswith("all ")
        )
        if n >= 10
    ]
    print("\nright arcs by label, all of these:")
    for at in range(0, len(found), 8):
        print(f"   {', '.join(found[at : at + 8])}")


def _errors(sentences: Sequence[Sentence], trees: Sequence[Parse]) -> None:
    for sentence, tree in zip(sentences, trees, strict=True):
        gold = sentence.tree
        found = [word for word in tree.words if is_word(word)]
        wrong = [
            f"{word} {right} (got {got})"
            for word, right, got in zip(found, _named(gold), _named(tree))
            if right != got
        ]
        if wrong:
            print(f"      {sentence.name}: {'; '.join(wrong)}")


def _named(tree: Parse) -> list[str]:
    """Return each arc as "TAG label of head"."""
    heads = ["-" if not head else tree.words[head - 1] for head in tree.heads]
    return [
        f"{tag} {label} of {head}"
        for tag, label, head in zip(tree.tags, tree.labels, heads)
    ]


if __name__ == "__main__":
    raise SystemExit(run(main, "domains"))
