"""Constructions of sentences, made of captions' phrases (see `paraphrases`).

What captions seldom say, and what parsers get wrong: shares of several ("two dogs, one
black and one white"), the other one, deeds that somebody makes another do, activities
of several words, long numbers, subjects after their verbs, small clauses after a comma,
verbs after a participle of their subject, what each hand holds, what is on a place,
and phrases joined as wholes: "a man with a hammer and a woman with a saw" has no woman
in the man's hand. ("A plate of rice and beans" is the other case; `Maker.inside` makes
its trees.)
"""

from dataclasses import replace

from spicepy.words.morphology import lemmatize
from training.parser.maker import LOCAL, Maker
from training.parser.nodes import Node, has_case, leaf

SHARES = (
    (("one",), ("one",)), (("one",), ("the", "other")), (("one",), ("two",)),
    (("two",), ("one",)), (("some",), ("others",)), (("some",), ("some",)),
    (("both",), ()), (("all",), ()), (("each",), ()), (("one",), ()),
)  # fmt: skip
"""Words for the first and second of several, the second may be missing."""

TAGS = {"one": "CD", "two": "CD", "other": "JJ", "others": "NNS"}
"""Word for a share -> tag; others are DT."""

COLORS = ("black", "white", "brown", "red", "blue", "green", "gray", "yellow", "pink")
QUALITIES = ("big", "small", "old", "young", "empty", "full", "open", "closed", "dirty")

BARE = ("let", "make", "have", "help", "watch", "see", "hear")
WITH_TO = ("ask", "tell", "teach", "want", "order", "allow", "encourage", "get")
"""Verbs whose object does something, said by an infinitive without and with "to"."""

PEOPLE = {
    "man", "woman", "boy", "girl", "person", "child", "kid", "lady", "couple", "family",
    "player", "people", "men", "women", "children", "boys", "girls", "kids", "players",
}  # fmt: skip

ACTIVITIES = """ice skating|rock climbing|horseback riding|cross country skiing|ice
    fishing|roller skating|water skiing|hang gliding|bungee jumping|scuba diving|figure
    skating|wind surfing|kite surfing|mountain biking|white water rafting|sky diving"""

COUNTS = (
    "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "twenty",
    "thirty", "fifty",
)  # fmt: skip

PARTS = {
    "its": "door doors mouth wings lid tail lights window windows hood",
    "his": "arms legs mouth hands eyes shirt hat sleeves",
    "her": "arms legs mouth hands eyes hair coat sleeves",
    "their": "arms hands eyes doors wings mouths lights backs",
}
"""Owner -> the parts of it that may be in a state of their own."""

ROLES = (
    "driver", "waiter", "doctor", "singer", "guard", "farmer", "owner", "guest", "chef",
    "teacher", "pilot", "winner", "neighbor", "uncle", "sister", "dancer", "clerk",
)  # fmt: skip
"""What a man or a woman may be called beside."""

STATES = {
    **dict.fromkeys(("on", "off", "up"), "RP"),
    **dict.fromkeys(("open", "full", "wide", "dirty", "wet", "bare"), "JJ"),
    **dict.fromkeys(("closed", "crossed", "raised", "spread", "stretched"), "VBN"),
    **dict.fromkeys(("showing", "hanging", "touching", "shining"), "VBG"),
}
"""State -> tag; for the label under the noun before see `STATE_LABELS`."""

STATE_LABELS = {"JJ": "amod", "VBN": "acl", "VBG": "acl", "RP": "advmod"}


def shares(maker: Maker, top: Node, one: Node, other: Node) -> Node | None:
    """Two dogs, one black and one lying on a rug, run in a field."""
    sentence = maker.finite(top) if maker.numbers.random() < 0.6 else None
    noun = sentence.left[0] if sentence else top
    if not noun.is_noun or noun.tag != "NNS" or (sentence and noun.right):
        return None
    if any(x.label in ("conj", "acl", "acl:relcl") for x in noun.right):
        return None
    comma, first = leaf(",", ",", "punct"), _all_shares(maker, one, other)
    noun = replace(noun, right=(*noun.right, comma, first))
    if not sentence:
        return noun
    return replace(sentence, left=(noun, comma, *sentence.left[1:]))


