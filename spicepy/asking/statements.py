"""Statements: what a caption says, of the picture as a whole, and thing by thing.

`PromptReader` blanks out quotations, names of styles, and the words that only introduce
a description, so that the parser reads the description alone; every character keeps its
place. `Entity`, `Statement` and `Said` are the values that `reading` makes of captions
and `wording` puts as questions. A statement is about things that other statements
state: its parents.

    "a photo of a sign that says 'stop', trending on artstation"
        →  a sign                  · writing: stop · style: trending on artstation

Source: Cho et al. 2024, Davidsonian Scene Graph, section 3 (categories and parents).
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import Any, Final, Literal, Self

from spicepy.common.resources import read_table
from spicepy.words.wordnet import load_wordnet

Span = tuple[int, int]
"""The start and the end of a piece of text, in characters."""

_PLACE: Final = re.compile(r"\{([a-z]+)\}")
_STOP: Final = re.compile(r"\w{3}\.$")
_WORD: Final = re.compile(r"[\w'-]+")
_SENTENCE_ENDS: Final = ".!?;\n"
_LENS: Final = re.compile(r"\d+ ?mm(?: lens)?|[\w-]+ lens")


@dataclass(frozen=True, slots=True)
class Prompt:
    """A caption, and what the parser need not read of it, as spans."""

    text: str  # The caption with all of that blanked out; as long as the caption.
    writings: tuple[Span, ...] = ()  # Quotations, without their marks.
    styles: tuple[Span, ...] = ()  # What is said of the picture as a whole.
    times: tuple[Span, ...] = ()  # Times, without their preposition, and the weather.
    lead: str = ""  # What a reader puts before the text: a person (standing there).


def word_sets(table: Mapping[str, Any]) -> dict[str, frozenset[str]]:
    """Return the lists of a table, of words or of entries, by their names."""
    return {name: frozenset(v) for name, v in table.items() if not isinstance(v, str)}


def written_out(
    table: Mapping[str, Sequence[str]], lists: Mapping[str, Iterable[str]]
) -> dict[str, str]:
    """Return patterns by name: "{all}" are the words of the list of that name.

    Other names in braces stand for patterns above.
    """
    made: dict[str, str] = {}
    for name, parts in table.items():
        words = "|".join(sorted(lists.get(name, ()), key=len, reverse=True))
        text = "".join(parts).replace("{all}", words)
        made[name] = _PLACE.sub(lambda match: made[match[1]], text)
    return made


class PromptReader:
    """Finds in captions what does not describe the scene."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        pictures, styles = data["pictures"], data["styles"]
        self._sets = word_sets(pictures) | word_sets(styles)
        self._starts = tuple(start + " " for start in styles["starts"])
        self._ends = tuple(styles["ends"])
        self._unnamed = (self._sets["stops"] | self._sets["described"]) - {"and"}
        lists = {
            **{"kinds": {*pictures["plain"], *pictures["kinds"]}, **data["texts"]},
            **{"times": data["times"]["words"], **data["times"], **data["postures"]},
            "parts": data["parts"]["words"],
            "styled": (*styles["words"], *pictures["kinds"]),
            **{name: styles[name] for name in ("before", "endings")},
            "stops": (*pictures["stops"], *styles["described"]),
        }
        self._forms = {
            name: re.compile(text)
            for name, text in written_out(data["prompts"], lists).items()
        }
        self._replaced: Mapping[str, str] = data["replaced"]
        self._lead_in = data["postures"]["lead"]
        self._frames = [re.compile(rf"\b{p}", re.I) for p in data["frames"]["patterns"]]

    @classmethod
    def shipped(cls) -> Self:
        """Return the reader with the words of `grammars/questions.toml`."""
        return read_table("questions.toml", cls)

    def read(self, caption: str) -> Prompt:
        """Return a caption with all that does not describe the scene blanked out."""
        text = "".join(" " if c in "\t\r\xa0" else c for c in caption)
        text, writings = self._without_writings(text)
        for name, new in self._replaced.items():
            text = self._forms[name].sub(partial(_expanded, new), text)
        for frame in self._frames:
            text = frame.sub(_paused, text)
        text, first = self._without_picture(text)
        text, makers = self._without_makers(text)
        text, others = self._without_styles(text)
        spans: dict[str, list[Span]] = {}
        prompt = bool(first or makers or others)
        names = ("stated", "leading", "trailing", "time", "raining", "gray")
        for name in names[: None if prompt else -1]:
            spans[name] = [m.span("said") for m in self._forms[name].finditer(text)]
            text = self._forms[name].sub(_blank, text)
        times = (*spans.pop("time"), *spans.pop("raining"))
        others += chain(*spans.values())
        lead = self._lead_in if self._forms["posed"].match(text) else ""
        return Prompt(text, writings, (*first, *makers, *others), times, lead)

    def _without_writings(self, text: str) -> tuple[str, tuple[Span, ...]]:
        """Blank out quotations, each with the words that lead to it."""
        writings = []
        for match in self._forms["quoted"].finditer(text):
            [group] = (name for name, value in match.groupdict().items() if value)
            writings.append(match.span(group))
            before = text[: match.start()]
            lead = self._forms["lead"].search(before)
            start = lead.start() if lead else match.start()
            joined = self._forms["predicate"].match(text, match.end())
            end = joined.end() if joined and lead else match.end()
            applied = self._forms["applied"].match(text, match.end())
            if applied and lead and lead[0].strip() == "with":
                start, end = match.start(), applied.end()  # With the window.
            text = _blanked(text, start, end)
        return text, tuple(writings)

    def _without_picture(self, text: str) -> tuple[str, list[Span]]:
        """Blank out "a black and white photo of" where a caption begins so.

        A painting that hangs on a wall is a thing in the scene.
        """
        match = self._forms["picture"].match(text)
        if match is None:
            return text, []
        words = match["kind"].lower().split()
        hung = self._sets["hung"].intersection(_WORD.findall(text.lower()))
        hung = hung and self._sets["hanging"].intersection(
            (words[-1].removesuffix("s"),)
        )
        if hung or self._unnamed.intersection(words):
            return text, []
        blanked = _blanked(text, *match.span())
        trivial = len(words) == 1 and words[0].removesuffix("s") in self._sets["plain"]
        return blanked, [] if trivial else [match.span("kind")]

    def _without_styles(self, text: str) -> tuple[str, list[Span]]:
        """Blank out the parts of a prompt that say how the picture is made."""
        styles: list[Span] = []
        made = False
        for match in list(self._forms["part"].finditer(text)):
            part = match[0].strip()
            start = match.start() + match[0].find(part)
            made = made and self._is_maker(part.lower())
            if made or self._is_style(part.lower(), match.start() > 0):
                made = made or bool(self._forms["by"].match(part))
                styles.append((start, start + len(part)))
                text = _blanked(text, *match.span())
        return text, styles

    def _is_maker(self, part: str) -> bool:
        """Return whether a part after a maker is a further one: by one, another."""
        words = part.replace(" and ", " ").split()
        described = self._sets["described"] | self._sets["words"]
        unknown = words and words[-1] in self._unknown(part)
        return bool(len(words) > 1 and unknown and described.isdisjoint(words))

    def _unknown(self, part: str) -> set[str]:
        """Return the words that are no words of the language, as those of names."""
        words = set(_WORD.findall(part)) - self._sets["described"]
        known = load_wordnet().senses
        return {w for w in words if not known(w) + known(w.removesuffix("s"))}

    def _without_makers(self, text: str) -> tuple[str, list[Span]]:
        """Blank out who made the picture, or whose style it has."""
        styles: list[Span] = []
        for match in list(self._forms["maker"].finditer(text)):
            words = text[: match.start()].split()
            done = bool(words) and words[-1].lower().endswith(("ed", "en", "ne", "ung"))
            if match["small"] and not self._unknown(match["small"]):
                continue
            if match[0].startswith("in") or not done:
                end = match.end() - bool(_STOP.search(match[0]))
                styles.append((match.start(), end))
                text = _blanked(text, match.start(), end)
        return text, styles

    def _is_style(self, part: str, later: bool) -> bool:
        """Return whether a part of a prompt says how the picture is made."""
        words = _WORD.findall(part)
        if not words:
            return False
        known = part.startswith(self._starts) or part.endswith(self._ends)
        if later and (known or _LENS.fullmatch(part)):
            return True
        if self._forms["named"].fullmatch(part) and not part.startswith("the "):
            before = part.partition(" by ")[0].partition(" in the style of ")[0]
            own = before.removeprefix("a ").removeprefix("an ").split()
            if self._unnamed.isdisjoint(own):
                return later or len(before) < len(part)
        if later and (self._sets["words"] | self._sets["moods"]).issuperset(words):
            return "and" not in (words[0], words[-1])
        if not self._sets["described"].isdisjoint(words):
            return False
        last = words[-1] in self._sets["words"] or words[-1] in self._sets["kinds"]
        return (later and last) or self._sets["words"].issuperset(words)


