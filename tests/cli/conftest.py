"""Commands run in this process."""

from cli_run import run

__all__ = ["run"]