def shares_after(maker: Maker, top: Node, one: Node, other: Node) -> Node | None:
    """Two dogs run in a field, one black and one white: the shares hang on the verb."""
    sentence = maker.finite(top)
    if not sentence or not sentence.right or sentence.left[0].tag != "NNS":
        return None
    if any(x.label in ("conj", "advcl") for x in sentence.right):
        return None
    comma = leaf(",", ",", "punct")
    after = (comma, _all_shares(maker, one, other))
    return replace(sentence, right=(*sentence.right, *after))


def _all_shares(maker: Maker, one: Node, other: Node) -> Node:
    """Return the first share, with the second one below it."""
    names = maker.numbers.choice(SHARES)
    said = [_said(maker, x) for x in (one, other)]
    first = _share(names[0], "appos", said[0])
    if names[1]:
        comma, conjunction = leaf(",", ",", "punct"), leaf("and", "CC", "cc")
        joint = comma if "the" in names[1] else conjunction
        second = _share(names[1], "conj", said[1])
        first = replace(first, right=(*first.right, joint, second))
    return first


def _share(name: tuple[str, ...], label: str, said: Node) -> Node:
    *articles, word = name
    before = tuple(leaf(x, "DT", "det") for x in articles)
    return Node(word, TAGS.get(word, "DT"), label, before, (said,))


def _said(maker: Maker, top: Node) -> Node:
    """Return what is said of a share: a quality, or what the phrase's noun does."""
    parts = maker.split(top, "VBG")
    if parts and maker.numbers.random() < 0.6:
        return parts[1]
    words = maker.numbers.choice((COLORS, QUALITIES))
    return leaf(maker.numbers.choice(words), "JJ", "amod")


def apposed(maker: Maker, top: Node) -> Node | None:
    """The driver, a man in a cap, waves to a woman."""
    sentence = maker.finite(top)
    noun = sentence.left[0] if sentence else top
    if not sentence or noun.word not in PEOPLE or noun.tag != "NN":
        return None
    choose, comma = maker.numbers.choice, leaf(",", ",", "punct")
    before = leaf(*choose((("the", "DT"), ("a", "DT"), ("her", "PRP$"))), "det")
    if before.tag == "PRP$":
        before = replace(before, label="nmod:poss")
    apposition = replace(noun, label="appos")
    named = Node(choose(ROLES), "NN", "nsubj", (before,), (comma, apposition))
    return replace(sentence, left=(named, comma, *sentence.left[1:]))


def numbered(maker: Maker, top: Node) -> Node | None:
    """Player number 9 throws a ball."""
    sentence = maker.finite(top)
    noun = sentence.left[0] if sentence else top
    if not sentence or noun.tag != "NN" or noun.right:
        return None
    figure = leaf(str(maker.numbers.randrange(1, 100)), "CD", "nummod")
    number = Node("number", "NN", "appos", (), (figure,))
    subject = replace(noun, left=(), right=(number,))
    return replace(sentence, left=(subject, *sentence.left[1:]))


def with_commas(top: Node | None) -> Node | None:
    """A laptop, a cup of coffee, and a lamp on a desk: commas in lists of three."""
    if top is None:
        return None
    left, right = (
        tuple(x for x in map(with_commas, side) if x) for side in (top.left, top.right)
    )
    several = sum(x.label == "conj" for x in right) > 1
    found: list[Node] = []
    for x in right:
        after_and = bool(found) and found[-1].label == "cc"
        if several and x.label == "conj" and not after_and:
            found.append(leaf(",", ",", "punct"))
        found.append(x)
    return replace(top, left=left, right=tuple(found))


def the_other(maker: Maker, top: Node, other: Node) -> Node | None:
    """One dog runs while the other sleeps; some boys run and others sit."""
    first, second = maker.finite(top), maker.finite(other)
    if not first or not second or first.is_plural or not first.left[0].is_noun:
        return None
    noun = first.left[0]
    if noun.right or noun.is_plural != second.left[0].is_plural:
        return None
    choose = maker.numbers.choice
    if noun.is_plural:
        before, after = leaf("some", "DT", "det"), leaf("others", "NNS", "nsubj")
    else:
        before, after = leaf("one", "CD", "nummod"), leaf("another", "DT", "nsubj")
        if choose((True, True, False)):
            after = Node("other", "JJ", "nsubj", (leaf("the", "DT", "det"),))
    adjectives = (x for x in noun.left if x.label in ("amod", "compound"))
    noun = replace(noun, left=(before, *adjectives))
    first = replace(first, left=(noun, *first.left[1:]))
    second = replace(second, left=(after, *second.left[1:]))
    if choose((True, False)):
        joint = (leaf("and", "CC", "cc"), replace(second, label="conj"))
    else:
        mark = leaf("while", "IN", "mark")
        joint = (replace(second, label="advcl", left=(mark, *second.left)),)
    return replace(first, right=(*first.right, *joint))


