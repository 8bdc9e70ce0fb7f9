"""Pronouns and repetitions, within a caption and between its sentences."""

from dataclasses import replace
from pathlib import Path

import pytest

from spicepy.graph.matching import match
from spicepy.pipeline import Pipeline
from spicepy.rules.coreference import FURTHER, Sentence, resolve, resolves
from spicepy.rules.dependency_graphs import DependencyGraph
from spicepy.rules.loading import load_grammar
from spicepy.rules.tuples import SemanticTuple
from spicepy.tokenization.samples import split_sentences

GRAMMAR = load_grammar("spicepy-1")
PLURAL = ("men", "dogs", "kites")
LEMMAS = {"men": "man", "dogs": "dog", "kites": "kite", "his": "he", "their": "they"}


def sentence(words: str, *relations: tuple[int, str, int]) -> Sentence:
    """A sentence whose objects are all its words but prepositions and articles."""
    texts = tuple(words.split())
    lemmas = tuple(LEMMAS.get(word, word) for word in texts)
    skipped = ("a", "the", "on", "with", ",")
    tags = tuple(map(tag, texts))
    edges = tuple(
        ("det", at + 1, at) for at in range(1, len(texts)) if _article(texts, at)
    )
    graph = DependencyGraph(texts, tags, lemmas, edges)
    objects = [
        SemanticTuple((lemma,), "object", (at,))
        for at, lemma in enumerate(lemmas, 1)
        if lemma not in skipped
    ]
    found = [
        SemanticTuple((lemmas[a - 1], how, lemmas[b - 1]), "rule", (a, 0, b))
        for a, how, b in relations
    ]
    return Sentence(graph, [*objects, *found])


def _article(texts: tuple[str, ...], at: int) -> bool:
    return texts[at - 1] in ("a", "the")


def tag(word: str) -> str:
    if word in GRAMMAR.lists["pronouns"]:
        return "PRP"
    return "NNS" if word in PLURAL else "NN"


def made(*sentences: Sentence) -> set[tuple[str, ...]]:
    return {tuple_.members for tuple_ in resolve(sentences, GRAMMAR)}


def relations(*sentences: Sentence) -> set[tuple[str, ...]]:
    return {members for members in made(*sentences) if len(members) == 3}


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (
            "People sit on chairs while others stand near a bus.",
            "people stand near bus",
        ),
        ("Two men are here. Some sit, others stand near a bus.", "man stand near bus"),
        ("A cup is on a table and another is on a shelf.", "cup on shelf"),
        ("Two dogs, one on a bed and the other on a rug.", "dog on rug"),
        ("One of the books is on a shelf, the other is on a bed.", "book on bed"),
        ("A cup is on a table. Another one is under it.", "cup under table"),
        ("One boy kicks a ball while another watches him.", "boy watch boy"),
        (
            "A scout is cooking beans over a fire, and another is chopping wood.",
            "scout chop wood",
        ),
        ("Two divers sit on a rock, and both wear flippers.", "diver wear flipper"),
        ("The mother cat carries a kitten by its neck.", "cat carry kitten"),
        (
            "A lion is in the grass and another stands behind it.",
            "lion stand behind lion",
        ),
        ("Three bowls are on a shelf; the smallest has a lid.", "bowl have lid"),
    ],
)
def test_others_are_several_named_before(words: str, expected: str) -> None:
    found = Pipeline(grammar=GRAMMAR).parse([words])[0].to_tuples()

    assert expected in map(" ".join, found)


def test_others_beside_a_person_are_people() -> None:
    words = "A man sits on the steps while others walk by."
    found = Pipeline(grammar=GRAMMAR).parse([words])[0].to_tuples()

    assert {members[0] for members in found} == {"man", "people", "step"}


def test_others_without_a_noun_are_left_out() -> None:
    found = Pipeline(grammar=GRAMMAR).parse(["Others are near a bus."])[0].to_tuples()

    assert {members[0] for members in found} == {"bus"}


def test_a_grammar_says_whether_pronouns_are_resolved_here() -> None:
    assert resolves(GRAMMAR)
    assert not resolves(load_grammar("spice-1.0"))


def test_a_grammar_without_lists_of_backgrounds_resolves_pronouns() -> None:
    lists = {n: w for n, w in GRAMMAR.lists.items() if n not in FURTHER}
    bare = replace(GRAMMAR, lists=lists)
    man, he = sentence("man"), sentence("he on hill", (1, "on", 3))

    assert resolves(bare)
    assert ("man", "on", "hill") in {t.members for t in resolve([man, he], bare)}


