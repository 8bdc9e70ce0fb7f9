"""The classes of errors: differences between graphs and those that people drew.

Usage: python -m benchmarks.accuracy.truth_errors [--model NAME] [--grammar NAME]
       [--data factual|train] [--captions N] [--show N] [--shared DIR]

Prints a Markdown table: for each class how many tuples and captions it concerns, and
an estimate of whose choice it is. `--show N` prints N examples of each class (captions
of a public data set: never commit them).
"""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from benchmarks.accuracy.truth import DATA, propose_all
from benchmarks.figures import run, table
from benchmarks.java_oracle import shared_parser
from spicepy.graph.concepts import ConceptLexicon
from spicepy.rules.loading import load_grammar
from spicepy.words.wordnet import load_synonyms
from training.parser.people_graphs import Drawn, read_graphs

CLASSES = {
    "object: another part of its name": "both: stop sign or sign, computer or desk",
    "object: no word of the caption": "annotation (guy is person), spelling",
    "object: missed": "parser: a noun taken for a verb, or no object of its own",
    "object: too much": "annotation (guy, color), spelling, parser",
    "attribute: number not said": "annotation: eyes are 2",
    "attribute: number left out": "annotation: one, the number 4",
    "attribute: missed": "both: folded on, taking photo, inside a name",
    "attribute: too much": "parser, and wordings (bright red)",
    "relation: an end is missing": "follows from the objects",
    "relation: other words": "annotation: sit on or on, clean or wash, at or on",
    "relation: turned": "annotation: X with Y or Y on X, in or has",
    "relation: not said": "annotation: what the picture shows",
    "relation: missed": "parser: where a phrase belongs",
    "relation: too much": "parser, and pronouns (his head)",
}
"""Class of a difference → its usual cause, from reading thirty of each."""

Tuples = list[tuple[str, ...]]
NUMBERS = frozenset(["two", "three", "four", "five", "six", "seven", "eight", "both"])


def main() -> int:
    """Count the classes and print the table."""
    parser = shared_parser(__doc__)
    parser.add_argument("--model")
    parser.add_argument("--grammar", default="spicepy-1")
    parser.add_argument("--data", choices=DATA, default="factual")
    parser.add_argument("--captions", type=int)
    parser.add_argument("--show", type=int, default=0)
    options = parser.parse_args()
    folder: Path = options.shared / "scene-graphs"
    drawn = read_graphs(folder / f"{DATA[options.data]}.jsonl.gz")[: options.captions]
    proposals, _ = propose_all(drawn, options.model, options.grammar, equal=False)
    distinct = load_grammar(options.grammar).distinct_words
    differ = Differences(ConceptLexicon(load_synonyms("bundled"), distinct=distinct))
    found: dict[str, list[tuple[str, str]]] = {kind: [] for kind in CLASSES}
    captions: Counter[str] = Counter()
    for made, x in zip(proposals, drawn):
        kinds = set()
        for kind, what in differ([t.members for t in made], x):
            found[kind].append((x.caption, what))
            kinds.add(kind)
        captions.update(kinds)
    columns = f"difference ({len(drawn):,} captions)", "tuples", "captions"
    columns += ("whose choice",)
    ordered = sorted(found.items(), key=lambda item: -len(item[1]))
    rows = [(k, len(cases), captions[k], CLASSES[k]) for k, cases in ordered]
    table("classes", columns, rows)
    print(f"| {' | '.join(columns)} |")
    print("|---|---|---|---|")
    for row, (_, cases) in zip(rows, ordered):
        print(f"| {' | '.join(map(str, row))} |")
        for caption, what in cases[: options.show]:
            print(f"    {caption}: {what}")
    return 0


