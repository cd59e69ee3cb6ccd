"""Render records as lines of scheme C: its own keys for its own tools, and under `memtui` all the
rest."""

from __future__ import annotations

from typing import Any

from ...platform.translation import _
from ...records.dataclasses import asdict
from ...records.rows import Common, Fact, FactSource, Note, Observation, Prompt, Session, Summary
from ...text import times
from ..scheme_c import payload as parts
from .directory import FACTS, KEPT_NOTES, SESSIONS

Values = dict[str, Any]

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


def fact_payload(fact: Fact, sources: list[FactSource], directory: str) -> parts.Payload:
    """Return a fact's payload with all its sources except this directory, whose own lines say it."""
    others = [source for source in sources if source.source != directory]
    values = parts.payload(fact)
    if others:
        values["tellings"] = [
            {name: value for name, value in asdict(fact_source).items() if value not in (None, (), False)}
            for fact_source in others
        ]
    return values


def lines_of(record: Common, values: parts.Payload) -> list[Values]:
    """Return the lines of a record; a session that has ended has two."""
    match record:
        case Session():
            return _session(record, values)
        case Prompt():
            event = {"type": "prompt", "content": record.text}
            return [_event(record, values) | event | {parts.KEY: values}]
        case Observation():
            kind = "note" if record.type in _RESERVED else record.type
            content = "\n".join(
                text for text in (record.title, record.subtitle, record.narrative or record.text) if text
            )
            about = {"type": kind, "content": content, "entities": list(record.concepts)}
            return [_event(record, values) | about | {parts.KEY: values}]
        case Summary():
            return [_summary(record, values)]
        case Fact():
            return [_fact(record, values)]
        case Note():
            where = {"project": record.project, "file": record.path}
            line = {"id": record.uid, "type": "note", "timestamp": iso(record.created_at)}
            return [line | where | {parts.KEY: values}]
    raise TypeError(_("No line is made of a {kind}.", kind=type(record).__name__))


def gone(uid: str, values: parts.Payload) -> Values:
    """Return the line that says that a record is gone; it quotes nothing of it."""
    at = iso(values["deleted_at"])
    return {"id": uid, "type": values["kind"], "timestamp": at, "deleted_at": at, parts.KEY: values}


def iso(at: int) -> str:
    """Format a time, ms since the epoch, as scheme C writes it; the nearest one that a year of four
    digits has."""
    return times.iso(max(0, min(at, _LATEST)))


def _event(record: Prompt | Observation, values: parts.Payload) -> Values:
    session = values.get("session") or ["", ""]
    return {
        "id": record.uid,
        "type": "",
        "timestamp": iso(record.created_at),
        "session_id": session[1],
    }


def _session(record: Session, values: parts.Payload) -> list[Values]:
    start = {
        "id": record.uid,
        "type": "session_start",
        "timestamp": iso(record.started_at),
        "session_id": record.content_session_id,
        "workspace": record.project_path or record.project,
        "agent": record.agent,
        parts.KEY: values,
    }
    if record.status == "active":
        return [start]
    end = {
        "id": f"{record.uid}-end",
        "type": "session_end",
        "timestamp": iso(record.completed_at or record.started_at),
        "session_id": record.content_session_id,
        "reason": record.status,
        parts.KEY: values | {"of": record.uid},
    }
    return [start, end]


def _summary(record: Summary, values: parts.Payload) -> Values:
    texts = (record.text, record.learned, record.investigated, record.notes)
    return {
        "id": record.uid,
        "session_id": (values.get("session") or ["", ""])[1],
        "topic": record.request or "",
        "summary": "\n".join(dict.fromkeys(text for text in texts if text)),
        "decisions": _items(record.completed),
        "todos": _items(record.next_steps),
        "timestamp": iso(record.created_at),
        parts.KEY: values,
    }


def _fact(record: Fact, values: parts.Payload) -> Values:
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
    return line | {parts.KEY: values}


def _items(text: str | None) -> list[str]:
    lines = (line.strip().removeprefix("- ") for line in (text or "").split("\n"))
    return [line for line in lines if line]
