"""Words for people, with the gender and age that they imply.

In: the tables `people`, `gender` and `age` of `grammars/diagnosis.toml`, and the nouns
for groups of `grammars/amounts.toml`. Out: `People`.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from spicepy.annotations.amounts import load_amount_words

Gender = Literal["male", "female"]
Age = Literal["child", "young", "adult"]


@dataclass(frozen=True)
class People:
    """Words for people.

    Attributes:
        words: Nouns for one or several persons.
        not_words: Nouns that mean no person, though WordNet has them below "person".
        anyone: Nouns for a person that imply nothing else: "person".
        crowds: Nouns for any number of people.
        kin: Nouns that beside a "mother zebra" mean animals: "baby".
        genders: Word -> gender.
        ages: Lists of nouns and adjectives by name ("child", "small", "old" …).
    """

    words: frozenset[str]
    not_words: frozenset[str]
    anyone: frozenset[str]
    crowds: frozenset[str]
    kin: frozenset[str]
    genders: Mapping[str, Gender]
    ages: Mapping[str, frozenset[str]]

    def gender(
        self, name: str, attributes: Iterable[str], pronouns: Iterable[str] = ()
    ) -> Gender | None:
        """Return the gender by noun, adjective or pronoun; None if it is unknown."""
        head = name.rpartition(" ")[2]
        for word in (head, *attributes, *name.split(), *pronouns):
            if word in self.genders:
                return self.genders[word]
        return None

    def age(self, name: str, attributes: Iterable[str]) -> Age | None:
        """Return the age by noun and adjective; None if it is unknown.

        A "little girl" is a child, a "young man" is young.
        """
        head, said = name.rpartition(" ")[2], {*name.split(), *attributes}
        small = not said.isdisjoint(self.ages["small"])
        if head in self.ages["teen"]:
            return "young"
        if head in self.ages["child"]:
            return "child"
        if head in self.ages["young"]:
            return "child" if small else "young"
        if head in self.ages["adult"]:
            return "young" if small else "adult"
        return "adult" if not said.isdisjoint(self.ages["old"]) else None


def read_people(data: Mapping[str, Any]) -> People:
    """Return the words for people from the tables of a lexicon file."""
    people, age = data["people"], data["age"]
    sexes: tuple[Gender, ...] = ("male", "female")
    genders: dict[str, Gender] = {w: sex for sex in sexes for w in data["gender"][sex]}
    groups = load_amount_words().groups
    persons = {*genders, *age["child"], *age["young"], *age["teen"]}
    return People(
        words=frozenset(groups) | {*people["words"], *people["anyone"], *persons},
        not_words=frozenset(people["not_people"]),
        anyone=frozenset(people["anyone"]),
        crowds=frozenset(
            {"people", *(n for n, (_, high) in groups.items() if not high)}
        ),
        kin=frozenset(people["kin"]),
        genders=genders,
        ages={name: frozenset(w) for name, w in age.items() if name != "source"},
    )