class Differences:
    """The differences of two graphs by class; words are alike as in SPICE."""

    def __init__(self, lexicon: ConceptLexicon) -> None:
        self._lexicon = lexicon

    def __call__(self, ours: Tuples, drawn: Drawn) -> Iterator[tuple[str, str]]:
        """Yield (class, tuple) for each tuple that the other side lacks."""
        theirs = list(drawn.tuples)
        words = set(drawn.caption.lower().split())
        objects, attributes = (
            [[x for x in side if len(x) == n] for side in (ours, theirs)]
            for n in (1, 2)
        )
        yield from self._objects(*objects, words)
        yield from self._attributes(*attributes, objects, words)
        yield from self._relations(ours, theirs, words)

    def _alike(self, one: str, other: str) -> bool:
        keys = self._lexicon[one].keys
        return not keys.isdisjoint(self._lexicon[other].keys)

    def _same(self, one: tuple[str, ...], other: tuple[str, ...]) -> bool:
        return len(one) == len(other) and all(map(self._alike, one, other))

    def _objects(
        self, ours: Tuples, theirs: Tuples, words: set[str]
    ) -> Iterator[tuple[str, str]]:
        for (name,) in theirs:
            if any(self._alike(name, other) for (other,) in ours):
                continue
            if any(_shares(name, other) for (other,) in ours):
                yield "object: another part of its name", name
            elif any(word[:4] == name.split()[-1][:4] for word in words):
                yield "object: missed", name
            else:
                yield "object: no word of the caption", name
        for (name,) in ours:
            if not any(
                self._alike(name, other) or _shares(name, other) for (other,) in theirs
            ):
                yield "object: too much", name

    def _attributes(
        self, ours: Tuples, theirs: Tuples, objects: list[Tuples], words: set[str]
    ) -> Iterator[tuple[str, str]]:
        """Return attributes and relations of objects that both sides have."""
        ours = [x for x in ours if self._known(x[:1], objects[1])]
        theirs = [x for x in theirs if self._known(x[:1], objects[0])]
        for one in theirs:
            if not any(self._same(one, other) for other in ours):
                number = one[1].isdigit() and not words & {*NUMBERS, one[1]}
                kind = "number not said" if number else "missed"
                yield f"attribute: {kind}", " | ".join(one)
        for one in ours:
            if not any(self._same(one, other) for other in theirs):
                kind = "number left out" if one[1].isdigit() else "too much"
                yield f"attribute: {kind}", " | ".join(one)

    def _relations(
        self, ours: Tuples, theirs: Tuples, words: set[str]
    ) -> Iterator[tuple[str, str]]:
        objects = [[x for x in side if len(x) == 1] for side in (ours, theirs)]
        sides = [[x for x in side if len(x) == 3] for side in (ours, theirs)]
        for one in sides[1]:
            if any(self._same(one, other) for other in sides[0]):
                continue
            yield f"relation: {self._kind(one, sides[0], objects[0], words)}", str(one)
        for one in sides[0]:
            known = self._known(one, objects[1])
            ends = [(x[0], x[2]) for x in sides[1]] + [(x[2], x[0]) for x in sides[1]]
            if known and not any(self._same(one[::2], other) for other in ends):
                yield "relation: too much", str(one)

    def _kind(
        self, one: tuple[str, ...], ours: Tuples, objects: Tuples, words: set[str]
    ) -> str:
        """Return the class of a relation that was drawn and is not among ours."""
        if not self._known(one, objects):
            return "an end is missing"
        if any(self._same(one[::2], other[::2]) for other in ours):
            return "other words"
        if any(self._same(one[::2], other[::-2]) for other in ours):
            return "turned"
        said = any(w[:3] == part[:3] for part in one[1].split() for w in words)
        return "missed" if said else "not said"

    def _known(self, one: tuple[str, ...], objects: Tuples) -> bool:
        return all(any(self._alike(end, x) for (x,) in objects) for end in one[::2])


def _shares(one: str, other: str) -> bool:
    """Return whether the last word of one name is in the other."""
    return one.split()[-1] in other.split() or other.split()[-1] in one.split()


if __name__ == "__main__":
    raise SystemExit(run(main, "truth_errors"))
