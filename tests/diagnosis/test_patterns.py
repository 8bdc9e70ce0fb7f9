"""Patterns: what a captioner does more often than people do to each other."""

from dataclasses import replace

import numpy as np
import pytest

from spicepy.diagnosis import Analysis, Scene, diagnose, load_vocabulary
from spicepy.diagnosis.annotations import beside_annotations
from spicepy.diagnosis.captions.items import Items, items_of
from spicepy.diagnosis.events import EventRow, Events, Key, folded, p_value
from spicepy.diagnosis.findings import (
    Agreement,
    Finding,
    Pattern,
    PatternKind,
    strongest,
)
from spicepy.diagnosis.patterns import Finder, find_patterns
from spicepy.diagnosis.results.rows import errors
from spicepy.diagnosis.results.tables import patterns_by_system
from spicepy.objects.instances import ImageObjects, Instances

PLACES = ("sofa", "carpet", "bridge", "lawn", "boat", "porch", "hill", "truck")


@pytest.fixture(scope="module")
def analysis() -> Analysis:
    return Analysis()


def scenes(analysis: Analysis, rows: list[tuple[str, list[str]]]) -> list[Scene]:
    readings = analysis.reader.read(t for c, rs in rows for t in (c, *rs))
    return [
        Scene(n, readings[c], tuple(readings[r] for r in rs))
        for n, (c, rs) in enumerate(rows)
    ]


FORMS = (
    "A brown {} on a {}.",
    "A {} lies on the {} alone.",
    "The {} is on a {}.",
    "There is a {} on the old {}.",
    "A {} that looks up from a {}.",
)


def of_dogs(said: str, habits: int, number: int = 30) -> list[tuple[str, list[str]]]:
    """Captions of dogs in five forms; the first candidates say another thing."""
    rows = []
    for n in range(number):
        place = PLACES[n % len(PLACES)]
        own, *others = (*FORMS[n % 5 :], *FORMS[: n % 5])
        candidate = own.format(said if n < habits else "dog", place)
        rows.append((candidate, [form.format("dog", place) for form in others]))
    return rows


def found(analysis: Analysis, rows: list[tuple[str, list[str]]]) -> list[Pattern]:
    images = scenes(analysis, rows)
    items = [analysis.items(scene) for scene in images]
    return list(find_patterns(images, items, analysis.lexicon))


def test_one_animal_for_another_is_one_row(analysis) -> None:
    [*rows] = found(analysis, of_dogs("cat", 12))

    about = [(r.kind, r.said, r.expected) for r in rows]
    assert about == [("confused", "cat", "dog")]


def test_nothing_is_said_for_what_the_caption_has_another_word_for(analysis) -> None:
    """A "cat" beside a "poodle" is not said for the dog."""
    rows = found(analysis, of_dogs("poodle with a cat", 12))

    assert ("confused", "cat") not in {(r.kind, r.said) for r in rows}


def test_a_row_has_its_captions_and_its_numbers(analysis) -> None:
    rows = found(analysis, of_dogs("cat", 12))

    [row] = [r for r in rows if r.kind == "confused"]
    assert (row.images, row.expected_images, row.excess) == (12, 0.0, 12.0)
    assert sorted(row.image_ids) == list(range(12))
    assert row.p < 0.001
    assert len(row.examples) == 3
    assert all("cat" in e.caption and "dog" in e.reference for e in row.examples)
    assert row.text == 'says "cat" for "dog"'


def test_a_paraphrase_is_no_confusion(analysis) -> None:
    rows = [
        (c.replace("sofa", "couch"), rs)
        for c, rs in of_dogs("dog", 0, 96)
        if "sofa" in c
    ]

    assert {r.kind for r in found(analysis, rows)}.isdisjoint(("confused", "invented"))


def test_what_people_do_as_often_is_no_pattern(analysis) -> None:
    assert found(analysis, of_dogs("dog", 0)) == []


def test_the_p_value_is_that_of_one_of_all_captions() -> None:
    ones = np.ones(3, dtype=np.intp)
    row = EventRow(
        ("said", ("noun", "dog"), ("", "")), np.arange(3), ones, ones, 5 * ones
    )

    assert p_value(row) == pytest.approx(0.2**3)


