"""The user's folder of data: models and tables that were added.

In: the environment. Out: the folder that SPICEPY_DATA names, else the platform's folder
for a user's data; it need not exist.
"""

import os
import sys
from pathlib import Path
from typing import Final

from spicepy.common.errors import InputError
from spicepy.common.writing import check_writable

VARIABLE: Final = "SPICEPY_DATA"


def data_folder() -> Path:
    """Return the folder of the user's data; it need not exist."""
    named = os.environ.get(VARIABLE)
    if named:
        return Path(named).expanduser()
    home = Path.home()
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA", home / "AppData/Local"))
    elif sys.platform == "darwin":
        base = home / "Library/Application Support"
    else:
        base = Path(os.environ.get("XDG_DATA_HOME") or home / ".local/share")
    return base / "spicepy"


def prepare(path: Path) -> Path:
    """Make the folder of a file of the user's data; return the file's path.

    Raises:
        InputError: The file cannot be written there, which is tried.
    """
    other = f"the environment variable {VARIABLE} names another folder"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        check_writable(path)
    except InputError as error:
        raise InputError(f"{error}; {other}") from None
    except OSError as error:
        raise InputError(
            f"{path.parent}: cannot be made ({error.strerror}); {other}"
        ) from None
    return path