def caused(maker: Maker, top: Node, other: Node) -> Node | None:
    """A man lets his dog drink from a bowl; a woman asks a boy to hold a rope."""
    top, parts = replace(top, right=()), maker.split(other, "VBG")
    if not parts or top.word not in PEOPLE or not top.is_noun or parts[0].right:
        return None
    doer, deed = parts
    choose = maker.numbers.choice
    if choose((True, False)):
        own = tuple(x for x in doer.left if x.label in ("amod", "compound"))
        whose = "their" if top.is_plural else choose(("his", "her"))
        doer = replace(doer, left=(leaf(whose, "PRP$", "nmod:poss"), *own))
    form = lemmatize(deed.word, "VBG")
    if choose((True, True, False)):
        verb, subject = choose(BARE), replace(doer, label="nsubj")
        after = (Node(form, "VB", "ccomp", (subject, *deed.left), deed.right),)
    else:
        verb, to = choose(WITH_TO), leaf("to", "TO", "mark")
        deed = Node(form, "VB", "xcomp", (to, *deed.left), deed.right)
        after = (replace(doer, label="dobj"), deed)
    shown = verb if top.is_plural else maker.third(verb)
    tag = "VBP" if top.is_plural else "VBZ"
    return Node(shown, tag, "root", (replace(top, label="nsubj"),), after)


def activity(maker: Maker, top: Node, other: Node) -> Node | None:
    """A woman ice skating on a pond; two boys go roller skating."""
    top = replace(top, right=())
    if top.word not in PEOPLE or not top.is_noun:
        return None
    choose = maker.numbers.choice
    *names, deed = choose(" ".join(ACTIVITIES.split()).split("|")).split()
    before = tuple(
        leaf(x, "JJ", "amod") if x == "white" else leaf(x, "NN", "compound")
        for x in names
    )
    places = tuple(x for x in other.right if has_case(x, LOCAL) and x.label == "nmod")
    verb = Node(deed, "VBG", "acl", before, places[:1])
    subject = replace(top, label="nsubj")
    match choose(("acl", "acl", "is", "goes")):
        case "is":
            be = leaf(*maker.be(top), "aux")
            return replace(verb, label="root", left=(subject, be, *before))
        case "goes":
            go = ("go", "VBP") if top.is_plural else ("goes", "VBZ")
            return Node(*go, "root", (subject,), (replace(verb, label="xcomp"),))
    return replace(top, right=(verb,))


def counted(maker: Maker, top: Node) -> Node | None:
    """Two hundred and twenty birds sit on a wire."""
    if not top.is_noun or top.tag != "NNS":
        return None
    choose = maker.numbers.choice
    names = [choose(COUNTS[:9]), choose(("hundred", "thousand"))]
    if names[1] == "thousand" and choose((True, False)):
        names += [choose(COUNTS[:9]), "hundred"]
    numbers = [leaf(x, "CD", "nummod") for x in names]
    if choose((True, False)):
        more = (leaf("and", "CC", "cc"), leaf(choose(COUNTS), "CD", "conj"))
        numbers[-1] = replace(numbers[-1], right=more)
    own = (x for x in top.left if x.label in ("amod", "compound"))
    top = replace(top, left=(*numbers, *own))
    return (choose((True, False)) and maker.finite(top)) or top


def inverted(maker: Maker, top: Node) -> Node | None:
    """On a table stand two bottles."""
    sentence = maker.finite(top)
    if not sentence or len(sentence.left) > 1 or not sentence.right:
        return None
    place, *later = sentence.right
    if place.label != "nmod" or not has_case(place, LOCAL) or later:
        return None
    return replace(sentence, left=(place,), right=sentence.left)


def absolute(maker: Maker, top: Node, other: Node) -> Node | None:
    """A man sits on a bench, a cup in his hand; a dog lies, its eyes closed."""
    sentence = maker.finite(top) or maker.progressive(top)
    if not sentence or any(x.label in ("conj", "advcl") for x in sentence.right):
        return None
    choose = maker.numbers.choice
    whose = "their" if sentence.left[0].is_plural else choose(("its", "his", "her"))
    part = choose(PARTS[whose].split())
    owner = leaf(whose, "PRP$", "nmod:poss")
    tag = "NNS" if part.endswith("s") else "NN"
    if choose((True, False)) and other.is_noun:
        case = leaf(choose(("in", "on", "near", "behind")), "IN", "case")
        left = (replace(other, label="nsubj", right=()), case, owner)
        clause = Node(part, tag, "advcl", left)
    else:
        state = choose(list(STATES))
        label = "nsubjpass" if STATES[state] == "VBN" else "nsubj"
        clause = Node(
            state, STATES[state], "advcl", (Node(part, tag, label, (owner,)),)
        )
    comma = leaf(",", ",", "punct")
    return replace(sentence, right=(*sentence.right, comma, clause))


