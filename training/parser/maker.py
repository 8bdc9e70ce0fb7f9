"""One noun phrase or two in, another way to say the same out (see `paraphrases`)."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from spicepy.words.morphology import lemmatize
from training.parser.nodes import Node, has_case, leaf

LOCAL = {
    "in", "on", "near", "under", "behind", "above", "beside", "at", "inside", "between",
    "over", "by", "against",
}  # fmt: skip
"""Prepositions of places."""

GIVING = {
    "give": "giving", "show": "showing", "hand": "handing", "feed": "feeding",
    "throw": "throwing", "bring": "bringing", "offer": "offering", "teach": "teaching",
    "sell": "selling", "serve": "serving", "pass": "passing", "read": "reading",
}  # fmt: skip
"""Verbs with two objects, and their participles."""

POSITIONS = {"front", "back", "left", "right", "side", "top", "other", "same", "many"}
"""Adjectives that nothing can be said to be."""


@dataclass
class Maker:
    """Makes paraphrases.

    Attributes:
        numbers: Chooses.
        verbs: Lemma -> third person singular.
        company: Noun -> what it is seen in or with: man -> "in a red shirt".
    """

    numbers: random.Random
    verbs: dict[str, str] = field(default_factory=dict)
    company: dict[str, list[Node]] = field(default_factory=dict)

    def split(self, top: Node, tag: str) -> tuple[Node, Node] | None:
        """A noun without its participle, and the participle with what follows."""
        at = next(
            (n for n, x in enumerate(top.right) if x.label == "acl" and x.tag == tag),
            None,
        )
        if at is None or not top.is_noun:
            return None
        verb, later = top.right[at], top.right[at + 1 :]
        if any(x.label not in ("nmod", "advmod", "acl") for x in later):
            return None
        later = tuple(
            replace(x, label="advcl") if x.label == "acl" else x for x in later
        )
        if any(x.label in ("nsubj", "aux", "mark", "case", "cop") for x in verb.left):
            return None
        return replace(top, right=top.right[:at]), replace(
            verb, right=verb.right + later
        )

    def be(self, noun: Node) -> tuple[str, str]:
        """Form and tag of "be" after a subject."""
        return ("are", "VBP") if noun.is_plural else ("is", "VBZ")

    def third(self, lemma: str) -> str:
        """A verb in the third person singular."""
        if lemma in self.verbs:
            return self.verbs[lemma]
        if lemma.endswith(("s", "x", "z", "ch", "sh", "o")):
            return lemma + "es"
        if lemma.endswith("y") and lemma[-2:-1] not in "aeiou":
            return lemma[:-1] + "ies"
        return lemma + "s"

    def finite(self, top: Node) -> Node | None:
        """A man rides a horse."""
        if not (parts := self.split(top, "VBG")):
            return None
        noun, verb = parts
        lemma = lemmatize(verb.word, "VBG")
        form = lemma if noun.is_plural else self.third(lemma)
        subject = replace(noun, label="nsubj")
        return Node(
            form,
            "VBP" if noun.is_plural else "VBZ",
            "root",
            (subject, *verb.left),
            verb.right,
        )

    def progressive(self, top: Node) -> Node | None:
        """A man is riding a horse."""
        if not (parts := self.split(top, "VBG")):
            return None
        noun, verb = parts
        be = leaf(*self.be(noun), "aux")
        subject = replace(noun, label="nsubj")
        return replace(verb, label="root", left=(subject, be, *verb.left))

    def passive(self, top: Node) -> Node | None:
        """A car is parked on the street; a car is being washed."""
        if not (parts := self.split(top, "VBN")):
            return None
        noun, verb = parts
        helpers = (leaf(*self.be(noun), "auxpass"),)
        if self.numbers.random() < 0.25:
            helpers = (leaf(*self.be(noun), "aux"), leaf("being", "VBG", "auxpass"))
        subject = replace(noun, label="nsubjpass")
        return replace(verb, label="root", left=(subject, *helpers, *verb.left))

    def relative(self, top: Node) -> Node | None:
        """A man who is riding a horse; a car that has been parked on the street."""
        for tag in ("VBG", "VBN"):
            if parts := self.split(top, tag):
                noun, verb = parts
                who = leaf("that", "WDT", "nsubj" if tag == "VBG" else "nsubjpass")
                if tag == "VBG" and self.numbers.random() < 0.5:
                    who = leaf("who", "WP", "nsubj")
                be, kind = self.be(noun)
                helpers = [leaf(be, kind, "aux" if tag == "VBG" else "auxpass")]
                if tag == "VBN" and self.numbers.random() < 0.5:
                    have = ("have", "VBP") if noun.is_plural else ("has", "VBZ")
                    helpers = [leaf(*have, "aux"), leaf("been", "VBN", "auxpass")]
                clause = replace(
                    verb, label="acl:relcl", left=(who, *helpers, *verb.left)
                )
                return replace(noun, right=(*noun.right, clause))
        return None

    def object_relative(self, top: Node) -> Node | None:
        """The shirt a man is wearing; the bench that a dog is lying on.

        A preposition without a noun is nmod of the verb; a participle that is passive
        has one ("the pole a sign is attached to").
        """
        active = self.split(top, "VBG")
        parts = active or self.split(top, "VBN")
        if not parts or not parts[1].right:
            return None
        noun, verb = parts
        first, *others = verb.right
        if not first.is_noun or others or first.right:
            return None
        cases = [x for x in first.left if x.label == "case"]
        if first.label == "nmod" and len(cases) == 1 and cases[0].tag in ("IN", "TO"):
            stranded = (leaf(cases[0].word, cases[0].tag, "nmod"),)
        elif active and first.label == "dobj":
            stranded = ()
        else:
            return None
        own = tuple(x for x in first.left if x.label != "case")
        that = (leaf("that", "WDT", "mark" if stranded else "dobj"),)
        before = that if self.numbers.random() < 0.4 else ()
        be = leaf(*self.be(noun), "aux" if active else "auxpass")
        subject = replace(noun, label="nsubj" if active else "nsubjpass")
        clause = replace(
            verb,
            label="acl:relcl",
            left=(*before, subject, be, *verb.left),
            right=stranded,
        )
        head = self.named(replace(first, label="root", left=own))
        return replace(head, right=(clause,))

    def there(self, top: Node) -> Node | None:
        """There is a dog on the couch."""
        if not top.is_noun:
            return None
        right = top.right
        last = right[-1:] if right and has_case(right[-1], LOCAL) else ()
        if last and last[0].label != "nmod":
            last = ()
        noun = replace(top, label="nsubj", right=right[: len(right) - len(last)])
        be = self.be(noun)
        return Node(*be, "root", (leaf("there", "EX", "expl"),), (noun, *last))

    def place(self, top: Node) -> Node | None:
        """A dog is on the couch."""
        if not (top.is_noun and top.right):
            return None
        last = top.right[-1]
        if last.label != "nmod" or not has_case(last, LOCAL) or not last.is_noun:
            return None
        noun = replace(top, label="nsubj", right=top.right[:-1])
        be = leaf(*self.be(noun), "cop")
        return replace(last, label="root", left=(noun, be, *last.left))

    def quality(self, top: Node) -> Node | None:
        """The couch is red."""
        places = [
            n
            for n, x in enumerate(top.left)
            if x.label == "amod" and x.tag == "JJ" and x.word not in POSITIONS
        ]
        others = any(x.label in ("conj", "acl") for x in top.right)
        if len(places) != 1 or not top.is_noun or others:
            return None
        quality = top.left[places[0]]
        noun = replace(
            top,
            label="nsubj",
            left=top.left[: places[0]] + top.left[places[0] + 1 :],
        )
        be = leaf(*self.be(noun), "cop")
        return replace(quality, label="root", left=(noun, be, *quality.left))

    def clauses(self, top: Node, other: Node) -> Node | None:
        """A woman speaks and a crowd applauds; a man eats while a dog watches."""
        first, second = self.finite(top), self.finite(other)
        if not first or not second:
            return None
        if self.numbers.random() < 0.6:
            joint = (
                leaf("and", "CC", "cc"),
                replace(second, label="conj"),
            )
        else:
            word = self.numbers.choice(("while", "as", "while"))
            mark = leaf(word, "IN", "mark")
            joint = (replace(second, label="advcl", left=(mark, *second.left)),)
        return replace(first, right=(*first.right, *joint))

    def predicates(self, tops: Sequence[Node]) -> Node | None:
        """A man sits and reads a book; a cook cuts washes and peels potatoes."""
        make = self.numbers.choice((self.progressive, self.finite))
        made = [make(top) for top in tops]
        if not all(made) or len({x.is_plural for x in tops}) > 1:
            return None
        first, *others = (x for x in made if x)
        if len(others) > 1 and any(x.right for x in (first, *others[:-1])):
            return None
        conj = [
            replace(
                x,
                label="conj",
                left=tuple(y for y in x.left if y.label not in ("nsubj", "aux")),
            )
            for x in others
        ]
        joint = (*conj[:-1], leaf("and", "CC", "cc"), conj[-1])
        return replace(first, right=(*first.right, *joint))

    def two_objects(self, top: Node, one: Node, other: Node) -> Node | None:
        """A girl shows her friend a picture; a man feeding a giraffe some leaves."""
        nouns = (top, one, other)
        if not all(x.is_noun and self._is_short(x) for x in nouns):
            return None
        if top.right or not {"det", "nummod"} & {x.label for x in other.left}:
            return None
        lemma = self.numbers.choice(list(GIVING))
        objects = (replace(one, label="iobj"), replace(other, label="dobj"))
        if self.numbers.random() < 0.4:
            return replace(top, right=(Node(GIVING[lemma], "VBG", "acl", (), objects),))
        form, tag = (lemma, "VBP") if top.is_plural else (self.third(lemma), "VBZ")
        return Node(form, tag, "root", (replace(top, label="nsubj"),), objects)

    def series(self, tops: Sequence[Node]) -> Node | None:
        """A laptop a cup of coffee and a lamp on a desk."""
        if not all(x.is_noun and self._is_short(x) for x in tops[:-1]):
            return None
        first, *others = tops[:-1]
        end = tops[-1]
        place = next(
            (x for x in end.right if x.label == "nmod" and has_case(x, LOCAL)), None
        )
        if len(others) > 1 and any(
            x.label in ("nmod", "conj") for y in others for x in y.right
        ):
            return None
        joint = tuple(replace(x, label="conj") for x in others)
        joint = (*joint[:-1], leaf("and", "CC", "cc"), joint[-1])
        tail = (place,) if place and self.numbers.random() < 0.7 else ()
        return replace(first, right=(*first.right, *joint, *tail))

    def subjects(self, top: Node, others: Sequence[Node]) -> Node | None:
        """Cats dogs and rabbits lie on a bed."""
        if not top.right or top.right[0].label != "acl":
            return None
        bare = tuple(x for x in top.left if x.label == "amod")
        joint = tuple(replace(x, label="conj") for x in others)
        joint = (*joint[:-1], leaf("and", "CC", "cc"), joint[-1])
        return self.finite(replace(top, left=bare, right=(*joint, *top.right)))

    def inside(self, top: Node, others: Sequence[Node]) -> Node | None:
        """A room with a bed a lamp and a chair; a man sits at a table with a cup."""
        at = next(
            (
                n
                for n, x in enumerate(top.right)
                if x.label in ("nmod", "dobj") and x.is_noun and self._is_short(x)
            ),
            None,
        )
        if at is None or not all(x.is_noun and self._is_short(x) for x in others):
            return None
        noun = top.right[at]
        joint = tuple(replace(x, label="conj") for x in others)
        joint = (*joint[:-1], leaf("and", "CC", "cc"), joint[-1])
        noun = replace(noun, right=(*noun.right, *joint))
        return replace(top, right=(*top.right[:at], noun, *top.right[at + 1 :]))

    def dressed(self, top: Node) -> Node | None:
        """A man in a red shirt riding a horse."""
        known = self.company.get(top.word)
        if not known or not top.right or top.right[0].label != "acl":
            return None
        return replace(top, right=(self.numbers.choice(known), *top.right))

    def with_another(self, top: Node, other: Node) -> Node | None:
        """A plate with a fork next to it; a field with cows grazing."""
        if not (top.is_noun and other.is_noun):
            return None
        if any(x.label in ("nmod", "conj", "acl:relcl") for x in top.right):
            return None
        own = replace(
            other, label="nmod", left=(leaf("with", "IN", "case"), *other.left)
        )
        return replace(top, right=(*top.right, own))

    def named(self, top: Node) -> Node:
        """Put an article before a bare noun now and then."""
        bare = top.tag == "NN" and top.is_noun
        bare = bare and not {x.label for x in top.left} & {"det", "nmod:poss", "nummod"}
        if not bare or self.numbers.random() < 0.4:
            return top
        first = top.left[0] if top.left else top
        while first.left:
            first = first.left[0]
        article = "an" if first.word[0] in "aeiou" else "a"
        if self.numbers.random() < 0.3:
            article = "the"
        return replace(top, left=(leaf(article, "DT", "det"), *top.left))

    def _is_short(self, node: Node) -> bool:
        return all(has_case(x, {"of"}) and not x.right for x in node.right)
