"""Caches that threads share."""

from collections.abc import Callable
from functools import partial
from threading import Barrier, Thread

from spicepy.common.threads import LRUCache


def maker(made: list[str], key: str) -> Callable[[], None]:
    return lambda: made.append(key)


def test_what_was_used_last_stays() -> None:
    cache: LRUCache[str, None] = LRUCache(2)
    made: list[str] = []
    for key in "abacab":
        cache.made(key, maker(made, key))

    assert made == ["a", "b", "c", "b"]


def test_a_look_counts_as_use() -> None:
    cache: LRUCache[str, int] = LRUCache(2)
    cache.keep({"a": 1})
    cache.keep({"b": 2})
    assert cache.get(["a", "a", "x"]) == {"a": 1}
    cache.keep({"c": 3})

    assert cache.get("abc") == {"a": 1, "c": 3}


def test_none_is_a_value() -> None:
    cache: LRUCache[str, None] = LRUCache(2)
    made: list[str] = []
    for _ in range(3):
        assert cache.made("a", maker(made, "a")) is None

    assert made == ["a"]


def test_threads_make_a_value_once() -> None:
    cache: LRUCache[int, object] = LRUCache(1000)
    made: list[int] = []
    start = Barrier(4)

    def make(key: int) -> object:
        made.append(key)
        for _ in range(2000):  # Long enough that another thread gets its turn.
            pass
        return object()

    def use() -> None:
        start.wait()
        for key in range(300):
            cache.made(key, partial(make, key))

    threads = [Thread(target=use) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert made == list(range(300))


def test_the_values_of_one_call_are_all_kept() -> None:
    cache: LRUCache[int, int] = LRUCache(2)
    cache.keep({9: 9})
    cache.keep({1: 1, 2: 2, 3: 3})

    assert cache.get(range(10)) == {1: 1, 2: 2, 3: 3}
