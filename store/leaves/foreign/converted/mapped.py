"""Any JSON lines: a mapping of the settings' file says which field of a line holds what."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from ....formats.scheme_c.lines import BadLine, ObjectLine, time_of
from ....platform.translation import N_, _
from .reading import ITEMS, WRITTEN, Line, first_objects, json_lines, line, name_of

UNFIT = N_("not of the mapping")


class UnfitError(ValueError):
    """What of a line doesn't fit a mapping."""


def recognizes(mapping: Mapping[str, str], path: Path) -> bool:
    """Return whether each of the first lines of a file has all the fields that a mapping names. Raises
    OSError."""
    first = first_objects(path)
    return bool(first) and all(
        _value(values, field) is not None for values in first for field in mapping.values()
    )


def lines(mapping: Mapping[str, str], path: Path) -> Iterator[Line]:
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