def test_images_without_references_are_left_out(analysis) -> None:
    assert found(analysis, [("A dog.", [])] * 3) == []


def test_rows_are_the_same_in_any_order_of_words(analysis: Analysis) -> None:
    """A phrase that is a frequent noun and a rare colour as well is not tried."""
    rows = of_dogs("dog", 0)
    images = scenes(analysis, rows)
    items = [analysis.items(scene) for scene in images]
    often, rarely = list(range(1, 61, 2)), list(range(1, 12, 2))
    said = {("noun", "sand"): often, ("color", "sand"): rarely}

    def tried(order: list[tuple[str, str]]) -> list[Key]:
        own = {item: said.get(item, often) for item in order}
        finder = Finder(images, items, analysis.lexicon, own)
        return [row.key for row in finder.tried()]

    order = [*said, ("phrase", "sand")]
    assert tried(order) == tried(order[::-1])
    assert ("said", ("phrase", "sand"), ("", "")) not in tried(order)


def test_patterns_of_systems_stand_side_by_side(analysis: Analysis) -> None:
    rows = found(analysis, of_dogs("cat", 12)), found(analysis, of_dogs("dog", 0))
    table = patterns_by_system(dict(zip("ab", rows)))

    assert table.columns == ("Pattern", "a", "b", "people")
    assert table.rows == [('says "cat" for "dog"', 12, None, 0.0)]


def test_people_may_differ_beside_each_system(analysis: Analysis) -> None:
    [row] = found(analysis, of_dogs("cat", 12))
    other = replace(row, expected_images=1.5)

    assert patterns_by_system({"a": [row], "b": [other]}).rows[0][-1] == "0.0–1.5"


def test_one_caption_for_many_images_explains_what_is_wrong_in_it(
    analysis: Analysis,
) -> None:
    rows = of_dogs("dog", 0)
    wrong = "a brown cow laying in a pile of shoes"
    rows = [(wrong, refs) if n < 12 else (c, refs) for n, (c, refs) in enumerate(rows)]
    patterns = found(analysis, rows)

    assert f'says "{wrong}" too often' in [p.text for p in patterns]
    assert not [p for p in patterns if p.kind == "confused"]


def test_empty_captions_are_no_caption_for_many_images(analysis: Analysis) -> None:
    rows = [("" if n < 12 else c, r) for n, (c, r) in enumerate(of_dogs("dog", 0))]

    assert not [p for p in found(analysis, rows) if p.kind == "overused"]


def judged(
    analysis: Analysis, rows: list[tuple[str, list[str]]], outlined: list[str]
) -> list[Pattern]:
    """Patterns beside annotations: one object of a class for each image."""
    objects = {n: ImageObjects({name: 1}) for n, name in enumerate(outlined)}
    annotated = Instances((), tuple(dict.fromkeys(outlined)), objects, {})
    diagnosis = diagnose(scenes(analysis, rows), analysis=analysis)
    nouns = analysis.lexicon.nouns
    beside = beside_annotations(diagnosis, annotated, load_vocabulary(), nouns)
    return list(beside.diagnosis.patterns)


def test_annotations_say_how_often_a_pattern_is_right(analysis: Analysis) -> None:
    outlined = ["cat"] * 3 + ["dog"] * 27
    [pattern] = judged(analysis, of_dogs("cat", 12), outlined)

    assert pattern.agreement == Agreement(9, 12)
    assert str(pattern.agreement) == "9 of 12 (.47-.91)"


def test_a_class_that_is_seldom_outlined_confirms_no_invention(
    analysis: Analysis,
) -> None:
    patterns = judged(analysis, of_dogs("car", 12), ["car"] * 3 + ["dog"] * 27)
    said = [p for p in patterns if p.said == "car"]

    assert said
    assert {p.agreement for p in said} == {None}