def reduced(maker: Maker, top: Node, other: Node, more: Node) -> Node | None:
    """A man holding a cup and a bag waves to a dog; a bird on a branch sings."""
    parts = maker.split(top, "VBG") or maker.split(top, "VBN")
    deed = maker.finite(other)
    if not parts or not deed or parts[0].is_plural != deed.left[0].is_plural:
        return None
    noun, verb = parts
    if any(x.label == "conj" for x in (*noun.right, *verb.right)):
        return None
    end = verb.right[-1:]
    if end and end[0].is_noun and _begins_anew(more) and maker.numbers.random() < 0.6:
        # One who does it, whatever is joined: "a man holding a cup and a bag waves".
        joint = (leaf("and", "CC", "cc"), replace(more, label="conj", right=()))
        both = replace(end[0], right=(*end[0].right, *joint))
        verb = replace(verb, right=(*verb.right[:-1], both))
    after = () if maker.numbers.random() < 0.4 else deed.right
    subject = replace(noun, label="nsubj", right=(*noun.right, verb))
    return replace(deed, left=(subject, *deed.left[1:]), right=after)


def watching(maker: Maker, top: Node, other: Node, third: Node) -> Node | None:
    """A man watching his son play soccer stands on the grass."""
    made, deed = caused(maker, top, other), maker.finite(third)
    if not made or not deed or made.left[0].is_plural != deed.left[0].is_plural:
        return None
    word = maker.numbers.choice(("watching", "seeing", "helping", "letting", "hearing"))
    if made.right[0].label == "dobj":
        word = maker.numbers.choice(("asking", "teaching", "telling", "wanting"))
    clause = Node(word, "VBG", "acl", (), made.right)
    subject = replace(made.left[0], right=(clause,))
    return replace(deed, left=(subject, *deed.left[1:]))


def doers(maker: Maker, top: Node, other: Node, third: Node) -> Node | None:
    """A boy eating an apple and a girl drinking juice sit on a bench."""
    nouns = (top, other)
    made = [maker.split(x, "VBG") or maker.split(x, "VBN") for x in nouns]
    deed = maker.split(third, "VBG")
    if not all(made) or not deed or not _begins_anew(top) or not _begins_anew(other):
        return None
    if any(x.label == "conj" for one in made if one for x in one[1].right):
        return None
    second = replace(other, label="conj")
    if maker.numbers.random() < 0.3:
        whose = leaf(maker.numbers.choice(("his", "her", "their")), "PRP$", "nmod:poss")
        own = (x for x in other.left if x.label in ("amod", "compound"))
        second = replace(second, left=(whose, *own), right=())
    joint = (leaf("and", "CC", "cc"), second)
    subject = replace(top, label="nsubj", right=(*top.right, *joint))
    verb = deed[1]
    form = lemmatize(verb.word, "VBG")
    return Node(form, "VBP", "root", (subject, *verb.left), verb.right)


def in_hands(maker: Maker, top: Node, one: Node, other: Node) -> Node | None:
    """A man holds a cup in one hand and a book in the other."""
    things = (one, other)
    if not top.is_noun or not all(x.is_noun and _begins_anew(x) for x in things):
        return None
    if top.word not in PEOPLE or any(x.right for x in (top, *things)):
        return None
    case, each = leaf("in", "IN", "case"), leaf("one", "CD", "nummod")
    hand = Node("hand", "NN", "nmod", (case, each))
    rest = Node("other", "JJ", "nmod", (case, leaf("the", "DT", "det")))
    joint = (leaf("and", "CC", "cc"), replace(other, label="conj", right=(rest,)))
    held = replace(one, label="dobj", right=(hand, *joint))
    if maker.numbers.random() < 0.3:
        return replace(top, right=(Node("holding", "VBG", "acl", (), (held,)),))
    form = "hold" if top.is_plural else maker.third("hold")
    tag = "VBP" if top.is_plural else "VBZ"
    return Node(form, tag, "root", (replace(top, label="nsubj"),), (held,))


