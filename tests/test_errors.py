"""How error messages show values and suggest names."""

import pytest

from spicepy.errors import nearest, shown, unknown


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "null"),
        (True, "true"),
        ([None, False, "a"], "[null, false, 'a']"),
        ({"refs": None}, "{'refs': null}"),
        ("a\nb\ud800", r"'a\nb\ud800'"),
        (1.5, "1.5"),
        (-12, "-12"),
    ],
)
def test_values_are_shown_as_in_json(value: object, text: str) -> None:
    assert shown(value) == text


def test_no_value_takes_more_than_its_limit() -> None:
    deep: list[object] = []
    for _ in range(100_000):
        deep = [deep]
    for value in ("x" * 10**6, ["x" * 150] * 9, 10**5000, deep, {1: "y" * 999}):
        assert len(shown(value)) <= 200
    assert len(shown("abc" * 99, limit=20)) == 20
    assert shown("abc" * 99).endswith("…")
    assert "5000 digits" in shown(10**5000)


def test_a_wrong_name_is_answered_by_the_nearest() -> None:
    assert nearest("blu", ["bleu", "spice"]) == "; did you mean 'bleu'?"
    message = str(unknown("score", "bleu4", [f"bleu-{n}" for n in range(1, 100)]))
    assert message.startswith("no score 'bleu4' here; did you mean 'bleu-4'?")
    assert len(message) < 500
    assert str(unknown("score", "zz", [])).endswith("there are: none")
