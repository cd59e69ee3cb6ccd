"""The memtui part of a line: what scheme C has no key for, so that the record can be made of it
again."""

from __future__ import annotations

import json
from dataclasses import fields
from typing import Any

from ...platform.errors import InvalidRecordError
from ...records.dataclasses import annotations_of
from ...records.rows import Common, Fact, FactSource, Note, Observation, Prompt, Session, Summary
from ...tables.base import Values, digest, write_json, write_list
from ...tables.fact_sources import LISTS
from ...text.redaction import scrub

KEY = "memtui"
"""The key of a line under which the payload stands."""

KINDS: dict[str, type[Common]] = {
    "session": Session,
    "prompt": Prompt,
    "observation": Observation,
    "summary": Summary,
    "fact": Fact,
    "note": Note,
}
NAMES = {record: kind for kind, record in KINDS.items()}
BOOKKEEPING = frozenset(("updated_at", "hlc", "editor", "of"))
"""Keys that change with every version, and are no change themselves."""
FROM_SOURCES = frozenset(("confidence", "entities", "evidence", "sources", "created_at", "extra"))
"""What a fact derives from its sources."""

_LEFT_OUT = frozenset(("id", "session_id", "private", "fingerprint"))
_KEYS = {
    record: tuple(
        (name, "fact_kind" if name == "kind" else name)
        for name in annotations_of(record)
        if name not in _LEFT_OUT
    )
    for record in NAMES
}
"""The fields of each record that its payload has, each with its key."""

Payload = dict[str, Any]


def payload(record: Common, session: tuple[str, str] | None = None) -> Payload:
    """Return all of a record except what only this memory knows; empty values are left out.

    `session` is the agent and content id of the session it belongs to.
    """
    values: Payload = {"kind": NAMES[type(record)]}
    for name, key in _KEYS[type(record)]:
        value = getattr(record, name)
        if not value and (value is None or value == () or value == ""):
            continue
        values[key] = list(value) if isinstance(value, tuple) else value
    if session is not None:
        values["session"] = list(session)
    return values


def tombstone(kind: str, uid: str, at: int, hlc: int = 0, editor: str = "") -> Payload:
    """Return what is left of a record that is gone or hidden: which it was, and since when (ms)."""
    return {
        "kind": kind,
        "uid": uid,
        "is_gone": True,
        "deleted_at": at,
        "hlc": hlc,
        "editor": editor,
    }


def payload_hash(values: Payload) -> str:
    """Return a hash of 16 digits of what a payload says of its record."""
    content = {name: value for name, value in values.items() if name not in BOOKKEEPING}
    if "is_gone" in content:
        # When it was deleted, or by whom, makes no difference to anyone.
        content = {"uid": content.get("uid"), "is_gone": True}
    elif content["kind"] == "fact":
        # A fact whose only source is its directory is as that has it.
        dropped = FROM_SOURCES if content.get("tellings") else FROM_SOURCES | {"content"}
        content = {name: value for name, value in content.items() if name not in dropped}
    return digest(json.dumps(content, sort_keys=True))[:16]


def columns_of(values: Payload) -> Values:
    """Return a payload as the columns of its table, scrubbed; without the session.

    Raises InvalidRecordError for one that no record can be made of.
    """
    columns: Values = {}
    for field in fields(KINDS[values["kind"]]):
        name = field.name
        if name in _LEFT_OUT:
            continue
        value = values.get("fact_kind" if name == "kind" else name)
        columns[name] = _column(name, str(field.type), value)
    return columns


def source_of_payload(values: object) -> FactSource:
    """Return a source of a fact from a payload. Raises InvalidRecordError."""
    if not isinstance(values, dict):
        raise InvalidRecordError("its memtui part tells of a fact by something that is not an object")
    results = {
        field.name: _typed(field.name, str(field.type), values.get(field.name))
        for field in fields(FactSource)
    }
    for name in LISTS:
        results[name] = tuple(kept for item in results[name] if (kept := scrub(item)))
    return FactSource(**results)


def _column(name: str, kind: str, value: object) -> object:
    result = _typed(name, kind, value)
    if kind == "tuple[str, ...]":
        return write_list(result)
    if name == "extra" and result is not None:
        return write_json(result)
    return scrub(result) if isinstance(result, str) else result


def _typed(name: str, kind: str, value: object) -> Any:
    """Return a JSON value as a field of this type holds it. Raises InvalidRecordError."""
    if value is None:
        return _EMPTY.get(kind, "" if "None" not in kind else None)
    if kind == "tuple[str, ...]":
        if isinstance(value, list) and all(isinstance(item, str) for item in value):
            return tuple(value)
    elif kind.startswith("bool"):
        if isinstance(value, bool):
            return value
    elif kind.startswith("float"):
        if isinstance(value, int | float) and 0 <= value <= 1:
            return float(value)
    elif kind.startswith("int"):
        if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 1 << 63:
            return value
    elif isinstance(value, str):
        return value
    raise InvalidRecordError(
        "its memtui part has a {name} that can't be: {value}", name=name, value=json.dumps(value)[:40]
    )


_EMPTY: dict[str, Any] = {"tuple[str, ...]": (), "bool": False, "float": 0.0, "int": 0}
