"""The messages of one turn that is over: claimed together, and put to a model as one question.

Only what is stored is shown to the model, and nothing that is hidden.
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ...config import ModelSettings
from ...records.dataclasses import dataclass
from ...records.events import ToolUse
from ...records.kinds import REPLY
from ...records.rows import Observation, PendingMessage, Session
from ...store import Store
from ..model.question import INSTRUCTIONS, Question
from ..rules import tools
from ..rules.parsed_tool_use import ParsedToolUse, parse_tool_use
from .findings import stated_in
from .rule_observer import parse_stored, reply_of

MOST = 20
TURN_TIMEOUT_MS = 600_000
"""A turn without an event for so long counts as over."""

LONGEST = 3_000
"""Characters of one field of an event that are shown."""
LONGEST_TURN = 40_000
"""Characters of all events together; fields get shorter where there are many."""
EARLIER, FEW = 10, 2
"""Prompts of the session that are shown before the turn's own, where a summary is wanted: while there is
none so far, and with it."""
SO_FAR = 800
"""Characters of one field of the summary so far that are shown."""
COLUMNS = ("request", "investigated", "learned", "completed", "next_steps")

CHARACTERS_A_TOKEN = 3.5
TOKENS_A_RECORD = 250
"""Tokens that a model writes for an observation or a summary, about."""


def is_turn_due(store: Store) -> bool:
    """Return whether any turn is over and may be asked about now."""
    return store.pending.is_turn_due(TURN_TIMEOUT_MS)


def claim_turn(store: Store, owner: str) -> Sequence[PendingMessage]:
    """Lease the messages of the oldest turn that is over; nothing where there is none."""
    return store.pending.claim_turn(owner, TURN_TIMEOUT_MS, MOST)


def question_of(store: Store, session: Session, messages: Sequence[PendingMessage]) -> Question:
    """Return the question about the messages of one turn, whose ids its answer names."""
    tools = [message for message in messages if message.kind == "observation"]
    ends = [message for message in messages if message.kind == "summary"]
    room = min(LONGEST, LONGEST_TURN // max(1, 2 * len(tools)))
    prompts = store.prompts.standing(session)
    number = messages[0].prompt_number
    asked = [prompt.text for prompt in prompts if prompt.prompt_number == number]
    shown: dict[str, Any] = {
        "project": session.project,
        "prompt": excerpt(" ".join(asked), LONGEST),
        "events": [_event(store, session, message, room) for message in tools],
    }
    reply = reply_record(store, session, ends[-1]) if ends else None
    facts = stated_in(store, session, number) if ends else []
    if ends:
        if reply is not None:
            shown["reply_id"], shown["reply_rules"] = ends[-1].id, reply.type
        if facts:
            shown["rules_held"] = {str(fact.id): fact.content for fact in facts}
        so_far = _summary(store, session)
        earlier = [item for item in prompts if number is None or item.prompt_number < number]
        # What the summary so far says of them needn't be said again.
        shown["earlier_prompts"] = [
            excerpt(entry.text, 300) for entry in earlier[-(FEW if so_far else EARLIER) :]
        ]
        shown["reply"] = excerpt(reply_of(store, ends[-1]) or "", LONGEST)
        shown["summary_so_far"] = so_far
    shown["wanted"] = [
        *(["observations"] if tools else []),
        *(["summary"] if ends else []),
    ]
    text = json.dumps(shown, ensure_ascii=False)
    ids = tuple(message.id for message in (*tools, *(ends[-1:] if reply else ())))
    return Question(
        text,
        ids,
        bool(ends),
        ends[-1].id if reply else None,
        tuple(fact.id for fact in facts),
    )


def reply_record(store: Store, session: Session, end: PendingMessage) -> Observation | None:
    """Return the rules' record of the reply that ended a turn; None where it said nothing worth one."""
    if end.prompt_number is None or not end.last_assistant_message:
        return None
    said = [
        observation
        for observation in store.observations.of_turn(session.id, end.prompt_number)
        if observation.tool_name == REPLY and observation.created_at <= end.created_at
    ]
    return max(said, key=lambda reply: (reply.created_at, reply.id), default=None)


def _event(store: Store, session: Session, message: PendingMessage, room: int) -> dict[str, Any]:
    assert message.observation_id is not None
    rules: Observation = store.observations.get(message.observation_id)
    tool = ToolUse(
        message.tool_name or "unknown",
        parse_stored(message.tool_input),
        parse_stored(message.tool_response),
    )
    return {
        "id": message.id,
        "tool": message.tool_name,
        **event_text(tool, session.project_path or message.cwd, room),
        "rules": f"{rules.type}: {rules.title}",
    }


def _summary(store: Store, session: Session) -> dict[str, str]:
    standing = store.summaries.of_observer(session, "detailed")
    fields = {name: getattr(standing, name) for name in COLUMNS} if standing else {}
    return {name: excerpt(text, SO_FAR) for name, text in fields.items() if text}


@dataclass(frozen=True, slots=True)
class Forecast:
    """How many messages wait for a model, and about how many tokens it would read and write; `dollars` is
    None where no prices are configured."""

    messages: int = 0
    input: int = 0
    output: int = 0
    dollars: float | None = None


def forecast(store: Store, settings: ModelSettings | None) -> Forecast:
    """Return what asking about all waiting messages would take; zeros where no model is configured."""
    if settings is None:
        return Forecast()
    messages, turns, characters = store.pending.sizes(LONGEST)
    calls = max(turns, -(-messages // MOST))
    read = round((characters + calls * 2 * len(INSTRUCTIONS)) / CHARACTERS_A_TOKEN)
    written = min(messages * TOKENS_A_RECORD, calls * settings.output_tokens)
    return Forecast(messages, read, written, settings.dollars(read, written))


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
