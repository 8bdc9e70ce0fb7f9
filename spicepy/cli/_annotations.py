"""Options of the commands that measure captions against annotations, and their files.

In: the names of files. Out: captions, annotations and references, checked.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from spicepy.cli import _console as console
from spicepy.cli import _options as options
from spicepy.common.errors import counted

if TYPE_CHECKING:
    from spicepy.captions.sample import ImageId
    from spicepy.objects.captions import ImageCaption
    from spicepy.objects.instances import Instances


class Variant(StrEnum):
    """The ways to find the objects that captions name."""

    clean = "clean"
    pattern = "pattern"
    nltk = "nltk"


Captions = Annotated[
    str,
    typer.Argument(metavar="CAPTIONS", help="Captions with image_id and caption."),
]
InstancesFiles = Annotated[
    list[str],
    typer.Option(
        "--instances",
        metavar="FILE...",
        help=f"{options.ANNOTATED}; one file or several.",
    ),
]
ReferencesFiles = Annotated[
    list[str] | None,
    typer.Option(
        "--references",
        metavar="FILE...",
        help="Reference captions of the images (captions_val2014.json); what they "
        "name is there. One file or several.",
    ),
]
VariantOption = Annotated[
    Variant,
    typer.Option("--variant", help="How the objects that captions name are found."),
]
Vocabulary = Annotated[
    str | None,
    typer.Option(
        help="Object classes and their words, for the variant clean: coco-80, a TOML "
        "file with a table of classes, or an annotation file, whose categories get "
        "WordNet's words.",
        show_default="coco-80",
    ),
]
ImageIdKey = Annotated[
    str | None,
    typer.Option(
        "--image-id-key", help="The key of the image ids.", show_default="image_id"
    ),
]
CaptionKey = Annotated[
    str | None,
    typer.Option(
        "--caption-key", help="The key of the captions.", show_default="caption"
    ),
]


@dataclass(frozen=True, slots=True)
class Grounded:
    """Captions with the annotations and references of their images."""

    captions: "list[ImageCaption]"
    instances: "Instances"
    references: "Mapping[ImageId, tuple[str, ...]]"


@dataclass(frozen=True)
class GroundedOptions:
    """Options of measuring captions against annotated objects."""

    captions: Captions
    instances: InstancesFiles
    references: ReferencesFiles = None
    vocabulary: Vocabulary = None
    image_id_key: ImageIdKey = None
    caption_key: CaptionKey = None
    jobs: options.Jobs = 1
    cache: options.Cache = None

    def files(self) -> list[str | None]:
        """Return the files that the options name; None where there is none."""
        references = self.references or ()
        return [self.captions, *self.instances, *references, self.vocabulary]

    def read(self) -> Grounded:
        """Read the files.

        Raises:
            InputError: A file is wrong, or no annotation file knows an image.
        """
        from spicepy.captions.sample import listed
        from spicepy.objects.captions import (
            read_image_captions,
            read_image_references,
            without_references,
        )
        from spicepy.objects.instances import read_instances

        annotated, named = read_instances(self.instances), self.references or ()
        read = read_image_captions(
            self.captions,
            annotated,
            id_key=self.image_id_key,
            caption_key=self.caption_key,
        )
        known = read_image_references(named, annotated)
        if named and (missing := without_references(read, known)):
            console.warn(
                f"{counted(len(missing), 'image')} of {self.captions} without "
                f"references in {' and '.join(named)} ({listed(missing)}); only "
                "their annotations say what is there"
            )
        return Grounded(read, annotated, known)
