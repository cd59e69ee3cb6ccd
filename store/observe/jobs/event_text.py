"""What of a tool use a model is shown: an edit as a unified diff, a command and its output as text, a
file that was read by its beginning; nothing twice, and no JSON within JSON.
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterator, Mapping
from typing import Any

from ...events import ToolUse
from ..rules import tools
from ..rules.parsed_tool_use import ParsedToolUse, parse_tool_use

CONTEXT = 2
"""Unchanged lines that are shown around a change."""
MOST_DIFFED = 4_000
"""Lines of both sides of an edit that are compared; what is longer is shown by head and tail."""
READ_SHARE = 3
"""What was read, or written anew, is shown by this part of the room: it stands in the project."""


def event_text(tool: ToolUse, root: str | None, room: int) -> dict[str, str]:
    """Return what is shown of a tool use, by name, in about twice `room` characters at most: `edit` with
    `paths`, or `input`, and `response` where it says more."""
    used = parse_tool_use(tool, root)
    paths = ", ".join(used.named(used.paths))
    shown: dict[str, str] = {}
    if used.action in (tools.EDIT, tools.WRITE) and (edit := _edit(used)):
        part = room if used.action == tools.EDIT else room // READ_SHARE
        shown = {"paths": paths, "edit": excerpt(edit, part)}
        if used.failed:
            shown["response"] = excerpt(used.output.text, part)
    else:
        given = used.line or _given(used.given)
        part = room // READ_SHARE if used.action == tools.READ else room
        shown = {"input": excerpt(given, room), "response": excerpt(used.output.text, part)}
    return {name: text for name, text in shown.items() if text}


def excerpt(text: str, most: int) -> str:
    """Return the head and the tail of a text longer than `most` characters; a shorter one as it is."""
    if len(text) <= most:
        return text
    return f"{text[: most * 3 // 4]}\n[… {len(text) - most:,} characters …]\n{text[-(most // 4) :]}"


def _edit(used: ParsedToolUse) -> str:
    """Return what an edit changed, as far as its input tells: a patch as it is, else a diff; the text of a
    file that was written."""
    for name in tools.PATCHES:
        patch = used.given.get(name)
        if isinstance(patch, str) and ("*** " in patch or "\n@@" in patch or patch.startswith("@@")):
            return patch
    listed = used.given.get("edits")
    parts = [used.given, *(listed if isinstance(listed, list) else [])]
    changes = [change for part in parts if isinstance(part, Mapping) for change in _changes(part)]
    if changes:
        return "\n".join(changes)
    return tools.first_text(used.given, tools.CONTENT)


def _changes(given: Mapping[str, Any]) -> Iterator[str]:
    before, after = (_text(given, names) for names in (tools.BEFORE, tools.AFTER))
    if before is None and after is None:
        return
    old, new = (before or "").splitlines(), (after or "").splitlines()
    if len(old) + len(new) > MOST_DIFFED:
        yield after or ""
        return
    lines = difflib.unified_diff(old, new, n=CONTEXT, lineterm="")
    # The names and numbers of a file's lines aren't known here: the texts are parts of it.
    yield "\n".join(line for line in lines if not line.startswith(("---", "+++")))


def _text(given: Mapping[str, Any], names: tuple[str, ...]) -> str | None:
    """Return the first of these fields that is a text, "" too; None where none is."""
    return next((given[name] for name in names if isinstance(given.get(name), str)), None)


def _given(given: Mapping[str, Any]) -> str:
    """Return a tool's input: its text where it is one, else as JSON."""
    if len(given) == 1 and isinstance(only := next(iter(given.values())), str):
        return only
    return json.dumps(given, ensure_ascii=False) if given else ""
