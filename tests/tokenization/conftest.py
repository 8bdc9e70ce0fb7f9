"""Commands run in this process, as in `tests/cli`."""

from cli_run import run

__all__ = ["run"]