def test_an_outlined_person_does_not_confirm_a_missed_man(analysis: Analysis) -> None:
    rows = [(c.replace("cat", "tree"), refs) for c, refs in of_dogs("cat", 12)]
    rows = [(c, [r.replace("dog", "man") for r in refs]) for c, refs in rows]
    missed = [p for p in judged(analysis, rows, ["person"] * 30) if p.kind == "missed"]

    agreements = {p.expected: p.agreement for p in missed}
    assert agreements["man"] is None


def test_an_open_number_for_an_exact_one_is_a_wrong_count(analysis: Analysis) -> None:
    rows = []
    for n in range(30):
        place = PLACES[n % len(PLACES)]
        own, *others = (*FORMS[n % 5 :], *FORMS[: n % 5])
        of_two = [f.replace("{}", "two dogs", 1).format(place) for f in (own, *others)]
        said = of_two[0].replace("two", "several") if n < 15 else of_two[0]
        rows.append((said, of_two[1:]))

    [row] = found(analysis, rows)

    assert (row.kind, row.said, row.expected) == ("wrong count", "several", "two")


def test_a_number_where_others_leave_it_open_is_no_wrong_count(
    analysis: Analysis,
) -> None:
    rows = [
        (f"two dogs on a {place}", [f"several dogs on a {place}"] * 4)
        for place in PLACES * 3
    ]

    assert "wrong count" not in {row.kind for row in found(analysis, rows)}


@pytest.mark.parametrize("others", ["Some people sit.", "A group of people."])
def test_a_group_is_no_wrong_count_where_another_has_people(
    analysis: Analysis, others: str
) -> None:
    rows = [
        (f"A group of people at a {place}.", [f"A woman at a {place}.", others] * 2)
        for place in (*PLACES, *PLACES)
    ]

    assert "wrong count" not in {p.kind for p in found(analysis, rows)}


def test_a_doubtful_row_does_not_stand_for_a_sure_one(analysis: Analysis) -> None:
    """Many say "dog", few people "a spotted dog", which the captioner always says."""
    images = scenes(analysis, of_dogs("dog", 0))
    finder = Finder(images, [analysis.items(s) for s in images], analysis.lexicon, {})
    number = len(images)
    sizes, own = np.full(number, 5), (np.arange(number) < 12).astype(np.intp)

    def row(item: tuple[str, str], done: np.ndarray, p: float) -> EventRow:
        key = ("said", item, ("", ""))
        return EventRow(key, np.arange(number), done, own, sizes, p)

    broad = row(("noun", "dog"), own.copy(), 0.04)
    sure = row(("phrase", "a spotted dog"), own + (np.arange(number) % 4 == 0), 1e-6)
    finder.tried = lambda: [broad, sure]  # type: ignore[method-assign]

    assert [r.said for r in finder.patterns()] == ["a spotted dog"]


@pytest.mark.parametrize(
    ("caption", "twice"),
    [
        ("a dog runs in the rain in the rain", True),
        ("a dog near a man runs near a man", True),
        ("a dog in the rain and a cat in the snow", False),
    ],
)
def test_phrases_of_three_words_are_said_twice(
    analysis: Analysis, caption: str, twice: bool
) -> None:
    [image] = scenes(analysis, [(caption, ["a dog"])])

    assert (("any", "longer phrase") in analysis.items(image)[0].repeated) is twice


@pytest.mark.parametrize(
    ("caption", "twice"),
    [
        ("a man stands next to a man", True),
        ("a man walks and another man sits", False),
        ("two people, with one person on a bench and the other person on a bed", False),
        ("several people wait, some of them near a bus and others near a sign", False),
    ],
)
def test_who_is_told_apart_is_not_said_twice(
    analysis: Analysis, caption: str, twice: bool
) -> None:
    [image] = scenes(analysis, [(caption, ["a dog"])])

    assert (("any", "noun") in analysis.items(image)[0].repeated) is twice


def test_colors_of_clothes_that_are_left_out_are_a_row(analysis: Analysis) -> None:
    others = ["a man in a red shirt", "he has a blue shirt", "a man", "a red shirt"]
    rows = [("a red bus and a man in a shirt", others)] * 40

    assert "any color of garment" in {r.expected for r in found(analysis, rows)}


