"""The trainable component of the caption parser, for `spacy train --code`.

It is trained with spaCy's loop, optimiser, averages and scores; its losses and
gradients are torch's. What it learnt is written as the files that the component
"caption_parser" of spicepy reads, and it predicts with that component's network.
"""

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import torch
from spacy import registry
from spacy.language import Language
from spacy.pipeline import TrainablePipe
from spacy.scorer import Scorer
from spacy.tokens import Doc
from spacy.training import Example
from thinc.api import ArgsKwargs, Model, PyTorchWrapper

from spicepy.common.threads import no_collector
from spicepy.parsing.bundled.analyser import Analyser, read_part
from spicepy.parsing.bundled.network import Network
from spicepy.parsing.bundled.words import affix_rows
from spicepy.parsing.spacy_models import annotate
from training.parser.convert import dense_targets
from training.parser.files import floats_of, write_part
from training.parser.network import CaptionNetwork, Dropout, arrays_of, load_arrays

UNKNOWN = 0.25
"""A word seen n times is taken for an unknown one in UNKNOWN / (UNKNOWN + n)."""

MIN_COUNT = 5
"""A word must be seen so often to be read as another."""

OTHER_TAGS = {"NN": 0.005, "JJ": 0.005, "CD": 0.001, "NNS": 0.02, "VBG": 0.02}
"""Tag -> share of other tags that a word may have and yet be read as another."""

PARTS = slice(0, 3), slice(3, 5)
"""Places of tags, heads, labels; and of how likely tags and heads should be."""

Batch = tuple[Any, ...]


@registry.batchers("spicepy.batch_by_length.v1")
def batch_by_length(
    size: int,
) -> Callable[[Iterable[Example]], Iterator[list[Example]]]:
    """Make batches of about `size` words, of captions of one length where possible."""

    def batches(examples: Iterable[Example]) -> Iterator[list[Example]]:
        waiting: dict[int, list[Example]] = {}
        for example in examples:
            length = len(example.reference)
            batch = waiting.setdefault(length, [])
            batch.append(example)
            if len(batch) * length >= size:
                yield waiting.pop(length)
        rest = [example for batch in waiting.values() for example in batch]
        random.shuffle(rest)
        words, batch = 0, []
        for example in rest:
            batch.append(example)
            words += len(example.reference)
            if words >= size:
                yield batch
                words, batch = 0, []
        if batch:
            yield batch

    return batches


@registry.architectures("spicepy.CaptionNetwork.v1")
def caption_network(width: int, depth: int, lookup: int, hidden: int) -> Model:
    """Build a model whose network is made when words, tags and labels are known."""
    sizes = {"width": width, "depth": depth, "lookup": lookup, "hidden": hidden}
    return Model("caption_network", _forward, attrs={"sizes": sizes})


def _forward(model: Model, batch: Batch, is_train: bool) -> Any:
    return model.layers[0](batch, is_train)


@Language.factory("caption_parser_trainer")
def make_trainer(nlp: Language, name: str, model: Model) -> "CaptionParserTrainer":
    """Make the trainable component."""
    return CaptionParserTrainer(nlp.vocab, model, name)


