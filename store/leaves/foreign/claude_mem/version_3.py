"""claude-mem 3: its tables, also in a file that a later claude-mem has begun to upgrade."""

from __future__ import annotations

from ....formats.common.upsert import Mapped
from ....formats.sqlite.row import ForeignRow
from ....tables.base import Values
from . import version_4
from .mapping import (
    OBSERVATIONS,
    SUMMARIES,
    ChildSource,
    Names,
    SessionSource,
    always,
    created,
    record,
)


def names(row: ForeignRow) -> Names:
    """Return the one id of a session, which the agent gave it."""
    return Names(row.text("session_id"), None, version_4.AGENT)


def session(row: ForeignRow, names: Names) -> Mapped:
    """Map a session, which was written when it was over."""
    started = created(row, row.moment("created_at"))
    values: Values = {
        "created_at": started,
        "agent": names.agent,
        "content_session_id": names.content,
        "memory_session_id": names.memory,
        "project": row.text("project") or "",
        "title": row.text("title"),
        "status": "completed",
        "started_at": started,
        "completed_at": row.moment("archived_at"),
    }
    return record(row, values)


def memory(row: ForeignRow) -> Mapped:
    """Map a memory to an observation of type `memory`; the files it touched are modified ones."""
    values: Values = {
        "created_at": created(row, row.moment("created_at")),
        "project": row.text("project"),
        "type": "memory",
        "title": row.text("title"),
        "subtitle": row.text("subtitle"),
        "narrative": row.text("text"),
        "text": None,
        "facts": row.items("facts"),
        "concepts": row.items("concepts"),
        "files_read": "[]",
        "files_modified": row.items("files_touched"),
        "tool_name": None,
        "prompt_number": None,
        "discovery_tokens": 0,
    }
    return record(row, values)


def overview(row: ForeignRow) -> Mapped:
    """Map an overview to a summary in one text."""
    values: Values = {
        "created_at": created(row, row.moment("created_at")),
        "project": row.text("project"),
        "text": row.text("content"),
    }
    return record(row, values)


SESSIONS = (
    SessionSource("sessions", names, session, "sessions:"),
    SessionSource("streaming_sessions", version_4.names, version_4.session, "streaming_sessions:"),
)
CHILDREN = (
    ChildSource(
        "memories",
        (OBSERVATIONS,),
        always(OBSERVATIONS, memory),
        content=("session_id",),
        prefix="memories:",
    ),
    ChildSource(
        "overviews",
        (SUMMARIES,),
        always(SUMMARIES, overview),
        content=("session_id",),
        prefix="overviews:",
    ),
)
