"""Edges of a pattern as closures: join an edge, test for one, fill an option."""

from collections.abc import Callable, Iterator

from spicepy.extraction.kit import (
    Env,
    Kit,
    Slots,
    Test,
    TooMuch,
    allows,
    list_tests,
    suits,
)
from spicepy.extraction.view import View
from spicepy.grammar.cards import Clause, Pattern

Step = Callable[[View, Env], Iterator[None]]
Fill = Callable[[View, Env], None]


def step(clause: Clause, slots: Slots, known: set[int], kit: Kit) -> Step:
    """An iterator over the ways to add this edge; it fills the clause's slots.

    `known` holds the slots filled before; the clause's own are added to it.
    """
    head, dependent = slots.of(clause.head.name), slots.of(clause.dependent.name)
    bind = slots.of(clause.bind)
    read = kit.reader(clause.label)
    head_tags, tags = kit.tags(clause.head.tags), kit.tags(clause.dependent.tags)
    down = head in known
    fixed = down and dependent in known
    near, far = (head, dependent) if down else (dependent, head)
    known.update((head, dependent))
    listed = list_tests([(head, clause.head), (dependent, clause.dependent)], kit)

    def add(view: View, env: Env) -> Iterator[None]:
        node, target = env[near], env[far]
        links = (view.children if down else view.parents)[node]
        view.left -= len(links)
        if view.left < 0:
            raise TooMuch
        for label, other in links:
            readings = read(label)
            if not readings or (fixed and other != target):
                continue
            above, below = (node, other) if down else (other, node)
            if not allows(head_tags, view.tags[above]):
                continue
            if not allows(tags, view.tags[below]):
                continue
            for reading in readings:
                if suits(view, below, reading):
                    env[far], env[bind] = other, reading[0]
                    if all(test(view, env) for test in listed):
                        yield
                    break

    return add


def exists(pattern: Pattern, slots: Slots, known: set[int], kit: Kit) -> Test:
    """Whether the clauses of a pattern hold together somewhere."""
    scope, seen = Slots(slots), set(known)
    steps = [step(c, scope, seen, kit) for negated, c in pattern if not negated]
    nots = [step(c, scope, set(seen), kit) for negated, c in pattern if negated]
    lists = any(end.listed for _, c in pattern for end in (c.head, c.dependent))
    if len(pattern) == 1 and steps and not lists and not kit.asks(pattern[0][1].label):
        return _one_edge(pattern[0][1], scope, known, kit)

    def search(view: View, env: Env, at: int) -> bool:
        if at == len(steps):
            return not any(True for leave in nots for _ in leave(view, env))
        return any(search(view, env, at + 1) for _ in steps[at](view, env))

    return lambda view, env: search(view, env, 0)


def _one_edge(clause: Clause, slots: Slots, known: set[int], kit: Kit) -> Test:
    """The common case of `exists`, without the machinery of a join.

    It saves a seventh of the time that the rules of `spice-1.0` take.
    """
    head, dependent = slots.of(clause.head.name), slots.of(clause.dependent.name)
    read = kit.reader(clause.label)
    down = head in known and head != 0
    fixed = head in known and dependent in known
    near, far = (head, dependent) if down else (dependent, head)
    ends = (clause.head.tags, clause.dependent.tags)
    near_tags, far_tags = (kit.tags(name) for name in (ends if down else ends[::-1]))

    def test(view: View, env: Env) -> bool:
        node = env[near]
        if near_tags is not None and view.tags[node] not in near_tags:
            return False
        for label, other in (view.children if down else view.parents)[node]:
            if (
                read(label)
                and (far_tags is None or view.tags[other] in far_tags)
                and (not fixed or other == env[far])
            ):
                return True
        return False

    return test


def option(clause: Clause, slots: Slots, kit: Kit) -> Fill:
    """Fill the slot of an optional edge: the first such node, or all of them."""
    head, dependent = slots.of(clause.head.name), slots.of(clause.dependent.name)
    read, tags = kit.reader(clause.label), kit.tags(clause.dependent.tags)
    bind = slots.of(clause.bind)
    listed = list_tests([(dependent, clause.dependent)], kit)

    def fits(view: View, env: Env, node: int) -> bool:
        env[dependent] = node
        return all(test(view, env) for test in listed)

    def first(view: View, env: Env) -> None:
        for label, node in view.children[env[head]] if env[head] else ():
            for reading in read(label):
                if (
                    allows(tags, view.tags[node])
                    and suits(view, node, reading)
                    and fits(view, env, node)
                ):
                    env[bind] = reading[0]
                    return
        env[dependent], env[bind] = 0, ""

    def every(view: View, env: Env) -> None:
        env[dependent] = tuple(
            node
            for label, node in (view.children[env[head]] if env[head] else ())
            if allows(tags, view.tags[node])
            and any(suits(view, node, reading) for reading in read(label))
            and fits(view, env, node)
        )

    return every if clause.mode == "all" else first
