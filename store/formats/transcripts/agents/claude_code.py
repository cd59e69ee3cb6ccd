"""Claude Code's transcripts: one file a session, and one for each sub-agent below it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

from ....agents import claude_code
from ....agents.payload import notified_report
from ....platform.translation import _
from ....records.dataclasses import replace
from ....records.events import AgentName, Event, ToolUse, Usage
from ..json_records import Record, items, mapping, moment_of, number, string, text, text_of
from ..reader import Branches, Identity, Link, OpenCalls, State, new_branch
from ..whole_sessions import PromptHistory
from .claude_code_prompts import (
    NO_PROMPT,
    bare_command,
    delivered_prompt,
    first_line_of_task,
    is_human,
    queued_prompts,
    summary_text,
    teammate,
    typed_text,
)

READ = ("user", "assistant", "system")
AGENT: AgentName = claude_code.AGENT.name
REJECTED = "User rejected tool use"
SYNTHETIC = "<synthetic>"

SIDECHAIN = "sidechain"
"""The sub-agent of records that only say that one wrote them."""

RECORDS = (
    "user", "assistant", "system", "summary", "queue-operation", "file-history-snapshot",
    "progress", "attachment", "last-prompt", "mode", "custom-title", "ai-title",
)  # fmt: skip
"""The types of its records."""

TITLES = {"custom-title": "customTitle", "ai-title": "aiTitle"}
"""Records that give a session its title, the user's and the agent's, and where they hold it."""


def recognizes(record: Record) -> bool:
    """Return whether a JSON record is of a transcript of Claude Code's."""
    kind = record.get("type")
    if {"display", "pastedContents", "timestamp"} <= record.keys():
        return True
    if "leafUuid" in record or (kind in RECORDS and ("sessionId" in record or "uuid" in record)):
        return True
    return kind in ("user", "assistant") and bool(mapping(record.get("message")))


class ClaudeHistory(PromptHistory):
    """Reads `history.jsonl`. What was pasted stands in a prompt's place for it, where the file has it."""

    agent = "claude-code"
    session_field, time_field = "sessionId", "timestamp"

    def prompt(self, record: Record) -> str:
        """Return what was typed, with what was pasted."""
        said = text(record.get("display"))
        for name, pasted in mapping(record.get("pastedContents")).items():
            content = text(mapping(pasted).get("content"))
            mark = rf"\[Pasted text #{re.escape(name)}(?: \+\d+ lines)?\]"
            if content and (found := re.search(mark, said)):
                said = said.replace(found[0], content)
        return said