@pytest.mark.parametrize(
    ("words", "relation", "expected"),
    [
        ("a man with a dog on him", (5, "on", 7), ("dog", "on", "man")),
        ("a woman with a man on her", (5, "on", 7), ("man", "on", "woman")),
        ("a bench with snow on it", (4, "on", 6), ("snow", "on", "bench")),
        ("a boy with kites on them", (2, "with", 6), ("boy", "with", "kite")),
        ("men with dogs on them", (3, "on", 5), ("dog", "on", "man")),
        ("a dog on his bed", (4, "have", 5), ("dog", "have", "bed")),
    ],
)
def test_a_pronoun_means_a_noun_of_its_sex_and_number(
    words: str, relation: tuple[int, str, int], expected: tuple[str, ...]
) -> None:
    assert relations(sentence(words, relation)) == {expected}


@pytest.mark.parametrize(
    ("pronoun", "noun"), [("he", "man"), ("she", "woman"), ("they", "people")]
)
def test_a_person_without_a_noun(pronoun: str, noun: str) -> None:
    assert made(sentence(f"{pronoun} on a bench", (1, "on", 4))) == {
        (noun,),
        ("bench",),
        (noun, "on", "bench"),
    }


def test_the_words_are_the_grammars(tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_text(
        'extends = "spicepy-1"\nname = "own"\nversion = "1"\ndescription = "x"\n'
        '[lists.unnamed-male]\nsource = "a test"\nwords = ["guy"]\n'
    )

    [tuple_] = resolve([sentence("he")], load_grammar(own))

    assert tuple_.members == ("guy",)


def test_an_it_without_a_noun_is_left_out() -> None:
    assert made(sentence("it with him", (1, "with", 3))) == {("man",)}


def test_who_looks_at_herself_does() -> None:
    given = sentence("a woman on herself", (2, "look at", 4))

    assert relations(given) == {("woman", "look at", "woman")}


def test_who_owns_what_he_uses_anyway_is_not_said_twice() -> None:
    swing = sentence("a man with his racket", (2, "swing", 5), (4, "have", 5))
    hold = sentence("a man with his racket", (4, "have", 5))

    assert relations(swing) == {("man", "swing", "racket")}
    assert relations(hold) == {("man", "have", "racket")}


def test_between_sentences_the_nearest_counts() -> None:
    found = relations(
        sentence("a man on a horse", (2, "on", 5)),
        sentence("a woman on a bench", (2, "on", 5)),
        sentence("a boy with a ball", (2, "with", 5)),
        sentence("she with a hat", (1, "wear", 4)),
    )

    assert ("woman", "wear", "hat") in found


def test_they_are_the_nearest_several_and_people_before_things() -> None:
    far = sentence("men on the bench", (1, "on", 4))
    near = sentence("dogs with the kites", (1, "with", 4))
    both = sentence("kites with men", (1, "with", 3))
    they = sentence("they on a bench", (1, "sit on", 4))

    assert ("dog", "sit on", "bench") in relations(far, near, they)
    assert ("man", "sit on", "bench") in relations(both, they)


def test_after_a_comma_an_owner_is_the_last_subject() -> None:
    given = sentence("a bench with dogs , their kites", (6, "have", 7))
    kites = replace(given.graph, tags=(*given.graph.tags[:5], "PRP$", "NNS"))
    line = replace(kites, edges=(*kites.edges, ("nsubj", 2, 4)))

    assert ("dog", "have", "kite") in relations(Sentence(line, given.proposals))


def test_the_figure_that_a_clock_shows_stands_for_nothing() -> None:
    graph = Pipeline(grammar=GRAMMAR).parse(["The clock reads two."])[0]
    assert str(graph) == "(clock)"


@pytest.mark.parametrize(
    ("words", "owner"),
    [
        ("A dog rests beside a chair. Its fur is brown.", ("dog", "have", "fur")),
        ("A chair stands beside a dog. Its fur is brown.", ("dog", "have", "fur")),
        ("Cars stand beside two men. Their hats are red.", ("man", "wear", "hat")),
        ("Cars stand below two trees. Their leaves are red.", ("tree", "have", "leaf")),
        ("A chair stands on a rug. Its arm is brown.", ("chair", "have", "arm")),
    ],
)
def test_a_part_says_what_its_owner_is(words: str, owner: tuple[str, ...]) -> None:
    assert owner in Pipeline(grammar=GRAMMAR).parse([words])[0].to_tuples()


@pytest.mark.parametrize(
    ("words", "relation"),
    [
        (
            "An elephant leads the group, and two calves walk close to their mothers.",
            ("calf", "have", "mother"),
        ),
        (
            "A laptop is on a desk, and a cat is lying across its keyboard.",
            ("laptop", "have", "keyboard"),
        ),
        ("Two boys see themselves in a mirror.", ("boy", "see", "boy")),
        (
            "A batter swings. The catcher is crouched behind him.",
            ("catcher", "crouch behind", "batter"),
        ),
        (
            "A vendor grills corn. A customer hands him coins while her son is eating.",
            ("customer", "have", "son"),
        ),
        (
            "Two fishermen are in a boat. One of them casts a net. Their reflections "
            "are visible. A few cows are drinking.",
            ("fisherman", "have", "reflection"),
        ),
        (
            "A bicycle leans on a wall. It has a basket. The wall is covered with ivy.",
            ("bicycle", "have", "basket"),
        ),
        (
            "A chef slices carrots. His sleeves are wet. In front of him are bowls. "
            "A second cook stirs soup.",
            ("bowl", "in front of", "chef"),
        ),
    ],
)
def test_a_pronoun_means_who_does_it(words: str, relation: tuple[str, ...]) -> None:
    assert relation in Pipeline(grammar=GRAMMAR).parse([words])[0].to_tuples()


def test_no_pronoun_means_the_background() -> None:
    house = sentence("a background with a house", (2, "with", 5))
    it = sentence("it on a hill", (1, "on", 4))

    assert relations(house, it) >= {("house", "on", "hill")}


@pytest.mark.parametrize("preposition", ["like", "as"])
def test_no_pronoun_means_what_something_is_compared_with(preposition: str) -> None:
    guards = sentence("dogs with the men", (1, f"stand {preposition}", 4))
    compared = ("nmod:" + preposition, 1, 4)
    graph = replace(guards.graph, edges=(*guards.graph.edges, compared))
    they = sentence("they on a bench", (1, "sit on", 4))

    found = relations(Sentence(graph, guards.proposals), they)

    assert ("dog", "sit on", "bench") in found


def test_the_sailing_boat_is_called_the_boat_if_it_is_repeated() -> None:
    boat = SemanticTuple(("sailing boat",), "object", (2,))
    before = Sentence(sentence("a boat").graph, [boat])
    definite = sentence("a flag on the boat", (2, "on", 5))
    another = sentence("a flag on a boat", (2, "on", 5))

    said = {tuple_.members for tuple_ in resolve([before, definite], GRAMMAR)}
    assert ("boat",) in said
    assert ("sailing boat",) not in said
    said = {tuple_.members for tuple_ in resolve([before, another], GRAMMAR)}
    assert ("sailing boat",) in said


def test_tokens_count_through_the_caption_and_words_are_kept() -> None:
    found = resolve(
        [sentence("a man on a horse"), sentence("he with a hat", (1, "wear", 4))],
        GRAMMAR,
    )
    [wear] = [tuple_ for tuple_ in found if len(tuple_.members) == 3]

    assert wear.tokens == (6, 0, 9)
    assert wear.written == ("he", "wear", "hat")


CAPTIONS = [
    "A man rides a horse. He wears a red hat. The horse is brown.",
    "She holds an umbrella. A woman is standing on a street.",
    "Two dogs are running in a park. They have long tails. A boy throws a ball.",
    "A sail boat is on a lake. The boat has a white sail. It is near a dock.",
    "A woman sits on a bench. Her bag is on the ground. A man walks by. He has a dog.",
    "A boy rides a bike. He has a hat. A girl is behind him. A man mows the lawn.",
]


def test_a_pronoun_means_who_the_caption_goes_on_about() -> None:
    found = Pipeline(grammar=GRAMMAR).parse([CAPTIONS[-1]])[0].to_tuples()

    assert ("girl", "behind", "boy") in found


@pytest.mark.parametrize("caption", CAPTIONS[:-1])
def test_sentences_in_another_order_say_the_same(caption: str) -> None:
    sentences = caption.split(". ")
    reversed_ = ". ".join(part.rstrip(".") for part in reversed(sentences)) + "."
    there, back = Pipeline(grammar=GRAMMAR).parse([caption, reversed_])

    assert len(split_sentences(caption)) > 1
    assert there.to_tuples() == back.to_tuples()
    counts = match(there, back).counts()
    assert (counts.precision, counts.recall) == (1.0, 1.0)


@pytest.mark.parametrize(
    ("caption", "relation"),
    [
        (
            "There is a truck. A man stands next to it. A tree is on a hill.",
            ("man", "stand next to", "truck"),
        ),
        (
            "There are people on a court. There are bushes and trees behind them.",
            ("bush", "behind", "people"),
        ),
        ("There is a table with a cup on it.", ("cup", "on", "table")),
        (
            "Trees line a road. A person and their dog walk past benches.",
            ("person", "have", "dog"),
        ),
        (
            "Boys run. They hold kites, and there is a dog sitting next to them.",
            ("dog", "sit next to", "boy"),
        ),
    ],
)
def test_in_order_a_pronoun_means_what_stands_before_it(
    caption: str, relation: tuple[str, ...]
) -> None:
    pipeline = Pipeline(grammar=replace(GRAMMAR, in_order=True))

    [trace] = pipeline.traces([caption])

    assert relation in {tuple_.members for tuple_ in trace.proposals}
