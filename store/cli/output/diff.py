"""Differences of a record's fields, word by word: coloured on a terminal, [-removed-]{+added+} in a
pipe and without colours."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...curation.word_diff import Change, field_diff, line_diff
from ...platform.clock import local_time
from ...text.display import safe
from .console import localized, on_terminal

if TYPE_CHECKING:
    from rich.console import Console

STYLES = {"same": "", "removed": "red strike", "added": "green"}
SIGNS = {"same": " ", "removed": "-", "added": "+", "changed": "~"}
"""What stands before a line; one that is changed has both of its texts."""
MARKS = {"same": ("", ""), "removed": ("[-", "-]"), "added": ("{+", "+}")}


def print_difference(name: str, before: Any, after: Any) -> None:
    """Print what became of a field."""
    _print(localized(name), field_diff(name, before, after, local_time))


def print_line_difference(before: str, after: str) -> None:
    """Print two texts as one, line by line."""
    console = _console()
    for kind, runs in line_diff(before, after):
        if console:
            from rich.text import Text

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
    console = _console()
    if not console:
        content = "".join(f"{MARKS[kind][0]}{safe(text)}{MARKS[kind][1]}" for kind, text in runs)
        print(f"  {safe(name)}: {content.rstrip()}")
        return
    from rich.text import Text

    parts = [(safe(text, newlines=True), STYLES[kind]) for kind, text in runs]
    line = Text.assemble("  ", (safe(name), "bold"), ": ", *parts)
    console.print(line, soft_wrap=True)


def _console() -> Console | None:
    """Return the terminal where it has colours; elsewhere marks show what changed."""
    if not on_terminal():
        return None
    from rich.console import Console

    console = Console(highlight=False)
    return None if console.no_color or console.color_system is None else console
