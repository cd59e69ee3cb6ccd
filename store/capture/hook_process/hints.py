"""Answer a prompt, or a tool that is about to read or edit a file, with what is remembered of it.

Both are off unless the user's configuration says otherwise, and a hook comes here only where the word
stands in it. Nothing is stored first, nothing is waited for: where anything is amiss there is no answer.
"""

from __future__ import annotations

from ...platform.system import posix
from . import user_config
from .prepared import CHILDREN, PROJECT, agent_in, chosen, name_in, parsed, root_of, session_of
from .session_start import (
    LAST_SECONDS,
    find_packages,
    open_memory,
    set_deadline,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, NoReturn


AT_PROMPT, AT_FILE = "at_prompt", "at_file"
AT_SUBAGENT = "at_subagent"
UNSTORED = {"PreToolUse": AT_FILE, "SubagentStart": AT_SUBAGENT}
"""The events that are answered and are no memory."""


def answer_prompt(agent: str, raw: bytes, database: bytes, config: bytes, begun: float) -> None:
    """Print what was chosen for a prompt, else what it is about. `config` is the user's configuration,
    `begun` as in `session_start.answer`."""
    if lines := chosen(parsed(raw), database):
        _answer(agent, raw, database, begun, AT_PROMPT, lines)
    elif is_on(config, AT_PROMPT):
        _answer(agent, raw, database, begun, AT_PROMPT)


def answer_unstored(agent: str, raw: bytes, database: bytes, begun: float) -> bool:
    """Print what is known of the file that a tool is about to read or edit, or of the task of a sub-agent
    that starts; return whether this is such an event, which is no memory and isn't stored."""
    try:
        occasion = UNSTORED.get(str(parsed(raw).get("hook_event_name")))
    except ValueError:
        return False
    if occasion == AT_SUBAGENT or (occasion and is_on(user_config(), AT_FILE)):
        _answer(agent, raw, database, begun, occasion)
    return occasion is not None


def is_on(config: bytes, setting: str) -> bool:
    """Whether a setting of `[context]` is true in a configuration; one that is broken says nothing."""
    if setting.encode() not in config:
        return False
    if b'"""' not in config and b"'''" not in config:
        # The usual way to write it is read here, for the parser takes as long as all the rest.
        table = b""
        for line in config.split(b"\n"):
            name, _, value = line.partition(b"#")[0].partition(b"=")
            if name.strip()[:1] == b"[":
                table = name.strip()
            elif table == b"[context]" and name.strip() == setting.encode():
                return value.strip() == b"true"
    import tomllib

    try:
        return tomllib.loads(config.decode()).get("context", {}).get(setting) is True
    except (ValueError, AttributeError, RecursionError):
        return False


def _answer(
    agent: str, raw: bytes, database: bytes, begun: float, occasion: str, lines: Sequence[Any] = ()
) -> None:
    def end(*_: object) -> NoReturn:
        posix._exit(0)

    set_deadline(end, begun, LAST_SECONDS)
    find_packages()
    db = open_memory(database)
    if db is None:
        return
    payload = parsed(raw)
    known = agent_in(agent, payload)
    name = name_in(payload)
    # Others run Claude Code's hooks too, and take nothing before a tool.
    if occasion == AT_SUBAGENT:
        # What it is told is told to it, not to the session that started it.
        takes, payload["prompt"] = known.subagent_events, known.task_of(payload)
        payload |= {"session_id": payload.get("agent_id"), "agent_id": None}
    else:
        takes = known.prompt_events if occasion == AT_PROMPT else tuple(known.file_hooks)
    if name not in takes or any(payload.get(key) for key in CHILDREN):
        return
    if occasion != AT_FILE and not lines and not says_something(payload.get("prompt")):
        return
    root = root_of(payload, known)
    project = db.execute(PROJECT, (root,)).get
    session = session_of(payload)
    if not session or (project is None and not lines):
        return
    from ...context.hints import chosen_context, file_context, prompt_context

    if lines:
        context = chosen_context(db, lines)
    elif occasion == AT_FILE:
        used = payload.get("tool_input")
        path = (used.get("file_path") or used.get("notebook_path")) if isinstance(used, dict) else None
        context = file_context(db, str(project), root, str(path or ""), known.name, session)
    else:
        context = prompt_context(db, str(project), str(payload["prompt"]), known.name, session)
    if answer := known.answer(db, name, context.text):
        from ...context.log import FILE, PROMPT, append_log_entry

        posix.write(1, answer)
        at = FILE if occasion == AT_FILE else PROMPT
        append_log_entry(db, known.name, session, str(project), context, at)


def says_something(prompt: object) -> bool:
    """Whether a prompt has words by which it can be told what it is about; most have none."""
    from ...search.related.prompted import content_words

    return isinstance(prompt, str) and bool(content_words(prompt))