def test_the_clearer_of_two_rows_is_kept() -> None:
    """Of the captions at night, nearly none would be, but "at" is frequent."""
    number = 60
    own = np.ones(number, dtype=np.intp)
    sizes, images = 5 * own, np.arange(number)
    often = EventRow(
        ("invented", ("position", "at"), ("", "")), images, own, own, sizes
    )
    broad = replace(often, done=own + 2)
    clear = EventRow(
        ("said", ("phrase", "at night"), ("", "")), images, own, own, sizes
    )

    assert folded([broad, clear.where(images < 40)], number)[0].key == clear.key


@pytest.mark.parametrize(
    ("said", "expected", "kind"),
    [
        ("under", "on", "confused"),
        ("in front of", "on", "other word"),
        ("in", "next to", "other word"),
    ],
)
def test_only_opposite_positions_are_confused(
    analysis: Analysis, said: str, expected: str, kind: str
) -> None:
    rows = [
        (f"A dog {said} a {place}.", [f"A dog {expected} the {place}."] * 3)
        for place in (*PLACES, *PLACES)
    ]
    kinds = {
        p.kind
        for p in found(analysis, rows)
        if (p.said, p.expected) == (said, expected)
    }

    assert kinds == {kind}


def pattern(kind: PatternKind, said: str, expected: str = "") -> Pattern:
    return Pattern(kind, said, expected, "", 9, 1.0, 0.0, (), ())


def test_half_of_the_strongest_patterns_are_errors() -> None:
    wording = [
        pattern("overused", "standing"),
        pattern("wrong count", "group", "two"),
        pattern("other word", "street", "road"),
        pattern("missed", "", "any size"),
    ]
    errors = [
        pattern("wrong count", "group", "one"),
        pattern("wrong count", "two (dog)", "three"),
        pattern("wrong count", ""),
    ]
    shown = strongest([*wording, *errors], 4)

    assert list(shown) == [*errors[:2], *wording[:2]]
    assert strongest(wording, 3) == wording[:3]
    assert strongest(errors, None) == errors


ANSWER = (
    "The image features a {} in the middle of the room. The {} stands in the center, "
    "and there is {} next to it. The scene appears to be cozy and inviting, and the {} "
    "adds a touch of elegance to the whole room."
)


@pytest.mark.parametrize(
    ("other", "habit"),
    [
        ("a cat", ("confused", "cat", "dog")),
        # A thing of another sort may be beside what the references name.
        ("a handbag", ("invented", "handbag", "")),
        # More numbers and values are no errors of longer captions.
        ("a dog with two large balls", None),
        ("one dog of three dogs", None),
    ],
)
def test_of_long_answers_only_what_they_show_is_compared(
    analysis: Analysis, other: str, habit: tuple[str, str, str] | None
) -> None:
    names = ("sofa", "bed", "desk", "piano", "bench")
    rows = []
    for n in range(20):
        name = names[n % len(names)]
        own = other if n < 12 else "a dog"
        short = (f"A {name} in a room.", f"There is a {name}.", f"A {name} and a dog.")
        short = (*short[:1], f"A dog and a {name}.", short[2])
        rows.append((ANSWER.format(name, name, own, name), list(short)))
    patterns = found(analysis, rows)

    about = [(p.kind, p.said, p.expected) for p in patterns if p.said != "ball"]
    assert about == ([habit] if habit else [])


def test_a_habit_on_nearly_every_image_explains_no_other(analysis: Analysis) -> None:
    def row(name: str, images: list[int], own: list[int]) -> EventRow:
        at = np.array(images)
        done, sizes = np.ones(len(at), dtype=np.intp), np.full(len(at), 6)
        return EventRow(
            (name, ("noun", name), ("", "")), at, done, np.array(own), sizes
        )

    often = row("repeated", list(range(90)), [1] * 90)
    seldom = row("invented", list(range(20)), [1] * 20)
    same = row("invented", list(range(45, 90)), [1] * 45)

    assert folded([often, seldom], 100) == [often, seldom]
    assert folded([often, same], 180) == [often]


