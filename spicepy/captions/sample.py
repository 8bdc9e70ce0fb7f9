"""Samples, which every metric scores, and the checks that they pass first."""

import warnings
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from numbers import Integral
from typing import Any

from spicepy.common.errors import InputError, SpicepyWarning, brief, counted, shortened

ImageId = int | str

_LISTED = 10  # The number of image ids that a message lists before it says "and N more"

_CANDIDATE = ("candidate", "test", "caption")
_REFERENCES = ("references", "refs")


@dataclass(frozen=True, slots=True)
class Sample:
    """One image: its id (type kept), a candidate caption and its references.

    Metrics receive samples whose captions went through
    `spicepy.tokenization` (lower-case PTB tokens joined by single spaces).
    """

    image_id: ImageId
    candidate: str
    references: tuple[str, ...]


class SampleList(list[Sample]):
    """A list of samples whose representation fits a screen, as in notebooks."""

    def __repr__(self) -> str:
        """Return the first samples and how many there are."""
        first = [shortened(repr(sample), 300) for sample in self[:3]]
        more = f"… {counted(len(self), 'sample')}"
        return f"[{', '.join([*first, *([more] if len(self) > 3 else [])])}]"


def as_samples(samples: Iterable[Sample | Mapping[str, Any]]) -> list[Sample]:
    """Check samples given as `Sample` values or mappings, in their order."""
    # A mapping has `image_id`, `candidate` (or SPICE's `test`) and `references` (or
    # SPICE's `refs`). No image may occur twice or lack references.
    checked = [
        sample_from(s, f"sample {i}") if isinstance(s, Mapping) else _check(s, i)
        for i, s in enumerate(samples, 1)
    ]
    if not checked:
        raise InputError("no samples: at least one image is needed")
    return unique(checked, "samples")


def sample_from(record: Mapping[str, Any], where: str) -> Sample:
    """Build a checked `Sample` from one record; `where` opens error messages."""
    image_id = check_id(record.get("image_id", MISSING), where, record)
    where = f"{where} (image {brief(image_id)})"
    candidate = check_caption(first(record, _CANDIDATE, where), "candidate", where)
    references = check_references(first(record, _REFERENCES, where), where)
    return Sample(image_id, candidate, references)


def unique(
    samples: Iterable[Sample], where: str, *, once: bool = False
) -> list[Sample]:
    """Refuse two samples of one image, even an exact repetition, unless kept `once`."""
    seen: dict[ImageId, Sample] = {}
    for sample in samples:
        other = seen.setdefault(sample.image_id, sample)
        if other is not sample and not (once and other == sample):
            raise InputError(_twice(sample.image_id, other, sample, where))
    return list(seen.values())


def pair(
    candidates: Mapping[ImageId, str],
    references: Mapping[ImageId, Sequence[str]],
    *,
    common: bool = False,
) -> list[Sample]:
    """Join candidates and references by image id, in the candidates' order."""
    # Images that only one side has are an `InputError` that lists them; if `common`,
    # they are left out, with a warning that counts them.
    unmatched = [i for i in candidates if i not in references]
    unused = [i for i in references if i not in candidates]
    if len(unmatched) == len(candidates):
        kinds = {type(next(iter(ids))) for ids in (unmatched, unused) if ids}
        way = "; ids of one side are numbers, and of the other text" * (len(kinds) > 1)
        raise InputError(
            f"no image has both a candidate and references{way}; "
            f"{_unpaired(unmatched, unused)}"
        )
    if not common and (unmatched or unused):
        raise InputError(
            f"{_unpaired(unmatched, unused)} (use --common, or common=True, to score "
            "only the images of both)"
        )
    if unmatched or unused:
        sides = ((unmatched, "without references"), (unused, "without a candidate"))
        left = (f"{counted(len(own), 'image')} {what}" for own, what in sides if own)
        warnings.warn(f"left out: {', and '.join(left)}", SpicepyWarning, stacklevel=2)
    return joined(candidates, references)


