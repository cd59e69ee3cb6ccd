"""The tool `supersede`: a fact that no longer holds, and what holds in its place."""

from __future__ import annotations

from ...platform.errors import InvalidRecordError
from ...records.kinds import bare_ref, ref
from .tool import LONGEST_TEXT, PLAIN_TEXT, Tool, ToolAnswer, ToolCall, output, text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

VIA = "mcp supersede"


def run(call: ToolCall, arguments: Mapping[str, Any]) -> ToolAnswer:
    """Have a fact be superseded by another one, or by a new statement."""
    statement, by = arguments.get("text"), arguments.get("by")
    if (statement is None) == (by is None):
        raise InvalidRecordError(
            "Say what holds instead: text with the new statement, or by with a fact's id."
        )
    from ...context.compact.lookup import find

    with call.memory.writing(VIA, call.client.agent) as store:
        named = [arguments["id"]] if by is None else [arguments["id"], by]
        old, *others = [store.facts.get(bare_ref(name)) for name in named]
        for fact in (old, *others):
            find(store, ref("fact", fact.id), hidden=True)
        if others:
            superseded = store.superseding.supersede(old, others[0])
        else:
            session = call.client.session(store, call.meta)
            superseded = store.superseding.supersede_by_text(old, str(statement), session, "assistant")
    was, now = ref("fact", superseded.old.id), ref("fact", superseded.new.id)
    again = "" if superseded.is_new else " already"
    return ToolAnswer(
        f"Fact {was} is{again} superseded by {now}; no session is told {was} any more. A person can take "
        f"that back: mem fact reinstate {was}",
        {"id": was, "superseded_by": now, "changed": superseded.is_new},
    )


TOOL = Tool(
    "supersede",
    "Replace a fact",
    "Say that a fact (f12) no longer holds and what holds in its place: a new statement, or another fact's "
    "id. The old one stays to be read, and sessions are no longer told it. For a memory that is simply "
    "wrong, use report.",
    {
        "id": text("The fact that no longer holds, such as f12."),
        "text": text("The statement that holds now.", LONGEST_TEXT),
        "by": text("The id of the fact that holds now, where it is stored already."),
    },
    ("id",),
    output(
        ("id", "superseded_by", "changed"),
        id=PLAIN_TEXT,
        superseded_by=PLAIN_TEXT,
        changed={"type": "boolean"},
    ),
    run,
    reads=False,
    destroys=True,
)
