"""The user's folder of data: models and tables that were added.

In: the environment. Out: the folder that SPICEPY_DATA names, else the platform's folder
for a user's data; it need not exist.
"""

import os
import sys
from pathlib import Path
from typing import Final

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
