"""The options of a command stand in panels, the same option always in the same one."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import typer
from commands import Run

from spicepy.cli import command_line
from spicepy.cli._options import PANELS, panel_rank

OWN = {"images", "precision", "words"}
"""Options of several commands that mean something else in each, or analyse."""


def leaves(command: Any) -> Iterator[Any]:
    groups = getattr(command, "commands", None)
    if groups is None:
        yield command
    else:
        for each in groups.values():
            yield from leaves(each)


COMMANDS = [
    [p for p in command.params if p.param_type_name == "option"]
    for command in leaves(typer.main.get_command(command_line()))
]


def test_every_shared_option_is_in_a_panel() -> None:
    shared = Counter(option.name for options in COMMANDS for option in options)
    known = {name for names in PANELS.values() for name in names}

    assert {name for name, many in shared.items() if many > 1} - OWN <= known
    assert known <= set(shared)


def test_panels_have_one_order() -> None:
    for options in COMMANDS:
        ranks = [panel_rank(option.rich_help_panel) for option in options]
        assert ranks == sorted(ranks)


def test_help_shows_square_brackets(run: Run) -> None:
    shown = " ".join(run("diagnose", "--help").stdout.split())

    assert "`pip install 'spicepy-captions[excel]'`" in shown


def test_help_shows_panels(run: Run) -> None:
    shown = run("evaluate", "--help").stdout

    others = "Statistics", "Error analysis"
    places = [shown.index(f"─ {panel} ") for panel in PANELS if panel not in others]
    assert places == sorted(places)
