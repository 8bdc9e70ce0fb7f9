"""Running commands in this process."""

import pytest
from commands import Done, Run

from spicepy.cli import main


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a command in this process; say how it ended."""

    def call(*args: object) -> Done:
        monkeypatch.setattr("sys.argv", ["spicepy", *map(str, args)])
        code = 0
        try:
            main()
        except SystemExit as done:
            code = done.code if isinstance(done.code, int) else int(bool(done.code))
        captured = capsys.readouterr()
        return Done(code, captured.out, captured.err)

    return call
