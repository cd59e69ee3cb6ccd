"""Differences of a record's fields, word by word: coloured on a terminal, [-removed-]{+added+} in a
pipe."""

from __future__ import annotations

from typing import Any

from ...clock import local_time
from ...curation.word_diff import Change, field_diff, line_diff
from ...text.display import safe
from .console import localized, on_terminal

STYLES = {"same": "", "removed": "red strike", "added": "green"}
SIGNS = {"same": " ", "removed": "-", "added": "+", "changed": "~"}
"""What stands before a line; one that is changed has both of its texts."""
MARKS = {"same": ("", ""), "removed": ("[-", "-]"), "added": ("{+", "+}")}


def print_difference(name: str, before: Any, after: Any) -> None:
    """Print what became of a field."""
    _print(localized(name), field_diff(name, before, after, local_time))


def print_line_difference(before: str, after: str) -> None:
    """Print two texts as one, line by line."""
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False)
    for kind, runs in line_diff(before, after):
        if on_terminal():
            parts = [(safe(text), STYLES[change]) for change, text in runs]
            console.print(Text.assemble(SIGNS[kind], " ", *parts), soft_wrap=True)
        else:
            marked = kind == "changed"
            content = "".join(
                f"{MARKS[item][0]}{safe(text)}{MARKS[item][1]}" if marked else safe(text)
                for item, text in runs
            )
            print(f"{SIGNS[kind]} {content}".rstrip())


def _print(name: str, runs: list[tuple[Change, str]]) -> None:
    if not on_terminal():
        content = "".join(f"{MARKS[kind][0]}{safe(text)}{MARKS[kind][1]}" for kind, text in runs)
        print(f"  {safe(name)}: {content.rstrip()}")
        return
    from rich.console import Console
    from rich.text import Text

    parts = [(safe(text, newlines=True), STYLES[kind]) for kind, text in runs]
    line = Text.assemble("  ", (safe(name), "bold"), ": ", *parts)
    Console(highlight=False).print(line, soft_wrap=True)
