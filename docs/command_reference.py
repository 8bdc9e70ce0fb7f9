"""The commands as Markdown, from their definitions.

In: the functions behind `spicepy`. Out: a section a command: its usage, what it
does, its arguments and options with their defaults.
"""

import inspect
import typing
from collections.abc import Callable, Iterator
from enum import Enum
from itertools import groupby
from types import NoneType
from typing import Any, NamedTuple

import typer
from typer.models import ArgumentInfo, OptionInfo

from spicepy.cli._options import OWN, panel_of, panel_rank

Command = Callable[..., None]


class Parameter(NamedTuple):
    """An argument or option as a reader of the reference sees it."""

    is_option: bool
    written: str
    help: str
    panel: str = OWN


def command_reference() -> str:
    """Return all commands, in the order of `spicepy --help`."""
    from spicepy.cli import command_line

    return "".join(f"\n{line}\n" for line in sections("spicepy", command_line()))


def sections(name: str, app: typer.Typer) -> Iterator[str]:
    """Yield the paragraphs of all commands of an app, then of its groups."""
    for command in app.registered_commands:
        if command.callback:
            yield from section(f"{name} {command.name}", command.callback)
    for group in app.registered_groups:
        if group.typer_instance:
            yield from sections(f"{name} {group.name}", group.typer_instance)


def section(name: str, command: Command) -> Iterator[str]:
    """Yield the paragraphs of one command."""
    # As in `--help`: arguments and the command's own options first, then by panels.
    shown = sorted(parameters(command), key=lambda p: panel_rank(p.panel))
    arguments = [p.written for p in shown if not p.is_option]
    yield f"## {name}"
    yield f"```text\n{' '.join([name, *arguments, '[OPTIONS]'])}\n```"
    yield from described(inspect.getdoc(command) or "")
    rows = []
    for panel, group in groupby(shown, lambda parameter: parameter.panel):
        rows += [] if panel == OWN else [f"| **{panel}** | |"]
        rows += [f"| `{p.written}` | {p.help} |" for p in group if p.help]
    if rows:
        yield "\n".join(["| argument or option | meaning |", "| --- | --- |", *rows])


def described(text: str) -> Iterator[str]:
    """Yield paragraphs of a command's help; commands and indented text become code."""
    paragraphs = text.replace("\b\n", "").split("\n\n")
    for kind, group in groupby(paragraphs, language):
        if kind is None:
            yield from group
            continue
        code = (inspect.cleandoc(p).replace("\n", " \\\n  ") for p in group)
        yield "\n".join([f"```{kind}", *code, "```"])


def language(paragraph: str) -> str | None:
    """Return the language of a paragraph of code, None for prose."""
    if paragraph.lstrip().startswith("spicepy "):
        return "sh"
    return "text" if paragraph.startswith("    ") else None


def parameters(command: Command) -> Iterator[Parameter]:
    """Yield the arguments and options of a command, in the order of its function."""
    hints = typing.get_type_hints(command, include_extras=True)
    for name, parameter in inspect.signature(command).parameters.items():
        hint, default = hints[name], parameter.default
        extras = getattr(hint, "__metadata__", ())
        found = [
            e for e in (*extras, default) if isinstance(e, OptionInfo | ArgumentInfo)
        ]
        kind = hint.__origin__ if extras else hint
        if default is found[0]:
            default = default.default
        yield described_parameter(name, kind, found[0], default)


def described_parameter(
    name: str, kind: Any, info: OptionInfo | ArgumentInfo, default: Any
) -> Parameter:
    """Return one argument or option as it is written, and its help with the default."""
    several = "list[" in str(kind)  # perhaps within `| None`
    inner = [n for n in typing.get_args(kind) if n is not NoneType]
    kind = inner[0] if len(inner) == 1 else kind
    text = (info.help or "").replace("|", "\\|")
    choices = typing.get_args(kind) if typing.get_origin(kind) is typing.Literal else ()
    if isinstance(kind, type) and issubclass(kind, Enum):
        choices = tuple(choice.value for choice in kind)
    if choices:
        text += f" One of {', '.join(f'`{choice}`' for choice in choices)}."
    if isinstance(info, ArgumentInfo):
        written = info.metavar or name.upper()
        written = f"[{written}]" if default is None else written
        return Parameter(False, f"{written}..." if several else written, text)
    value = "" if kind is bool else f" {info.metavar or metavar(kind)}"
    # Inside `Annotated`, typer keeps the first name where the default would be.
    first = [info.default] if str(info.default).startswith("-") else []
    names = [*first, *(info.param_decls or ())] or [f"--{name.replace('_', '-')}"]
    if kind is not bool and default not in (None, ..., inspect.Parameter.empty):
        text += f" Default: `{getattr(default, 'value', default)}`."
    return Parameter(
        True, ", ".join(names) + value, text, panel_of(name, info.rich_help_panel)
    )


def metavar(kind: Any) -> str:
    """Return the word for an option's value."""
    words = {int: "NUMBER", float: "NUMBER"}
    if kind in words:
        return words[kind]
    return "PATH" if getattr(kind, "__name__", "") == "Path" else "TEXT"
