"""QuestionWording: statements of a caption as yes / no questions in English.

In: a `Statement` and the caption that it is from. Out: a question in the caption's own
words; auxiliaries and articles are added, and verbs become progressive.

    (man, ride, horse)          →  Is the man riding the horse?

Source: Quirk et al. 1985, sections 11.4 (yes / no questions) and 5.11 (articles).
"""

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from spicepy.asking.naming import ARTICLES, Naming
from spicepy.asking.statements import Entity, Said, Statement
from spicepy.asking.words import is_living, is_person, progressive
from spicepy.words.numerals import load_number_words
from spicepy.words.wordnet import load_hierarchy, load_wordnet

_PLAIN: Final = ("color", "size", "shape", "texture")
"""Attributes that are adjectives, whatever the parser takes them for."""
_CHOSEN: Final = "the|an?|both|each|either|every|left|opposite|other|right|one"
"""Words after which a side takes no article: on either side of the hill."""
_ONE_OF: Final = re.compile(r"\bone of (?:\S+ ){0,3}\S+$")
_ADJECTIVE: Final = re.compile(
    r"[ -]|(?:able|al|ed|en|est|ful|ible|ic|ish|less|like|lit|ous|y)$"
)
_LENS: Final = re.compile(r"(\d+ ?mm|[\w-]+(?= lens))(?: lens)?")


