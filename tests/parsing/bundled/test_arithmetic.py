"""Exact sums, whoever adds them up; rounding; the hyperbolic tangent."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spicepy.parsing.bundled.words import (
    MAX_INPUTS,
    Product,
    exact_weights,
    quantized,
    round_to,
    tanh,
)


def random_bytes(random: np.random.Generator, *shape: int) -> np.ndarray:
    return random.integers(-127, 128, shape).astype(np.int8)


@settings(deadline=None)
@given(st.integers(1, 40), st.integers(1, 70), st.integers(1, 50), st.integers(0, 99))
def test_products_are_exact(rows: int, inputs: int, outputs: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    values, numbers = (
        random_bytes(random, rows, inputs),
        random_bytes(random, inputs, outputs),
    )
    scale = random.uniform(0.1, 1, outputs).astype(np.float32)
    exact = (values.astype(np.int64) @ numbers.astype(np.int64)).astype(np.float32)

    assert np.array_equal(Product(numbers, scale)(values), exact * scale)


def test_the_largest_sums_are_exact() -> None:
    numbers = np.full((MAX_INPUTS, 1), 127, np.int8)
    values = np.full((1, MAX_INPUTS), -127, np.int8)

    found = Product(numbers, np.ones(1, np.float32))(values)

    assert found.item() == -MAX_INPUTS * 127**2


def test_sums_that_might_not_be_exact_are_refused() -> None:
    numbers = np.zeros((MAX_INPUTS + 1, 1), np.int8)

    with pytest.raises(ValueError, match="add up exactly"):
        Product(numbers, np.ones(1, np.float32))


@given(st.integers(0, 1000), st.floats(1e-3, 1e3))
def test_weights_become_numbers_once(seed: int, size: float) -> None:
    weights = np.random.default_rng(seed).normal(0, size, (2, 9, 4)).astype(np.float32)
    weights[0, :, 0] = 0

    numbers, scale = quantized(weights)
    again, same_scale = quantized(numbers * scale)

    assert numbers.shape == weights.shape
    assert np.abs(numbers.astype(int)).max() == 127
    assert np.abs(numbers * scale - weights).max() <= 0.51 * scale.max()
    assert np.array_equal(again, numbers)
    assert np.array_equal(same_scale, scale)


@given(st.integers(0, 1000))
def test_sums_with_exact_weights_are_exact(seed: int) -> None:
    random = np.random.default_rng(seed)
    weights = exact_weights(random.normal(size=(96, 7)).astype(np.float32), 8, 1.0)
    inputs = round_to(random.uniform(-1, 1, (5, 96)).astype(np.float32), 8)

    exact = inputs.astype(np.float64) @ weights.astype(np.float64)

    assert (inputs @ weights == exact).all()


def test_weights_are_rounded_no_more_than_needed() -> None:
    weights = np.full((4, 1), 0.3, np.float32)

    assert np.abs(exact_weights(weights, 8, 1.0) - weights).max() < 2**-13


def test_tanh() -> None:
    values = np.linspace(-20, 20, 4001, dtype=np.float32)

    found = tanh(values.copy(), np.empty_like(values))

    assert np.abs(found - np.tanh(values)).max() < 0.0022
    assert np.abs(found).max() <= 1
