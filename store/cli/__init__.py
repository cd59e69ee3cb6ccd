"""The command `mem`. Importing this imports next to nothing: hooks start it all day."""

from __future__ import annotations

import sys


def main() -> int:
    """Run one command line and give its exit code; a plain `mem add` ends the process itself."""
    arguments = sys.argv[1:]
    hook = after_hook(arguments)
    if hook is not None and "--help" not in hook:
        from ..capture.taking import leave

        leave(hook)
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


def after_hook(arguments: list[str]) -> list[str] | None:
    """What `mem hook` is given, a `--db PATH` before it included; None for any other command."""
    words = [part for word in arguments for part in split(word)]
    place = 2 if words[:1] == ["--db"] else 0
    if words[place : place + 1] != ["hook"]:
        return None
    return [*words[:place], *words[place + 1 :]]


def split(word: str) -> list[str]:
    """`--db=PATH` as the two words that the hook knows; any other word as it is."""
    return ["--db", word[5:]] if word.startswith("--db=") else [word]
