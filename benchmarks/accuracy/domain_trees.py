"""Trees annotated by hand for this project (`fixtures/domains`), as values.

In: CoNLL-U files that a linguist can edit. Out: sentences with their checked
trees and, for captions, the same sentence written badly. Every mistake in a file
is a `ValueError` that names the file and the sentence.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from benchmarks import FIXTURES
from spicepy.parsing.trees import Parse, mark_tag
from spicepy.tokenization.ptb import tokenize
from spicepy.words.morphology import lemmatize

FOLDER: Final = FIXTURES / "domains"

DOMAINS: Final = ("captions", "audio", "news", "questions", "fragments", "long")
"""The files, and the rows of the table, in this order."""

LABELS: Final = """
acl acl:relcl advcl advmod amod appos aux auxpass case cc cc:preconj ccomp
compound compound:prt conj cop csubj csubjpass dep det det:predet discourse
dobj expl iobj mark mwe neg nmod nmod:npmod nmod:poss nmod:tmod nsubj
nsubjpass nummod parataxis root xcomp
"""
"""Universal Dependencies v1 as the original's converter uses them."""

TAGS: Final = """
CC CD DT EX FW IN JJ JJR JJS LS MD NN NNS NNP NNPS PDT POS PRP PRP$ RB RBR
RBS RP SYM TO UH VB VBD VBG VBN VBP VBZ WDT WP WP$ WRB $ #
"""
"""The Penn tags of words (punctuation marks have no rows)."""

SEAM: Final = "parataxis"
"""The label between joined sentences, which is not counted."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence, its tree and its badly written variants (kind -> text)."""

    name: str
    domain: str
    text: str
    tree: Parse
    variants: dict[str, str]


def read_domain(domain: str, folder: Path = FOLDER) -> list[Sentence]:
    """Read and check the trees of one domain.

    Raises:
        ValueError: A sentence is not annotated as `fixtures/domains/README.md`
            says.
    """
    path = folder / f"{domain}.conllu"
    blocks = path.read_text(encoding="utf-8").strip().split("\n\n")
    sentences = []
    for number, block in enumerate(blocks, 1):
        try:
            sentences.append(_sentence(block))
        except ValueError as error:
            raise ValueError(f"{path.name}, sentence {number}: {error}") from None
    return sentences


def _sentence(block: str) -> Sentence:
    notes, rows = {}, []
    for line in block.split("\n"):
        if line.startswith("# "):
            key, _, value = line[2:].partition(" = ")
            notes[key] = value
        else:
            rows.append(line.split("\t"))
    missing = {"sent_id", "domain", "text"} - notes.keys()
    if missing:
        raise ValueError(f"no line '# {min(missing)} = ...'")
    name, domain, text = (notes.pop(key) for key in ("sent_id", "domain", "text"))
    if any(len(row) != 10 for row in rows):
        raise ValueError(f"{name}: a row has not ten columns, divided by tabs")
    if [row[0] for row in rows] != [str(n + 1) for n in range(len(rows))]:
        raise ValueError(f"{name}: the first column does not count 1, 2, 3 ...")
    heads = tuple(int(row[6]) for row in rows)
    columns = [tuple(row[at] for row in rows) for at in (1, 4, 2, 7)]
    words, tags, lemmas, labels = columns
    sentence = Sentence(
        name, domain, text, Parse(words, tags, lemmas, heads, labels), notes
    )
    problems = [*_tree_problems(sentence.tree), *_text_problems(sentence)]
    if problems:
        raise ValueError(f"{name}: {problems[0]}")
    return sentence


def _tree_problems(tree: Parse) -> Iterator[str]:
    if tree.heads.count(0) != 1:
        yield f"{tree.heads.count(0)} words have head 0; exactly one must"
    for place in range(1, len(tree.words) + 1):
        for problem in _word_problems(tree, place):
            yield f"word {place} ({tree.words[place - 1]}) {problem}"


def _word_problems(tree: Parse, place: int) -> Iterator[str]:
    at = place - 1
    word, tag, head, label = (
        column[at] for column in (tree.words, tree.tags, tree.heads, tree.labels)
    )
    if (head == 0) != (label == "root"):
        yield "has head 0 or the label root, but not both"
    if label not in LABELS.split():
        yield f"has the unknown label {label!r}"
    if tag not in TAGS.split():
        yield f"has the unknown tag {tag!r}"
    elif tree.lemmas[at] != lemmatize(word, tag):
        yield f"has the lemma {tree.lemmas[at]!r}, not {lemmatize(word, tag)!r}"
    above = place
    for _ in tree.words:
        if not 0 <= above <= len(tree.words):
            yield f"has the head {above}, which is not a word"
            return
        above = tree.heads[above - 1] if above else 0
    if above:
        yield "hangs on itself in the end"


def _text_problems(sentence: Sentence) -> Iterator[str]:
    words = list(sentence.tree.words)
    for kind, text in (("text", sentence.text), *sentence.variants.items()):
        found = [word for word in tokenize([text])[0].split() if is_word(word)]
        if len(found) != len(words) or (kind != "typos" and found != words):
            yield f"{kind} has the words {' '.join(found)!r}, not {' '.join(words)!r}"


def is_word(token: str) -> bool:
    """Return whether a token is a word, number or sign that is read aloud ("$")."""
    return not mark_tag(token)


def worse(sentence: Sentence) -> dict[str, str]:
    """Return the same sentence in other case and punctuation; every word is kept."""
    return {
        "upper case": sentence.text.upper(),
        "title case": sentence.text.title(),
        "no punctuation": re.sub(r"[^\w\s'-](?!\d)", "", sentence.text),
        **sentence.variants,
    }


def align(plain: Sequence[str], tree: Parse) -> Parse:
    """Put the plain words into the tree of a variant (marks stay as they are)."""
    rest = iter(plain)
    words = tuple(next(rest) if is_word(word) else word for word in tree.words)
    return replace(tree, words=words, lemmas=tuple(map(lemmatize, words, tree.tags)))


def without_marks(tree: Parse) -> Parse:
    """Return the words' part of a tree; a word that hangs on a mark gets head -1."""
    kept = [n for n, word in enumerate(tree.words, 1) if is_word(word)]
    place = {0: 0} | {old: new for new, old in enumerate(kept, 1)}
    return Parse(
        words=tuple(tree.words[n - 1] for n in kept),
        tags=tuple(tree.tags[n - 1] for n in kept),
        lemmas=tuple(tree.lemmas[n - 1] for n in kept),
        heads=tuple(place.get(tree.heads[n - 1], -1) for n in kept),
        labels=tuple(tree.labels[n - 1] for n in kept),
    )


def join(sentences: Sequence[Sentence]) -> Sentence:
    """Make one long text: later roots hang on the first, labelled `SEAM`."""
    trees = [sentence.tree for sentence in sentences]
    first = trees[0].heads.index(0) + 1
    heads: list[int] = []
    labels: list[str] = []
    for tree in trees:
        shift = len(heads)
        heads += [head + shift if head else first for head in tree.heads]
        labels += [SEAM if label == "root" else label for label in tree.labels]
    heads[first - 1], labels[first - 1] = 0, "root"
    whole = Parse(
        words=tuple(word for tree in trees for word in tree.words),
        tags=tuple(tag for tree in trees for tag in tree.tags),
        lemmas=tuple(lemma for tree in trees for lemma in tree.lemmas),
        heads=tuple(heads),
        labels=tuple(labels),
    )
    text = " ".join(sentence.text for sentence in sentences)
    return Sentence(sentences[0].name, "joined", text, whole, {})
