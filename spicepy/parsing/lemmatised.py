"""Trees with lemmas, which all users of a model share.

In: the words of sentences and a model. Out: a tree with lemmas for each.
"""

from collections.abc import Sequence

from spicepy.common.words.lemmas import lemmatize
from spicepy.parsing.bundled.analyser import Analyser
from spicepy.parsing.list_repairs import repair_lists
from spicepy.parsing.punctuation import as_read, places_read, with_punctuation
from spicepy.parsing.trees import Annotations, Parse


def parse_words(analyser: Analyser, sentences: Sequence[list[str]]) -> list[Parse]:
    """Parse sentences; marks that the model does not read hang on the root."""
    places = [places_read(words, analyser.reads_commas) for words in sentences]
    annotations = analyser.analyse(list(map(as_read, sentences, places)))
    whole = map(with_punctuation, sentences, places, annotations)
    if analyser.reads_commas:
        whole = map(repair_lists, sentences, whole)
    return list(map(with_lemmas, sentences, whole))


def with_lemmas(words: Sequence[str], analysis: Annotations) -> Parse:
    """Add the lemmas of words with the tags that they have."""
    tags, heads, labels = analysis
    lemmas = tuple(map(lemmatize, words, tags))
    return Parse(tuple(words), tags, lemmas, heads, labels)
