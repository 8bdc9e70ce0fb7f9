"""Captions of two versions of a captioner: one error fixed, two made, one kept."""

REFERENCES = {
    1: ("two dogs run", "two brown dogs are running"),
    2: ("a red bus on a street", "a red bus in a street"),
    3: ("a cat on a bed", "a cat sleeps on a bed"),
    4: ("three birds", "three birds fly"),
}
OLD = {1: "three dogs run", 2: "a red bus", 3: "a cat on a bed", 4: "four birds fly"}
NEW = {1: "two dogs run", 2: "a blue bus", 3: "a dog on a bed", 4: "five birds fly"}
