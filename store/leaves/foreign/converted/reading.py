"""Read the JSON of a file, as lines or as one document, and name what is in it."""

from __future__ import annotations

import json
from codecs import BOM_UTF8
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from ....formats.scheme_c.lines import BadLine, ObjectLine, read_line
from ....platform.regular_file import open_regular, read_bounded
from ....tables.base import digest

LARGEST = 256 << 20
"""Bytes of a document that is read as a whole."""

LONGEST = 64 << 20
"""Bytes of a line."""

BEGINNING = 4096
"""Bytes in which a list or an object of JSON begins."""

LOOKED_AT = 64
"""The most lines, or pages, by which it is told whose they are."""

FACTS, ITEMS = "facts.jsonl", "items.jsonl"
"""What states facts, and what is an observation, by the names that scheme C has for such files."""

WRITTEN = "written"
"""The key of the time at which a line's words were written, as far as its program tells it."""

Line = ObjectLine | BadLine


def json_lines(path: Path) -> Iterator[Line]:
    """Yield the lines of a file, parsed. Raises OSError."""
    with open_regular(path) as stream:
        for number, raw in enumerate(iter(lambda: stream.readline(LONGEST), b""), start=1):
            yield read_line(raw, path.name, number)


def document(path: Path) -> Any:
    """Return the list or object that a file holds as JSON; None where it holds none. Raises OSError, also
    where it is too large."""
    with open_regular(path) as file:
        # A database of another program may have gigabytes.
        if not file.read(BEGINNING).removeprefix(BOM_UTF8).lstrip().startswith((b"[", b"{")):
            return None
        file.seek(0)
        content = read_bounded(file, path, LARGEST)
    try:
        return json.loads(content.decode("utf-8-sig", "replace"))
    except (ValueError, RecursionError):
        return None


def first_objects(path: Path) -> list[dict[str, Any]]:
    """Return the objects in the first lines of a file. Raises OSError."""
    objects = (line.values for line in json_lines(path) if isinstance(line, ObjectLine))
    return list(islice(objects, LOOKED_AT))


def file_of(names: tuple[str, ...], recognizes: Callable[[Path], bool], path: Path) -> Path | None:
    """Return the file itself, or that of a folder with one of these names, that is recognized; None for
    none. Raises OSError."""
    places = [path / name for name in names] if path.is_dir() else [path]
    return next((place for place in places if place.is_file() and recognizes(place)), None)


def line(file: str, number: int, name: str, **values: Any) -> ObjectLine:
    """Return a line of scheme C of that id with those values that say anything."""
    said = {key: value for key, value in values.items() if value not in (None, "", [])}
    return ObjectLine(file, number, b"", said | {"id": name})


def name_of(*texts: str) -> str:
    """Return a name for what has none of its own: a hash of what it says."""
    return digest(*texts)[:16]


def text_of(value: object) -> str:
    """Return a value that is a text; "" for any other."""
    return value.strip() if isinstance(value, str) else ""


def texts_of(value: object) -> list[str]:
    """Return the texts in a value that is a list; [] for any other."""
    return [text for item in value if (text := text_of(item))] if isinstance(value, list) else []