def test_patterns_quote_the_word_that_captions_have(analysis: Analysis) -> None:
    rows = [
        (f"A large dog at a {place}.", [f"A dog at a {place}.", f"A dog by a {place}."])
        for place in PLACES * 3
    ]

    assert "large" in {p.said for p in found(analysis, rows)}


def test_a_word_in_a_compound_of_others_is_no_invention(analysis: Analysis) -> None:
    rows = [
        (f"A dog on a street at a {place}.", [f"A dog by a street light, {place}."] * 3)
        for place in PLACES * 3
    ]
    kinds = {(p.kind, p.said) for p in found(analysis, rows)}

    assert ("invented", "street") not in kinds


def test_what_is_said_of_any_image_stands_for_nothing(analysis: Analysis) -> None:
    """A captioner that sees a building everywhere does not take cats for buildings."""
    rows = []
    for n in range(60):
        animal, place = ("cat", "dog", "bus")[n % 3], PLACES[n % len(PLACES)]
        others = [form.format(animal, place) for form in FORMS[:4]]
        rows.append((f"A man in front of a building and a {place}.", others))

    patterns = found(analysis, rows)

    said = {(p.expected, p.given) for p in patterns if p.said == "building"}
    assert said == {("", "")}


def test_what_is_said_everywhere_is_not_said_for_each_thing(analysis: Analysis) -> None:
    rows = []
    for n in range(60):
        own, *others = (*FORMS[n % 5 :], *FORMS[: n % 5])
        place, animal = PLACES[n % len(PLACES)], ("dog", "cat", "horse")[n % 3]
        references = [form.format(animal, place) for form in others]
        rows.append((own.format("laptop", place), references))

    about = [(r.kind, r.said) for r in found(analysis, rows)]
    assert ("invented", "laptop") in about
    assert ("confused", "laptop") not in about


def test_a_thing_is_not_said_for_a_person(analysis: Analysis) -> None:
    rows = []
    for n in range(30):
        own, *others = (*FORMS[n % 5 :], *FORMS[: n % 5])
        place = PLACES[n % len(PLACES)]
        references = [form.format("boy", place) for form in others]
        rows.append((own.format("laptop" if n < 12 else "boy", place), references))

    about = {(r.kind, r.said, r.expected) for r in found(analysis, rows)}
    assert ("invented", "laptop", "") in about
    assert ("confused", "laptop", "boy") not in about


def test_people_are_not_said_for_one_of_several_people(analysis: Analysis) -> None:
    forms = ("{} wait at a {}", "{} stand near a {}", "{} beside a {}", "{} in a {}")
    rows = []
    for n in range(40):
        place = PLACES[n % len(PLACES)]
        own, *others = (*forms[n % 4 :], *forms[: n % 4])
        candidate = own.format("people" if n < 16 else "a man and a woman", place)
        references = [form.format("a man and a woman", place) for form in others]
        rows.append((candidate, references))

    about = {(r.said, r.expected) for r in found(analysis, rows)}
    assert about.isdisjoint({("people", "man"), ("people", "woman")})


def test_a_man_is_not_said_for_several_people(analysis: Analysis) -> None:
    forms = ("{} waiting at a {}", "{} standing near a {}", "{} beside a {}")
    rows = []
    for n in range(60):
        place = PLACES[n % len(PLACES)]
        own, *others = (*forms[n % 3 :], *forms[: n % 3])
        candidate = own.format("a man" if n < 24 else "people", place)
        rows.append((candidate, [form.format("people", place) for form in others]))

    about = {(r.said, r.expected) for r in found(analysis, rows)}
    assert ("man", "people") not in about


def test_words_of_different_parts_of_speech_are_no_confusion(
    analysis: Analysis,
) -> None:
    def finder(said: str, expected: str) -> Finder:
        images = scenes(analysis, [(said, [expected, expected])])
        own = [analysis.items(scene) for scene in images]
        return Finder(images, own, analysis.lexicon, analysis.said(images))

    apart, alike = (
        finder("a wet dog", "a dog at night"),
        finder("a wet dog", "a green dog"),
    )
    assert not apart._is_of_one_part("wet", 0, "night")
    assert alike._is_of_one_part("wet", 0, "green")
    # A verb that the parser took for a noun is none: "dogs sit" read as two nouns.
    assert [alike._is_verb(word) for word in ("sit", "top")] == [True, False]


