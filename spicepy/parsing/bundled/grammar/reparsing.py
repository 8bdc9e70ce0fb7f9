"""The grammar's tags, heads and labels of sentences with a network's scores.

In: groups of sentences with scores. Out: an analysis of each sentence.
"""

from collections.abc import Sequence

from spicepy.parsing.bundled.grammar.attachments import attach
from spicepy.parsing.bundled.grammar.chart import best_trees
from spicepy.parsing.bundled.grammar.opening import Open, open_choices
from spicepy.parsing.bundled.grammar.weights import PhraseGrammar
from spicepy.parsing.bundled.groups import Group
from spicepy.parsing.bundled.thresholds import DEFAULT, ParserThresholds
from spicepy.parsing.trees import Annotations


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
    choices = Open.joined(
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
