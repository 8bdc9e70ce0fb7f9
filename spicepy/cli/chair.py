"""`spicepy chair`: objects in captions that the pictures do not show."""

from spicepy.cli import _console as console
from spicepy.cli import _options as options
from spicepy.cli._annotations import (
    GroundedOptions,
    Variant,
    VariantOption,
)
from spicepy.cli._options import with_option_groups
from spicepy.cli._results import StudyOutput, check_outputs, csv_files, report


@with_option_groups
def chair_command(
    *,
    grounded: GroundedOptions,
    variant: VariantOption = Variant.clean,
    output: StudyOutput = None,
    quiet: options.Quiet = False,
) -> None:
    """Measure hallucinated objects against annotations (CHAIR).

    An object is hallucinated if neither the annotations of the image nor its reference
    captions have it. CAPTIONS are COCO results, JSON lists or lines with image_id and
    caption; an image may be named by its file name, and have several captions.

    The variants find the objects that captions name: `pattern` as Rohrbach's script and
    its ports do, `nltk` as OPERA's script and its copies, with their faults, so that
    figures of papers can be compared; `clean` by spicepy's parser. The signature names
    the variant.

    A .json file holds every caption and all sums. A .csv file holds one row per
    caption; x-classes and x-sentences are written beside x.csv. A page or an .svg draws
    the share of hallucinated objects by sentence.

    Example: spicepy chair captions.json --instances instances_val2014.json
    --references captions_val2014.json --variant nltk --output chair.json
    """
    from spicepy.objects.chair import Chair
    from spicepy.objects.chair_results import measure_chair
    from spicepy.objects.readers import load_reader
    from spicepy.reporting.annotated import PICTURES

    further = ("classes", "sentences")
    paths = check_outputs(output, grounded.files(), PICTURES, further)
    reader = load_reader(
        variant.value, grounded.vocabulary, jobs=grounded.jobs, cache=grounded.cache
    )
    with console.progress_bar(quiet=quiet):
        read = grounded.read()
        metric = Chair(read.instances, reader)
        result = measure_chair(read.captions, metric, read.references)
    if variant is Variant.clean and not quiet:
        console.warn(
            "the variant clean finds objects by spicepy's parser; figures of papers "
            "are those of --variant pattern or nltk"
        )
    report(result, paths, quiet=quiet, forms={**PICTURES, ".csv": csv_files})
