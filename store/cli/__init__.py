"""The command `mem`. Importing this imports next to nothing: hooks start it all day."""

from __future__ import annotations

import sys


def main() -> int:
    """Run one command line and give its exit code; a plain `mem add` ends the process itself."""
    arguments = sys.argv[1:]
    if "add" in arguments:
        from . import lean

        number = lean.add(arguments)
        if number is not None:
            lean.leave(number)
    from .app import run

    return run(arguments)