class CaptionParserTrainer(TrainablePipe):
    """Learns tags, heads and labels together."""

    def __init__(self, vocab: Any, model: Model, name: str) -> None:
        self.vocab, self.model, self.name = vocab, model, name
        self.cfg: dict[str, Any] = {}
        self.names: dict[str, Any] = {}
        self._ids: dict[str, dict[str, int]] = {}
        self._read_as: dict[str, str] = {}
        self._counts: Counter[str] = Counter()
        self._unknown = UNKNOWN
        self._numbers = np.random.Generator(np.random.SFC64(0))
        torch.set_num_threads(1)
        # Adam's moments of rows that are hardly ever used become so small that
        # processors take five times as long for them; they change nothing.
        torch.set_flush_denormal(True)

    def initialize(
        self,
        get_examples: Callable[[], Iterable[Example]],
        *,
        nlp: Any = None,
        start: str | None = None,
        stand_ins: bool = True,
        unknown: float = UNKNOWN,
    ) -> None:
        """Collect words (seen twice or more), tags and labels; make the network.

        Args:
            get_examples: All training examples.
            nlp: Not used.
            start: Folder of a network to go on from, with the words, tags and labels
                that it knows.
            stand_ins: Read words that are analysed alike as one (`find_stand_ins`).
            unknown: Takes the place of `UNKNOWN`.
        """
        self._unknown = unknown
        tagged: dict[str, Counter[str]] = {}
        tags: Counter[str] = Counter()
        labels: Counter[str] = Counter()
        for example in get_examples():
            for token in example.reference:
                tagged.setdefault(token.text, Counter())[token.tag_] += 1
                tags[token.tag_] += 1
                labels[_label(token.dep_)] += 1
        words = Counter({word: counts.total() for word, counts in tagged.items()})
        self._counts = words
        known = [word for word, count in words.most_common() if count > 1]
        self.names = {
            "words": ["", *known],
            "tags": [tag for tag, _ in tags.most_common()],
            "labels": [label for label, _ in labels.most_common()],
        }
        begun = Network(*read_part(Path(start))) if start else None
        if begun:
            for kind in ("tags", "labels"):
                if new := set(self.names[kind]).difference(begun.names[kind]):
                    raise ValueError(f"{start} does not know the {kind} {sorted(new)}")
            self.names |= {kind: begun.names[kind] for kind in self.names}
        self._ids = {
            kind: {name: place for place, name in enumerate(names)}
            for kind, names in self.names.items()
        }
        counts = [len(names) for names in self.names.values()]
        self.names["stand-ins"] = find_stand_ins(tagged) if stand_ins else {}
        self._read_as = {
            word: other
            for other, members in self.names["stand-ins"].items()
            for word in members
        }
        net = CaptionNetwork(*counts, **self.model.attrs["sizes"])
        if begun:
            load_arrays(net, floats_of(begun))
        self.model.layers.append(
            PyTorchWrapper(net, convert_inputs=_to_torch, convert_outputs=_from_torch)
        )

    @no_collector()
    def update(
        self,
        examples: Iterable[Example],
        *,
        drop: float = 0.0,
        sgd: Any = None,
        losses: dict[str, float] | None = None,
    ) -> dict[str, float]:
        """Learn from examples, those of one length together."""
        losses = {} if losses is None else losses
        groups: dict[int, list[Doc]] = {}
        for example in examples:
            groups.setdefault(len(example.reference), []).append(example.reference)
        words = sum(len(docs) * length for length, docs in groups.items())
        total = sum(
            self._learn(
                self._batch(docs, Dropout(drop, self._numbers)),
                len(docs) * length / words,
            )
            for length, docs in groups.items()
        )
        losses[self.name] = losses.get(self.name, 0.0) + total
        if sgd is not None:
            self.finish_update(sgd)
        return losses

    def predict(self, docs: Iterable[Doc]) -> Any:
        """Return tags, heads and labels of each doc, as spicepy would."""
        words = [[token.text for token in doc] for doc in docs]
        return Analyser(self.network()).parse(words)

    def set_annotations(self, docs: Iterable[Doc], scores: Any) -> None:
        """Write the predictions into the docs."""
        for doc, tree in zip(docs, scores, strict=True):
            annotate(doc, tree)

    def score(self, examples: Iterable[Example], **_: Any) -> dict[str, Any]:
        """Return tag accuracy, UAS and LAS."""
        examples = list(examples)
        return Scorer.score_token_attr(examples, "tag") | Scorer.score_deps(
            examples,
            "dep",
            getter=lambda token, _: _label(token.dep_),
            ignore_labels=(),
        )

    def network(self) -> Network:
        """Return the trained model in the form that spicepy uses."""
        arrays = arrays_of(torch_module(self.model).state_dict())
        # What is read as another word needs no vector, and zeros take no room.
        read_as = [word in self._read_as for word in self.names["words"]]
        arrays["word"] = np.where(np.array(read_as)[:, None], 0, arrays["word"])
        return Network(self.names, arrays)

    def to_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> None:
        """Write the files that spicepy's component reads."""
        made = self.network()
        write_part(Path(path), made.names, made.arrays)

    def _learn(self, batch: Batch, share: float) -> float:
        found, backprop = self.model.begin_update(batch)
        backprop(np.full_like(found, share))
        return float(found.sum() * share)

    def _batch(self, docs: list[Doc], drop: Dropout) -> Batch:
        types: dict[str, int] = {}
        read_as = self._read_as
        texts = [[read_as.get(t.text, t.text) for t in doc] for doc in docs]
        place = [[types.setdefault(w, len(types)) for w in words] for words in texts]
        rows = [self._look_up(word) for word in types]
        golds = list(map(self._gold, docs))
        hard, soft = (
            list(zip(*(gold[:3] for gold in golds))),
            zip(*(g[3:] for g in golds)),
        )
        choices = len(self._ids["tags"]), len(docs[0]) + 1
        targets = map(dense_targets, hard, soft, choices)
        given = (rows, place, *targets, *hard[1:])
        return *map(torch.as_tensor, given), drop

    def _look_up(self, word: str) -> list[int]:
        """Return the rows of a word; rare ones are unknown now and then."""
        unknown = random.random() * (self._unknown + self._counts[word]) < self._unknown
        row = 0 if unknown else self._ids["words"].get(word, 0)
        return [row, *affix_rows(word)]

    def _gold(self, doc: Doc) -> tuple[list[Any], ...]:
        if "gold" not in doc.user_data:
            soft = doc.user_data.get("soft", {"tags": [], "heads": []})
            tags, labels = self._ids["tags"], self._ids["labels"]
            doc.user_data["gold"] = (
                [tags[token.tag_] for token in doc],
                [0 if t.head.i == t.i else t.head.i + 1 for t in doc],
                [labels[_label(token.dep_)] for token in doc],
                [(n, tags[x], share) for n, x, share in soft["tags"] if x in tags],
                soft["heads"],
            )
        return doc.user_data["gold"]