def test_another_word_for_a_thing_stands_for_nothing_else(analysis: Analysis) -> None:
    forms = ("{} stands on a {} beside a car", "a car and {} on a {}")
    forms += ("{} near a car in a {}", "{} is next to a parked car on a {}")
    rows = []
    for n in range(90):
        animal = ("a horse", "a cow", "a goat", "a dog")[n % 4]
        place = "street" if n < 30 else ("park", "field", "beach")[n % 3]
        own, *others = (*forms[n % 4 :], *forms[: n % 4])
        own = "{} walks down a road" if n < 10 else own
        references = [f.format(animal, place) for f in others]
        rows.append((own.format(animal, place), [*references, f"{animal} and a fence"]))

    about = {(r.kind, r.said, r.expected) for r in found(analysis, rows)}
    assert ("less specific", "road", "street") in about
    assert ("confused", "road", "car") not in about


def test_positions_are_compared_at_one_place(analysis: Analysis) -> None:
    def items(caption: str) -> Items:
        return items_of(analysis.reader.read([caption])[caption], analysis.lexicon)

    on, under = items("a cat on a table"), items("a cat under a table")
    tree = items("a cat in a tree")
    events = Events()
    events.add([on, tree, tree])
    events.add([under, on, on])
    confused = {key[1:] for key in events.others if key[0] == "confused"}
    assert (("position", "under"), ("position", "on")) in confused
    assert (("position", "on"), ("position", "in")) not in confused


@pytest.mark.parametrize(
    ("caption", "values"),
    [
        ("a man holds a glass of wine", set()),
        ("an orange on a plate", set()),
        ("a red glass vase", {("color", "red"), ("material", "glass")}),
    ],
)
def test_things_are_no_values(
    analysis: Analysis, caption: str, values: set[tuple[str, str]]
) -> None:
    reading = analysis.reader.read([caption])[caption]
    words = items_of(reading, analysis.lexicon).words
    assert {w for w in words if w[0] in ("color", "material")} == values


def test_a_hot_dog_is_no_dog(analysis: Analysis) -> None:
    [scene] = scenes(analysis, [("A hot dog on a bus station bench.", ["Food."])])
    nouns = {text for category, text in analysis.items(scene)[0].words}

    assert {"hot dog", "bench"} <= nouns
    assert "dog" not in nouns


@pytest.mark.parametrize(
    ("said", "others", "is_wrong"),
    [
        ("Three sheep lie in hay.", ("A couple of sheep.", "Several sheep."), False),
        ("Three sheep lie in hay.", ("A couple of sheep.", "Two sheep."), True),
        ("One sheep lies in hay.", ("A couple of sheep.", "Several sheep."), True),
        # As many people, whatever they are.
        ("Two men play.", ("A man and a woman play.", "Two people."), False),
        ("A man and a woman.", ("A man with other people.", "A man."), False),
    ],
)
def test_a_number_is_wrong_beside_others(
    analysis: Analysis, said: str, others: tuple[str, ...], is_wrong: bool
) -> None:
    events = Events()
    [scene] = scenes(analysis, [(said, list(others))])
    events.add(analysis.items(scene))

    wrong = [e for key, own in events.others.items() if key[0] == "wrong" for e in own]
    assert any(entry & 1 for entry in wrong) is is_wrong


def test_the_examples_of_wrong_values_are_the_clearest(analysis: Analysis) -> None:
    unclear = ("Two dogs bark.", ["Four dogs bark.", "A park.", "It is a park."])
    clear = ("Two dogs bark.", ["Three dogs bark.", "Three dogs.", "Four dogs here."])
    rows = [unclear] * 12 + [clear] * 12
    [pattern] = [p for p in found(analysis, rows) if (p.kind, p.said) == COUNTS]

    assert set(pattern.image_ids[:12]) == set(range(12, 24))