class ClaudeCodeReader:
    """Reads a session's file, or a sub-agent's, whose events belong to the session that it names."""

    def __init__(self, path: Path, state: State) -> None:
        self.path = path
        self.state = state
        self.calls = OpenCalls(AGENT, state, shared=True)
        self.answers = Answers(state, self.calls)
        self.branches = Branches(path, state, link_of)
        folders = path.parts[:-1]
        is_below = "subagents" in folders[1:]
        self.file_session = folders[folders.index("subagents", 1) - 1] if is_below else path.stem
        self.file_agent = path.stem[6:] if path.stem.startswith("agent-") else None

    def identity(self, record: Record) -> Identity | None:
        """Return by what a record is known that a fork, a resumed session or a compaction repeats."""
        uuid = string(record.get("uuid"))
        session = string(record.get("sessionId")) or self.file_session
        is_known = uuid and record.get("type") in (*READ, "attachment")
        return Identity(uuid, session, (content_of(record),)) if uuid and is_known else None

    def events(self, record: Record) -> Iterator[Event]:
        """Yield the events that a line completes."""
        kind, base = record.get("type"), self._base(record)
        self._follow(record)
        yield from self._rejected(record)
        yield from self._expanded(record, base)
        if kind == "queue-operation":
            yield from queued_prompts(self.state, record, base)
        elif kind == "attachment":
            yield from delivered_prompt(self.state, record, base)
        elif isinstance(kind, str) and kind in TITLES:
            yield from self._titled(kind, string(record.get(TITLES[kind])), base)
        elif kind in READ:
            yield from self._start(base, record)
            if kind == "system":
                yield from self._system(record, base)
            elif not isinstance(record.get("message"), dict):
                raise ValueError(_("has a message that is not an object"))
            elif kind == "user":
                yield from self._user(record, base)
            else:
                yield from self._compaction()
                yield from self.answers.events(record, base)

    def pending(self) -> Iterator[Event]:
        """Yield calls without results, and the last answer; of a sub-agent's file, its report. A
        compaction waits for its summary, which is written at once."""
        if rejected := self.state.get("rejected"):
            yield from self.calls.close(*rejected[:2], failed=True, at=rejected[2])
        yield from self.calls.pending()
        yield from self.answers.pending()
        if report := self.state.get("report"):
            yield Event(**report)

    def _user(self, record: Record, base: Record) -> Iterator[Event]:
        content = record["message"].get("content")
        results = [block for block in map(mapping, items(content)) if block.get("type") == "tool_result"]
        # A record has the structured result of the one call it answers.
        output = record.get("toolUseResult") if len(results) == 1 else None
        for block in results:
            response = block.get("content") if output is None else output
            key, failed = string(block.get("tool_use_id")) or "", block.get("is_error") is True
            if output == REJECTED:
                self.state["rejected"] = [key, response, base["at"]]
                continue
            yield from self.calls.close(key, response, failed=failed, at=base["at"])
        text = text_of(content)
        if not results and (report := notified_report(text, base)):
            yield report
            return
        if results or base["subagent"] or record.get("isMeta"):
            return
        if record.get("isCompactSummary"):
            own = base | {"kind": "compaction", "key": string(record.get("uuid"))}
            yield Event(**(self.state.pop("compaction", None) or own) | {"text": summary_text(text)})
            return
        yield from self._compaction()
        yield from self.answers.end_of_turn()
        if (name := teammate(record)) and not self.state.get("title"):
            yield from self._titled("teammate", f"{name}: {first_line_of_task(text)}", base)
        if is_human(record) and (prompt := typed_text(text)):
            yield from self._prompt(record, base, prompt)
        elif is_human(record) and text.startswith("<command-") and (command := bare_command(text)):
            self.state["command"] = [record | {"message": None}, base, command]

    def _prompt(self, record: Record, base: Record, text: str) -> Iterator[Event]:
        event = Event(**base | {"kind": "prompt", "text": text} | self._prompt_key(record))
        yield from self._rewind(record, event)
        yield event

    def _expanded(self, record: Record, base: Record) -> Iterator[Event]:
        """Yield the bare command before a record as a prompt, where what it stands for or an answer follows
        it; a command to the program itself is followed by what that printed."""
        kind, message = record.get("type"), mapping(record.get("message"))
        if (
            kind not in ("user", "assistant")
            or base["subagent"]
            or not (asked := self.state.get("command"))
        ):
            return
        del self.state["command"]
        is_expansion = record.get("isMeta") and not text_of(message.get("content")).startswith(NO_PROMPT)
        if is_expansion if kind == "user" else message.get("model") != SYNTHETIC:
            yield from self._prompt(*asked)

    def _rewind(self, record: Record, prompt: Event) -> Iterator[Event]:
        """Yield that the prompts since the last compaction were taken back which descend from the record
        that this one follows: it begins another branch there. One that follows none goes on."""
        own, parent = link_of(record)
        if own and "parentUuid" in record:
            if taken := self.branches.taken_back(parent, prompt.session):
                yield replace(prompt, kind="rewind", key=None, text="", taken_back=taken)
            self.branches.ask(own, prompt.session, prompt.key or "")

    def _follow(self, record: Record) -> None:
        """Note which record this one follows. What a compaction leaves behind can't be gone back to."""
        self.branches.follow(record)
        if record.get("subtype") == "compact_boundary" or record.get("isCompactSummary"):
            self.branches.standing.clear()

    def _rejected(self, record: Record) -> Iterator[Event]:
        """Yield the call that was rejected: only the next record tells whether the user declined it, or
        stopped the agent while it ran."""
        if rejected := self.state.pop("rejected", None):
            key, response, at = rejected
            if record.get("interruptedMessageId"):
                response = {"stdout": "", "stderr": "", "interrupted": True}
            yield from self.calls.close(key, response, failed=True, at=at)

    def _system(self, record: Record, base: Record) -> Iterator[Event]:
        if base["subagent"]:
            return
        if record.get("subtype") == "compact_boundary":
            yield from self._compaction()
            key = string(record.get("uuid"))
            self.state["compaction"] = base | {"kind": "compaction", "key": key}
        elif record.get("subtype") in ("stop_hook_summary", "turn_duration"):
            yield from self.answers.end_of_turn()

    def _compaction(self) -> Iterator[Event]:
        """Yield the event of a compaction whose summary did not follow."""
        if waiting := self.state.pop("compaction", None):
            yield Event(**waiting)

    def _base(self, record: Record) -> Record:
        """Return what the events of a record have in common."""
        session = string(record.get("sessionId")) or self.state.get("session") or self.file_session
        self.state["session"] = session
        cwd = string(record.get("cwd")) or self.state.get("cwd")
        self.state["cwd"] = cwd
        subagent = string(record.get("agentId")) or self.file_agent
        if record.get("isSidechain") is True:
            subagent = subagent or SIDECHAIN
        at = moment_of(record.get("timestamp"))
        return {"agent": AGENT, "session": session, "cwd": cwd, "subagent": subagent, "at": at}

    def _start(self, base: Record, record: Record) -> Iterator[Event]:
        branch = None if base["subagent"] else new_branch(self.state, record.get("gitBranch"))
        if not self._is_repeated("sessions", base["session"]):
            transcript = None if base["subagent"] else str(self.path)
            is_automatic = str(record.get("entrypoint")).startswith("sdk") or bool(teammate(record))
            title = self.state.pop("waiting_titles", {}).get(base["session"])
            fields = {"transcript": transcript, "automatic": is_automatic, "title": title}
            yield Event(**base | {"kind": "session_start", "branch": branch} | fields)
        elif branch:
            yield Event(**base | {"kind": "session_start", "branch": branch})

    def _titled(self, kind: str, title: str | None, base: Record) -> Iterator[Event]:
        """Yield the session's title; the user's holds whatever the agent calls it later. One from before
        any record that says when it was waits for the session's start: it has no time of its own."""
        is_users = kind == "custom-title"
        if not title or (self.state.get("named") and not is_users):
            return
        old, self.state["title"], self.state["named"] = self.state.get("title"), title, is_users
        if base["session"] in self.state.get("sessions", ()):
            yield Event(**base | {"kind": "session_start", "title": title, "old_title": old})
        else:
            self.state["waiting_titles"] = {base["session"]: title}

    def _prompt_key(self, record: Record) -> Record:
        """Return the key of a prompt: hooks know it by its turn; a fork gives its own turn's to
        what it repeats, and of what waited in the queue they tell the turn that was at work."""
        turn = string(record.get("promptId"))
        if record.get("promptSource") == "queued":
            typed_at = moment_of(record.get("sentAtMs")) or moment_of(record.get("timestamp"))
            return {"key": string(record.get("uuid")), "at": typed_at}
        if turn and not self._is_repeated("turns", turn):
            return {"key": turn, "shared": True}
        return {"key": string(record.get("uuid"))}

    def _is_repeated(self, kind: str, key: object) -> bool:
        known: list[str] = self.state.setdefault(kind, [])
        if not isinstance(key, str) or key in known:
            return isinstance(key, str)
        known.append(key)
        return False


