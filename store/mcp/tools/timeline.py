"""The tool `timeline`: what happened around a memory, or in a span of time."""

from __future__ import annotations

from ...platform.errors import InvalidRecordError
from .tool import (
    PLAIN_NUMBER,
    PLAIN_TEXT,
    Tool,
    ToolAnswer,
    ToolCall,
    choice,
    number,
    output,
    records,
    text,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

OF_AN_ID = ("before", "after", "scope")
OF_A_SPAN = ("until", "project", "limit", "cursor")


def run(call: ToolCall, arguments: Mapping[str, Any]) -> ToolAnswer:
    """Return the memories beside one, or those of a span of time."""
    from ...context.compact.window import timeline_rows, window_rows
    from ...context.compact.wording import TOOLS

    id, since = arguments.get("id"), arguments.get("since")
    if (id is None) == (since is None):
        raise InvalidRecordError("Give id, for what was around a memory, or since, for a time.")
    for name in OF_AN_ID if id is None else OF_A_SPAN:
        if name in arguments:
            whose = "a span of time" if id is None else "an id"
            raise InvalidRecordError(f"{name} doesn't belong to {whose}. Leave it out.")
    with call.memory.reading() as store:
        if id is not None:
            window = timeline_rows(
                store,
                id,
                before=arguments.get("before", 10),
                after=arguments.get("after", 10),
                scope=arguments.get("scope", "session"),
                wording=TOOLS,
            )
        else:
            window = window_rows(
                store,
                str(since),
                arguments.get("until", ""),
                project=arguments.get("project", ""),
                limit=arguments.get("limit", 50),
                cursor=arguments.get("cursor"),
                wording=TOOLS,
            )
        return ToolAnswer(window.text, window.as_dict())


TOOL = Tool(
    "timeline",
    "What happened around it",
    "List what happened in time order, one row each: so many memories before and after an id, or all of a "
    "span of time (since, until).",
    {
        "id": text("What it is around: 12, p12, s12, f12, or @12 for a session."),
        "before": number("Memories before it.", 0, 200, 10),
        "after": number("Memories after it.", 0, 200, 10),
        "scope": choice(
            "Of its session (unless said), its project, or everywhere.", "session", "project", "all"
        ),
        "since": text("Instead of id: from when on, 2026-02-18, yesterday, 2h, 7d."),
        "until": text("With since: until when."),
        "project": text("With since: only this project."),
        "limit": number("With since: rows at most, the newest.", 1, 500, 50),
        "cursor": text("With since: the cursor of the answer before.", 20),
    },
    (),
    output(
        ("rows",),
        rows=records("A memory: id, type, title, at; anchor is true of the one asked about.", "id"),
        earlier=PLAIN_TEXT,
        later=PLAIN_TEXT,
        cursor=PLAIN_TEXT,
        left_out=PLAIN_NUMBER,
    ),
    run,
)
