"""The tools that read: `search` and `timeline` list memories, `get` tells them in full, `context` what a
session is told."""

from __future__ import annotations

from ...platform.errors import InvalidRecordError
from ...text.plural import count_noun
from .tool import (
    LONGEST_QUERY,
    MOST_IDS,
    PLAIN_NUMBER,
    PLAIN_TEXT,
    PLAIN_TEXTS,
    Tool,
    ToolAnswer,
    ToolCall,
    choice,
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

    from ...store import Store


def _counted(call: ToolCall, store: Store, answer: ToolAnswer, *, is_full: bool = False) -> ToolAnswer:
    """Return an answer, whose memories are counted as told, or as read; not while another process
    writes."""
    from ...capture.ingest.catch_up import PATIENCE_SECONDS
    from ...capture.ingest.drain import busy_timeout, unless_busy
    from ...context.uses import count_answer

    with unless_busy(), busy_timeout(store.db, PATIENCE_SECONDS):
        session = call.client.session(store, call.meta)
        name = session.content_session_id if session else ""
        count_answer(store, answer.values, call.client.agent, name, is_full=is_full)
    return answer


def _search(call: ToolCall, arguments: Mapping[str, Any]) -> ToolAnswer:
    """Search, and return a page of hits."""
    from ...capture.ingest.catch_up import still_waiting
    from ...context.compact.answer import TOOLS
    from ...context.compact.hits import search_lines
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
        answer = _counted(call, store, ToolAnswer(hits.text, hits.as_dict()))
    call.progress(1, 1, count_noun(len(hits.hits), "hits"))
    return answer


SEARCH = Tool(
    "search",
    "Search the memory",
    "Search what was stored about earlier work: one line a hit, best first, with its id; "
    "of a question also what answers it. Words all have to "
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
    _search,
    at_hand=True,
)


OF_AN_ID = ("before", "after", "scope")
OF_A_SPAN = ("until", "project", "limit", "cursor")


def _timeline(call: ToolCall, arguments: Mapping[str, Any]) -> ToolAnswer:
    """Return the memories beside one, or those of a span of time."""
    from ...context.compact.answer import TOOLS
    from ...context.compact.timeline import timeline_rows, window_rows

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
        return _counted(call, store, ToolAnswer(window.text, window.as_dict()))


TIMELINE = Tool(
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
    _timeline,
)


MOST_TOKENS = 20_000


def _get(call: ToolCall, arguments: Mapping[str, Any]) -> ToolAnswer:
    """Return the records of ids."""
    from ...context.compact import record
    from ...context.compact.answer import TOOLS

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
        answer = ToolAnswer(compact_records.text, compact_records.as_dict())
        return _counted(call, store, answer, is_full=True)


GET = Tool(
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
    _get,
)


def _context(call: ToolCall, arguments: Mapping[str, Any]) -> ToolAnswer:
    """Return the context block of a project; it brings its own fence."""
    from ...context.block import compose
    from ...context.preview import about
    from ...database.transaction import snapshot

    with call.memory.reading() as store:
        project = arguments.get("project")
        if project is None:
            project = call.client.project(store)
        prompt = arguments.get("prompt")
        relevant = about(store, project, prompt) if prompt else []
        with snapshot(store.db):
            context = compose(
                store.db,
                project,
                budget=arguments.get("max_tokens"),
                relevant=relevant,
                to_tools=True,
                folder=call.client.folder or "",
            )
        values = {"project": project, "tokens": context.tokens, "refs": list(context.refs)}
        _counted(call, store, ToolAnswer(context.text, values))
    if not context.text:
        what = project or "work outside of any project"
        return ToolAnswer(f"Nothing is remembered of {what} yet. `search` looks everywhere.", values)
    return ToolAnswer(context.text, values | {"text": context.text})


CONTEXT = Tool(
    "context",
    "What this project's sessions are told",
    "Read what a new session of this project is told: its newest summaries, decisions, facts and open "
    "ends, within a budget of tokens. With prompt, what that is about comes first.",
    {
        "project": text("Of which project; else the one worked in."),
        "prompt": text("What it is about.", LONGEST_QUERY),
        "max_tokens": number("Tokens at most; else the project's budget.", 50, 20_000),
    },
    (),
    output(
        ("project", "tokens", "refs"),
        project=PLAIN_TEXT,
        tokens=PLAIN_NUMBER,
        refs=PLAIN_TEXTS,
        text=PLAIN_TEXT,
    ),
    _context,
)
