"""Document frequencies by the names with which callers choose them.

In: a name, such as "corpus", or a file. Out: a table of frequencies.
"""

from pathlib import Path

from spicepy.metrics.ngrams.frequencies import DocumentFrequencies


def frequencies_of(df: str, stemming: bool = False) -> DocumentFrequencies | None:
    """Return the document frequencies that `df` names, None for "corpus".

    A name without a folder or ending is looked for as `data/NAME.p`, too, as
    self-critical training does. Pickles are read without running what is in them.

    Raises:
        InputError: There is no such file, or it holds no document frequencies.
    """
    if df == "corpus":
        return None
    beside = Path("data", f"{df}.p")
    path = beside if not Path(df).is_file() and beside.is_file() else Path(df)
    return DocumentFrequencies.load(path, stemming=stemming)
