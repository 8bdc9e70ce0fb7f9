"""Entities: the things of a caption, by the names that the caption gives them.

In: the trace of a caption through the pipeline. Out: an `Entity` for each object of its
tuples, with its whole name: "panda bear", "oak tree", "the Eiffel Tower".
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from itertools import chain
from typing import Any, Final, Self

from spicepy.asking.attachment import Attachment
from spicepy.asking.scanning import patterns
from spicepy.asking.statements import Entity, Prompt, Said, Span, word_sets
from spicepy.asking.words import is_clothing, is_compound, is_living, is_verb
from spicepy.common.resources import read_table
from spicepy.pipeline.stages import Trace
from spicepy.rules.tuples import SemanticTuple
from spicepy.rules.values import Grammar
from spicepy.tokenization.samples import find_tokens
from spicepy.words.morphology import lemmatize
from spicepy.words.spelling import usual_words
from spicepy.words.wordnet import is_below, load_wordnet

_NAME: Final = re.compile(
    r"(?:(?:Dr|Mr|Mrs|Mt|St)\. )?[A-Z][\w’'-]*"
    r"(?:(?: of| of the| the)? [A-Z][\w’'-]*)+(?![\w])"
)
_ARTICLES: Final = frozenset(("a", "an", "the"))
_CAPITAL: Final = re.compile(r"[A-Z][a-zà-ÿ]{2}")
_PRONOUNS: Final = ("DT", "PRP", "PRP$")
_NO_NAMES: Final = ("CC", "CD", "IN", "PDT", *_PRONOUNS, "RB", "VBG", "WRB")
_MODIFIERS: Final = ("compound", "amod", "nummod", "dep")
_VERBS: Final = ("VB", "VBG", "VBP", "VBZ")
_FINITE: Final = ("VBP", "VBZ")
_PLANTS: Final = ("woody plant", "herb")
_MAX_GAP: Final = 5  # The most words between the words of one attribute.
_SENTENCE_ENDS: Final = '.!?:"\n'
_SIDE: Final = "side-of-part"
_SOON: Final = re.compile(r"(?i)\b(?:about|going) to\b")
_LONG: Final = 3  # Words of more letters begin with capitals in a title.


WORD_FILES: Final = ("questions", "diagnosis", "amounts")
"""The files of words that can change the questions."""

Table = Mapping[str, Any]


class StatementWords:
    """The words with which statements are read, by name; the tables of `grammars/`."""

    def __init__(self, data: Table, known: Table, amounts: Table, own: Grammar) -> None:
        self._sets = {
            table if name == "words" else name: words
            for table, lists in data.items()
            for name, words in word_sets(lists).items()
            if table not in ("attachment", "prompts", "scanning")
        }
        self._sets["deeds"] |= set(own.lists["deeds"])
        self._sets["same_plural"] = frozenset(amounts["nouns"]["same_plural"])
        garments = word_sets(known["garments"]).values()
        self.garments = self._sets["worn"].union(*garments)
        self.attachment = Attachment(data, known, self.garments)
        self.details: dict[str, str] = {}
        for detail in ("texture", "shape"):
            self.details |= dict.fromkeys(data["details"][detail], detail)
        for detail in ("material", "size", "color"):
            self.details |= dict.fromkeys(known[detail + "s"]["values"], detail)
        colors = (word for word, detail in self.details.items() if detail == "color")
        self.patterns = patterns(data, colors)

    @classmethod
    def shipped(cls, grammar: Grammar) -> Self:
        """Return the words of the shipped lists."""
        data, known, amounts = (read_table(f"{n}.toml", dict) for n in WORD_FILES)
        return cls(data, known, amounts, grammar)

    def __getitem__(self, name: str) -> frozenset[str]:
        """Return a list by its name, or that of its table."""
        return self._sets[name]

    def detail(self, value: str, tag: str) -> str:
        """Return the finer category of an attribute."""
        last = value.rpartition(" ")[2]
        if found := self.details.get(value, self.details.get(last)):
            return found
        return "type" if tag.startswith("NN") else "state"

    def is_worn(self, thing: Entity) -> bool:
        """Return whether a thing is one that people wear."""
        names = {thing.name, thing.head, thing.words[-1].lower()}
        return not names.isdisjoint(self.garments) or is_clothing(thing.head)


class ParsedCaption:
    """A caption with its parse and the places of its words.

    `proposals` are its tuples with the ends that a reader would choose, `spans` where
    each word stands, `texts` the words as inside a sentence: names with capitals.
    """

    def __init__(
        self, words: StatementWords, trace: Trace, prompt: Prompt, caption: str
    ) -> None:
        trees = trace.parses
        self.words, self.trace, self.prompt = words, trace, prompt
        tags = tuple(_tags(trace))
        lemmas = (pair for t in trees for pair in zip(t.words, t.lemmas, strict=True))
        self.said = Said(
            caption,
            tuple(word for tree in trees for word in tree.words),
            tags,
            tuple(
                lemmatize(word, tag) if tag == "VBG" and word == lemma else lemma
                for (word, lemma), tag in zip(lemmas, tags, strict=True)
            ),
            tuple(n for n, tree in enumerate(trees) for _ in tree.words),
        )
        self.sentences, self.tag = self.said.sentences, self.said.tag
        asked = tuple(_asked(trace, caption))
        self.proposals = words.attachment.attached(asked, self.said)
        self.objects = [
            t for t in self.proposals if len(t.members) == 3 and " " not in t.members[1]
        ]
        shift, text = len(prompt.lead), prompt.lead + prompt.text
        spans = find_tokens(text, " ".join(self.said.words))
        self.spans = [(max(0, s - shift), max(0, e - shift)) for s, e in spans]
        self.is_title = _is_title(caption)
        self.texts = tuple(self._texts())

    def _texts(self) -> Iterator[str]:
        text = self.prompt.text
        for place, (word, (start, end)) in enumerate(zip(self.said.words, self.spans)):
            first = not place or self.sentences[place] != self.sentences[place - 1]
            begins = first and self._begins(place)
            known = word in usual_words() or word in self.words["mass"]
            named = self.tag(place + 1) == "NNP" and not known
            as_written = end > start and (named or not (self.is_title or begins))
            own = text[start:end] if as_written and text[start:end] != "I" else word
            yield own.capitalize() if own in self.words["capitals"] else own

    def _begins(self, place: int) -> bool:
        """Return whether a sentence of the caption begins with a word."""
        before = self.said.caption[: self.spans[place][0]].rstrip()
        return not before or before[-1] in _SENTENCE_ENDS

    def span(self, *places: int) -> Span:
        """Return the piece from the first to the last of some words, or everything."""
        spans = [self.spans[p - 1] for p in places if p and self.spans[p - 1] != (0, 0)]
        if not spans:
            return 0, len(self.said.caption)
        return min(start for start, _ in spans), max(end for _, end in spans)

    def span_of(self, tuple_: SemanticTuple) -> Span:
        """Return the piece that says a tuple, within the sentence of its last word."""
        places = [(p, self.sentences[p - 1]) for p in tuple_.tokens if p]
        return self.span(*(p for p, number in places if number == places[-1][1]))

    def value(self, tuple_: SemanticTuple) -> tuple[str, tuple[int, ...]]:
        """Return an attribute in the order of the caption, and the places of its words.

        Participles of the passive stay as they were written: "parked".
        """
        said, member = self.said, tuple_.members[1]
        place = max(tuple_.tokens[1:2], default=0)
        if not place:
            return member, ()
        parts, places = member.split(" "), set[int]()
        last = min(len(said.words), place + _MAX_GAP)
        near = range(max(1, place - _MAX_GAP), last + 1)
        for part in parts:
            fit = [k for k in near if part in (said.lemmas[k - 1], said.words[k - 1])]
            if fit:
                places.add(min(fit, key=lambda k: abs(k - place)))
        if len(places) < len(parts):
            own = self.texts[place - 1]
            if "-" not in own and own[:3] != member[:3]:
                return member, (place,)  # Wooded is not wooden.
            does = said.tag(place) in _VERBS and len(tuple_.written) == 2
            return (tuple_.written[1] if does else own), (place,)
        first = min(places)
        if said.words[first - 1 : first + 1] == ("shaped", "like"):
            places = set(range(first, max(places) + 1))
        if said.tag(first).startswith("VB"):  # Taking a selfie.
            places |= {k for k in range(first, max(places)) if said.tag(k) == "DT"}
        texts = [
            said.lemmas[k - 1] if said.tag(k) in _VERBS else self.texts[k - 1]
            for k in sorted(places)
        ]
        return " ".join(texts), tuple(sorted(places))

    def entities(self) -> dict[str, Entity]:
        """Return the things by the names that the grammar gives them, in order."""
        found = self._mentions()
        things: dict[str, Entity] = {}
        for name, mentions in sorted(found.items(), key=lambda item: item[1][0][0]):
            things[name] = self._mentioned(name, mentions)
        for name, thing in list(things.items()):
            self._name_compound(name, thing, things)
        things = self._with_proper_names(_in_order(things))
        self._name_kinds(things)
        for tuple_ in self.proposals:
            shows = not self.words["depicting"].isdisjoint(tuple_.members[1:])
            shown = things.get(tuple_.members[0])
            if shown and shows and len(tuple_.members) == len(tuple_.tokens) == 2:
                place = tuple_.tokens[1]  # The statue of a man is no man.
                if place < shown.place and self.said.word(place + 1) == "of":
                    shown.words = self.texts[place - 1 : shown.place]
                    shown.name, shown.tag = self.said.lemmas[place - 1], self.tag(place)
        for thing in things.values():
            # A white frisbee is a thing, though to play frisbee is an activity.
            named = thing.tag == "NN" and thing.name in self.words["activities"]
            before = (self.said.before(place) for place, _ in found.get(thing.name, ()))
            thing.activity = named and _ARTICLES.isdisjoint(map(self.said.word, before))
        return things

    def _mentions(self) -> dict[str, list[tuple[int, SemanticTuple]]]:
        """Return the places where each name stands, with the tuple of each."""
        found: dict[str, list[tuple[int, SemanticTuple]]] = {}
        for tuple_ in self.proposals:
            name, place = tuple_.members[0], max(tuple_.tokens[:1], default=0)
            # What bride and groom do, as the tag of a verb in place of a noun tells.
            does = len(tuple_.tokens) == 2 and tuple_.rule == "clause-plain"
            if does and self.tag(tuple_.tokens[1]) == "NNS":
                name, place = tuple_.members[1], tuple_.tokens[1]
            if len(tuple_.members) == 1 or (does and is_living(name)):
                found.setdefault(name, []).append((place, tuple_))
        return found

    def _name_compound(
        self, name: str, thing: Entity, things: dict[str, Entity]
    ) -> None:
        """Join two things that are one: the dining of a table, an orange fire hydrant.

        The parser may take "fire" for the thing and the hydrant for another one.
        """
        own = self.sentences[thing.place - 1 : thing.place + 1]
        joined = len(own) == 2 and own[0] == own[1]
        following = self.said.lemmas[thing.place] if joined else ""
        whole, last = f"{name} {following}", things.get(following)
        if whole in things:
            del things[name]
        elif last and thing.tag == "NN" and last.place == thing.place + 1:
            apart = thing.place not in self._modifiers().get(last.place, ())
            if apart and is_compound(whole):
                last.name, last.words = whole, (*thing.words, *last.words)
                things[name] = last

    def _mentioned(
        self, name: str, mentions: list[tuple[int, SemanticTuple]]
    ) -> Entity:
        """Return the thing of a name by its first noun."""
        nouns = [
            (place, t)
            for place, t in mentions
            if place and self.tag(place) not in _PRONOUNS and t.written != ("one",)
        ]
        place, tuple_ = min(nouns or mentions, key=lambda m: m[0] or len(self.texts))
        return self.entity(name, place, tuple_)

    def entity(self, name: str, place: int, tuple_: SemanticTuple) -> Entity:
        """Return a thing, in the words of the caption where they name it."""
        own = tuple_.written[0] if tuple_.written else name
        start = max(0, place - own.count(" ") - 1)
        texts, lemmas = self.texts[start:place], self.said.lemmas[start:place]
        near = bool(texts) and all(
            part in (text.lower(), lemma) or text[:3].lower() == part[:3]
            for text, lemma, part in zip(texts, lemmas, own.split(" "))
        )
        tag = self.tag(place)
        if not near or tag in _PRONOUNS:
            return Entity(name, place, tuple(name.split(" ")), tag if near else "NN")
        if tag == "NN" and own != name == lemmatize(own, "NNS"):
            return Entity(name, place, texts, "NNS")  # Policemen.
        return Entity(own, place, texts, tag)

    def mention(self, thing: Entity, place: int) -> Entity:
        """Return another thing of the same name, by the place of its last word."""
        lemma = self.said.lemmas[place - 1]
        if lemma == "one" or self.tag(place)[:2] == "JJ":  # A red and a green kayak.
            return Entity(thing.name, place, (*thing.words[:-1], thing.head), "NN")
        words = (*thing.words[:-1], self.texts[place - 1])
        return Entity(thing.name, place, words, self.tag(place))

    def _with_proper_names(self, things: dict[str, Entity]) -> dict[str, Entity]:
        """Name things by the proper names of the caption: the Eiffel Tower."""
        for thing in things.values():
            self._name_properly(thing)
        if self.is_title:
            return things
        text, said = self.prompt.text, self.said
        starts = {start: place for place, (start, _) in enumerate(self.spans, 1)}
        ends = {end: place for place, (_, end) in enumerate(self.spans, 1)}
        for match in _NAME.finditer(text):
            first, last = starts.get(match.start(), 0), ends.get(match.end(), 0)
            while 0 < first < last and self.tag(first) in _NO_NAMES:
                first += 1
            if not 0 < first < last or said.tag(last + 1).startswith("NN"):
                continue
            name = text[self.spans[first - 1][0] : match.end()]
            own = [key for key, t in things.items() if first <= t.place <= last]
            thing = Entity(name, last, tuple(name.split(" ")), "NNP")
            thing.article = said.word(first - 1) == "the"
            start = said.start(thing)
            # "A man watching Star Wars" is no Star Wars.
            watched = "VBG" in said.tags[start - 1 : first - 1]
            if said.word(start - 1) in ("a", "an", "one") and not watched:
                thing.tag = "NN"  # A Labrador Retriever.
            things |= dict.fromkeys(own or [name], thing)
        return _in_order(things)

    def _name_properly(self, thing: Entity) -> None:
        """Mark a thing that a single word with a capital names: the Colosseum."""
        last = thing.words[-1]  # Mars and Athens are no plurals.
        known = last[:1].isupper() and load_wordnet().senses(last.lower())
        if not thing.place or (thing.tag in ("NNS", "NNPS") and not known):
            return
        # An article may be before a black Labrador.
        before = self.said.word(self.said.start(thing) - 1)
        capitals = all(word[:1].isupper() for word in thing.words)
        named = capitals and bool(_CAPITAL.match(thing.words[0]))
        if self._is_unknown(thing):
            named, thing.words = True, tuple(word.title() for word in thing.words)
        if named and before not in ("a", "an", "one"):
            name = " ".join(thing.words)
            thing.name, thing.tag, thing.article = name, "NNP", before == "the"

    def _is_unknown(self, thing: Entity) -> bool:
        """Return whether a name without a capital does something: pikachu running."""
        words, known = thing.words, load_wordnet().senses
        bare = self.tag(self.said.before(thing.first)) not in ("CD", *_PRONOUNS)
        acts = len(words) > 1 or self.tag(thing.place + 1) in _VERBS
        long = all(w.isalpha() and len(w) > _LONG for w in words)
        unknown = long and not any(known(w) or w in usual_words() for w in words)
        acts = acts and thing.tag == "NN" and thing.head not in self.words["mass"]
        return bare and acts and unknown

    def _name_kinds(self, things: Mapping[str, Entity]) -> None:
        """Take nouns before a noun into its name, but not materials: an oak tree."""
        modifiers = self._modifiers()
        places = {thing.place for thing in things.values()}
        for thing in dict.fromkeys(things.values()):
            self._name_whole(thing, modifiers, places)
            own = modifiers.get(thing.place, set())
            if thing.words != self.texts[thing.first - 1 : thing.place]:
                continue
            while thing.first - 1 in own and self._names_kind(thing.first - 1):
                self._take_in_word_before(thing)
            self._name_modifier(thing)

    def _name_modifier(self, thing: Entity) -> None:
        """Take in an adjective that makes a name: a hot air balloon, a hard hat."""
        place = thing.first - 1
        before = self.said.word(place)
        one = f"{before} {thing.words[0]}" in self.words["pairs"]
        if one or f"{self.said.word(place - 1)} {before}" in self.words["pairs"]:
            for _ in range(2 - one):  # A flat screen television, a hot air balloon.
                self._take_in_word_before(thing)
            return
        if before in self.words["sided"] and self.tag(place - 1) == "CC":
            return  # The right and left hands.
        several = len(thing.words) > 1 or "-" in before or not is_living(thing.head)
        # In "she is eating apples" she eats, and there are no "eating apples".
        several = several and all(t.tokens[1:2] != (place,) for t in self.objects)
        if several and place and self.tag(place).startswith(("JJ", "VBG", "VBN")):
            alone = thing.words[1:] == ()
            pair = before, thing.head if alone else thing.words[0].lower()
            plain = pair[0] in self.words.details or pair[0] in self.words["capitals"]
            golden = pair[0] in self.words["material_adjectives"]  # A retriever.
            plain = plain or before in self.words["states"]
            if is_below(pair[1], ("plant part",)) and is_below(before, _PLANTS, None):
                self._take_in_word_before(thing)  # Rose petals.
                return
            if plain and not (golden and is_living(" ".join(pair))):
                return  # A white cell phone is not for white cells.
            names = (
                f"{before}_{pair[1]}",
                f"{before}-{pair[1]}",
                f"{before}_{thing.words[0]}",
            )
            senses = chain.from_iterable(map(load_wordnet().senses, names))
            if any(part == "n" for part, _ in senses):
                self._take_in_word_before(thing)

    def _take_in_word_before(self, thing: Entity) -> None:
        thing.name = f"{self.said.words[thing.first - 2]} {thing.name}"
        thing.words = (self.texts[thing.first - 2], *thing.words)

    def _names_kind(self, place: int) -> bool:
        lemma = self.said.lemmas[place - 1]
        is_noun = self.tag(place) in ("NN", "NNP", "NNPS")
        pair = f"{self.said.word(place - 1)}_{self.said.word(place)}"
        detail = self.words.details.get(lemma)  # Ice cream is no color.
        named = not detail or (detail == "color" and load_wordnet().senses(pair))
        return bool(is_noun and named and lemma not in self.words["nothing"])

    def _name_whole(
        self, thing: Entity, modifiers: Mapping[int, set[int]], places: set[int]
    ) -> None:
        """Join a noun to the noun before it where it is not a thing: a panda bear."""
        last = thing.place + 1
        if not thing.place or last > len(self.texts) or last in places:
            return
        if thing.place in modifiers.get(last, ()) and self.tag(last)[:2] == "NN":
            thing.words = (*thing.words, self.texts[last - 1])
            thing.name = f"{thing.name} {self.said.lemmas[last - 1]}"
            thing.place, thing.tag = last, self.tag(last)

    def _modifiers(self) -> dict[int, set[int]]:
        """Return the places of the words that modify each noun directly."""
        found: dict[int, set[int]] = {}
        start = 0
        for tree in self.trace.parses:
            for place, (head, label) in enumerate(zip(tree.heads, tree.labels), 1):
                if label in _MODIFIERS:
                    found.setdefault(head + start, set()).add(place + start)
            start += len(tree.words)
        return found


def _asked(trace: Trace, words: str) -> Iterator[SemanticTuple]:
    """Yield what may be asked: of left arms by that name, and what is about to be."""
    own = {(t.tokens[0], t.members[1]) for t in trace.proposals if t.rule == _SIDE}
    # The right and left hands are both.
    sides = {p: side for p, side in own if not {(p, "left"), (p, "right")} <= own}
    soon = trace.unreal if _SOON.search(words) else ()
    for tuple_ in chain(trace.proposals, soon):
        if tuple_.rule != _SIDE and tuple_.mood != "denied":
            ends = zip(tuple_.members, (*tuple_.tokens, 0, 0), strict=False)
            said = tuple(f"{sides[at]} {m}" if at in sides else m for m, at in ends)
            yield replace(tuple_, members=said, mood="")


def _tags(trace: Trace) -> Iterator[str]:
    """Yield the tag of each word: the parser's, unless rules make its noun a verb."""
    for tree, graph in zip(trace.parses, trace.dependencies, strict=True):
        before = ""
        words = zip(tree.words, tree.lemmas, tree.tags, graph.tags)
        for word, lemma, tag, meant in words:
            # A trick that somebody performs is not a verb, as rules read it.
            mended = tag == "NN" and meant.startswith("VB") and before != "DT"
            strung = tag == "VBG" and not word.endswith("ing")
            several = tag in ("NN", "NNP") and _is_plural(word)
            own = "VBN" if strung else "NNS" if several else tag
            if own == "NN" and (_is_adjective(word) or word == "parallel"):
                own = "JJ"
            if (own, lemma, before) == ("NNS", word, "NN") and word[-1] != "s":
                own = "NN"  # An ice floe.
            if tag in _FINITE and not is_verb(lemma):
                senses = load_wordnet().senses(word)
                own = "JJ" if any(part in ("a", "s") for part, _ in senses) else "NNS"
            yield meant if mended else own
            before = tag


@cache
def _is_adjective(word: str) -> bool:
    """Return whether a word is an adjective, and no noun."""
    parts = {part for part, _ in load_wordnet().senses(word)}
    return "n" not in parts and not parts.isdisjoint(("a", "s"))


@cache
def _is_plural(word: str) -> bool:
    """Return whether a noun is the plural of a known one, and no other word."""
    senses = load_wordnet().senses
    if word[-1:] != "s" or word[-2:] in ("is", "ss", "us") or senses(word):
        return False
    return any(part == "n" for part, _ in senses(word[:-1]))


def _in_order(things: Mapping[str, Entity]) -> dict[str, Entity]:
    return dict(sorted(things.items(), key=lambda item: item[1].place))


def _is_title(caption: str) -> bool:
    """Return whether a caption is a title: all its long words have capitals."""
    words = [word for word in caption.split() if word[0].isalpha()]
    long = [word for word in words if len(word) > _LONG]
    return len(long) > 1 and all(word[0].isupper() for word in (words[0], *long))
