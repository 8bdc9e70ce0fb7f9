"""The original's grammar decides where the network is not sure.

The original parser is a probabilistic grammar of tags and phrases in which a word has
nothing but scores of its tags (Klein and Manning 2003, "Accurate unlexicalized
parsing"). From its best trees and their log-probabilities, `training/` learnt the
scores of its rules and words; here they are used:

    opening        a network's scores -> the tags of each word that are left open, and
                   which words may be a phrase together
    weights        `PhraseGrammar`: the scores of rules, phrases and words
    lookup         how a rule goes on: numbers are found in a hash table
    tables         numbers in columns, and which of them belong to a span
    chart          these -> the best tree of phrases (Cocke, Younger and Kasami)
    attachments    a tree of phrases -> heads and labels

From outside it is one function, `reparse(groups, grammar)`.
"""

from spicepy.parsing.bundled.grammar.reparsing import reparse
from spicepy.parsing.bundled.grammar.weights import PhraseGrammar

__all__ = ["PhraseGrammar", "reparse"]