def link_of(record: Record) -> Link:
    """Return the id of a record, and that of the one that it follows."""
    return string(record.get("uuid")), string(record.get("parentUuid"))


class Answers:
    """The answer at hand, kept in a reader's state.

    One answer is spread over several records with the same id, with results of its calls between
    them; the last of them has its cost. Sub-agents' answers come between those of the session.
    """

    def __init__(self, state: State, calls: OpenCalls) -> None:
        self.state = state
        self.calls = calls
        self.open: dict[str, Record] = state.setdefault("answers", {})

    def events(self, record: Record, base: Record) -> Iterator[Event]:
        """Yield what a record of an answer completes: the cost of the answer before it."""
        message = record["message"]
        if message.get("model") == SYNTHETIC or record.get("isApiErrorMessage") is True:
            return
        key = string(message.get("id")) or string(record.get("uuid")) or ""
        who = base["subagent"] or ""
        if who in self.open and self.open[who]["key"] != key:
            yield from self._cost(self.open.pop(who))
        answer = self.open.setdefault(who, {"key": key, "base": base, "usage": None, "first": None})
        answer["model"] = string(message.get("model")) or ""
        if usage := mapping(message.get("usage")):
            answer["usage"] = [
                number(usage.get(name))
                for name in (
                    "input_tokens", "output_tokens",
                    "cache_read_input_tokens", "cache_creation_input_tokens",
                )
            ]  # fmt: skip
            created = mapping(usage.get("cache_creation"))
            hour = number(created.get("ephemeral_1h_input_tokens"))
            answer["usage"].append(min(hour, answer["usage"][-1]))
        words = text_of(message.get("content"))
        self._report(message, words, base)
        yield from self._words(words, key, base)
        for place, block in enumerate(map(mapping, items(message.get("content")))):
            if block.get("type") == "tool_use":
                call = string(block.get("id")) or f"{record.get('uuid')}-{place}"
                tool = ToolUse(string(block.get("name")) or "", block.get("input"))
                event = Event(**base | {"kind": "tool", "tool": tool, "key": call})
                is_first = answer["first"] in (None, call)
                answer["first"] = answer["first"] or call
                yield from self.calls.open(call, event, key if is_first else None)
        if answer["usage"]:
            self.calls.spend(key, answer["usage"][1])

    def end_of_turn(self) -> Iterator[Event]:
        """Yield the last words of the turn that ends."""
        if words := self.state.pop("words", None):
            yield Event(**words)

    def pending(self) -> Iterator[Event]:
        """Yield the cost of the answers at hand, and the last words where they are not about a call."""
        for answer in self.open.values():
            yield from self._cost(answer)
        words = self.state.get("words")
        if words and not self.calls.opened_since(words["at"]):
            yield Event(**words)

    def _report(self, message: Record, words: str, base: Record) -> None:
        """Note the words with which a sub-agent may have ended: they precede no call."""
        calls = [item for item in map(mapping, items(message.get("content"))) if "input" in item]
        if base["subagent"] and base["subagent"] != SIDECHAIN:
            is_end = bool(words) and not calls
            self.state["report"] = base | {"kind": "report", "text": words} if is_end else None

    def _words(self, text: str, key: str, base: Record) -> Iterator[Event]:
        """Note the words of an answer; yield those before, which then did not end the turn."""
        if not text or base["subagent"]:
            return
        before = self.state.get("words")
        if before and before["key"] == key:
            text = f"{before['text']}\n{text}"
        elif before:
            yield Event(**before | {"is_final": False})
        self.state["words"] = base | {"kind": "reply", "key": key, "text": text}

    def _cost(self, answer: Record) -> Iterator[Event]:
        if answer["usage"]:
            fields = {"kind": "usage", "key": answer["key"], "usage": Usage(*answer["usage"])}
            # An answer that an earlier version had begun to read has none.
            fields["model"] = answer.get("model", "")
            yield Event(**answer["base"] | fields)


def content_of(record: Record) -> str:
    """Return what a record has in common with a copy of it under another id: its time and what it says;
    "" where that tells it from no other."""
    message, at = mapping(record.get("message")), string(record.get("timestamp"))
    content = (
        message.get("content") or record.get("content") or mapping(record.get("attachment")).get("prompt")
    )
    blocks = map(mapping, items(content))
    calls = [string(block.get("id")) or string(block.get("tool_use_id")) for block in blocks]
    says = [text_of(content), *filter(None, calls)]
    who = record.get("type"), record.get("agentId"), message.get("id")
    return json.dumps([at, *map(str, who), *says]) if at and any(says) else ""
