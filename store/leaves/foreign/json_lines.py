"""Read the JSON of a file, as lines or as one document, and name what is in it; and any JSON lines, of
which a mapping of the settings' file says which field of a line holds what."""

from __future__ import annotations

import json
from codecs import BOM_UTF8
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

from ...formats.scheme_c.lines import BadLine, ObjectLine, read_line, time_of
from ...platform.regular_file import open_regular, read_bounded
from ...platform.translation import N_, _
from ...tables.base import digest

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


UNFIT = N_("not of the mapping")


class UnfitError(ValueError):
    """What of a line doesn't fit a mapping."""


def fits(mapping: Mapping[str, str], path: Path) -> bool:
    """Return whether each of the first lines of a file has all the fields that a mapping names. Raises
    OSError."""
    first = first_objects(path)
    return bool(first) and all(
        _value(values, field) is not None for values in first for field in mapping.values()
    )


def mapped_lines(mapping: Mapping[str, str], path: Path) -> Iterator[Line]:
    """Yield each line as an observation. Raises OSError."""
    for read in json_lines(path):
        if isinstance(read, BadLine):
            yield read
            continue
        try:
            yield _observation(mapping, read)
        except UnfitError as error:
            yield BadLine(read.file, read.number, read.raw, str(error), skipped=UNFIT)


def _observation(mapping: Mapping[str, str], read: ObjectLine) -> ObjectLine:
    values = read.values
    said = {name: _text(values, field) for name, field in mapping.items() if name != "tags"}
    title, text = said.get("title", ""), said.get("text", "")
    if not title and not text:
        fields = [f"“{mapping[name]}” ({name})" for name in ("title", "text") if name in mapping]
        raise UnfitError(_("has nothing in {fields}", fields=" or ".join(fields)))
    tags = _tags(values, mapping["tags"]) if "tags" in mapping else []
    time = _value(values, mapping["time"]) if "time" in mapping else None
    if time not in (None, "") and time_of(time) is None:
        raise UnfitError(
            _("has {time!r} in “{field}”, where a time is meant", time=time, field=mapping["time"])
        )
    return line(
        ITEMS, read.number,
        said.get("id") or name_of(title, text, said.get("time", ""), said.get("session", "")),
        type=said.get("type") or "note",
        title=title if text else "",
        content=text or title,
        session=said.get("session"),
        project=said.get("project"),
        tags=tags,
        fields=_rest(values, frozenset(mapping.values())) or None,
        **{WRITTEN: time},
    )  # fmt: skip


def _value(values: Mapping[str, Any], field: str) -> Any:
    """Return what a field holds, by its name or by the names that lead to it, with dots between them; None
    where there is none."""
    if field in values:
        return values[field]
    inside: Any = values
    for name in field.split("."):
        inside = inside.get(name) if isinstance(inside, Mapping) else None
    return inside


def _rest(values: Mapping[str, Any], fields: frozenset[str], above: str = "") -> dict[str, Any]:
    """Return what no field holds that is mapped."""
    rest: dict[str, Any] = {}
    for name, value in values.items():
        key = f"{above}{name}"
        if key not in fields:
            inner = _rest(value, fields, f"{key}.") if isinstance(value, Mapping) else value
            if inner not in (None, "", [], {}):
                rest[name] = inner
    return rest


def _text(values: Mapping[str, Any], field: str) -> str:
    """Return the text of a field, or its number as one; "" where there is none."""
    value = _value(values, field)
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, bool | int | float):
        return json.dumps(value)
    if value is None:
        return ""
    raise UnfitError(_("has {value} in “{field}”, where a text is meant", value=_kind(value), field=field))


def _tags(values: Mapping[str, Any], field: str) -> list[str]:
    """Return the texts of a field that is a list of texts, or a text with commas between them."""
    value = _value(values, field)
    items = value.split(",") if isinstance(value, str) else value or []
    if not isinstance(items, list) or not all(isinstance(item, str) for item in items):
        raise UnfitError(
            _(
                "has {value} in “{field}”, where a list of texts is meant",
                value=_kind(value),
                field=field,
            )
        )
    return [text for item in items if (text := item.strip())]


def _kind(value: object) -> str:
    if isinstance(value, Mapping):
        return _("an object")
    return _("a list") if isinstance(value, list) else repr(value)
