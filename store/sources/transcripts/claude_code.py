"""Claude Code's transcripts: one file a session, and one for each sub-agent below it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ...capture.events import Event
from .claude_code_answers import AGENT, Answers
from .claude_code_queue import steering
from .claude_code_texts import is_human, summary, typed
from .fields import items, mapping, moment_of, string, text_of
from .open_calls import OpenCalls
from .reader import State

READ = ("user", "assistant", "system")
REMEMBERED = 256
"""How many records back a repeated one is noticed, and a prompt's id that is given again."""


class ClaudeCodeReader:
    """Reads a session's file, or a sub-agent's, whose events belong to the session that it names."""

    def __init__(self, path: Path, state: State) -> None:
        self.path = path
        self.state = state
        self.calls = OpenCalls(AGENT, state, shared=True)
        self.answers = Answers(state, self.calls)
        folders = path.parts[:-1]
        is_below = "subagents" in folders[1:]
        self.file_session = folders[folders.index("subagents", 1) - 1] if is_below else path.stem
        self.file_agent = path.stem[6:] if path.stem.startswith("agent-") else None

    def identity(self, record: dict[str, Any]) -> tuple[str, str] | None:
        """What a fork or a resumed session repeats a record under, and the session it gives it."""
        uuid, session = string(record.get("uuid")), string(record.get("sessionId"))
        return (uuid, session) if uuid and session and record.get("type") in READ else None

    def events(self, record: dict[str, Any]) -> Iterator[Event]:
        """The events that a line completes."""
        kind, base = record.get("type"), self._base(record)
        if kind == "queue-operation":
            yield from steering(self.state, record, base)
        elif kind == "custom-title" and (title := string(record.get("customTitle"))):
            yield Event(**base | {"kind": "session_start", "key": "title", "title": title})
        elif kind in READ and not self._is_repeated("records", record.get("uuid")):
            yield from self._start(base)
            if kind == "system":
                yield from self._system(record, base)
            elif not isinstance(record.get("message"), dict):
                raise ValueError("has a message that is no object")
            elif kind == "user":
                yield from self._user(record, base)
            else:
                yield from self._compaction()
                yield from self.answers.events(record, base)

    def pending(self) -> Iterator[Event]:
        """Calls without results, and the last answer. A compaction waits for its summary, which is
        written at once."""
        yield from self.calls.pending()
        yield from self.answers.pending()

    def _user(self, record: dict[str, Any], base: dict[str, Any]) -> Iterator[Event]:
        content = record["message"].get("content")
        results = [
            block for block in map(mapping, items(content)) if block.get("type") == "tool_result"
        ]
        # A record tells the structured result of the one call it answers.
        told = record.get("toolUseResult") if len(results) == 1 else None
        for block in results:
            response = block.get("content") if told is None else told
            key, failed = string(block.get("tool_use_id")) or "", block.get("is_error") is True
            yield from self.calls.close(key, response, failed=failed, at=base["at"])
        if results or base["subagent"] or record.get("isMeta"):
            return
        text = text_of(content)
        if record.get("isCompactSummary"):
            own = base | {"kind": "compaction", "key": string(record.get("uuid"))}
            yield Event(**(self.state.pop("compaction", None) or own) | {"text": summary(text)})
            return
        yield from self._compaction()
        yield from self.answers.end_of_turn()
        if is_human(record) and (prompt := typed(text)):
            yield Event(**base | {"kind": "prompt", "text": prompt} | self._prompt_key(record))

    def _system(self, record: dict[str, Any], base: dict[str, Any]) -> Iterator[Event]:
        if base["subagent"]:
            return
        if record.get("subtype") == "compact_boundary":
            yield from self._compaction()
            key = string(record.get("uuid"))
            self.state["compaction"] = base | {"kind": "compaction", "key": key}
        elif record.get("subtype") in ("stop_hook_summary", "turn_duration"):
            yield from self.answers.end_of_turn()

    def _compaction(self) -> Iterator[Event]:
        """A compaction that was told, and whose summary did not follow."""
        if waiting := self.state.pop("compaction", None):
            yield Event(**waiting)

    def _base(self, record: dict[str, Any]) -> dict[str, Any]:
        """What the events of a record have in common."""
        session = string(record.get("sessionId")) or self.state.get("session") or self.file_session
        self.state["session"] = session
        cwd = string(record.get("cwd")) or self.state.get("cwd")
        self.state["cwd"] = cwd
        subagent = string(record.get("agentId")) or self.file_agent
        if record.get("isSidechain") is True:
            subagent = subagent or "sidechain"
        at = moment_of(record.get("timestamp"))
        return {"agent": AGENT, "session": session, "cwd": cwd, "subagent": subagent, "at": at}

    def _start(self, base: dict[str, Any]) -> Iterator[Event]:
        if not self._is_repeated("sessions", base["session"]):
            transcript = None if base["subagent"] else str(self.path)
            yield Event(**base | {"kind": "session_start", "transcript": transcript})

    def _prompt_key(self, record: dict[str, Any]) -> dict[str, Any]:
        """Hooks know a prompt by its turn; a fork gives its own turn's to what it repeats."""
        turn = string(record.get("promptId"))
        if turn and not self._is_repeated("turns", turn):
            return {"key": turn, "shared": True}
        return {"key": string(record.get("uuid"))}

    def _is_repeated(self, kind: str, key: object) -> bool:
        known: list[str] = self.state.setdefault(kind, [])
        if not isinstance(key, str) or key in known:
            return isinstance(key, str)
        known.append(key)
        del known[:-REMEMBERED]
        return False