def _expanded(new: str, match: re.Match[str]) -> str:
    return match.expand(new).ljust(len(match[0]))


def _blank(match: re.Match[str]) -> str:
    """Return blanks as long as a match, after what is kept of it."""
    return (match.groupdict().get("kept") or "").ljust(len(match[0]))


def _blanked(text: str, start: int, end: int) -> str:
    return text[:start] + " " * (end - start) + text[end:]


def _paused(match: re.Match[str]) -> str:
    """Return blanks as long as a match, with a comma inside a sentence."""
    before = match.string[: match.start()].rstrip()
    inside = bool(before) and before[-1] not in _SENTENCE_ENDS + ","
    return ("," if inside else " ").ljust(len(match[0]))


# Things and statements.

DESCRIBING: Final = ("JJ", "NN", "VBG", "VBN")
"""Tags of words before a noun that say of what sort it is."""
Category = Literal["entity", "attribute", "relation", "global", "other"]


@dataclass(eq=False, slots=True)
class Entity:
    """A thing of a caption; things are compared by identity."""

    name: str  # As the caption has it, the last word as a lemma.
    place: int  # The position of its last word in the caption, from 1; 0 if unknown.
    words: tuple[str, ...]  # The words of its name as they stand in the caption.
    tag: str  # The tag of the last word.
    mark: str = ""  # What tells it from others of its name: on the left.
    portion: str = ""  # The word for so much of it: "slices" of bread.
    number: int = 0  # How many there are, if the caption gives a number.
    article: bool = False  # Whether a proper name has an article: the Eiffel Tower.
    owner: "Entity | None" = None  # The thing that it is a part of, or that has it.
    whose: "Entity | None" = None  # Who has it, if others have one as well.
    region: bool = False  # Whether it is only a side of its owner: the back of a house.
    matter: bool = False  # Whether it only says of what sort another thing is.
    stated: bool = True  # Whether the caption says that it is there.
    activity: bool = False  # Whether it is something to do: tennis.

    @property
    def plural(self) -> bool:
        """Whether its noun is in the plural."""
        return self.tag in ("NNS", "NNPS") or self.number > 1

    @property
    def proper(self) -> bool:
        """Whether its name is a proper one."""
        return self.tag == "NNP" and self.name[:1].isupper()

    @property
    def head(self) -> str:
        """The last word of the name."""
        return self.name.rpartition(" ")[2]

    @property
    def first(self) -> int:
        """The position of the first word of its name, from 1."""
        return max(1, self.place - len(self.words) + 1)

    @property
    def marked(self) -> range:
        """The positions of the words of its mark."""
        after = self.place + 1
        return range(after, after + len(self.mark.split()))

    def owns(self, other: "Entity") -> bool:
        """Return whether it owns another thing, or the owner of that."""
        while other.owner is not None:
            other = other.owner
            if other is self:
                return True
        return False


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement of a caption.

    It is about one thing, the ends of a relation, or none. Two things that another one
    is between are one end.
    """

    category: Category
    detail: str  # The finer category: "whole", "part", "color", "count", "spatial", …
    things: tuple[Entity, ...]
    value: str = ""  # The attribute, number, relation, or what is written.
    places: tuple[int, ...] = ()  # The positions of the words that say it, from 1.
    span: Span = (0, 0)  # The piece of the caption that it comes from.
    denied: bool = False  # Whether the caption says that it is not so.
    passive: bool = False  # Whether it is done to its subject: parked beside a barn.
    share: str = ""  # How many of several things it is said of: one of the men.

    @property
    def members(self) -> tuple[str, ...]:
        """(object), (object, value), (subject, relation, object), or (value) alone."""
        names = [f"{thing.name} {thing.mark}".rstrip() for thing in self.things]
        if self.category == "entity":
            return (names[0],)
        if self.category == "relation":
            return names[0], self.value, " and ".join(names[1:])
        return (*names, self.value)


@dataclass(frozen=True)
class Said:
    """A caption with its words and statements."""

    caption: str
    words: tuple[str, ...]
    tags: tuple[str, ...]
    lemmas: tuple[str, ...]
    sentences: tuple[int, ...]  # The number of the sentence of each word.
    statements: tuple[Statement, ...] = ()  # Each stands after those about its things.

    def tag(self, place: int = 0) -> str:
        """Return the tag of a word, "" for no place."""
        return self.tags[place - 1] if 0 < place <= len(self.tags) else ""

    def word(self, place: int) -> str:
        """Return a word, "" for no place."""
        return self.words[place - 1] if 0 < place <= len(self.words) else ""

    def rest(self, place: int) -> tuple[str, ...]:
        """Return the words of a sentence after a place."""
        number = self.sentences[place - 1]
        end = len(self.sentences) - self.sentences[::-1].index(number)
        return self.words[place:end]

    def is_possible(self, place: int) -> bool:
        """Return whether a verb says only what one could do, or could not.

        Too short to reach it, tall enough to reach it, how to reach it.
        """
        before = (
            self.word(place - 2) in ("enough", "how") or self.word(place - 3) == "too"
        )
        return before and self.word(place - 1) == "to"

    def start(self, thing: Entity, *further: str) -> int:
        """Return where the words before a thing with tags that describe it begin."""
        return self.before(thing.first, *further) + 1

    def before(self, place: int, *further: str) -> int:
        """Return the place before a word and those before it that describe it."""
        own = (*DESCRIBING, *further)
        while place > 1 and self.tags[place - 2] in own:
            if self.sentences[place - 2] != self.sentences[place - 1]:
                break
            place -= 1
        return place - 1
