"""People: their gender and age, as a caption says it.

In: a `Thing` that is a person. Out: "male" or "female"; "child", "young" or "adult";
None where the caption does not say.
"""

from spicepy.diagnosis.reading import Thing
from spicepy.diagnosis.words import load_words


def gender(thing: Thing) -> str | None:
    """By noun, adjective or pronoun."""
    genders = load_words().genders
    for word in (thing.head, *thing.attributes, *thing.name.split(), *thing.pronouns):
        if word in genders:
            return genders[word]
    return None


def age(thing: Thing) -> str | None:
    """By noun and adjective: a little girl is a child, a young man is young."""
    ages = load_words().ages
    said = {*thing.name.split(), *thing.attributes}
    if thing.head in ages["child"]:
        return "child"
    if thing.head in ages["young"]:
        return "young" if said.isdisjoint(ages["small"]) else "child"
    if thing.head in ages["adult"]:
        return "adult" if said.isdisjoint(ages["small"]) else "young"
    if not said.isdisjoint(ages["old"]):
        return "adult"
    return None


def contradict(first: Thing, second: Thing) -> bool:
    """Whether two things cannot be one person: by gender, or a child and an adult."""
    sexes = {gender(first), gender(second)} - {None}
    return len(sexes) > 1 or {age(first), age(second)} == {"child", "adult"}
