"""Shared fixtures of the tests of dependency graphs."""

import pytest

from spicepy.rules.dependency_graphs import DependencyWords
from spicepy.rules.loading import load_grammar


@pytest.fixture(scope="session")
def words() -> DependencyWords:
    """The words that the faithful grammar names."""
    return DependencyWords.from_lists(load_grammar("spice-1.0").lists)
