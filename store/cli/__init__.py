"""The command `mem`. Importing this imports next to nothing: hooks start it all day."""

from __future__ import annotations

import sys


def main() -> int:
    """Run one command line and give its exit code; a plain `mem add` ends the process itself."""
    arguments = sys.argv[1:]
    if "hook" in arguments and "--help" not in arguments:
        from ..capture.appending import leave

        arguments.remove("hook")
        leave(arguments)
    if "add" in arguments:
        from . import lean

        number = lean.add(arguments)
        if number is not None:
            lean.leave(number)
    if "search" in arguments and sys.stdout and sys.stderr and not sys.stdout.isatty():
        from . import lean_search

        if lean_search.search(arguments):
            return 0
    from .app import run

    return run(arguments)
