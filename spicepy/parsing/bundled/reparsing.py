"""The grammar's tags, heads and labels of sentences with a network's scores.

In: groups of sentences with scores. Out: an analysis of each sentence: the best tree of
phrases gives its tags, heads and labels.

A phrase has a head: the word of it that depends on none of the others. For each rule
with the tags of its parts' heads, the attachments say which part has the head of the
whole ("*"), and on which part's head each other one depends, with which label ("1
nsubj"). They were read off the original's analyses (`training/grammar`); what they do
not have exactly is looked up without the tags. Some labels depend on words, or on
what else hangs on a word: these are mended at the end.
"""

from collections.abc import Sequence
from typing import Final

from spicepy.parsing.bundled.chart import Node, best_trees
from spicepy.parsing.bundled.chart_tables import CandidateChoices, open_choices
from spicepy.parsing.bundled.scores import Group
from spicepy.parsing.bundled.weights import PhraseGrammar
from spicepy.parsing.bundled.words import DEFAULT, ParserThresholds
from spicepy.parsing.trees import Annotations

HEAD: Final = "*"
AFTER_THERE: Final = " EX"
"""Marks rules of phrases that follow a "there": "is" is then no copula."""

UNKNOWN_LABEL: Final = "dep"
SUBJECTS: Final = "nsubj", "nsubjpass"
CLAUSES: Final = "ccomp", "xcomp", "advcl"


def reparse(
    groups: Sequence[Group],
    grammar: PhraseGrammar,
    tags: Sequence[str],
    thresholds: ParserThresholds = DEFAULT,
) -> list[Annotations | None]:
    """Return the grammar's analyses of the sentences of groups, one after the other.

    Args:
        groups: Sentences with the scores of a network.
        grammar: The grammar of the original's trees.
        tags: Names of the network's tags.
        thresholds: The thresholds of tags and heads that are left open.

    Returns:
        An analysis a sentence; None where the grammar has no tree among what is open.
    """
    if not groups:
        return []
    choices = CandidateChoices.joined(
        [
            open_choices(group, list(tags), thresholds.open_tag, thresholds.open_head)
            for group in groups
        ]
    )
    trees = best_trees(choices, grammar, thresholds)
    return [
        attach(tree, grammar, words) if tree else None
        for tree, words in zip(trees, choices.sentences, strict=True)
    ]


def attach(tree: Node, grammar: PhraseGrammar, words: Sequence[str]) -> Annotations:
    """Return the tags, heads (from 1, 0 for the root) and labels of a tree's words."""
    tags: list[str] = []
    heads, labels = [0] * len(words), ["root"] * len(words)
    _head_of(tree, grammar, tags, heads, labels)
    mend_labels(words, heads, labels)
    return Annotations(tuple(tags), tuple(heads), tuple(labels))


def _head_of(
    node: Node,
    grammar: PhraseGrammar,
    tags: list[str],
    heads: list[int],
    labels: list[str],
) -> int:
    """Attach all words of a phrase to each other but its head, and return that.

    Their tags are added to those of the words before.
    """
    symbol, begin, _, parts = node
    if not parts:
        tags.append(grammar.tags[symbol])
        return begin
    if len(parts) == 1:
        return _head_of(parts[0], grammar, tags, heads, labels)
    below = [_head_of(part, grammar, tags, heads, labels) for part in parts]
    there = begin > 0 and tags[begin - 1] == "EX"
    bare = [grammar.bare[part[0]] for part in parts]
    rule = key(grammar.bare[symbol], bare, [tags[word] for word in below], there)
    rule_head = grammar.attachments.get(rule) or grammar.attachments.get(
        key(grammar.bare[symbol], bare)
    )
    ways = (
        rule_head.split() if rule_head else [HEAD] + ["0", UNKNOWN_LABEL] * len(below)
    )
    return _attach(below, ways, heads, labels)


def _attach(
    words: list[int], ways: list[str], heads: list[int], labels: list[str]
) -> int:
    """Attach the heads of parts to each other; return the head of all."""
    rest, top = iter(ways), words[0]
    for word in words:
        way = next(rest)
        if way == HEAD:
            top = word
        else:
            heads[word], labels[word] = words[int(way)] + 1, next(rest)
    return top


def mend_labels(words: Sequence[str], heads: Sequence[int], labels: list[str]) -> None:
    """Correct labels that the phrases alone do not determine.

    A subject is passive if its verb has a passive auxiliary. "No" is a negation.
    Whether a clause is a complement depends on the word that it begins with; one with
    neither such a word nor a subject of its own is an open complement.
    """
    below: list[list[int]] = [[] for _ in words]
    for place, head in enumerate(heads):
        if head:
            below[head - 1].append(place)
    for place, label in enumerate(labels):
        if label in SUBJECTS:
            verb = below[heads[place] - 1]
            labels[place] = SUBJECTS[any(labels[n] == "auxpass" for n in verb)]
        elif label == "det" and words[place] == "no":
            labels[place] = "neg"
        elif label in CLAUSES:
            children = below[place]
            marks = [words[n] for n in children if labels[n] == "mark"]
            if not marks and label == "xcomp":
                subject = any(labels[n] in SUBJECTS for n in children)
                labels[place] = "ccomp" if subject else label
            elif marks and marks[0] != "to" and label != "xcomp":
                labels[place] = "ccomp" if marks[0] == "that" else "advcl"


def key(
    symbol: str, parts: list[str], tags: list[str] | None = None, there: bool = False
) -> str:
    """Return the key of a rule: with the tags of the parts' heads, or without."""
    rule = f"{symbol} > {' '.join(parts)}"
    if tags is None:
        return rule
    return f"{rule} | {' '.join(tags)}{AFTER_THERE if there else ''}"
