"""`spicepy count`: numbers of objects in captions, compared with annotations."""

from spicepy.cli import _console as console
from spicepy.cli import _options as options
from spicepy.cli._annotations import GroundedOptions
from spicepy.cli._options import with_option_groups
from spicepy.cli._results import StudyOutput, check_outputs, report


@with_option_groups
def count_command(
    *,
    grounded: GroundedOptions,
    output: StudyOutput = None,
    quiet: options.Quiet = False,
) -> None:
    """Count against boxes: find out whether the numbers in captions are right.

    "Two dogs" is right if two dogs are annotated. "Three men" and "two red cars" are
    lower bounds, "at least two", "two or three" and vague words such as "several" are
    ranges; crowds are never counted. Each claim has a low and a high number; what a
    caption denies ("no dog") is 0 to 0. The scores are over classes of which every
    object is outlined (tier A), and come with their coverage, since a captioner that
    never gives a number is never wrong. With --references people's numbers on the same
    images are measured, too.

    Example: spicepy count captions.json --instances instances_val2014.json
    """
    from spicepy.objects.counting import Counting
    from spicepy.objects.counting_results import measure_counting
    from spicepy.objects.mentions import load_parsed_reader
    from spicepy.reporting.annotated import PICTURES

    paths = check_outputs(output, grounded.files(), PICTURES)
    reader = load_parsed_reader(
        grounded.vocabulary, jobs=grounded.jobs, cache=grounded.cache
    )
    with console.progress_bar(quiet=quiet):
        read = grounded.read()
        metric = Counting(read.instances, reader)
        result = measure_counting(read.captions, metric, read.references)
    report(result, paths, quiet=quiet, forms=PICTURES)
