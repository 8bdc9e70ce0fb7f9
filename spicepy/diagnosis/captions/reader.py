"""The reader: turn captions into readings.

In: a caption's trace through the pipeline, or its semantic tuples alone. Out: a
`Reading`: its things with their amounts and attributes, their relations, and its words.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Final

from spicepy.common.files import check_name, without_digest
from spicepy.common.threads import LRUCache, no_collector
from spicepy.diagnosis.captions.caption import Reading, Thing, find_verbs, unclaimed
from spicepy.diagnosis.captions.naming import (
    Draft,
    SaidOfNouns,
    draft_things,
    is_pronoun,
    named,
    of_materials,
    relations,
)
from spicepy.diagnosis.lexicon.lexicon import Lexicon
from spicepy.objects.amounts import ONE, Amount
from spicepy.pipeline import Pipeline, Trace
from spicepy.rules.loading import load_grammar
from spicepy.rules.tuples import SemanticTuple
from spicepy.rules.values import grammar_digest
from spicepy.words.wordnet import load_hierarchy

CACHED: Final = 30_000  # The number of captions whose readings a reader keeps

_CONTENT: Final = ("NN", "VB", "JJ", "CD")
_AUXILIARIES: Final = ("be", "have", "do")
_UNREAD: Final = frozenset(("shared-number", "guy"))
"""Cards that are left out: the number of several owners for the thing that each has;
and "person" for a guy, who is a man."""


GRAMMAR: Final = "spicepy-1"  # The grammar by which the analysis reads captions


def content_lemmas(tags: Sequence[str], lemmas: Sequence[str]) -> list[str]:
    """Return the lemmas of nouns, verbs, adjectives and numbers without auxiliaries."""
    return [
        lemma
        for tag, lemma in zip(tags, lemmas, strict=True)
        if tag.startswith(_CONTENT) and lemma not in _AUXILIARIES
    ]


def analysis_pipeline(
    jobs: int = 1,
    cache: str | Path | None = None,
    *,
    grammar: str = GRAMMAR,
    model: str | None = None,
) -> Pipeline:
    """Return the pipeline that parses captions for the error analysis.

    Args:
        jobs: Processes for parsing.
        cache: A folder that keeps what is parsed.
        grammar: Name or folder, also with its digest as a signature has it.
        model: A parser; by default the one that the grammar is written for.

    Raises:
        InputError: The grammar has another digest than the one named, or an option is
            wrong; see `Pipeline`.
        GrammarError: The grammar is wrong.
    """
    # Captions of several sentences are read in the same way as short ones, since the
    # references that they are compared with are short: the normalisations of
    # `spicepy-1` for descriptions are left out. So are the cards of `_UNREAD`, which
    # say more or less than the caption does.
    known = load_grammar(without_digest(grammar)[0])
    used = replace(
        known,
        rules=tuple(r for r in known.rules if r.id not in _UNREAD),
        rewrites=tuple(r for r in known.rewrites if r.card.id not in _UNREAD),
        normalisations=tuple(
            f for f in known.normalisations if not f.several and f.id not in _UNREAD
        ),
    )
    used = replace(used, digest=grammar_digest(used))
    pipeline = Pipeline(grammar=used, model=model, jobs=jobs, cache=cache)
    if without_digest(grammar)[1]:
        check_name("analysis grammar", grammar, pipeline.signature()["grammar"])
    return pipeline


class Reader:
    """Reads captions with a lexicon and caches the latest readings.

    Args:
        lexicon: The words of the error analysis.
        pipeline: Parses captions; by default `analysis_pipeline()`, made when it is
            first needed.
    """

    def __init__(self, lexicon: Lexicon, pipeline: Pipeline | None = None) -> None:
        self.lexicon = lexicon
        self._given = pipeline
        self._memory: LRUCache[str, Reading] = LRUCache(CACHED)

    @cached_property
    def pipeline(self) -> Pipeline:
        """The pipeline that parses captions."""
        return self._given or analysis_pipeline()

    def read(self, captions: Iterable[str]) -> dict[str, Reading]:
        """Return caption -> its reading."""
        # The latest `CACHED` readings are kept, so that the references of several
        # systems are read once.
        wanted = list(dict.fromkeys(captions))
        readings = self._memory.get(wanted)
        new = [caption for caption in wanted if caption not in readings]
        with no_collector():
            traces = zip(new, self.pipeline.traces(new), strict=True)
            readings |= {caption: self.read_trace(t) for caption, t in traces}
        self._memory.keep(readings)
        return readings

    def read_trace(self, trace: Trace) -> Reading:
        """Return the reading of a caption from its trace through the pipeline."""
        words = tuple(word for tree in trace.parses for word in tree.words)
        tags = tuple(tag for tree in trace.parses for tag in tree.tags)
        own = tuple(lemma for tree in trace.parses for lemma in tree.lemmas)
        sentences = tuple(
            number for number, tree in enumerate(trace.parses, 1) for _ in tree.words
        )
        names = self.lexicon.names
        proposals = named(trace.proposals, names, words, own)
        said = SaidOfNouns(trace.parses, self.lexicon)
        if said.denied:
            proposals = [t for t in proposals if not said.denied & _noun_places(t)]
        made = self._reading(trace.caption, words, tags, proposals, said)
        made = replace(made, sentences=sentences)
        taken = {word for thing in made.things for word in _named_by(thing, own)}
        taken |= names.placeholders | names.added
        # What a caption only supposes it does not claim; what it denies is a kind of
        # its own (`kinds.negations`).
        supposed = (t for t in trace.unreal if t.mood == "supposed")
        taken |= {word for t in supposed for name in t.members for word in name.split()}
        skipped = names.placeholders
        return replace(
            made,
            lemmas=self._all_forms(words, own),
            tags=tags,
            parts=dict(zip(own, (tag[:2] for tag in tags))),
            unnamed=self._unnamed(made.things, own),
            things=(
                *self._said_again(made.things, sentences),
                *self._dressed(words, tags),
            ),
            others=tuple(dict.fromkeys(n for n in _nouns(own, tags) if n not in taken)),
            unclaimed=unclaimed(made, said.supposed, self.lexicon),
            denied=said.denied_names,
            verbs=tuple(find_verbs(tags, own, made.things, made.relations)),
            content=tuple(w for w in content_lemmas(tags, own) if w not in skipped),
        )

    def read_tuples(
        self, proposals: Sequence[SemanticTuple], caption: str = ""
    ) -> Reading:
        """Return the reading of tuples without a parse, as ready-made graphs have."""
        members = (m for tuple_ in proposals for m in tuple_.members)
        lemmas = frozenset(word for m in members for word in (m, *m.split(" ")))
        own = named(proposals, self.lexicon.names)
        return replace(self._reading(caption, (), (), own, None), lemmas=lemmas)

    def _reading(
        self,
        caption: str,
        words: tuple[str, ...],
        tags: tuple[str, ...],
        proposals: Sequence[SemanticTuple],
        said: SaidOfNouns | None,
    ) -> Reading:
        """Return the reading of tuples alone: its things and relations."""
        materials = self.lexicon.aspects.values["material"]
        proposals = of_materials(proposals, materials)
        made, numbers = draft_things(proposals, words, tags)
        order = sorted(range(len(made)), key=lambda k: made[k].place)
        rank = {old: new for new, old in enumerate(order)}
        related = dict.fromkeys(
            (rank[a], how, rank[b]) for a, how, b in relations(proposals, made, numbers)
        )
        names = [made[k].name for k in order]
        things = tuple(
            self._thing(
                made[k], words, tags, said, named=self._is_again(names[: n + 1])
            )
            for n, k in enumerate(order)
        )
        things = self._without_kin_of_animals(self._toys(things))
        return Reading(caption, words, frozenset(), things, tuple(related))

    def _toys(self, things: tuple[Thing, ...]) -> tuple[Thing, ...]:
        """Return "a stuffed bear" or "stuff bear" as a toy, which is not a bear."""
        nouns, toys = self.lexicon.nouns, self.lexicon.names.toys

        def renamed(thing: Thing) -> Thing:
            said = (*thing.attributes, thing.name.partition(" ")[0])
            name = next((toys[word] for word in said if word in toys), None)
            is_animal = nouns.is_living(thing.name) and not nouns.is_person(thing.name)
            return replace(thing, name=name) if name and is_animal else thing

        return tuple(map(renamed, things))

    def _said_again(
        self, things: tuple[Thing, ...], sentences: Sequence[int]
    ) -> tuple[Thing, ...]:
        """Return things without the amounts of those that a sentence only repeats."""
        # "A table with a table" tells the number of tables as little as the captioner
        # knows it; "a red car and a car" does. People and animals are told apart by
        # what they do: "a man throws a ball and a man catches it".
        bare = [
            (t.name, sentences[t.place - 1]) if t.place and t.amount == ONE else None
            for t in things
        ]
        again = {
            own
            for own, number in Counter(bare).items()
            if own and number > 1 and not self.lexicon.nouns.is_living(own[0])
            if not any(t.attributes for t in things if t.name == own[0])
        }
        return tuple(
            replace(thing, amount=None) if own in again else thing
            for thing, own in zip(things, bare)
        )

    def _without_kin_of_animals(self, things: tuple[Thing, ...]) -> tuple[Thing, ...]:
        """Return "her baby" as a zebra, if the caption has "a mother zebra"."""
        nouns, kin = self.lexicon.nouns, self.lexicon.people.kin
        animal = next(
            (
                thing.name
                for thing in things
                if not kin.isdisjoint(thing.attributes) and nouns.is_living(thing.name)
                if not nouns.is_person(thing.name)
            ),
            None,
        )
        if animal is None:
            return things
        return tuple(
            replace(
                thing,
                name=animal,
                attributes=(*thing.attributes, thing.name),
                gender=None,
                age=None,
            )
            if thing.name in kin
            else thing
            for thing in things
        )

    def _is_again(self, names: Sequence[str]) -> bool:
        """Return whether the last name stands before, or a group of such people."""
        *before, name = names
        grouped = not self.lexicon.quantities.groups.keys().isdisjoint(before)
        return name in before or (grouped and self.lexicon.nouns.is_person(name))

    def _thing(
        self,
        draft: Draft,
        words: Sequence[str],
        tags: Sequence[str],
        said: SaidOfNouns | None,
        *,
        named: bool,
    ) -> Thing:
        name, people = draft.name, self.lexicon.people
        attributes = tuple(sorted(draft.attributes, key=lambda a: draft.attributes[a]))
        if said is None or not draft.place:
            amount = self._amount_of_tuples(name, attributes)
        else:
            amount = said.amount(name, draft.place, named=named)
        pronoun = is_pronoun(draft.place, tags)  # "He" may be a man or a boy.
        return Thing(
            name,
            draft.place,
            amount,
            attributes,
            people.gender(name, attributes, (words[k - 1] for k in draft.pronouns)),
            None if pronoun else people.age(name, attributes),
            tuple(draft.pronouns),
            said.is_restricted(draft.place) if said and draft.place else False,
        )

    def _amount_of_tuples(self, name: str, attributes: Sequence[str]) -> Amount | None:
        """Return how many things there are by their name and attributes alone."""
        quantities, head = self.lexicon.quantities, name.rpartition(" ")[2]
        if not quantities.portions.isdisjoint(attributes):
            return None
        found = (quantities.of_word(attribute) for attribute in attributes)
        number = next((amount for amount in found if amount), None)
        if number is not None or head not in quantities.groups:
            return number
        low, high = quantities.groups[head]
        return Amount(low, high or None, "quantity" if high else "vague", head)

    def _dressed(self, words: Sequence[str], tags: Sequence[str]) -> Iterator[Thing]:
        """Yield clothes that are named by their colour alone: "a woman in black"."""
        colors = self.lexicon.aspects.values["color"]
        for start, word in enumerate(words):
            if word not in ("in", "wearing", "wears"):
                continue
            end = start + 1
            while end < len(words) and (words[end] in colors or words[end] == "and"):
                end += 1
            said = tuple(word for word in words[start + 1 : end] if word in colors)
            followed = tags[end] if end < len(tags) else ""
            if said and not followed.startswith(("NN", "JJ", "VBN", "VBD", "CD")):
                yield Thing("clothes", end, attributes=said)

    def _unnamed(
        self, things: Sequence[Thing], lemmas: Sequence[str]
    ) -> frozenset[str]:
        """Return the words that only stand in names of other things."""
        inside: set[int] = set()
        for name in {name for t in things for name in (t.name, *t.attributes)}:
            number, words = len(self.lexicon.nouns.words_of_others(name)), name.split()
            for at in range(len(lemmas) if number else 0):
                if list(lemmas[at : at + len(words)]) == words:
                    inside.update(range(at, at + number))
        others = {w for place, w in enumerate(lemmas) if place not in inside}
        return frozenset(lemmas[k] for k in inside) - others

    def _all_forms(self, words: Sequence[str], lemmas: Sequence[str]) -> frozenset[str]:
        """Return words, lemmas, parts of hyphenated words, and joined neighbours."""
        own, young = {*words, *lemmas}, self.lexicon.nouns.young
        grown = (young[word] for word in young.keys() & own)
        parts = (part for word in own if "-" in word for part in word.split("-"))
        pairs = {*pairwise(words), *pairwise(lemmas)}
        joined = (text for a, b in pairs for text in (a + b, f"{a} {b}"))
        return frozenset((*own, *grown, *parts, *joined))


def _noun_places(tuple_: SemanticTuple) -> set[int]:
    """Return the positions of the nouns of a tuple."""
    return {place for place in tuple_.tokens[::2] if place}


def _named_by(thing: Thing, lemmas: Sequence[str]) -> Iterator[str]:
    """Yield the words of a thing's name, and "cell" and "phone" of a cellphone."""
    # A thing whose noun is not in its name has the name of its last two words.
    words = thing.name.split(" ")
    yield from words
    if 0 < thing.place <= len(lemmas) and lemmas[thing.place - 1] not in words:
        yield from lemmas[max(0, thing.place - 2) : thing.place]


def _nouns(lemmas: Sequence[str], tags: Sequence[str]) -> Iterator[str]:
    """Yield the nouns, also those that the parser takes for adjectives."""
    is_only_noun = load_hierarchy().is_only_noun
    return (
        lemma
        for lemma, tag in zip(lemmas, tags)
        if tag.startswith("NN") or (tag == "JJ" and is_only_noun(lemma))
    )
