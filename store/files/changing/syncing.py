"""Have two files say the same once: one imports the other, or has a copy of it."""

from __future__ import annotations

import os
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

from ...errors import InvalidRecordError
from ..markup import imports
from ..reading import resolved_path

if TYPE_CHECKING:
    from .writing import ShownFile


def importing(shown: ShownFile, whole: ShownFile) -> str:
    """Return a file's text with an import of another, and below it what that one doesn't say."""
    _check(shown, whole)
    name = os.path.relpath(whole.path, shown.path.parent).replace(" ", "\\ ")
    if any(resolved_path(shown.path.parent / item.path) == whole.path for item in imports(shown.text)):
        return shown.text
    rest = _only_in(shown.text, whole.text)
    return f"@{name}\n" + (f"\n{rest}" if rest else "")


def copied(shown: ShownFile, whole: ShownFile) -> str:
    """Return a copy of a file's text, and below it what only the other one says."""
    _check(shown, whole)
    rest = _only_in(shown.text, whole.text)
    return whole.text.rstrip("\n") + "\n" + (f"\n{rest}" if rest else "")


def _check(shown: ShownFile, whole: ShownFile) -> None:
    if shown.path == whole.path:
        raise InvalidRecordError("{path} is one file under both names; it says the same.", path=shown.path)


def _only_in(text: str, other: str) -> str:
    """Return the lines that only one of two texts has, without blanks around them."""
    lines, others = text.splitlines(), other.splitlines()
    other_lines = {line.strip() for line in others}
    codes = SequenceMatcher(None, lines, others, autojunk=False).get_opcodes()
    left = [
        line
        for tag, start, end, *_ in codes
        if tag != "equal"
        for line in lines[start:end]
        if line.strip() not in other_lines
    ]
    rest = "\n".join(left).strip("\n")
    return f"{rest}\n" if rest else ""
