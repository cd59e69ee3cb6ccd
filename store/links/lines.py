"""At which line of a file a memory is about, as far as it tells."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from ..regular_file import read_regular

LARGEST = 4 << 20
"""Bytes of a file in which a changed line is looked for."""
SHORTEST = 6
"""Characters of a line by which it is told from others."""
MOST_LINE = 9_999_999

_MENTION = re.compile(
    r"(?<![\w./~-])(?P<path>(?:~/|\.{1,2}/|/)?[\w.@+-]+(?:/[\w.@+-]+)*)"
    r"(?:[:(]|#L)(?P<line>[1-9]\d{0,6})(?![\d.]*\w)"
)
_TRACEBACK = re.compile(r'File "(?P<path>[^"\n]{1,1000})", line (?P<line>[1-9]\d{0,6})\b')
_PATH = re.compile(r"(?<![\w./~:-])(?:~/|\.{1,2}/|/)?[\w.@+-]+(?:/[\w.@+-]+)+(?![\w/])")
_HUNK = re.compile(
    r"^(?:\+\+\+ (?:b/)?(?P<path>\S.*?)|@@ -\d+(?:,\d+)? \+(?P<line>\d{1,7})(?:,\d+)? @@.*)$",
    re.MULTILINE,
)
_BARE = re.compile(r"\blines? (?P<line>[1-9]\d{0,6})\b(?! (?:added|removed|changed|of|long))")
_ADDED = re.compile(r"^\+ (?P<text>.*\S.*)$", re.MULTILINE)

PATHS = (
    "file_path",
    "filePath",
    "path",
    "absolute_path",
    "notebook_path",
    "target_file",
    "filename",
)
STARTS = ("offset", "line", "line_number", "start_line", "startLine", "start_line_one_indexed")


def same_file(text: str, other: str) -> bool:
    """Return whether two names may be of one file: equal, or one of them the end of the other."""
    text, other = text.removeprefix("./"), other.removeprefix("./")
    return text == other or text.endswith(f"/{other}") or other.endswith(f"/{text}")


def mentions(text: str) -> Iterator[tuple[str, int]]:
    """Yield the paths that a text names, with the line that it names of each, 0 for none."""
    for pattern in (_TRACEBACK, _MENTION):
        for match in pattern.finditer(text):
            yield match["path"].lstrip("@"), int(match["line"])
    for match in _PATH.finditer(text):
        yield match[0].lstrip("@").rstrip("."), 0


def line_in_texts(name: str, texts: Sequence[str], *, is_only: bool) -> int:
    """Return the line that texts name of a file: `path:12`, a traceback, the hunk of a diff; 0 for
    none. `is_only` is whether they are about this file alone."""
    for text in texts:
        for path, line in mentions(text):
            if line and same_file(path, name):
                return line
    for text in texts:
        if line := _hunk_line(name, text, is_only=is_only):
            return line
    if is_only:
        for text in texts:
            if match := _BARE.search(text):
                return int(match["line"])
    return 0


def line_in_input(name: str, given: str | None) -> int:
    """Return the line from which a tool was to read or change a file, by its input as JSON; 0 where it
    says none."""
    fields: Any = None
    with suppress(ValueError, RecursionError):
        fields = json.loads(given or "")
    if not isinstance(fields, dict):
        return 0
    path = next((item for key in PATHS if isinstance(item := fields.get(key), str)), "")
    if not path or not same_file(path, name):
        return 0
    result = next((item for key in STARTS if _is_line(item := fields.get(key))), None)
    between = fields.get("view_range")
    if result is None and isinstance(between, list) and between and _is_line(between[0]):
        result = between[0]
    return int(result or 0)


def line_of_change(path: Path, texts: Iterable[str]) -> int:
    """Return the line of a file at which what a diff in some texts added stands now; 0 where it doesn't.
    A line that stands there once goes before one that is there often."""
    added = [
        line
        for text in texts
        for match in _ADDED.finditer(text)
        if len(line := match["text"].strip()) >= SHORTEST
    ]
    if not added:
        return 0
    try:
        lines = read_regular(path, LARGEST).decode("utf-8", "replace").splitlines()
    except OSError:
        return 0
    places: dict[str, list[int]] = {}
    for number, line in enumerate(lines, 1):
        places.setdefault(line.strip(), []).append(number)
    results = [places[line] for line in added if line in places]
    return next((numbers[0] for numbers in results if len(numbers) == 1), results[0][0] if results else 0)


def _hunk_line(name: str, text: str, *, is_only: bool) -> int:
    is_here = is_only
    for match in _HUNK.finditer(text):
        if match["path"] is not None:
            is_here = same_file(match["path"], name)
        elif is_here and (line := int(match["line"])):
            return line
    return 0


def _is_line(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 < value <= MOST_LINE
