"""The tool `context`: what a session of the project would be told, or what is known about a prompt."""

from __future__ import annotations

from .tool import (
    LONGEST_QUERY,
    PLAIN_NUMBER,
    PLAIN_TEXT,
    PLAIN_TEXTS,
    Tool,
    ToolAnswer,
    ToolCall,
    number,
    output,
    text,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


def run(call: ToolCall, arguments: Mapping[str, Any]) -> ToolAnswer:
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
            )
    values = {"project": project, "tokens": context.tokens, "refs": list(context.refs)}
    if not context.text:
        what = project or "work outside of any project"
        return ToolAnswer(f"Nothing is remembered of {what} yet. `search` looks everywhere.", values)
    return ToolAnswer(context.text, values | {"text": context.text})


TOOL = Tool(
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
    run,
)
