"""Statements of captions, compared with those that a large model wrote (DSG-1k).

Usage: python -m benchmarks.accuracy.questions [--graphs] [--held-out] [--errors N]
       [--shared DIR]

In: prompts of DSG-1k with propositions, human ratings of pictures of a part of them
(TIFA160) with the answers of three vision models, and facts that people drew from
answers of large models (FaithScore). Out, as the README of the data says: recall and
precision of entities, attributes and relations; the share of matched statements whose
matched parents are parents of ours; the same "in any form", whatever the category (see
`says`); Spearman's correlation of the share of questions
answered "yes" with the ratings, of all propositions and of the matched ones alone; and
the share of FaithScore's facts that the answer's statements contain.

A fifth of the prompts, by the digest of their ids, is held out: `--held-out` measures
these alone. `--graphs` takes the tuples of the scene graph for statements.
"""

import gzip
import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from scipy.stats import spearmanr

from benchmarks.figures import figure, run
from benchmarks.java_oracle import shared_parser
from spicepy.asking.questioning import questions
from spicepy.pipeline import Pipeline
from spicepy.words.morphology import lemmatize
from spicepy.words.wordnet import load_hierarchy

HELD_OUT: Final = 5
"""One of so many prompts is held out."""
ARTICLES: Final = ("a", "an", "the")
MODELS: Final = ("mplug", "instructblip", "pali17b")
CATEGORIES: Final = ("entity", "attribute", "relation")


@dataclass(frozen=True)
class Stated:
    """One statement of ours: its tuple, and the ids of it and its parents."""

    id: int
    category: str
    members: tuple[str, ...]
    parents: tuple[int, ...] = ()


def main() -> int:
    """Print all figures."""
    parser = shared_parser(__doc__)
    parser.add_argument("--graphs", action="store_true", help="tuples of the graph")
    parser.add_argument("--held-out", action="store_true", help="the other fifth")
    parser.add_argument("--errors", type=int, default=0)
    options = parser.parse_args()
    folder = options.shared / "questions"
    prompts = [
        row
        for row in read(folder / "dsg.jsonl.gz")
        if held_out(row["id"]) == options.held_out
    ]
    make = tuples_of_graphs if options.graphs else statements
    stated = dict(zip((p["id"] for p in prompts), make([p["text"] for p in prompts])))
    counts: Counter[str] = Counter()
    for prompt in prompts:
        counts += compare(prompt["propositions"], stated[prompt["id"]])
    print(f"{len(prompts)} prompts, {sum(map(len, stated.values())):,} statements")
    for category in CATEGORIES:
        recall = counts[f"{category} found"] / counts[f"{category} asked"]
        precision = counts[f"{category} right"] / counts[f"{category} stated"]
        print(f"{category:12} recall {recall:.3f}  precision {precision:.3f}")
        figure(f"{category}.recall", recall, 3)
        figure(f"{category}.precision", precision, 3)
        meant = counts[f"{category} meant"] / counts[f"{category} asked"]
        ours = counts[f"{category} meaning"] / counts[f"{category} stated"]
        print(f"{'':12} in any form {meant:.3f}  {ours:.3f}")
        figure(f"{category}.recall.any", meant, 3)
        figure(f"{category}.precision.any", ours, 3)
    parents = counts["parents right"] / max(1, counts["parents"])
    print(f"{'parents':12} {parents:.3f} of {counts['parents']:,}")
    figure("parents", parents, 3)
    correlations(prompts, stated, read(folder / "tifa160.jsonl.gz"))
    if not options.graphs and not options.held_out:
        facts(options.shared / "errors" / "faithscore.jsonl.gz")
    for prompt in prompts[: options.errors]:
        show(prompt, stated[prompt["id"]])
    return 0


