"""The boundary around what the rules make of one event: whatever one of them raises, the event stays."""

from __future__ import annotations

import json
from collections.abc import Callable, Container
from typing import TYPE_CHECKING, TypeVar

import apsw

from ..platform.errors import StoreError, failure_of
from ..records.events import ToolUse
from ..text.redaction import remember_clean, texts_in

if TYPE_CHECKING:
    from .rules.observation import ObservationFields
    from .rules.replies import ReplyFields

T = TypeVar("T")


def judged(rules: Callable[[], T], plain: Callable[[], T]) -> tuple[T, str]:
    """Return what the rules make of an event and "", or where one fails what `plain` does and the
    failure in a line. An error of the store itself is none of the rules'."""
    try:
        return rules(), ""
    except (apsw.Error, StoreError):
        raise
    except Exception as error:
        return plain(), failure_of(error)


def judged_tool(
    tool: ToolUse, root: str | None = None, known_files: Container[str] = ()
) -> tuple[ObservationFields, str]:
    """Return the fields of the observation of a tool use, which is clean, and the failure of a rule, ""
    for none: they are plain then."""
    # A session that starts with nothing waiting does not pay for what only events need.
    from .rules.observation import observation_fields

    fields, failure = judged(
        lambda: observation_fields(tool, root, known_files), lambda: plain_fields(tool)
    )
    remember_clean(texts_in(fields))
    return fields, failure


def judged_reply(text: str, prompt: str, *, is_final: bool) -> tuple[ReplyFields | None, str]:
    """Return the fields of the observation of a reply, which is clean, None where it says nothing worth
    one, and the failure as `judged_tool` does."""
    from .rules.replies import reply_fields

    plain: ReplyFields = {"type": "finding", "title": " ".join(text[:120].split()), "narrative": text}
    fields, failure = judged(lambda: reply_fields(text, prompt, is_final=is_final), lambda: plain)
    remember_clean(texts_in(fields))
    return fields, failure


def plain_fields(tool: ToolUse) -> ObservationFields:
    """Return the fields of a tool use that no rule has looked at: its input and its output as they are."""
    command = tool.input.get("command") if isinstance(tool.input, dict) else None
    given = (command if isinstance(command, str) else as_text(tool.input)) or ""
    return {
        "type": "error" if tool.failed else "note",
        "title": f"Used {tool.name}: {' '.join(given[:200].split())}"[:120],
        "subtitle": None,
        "narrative": "\n\n".join(filter(None, (given, as_text(tool.response)))) or None,
        "facts": [], "concepts": [], "files_read": [], "files_modified": [],
    }  # fmt: skip


def as_text(value: object) -> str | None:
    """Return a tool's input or output, which is clean, as text: a text as it is, anything else as JSON,
    None for None."""
    if value is None or isinstance(value, str):
        return value
    text = json.dumps(value, ensure_ascii=False)
    remember_clean([text])
    return text
