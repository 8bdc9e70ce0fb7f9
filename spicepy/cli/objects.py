"""`spicepy chair`, `count` and `pope`: captions and answers against annotations."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from spicepy.cli import _console as console
from spicepy.cli import _options as options
from spicepy.cli._results import Output, StudyOutput, check_outputs, report
from spicepy.common.errors import counted

if TYPE_CHECKING:
    from spicepy.captions.sample import ImageId
    from spicepy.objects.instances import ImageCaption, Instances


Variant = Literal["clean", "pattern", "nltk"]
Captions = Annotated[
    str, typer.Argument(metavar="CAPTIONS", help="Captions with image_id and caption.")
]


Grounded = tuple["list[ImageCaption]", "Instances", "Mapping[ImageId, tuple[str, ...]]"]
"""Captions with the annotations and references of their images."""


@dataclass(frozen=True)
class GroundedOptions:
    """Options of measuring captions against annotated objects."""

    captions: Captions
    instances: Annotated[
        list[str],
        typer.Option(
            metavar="FILE...", help=f"{options.ANNOTATED}; one file or several."
        ),
    ]
    references: Annotated[
        list[str] | None,
        "Reference captions of the images (captions_val2014.json); what they name is "
        "there. One file or several.",
        {"metavar": "FILE..."},
    ] = None
    vocabulary: Annotated[
        str | None,
        "Object classes and their words, for the variant clean: coco-80, a "
        "TOML file with a table of classes, or an annotation file, whose "
        "categories get WordNet's words.",
    ] = None
    id_column: Annotated[
        str | None, "The column or key of the image ids.", {"show_default": "image_id"}
    ] = None
    candidate_column: Annotated[
        str | None, "The column or key of the captions.", {"show_default": "caption"}
    ] = None
    model: Annotated[
        str | None,
        "The parser, for the variant clean.",
        {"show_default": "the one of spicepy-1"},
    ] = None
    jobs: options.Jobs = 1
    cache: options.Cache = None

    def files(self) -> list[str | None]:
        """Return the files that the options name; None where there is none."""
        references = self.references or ()
        return [self.captions, *self.instances, *references, self.vocabulary]

    def read(self) -> Grounded:
        """Read the files."""
        from spicepy.captions.sample import listed
        from spicepy.objects.instances import (
            read_image_captions,
            read_image_references,
            read_instances,
            without_references,
        )

        annotated, named = read_instances(self.instances), self.references or ()
        read = read_image_captions(
            self.captions,
            annotated,
            id_key=self.id_column,
            caption_key=self.candidate_column,
        )
        if empty := [i for i, caption in read if not any(map(str.isalnum, caption))]:
            many = counted(len(empty), "caption has", "captions have")
            console.warn(f"{many} no words, and can be wrong in none ({listed(empty)})")
        known = read_image_references(named, annotated)
        if named and (missing := without_references(read, known)):
            console.warn(
                f"{counted(len(missing), 'image')} of {self.captions} without "
                f"references in {' and '.join(named)} ({listed(missing)}); only "
                "their annotations say what is there"
            )
        return read, annotated, known


def chair_command(
    *,
    grounded: GroundedOptions,
    variant: Annotated[
        Variant, "How the objects that captions name are found."
    ] = "clean",
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
    caption; x-classes and x-sentences are written next to x.csv. A page or an .svg
    draws the share of hallucinated objects by sentence.

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
        variant,
        grounded.vocabulary,
        jobs=grounded.jobs,
        cache=grounded.cache,
        model=grounded.model,
    )
    with console.progress_bar(quiet=quiet):
        captions, instances, references = grounded.read()
        result = measure_chair(captions, Chair(instances, reader), references)
    if variant == "clean" and not quiet:
        console.warn(
            "the variant clean finds objects by spicepy's parser; figures of papers "
            "are those of --variant pattern or nltk"
        )
    report(result, paths, quiet=quiet, forms=PICTURES)


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
    caption denies ("no dog") is 0 to 0. The scores are over fully annotated
    classes (tier A), and come with their coverage, since a captioner that
    never gives a number is never wrong. With --references, the numbers in the
    references are measured as well.

    Example: spicepy count captions.json --instances instances_val2014.json
    """
    from spicepy.objects.counting import Counting
    from spicepy.objects.counting_results import measure_counting
    from spicepy.objects.mentions import load_parsed_reader
    from spicepy.reporting.annotated import PICTURES

    paths = check_outputs(output, grounded.files(), PICTURES)
    reader = load_parsed_reader(
        grounded.vocabulary,
        jobs=grounded.jobs,
        cache=grounded.cache,
        model=grounded.model,
    )
    with console.progress_bar(quiet=quiet):
        captions, instances, references = grounded.read()
        result = measure_counting(captions, Counting(instances, reader), references)
    report(result, paths, quiet=quiet, forms=PICTURES)


def pope_command(
    answers: Annotated[
        str,
        typer.Argument(
            metavar="ANSWERS", help="JSON lines or a list: question_id, answer (text)."
        ),
    ],
    questions: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="QUESTIONS",
            help="JSON lines or a list: question_id, label (yes, no); a file for each "
            "split. Not needed for samples of lmms-eval.",
            show_default=False,
        ),
    ] = None,
    output: Output = None,
    quiet: options.Quiet = False,
) -> None:
    """Score answers to questions such as "Is there a dog in the image?" (POPE).

    Accuracy, precision, recall and F1 of "yes", and the share of "yes". Answers are
    read as the published script reads them: "no" if the first sentence has the word
    "no" or "not", else "yes". Without question_id, answers are in the order of the
    questions. Of several splits (random, popular, adversarial) each is shown, and the
    mean. The number of answers with neither yes nor no is reported. LLaVA's answers
    and the samples that lmms-eval logs are read as they are.

    Example: spicepy pope answers.jsonl coco_pope_random.json
    """
    from spicepy.objects.pope import measure_splits

    files = questions or []
    paths = check_outputs(output, [answers, *files])
    report(measure_splits(answers, files), paths, quiet=quiet)
