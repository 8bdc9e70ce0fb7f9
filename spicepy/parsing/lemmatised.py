"""Trees with lemmas, which all users of a model share.

In: the words of sentences and a model. Out: a tree with lemmas for each.
"""

from collections.abc import Sequence

from spicepy.common.words.lemmas import lemmatize
from spicepy.parsing.bundled.analyser import Analyser
from spicepy.parsing.punctuation import with_punctuation, without_punctuation
from spicepy.parsing.trees import Annotations, Parse


def parse_words(analyser: Analyser, sentences: Sequence[list[str]]) -> list[Parse]:
    """Parse sentences; punctuation marks hang on the root."""
    annotations = analyser.analyse([without_punctuation(words) for words in sentences])
    return [
        with_lemmas(words, with_punctuation(words, analysis))
        for words, analysis in zip(sentences, annotations, strict=True)
    ]


def with_lemmas(words: Sequence[str], analysis: Annotations) -> Parse:
    """Add the lemmas of words with the tags that they have."""
    tags, heads, labels = analysis
    lemmas = tuple(map(lemmatize, words, tags))
    return Parse(tuple(words), tags, lemmas, heads, labels)