COUNTS = "wrong count", ""


def test_a_habit_without_words_is_shown_by_findings_of_its_kind() -> None:
    seen = Pattern("wrong count", "", "", "", 9, 1.0, 0.01, (1,), ())
    missed = Finding(1, "missed object", ("cat",), probability=0.9)
    number = Finding(1, "wrong count", ("dog", "2"), probability=0.9)
    table = errors([missed, number], (), [seen])
    at = table.columns.index("pattern")

    assert [row[at] for row in table.rows] == [None, "gives a wrong number"]


CARS = (
    "A {} car parked near a {}.",
    "A {} car by a {}.",
    "An old {} car stands beside a {}.",
    "There is a {} car in front of a {}.",
    "The {} car is next to a {}.",
)


def test_a_word_is_in_one_row_though_every_caption_has_it(analysis: Analysis) -> None:
    rows = []
    for n in range(60):
        own, *others = (*CARS[n % 5 :], *CARS[: n % 5])
        place = PLACES[n % len(PLACES)]
        references = [form.format("teal", place) for form in others]
        rows.append((own.format("mauve", place), references))

    about = [(r.kind, r.said, r.expected) for r in found(analysis, rows)]

    assert about == [("wrong color", "mauve", "teal")]


def test_an_unknown_word_is_left_out_once(analysis: Analysis) -> None:
    rows = []
    for n in range(60):
        own, *others = (*FORMS[n % 5 :], *FORMS[: n % 5])
        place = PLACES[n % len(PLACES)]
        references = [form.format("blarg ball", place) for form in others]
        rows.append((own.format("zorgy ball", place), references))

    every = found(analysis, rows)

    assert len([r for r in every if "blarg" in r.expected]) == 1
    assert len([r for r in every if "zorgy" in r.said]) == 1


def habit(analysis: Analysis, said: str, expected: str) -> set[tuple[str, str, str]]:
    """The rows of a captioner that says one thing where all others say another."""
    rows = []
    for n in range(60):
        place = PLACES[n % len(PLACES)]
        ways = ("near a {}", "by the {}", "at a {}", "beside a {}", "close to a {}")
        own, *others = (f"{{}} {way.format(place)}" for way in (*ways[n % 5 :], *ways))
        text = said if n < 30 else expected
        references = [form.format(expected) for form in others[:4]]
        rows.append((own.format(text), references))
    return {(r.kind, r.said, r.expected) for r in found(analysis, rows)}


@pytest.mark.parametrize(
    ("said", "expected", "pair"),
    [
        ("a man sits", "a man looks at a dog", ("sit", "look")),
        ("a man holds a cup", "a man looks at a cup", ("hold", "look")),
        ("a man ties a rope", "it snows on a man", ("tie", "snow")),
        ("a man eats beside a dog", "a man and a dog that runs", ("eat", "run")),
        ("a laptop", "a dog", ("laptop", "dog")),
    ],
)
def test_what_may_be_beside_another_is_not_said_for_it(
    analysis: Analysis, said: str, expected: str, pair: tuple[str, str]
) -> None:
    assert pair not in {row[1:] for row in habit(analysis, said, expected)}


@pytest.mark.parametrize(
    ("said", "expected", "pair"),
    [
        ("a man sits", "a man stands", ("sit", "stand")),
        ("a man rides a horse", "a man stands with a horse", ("ride", "stand")),
        ("a tractor", "a truck", ("tractor", "truck")),
        ("a toothbrush", "a hairbrush", ("toothbrush", "hairbrush")),
    ],
)
def test_what_excludes_another_is_said_for_it(
    analysis: Analysis, said: str, expected: str, pair: tuple[str, str]
) -> None:
    assert pair in {row[1:] for row in habit(analysis, said, expected)}


def test_a_part_of_a_position_is_not_left_out(analysis: Analysis) -> None:
    [text] = analysis.reader.read(["a dog next to a cat"]).values()

    assert ("word", "next") not in items_of(text, analysis.lexicon).words
