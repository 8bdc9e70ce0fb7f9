"""What captions deny, share and leave unsaid: sentences with their right tuples.

Usage: python -m benchmarks.accuracy.language [--errors] [--held-out] [--grammar NAME]
       [--before NAME] [--record] [--shared DIR]

`fixtures/language.tsv` has sentences of each kind with tuples that their graph must
and must not have; a part is held out: no rule was written for it, and
`--errors` shows only the others. `reports/parses.tsv` of the shared data has
others of the same kinds, and `questions/geneval.jsonl.gz` prompts that name objects,
numbers, colors and positions. A sentence is right if its graph has all of the ones and
none of the others. A tuple counts in its normal form, in its own words and in wordings
that mean the same; one that must not be there, in its normal form and with the verb of
its participle ("closed" as "close"). `--before` shows the figures of a record beside
those of today.
"""

import csv
import gzip
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from benchmarks import ROOT
from benchmarks.figures import FOLDER, figure, run, table
from benchmarks.java_oracle import shared_parser
from spicepy.pipeline import Pipeline
from spicepy.rules.normalising import normalise
from spicepy.rules.tuples import SemanticTuple
from spicepy.words.morphology import lemmatize

FIXTURE = ROOT / "fixtures" / "language.tsv"
Members = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a kind and the tuples that its graph must and must not have.

    Attributes:
        by_last_word: Things count by the last word of their names: a wine glass may be
            one name, or a glass and what kind it is.
    """

    kind: str
    text: str
    wanted: tuple[Members, ...]
    unwanted: tuple[Members, ...]
    held_out: bool = False
    by_last_word: bool = False


def main() -> int:
    """Print how many sentences of each kind are right."""
    parser = shared_parser(__doc__)
    parser.add_argument("--grammar", default="spicepy-1")
    parser.add_argument("--errors", action="store_true", help="show what is wrong")
    parser.add_argument("--before", help="a record to compare with")
    options = parser.parse_args()
    pipeline = Pipeline(grammar=options.grammar)
    own = read_sentences(FIXTURE)
    sources = {
        "own": [x for x in own if not x.held_out],
        "held out": [x for x in own if x.held_out],
        "reported": list(_if_there(options.shared / "reports/parses.tsv")),
        "GenEval": list(geneval(options.shared / "questions/geneval.jsonl.gz")),
    }
    before = _before(options.before)
    rows = []
    for source, sentences in sources.items():
        right = check(sentences, pipeline)
        if options.errors and source != "held out":
            show_errors(sentences, right, pipeline)
        for kind, (good, total) in tally(sentences, right).items():
            name = f"{source}: {kind}"
            rows.append((name, before.get(name, ""), f"{good} of {total}"))
            figure(f"{source}.{kind}", good / total, 3)
    for row in rows:
        print("{:28}{:>12}{:>12}".format(*row))
    table("kinds", ("kind", "before", "right"), rows)
    return 0


def _before(name: str | None) -> Mapping[str, str]:
    """Return the cells of an earlier record, by kind."""
    if name is None:
        return {}
    record = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    return {row[0]: row[2] for row in record["tables"]["kinds"]["rows"]}


def read_sentences(path: Path) -> list[Sentence]:
    """Read sentences from a file of tab-separated values."""
    with path.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.reader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))[1:]
    filled = (row + [""] * (5 - len(row)) for row in rows)
    return [
        Sentence(kind, text, _tuples(wanted), _tuples(unwanted), held_out == "x")
        for kind, text, wanted, unwanted, held_out in filled
    ]


def _if_there(path: Path) -> Iterable[Sentence]:
    return read_sentences(path) if path.exists() else ()


def _tuples(cell: str) -> tuple[Members, ...]:
    """Read "(dog) (dog, run)"."""
    pieces = (piece.strip(" ()").replace(" the ", " ") for piece in cell.split(") ("))
    return tuple(tuple(piece.split(", ")) for piece in pieces if piece)


def geneval(path: Path) -> Iterator[Sentence]:
    """Yield a sentence for each prompt of GenEval, its group as the kind."""
    text = gzip.decompress(path.read_bytes()).decode() if path.exists() else ""
    for row in map(json.loads, text.splitlines()):
        wanted: list[Members] = []
        names = [_singular(thing["class"]) for thing in row["include"]]
        for name, thing in zip(names, row["include"], strict=True):
            wanted.append((name,))
            if thing["count"] > 1:
                wanted.append((name, str(thing["count"])))
            if color := thing.get("color"):
                wanted.append((name, color))
            if position := thing.get("position"):
                wanted.append((name, position[0], names[position[1]]))
        yield Sentence(row["tag"], row["prompt"], tuple(wanted), (), by_last_word=True)


def check(sentences: Sequence[Sentence], pipeline: Pipeline) -> list[bool]:
    """Return for each sentence whether its graph is right."""
    texts = [pipeline.text(sentence.text) for sentence in sentences]
    proposals = pipeline.propose(texts)
    return [
        is_right(sentence, proposals[text], pipeline)
        for sentence, text in zip(sentences, texts, strict=True)
    ]


def is_right(
    sentence: Sentence, proposals: Sequence[SemanticTuple], pipeline: Pipeline
) -> bool:
    """Return whether a graph has all tuples that it must have and no wrong one."""
    printed = set(pipeline.graph([proposals]).to_tuples())
    if sentence.by_last_word:
        proposals = [*proposals, *map(_last_words, proposals)]
    made = {form for tuple_ in proposals for form in forms(tuple_)} | printed
    return not wrong_tuples(sentence, printed, pipeline) and all(
        not made.isdisjoint(_wordings(members, sentence, pipeline))
        for members in sentence.wanted
    )


def wrong_tuples(
    sentence: Sentence, printed: Iterable[tuple[str, ...]], pipeline: Pipeline
) -> list[Members]:
    """Return the tuples that a graph must not have and has, in whatever form."""
    bare = {tuple(text.replace(" the ", " ") for text in tuple_) for tuple_ in printed}
    return [
        members
        for members in sentence.unwanted
        if not bare.isdisjoint(_printed_as(members, pipeline))
    ]


def _printed_as(members: Members, pipeline: Pipeline) -> set[Members]:
    """Return how a graph may print a tuple: (eye, closed) as (eye, close)."""
    made = normalise([SemanticTuple(members)], pipeline.grammar)
    forms_ = {members, *(one.members for one in made)}
    forms_ |= {(m[0], lemmatize(m[1], "VBN")) for m in forms_ if len(m) == 2}
    return {tuple(text.replace(" the ", " ") for text in form) for form in forms_}


def _last_words(tuple_: SemanticTuple) -> SemanticTuple:
    ends = (tuple_.members[0], *tuple_.members[2:])
    first, *last = (end.rpartition(" ")[2] for end in ends)
    return replace(tuple_, members=(first, *tuple_.members[1:2], *last), written=())


def _singular(name: str) -> str:
    first, blank, last = name.rpartition(" ")
    return first + blank + lemmatize(last, "NNS")


def _wordings(members: Members, sentence: Sentence, pipeline: Pipeline) -> set[Members]:
    """Return what a tuple may be called that a graph must have."""
    wanted = [SemanticTuple(members)]
    if sentence.by_last_word:
        wanted.append(_last_words(wanted[0]))
    made = normalise(wanted, pipeline.grammar)
    return {members, *(form for one in made for form in forms(one))}


def forms(tuple_: SemanticTuple) -> Iterator[Members]:
    """Yield the wordings of a tuple, without articles: "on right side of"."""
    for members in (tuple_.members, tuple_.written or tuple_.members):
        for how in (members[1:2], *((same,) for same in tuple_.same)):
            middle = (text.replace(" the ", " ") for text in how)
            yield (members[0], *middle, *members[2:])
        if len(members) == 2:
            yield members[0], lemmatize(members[1], "VBN")


def tally(
    sentences: Sequence[Sentence], right: Sequence[bool]
) -> dict[str, tuple[int, int]]:
    """Return how many sentences of each kind, and at last of all, are right."""
    counts: dict[str, tuple[int, int]] = {}
    for sentence, good in zip(sentences, right, strict=True):
        for kind in (sentence.kind, "all"):
            known, total = counts.get(kind, (0, 0))
            counts[kind] = known + good, total + 1
    return dict(sorted(counts.items(), key=lambda item: (item[0] == "all", item[0])))


def show_errors(
    sentences: Sequence[Sentence], right: Sequence[bool], pipeline: Pipeline
) -> None:
    """Print each sentence with a wrong graph, what is wrong with it, and the graph."""
    for sentence, good in zip(sentences, right, strict=True):
        if not good:
            [graph] = pipeline.parse([sentence.text])
            made: Any = {" ".join(map(str, t)) for t in graph.to_tuples()}
            extra = wrong_tuples(sentence, graph.to_tuples(), pipeline)
            lacks = [t for t in sentence.wanted if " ".join(t) not in made]
            print(f"{sentence.kind}: {sentence.text}\n    {graph}")
            print(f"    lacks {lacks or 'nothing'}, has wrongly {extra or 'nothing'}")


if __name__ == "__main__":
    raise SystemExit(run(main, "language"))
