"""Which version of the program is installed."""

from __future__ import annotations

import os
import sys


def own_version() -> str:
    """Return the version of this program as it is installed; "0" where it isn't.

    Read from the name of its directory: `importlib.metadata` takes 50 ms to import.
    """
    for folder in sys.path:
        try:
            names = os.listdir(folder or ".")  # noqa: PTH208 - pathlib takes long to import
        except OSError:
            continue
        for name in names:
            if name.startswith("memtui-") and name.endswith(".dist-info"):
                return name.removeprefix("memtui-").removesuffix(".dist-info")
    return "0"
