"""`spicepy chair`: objects in captions that the pictures do not show."""

from typing import TYPE_CHECKING

from spicepy.cli import _console as console
from spicepy.cli import _options as options
from spicepy.cli._annotations import (
    CaptionKey,
    Captions,
    ImageIdKey,
    InstancesFiles,
    ReferencesFiles,
    SeveralFiles,
    Variant,
    VariantOption,
    Vocabulary,
    read_grounded,
)
from spicepy.cli._results import StudyOutput, check_outputs, report
from spicepy.common.tables import render

if TYPE_CHECKING:
    from spicepy.grounding.chair import ChairResult

COMMAND = SeveralFiles


def chair_command(
    captions: Captions,
    instances: InstancesFiles,
    references: ReferencesFiles = None,
    variant: VariantOption = Variant.clean,
    vocabulary: Vocabulary = None,
    image_id_key: ImageIdKey = None,
    caption_key: CaptionKey = None,
    jobs: options.Jobs = 1,
    cache: options.Cache = None,
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

    A .json file holds every caption and all sums. A .csv file holds a row a caption;
    x-classes and x-sentences are written beside x.csv. A page or an .svg draws the
    share of hallucinated objects by sentence.

    Example: spicepy chair captions.json --instances instances_val2014.json
    --references captions_val2014.json --variant nltk --output chair.json
    """
    from spicepy.annotations.readers import load_reader
    from spicepy.grounding.chair import measure_chair
    from spicepy.metrics.chair import Chair
    from spicepy.reporting.annotated import PICTURES

    inputs = [captions, *instances, *(references or ()), vocabulary]
    paths = check_outputs(output, inputs, PICTURES, ("classes", "sentences"))
    reader = load_reader(variant.value, vocabulary, jobs=jobs, cache=cache)
    with console.progress_bar(quiet=quiet):
        read = read_grounded(captions, instances, references, image_id_key, caption_key)
        metric = Chair(read.instances, reader=reader)
        result = measure_chair(read.captions, metric, read.references)
    report(result, paths, quiet=quiet, forms={**PICTURES, ".csv": _csv_files})


def _csv_files(result: "ChairResult") -> dict[str, str]:
    return {name: render(table, "csv") for name, table in result.rows().items()}
