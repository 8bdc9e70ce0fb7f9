"""A grammar small enough to follow by hand, as arrays and as the original's file."""

import gzip
from dataclasses import dataclass, field

import numpy as np
from java_writer import LEXPARSER, Java, Writer, array_list, counter, hash_map, index

from spicepy.parsing.exact.pcfg import Pcfg, SeenCounts

STATES = (
    "ROOT", ".$$.", "S", "NP^S", "NP^VP", "VP", "PP", "@NP| NP_", "@VP| VBZ_",
    "DT^NP", "NN^NP", "VBZ^VP", "IN^PP",
)  # fmt: skip
TAGS = (".$$.", "DT^NP", "NN^NP", "VBZ^VP", "IN^PP")
WORDS = ("a", "dog", "man", "sees", "in", "colour", "UNK-LCs", "UNK-LC")
BINARY = (
    ("ROOT", "S", ".$$.", -0.0),
    ("ROOT", "NP^S", ".$$.", -2.5),
    ("S", "NP^S", "VP", -0.25),
    ("NP^S", "DT^NP", "NN^NP", -0.5),
    ("NP^S", "@NP| NP_", "PP", -1.5),
    ("NP^VP", "DT^NP", "NN^NP", -0.75),
    ("NP^VP", "@NP| NP_", "PP", -1.0),
    ("@VP| VBZ_", "VBZ^VP", "NP^VP", -0.5),
    ("VP", "@VP| VBZ_", "PP", -1.0),
    ("PP", "IN^PP", "NP^VP", -0.25),
)
UNARY = (
    ("VP", "@VP| VBZ_", -0.5),
    ("@NP| NP_", "NP^VP", -0.25),
    ("NP^S", "NN^NP", -3.0),
    ("NP^VP", "NN^NP", -2.0),
)
SEEN = {
    ("a", "DT^NP"): 300.0,
    ("dog", "NN^NP"): 120.0,
    ("man", "NN^NP"): 150.0,
    ("sees", "VBZ^VP"): 110.0,
    ("sees", "NN^NP"): 10.0,
    ("in", "IN^PP"): 200.0,
    ("colour", "NN^NP"): 4.0,
}
UNSEEN = {
    ("UNK-LCs", "VBZ^VP"): 60.0,
    ("UNK-LCs", "NN^NP"): 30.0,
    ("UNK-LC", "NN^NP"): 70.0,
}


@dataclass
class Toy:
    """What a toy model consists of."""

    binary: tuple[tuple[str, str, str, float], ...] = BINARY
    unary: tuple[tuple[str, str, float], ...] = UNARY
    seen: dict[tuple[str, str], float] = field(default_factory=lambda: dict(SEEN))
    unseen: dict[tuple[str, str], float] = field(default_factory=lambda: dict(UNSEEN))


def counts(pairs: dict[tuple[str, str], float]) -> dict[tuple[int, int], float]:
    """Return counts by number, -1 for any, with all their sums."""
    found: dict[tuple[int, int], float] = {}
    for (word, tag), count in pairs.items():
        for w in (WORDS.index(word), -1):
            for t in (TAGS.index(tag), -1):
                found[w, t] = found.get((w, t), 0.0) + count
    return found


def grammar(toy: Toy | None = None) -> Pcfg:
    """Return the toy as arrays."""
    toy = toy or Toy()
    number = STATES.index
    return Pcfg(
        STATES,
        TAGS,
        WORDS,
        *(np.array([number(r[n]) for r in toy.binary], np.intp) for n in range(3)),
        np.array([r[3] for r in toy.binary], np.float32),
        *(np.array([number(r[n]) for r in toy.unary], np.intp) for n in range(2)),
        np.array([r[2] for r in toy.unary], np.float32),
        _counts(toy.seen),
        _counts(toy.unseen),
    )


def _counts(pairs: dict[tuple[str, str], float]) -> SeenCounts:
    rows = sorted(counts(pairs).items())
    return SeenCounts(
        np.array([word for (word, _), _ in rows], np.intp),
        np.array([tag for (_, tag), _ in rows], np.intp),
        np.array([count for _, count in rows], np.float64),
    )


def stream(toy: Toy | None = None) -> bytes:
    """Return the toy as serialised objects, as in the original's file, unpacked."""
    toy = toy or Toy()
    number = STATES.index
    binary = [
        Java(
            LEXPARSER + "BinaryRule",
            {
                "leftChild": ("I", number(left)),
                "parent": ("I", number(parent)),
                "rightChild": ("I", number(right)),
                "score": ("F", score),
            },
        )
        for parent, left, right, score in toy.binary
    ]
    unary = [
        Java(
            LEXPARSER + "UnaryRule",
            {
                "child": ("I", number(below)),
                "parent": ("I", number(above)),
                "score": ("F", score),
            },
        )
        for above, below, score in toy.unary
    ]
    unknown = Java(
        LEXPARSER + "EnglishUnknownWordModel",
        {"unSeenCounter": ("Lc;", counter(counts(toy.unseen)))},
    )
    lexicon = Java(
        LEXPARSER + "BaseLexicon",
        {
            "smoothInUnknownsThreshold": ("I", 100),
            "seenCounter": ("Lc;", counter(counts(toy.seen))),
            "smooth": ("[D", [1.0, 0.2]),
            "uwModel": ("Lu;", unknown),
        },
    )
    writer = Writer()
    writer.value(
        Java(
            LEXPARSER + "LexicalizedParser",
            {
                "bg": (
                    "Lb;",
                    Java(
                        LEXPARSER + "BinaryGrammar",
                        {"allRules": ("Ll;", array_list(binary))},
                    ),
                ),
                "dg": ("Ld;", None),
                "lex": ("Ll;", lexicon),
                "stateIndex": ("Li;", index(STATES)),
                "tagIndex": ("Li;", index(TAGS)),
                "ug": (
                    "Lu;",
                    Java(
                        LEXPARSER + "UnaryGrammar",
                        {"coreRules": ("Lm;", hash_map([(r, r) for r in unary]))},
                    ),
                ),
                "wordIndex": ("Li;", index(WORDS)),
            },
        )
    )
    return bytes(writer.out)


def model_file(toy: Toy | None = None) -> bytes:
    """Return the toy as the original's file is: packed."""
    return gzip.compress(stream(toy), mtime=0)