def read(path: Path) -> list[dict[str, Any]]:
    """Return the rows of a compressed file of JSON lines."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def held_out(name: str) -> bool:
    """Return whether a prompt is held out."""
    digest = hashlib.sha256(name.encode()).hexdigest()
    return int(digest, 16) % HELD_OUT == 0


def statements(texts: Sequence[str]) -> Iterator[list[Stated]]:
    """Yield the statements of each text."""
    for own in questions(texts):
        yield [Stated(q.id, q.category, q.tuple, q.parents) for q in own]


def tuples_of_graphs(texts: Sequence[str]) -> Iterator[list[Stated]]:
    """Yield the tuples of the scene graph of each text."""
    for graph in Pipeline(grammar="spicepy-1").parse(texts):
        ids = {t[0]: n for n, t in enumerate(graph.to_tuples()) if len(t) == 1}
        yield [
            Stated(n, CATEGORIES[len(t) - 1], t, tuple(ids.get(x, -1) for x in t[::2]))
            for n, t in enumerate(graph.to_tuples())
        ]


def compare(
    propositions: Sequence[Mapping[str, Any]], own: Sequence[Stated]
) -> Counter[str]:
    """Count what is found and what is right in one text."""
    counts: Counter[str] = Counter()
    pairs = matched(propositions, own)
    for proposition in propositions:
        category = proposition["category"]
        counts[f"{category} asked"] += 1
        counts[f"{category} found"] += proposition["id"] in pairs
        counts[f"{category} meant"] += any(says(proposition, x) for x in own)
    for statement in own:
        counts[f"{statement.category} stated"] += 1
        right = any(fits(x, statement) for x in propositions)
        counts[f"{statement.category} right"] += right
        meant = right or any(says(x, statement) for x in propositions)
        counts[f"{statement.category} meaning"] += meant
    by_id = {statement.id: statement for statement in own}
    for proposition in propositions:
        for statement in pairs.get(proposition["id"], ())[:1]:
            for parent in proposition["parents"]:
                ours = {other.id for other in pairs.get(parent, ())}
                if ours and statement.category != "entity":
                    counts["parents"] += 1
                    above = ancestors(statement, by_id)
                    counts["parents right"] += not ours.isdisjoint(above)
    return counts


def matched(
    propositions: Iterable[Mapping[str, Any]], own: Sequence[Stated]
) -> dict[int, list[Stated]]:
    """Return the statements that fit each proposition, of the same kind."""
    pairs = {}
    for proposition in propositions:
        fit = [x for x in own if fits(proposition, x)]
        if fit:
            pairs[proposition["id"]] = fit
    return pairs


def ancestors(statement: Stated, by_id: Mapping[int, Stated]) -> set[int]:
    """Return the ids of a statement's parents, their parents and so on."""
    above: set[int] = set()
    pending = list(statement.parents)
    while pending:
        number = pending.pop()
        if number not in above and number in by_id:
            above.add(number)
            pending += by_id[number].parents
    return above


def fits(proposition: Mapping[str, Any], own: Stated) -> bool:
    """Return whether a statement says what a proposition says."""
    category, arguments = proposition["category"], proposition["arguments"]
    if not arguments:
        return False
    if category == "entity":
        return own.category == "entity" and ends_alike(own.members[0], arguments[0])
    if category == "relation":
        if own.category != "relation" or len(arguments) < 3:
            return False
        subject, target = own.members[::2]
        return ends_alike(subject, arguments[0]) and ends_alike(target, arguments[1])
    if own.category not in ("attribute", "other", "global"):
        return False
    if category == "global" or len(arguments) < 2:
        return contain(own.members[-1], arguments[-1])
    if own.category == "global" or not ends_alike(own.members[0], arguments[0]):
        return False
    return contain(own.members[-1], arguments[-1])


def says(proposition: Mapping[str, Any], own: Stated) -> bool:
    """Return whether a statement says a proposition, as whatever category.

    "The arm is across the chest" may be an attribute or a relation, what somebody does
    alone a relation or an attribute, a style that of the picture or of a thing in it,
    and a relation may be told from its other end: below and above.
    """
    if fits(proposition, own):
        return True
    category, arguments = proposition["category"], proposition["arguments"]
    if category == "entity" or own.category == "entity" or len(arguments) < 2:
        return False
    if own.category == "relation" and category == "relation" and len(arguments) > 2:
        subject, target = own.members[::2]
        return ends_alike(subject, arguments[1]) and ends_alike(target, arguments[0])
    about = own.category == "global" or ends_alike(own.members[0], arguments[0])
    placed = category == "relation" and len(arguments) > 2
    wanted = f"{arguments[2]} {arguments[1]}" if placed else arguments[-1]
    ours = " ".join(own.members[own.category != "global" :])
    if own.category == "global" and category == "relation":
        return False
    return about and contain(*(stems(text) for text in (ours, wanted)))


def stems(text: str) -> str:
    """Return a text with the lemmas of its verbs: looking up, look up."""
    return " ".join(lemmatize(word, "VBG") for word in text.lower().split())


def ends_alike(one: str, other: str) -> bool:
    """Return whether two names have the same last word."""
    return lemmas(one)[-1:] == lemmas(other)[-1:]


def contain(one: str, other: str) -> bool:
    """Return whether one of two values contains the other."""
    a, b = " ".join(lemmas(one)), " ".join(lemmas(other))
    return bool(a and b) and (a in b or b in a)


