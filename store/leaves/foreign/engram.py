"""engram: a topic is revised in place, what is deleted stays marked, a session sums itself up."""

from __future__ import annotations

from ...formats.common.upsert import Mapped
from ...formats.sqlite.row import ForeignRow
from ...tables.base import Values, write_list
from .mapping import (
    OBSERVATIONS,
    PROMPTS,
    SUMMARIES,
    ChildSource,
    Names,
    Program,
    Reading,
    SessionSource,
    always,
    created,
    record,
    session_values,
)

AGENT = "engram"
"""The agent of its sessions, since it doesn't say which one wrote."""

SUMMARY_TYPE = "session_summary"
"""The type of an observation that sums a session up."""


def names(row: ForeignRow) -> Names:
    """Return its own id, which may be the agent's."""
    return Names(row.native_id, None, AGENT)


def session(row: ForeignRow, names: Names) -> Mapped:
    """Map a session; what sums it up is a row of its own."""
    started, ended = created(row, row.epoch("started_at")), row.epoch("ended_at")
    row.text("summary")
    values = session_values(names, started, ended) | {
        "project": row.text("project") or "",
        "project_path": row.text("directory"),
        "title": None,
        "status": "active" if ended is None else "completed",
    }
    return record(row, values)


def session_summary(row: ForeignRow) -> Reading | None:
    """Return how a session's own sentence on how it ended is read, None where it has none."""
    return (SUMMARIES, _ending) if row.text("summary") else None


def _ending(row: ForeignRow) -> Mapped:
    ended = row.epoch("ended_at")
    row.text("directory")
    return _summary(row, row.epoch("started_at") if ended is None else ended, "summary")


def prompt(row: ForeignRow) -> Mapped:
    """Map a prompt. engram doesn't number them."""
    values: Values = {
        "created_at": created(row, row.epoch("created_at")),
        "prompt_number": 0,
        "text": row.text("content") or "",
    }
    return record(row, values)


def reading(row: ForeignRow) -> Reading:
    """Return summaries for what sums a session up, observations for all else."""
    is_summary = row.text("type") == SUMMARY_TYPE
    return (SUMMARIES, summary) if is_summary else (OBSERVATIONS, observation)


def observation(row: ForeignRow) -> Mapped:
    """Map an observation. The key of its topic is a concept; its revisions are one row."""
    topic = row.text("topic_key")
    values: Values = {
        "created_at": created(row, row.epoch("created_at")),
        "project": row.text("project"),
        "type": row.text("type") or "unknown",
        "title": row.text("title"),
        "narrative": row.text("content"),
        "concepts": write_list([topic] if topic else []),
        "tool_name": row.text("tool_name"),
    }
    return record(row, values)


def summary(row: ForeignRow) -> Mapped:
    """Map an observation that sums a session up."""
    return _summary(row, row.epoch("created_at"), "content", "title")


def _summary(row: ForeignRow, at: int | None, *texts: str) -> Mapped:
    values: Values = {
        "created_at": created(row, at),
        "project": row.text("project"),
        "level": "detailed",
        "text": row.text(*texts),
    }
    return record(row, values)


PROGRAM = Program(
    "engram",
    AGENT,
    (SessionSource("sessions", names, session),),
    (
        ChildSource("user_prompts", (PROMPTS,), always(PROMPTS, prompt), native=("session_id",)),
        ChildSource("observations", (OBSERVATIONS, SUMMARIES), reading, native=("session_id",)),
        ChildSource("sessions", (SUMMARIES,), session_summary, is_session=True, prefix="session:"),
    ),
)
