"""`spicepy frequencies`: CIDEr's document frequencies of a set of references."""

from pathlib import Path
from typing import Annotated

import typer

from spicepy.cli import _console as console
from spicepy.common.errors import counted


def frequencies_command(
    references: Annotated[
        str, typer.Argument(help="References: COCO annotations, or SPICE JSON.")
    ],
    output: Annotated[
        Path, typer.Option("--output", "-o", help="A .json or .json.gz file.")
    ],
    name: Annotated[
        str | None,
        typer.Option(help="Name of the set in signatures; by default the file's name."),
    ] = None,
) -> None:
    """Count in how many images' references each n-gram occurs.

    CIDEr and CIDEr-D weigh n-grams by these counts. Saved once, they let single
    captions and small sets be scored as in the large one:

        spicepy frequencies captions_train.json -o train.json.gz

        spicepy evaluate captions.json --metrics cider-d --frequencies train.json.gz
    """
    from spicepy.captions.reading import read_references
    from spicepy.captions.sample import Sample
    from spicepy.metrics.ngrams.frequencies import DocumentFrequencies, save_frequencies
    from spicepy.tokenization.samples import tokenised_samples

    console.check_files(output, (".json", ".json.gz"), references)
    read = read_references(references)
    samples = tokenised_samples([Sample(i, "", refs) for i, refs in read.items()])
    name = name or console.label(references).split(".")[0]
    sets = [
        DocumentFrequencies.of(samples, stemming=stemming, name=name)
        for stemming in (False, True)
    ]
    save_frequencies(output, *sets)
    grams = len(sets[0].as_mapping())
    console.wrote(
        f"{output}: {counted(len(samples), 'image')}, {counted(grams, 'n-gram')}"
    )