def joined(
    candidates: Mapping[ImageId, str], references: Mapping[ImageId, Sequence[str]]
) -> list[Sample]:
    """Return the samples of the images of both sides, in the candidates' order."""
    return [
        Sample(check_id(i, "candidates"), caption, tuple(references[i]))
        for i, caption in candidates.items()
        if i in references
    ]


class References(dict[ImageId, tuple[str, ...]]):
    """The references of each image, which may have further names."""

    def __init__(self, references: Mapping[ImageId, Iterable[str]]) -> None:
        super().__init__({key: tuple(texts) for key, texts in references.items()})
        # Image ids by the other names of the images, by the keys of `OTHER_NAMES`.
        self.names: dict[str, dict[ImageId, ImageId]] = {}
        self.splits: set[str] = set()  # The names of the splits that the file has

    def by_their_ids(self, candidates: Mapping[ImageId, str]) -> dict[ImageId, str]:
        """Return candidates by the ids of the references."""
        # Where more candidates are found by another name, such as the file name, than
        # by the id, they are taken by that name. Two candidates of one image are
        # refused.
        found = {i: i for i in candidates if i in self}
        for names in self.names.values():
            known = ((i, _known(i, names)) for i in candidates)
            named = {i: image for i, image in known if image is not None}
            found = named if len(named) > len(found) else found
        alike = {str(i): i for i in self}  # 42 may be written as a text
        renamed: dict[ImageId, str] = {}
        for name, caption in candidates.items():
            image_id = found.get(name, alike.get(str(name), name))
            if image_id in renamed:
                raise InputError(f"image {brief(image_id)}: two candidates name it")
            renamed[image_id] = caption
        return renamed

    def hint(self) -> str:
        """Return the end of a message: the splits, if there are several."""
        if len(self.splits) < 2:
            return ""
        names = ", ".join(sorted(self.splits))
        python = "columns={'split': …} in Python"
        return f"; the references have splits (--split, or {python}: {names})"


def _known(name: ImageId, names: Mapping[ImageId, ImageId]) -> ImageId | None:
    """Return the image of a name: as it is, without its folder or its extension."""
    if name in names or not isinstance(name, str):
        return names.get(name)
    plain = name.replace("\\", "/").rpartition("/")[2]
    return names.get(plain, names.get(plain.rpartition(".")[0]))


def listed(ids: Sequence[object]) -> str:
    """Return up to ten ids for a message: "image 1, 'b', … and 7 more"."""
    first = ", ".join(brief(i, 40) for i in ids[:_LISTED])
    more = f" and {len(ids) - _LISTED} more" if len(ids) > _LISTED else ""
    return f"image{'s' if len(ids) != 1 else ''} {first}{more}"


def check_id(
    value: Any, where: str, record: Mapping[str, Any] | None = None
) -> ImageId:
    """Return an image id unchanged: an integer or a non-empty string."""
    # Integers and strings of numpy become Python's.
    if value is MISSING:
        raise missing_id(record or {}, where)
    value = scalar(value)
    if isinstance(value, Integral) and not isinstance(value, bool):
        return int(value)
    if isinstance(value, float) and value.is_integer():  # pandas' column of numbers
        return int(value)
    if isinstance(value, str) and value:
        return clean(value)
    raise InputError(
        f"{where}: image_id is {brief(value)}; "
        "it must be an integer or a non-empty string"
    )


def missing_id(
    record: Iterable[str], where: str, what: str = "key 'image_id'"
) -> InputError:
    """Return the error that a record, or a header, has no image id."""
    return InputError(
        f"{where}: no {what} ({keys_of(record)}); --id-column, --candidate-id-column "
        "or --reference-id-column, or columns={'image_id': …} in Python, names another"
    )


def check_caption(value: Any, what: str, where: str) -> str:
    """Return a caption: any string, also an empty one."""
    if not isinstance(value, str):
        value = scalar(value)
    if not isinstance(value, str):
        raise InputError(f"{where}: the {what} is {brief(value)}; it must be a string")
    return clean(value)


