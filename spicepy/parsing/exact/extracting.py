"""Extraction of the grammar from the objects of the original's model file.

Facts about the file: class `LexicalizedParser` holds the binary rules (`bg`), the unary
rules (`ug`), the words' counts (`lex`) and the names of states, tags and words.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from spicepy.common.errors import shown
from spicepy.parsing.exact.java_objects import JavaObject, read_objects
from spicepy.parsing.exact.pcfg import DamagedError, Pcfg, SeenCounts

SMOOTHING = [[1.0, 0.2], 100]
"""The smoothing constants of the known grammar (`lexicon`)."""
PACKAGE = "edu.stanford.nlp.parser.lexparser."


def extract(data: bytes) -> Pcfg:
    """Return the grammar in a stream of serialised Java objects.

    Raises:
        StreamError: The bytes are damaged or no such stream.
        DamagedError: The objects are not those of a grammar.
    """
    objects = read_objects(data)
    try:
        return _grammar(objects)
    except DamagedError:
        raise
    except (TypeError, ValueError, OverflowError) as error:
        raise DamagedError("its objects are of other types than expected") from error


def _grammar(parser: Any) -> Pcfg:
    root = _object(parser, PACKAGE + "LexicalizedParser")
    lexicon = _object(root["lex"], PACKAGE + "BaseLexicon")
    model = _object(lexicon["uwModel"], PACKAGE + "EnglishUnknownWordModel")
    if [lexicon["smooth"], lexicon["smoothInUnknownsThreshold"]] != SMOOTHING:
        raise DamagedError("its words are smoothed otherwise than those of 3.6.0")
    rules = list(_rules(_elements(_object(root["bg"])["allRules"]), "BinaryRule"))
    core = _object(root["ug"])["coreRules"]
    unary = list(_rules([rule for rule, _ in _entries(core)], "UnaryRule"))
    return Pcfg(
        _names(root["stateIndex"]),
        _names(root["tagIndex"]),
        _names(root["wordIndex"]),
        _column(rules, "parent"),
        _column(rules, "leftChild"),
        _column(rules, "rightChild"),
        _scores(rules),
        _column(unary, "parent"),
        _column(unary, "child"),
        _scores(unary),
        _counts(lexicon["seenCounter"]),
        _counts(model["unSeenCounter"]),
    )


class _Fields(dict[str, Any]):
    """Fields of an object; a missing one is reported by its name."""

    def __missing__(self, name: str) -> Any:
        raise DamagedError(f"an object in it has no field {name!r}")


def _object(value: Any, name: str = "") -> _Fields:
    if not isinstance(value, JavaObject) or (name and value.name != name):
        wanted = name.rpartition(".")[2] or "object"
        found = value.name if isinstance(value, JavaObject) else type(value).__name__
        raise DamagedError(f"it has a {shown(found, 60)} in the place of a {wanted}")
    return _Fields(value.fields)


def _elements(value: Any) -> list[Any]:
    """Return the elements of a list, which follow its size in the stream."""
    if not isinstance(value, JavaObject) or value.name != "java.util.ArrayList":
        raise DamagedError("a list in it is of another class than expected")
    return value.written[1:]


def _entries(value: Any) -> list[tuple[Any, Any]]:
    """Return keys and values of a map, which follow its sizes in the stream."""
    if not isinstance(value, JavaObject) or value.name != "java.util.HashMap":
        raise DamagedError("a map in it is of another class than expected")
    return list(zip(value.written[1::2], value.written[2::2], strict=False))


def _names(index: Any) -> tuple[str, ...]:
    names = _elements(_object(index)["objects"])
    if not all(isinstance(name, str) and "\n" not in name for name in names):
        raise DamagedError("a name in it is not text of one line")
    return tuple(names)


def _rules(rules: list[Any], name: str) -> Iterator[_Fields]:
    return (_object(rule, PACKAGE + name) for rule in rules)


def _column(rules: list[_Fields], field: str) -> Any:
    return np.array([rule[field] for rule in rules], np.int64).astype(np.intp)


def _scores(rules: list[_Fields]) -> Any:
    return np.array([rule["score"] for rule in rules], np.float32)


def _counts(counter: Any) -> SeenCounts:
    pairs = _entries(_object(counter)["map"])
    keys = [_object(key, PACKAGE + "IntTaggedWord") for key, _ in pairs]
    word = _column(keys, "word")
    tag = _column(keys, "tag")
    count = np.array([_object(value)["d"] for _, value in pairs], np.float64)
    order = np.lexsort((tag, word))
    return SeenCounts(word[order], tag[order], count[order])