class QuestionWording(Naming):
    """Words questions, with the tables of `questions.toml`, and what is worn."""

    def __init__(self, data: Mapping[str, Any], worn: Callable[[Entity], bool]) -> None:
        super().__init__(data)
        self._worn = worn
        self._several: Mapping[str, str] = data["several"]["words"]
        self._seen: Mapping[str, str] = self._words["seen"]
        self._activities = frozenset(data["activities"]["words"])
        self._texts = frozenset(data["texts"]["nouns"])
        self._held = self._parts | self._lists["fixed"] | {*data["parts"]["mounted"]}
        self._kinds = (*data["pictures"]["plain"], *data["pictures"]["kinds"])
        self._written: Mapping[str, str] = data["details"]["written"]
        self._starts = tuple(data["styles"]["starts"])
        self._styles = frozenset(data["styles"]["words"])
        sides = "|".join(sorted(self._words["sides"], key=len, reverse=True))
        self._seeming = re.compile(self._words["seeming"])
        self._side = re.compile(rf"\b(?!(?:{_CHOSEN}) )(\w+) ({sides}) of\b")

    def is_part(self, one: Statement, said: Said) -> bool:
        """Return whether a longer question asks it as well: nobody just puts a cup."""
        others = (s.value for s in said.statements if s.places == one.places)
        longer = any(value.startswith(f"{one.value} ") for value in others)
        return longer and one.value in self._lists["placing"]

    def question(self, statement: Statement, said: Said) -> str:
        """Return the question that asks whether a statement is so."""
        text = self._question(statement, said)
        if seem := self._seem(statement, said):
            return self._supposed(text, statement, seem)
        if not statement.share:
            return text
        verb, _, rest = text.partition(" ")
        if statement.share in ("each", "one"):
            verb = {"Are": "Is", "Do": "Does", "Have": "Has"}.get(verb, verb)
        return f"{verb} {statement.share} of {rest}"

    def _seem(self, statement: Statement, said: Said) -> str:
        """Return the verb with which a caption only supposes what it says, or ""."""
        start, end = statement.span
        if statement.category == "relation":
            before = said.caption[start:end].partition(f" {statement.value[:3]}")[0]
        else:
            before = said.caption[:start]
            for thing in statement.things if statement.category == "entity" else ():
                last = thing.first - said.start(thing, "CD", "DT", "RB")
                words = before.split()
                before = " ".join(words[: max(len(words) - last, 0)])
        match = self._seeming.search(before)
        return match[1].lower() if match else ""

    def _supposed(self, text: str, statement: Statement, seem: str) -> str:
        """Ask whether something seems so: "Does there seem to be a dog?"."""
        verb, _, rest = text.partition(" ")
        about = self.definite(statement.things[0]) if statement.things else ""
        about = "there" if rest.startswith("there ") else about
        be = {"Is": "Does", "Are": "Do"}.get(verb, "")
        if not rest.startswith(f"{about} ") or not (be or verb in ("Does", "Do")):
            return text
        looks = seem == "look" and statement.category == "attribute"
        to = "" if looks else f" to{' be' * bool(be)}"
        return f"{be or verb} {about} {seem}{to}{rest[len(about) :]}"

    def _question(self, statement: Statement, said: Said) -> str:
        if statement.category == "entity":
            return self._entity(statement.things[0], said)
        if statement.category == "relation":
            text = self._relation(statement, said)
            return text.replace(" side by side with each other?", " side by side?")
        if statement.category == "global":
            return self._global(statement)
        [thing] = statement.things
        name = self.definite(thing)
        if statement.detail == "count":
            return self._count(thing, statement.value, said)
        if statement.detail == "text rendering":
            read = thing.head in self._texts or ":" in statement.value  # A clock.
            how = f"{name} {'read' if read else 'say'}"
            return f'{self.do(thing)} {how} "{statement.value}"?'
        return self._attribute(statement, thing, said)

    def _entity(self, thing: Entity, said: Said) -> str:
        if thing.owner is not None:
            return self._part(thing, thing.owner, self.indefinite(thing, said), said)
        if thing.proper:
            return f"Is {self.definite(thing)} in the picture?"
        if thing.name in self._lists["unique"]:
            return f"Can {self.definite(thing)} be seen?"
        be = "Is" if thing.portion and thing.tag == "NN" else self.be(thing)
        return f"{be} there {self.indefinite(thing, said)}?"

    def _part(self, thing: Entity, owner: Entity, name: str, said: Said) -> str:
        """Ask whether its owner has a thing, or wears it."""
        if thing.head in self._texts:
            return f"{self.be(thing)} there {name} on {self.definite(owner)}?"
        if thing.head in self._lists["depicting"] and thing.place < owner.place:
            return f"{self.be(thing)} there {name} of {self.indefinite(owner, said)}?"
        where = self._words["holding"].get(owner.head)
        if where and thing.head not in self._held:
            counted = name.split(" ")[0] in self._words["numbers"][2:]
            be = "Are" if counted else self.be(thing)
            return f"{be} there {name} {where} {self.definite(owner)}?"
        part = thing.head in self._parts and not is_person(owner.head)
        if is_living(owner.head) and not part and self._worn(thing):
            return f"{self.be(owner)} {self.definite(owner)} wearing {name}?"
        return f"{self.do(owner)} {self.definite(owner)} have {name}?"

    def _count(self, thing: Entity, value: str, said: Said) -> str:
        name, counted = self.name(thing), value.isdigit()
        known = load_number_words().number(value)
        if not known and value not in self._several:
            several = value.endswith("s")
            heap = value if several else self.with_article(value)
            return f"{'Are' if several else 'Is'} there {heap} of {name}?"
        number = (known[1] or known[0]) if known else 2
        written = dict(enumerate(self._words["numbers"]))
        text = self._several.get(value) or written.get(number, value)
        text = text if counted or not known else value  # "More than two"
        if thing.portion and counted:
            name = f"{thing.portion} of {name}"
        elif number > 1 and not thing.plural:
            name = self.plural(name)
        if thing.owner is not None:
            return self._part(thing, thing.owner, f"{text} {name}", said)
        name = f"{name} {thing.mark}".rstrip()
        return f"{'Is' if number == 1 else 'Are'} there {text} {name}?"

    def _attribute(self, statement: Statement, thing: Entity, said: Said) -> str:
        value, places = statement.value, statement.places
        be, name = self.be(thing), self.definite(thing)
        tags = [said.tags[place - 1] for place in places]
        adjectives = self._lists["whereabouts"] | self._lists["material_adjectives"]
        if statement.detail in _PLAIN or value in adjectives:
            text = self._graded(statement, said).replace("wear ", "wearing ")
            return f"{be} {name} {text}?"
        if statement.detail == "material":
            return f"{be} {name} made of {value}?"
        if statement.detail == "style" and places:
            verb = said.words[places[0] - 1]
            if tags[0] != "VBN" and not is_living(thing.head):
                verb = self._written[f"{said.lemmas[places[0] - 1]} in"]
            return f"{be} {name} {verb} in {value}?"
        if self._is_kind(statement, thing, said, tags):
            return self._kind(statement, thing, said)
        if tags[:1] == ["JJS"]:
            return f"{be} {name} the {value}?"
        if tags and tags[0].startswith("VB"):
            return self._doing(statement, thing, said)
        return f"{be} {name} {self._graded(statement, said)}?"

    def _is_kind(
        self, statement: Statement, thing: Entity, said: Said, tags: list[str]
    ) -> bool:
        """Return whether an attribute names a kind: a chef, a vinyl record."""
        value, places = statement.value, statement.places
        where = value.startswith(("in the ", "on the ", "at the "))
        if where or tags[-1:] == ["VBN"]:
            return False
        if tags and tags[-1].startswith("NN"):
            after = places[-1] > thing.place
            bare = after and said.words[places[0] - 2] not in ARTICLES
            return not bare or load_hierarchy().is_only_noun(value)
        # Sobbing faces are not faces of that kind.
        plain = tags == ["JJ"] and statement.detail == "state" and value[-3:] != "ing"
        parts = {part for part, _ in load_wordnet().senses(value.lower()) if plain}
        unknown = plain and not parts and not _ADJECTIVE.search(value)
        noun = "n" in parts and parts.isdisjoint(("a", "s", "r"))
        return unknown or noun or value in self._lists["before_noun"]

    def _kind(self, statement: Statement, thing: Entity, said: Said) -> str:
        """Ask whether a thing is a chef, or, before the noun, a vinyl record."""
        be, name = self.be(thing), self.definite(thing)
        value = statement.value
        if not statement.places or statement.places[-1] < thing.place:
            value = f"{value} {thing.words[-1]}"
        bare = self.is_plural(thing) or thing.head in self._lists["mass"]
        return f"{be} {name} {value if bare else self.with_article(value)}?"

    def _doing(self, statement: Statement, thing: Entity, said: Said) -> str:
        """Ask what a thing does, or what was done to it."""
        be, name = self.be(thing), self.definite(thing)
        value = self._phrase(statement.value)
        verb, rest = self._verb(value, statement, said)
        if said.tags[statement.places[0] - 1] in ("VBN", "VBD"):
            be = self._be_or_have(thing, statement, said)
            return f"{be} {name} {self._graded(statement, said)}?"
        if {verb, " ".join(value.split(" ")[:2])} & self._lists["simple"]:
            return f"{self.do(thing)} {name} {verb}{rest}?"
        if verb in ("lie", "lay") and not rest:
            return f"{be} {name} lying down?"
        return f"{be} {name} {self._led(verb, statement.places[0], said)}{rest}?"

    def _verb(self, how: str, statement: Statement, said: Said) -> tuple[str, str]:
        """Return the verb of what is said, and the rest: ice skate, on."""
        place = min(statement.places, default=0)
        words = how.split(" ")
        before = place > 1 and words[0] == said.word(place - 1)
        end = 2 if before and words[-1] != words[0] else 1
        return " ".join(words[:end]), "".join(f" {word}" for word in words[end:])

    def _led(self, verb: str, place: int, said: Said) -> str:
        """Return what somebody does, or is about to do: running to catch."""
        joined = said.tag(place) == "VB" and said.word(place - 1) in ("and", "or")
        first = place - 2 - (said.tag(place - 2) == "RP")
        if joined and said.word(first - 1) == "to":
            return self._led(verb, first, said)  # About to sit down and eat.
        to = place - 1
        if place < 3 or said.words[place - 2] != "to":
            return progressive(verb)
        place -= said.tag(place - 2) == "RP" and place > 3
        start, before = place - 2, said.lemmas[place - 3]
        if said.tag(start) in ("VBP", "VBZ") and before not in ("be", "have", "seem"):
            how = " ".join((progressive(before), *said.words[place - 2 : to]))
            return f"{how} {verb}"
        while start > 1 and said.tag(start - 1) == "VBG":
            start -= 1
        lead = " ".join(said.words[start - 1 : place - 2])
        is_led = said.tag(start) == "VBG" or lead in self._lists["leads"]
        return f"{lead} to {verb}" if is_led and start else progressive(verb)

    def _graded(self, statement: Statement, said: Said) -> str:
        """Return an attribute with the adverb that grades it: "slightly bent"."""
        before = min(statement.places, default=0) - 1
        value = self._phrase(statement.value)
        if before > 0 and said.words[before - 1] in self._lists["grading"]:
            value = f"{said.words[before - 1]} {value}"
        return value

    def _relation(self, statement: Statement, said: Said) -> str:
        subject, target, *_ = statement.things
        how = self._with_sides(statement.value)
        be, name = self.be(subject), self.definite(subject)
        if subject is target and not self.is_plural(subject):
            name = f"one {self.name(subject)}"
        other = self._target(how, statement, said)
        verb, rest = self._verb(how, statement, said)
        if how == "of" and not statement.denied:
            this = "Are these" if self.is_plural(subject) else "Is this"
            return f"{this} {name} of {other}?"
        tag = said.tags[statement.places[0] - 1] if statement.places else ""
        if statement.denied:
            return self._denied(statement, said, how, tag)
        has = verb == "have" and tag != "VBG"
        live = is_living(subject.head) and is_living(target.head)
        live = live and (is_person(subject.head) or is_person(target.head))
        if has or (how == "with" and not live):
            return f"{self.do(subject)} {name} have{rest} {other}?"
        if tag.startswith("NN") and rest:
            first, doing = said.words[statement.places[0] - 2 :][:2]
            doing = f"{first} {doing}" if first in ARTICLES else doing
            return f"{be} {name} doing {doing}{rest} {other}?"
        if not tag.startswith("VB") and verb != "wear":
            return f"{be} {name} {how} {other}?"
        at = min(statement.places, default=0)
        done = tag in ("VBN", "VBD")
        own = self._be_or_have(subject, statement, said) if done else be
        done = done and (own != be or verb not in self._lists["intransitive"])
        helped = rest and said.word(at) == verb and said.tag(at - 1)[:2] == "NN"
        done = done and (not helped or verb in self._lists["unchanged"])
        doing, after = self._done(statement, said)
        if done and (statement.passive or own != be) and verb != "wear":
            participle = said.words[at - 1]
            if said.words[at - 2] == "being":
                participle = f"being {participle}"
            return f"{own} {name} {participle}{doing[len(verb) :]}{after} {other}?"
        acts = is_living(subject.head) and verb in self._lists["acted"] | {"have"}
        if {verb, how} & self._lists["simple"] and not acts:
            return f"{self.do(subject)} {name} {doing}{after} {other}?"
        verb, particle = self._verb(doing, statement, said)
        does = self._led(verb, min(statement.places, default=0), said)
        return f"{be} {name} {does}{particle}{after} {other}?"

    def _done(self, statement: Statement, said: Said) -> tuple[str, str]:
        """Return a relation before and after what is done by it to another thing.

        "Is the man pushing the bicycle across the street?"
        """
        subject, target, *_ = statement.things
        how = self._with_sides(statement.value)
        for other in said.statements:
            same = other.places == statement.places
            ends = other.things if other.category == "relation" else (None, None)
            same = same and ends[0] is subject
            stem = other.value
            verb, _, particle = stem.partition(" ")
            if particle and said.word(max(other.places, default=0) + 1) == particle:
                stem = verb if how.split(" ")[1:2] != [particle] else stem
            same = same and how.startswith(stem + " ")
            rest = how.removeprefix(stem).split(" ")[1:2]
            same = same and rest[:1] not in (["front"], ["top"], ["back"], ["side"])
            if same and ends[1] is not None and ends[1] is not target:
                thing = self._target(other.value, other, said)
                return other.value, f" {thing}{how.removeprefix(stem)}"
        return how, ""

    def _target(self, how: str, statement: Statement, said: Said) -> str:
        """Return the second thing of a relation as it is named after the first one."""
        subject, target, *others = statement.things
        if subject is target:
            if not self.is_plural(subject):
                return f"another {self.name(target)}"
            return "the others" if statement.share else "each other"
        if how == "play" and target.head in self._activities:
            return self.name(target)
        bare = how in ("have", "wear", "play") or statement.share == "each"
        if bare or (how == "with" and not target.owner):
            return self.indefinite(target, said)
        if self._is_bare(statement, target, said):
            return self.name(target)  # Directing traffic, filled with donuts.
        one = target.plural and _ONE_OF.search(said.caption[slice(*statement.span)])
        whose = self._whose(statement, said)
        own = f"{whose} {self.name(target)}" if whose else self.definite(target)
        names = (own, *map(self.definite, others))
        return "one of " * bool(one) + " and ".join(names)

    def _whose(self, statement: Statement, said: Said) -> str:
        """Return "its", "her" or the like if the second thing is that of the first."""
        subject, target, *_ = statement.things
        people = self.is_plural(subject) or is_person(subject.head)
        place = said.before(target.first)
        written = said.words[place - 1] if said.tag(place) == "PRP$" else ""
        if self.owner(target) is subject:
            return written or ("their" if people else "its")
        own = written and target.owner in (None, subject) and is_living(subject.head)
        return written if own and (written == "its") != people else ""

    def _is_bare(self, statement: Statement, thing: Entity, said: Said) -> bool:
        """Return whether a thing has no article after what is done to it."""
        if not statement.places or thing.proper or not thing.place:
            return False
        if thing.place < statement.places[0]:
            return False  # Whiskers that are covered.
        first = statement.places[0] + 1
        before = max(said.start(thing), first) - 2
        while said.words[before] in ("and", ","):  # Selling fruit and flowers.
            before = max(said.before(before + 1, "NNS") + 1, first) - 2
        last = statement.value.rpartition(" ")[2]
        does = said.tag(statement.places[0]).startswith("VB")
        follows = last in (said.words[before], said.lemmas[before])
        # In front of a crowd of teenagers.
        follows &= last != "of" or said.words[before - 1] in statement.value.split()
        return does and follows and self.indefinite(thing, said) == self.name(thing)

    def _denied(self, statement: Statement, said: Said, how: str, tag: str) -> str:
        """Ask for what a caption says is not so: "Are there people on the beach?"."""
        subject, *targets = statement.things
        verb, _, rest = how.partition(" ")
        if verb != "have" and (tag.startswith("VB") or verb == "wear"):
            how = f"{progressive(verb)} {rest}".rstrip()
        other = " and ".join(
            self.definite(target) if target.stated else self.indefinite(target, said)
            for target in targets
        )
        if not subject.stated:
            there = self.indefinite(subject, said)
            return f"{self.be(subject)} there {there} {how} {other}?"
        verb = self.do(subject) if verb == "have" else self.be(subject)
        return f"{verb} {self.definite(subject)} {how} {other}?"

    def _phrase(self, how: str) -> str:
        """Return a relation or an attribute as it is said: take a photo of."""
        for known, said in self._words["phrases"].items():
            if f"{how} ".startswith(f"{known} "):
                return str(said) + how[len(known) :]
        return how

    def _with_sides(self, how: str) -> str:
        """Return a relation with its articles: "on the side of"."""
        how = self._phrase(how)
        return self._side.sub(
            lambda m: m[0] if m[0] in self._lists["bare"] else f"{m[1]} the {m[2]} of",
            how,
        )

    def _global(self, statement: Statement) -> str:
        text = statement.value.strip("()[]{} ")
        if statement.span[0] == 0 and text[1:2].islower():
            text = text[0].lower() + text[1:]
        lower = text.lower()
        if lower in self._kinds:
            text = lower
        if statement.detail == "time":
            lower = lower.removeprefix("this ").removeprefix("that ")
            own = self._words["times"].get(lower, lower.removeprefix("the "))
            before, _, noun = own.partition(" ")
            counted = before not in ARTICLES and noun in self._lists["counted_times"]
            return f"Is it {self.with_article(own) if counted else own}?"
        if lens := _LENS.fullmatch(lower):
            return f"Was the picture taken with {self.with_article(lens[1])} lens?"
        last = re.split(r"\W+", lower)[-1]
        if made := self._made(text):
            return f"Is the picture {made}?"
        if lower.startswith(self._starts):
            return f"Is the picture {text}?"
        if last in self._lists["had"]:
            one = last in self._lists["had_one"] and not lower.startswith(("a ", "an "))
            return f"Does the picture have {self.with_article(text) if one else text}?"
        before = re.split(r" (?:by|in the style of) ", lower)[0]
        if before.endswith(tuple(self._lists["bare_kinds"])):
            return f"Is this {text}?"
        if before.endswith(self._kinds):
            bare = lower.startswith(("a ", "an ", "the "))
            return f"Is this {text if bare else self.with_article(text)}?"
        named = last not in self._styles and not load_wordnet().senses(last)
        named = named and " by " not in f" {lower}"
        return f"Is the picture {'by ' if named else ''}{text}?"

    def _made(self, text: str) -> str:
        """Return how pictures are made with a tool, or for a site, of a name."""
        for lead in ("", *self._words["posted"]):
            name = text[len(lead) :] if text.lower().startswith(lead) else ""
            if how := self._seen.get(name.lower()):
                return f"{how} {name}"
        return ""

    def _be_or_have(self, thing: Entity, statement: Statement, said: Said) -> str:
        """Return "Has" where the caption does: a boy has fallen."""
        place = statement.places[0] - 1
        while place > 1 and said.tag(place) == "RB":
            place -= 1
        if said.words[place - 1] not in ("has", "have", "had"):
            return self.be(thing)
        return "Have" if self.is_plural(thing) else "Has"
