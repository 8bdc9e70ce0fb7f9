"""`spicepy count`: numbers of objects in captions, compared with annotations."""

from spicepy.cli import _console as console
from spicepy.cli import _options as options
from spicepy.cli._annotations import (
    CaptionKey,
    Captions,
    ImageIdKey,
    InstancesFiles,
    ReferencesFiles,
    SeveralFiles,
    Vocabulary,
    read_grounded,
)
from spicepy.cli._results import StudyOutput, check_outputs, report

COMMAND = SeveralFiles


def count_command(
    captions: Captions,
    instances: InstancesFiles,
    references: ReferencesFiles = None,
    vocabulary: Vocabulary = None,
    image_id_key: ImageIdKey = None,
    caption_key: CaptionKey = None,
    jobs: options.Jobs = 1,
    cache: options.Cache = None,
    output: StudyOutput = None,
    quiet: options.Quiet = False,
) -> None:
    """Count against boxes: find out whether the numbers in captions are right.

    "Two dogs" is right if two dogs are annotated. "Three men" and "two red cars" are
    lower bounds, vague words such as "several" ranges; crowds are never counted. The
    scores are over classes of which every object is outlined (tier A), and come with
    their coverage, since a captioner that never gives a number is never wrong. With
    --references people's numbers on the same images are measured, too.

    Example: spicepy count captions.json --instances instances_val2014.json
    """
    from spicepy.annotations.parsed_mentions import load_parsed_reader
    from spicepy.grounding.counting import measure_counting
    from spicepy.metrics.counting import Counting
    from spicepy.reporting.annotated import PICTURES

    inputs = [captions, *instances, *(references or ()), vocabulary]
    paths = check_outputs(output, inputs, PICTURES)
    reader = load_parsed_reader(vocabulary, jobs=jobs, cache=cache)
    with console.progress_bar(quiet=quiet):
        read = read_grounded(captions, instances, references, image_id_key, caption_key)
        metric = Counting(read.instances, reader)
        result = measure_counting(read.captions, metric, read.references)
    report(result, paths, quiet=quiet, forms=PICTURES)
