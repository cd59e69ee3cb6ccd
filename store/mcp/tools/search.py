"""The tool `search`: a line a hit, with the ids that everything else takes."""

from __future__ import annotations

from ...text.plural import count_noun
from .tool import (
    LONGEST_QUERY,
    PLAIN_TEXT,
    PLAIN_TEXTS,
    Tool,
    ToolAnswer,
    ToolCall,
    number,
    output,
    records,
    switch,
    text,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


def run(call: ToolCall, arguments: Mapping[str, Any]) -> ToolAnswer:
    """Search, and return a page of hits."""
    from ...capture.ingest.catch_up import still_waiting
    from ...context.compact.hits import search_lines
    from ...context.compact.wording import TOOLS
    from ...records.dataclasses import replace
    from ...search.query.language import filter_text

    query = arguments["query"]
    if project := arguments.get("project"):
        query = f"{query} {filter_text('project', project) or ''}"
    call.progress(0, 1, "searching")
    with call.memory.reading() as store:
        hits = search_lines(
            store,
            query,
            limit=arguments.get("limit", 20),
            cursor=arguments.get("cursor"),
            facets=arguments.get("facets", False),
            wording=TOOLS,
        )
        if sentence := still_waiting(store):
            hits = replace(hits, notes=(sentence, *hits.notes))
        answer = ToolAnswer(hits.text, hits.as_dict())
    call.progress(1, 1, count_noun(len(hits.hits), "hits"))
    return answer


TOOL = Tool(
    "search",
    "Search the memory",
    "Search what was stored about earlier work: one line a hit, best first, with its id. Words all have to "
    'be there; "a phrase", a OR b, a AND b, a NOT b, brackets, -without, title:word. '
    "Filters: type:bugfix,decision project:NAME kind:observation,prompt,summary,fact agent:codex "
    "file:path concept:x tag:x session:ID since:7d until:2026-02-18 on:yesterday "
    "is:pinned,stale,superseded,reported sort:recent, sort:meaning for the "
    "nearest in meaning, is:similar:ID for what is like a memory. Filters alone list the newest. "
    "What is private, deleted or noise is found only with is:private, is:deleted or is:noise.",
    {
        "query": text("Words and filters.", LONGEST_QUERY),
        "project": text("Only this project; the same as project:NAME in the query."),
        "limit": number("Hits on a page.", 1, 200, 20),
        "cursor": text("The cursor of the page before, for the next one.", 20),
        "facets": switch("Also count the hits by project, type, agent, kind and day."),
    },
    ("query",),
    output(
        ("hits",),
        hits=records("A hit: id, type, title, at, and project and snippet where there are.", "id"),
        cursor=PLAIN_TEXT,
        notes=PLAIN_TEXTS,
        facets={"type": "object"},
        total=PLAIN_TEXT,
    ),
    run,
    at_hand=True,
)
