"""`spicepy questions` and `verify`: statements of captions, put to a vision model."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from spicepy.captions.sample import ImageId, Sample
from spicepy.cli import _console as console
from spicepy.cli import _options as options
from spicepy.cli._results import Output, check_outputs, named_files, parted, report
from spicepy.common.errors import InputError, counted, unknown
from spicepy.common.files import unpacked_name
from spicepy.common.settings import SEED, check_settings
from spicepy.common.writing import write_text

if TYPE_CHECKING:
    from spicepy.asking.answers import AnswerBook
    from spicepy.asking.questioning import Asked


def questions_command(
    captions: Annotated[
        str,
        typer.Argument(
            metavar="CAPTIONS",
            help="Captions or prompts: image_id, caption, as JSON, JSON lines, CSV or "
            "Parquet; or a text file (.txt) with one caption per line.",
        ),
    ],
    output: Annotated[Path | None, "Write there instead."] = None,
    references: Annotated[
        str | None,
        "A file with references: ask also what they say and the captions do "
        "not, how many there are of what they count, and about a thing of another "
        "image; for `spicepy diagnose --answers`.",
    ] = None,
    format: Annotated[
        str,
        "jsonl (our own), dsg (DSG's CSV), tifa (TIFA's JSON) or pope (POPE's "
        "JSON lines).",
    ] = "jsonl",
    cache: options.Cache = None,
    quiet: options.Quiet = False,
) -> None:
    """Put what captions say as yes / no questions about the picture.

    Things and parts, numbers, attributes, relations, what is written and what is
    denied, each once: "Are there two dogs?", "Is the man wearing a hat?". A question
    has the ids of its parents, its category, its tuple, the piece of the caption that
    it comes from and the expected answer. Nothing is downloaded, and the same captions
    give the same questions.

    Examples:

        spicepy questions captions.json -o questions.jsonl

        spicepy questions prompts.txt --format dsg -o questions.csv

        spicepy questions results.json -r captions_val.json -o questions.jsonl
    """
    from spicepy.asking.questioning import ENDINGS, FORMATS, written

    if format not in FORMATS:
        raise unknown("format", format, FORMATS)
    ending = "" if output is None else Path(unpacked_name(output)).suffix.lower()
    if ending in _OTHER_FILES and ending not in ENDINGS[format]:
        raise InputError(
            f"{output}: a {ending} file cannot hold --format {format}; give a name "
            f"that ends in {' or '.join(ENDINGS[format])}"
        )
    console.check_files(output, (), captions, references)
    with console.progress_bar(quiet=quiet):
        if references is None:
            asked = list(asked_of(captions, cache))
        else:
            asked = asked_beside(captions, references, cache)
        number = sum(
            q.expected == "yes" or format != "dsg" for a in asked for q in a.questions
        )
        console.warn(*_warnings(asked, format))
        if output is not None:
            write_text(output, written(asked, format))
    if output is None:
        typer.echo("".join(written(asked, format)), nl=False)
    elif not quiet:
        console.wrote(
            f"{output} ({counted(number, 'question')} about "
            f"{counted(len(asked), 'caption')})"
        )


_OTHER_FILES = (".json", ".csv", ".md", ".tex", ".xlsx", ".html", ".parquet")
"""Endings that say what is in a file: not every format of questions may have them."""


def _warnings(asked: "Sequence[Asked]", format: str) -> "Iterator[str]":
    """Yield sentences on captions that are not English, and on questions left out."""
    from spicepy.evaluation.measured import sign_sentences, signs_among
    from spicepy.tokenization.samples import tokenised_samples

    samples = [Sample(each.image_id, each.caption, (each.caption,)) for each in asked]
    signs = signs_among(samples, tokenised_samples(samples), ())
    signs["leak"] = 0  # each is its own reference here
    yield from sign_sentences(signs, ())
    if empty := [each.image_id for each in asked if not each.questions]:
        many = counted(len(empty), "caption gives", "captions give")
        yield f"{many} no question; the first: image {empty[0]!r}"
    denied = sum(q.expected == "no" for each in asked for q in each.questions)
    if denied and format == "dsg":
        yield (
            f"left out, as the right answer is no: {counted(denied, 'question')}; in "
            "DSG's files it is always yes"
        )


def read_image_captions(path: str) -> "Sequence[tuple[int | str, str]]":
    """Return the captions of a file with their image ids; lines are numbered from 1."""
    from spicepy.captions.reading import read_candidates

    return list(read_candidates(path).items())


def asked_of(path: str, cache: str | None = None) -> "Iterator[Asked]":
    """Yield the captions of a file with their questions."""
    from spicepy.asking.questioning import Asked, Questioner
    from spicepy.common.progress import advance

    read = read_image_captions(path)
    questioner = Questioner(cache)
    asked = questioner.ask(caption for _, caption in read)
    for number, ((image_id, caption), own) in enumerate(zip(read, asked), 1):
        advance("asking", number, len(read))
        yield Asked(image_id, caption, own)


def asked_beside(path: str, references: str, cache: str | None = None) -> "list[Asked]":
    """Return the questions about each image, those of the references included."""
    from spicepy.asking.questioning import Asked, Questioner
    from spicepy.asking.scenes import ask_scenes
    from spicepy.captions.reading import read_pair

    samples = read_pair(path, references)
    questioner = Questioner(cache)
    scenes = ask_scenes(samples, questioner)
    return [
        Asked(sample.image_id, sample.candidate, scene.all)
        for sample, scene in zip(samples, scenes)
    ]


@dataclass(frozen=True, kw_only=True)
class AskingOptions:
    """Options of asking a vision model: which one, and about which pictures."""

    images: Annotated[
        list[str] | None,
        "Ask now: a folder with the pictures (42.jpg), or a path such as "
        '"photos/{image_id:012d}.jpg"; NAME=FOLDER for each system that drew '
        "pictures.",
    ] = None
    vqa: Annotated[
        str | None,
        "A vision model's service that speaks the chat protocol, such as "
        "http://localhost:8000/v1. A key is taken from SPICEPY_VQA_KEY.",
        {"metavar": "URL"},
    ] = None
    vqa_model: Annotated[str | None, "The model's name there.", {"metavar": "NAME"}] = (
        None
    )
    together: Annotated[int, "Questions per request.", {"min": 1}] = 1
    parallel: Annotated[
        int, "Pictures that are asked about at the same time.", {"min": 1}
    ] = 4
    timeout: Annotated[float, "Seconds that a reply may take.", {"min": 0.1}] = 120.0
    kept_answers: Annotated[
        str | None,
        "Where answers are kept, so that none is asked for twice.",
        {"metavar": "FILE", "show_default": "answers.sqlite in the user's data"},
    ] = None

    def wanted(self) -> bool:
        """Return whether a model is asked; refuse some options without the others."""
        given = {
            "--images": self.images,
            "--vqa": self.vqa,
            "--vqa-model": self.vqa_model,
        }
        missing = [name for name, value in given.items() if not value]
        if 0 < len(missing) < len(given):
            raise InputError(
                f"to ask a vision model, {' and '.join(missing)} must be given as well"
            )
        if len(self.images or ()) > 1 and not by_system("--images", self.images):
            raise InputError("--images: give one folder, or NAME=FOLDER for each")
        return not missing

    def books(
        self, systems: "Mapping[str, Sequence[tuple[ImageId, str]]]"
    ) -> "list[AnswerBook]":
        """Return the model's answers about all captions, or about each system's."""
        if not self.images:
            return []
        own = by_system("--images", self.images)
        if not own:
            return [self._answers(chain(*systems.values()), self.images[0])]
        return [self._answers(systems[name], folder) for name, folder in own.items()]

    def _answers(
        self, captions: "Iterable[tuple[ImageId, str]]", images: str
    ) -> "AnswerBook":
        from spicepy.asking.answering import AnswerCache, answer_questions
        from spicepy.asking.pictures import find_pictures
        from spicepy.asking.questioning import shared_questioner
        from spicepy.asking.vision import ChatModel

        ids, texts = zip(*captions)
        model = str(self.vqa_model)
        with closing(AnswerCache(self.kept_answers)) as cache:
            answered = answer_questions(
                zip(ids, shared_questioner().ask(texts)),
                find_pictures(images, ids),
                ChatModel(str(self.vqa), model, self.together, self.timeout),
                model=model,
                cache=cache,
                parallel=self.parallel,
            )
        console.warn(*answered.warnings)
        return answered.book


def by_system(option: str, given: Sequence[str] | None) -> dict[str, str]:
    """Return NAME=FILE by name; nothing if no file has a name."""
    names = [name for name, _ in map(parted, given or ())]
    if any(names) and not all(names):
        raise InputError(f"{option}: give NAME=FILE for each system, or no name")
    return named_files(given or ()) if any(names) else {}


def verify_command(
    captions: Annotated[
        list[str],
        typer.Argument(
            metavar="CAPTIONS",
            help="One file per system, FILE or NAME=FILE: image_id, caption.",
        ),
    ],
    answers: Annotated[
        list[str] | None,
        typer.Option(
            help="Answers of a vision model to the questions of `spicepy questions`: "
            "image_id, question or id, answer (yes, no, a probability, text that "
            "begins with yes or no). Several files are those of several models; "
            "NAME=FILE has the answers about the pictures that the system NAME drew."
        ),
    ] = None,
    common: options.CommonToAll = False,
    samples: options.Resamples = None,
    level: options.Level = 0.95,
    seed: options.Seed = SEED,
    *,
    asking: AskingOptions,
    output: Output = None,
    quiet: options.Quiet = False,
) -> None:
    """Verify captions against pictures by a vision model's answers.

    The score of a caption is the share of its statements that hold, over all and by
    category. Shown are means over captions with intervals, and tests between systems:
    captioners, each with a file of captions, or models that drew the pictures of one
    file of prompts, each with answers or pictures under its name. As in DSG, a
    statement whose parent does not hold counts as 0, whatever its own answer. Other
    unknown answers ("maybe", "I cannot see that") and missing ones are counted and
    listed, but do not count as zeros.

    With --images, --vqa and --vqa-model the questions are put to a vision model in the
    same run. What it answered is kept at once: the same command resumes a run that was
    stopped or killed. Nothing is sent anywhere else.

    Examples:

        spicepy questions captions.json -o questions.jsonl

        spicepy verify captions.json --answers answers.jsonl

        spicepy verify prompts.txt --answers sd=sd.jsonl flux=flux.jsonl

        spicepy verify captions.json --images photos/ --vqa http://localhost:8000/v1
        --vqa-model qwen2.5-vl
    """
    from spicepy.asking.answers import AnswerBook
    from spicepy.evaluation.verification import verify

    drawn = by_system("--answers", answers) or by_system("--images", asking.images)
    if not asking.wanted() and not answers:
        raise InputError(
            "no answers: give a vision model's with --answers FILE (`spicepy "
            "questions` writes the questions), or ask one with --images, --vqa and "
            "--vqa-model"
        )
    files = named_files(captions)
    given = [file for _, file in map(parted, answers or ())]
    paths = check_outputs(output, [*files.values(), *given])
    check_settings(samples or 2, level, seed)
    if drawn:
        if len(files) > 1 or (answers and asking.images):
            raise InputError(
                "systems that drew pictures are compared on one file of prompts, by "
                "their --answers or their --images"
            )
        files = dict.fromkeys(drawn, *files.values())
    with console.progress_bar(quiet=quiet):
        systems = _captions_of(files, common=common)
        books = [*map(AnswerBook.load, given), *asking.books(systems)]
        own = dict(zip(drawn, books))
        result = verify(systems, own or books, samples=samples, level=level, seed=seed)
    console.warn(*result.warnings)
    report(result, paths, quiet=quiet)


def _captions_of(
    files: "Mapping[str, str]", *, common: bool
) -> "dict[str, Sequence[tuple[ImageId, str]]]":
    """Return the captions of each system's file, of `common` images if so wished."""
    read = {file: read_image_captions(file) for file in dict.fromkeys(files.values())}
    if common:
        ids = set.intersection(*({i for i, _ in own} for own in read.values()))
        if not ids:
            raise InputError("no image is common to all systems")
        every = read
        read = {f: [each for each in own if each[0] in ids] for f, own in every.items()}
        console.warn_of_less(every, read)
    return {name: read[file] for name, file in files.items()}
