"""Methods that cache their results in their object.

In: a method with hashable arguments whose results depend only on these and on
attributes that never change. Out: the same method, computed once for each of the latest
arguments. The cache belongs to the object, so that two objects never share results.
"""

from collections.abc import Callable
from functools import lru_cache
from types import MethodType
from typing import Any, Concatenate, Final, Generic, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")

MOST: Final = 1 << 17
"""The number of results that a method keeps."""


class cached_method(Generic[P, R]):
    """Decorate a method so that its object keeps the latest results."""

    def __init__(self, method: Callable[Concatenate[Any, P], R]) -> None:
        self._method = method
        self.__doc__ = method.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, instance: object, owner: type) -> Callable[P, R]:
        # The result hides this descriptor, so that it is made once for an object.
        bound: Callable[P, R] = MethodType(self._method, instance)
        cached: Any = lru_cache(MOST)(bound)
        instance.__dict__[self._name] = cached
        known: Callable[P, R] = cached
        return known