def with_on_it(maker: Maker, top: Node, other: Node) -> Node | None:
    """A man sits at a table with a cup on it: the cup is the table's."""
    sentence = maker.finite(top)
    if not sentence or not sentence.right or not other.is_noun or other.right:
        return None
    place = sentence.right[-1]
    if place.right or not place.is_noun or place.label not in ("nmod", "dobj"):
        return None
    choose = maker.numbers.choice
    it = leaf("them" if place.is_plural else "it", "PRP", "nmod")
    it = replace(it, left=(leaf(choose(("on", "in", "on")), "IN", "case"),))
    case = leaf("with", "IN", "case")
    own = replace(other, label="nmod", left=(case, *other.left), right=(it,))
    place = replace(place, right=(own,))
    return replace(sentence, right=(*sentence.right[:-1], place))


def parallel(maker: Maker, top: Node, other: Node) -> Node | None:
    """A bowl of soup and a slice of bread; a man in a hat and a woman in a dress."""
    case = _only_case(top)
    if case is None or case != _only_case(other) or not _begins_anew(other):
        return None
    joint = (leaf("and", "CC", "cc"), replace(other, label="conj"))
    return replace(top, right=(*top.right, *joint))


def phrase_and_noun(maker: Maker, top: Node, other: Node) -> Node | None:
    """A cup of tea and a spoon; a spoon and a cup of tea."""
    short = other.is_noun and not other.right and _begins_anew(other)
    if _only_case(top) != "of" or not short or not _begins_anew(top):
        return None
    if _begins_anew(top.right[0]) and maker.numbers.random() < 0.9:
        return None  # "the top of a cup and a spoon": who knows
    first, second = (top, other) if maker.numbers.random() < 0.5 else (other, top)
    joint = (leaf("and", "CC", "cc"), replace(second, label="conj"))
    return replace(first, right=(*first.right, *joint))


def participles(maker: Maker, top: Node, other: Node) -> Node | None:
    """A man sitting on a bench and reading a book."""
    first, second = maker.split(top, "VBG"), maker.split(other, "VBG")
    if not first or not second:
        return None
    noun, verb = first
    joint = (leaf("and", "CC", "cc"), replace(second[1], label="conj"))
    if any(x.label == "conj" for x in verb.right):
        return None
    return replace(noun, right=(*noun.right, replace(verb, right=verb.right + joint)))


def with_state(maker: Maker, top: Node) -> Node | None:
    """A truck parked with its doors open; a woman sits with her eyes closed."""
    split = maker.split(top, "VBG") or maker.split(top, "VBN")
    noun, verb = split or (top, None)
    if not noun.is_noun or any(x.label == "conj" for x in top.right):
        return None
    choose = maker.numbers.choice
    whose = "their" if noun.is_plural else choose(("its", "his", "her"))
    part = choose(PARTS[whose].split())
    name = choose(list(STATES))
    state = leaf(name, STATES[name], STATE_LABELS[STATES[name]])
    owner = leaf(whose, "PRP$", "nmod:poss")
    if maker.numbers.random() < 0.3:
        case = leaf(choose(("in", "on", "near", "behind")), "IN", "case")
        place = choose(("lap", "side", "head", "back"))
        state = Node(place, "NN", "nmod", (case, owner))
    phrase = Node(
        part,
        "NNS" if part.endswith("s") else "NN",
        "nmod",
        (leaf("with", "IN", "case"), owner),
        (state,),
    )
    if verb and maker.numbers.random() < 0.5:
        dressed = replace(top, right=(*noun.right, phrase, verb))
        return (choose((True, False)) and maker.finite(dressed)) or dressed
    if verb:
        verb = replace(verb, right=(*verb.right, phrase))
        return replace(noun, right=(*noun.right, verb))
    return replace(noun, right=(*noun.right, phrase))


def _only_case(node: Node) -> str | None:
    """The preposition of a noun's only phrase, which has none of its own."""
    if not node.is_noun or len(node.right) != 1:
        return None
    phrase = node.right[0]
    cases = [x.word for x in phrase.left if x.label == "case"]
    ok = phrase.label == "nmod" and phrase.is_noun and has_case(phrase, cases)
    return cases[0] if ok and not phrase.right else None


def _begins_anew(node: Node) -> bool:
    """Return whether a node has an article or a number: "a bowl", not "bowls"."""
    return any(x.label in ("det", "nummod") for x in node.left)