def lemmas(text: str) -> list[str]:
    """Return the words of a name in lower case, as lemmas, without articles."""
    words = text.lower().replace('"', "").replace("==", "").split()
    return [lemmatize(word, "NNS") for word in words if word not in ARTICLES]


def correlations(
    prompts: Iterable[Mapping[str, Any]],
    stated: Mapping[str, Sequence[Stated]],
    pictures: Iterable[Mapping[str, Any]],
) -> None:
    """Print Spearman's ρ of shares of "yes" with ratings, all and matched questions."""
    known = {p["id"]: p["propositions"] for p in prompts}
    own = [p for p in pictures if p["id"] in known]
    for model in MODELS:
        everything, ours = [], []
        answered = [picture for picture in own if model in picture["answers"]]
        likert = [picture["likert"] for picture in answered]
        for picture in answered:
            propositions = known[picture["id"]]
            answers = picture["answers"][model]
            found = matched(propositions, stated[picture["id"]])
            everything.append(share(propositions, answers, None))
            ours.append(share(propositions, answers, set(found)))
        both = [float(spearmanr(x, likert).statistic) for x in (everything, ours)]
        print(
            f"{model:12} ρ {both[0]:.3f}  matched alone {both[1]:.3f}"
            f"  ({len(answered)} pictures)"
        )
        figure(f"{model}.all", both[0], 3)
        figure(f"{model}.matched", both[1], 3)


def share(
    propositions: Sequence[Mapping[str, Any]],
    answers: Mapping[str, str],
    kept: set[int] | None,
) -> float:
    """Return the share of questions answered "yes", a child of a "no" counting as no.

    Args:
        propositions: All propositions of a prompt.
        answers: Id of a question → answer.
        kept: The ids of the questions that count; all if None.
    """
    yes: dict[int, bool] = {}
    for proposition in propositions:
        number = proposition["id"]
        if kept is not None and number not in kept:
            continue
        own = answers.get(str(number), "no").strip().lower() == "yes"
        yes[number] = own and all(
            yes.get(parent, True) for parent in proposition["parents"]
        )
    return sum(yes.values()) / len(yes) if yes else 0.0


def facts(path: Path) -> None:
    """Print the share of FaithScore's facts that the answer's statements contain."""
    rows = read(path)
    answers = statements([row["candidate"] for row in rows])
    given = [(own, fact) for own, row in zip(answers, rows) for fact in row["facts"]]
    found = whole = number = 0
    for (answer, _), fact in zip(given, statements([fact for _, fact in given])):
        kept = [any(same(x, y) for y in answer) for x in fact]
        found, number = found + sum(kept), number + len(kept)
        whole += bool(kept) and all(kept)
    print(f"facts {whole / len(given):.3f}, their statements {found / number:.3f}")
    figure("facts", whole / len(given), 3)
    figure("facts.statements", found / number, 3)


def same(one: Stated, other: Stated) -> bool:
    """Return whether the second statement says what the first one says, or more.

    Who says that there is a man says that there is a person.
    """
    if one.category != other.category:
        return False
    if one.category == "relation":
        return all(is_kind(b, a) for a, b in zip(one.members[::2], other.members[::2]))
    if not is_kind(other.members[0], one.members[0]):
        return False
    return one.category == "entity" or contain(one.members[-1], other.members[-1])


def is_kind(name: str, general: str) -> bool:
    """Return whether a name's last word is, or is a kind of, that of another."""
    if ends_alike(name, general):
        return True
    hierarchy = load_hierarchy()
    one, other = (lemmas(text)[-1:] for text in (name, general))
    if not one or not other:
        return False
    if other[0] in ("someone", "somebody", "people"):
        other = ["person"]
    if one[0] in ("people", "someone"):
        one = ["person"]
    wanted = set(hierarchy.synsets(other[0])[:2])
    return one == other or any(
        not wanted.isdisjoint(hierarchy.above(synset))
        for synset in hierarchy.synsets(one[0])[:2]
    )


def show(prompt: Mapping[str, Any], own: Sequence[Stated]) -> None:
    """Print what is missed and what is too much in one text."""
    propositions = prompt["propositions"]
    pairs = matched(propositions, own)
    missed = [
        f"{p['category'][0]}{p['arguments']}"
        for p in propositions
        if p["id"] not in pairs
    ]
    extra = [
        f"{x.category[0]}({', '.join(x.members)})"
        for x in own
        if not any(fits(p, x) for p in propositions)
    ]
    print(f"# {prompt['id']}: {prompt['text']}")
    print(f"    missed {' '.join(missed)}\n    extra  {' '.join(extra)}")


if __name__ == "__main__":
    raise SystemExit(run(main, "questions"))
