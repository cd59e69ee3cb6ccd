"""A diff line by line: of which file, which language, and on which lines of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal

from ...records.dataclasses import dataclass
from .code import language_of

Side = Literal["same", "removed", "added", "about"]

_HUNK = re.compile(r"@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@")
_FILE = re.compile(
    r"\+\+\+ (?:b/)?(\S[^\t\n]*)|\*\*\* (?:Add|Update|Delete) File: (.+)|diff --git a/.* b/(.+)"
)
_SIDES: dict[str, Side] = {"+": "added", "-": "removed", " ": "same"}


@dataclass(frozen=True, slots=True)
class DiffLine:
    """A line of a diff without its sign, and its numbers in the file before and after, None where they
    aren't told. One that is `about` others says of which file or lines they are. `language` is that of
    the file, `` where it isn't known."""

    side: Side
    text: str
    old: int | None = None
    new: int | None = None
    language: str = ""


def diff_lines(text: str, path: str = "") -> Iterator[DiffLine]:
    """Yield the lines of a diff; `path` is the file that it is of where it names none."""
    lines = text.split("\n")
    space = _sign_space(lines)
    language = language_of(path)
    old: int | None = None
    new: int | None = None
    is_in_hunk = not any(line.startswith("--- ") for line in lines[:1])
    for at, line in enumerate(lines):
        if numbers := _HUNK.match(line):
            old, new, is_in_hunk = int(numbers[1]), int(numbers[2]), True
        elif line.startswith("@@"):
            old, new, is_in_hunk = None, None, True
        elif _begins_file(lines, at):
            old, new, is_in_hunk = None, None, False
        if file := _FILE.match(line) if not is_in_hunk or line.startswith("***") else None:
            language = language_of((file[1] or file[2] or file[3]).strip())
        side = _SIDES.get(line[:1], "about") if is_in_hunk or line[:1] == " " else "about"
        if side == "about" and not line.strip() and is_in_hunk:
            side = "same"
        if side == "about":
            yield DiffLine(side, line)
            continue
        content = line[1:].removeprefix(space) if side != "same" else line[1:]
        yield DiffLine(
            side,
            content,
            old if side != "added" else None,
            new if side != "removed" else None,
            language,
        )
        old = old + 1 if old is not None and side != "added" else old
        new = new + 1 if new is not None and side != "removed" else new


def _begins_file(lines: Sequence[str], at: int) -> bool:
    """Return whether a line names a file before the lines of it."""
    line = lines[at]
    if line.startswith(("diff --git ", "index ")):
        return True
    after = lines[at + 1] if at + 1 < len(lines) else ""
    return line.startswith("--- ") and after.startswith("+++ ")


def _sign_space(lines: Sequence[str]) -> str:
    """Return the blank that stands behind each sign, as in what we store of an edit; `` where none does."""
    signed = [line[1:] for line in lines if line[:1] in ("+", "-") and line[:3] not in ("+++", "---")]
    has_same = any(line[:1] == " " for line in lines)
    return " " if signed and not has_same and all(s[:1] in (" ", "") for s in signed) else ""
