"""Presence: whether a caption says that what a noun names is there.

It is the one reader of denial, depiction and doubt: CHAIR's variant `clean`, `spicepy
count` and the error analysis all ask here.

    denied     no dog, without a dog, free of dogs, neither a dog nor a cat
    depicted   a toy dog, a statue of a dog, a kite shaped like a dog
    owner      the dog's bowl
    supposed   possibly a dog, a dog or a cat

The words are in `grammars/mentions.toml`.

Source: Quirk et al. 1985, sections 10.54-10.70 (negation), 8.127 (adverbs of doubt).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property, partial
from typing import Final, Literal

from spicepy.common.resources import from_table, read_table
from spicepy.objects.amounts import cases, children, load_amount_words
from spicepy.objects.sentence_amounts import SentenceAmounts
from spicepy.parsing.trees import Parse
from spicepy.words.wordnet import is_below, load_hierarchy

FILE: Final = "mentions.toml"
Presence = Literal["there", "denied", "depicted", "owner", "supposed"]
COMPOUND: Final = ("compound", "nn")
_SUBJECTS: Final = ("nsubj", "nsubjpass", "csubj")
_OBJECTS: Final = ("dobj", "obj")
_PUNCTUATION: Final = (",", ".", ":", ";")


@dataclass(frozen=True)
class MentionWords:
    """Words next to which a noun names no object; see `grammars/mentions.toml`."""

    negation: frozenset[str]
    nots: frozenset[str]
    neither: frozenset[str]
    none: frozenset[str]
    choice: frozenset[str]
    absence: frozenset[str]
    only: frozenset[str]
    free_of: frozenset[str]
    lack: frozenset[str]
    missing: frozenset[str]
    seen: frozenset[str]
    nobody: frozenset[str]
    hedges: frozenset[str]
    may: frozenset[str]
    able: frozenset[str]
    seeming: frozenset[str]
    impersonal: frozenset[str]
    seating: frozenset[str]
    imagined: frozenset[str]
    about: frozenset[str]
    conditions: frozenset[str]
    meant: frozenset[str]
    once: frozenset[str]
    owning: frozenset[str]
    depictions: frozenset[str]
    pictures: frozenset[str]
    taking: frozenset[str]
    hung: frozenset[str]
    surfaces: frozenset[str]
    showing: frozenset[str]
    screens: frozenset[str]
    on: frozenset[str]
    on_it: frozenset[str]
    displaying: frozenset[str]
    shapes: frozenset[str]
    printed: frozenset[str]
    drawn: frozenset[str]
    made: frozenset[str]
    out_of: frozenset[str]
    modifiers: frozenset[str]
    likeness: frozenset[str]
    examples: frozenset[str]
    disguise: frozenset[str]
    role: frozenset[str]
    parts: frozenset[str]
    compounds: Mapping[str, str]

    @cached_property
    def denying(self) -> frozenset[str]:
        """All words that can deny a noun or take part in it."""
        of_nouns = self.negation | self.absence | self.free_of | self.nobody
        return of_nouns | self.lack | self.missing

    @cached_property
    def supposing(self) -> frozenset[str]:
        """All words of which one is beside a noun that is only possible."""
        unreal = self.imagined | self.conditions | self.once | {"used"}
        return self.may | self.seeming | self.able | unreal | {"for"}

    @cached_property
    def depicting(self) -> frozenset[str]:
        """All words beside which a noun can stand for a figure or a picture."""
        figures = self.depictions | self.modifiers | self.pictures
        shown = self.showing | self.screens | self.printed | self.drawn | self.made
        return figures | shown | self.likeness | self.shapes | self.disguise


@cache
def load_mention_words() -> MentionWords:
    """Read the words."""
    return read_table(FILE, partial(from_table, MentionWords))


class SentencePresence:
    """The reading of one sentence: which of its things are there."""

    def __init__(self, amounts: SentenceAmounts, words: MentionWords) -> None:
        tree = amounts.tree
        self.tree, self.words = tree, words
        self._numbers = amounts.inside
        present = {*tree.words, *tree.lemmas}
        # Most sentences have no such word, so that nothing in them can be denied.
        self._may_deny = not words.denying.isdisjoint(present)
        self._may_depict = not words.depicting.isdisjoint(present)
        self.chosen = frozenset(self._chosen())
        supposed = {*self._doubted(), *self.chosen}
        if not words.supposing.isdisjoint(present):
            nouns = (k for k, tag in enumerate(tree.tags, 1) if tag.startswith("NN"))
            supposed.update(filter(self._is_possible, nouns))
        self.supposed = frozenset(supposed)

    def of(self, first: int, last: int, *, living: bool) -> Presence:
        """Return whether what a noun, at positions `first` to `last`, names is there.

        A person or an animal is `living`: its figures are often made of wood or stone.
        """
        if self._is_denied(last):
            return "denied"
        if self._may_depict and self._is_depicted(first, last, living=living):
            return "depicted"
        if self._is_owner(last):
            return "owner"
        if last in self.supposed:
            return "supposed"
        return "there"

    def _is_possible(self, last: int) -> bool:
        """Return whether a noun may be there: "a bus that can seat fifty people"."""
        tree, head, label = self.tree, self.tree.heads[last - 1], self._label(last)
        if label == "conj" and not cases(tree, last):
            return self._is_possible(head)  # "There may be a cat and a dog"
        own, above = self._auxiliaries(last), self._auxiliaries(head)
        may = self.words.may
        below = {self._label(k) for k in children(tree, last)}
        if own & may or not head:
            return bool(own & may)
        if not self._is_definite(last) and self._is_past(last, label):
            return True
        if label == "xcomp" and "cop" in below:
            return tree.lemmas[head - 1] in self.words.seeming
        if self._is_imagined(last, head, label):
            return True
        there = any(self._label(k) == "expl" for k in children(tree, head))
        if label == "nsubj" and there and above & may:
            return True  # "There may be a cat"
        if self._is_impression(head):
            return not self._is_definite(last)
        if label in _OBJECTS and tree.lemmas[head - 1] in self.words.seating:
            return not above.isdisjoint(may | self.words.able)
        meant = tree.tags[head - 1].startswith("NN") or self._label(head) == "acl"
        meant = meant or tree.lemmas[head - 1] in self.words.meant
        counted = any(k in self._numbers for k in children(tree, last))
        return label == "nmod" and meant and counted and "for" in cases(tree, last)

    def _is_imagined(self, last: int, head: int, label: str) -> bool:
        """Return whether someone wants or imagines a noun: "dreams of two horses".

        Or whether it is in a condition: "if two people came".
        """
        tree, words = self.tree, self.words
        if self._is_definite(last):
            return False
        about = label in _OBJECTS or not cases(tree, last).isdisjoint(words.about)
        if about and tree.lemmas[head - 1] in words.imagined:
            return True
        while head:
            marks = (k for k in children(tree, head) if self._label(k) == "mark")
            for k in marks:
                # In "a group if people" it is misspelt.
                of = k > 1 and tree.tags[k - 2].startswith("NN")
                if tree.words[k - 1] in words.conditions and not of:
                    between = tree.words[min(head, last) : max(head, last)]
                    return "," not in between
            head = tree.heads[head - 1]
        return False

    def _is_past(self, at: int, label: str) -> bool:
        """Return whether a noun is no longer there: "there used to be a boat"."""
        tree, verb = self.tree, self.tree.heads[at - 1]
        if label not in (*_SUBJECTS, *_OBJECTS, "xcomp"):
            return False
        if self._label(verb) == "xcomp":
            verb = tree.heads[verb - 1]
        below = children(tree, verb)
        if tree.words[verb - 1 : verb + 1] == ("used", "to"):
            return all(self._label(k) != "auxpass" for k in below)
        once = any(tree.words[k - 1] in self.words.once for k in below)
        return once and "VBD" in {tree.tags[k - 1] for k in (verb, *below)}

    def _is_impression(self, verb: int) -> bool:
        """Return whether a clause only seems true: "it looks like there is a cat"."""
        tree, above = self.tree, self.tree.heads[verb - 1]
        if not above or tree.lemmas[above - 1] not in self.words.seeming:
            return False
        subjects = {tree.words[k - 1] for k in children(tree, above) if k < above}
        clause = self._label(verb) in ("advcl", "ccomp") and above < verb
        return clause and not subjects.isdisjoint(self.words.impersonal)

    def _auxiliaries(self, at: int) -> set[str]:
        """Return the auxiliaries of a word."""
        below = (k for k in children(self.tree, at) if self._label(k) == "aux")
        return {self.tree.lemmas[k - 1] for k in below}

    def denied_nouns(self) -> Iterator[int]:
        """Yield the positions of all nouns that the sentence denies."""
        if not self._may_deny:
            return
        for at, tag in enumerate(self.tree.tags, 1):
            nobody = self.tree.words[at - 1] in self.words.nobody
            if tag.startswith("NN") and (nobody or self._is_denied(at)):
                yield at

    def _is_denied(self, at: int) -> bool:
        if not self._may_deny:
            return False
        if self._is_negated_noun(at):
            return True
        if cases(self.tree, at) & self.words.absence:
            return True
        head, label = self.tree.heads[at - 1], self.tree.labels[at - 1]
        if not head:
            return False
        if label == "conj" and not cases(self.tree, at):
            return self._shares_denial(at, head)
        if label.startswith(("nmod", "acl", "advcl")) or label in ("appos", "dep"):
            linked = {"of", "from"} & cases(self.tree, at)
            free = self._lemma_or_word(head) & self.words.free_of
            if linked and free and not self._is_definite(at):
                return True
        if label.startswith("nmod") and "of" in cases(self.tree, at):
            return self._is_portion(head) and self._is_denied(head)
        return self._is_denied_by_verb(at, head, label)

    def _is_portion(self, head: int) -> bool:
        """Return whether a noun counts what follows it: "no group of people"."""
        lemma, known = self.tree.lemmas[head - 1], load_amount_words()
        return lemma in known.collectives or lemma in known.vague

    def _is_negated_noun(self, at: int) -> bool:
        """Return whether a "no" or "not" stands before a noun: "no dogs"."""
        before = [k for k in children(self.tree, at) if k < at]
        articles = (k for k in before if self._label(k) == "det")
        denying = filter(self._denies, (*before, min(articles, default=at) - 1))
        # "Neither the dog nor the cat sleeps", "neither dog sleeps": both are there.
        definite, neither = self._is_definite(at), self.words.neither
        each = definite or len(neither.intersection(self.tree.words)) < len(neither)
        return any(
            not (each and self.tree.lemmas[k - 1] in neither)
            and not (definite and self._label(k) == "neg" and cases(self.tree, at))
            for k in denying  # "Not on the bed"
        )

    def _denies(self, k: int) -> bool:
        """Return whether a word denies, other than in "no more than" and "not only"."""
        tree, words = self.tree, self.words
        if not k or k in self._numbers or tree.lemmas[k - 1] not in words.negation:
            return False
        after = tree.words[k] if k < len(tree.words) else ""
        return not (tree.lemmas[k - 1] in words.nots and after in words.only)

    def _shares_denial(self, at: int, head: int) -> bool:
        """Return whether a denial of the first noun covers a further one."""
        # "No cars or trucks", "without cars and people"; not "no cars but a truck".
        below = list(children(self.tree, head))
        links = {self.tree.lemmas[k - 1] for k in below if self._label(k) == "cc"}
        own = [k for k in children(self.tree, at) if self._label(k) in ("det", "neg")]
        if "but" in links or any(self._denies(k) for k in own):
            return False
        if not self._is_denied(head):
            return False
        if links & self.words.choice:
            return True
        first = set(map(self._label, children(self.tree, head)))
        own_article = bool(own) and {"det", "nummod"}.isdisjoint(first)
        negated = self._is_negated_noun(head) or self._label(head) in _OBJECTS
        return not (negated or own_article)

    def _is_definite(self, at: int) -> bool:
        """Return whether a noun has a "the": then it is there, whatever it does not."""
        return any(self.tree.words[k - 1] == "the" for k in children(self.tree, at))

    def _is_denied_by_verb(self, at: int, head: int, label: str) -> bool:
        """Return whether the predicate of a noun says that it is not there."""
        tree, words = self.tree, self.words
        verb = self._lemma_or_word(head)
        if label in _OBJECTS:
            if verb & words.lack:
                return True
            subjects = [k for k in children(tree, head) if self._label(k) in _SUBJECTS]
            nobody = any(self._is_nobody(k) for k in subjects)
            denied = nobody or self._is_negated(head)
            return denied and not self._is_definite(at)
        if any(tree.words[k - 1] == "any" for k in children(tree, at)):
            return self._is_negated(head)
        if label in _SUBJECTS or label == "nmod":
            if label != "nmod" and verb & words.missing:
                return not self._is_negated(head)
            copula = bool(verb & words.seen)
            return copula and label != "nmod" and self._is_negated(head)
        return False

    def _is_nobody(self, at: int) -> bool:
        """Return whether a subject denies its sentence: "nobody", "none of the men"."""
        own = {self.tree.words[k - 1] for k in (at, *children(self.tree, at))}
        none = own & (self.words.nobody | self.words.none | self.words.neither)
        return bool(none) or self._is_negated_noun(at)

    def _is_negated(self, verb: int) -> bool:
        below = (k for k in children(self.tree, verb) if self._label(k) == "neg")
        return any(self._denies(k) for k in below)

    def _lemma_or_word(self, at: int) -> set[str]:
        return {self.tree.lemmas[at - 1], self.tree.words[at - 1]}

    def _label(self, at: int) -> str:
        return self.tree.labels[at - 1]

    def _is_depicted(self, first: int, last: int, *, living: bool) -> bool:
        """Return whether a noun stands for a figure or a picture of what it names."""
        tree, words = self.tree, self.words
        for k in children(tree, last):
            if k < first and self._label(k) in (*COMPOUND, "amod"):
                lemma = tree.lemmas[k - 1]
                if lemma in words.depictions:
                    return True
                if {lemma, tree.words[k - 1]} & words.modifiers and living:
                    return True
            shown = self._label(k).startswith("nmod") and k > last
            if (
                shown
                and cases(tree, k) & words.on
                and tree.lemmas[k - 1] in words.showing
            ):
                return True
        ways = self._is_drawn, self._is_on_clothes, self._is_displayed
        likened = self._is_likeness, self._is_shown_by_noun
        return any(is_one(last) for is_one in (*ways, *likened))

    def _is_drawn(self, last: int) -> bool:
        """Return whether a noun is drawn or made: "a dog painted on a bus"."""
        tree, words = self.tree, self.words
        head = tree.heads[last - 1]
        covered = head and tree.lemmas[head - 1] in words.drawn - words.pictures
        if covered and tree.words[head : head + 1] == ("with",):
            return "with" in cases(tree, last)  # "A wall painted with a dog"
        below = [k for k in children(tree, last) if self._label(k) == "acl"]
        below += [head] if self._label(last) == "nsubjpass" else []
        for verb in below:
            lemma, linked = tree.lemmas[verb - 1], set[str]()
            for k in children(tree, verb) if tree.tags[verb - 1] == "VBN" else ():
                linked |= cases(tree, k)
            living = is_living(tree.lemmas[last - 1])
            if lemma in words.drawn and "on" in linked:
                return True
            if lemma in words.made and linked & words.out_of and living:
                return True
        return False

    def _is_on_clothes(self, last: int) -> bool:
        """Return whether a noun is a picture on a thing: "a shirt with a cat on it"."""
        tree, words = self.tree, self.words
        below = (k for k in children(tree, last) if tree.lemmas[k - 1] == "with")
        place = next(below, 1)  # Of "with", after the noun for the thing
        noun = tree.lemmas[place - 2] if place > 1 else ""
        after = {" ".join(tree.words[last:end]) for end in (last + 2, last + 3)}
        return noun in words.showing | words.printed and bool(after & words.on_it)

    def _is_displayed(self, last: int) -> bool:
        """Return whether a thing shows it: "a poster advertising pizza"."""
        tree, words, head = self.tree, self.words, self.tree.heads[last - 1]
        shows = words.showing | words.screens
        if head and "about" in cases(tree, last):
            return tree.lemmas[head - 1] in shows
        verb = tree.lemmas[head - 1]
        if self._label(last) not in _OBJECTS or verb not in words.displaying:
            return False
        subjects = (k for k in children(tree, head) if self._label(k) in _SUBJECTS)
        who = tree.heads[head - 1] if self._label(head) == "acl" else next(subjects, 0)
        return bool(who) and tree.lemmas[who - 1] in shows

    def _is_likeness(self, last: int) -> bool:
        """Return whether something is only compared with a noun: "like a bird"."""
        likeness, head = self.words.likeness, self.tree.heads[last - 1]
        if head and "of" in cases(self.tree, last) and "in" in cases(self.tree, head):
            return self.tree.lemmas[head - 1] in self.words.shapes
        if governing_cases(self.tree, last) & likeness:
            kind = self.tree.lemmas[head - 1] if head else ""
            return kind not in self.words.examples or self.tree.tags[head - 1] == "NN"
        if "as" in cases(self.tree, last) and head:
            return self.tree.lemmas[head - 1] in self.words.disguise
        return (
            bool(head)
            and self._label(last) in _OBJECTS
            and bool(self._lemma_or_word(head) & likeness)
        )

    def _is_shown_by_noun(self, last: int) -> bool:
        """Return whether a noun is what a picture or a figure shows: "statue of"."""
        at, tree = last, self.tree
        for _ in tree.words:
            head, label = tree.heads[at - 1], self._label(at)
            if not head:
                return False
            if label == "conj":
                if cases(tree, at):
                    return False
            elif label.startswith("nmod") and "of" in cases(tree, at):
                if self._is_picture(head):
                    return True
            else:
                return False
            at = head
        return False

    def _is_picture(self, head: int) -> bool:
        """Return whether a noun is a depiction, or a picture within the picture."""
        tree, words = self.tree, self.words
        noun = tree.lemmas[head - 1]
        if noun in words.depictions:
            return True
        if noun not in words.pictures:
            return False
        governor = tree.heads[head - 1]
        if governor and tree.lemmas[governor - 1] in words.taking:
            return False  # "Taking a picture of the dogs"
        if governor and self._label(head) not in _SUBJECTS:
            return True
        near = {tree.lemmas[k - 1] for k in children(tree, head)}
        if governor:
            near |= {tree.lemmas[governor - 1]}
            near |= {tree.lemmas[k - 1] for k in children(tree, governor)}
        return bool(near & (words.hung | words.surfaces))

    def _is_owner(self, last: int) -> bool:
        """Return whether a noun names the owner of something: "a woman's purse"."""
        tree = self.tree
        head, label = tree.heads[last - 1], self._label(last)
        if not head:
            return False
        if label == "nmod:poss":
            return tree.tags[last - 1].startswith("NN") and not is_body_part(
                tree.lemmas[head - 1]
            )
        return label.startswith("nmod") and tree.lemmas[head - 1] in self.words.owning

    def _doubted(self) -> Iterator[int]:
        """Yield the positions after a hedge, up to the next punctuation mark."""
        doubted = False
        for at, word in enumerate(self.tree.words, 1):
            if word in self.words.hedges:
                doubted = True
            elif self.tree.tags[at - 1] in _PUNCTUATION:
                doubted = False
            elif doubted and not self._is_definite(at):  # "Possibly eating the cake"
                yield at

    def _chosen(self) -> Iterator[int]:
        """Yield the positions of nouns that an "or" joins: "a house or a shop"."""
        tree = self.tree
        for at, (head, label) in enumerate(zip(tree.heads, tree.labels), 1):
            if label != "conj" or not head or {head, at} & self._numbers:
                continue
            both = (tree.tags[at - 1], tree.tags[head - 1])
            links = {tree.lemmas[k - 1] for k in children(tree, head)}
            if "or" in links and all(tag.startswith("NN") for tag in both):
                yield from (head, at)


def denied_name(tree: Parse, at: int) -> str:
    """Return the noun of what is denied: "person" for "nobody" and "no one"."""
    lemma, words = tree.lemmas[at - 1], load_mention_words()
    pair = " ".join(tree.words[max(0, at - 2) : at])
    return "person" if words.nobody & {lemma, pair} else lemma


def governing_cases(tree: Parse, at: int) -> set[str]:
    """Return the prepositions of a noun, or of the noun that "or" joins it to."""
    own = cases(tree, at)
    head = tree.heads[at - 1]
    if own or not head or tree.labels[at - 1] != "conj":
        return own
    joined = {tree.lemmas[k - 1] for k in children(tree, head)}
    return cases(tree, head) if joined & load_mention_words().choice else own


@cache
def is_living(noun: str) -> bool:
    """Return whether the first sense of a noun is a person or an animal (WordNet)."""
    return _is_kind(noun, ("person", "animal"))


@cache
def is_body_part(noun: str) -> bool:
    """Return whether the first sense of a noun is a part of a body, or its cover."""
    return _is_kind(noun, ("body part", "body covering"))


@cache
def is_worn(noun: str) -> bool:
    """Return whether a noun means clothes, or a colour of clothes: "in red"."""
    return _is_kind(noun, ("clothing", "footwear", "headdress", "color"), 2)


def _is_kind(noun: str, tops: tuple[str, ...], number: int = 1) -> bool:
    known = load_hierarchy().synsets(noun)
    return is_below(noun if known else noun.rpartition(" ")[2], tops, number)


def is_predicate(amounts: SentenceAmounts, at: int) -> bool:
    """Return whether a noun says what another one is: "the man is a chef"."""
    tree, head = amounts.tree, amounts.tree.heads[at - 1]
    linked, words = cases(tree, at), load_mention_words()
    if tree.labels[at - 1] == "appos" and tree.tags[head - 1] in ("NN", "NNS"):
        own = {tree.words[k - 1] for k in children(tree, at)}
        only = own & words.only
        labels = [(tree.labels[k - 1], k > at) for k in children(tree, head)]
        his = any(tree.labels[k - 1] == "nmod:poss" for k in children(tree, at))
        if his and ("conj", True) in labels:
            return False  # "A man, his wife and their son"
        return not only and head not in amounts.inside  # "No dogs, only a cat"
    if tree.labels[at - 1].startswith("nmod") and linked & words.role:
        living = is_living(tree.lemmas[at - 1])
        return living and tree.tags[at - 1] == "NN"  # "Her talent as a surfer"
    below = {tree.labels[k - 1]: k for k in children(tree, at)}
    subject = below.get("nsubj", 0)
    tag = tree.tags[subject - 1] if subject else ""
    who = tag in ("WP", "WDT") and is_living(tree.lemmas[at - 1])
    return "cop" in below and (who or tag in ("NN", "NNS")) and not linked


def is_restricted_after(amounts: SentenceAmounts, last: int) -> bool:
    """Return whether words after a noun restrict it: "in helmets"."""
    tree, known = amounts.tree, amounts.known
    if amounts.word(last + 1) == ",":
        return False  # "Three dogs, one of which is brown"
    for k in children(tree, last):
        label, lemma = tree.labels[k - 1], tree.lemmas[k - 1]
        if label == "acl:relcl" or (label == "acl" and lemma in known.wearing):
            return True
        if label.startswith("nmod"):
            linked = cases(tree, k)
            if "with" in linked or ("in" in linked and is_worn(lemma)):
                return True
            if linked & {"on", "in", "at"} and lemma in known.sides:
                return True
    return False
