"""The tool `get`: records in full, many at once."""

from __future__ import annotations

from .tool import (
    LONGEST_QUERY,
    MOST_IDS,
    PLAIN_TEXTS,
    Tool,
    ToolAnswer,
    ToolCall,
    number,
    output,
    records,
    switch,
    text,
    texts,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

MOST_TOKENS = 20_000


def run(call: ToolCall, arguments: Mapping[str, Any]) -> ToolAnswer:
    """Return the records of ids."""
    from ...context.compact import record
    from ...context.compact.wording import TOOLS

    with call.memory.reading() as store:
        compact_records = record.records(
            store,
            arguments["ids"],
            arguments.get("fields", ()),
            about=arguments.get("about", ""),
            hidden=arguments.get("include_hidden", False),
            max_tokens=arguments.get("max_tokens", MOST_TOKENS),
            wording=TOOLS,
        )
        return ToolAnswer(compact_records.text, compact_records.as_dict())


TOOL = Tool(
    "get",
    "Read memories in full",
    "Read memories in full by their ids, many at once: 12 (observation), p12 (prompt), s12 (summary), f12 "
    "(fact), n12 (note), @12 (session). Choose fields, or say what it is about, to read less.",
    {
        "ids": texts("Ids, as search and timeline list them.", MOST_IDS),
        "fields": texts("Only these fields, such as title, narrative, facts, files_modified."),
        "about": text(
            "What you want to know: of long texts only the passages about it are told.",
            LONGEST_QUERY,
        ),
        "max_tokens": number("Tokens of the answer at most.", 100, 200_000, MOST_TOKENS),
        "include_hidden": switch("Only if the user asks: also what is private, deleted or noise."),
    },
    ("ids",),
    output(
        ("records",),
        records=records("A record: id, kind, and the fields that say something.", "id", "kind"),
        missing=PLAIN_TEXTS,
        cut=PLAIN_TEXTS,
        left_out=PLAIN_TEXTS,
        in_part=PLAIN_TEXTS,
    ),
    run,
)
