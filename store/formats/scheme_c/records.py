"""Map lines of scheme C to records of ours, and upsert them."""

from __future__ import annotations

from collections.abc import Sequence

from ...store import Store
from ...tables import observations, sessions, summaries
from ...tables.base import Values, stable_uid
from ...tables.fact_sources import dump_list
from ..common.report import Report
from ..common.upsert import Mapped, Upsert
from .items import LineItem

FACTS = ("fact", "preference")
"""The events that state a fact."""
START, END = "session_start", "session_end"

_TITLE = 200

INSERTS = {
    "sessions": sessions.INSERT,
    "observations": observations.INSERT,
    "summaries": summaries.INSERT,
}


def observation(item: LineItem, source: str, session_id: int, project: str) -> Mapped | None:
    """Map an event to an observation, whose title is its first line; None where it says nothing."""
    content = item.content()
    title = content or item.text("action", "title", "event", "name")
    body = content or item.text("command", "detail", "details", "description", "reason")
    if title is None and body is None:
        return None
    first = (title or body or "").split("\n", 1)[0].strip()
    at = item.moment("timestamp", "created_at")
    values: Values = {
        "session_id": session_id,
        "created_at": at,
        "deleted_at": item.deleted_at(at),
        "project": project,
        "type": item.type or "unknown",
        "title": first if len(first) <= _TITLE else first[: _TITLE - 1] + "…",
        "narrative": body if body != first else None,
        "concepts": dump_list(item.items("entities")),
        "extra": item.rest(),
    }
    return Mapped(item.native_id, values, kept_once("observations", item, source))


def summary(item: LineItem, source: str, session_id: int, project: str) -> Mapped | None:
    """Map a line of sessions.jsonl to a summary; None where it says nothing."""
    topic, text = item.text("topic", "title"), item.text("summary", "content", "text")
    decisions, todos = item.items("decisions"), item.items("todos")
    if not (topic or text or decisions or todos):
        return None
    at = item.moment("timestamp", "created_at")
    values: Values = {
        "session_id": session_id,
        "created_at": at,
        "deleted_at": item.deleted_at(at),
        "project": project,
        "request": topic,
        "text": text,
        "completed": "\n".join(decisions) or None,
        "next_steps": "\n".join(todos) or None,
        "extra": item.rest(),
    }
    return Mapped(item.native_id, values, kept_once("summaries", item, source))


def kept_once(table: str, item: LineItem, source: str) -> Values:
    """Return what a record keeps from its first import on: a uid that every import of the line
    gives it, a clock that every edit is ahead of, and its privacy."""
    return {
        "uid": stable_uid(source, table, item.native_id),
        "hlc": 0,
        "private": item.values.get("private") is True,
    }


def upsert_records(store: Store, report: Report, table: str, rows: Sequence[Mapped]) -> list[int]:
    """Insert the new rows and update the changed ones; return the numbers of both.

    A record that was edited here stays as it is, and the report lists the difference.
    """
    counts = report.of(table)
    upsert = Upsert(store, report.source, table, INSERTS[table], counts, report)
    upsert.apply(rows)
    return upsert.touched