def find_stand_ins(tagged: dict[str, Counter[str]]) -> dict[str, list[str]]:
    """Find words that the original's grammar cannot tell apart.

    The original is unlexicalised: it knows of a word only how likely each tag makes
    it, so words with one and the same sole tag are analysed alike (silver captions
    that differ in such a word alone: `benchmarks/accuracy/parser_errors.py`). All are
    read as the most frequent of them.

    Args:
        tagged: Word -> tag -> how often.

    Returns:
        Word -> the others that are read as if they were it.
    """
    alike: dict[str, list[str]] = {}
    for word, counts in sorted(tagged.items(), key=lambda x: (-x[1].total(), x[0])):
        tag, count = counts.most_common(1)[0]
        total = counts.total()
        if total >= MIN_COUNT and total - count <= OTHER_TAGS.get(tag, -1) * total:
            alike.setdefault(tag, []).append(word)
    return {words[0]: words[1:] for words in alike.values()}


def torch_module(model: Model) -> CaptionNetwork:
    """Return the torch module of a model."""
    return model.layers[0].shims[0]._model


def _label(label: str) -> str:
    return "root" if label == "ROOT" else label


def _to_torch(model: Model, batch: Batch, is_train: bool) -> Any:
    return ArgsKwargs(args=batch, kwargs={}), lambda _: ()


def _from_torch(model: Model, pair: Any, is_train: bool) -> Any:
    _, losses = pair

    def backward(d: np.ndarray) -> Any:
        return ArgsKwargs(
            args=((losses,),), kwargs={"grad_tensors": (torch.tensor(d),)}
        )

    return losses.detach().numpy(), backward