def check_references(value: Any, where: str) -> tuple[str, ...]:
    """Return the references of a non-empty list, array or column of captions."""
    value = scalar(value)
    if not is_sequence(value):
        raise InputError(
            f"{where}: the references are {brief(value)}; "
            "they must be a list of strings, also if there is one"
        )
    if len(value) == 0:  # an array has no truth value
        raise InputError(f"{where}: no references; at least one is needed")
    return tuple(
        check_caption(v, f"reference {k}", where) for k, v in enumerate(value, 1)
    )


def scalar(value: Any) -> Any:
    """Return the plain value of an Arrow scalar, or of an array without dimensions."""
    if hasattr(value, "as_py"):
        return value.as_py()
    return value.item() if getattr(value, "shape", None) == () else value


def is_sequence(value: object) -> bool:
    """Return whether a value is a list, an array or a column: values in an order."""
    if isinstance(value, str | bytes | Mapping | Set):
        return False
    return hasattr(value, "__len__") and hasattr(value, "__iter__")


MISSING = object()  # Stands for a missing image id, see `check_id`


def as_list(value: Any) -> Any:
    """Return a cell of references as a list, if it is an array or a column."""
    value = scalar(value)
    return list(value) if is_sequence(value) else value


def _check(sample: object, position: int) -> Sample:
    if not isinstance(sample, Sample):
        raise InputError(
            f"sample {position} is {brief(sample)}; "
            "it must be a spicepy.Sample or a mapping"
        )
    where = f"sample {position} (image {brief(sample.image_id)})"
    return Sample(
        check_id(sample.image_id, f"sample {position}"),
        check_caption(sample.candidate, "candidate", where),
        check_references(sample.references, where),
    )


def key_among(record: Mapping[str, Any], keys: Iterable[str]) -> str | None:
    """Return the first of some keys that a record has; of captions, warn of others."""
    found = [key for key in keys if key in record]
    if len(found) > 1 and {"candidate", "references"} & set(keys):
        others = f"the keys {' and '.join(map(repr, found))} for one side"
        text = f"records have {others}; {found[0]!r} is taken, and the rest passed over"
        warnings.warn(text, SpicepyWarning, stacklevel=2)
    return next(iter(found), None)


def first(
    record: Mapping[str, Any], keys: tuple[str, ...], where: str, also: str = ""
) -> Any:
    """Return the value of the first key that a record has, else refuse it."""
    if (key := key_among(record, keys)) is not None:
        return record[key]
    sides = (side for side in ("candidate", "references") if side in keys)
    wanted = " or ".join(map(repr, (*keys, also) if also else keys))
    way = "".join(map(renaming, sides))
    raise InputError(f"{where}: no key {wanted} ({keys_of(record)}){way}")


def renaming(side: str) -> str:
    """Return the end of a message on a missing column: how to name another one."""
    return f"; --{side}-column, or columns={{{side!r}: …}} in Python, names another"


def keys_of(record: Iterable[str]) -> str:
    """Return the keys of a record, for a message: "its keys: 'id', 'text'"."""
    names = brief(list(record)).removeprefix("[").removesuffix("]")
    return f"its keys: {names or 'none'}"


def clean(value: str) -> str:
    """Replace halves of surrogate pairs (a cut-off emoji) by U+FFFD."""
    # No UTF-8 encoder takes them; the tokeniser drops both alike.
    if value.isascii():
        return str(value)  # numpy's strings become Python's
    return value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _twice(image_id: ImageId, a: Sample, b: Sample, where: str) -> str:
    if a.candidate != b.candidate:
        how = (
            f"with different candidates: {brief(a.candidate)} and {brief(b.candidate)}"
        )
    elif a.references != b.references:
        how = "with different references; a row for each reference may stand in a file "
        how += "of references alone (--references)"
    else:
        how = "with the same captions; remove one (--drop-repeats does)"
    return f"{where}: image {brief(image_id)} occurs twice, {how}"


def _unpaired(unmatched: Sequence[ImageId], unused: Sequence[ImageId]) -> str:
    parts = []
    if unmatched:
        parts.append(f"candidates without references: {listed(unmatched)}")
    if unused:
        parts.append(f"references without a candidate: {listed(unused)}")
    return "; ".join(parts)
