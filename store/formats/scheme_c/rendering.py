"""Render records as lines of scheme C: its own keys for its own tools, and under `memtui` the payload,
what it has no key for, so that the record can be made of it again."""

from __future__ import annotations

import json
from dataclasses import fields
from typing import Any

from ...platform.errors import InvalidRecordError
from ...platform.translation import _
from ...records.dataclasses import annotations_of, asdict
from ...records.rows import Common, Fact, FactSource, Note, Observation, Prompt, Session, Summary
from ...tables.base import Values, digest, write_json, write_list
from ...tables.fact_sources import LISTS
from ...text import times
from ...text.redaction import scrub
from .directory import FACTS, KEPT_NOTES, SESSIONS

LineValues = dict[str, Any]

_RESERVED = ("fact", "preference", "session_start", "session_end")
_LATEST = 253_402_300_799_000


def file_of(record: Common) -> str:
    """Return the file for a record's line: that of its day (UTC), unless its kind has one."""
    match record:
        case Fact():
            return FACTS
        case Summary():
            return SESSIONS
        case Note():
            return KEPT_NOTES
    return f"daily/{iso(record.created_at)[:10]}.jsonl"


def fact_payload(fact: Fact, sources: list[FactSource], directory: str) -> Payload:
    """Return a fact's payload with all its sources except this directory, whose own lines say it."""
    others = [source for source in sources if source.source != directory]
    values = payload(fact)
    if others:
        values["tellings"] = [
            {name: value for name, value in asdict(fact_source).items() if value not in (None, (), False)}
            for fact_source in others
        ]
    return values


def lines_of(record: Common, values: Payload) -> list[LineValues]:
    """Return the lines of a record; a session that has ended has two."""
    match record:
        case Session():
            return _session(record, values)
        case Prompt():
            event = {"type": "prompt", "content": record.text}
            return [_event(record, values) | event | {KEY: values}]
        case Observation():
            kind = "note" if record.type in _RESERVED else record.type
            content = "\n".join(
                text for text in (record.title, record.subtitle, record.narrative or record.text) if text
            )
            about = {"type": kind, "content": content, "entities": list(record.concepts)}
            return [_event(record, values) | about | {KEY: values}]
        case Summary():
            return [_summary(record, values)]
        case Fact():
            return [_fact(record, values)]
        case Note():
            where = {"project": record.project, "file": record.path}
            line = {"id": record.uid, "type": "note", "timestamp": iso(record.created_at)}
            return [line | where | {KEY: values}]
    raise TypeError(_("No line is made of a {kind}.", kind=type(record).__name__))


def gone(uid: str, values: Payload) -> LineValues:
    """Return the line that says that a record is gone; it quotes nothing of it."""
    at = iso(values["deleted_at"])
    return {"id": uid, "type": values["kind"], "timestamp": at, "deleted_at": at, KEY: values}


def iso(at: int) -> str:
    """Format a time, ms since the epoch, as scheme C writes it; the nearest one that a year of four
    digits has."""
    return times.iso(max(0, min(at, _LATEST)))


def _event(record: Prompt | Observation, values: Payload) -> LineValues:
    session = values.get("session") or ["", ""]
    return {
        "id": record.uid,
        "type": "",
        "timestamp": iso(record.created_at),
        "session_id": session[1],
    }


def _session(record: Session, values: Payload) -> list[LineValues]:
    start = {
        "id": record.uid,
        "type": "session_start",
        "timestamp": iso(record.started_at),
        "session_id": record.content_session_id,
        "workspace": record.project_path or record.project,
        "agent": record.agent,
        KEY: values,
    }
    if record.status == "active":
        return [start]
    end = {
        "id": f"{record.uid}-end",
        "type": "session_end",
        "timestamp": iso(record.completed_at or record.started_at),
        "session_id": record.content_session_id,
        "reason": record.status,
        KEY: values | {"of": record.uid},
    }
    return [start, end]


def _summary(record: Summary, values: Payload) -> LineValues:
    texts = (record.text, record.learned, record.investigated, record.notes)
    return {
        "id": record.uid,
        "session_id": (values.get("session") or ["", ""])[1],
        "topic": record.request or "",
        "summary": "\n".join(dict.fromkeys(text for text in texts if text)),
        "decisions": _items(record.completed),
        "todos": _items(record.next_steps),
        "timestamp": iso(record.created_at),
        KEY: values,
    }


def _fact(record: Fact, values: Payload) -> LineValues:
    line = {
        "id": record.uid,
        "type": record.kind,
        "content": record.content,
        "entities": list(record.entities),
        "confidence": record.confidence,
        "evidence": list(record.evidence),
        "created_at": iso(record.created_at),
        "updated_at": iso(record.updated_at),
    }
    if record.superseded_by:
        line["superseded_by"] = record.superseded_by
    return line | {KEY: values}


def _items(text: str | None) -> list[str]:
    lines = (line.strip().removeprefix("- ") for line in (text or "").split("\n"))
    return [line for line in lines if line]


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
