"""Options of `spicepy loocv` that name lower bounds.

In: data sets and texts by their files. Out: the `spicepy.study.bounds` to score.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from spicepy.cli import _console as console

if TYPE_CHECKING:
    from spicepy.study.bounds import Bound


@dataclass(frozen=True, kw_only=True)
class LowerBounds:
    """The captions that replace the one left out."""

    lower: Annotated[
        bool,
        typer.Option(
            "--lower",
            help="Lower bounds too: a random caption of another image (of several "
            "sets, also one of the others), and gibberish from the set's words.",
        ),
    ] = False
    other: Annotated[
        list[str] | None,
        typer.Option(
            help="Lower bounds from another data set: its captions, and gibberish "
            "from its words. May be repeated."
        ),
    ] = None
    sentences: Annotated[
        list[str] | None,
        typer.Option(
            help="Lower bounds from a text, one sentence a line, or 'brown' (nltk's "
            "corpus): its sentences, and gibberish from its words. May be repeated."
        ),
    ] = None
    words: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=1000,
            help="Words of a gibberish caption.",
            show_default="set's average",
        ),
    ] = None

    def files(self) -> list[str]:
        """Return the files that the options name."""
        return [*(self.other or ()), *(self.sentences or ())]

    def own(self) -> "list[Bound]":
        """Return the bounds that a single set draws from itself, with --lower."""
        from spicepy.study.bounds import gibberish, random_caption

        return [random_caption(), gibberish(self.words)] if self.lower else []

    def given(self) -> "list[Bound]":
        """Return the bounds that other sets and texts give, read from their files."""
        from spicepy.study import bounds
        from spicepy.study.datasets import BROWN, read_dataset, read_sentences

        chosen = []
        for path in self.other or ():
            name, captions = console.label(path), read_dataset(path)
            lines = [caption for own in captions.values() for caption in own]
            chosen += [bounds.other_set(name, captions)]
            chosen += [bounds.gibberish(self.words, name, lines)]
        for path in self.sentences or ():
            name = "the Brown corpus" if path == BROWN else console.label(path)
            lines = read_sentences(path)
            chosen += [bounds.sentences(name, lines)]
            chosen += [bounds.gibberish(self.words, name, lines)]
        return chosen
