"""The tool `report`: a memory that is wrong, or was of use."""

from __future__ import annotations

from ...records.kinds import ref_of
from .tool import PLAIN_TEXT, Tool, ToolAnswer, ToolCall, choice, output, text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

VIA = "mcp report"
LONGEST_REASON = 2_000


def run(call: ToolCall, arguments: Mapping[str, Any]) -> ToolAnswer:
    """Report a memory that may be seen."""
    from ...context.compact.lookup import find

    verdict, agent = arguments["verdict"], call.client.agent
    with call.memory.writing(VIA, agent) as store:
        record = find(store, arguments["id"])
        store.reporting.report(record, verdict, arguments.get("reason", ""), agent)
    id = ref_of(record)
    return ToolAnswer(
        f"Reported {id} as {verdict}. Nothing else was changed: a person sees it in the browser. Where you "
        "know what holds instead, `add` it, or `supersede` the fact.",
        {"id": id, "verdict": verdict, "agent": agent},
    )


TOOL = Tool(
    "report",
    "Report a memory",
    "Say of a memory that it is wrong (outdated, misleading, not true), with the reason, or that it was "
    "useful. A person who curates sees that; the memory itself stays as it is.",
    {
        "id": text("The memory: 12, p12, s12 or f12."),
        "verdict": choice("What it is.", "wrong", "useful"),
        "reason": text("Why, in a sentence: what is wrong, and how you know.", LONGEST_REASON),
    },
    ("id", "verdict"),
    output(("id", "verdict", "agent"), id=PLAIN_TEXT, verdict=PLAIN_TEXT, agent=PLAIN_TEXT),
    run,
    reads=False,
)
