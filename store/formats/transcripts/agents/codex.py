"""Codex's rollouts: lines of three generations, the flat ones before, and whole files."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

from ....agents.payload import content_hash
from ....agents.subagents import notified
from ....platform.regular_file import LONGEST as LARGEST
from ....platform.regular_file import open_regular, read_regular
from ....platform.translation import _
from ....records.events import Event, EventKind, ToolUse, Usage
from ....text.plural import count_noun
from ..json_records import Record, mapping, moment_of, number, parsed, text, texts
from ..reader import FileReader, State, read_json
from ..whole_sessions import PromptHistory
from .codex_records import (
    TURN_BEGINS,
    TURN_ENDS,
    PendingCall,
    PromptLog,
    Source,
    agent_path,
    begun_call,
    call_output,
    calls_tools,
    creation_ms,
    exit_code_in,
    find_parent,
    find_prompt,
    is_failure,
    message_of_agent,
    nested_call,
    new_prompt_log,
    shows_progress,
    started_subagent,
    thread_id,
    unwrap,
)

SUMMARY_FOLLOWS = "Another language model started to solve this problem"
COPYING_MS = 1_000
"""So long a fork takes at most to write what it copies."""
MOST_CALLS = 64
"""The most calls without output: when one more comes, the oldest gets no output any more."""

FINAL = "final_answer"
"""The phase of words that end a turn."""

ZSTD_NEEDED = _("Install memtui with its extra zstd (`pipx install 'memtui[zstd]'`)")
DECOMPRESSORS = ("compression.zstd", "backports.zstd", "zstandard")


IMPORTED = "external-import-turn-"
"""How the id of a turn begins that was imported from another agent's session."""
RECORDS = ("session_meta", "response_item", "event_msg", "turn_context", "compacted")
"""The types of its records, but for the oldest rollouts."""


def recognizes(record: Record) -> bool:
    """Return whether a JSON record is of a rollout, the oldest among them."""
    if record.get("type") in RECORDS and "payload" in record:
        return True
    older = ({"id", "timestamp", "instructions"}, {"session_id", "ts", "text"})
    is_old = any(keys <= record.keys() for keys in older)
    return is_old or (isinstance(record.get("session"), dict) and isinstance(record.get("items"), list))


class CodexHistory(PromptHistory):
    """Reads `history.jsonl`."""

    agent = "codex"
    session_field, time_field = "session_id", "ts"

    def prompt(self, record: Record) -> str:
        """Return what was typed."""
        return text(record.get("text"))


class CodexReader:
    """Reads `sessions/YYYY/MM/DD/rollout-….jsonl`.

    A sub-agent's rollout gives events of the session that started it, with the sub-agent's id. What
    a fork copies from its parent is the parent's, and skipped.
    """

    def __init__(self, path: Path, state: State) -> None:
        fresh: State = {"thread": None, "session": thread_id(path)}
        fresh |= {
            "subagent": None,
            "cwd": None,
            "at": None,
            "forked": False,
            "copied": False,
            "copied_until": 0,
            "imported": False,
        }
        fresh |= {"turn": None, "asked": None, "heard": new_prompt_log(), "reply": None}
        fresh |= {"calls": {}, "unspent": 0, "records": False, "total": None}
        fresh |= {"said": [], "nested": False, "agents": {}, "path": None, "model": ""}
        self.path = path
        self.state: State = fresh | state

    def events(self, record: Record) -> Iterator[Event]:
        """Yield the events that a line completes. Raises ValueError where a known kind has no payload."""
        kind, payload = unwrap(record)
        state = self.state
        state["at"] = moment_of(record.get("timestamp")) or state["at"]
        if kind == "session_meta":
            yield from self._meta(payload)
        if self._is_copied(kind, payload):
            return
        yield from self._prompts(kind, payload)
        if message := message_of_agent(kind, payload):
            yield from self._reported(*message)
            return
        match kind:
            case "response_item":
                yield from self._item(payload)
            case "event_msg":
                yield from self._message(payload)
            case "compacted":
                yield self._compaction(payload)
            case "turn_context":
                state["cwd"] = text(payload.get("cwd")) or state["cwd"]
                state["model"] = text(payload.get("model")) or state["model"]
            case "token_usage_record":
                state["records"] = True
                key = text(payload.get("response_id")) or None
                yield self._usage(mapping(payload.get("usage")), key)

    def pending(self) -> Iterator[Event]:
        """Yield prompts and tool calls that nothing has followed yet, and the last answer.

        Where turns have an end, an answer within one may not be its last.
        """
        asked = self.state["asked"]
        for prompt in PromptLog(self.state["heard"]).held:
            yield self._prompt(prompt["text"], prompt["turn"], prompt["at"], asked)
            asked = prompt["turn"]
        for key, begun in self.state["calls"].items():
            if not begun["is_script"]:
                yield self._tool(key, begun, None, False)
        reply = self.state["reply"]
        if not self.state["turn"] or (reply and reply["is_final"]):
            yield from self._reply()

    def _meta(self, payload: Record) -> Iterator[Event]:
        state = self.state
        thread = text(payload.get("id")) or text(payload.get("session_id")) or state["session"]
        if state["thread"] is not None:
            if thread != state["thread"]:
                state |= {"forked": True, "copied_until": (state["at"] or 0) + COPYING_MS}
            return
        subagent, parent = find_parent(payload)
        state["thread"] = thread
        state["session"] = parent or thread
        state["subagent"] = thread if subagent else None
        state["path"] = agent_path(payload) or None
        state["forked"] = bool(payload.get("forked_from_id"))
        state["cwd"] = text(payload.get("cwd")) or None
        git = mapping(payload.get("git"))
        fields = {"version": payload.get("cli_version")}
        fields |= {"commit": git.get("commit_hash"), "repository": git.get("repository_url")}
        yield self._event(
            "session_start",
            at=moment_of(payload.get("timestamp")) or state["at"],
            transcript=None if subagent else str(self.path),
            automatic=payload.get("source") == "exec" or payload.get("originator") == "codex_exec",
            parent=text(payload.get("forked_from_id")) or None,
            branch=text(git.get("branch")) or None,
            extra={name: value for name, value in fields.items() if text(value)},
        )

    def _is_copied(self, kind: str, payload: Record) -> bool:
        """Return whether a line repeats a turn that began before its own session did, or one of another
        agent's session, which Codex imported. Turns without an id are told by their time: what is copied is
        written at once, behind the beginning of the parent."""
        state = self.state
        begins = kind == "turn_context" or text(payload.get("type")) in TURN_BEGINS
        if begins and (state["imported"] or text(payload.get("turn_id")).startswith(IMPORTED)):
            state["imported"] = text(payload.get("turn_id")).startswith(IMPORTED)
            state["copied"] = state["imported"]
        if state["forked"] and begins:
            turn, thread = creation_ms(payload.get("turn_id")), creation_ms(state["thread"])
            if turn and thread:
                state |= {"copied": turn < thread, "copied_until": 0}
        if state["copied_until"]:
            state["copied"] = kind != "session_meta" and (state["at"] or 0) <= state["copied_until"]
        return bool(state["copied"])

    def _prompts(self, kind: str, payload: Record) -> Iterator[Event]:
        heard = PromptLog(self.state["heard"])
        result = find_prompt(kind, payload)
        if result is None:
            if shows_progress(kind, payload):
                for prompt in heard.release():
                    yield from self._begin(prompt["text"], prompt["turn"], prompt["at"])
            return
        source, content, turn = result
        turn = turn or self.state["turn"]
        if source is Source.MODEL:
            heard.hold({"text": content, "turn": turn, "at": self.state["at"]})
        elif heard.is_new(source, content):
            yield from self._begin(content, turn, self.state["at"])

    def _begin(self, content: str, turn: str | None, at: int | None) -> Iterator[Event]:
        reply = self.state["reply"]
        if reply and not reply["is_final"] and turn and turn == self.state["asked"]:
            # What was said before a prompt that is typed while the turn runs doesn't end it.
            yield self._event("reply", at=reply["at"], text=reply["text"], is_final=False)
        else:
            yield from self._reply()
        prompt = self._prompt(content, turn, at, self.state["asked"])
        key = prompt.key or f"{at or 0} {content_hash(prompt)}"
        self.state["said"].append([turn or key, key])
        yield prompt
        self.state |= {"reply": None, "asked": turn, "unspent": 0}

    def _prompt(self, content: str, turn: str | None, at: int | None, before: str | None) -> Event:
        # What is typed while a turn runs belongs to that turn as well: only its first goes by it.
        key = turn if turn != before else None
        return self._event("prompt", at=at, key=key, shared=key is not None, text=content)

    def _item(self, payload: Record) -> Iterator[Event]:
        state = self.state
        kind = text(payload.get("type")) or "message"
        key = text(payload.get("call_id"))
        if kind == "message":
            compacts = mapping(payload.get("metadata")).get("compaction_output")
            words = texts(payload.get("content"))
            if payload.get("role") == "assistant" and not compacts:
                yield from self._answered(words, payload.get("phase") == FINAL)
            elif payload.get("role") == "user" and (report := notified(words)):
                yield from self._reported(report.subagent, report.text)
        elif begun := begun_call(kind, payload):
            begun["tokens"], state["unspent"] = state["unspent"] or None, 0
            if key:
                state["calls"][key] = begun
                if len(state["calls"]) > MOST_CALLS:
                    oldest = next(iter(state["calls"]))
                    begun = state["calls"].pop(oldest)
                    if not begun["is_script"]:
                        yield self._tool(oldest, begun, None, False)
            elif not begun["is_script"]:
                # Nothing answers a call without an id.
                yield self._tool(text(payload.get("id")) or None, begun, "", False)
        elif kind.endswith("_output") and key in state["calls"]:
            begun = state["calls"].pop(key)
            if begun["is_script"] and (state["nested"] or not calls_tools(begun["input"])):
                return
            response, failed = call_output(payload.get("output"))
            code = exit_code_in(payload.get("output"))
            yield self._tool(key, begun, "" if response is None else response, failed, code)

    def _message(self, payload: Record) -> Iterator[Event]:
        state = self.state
        kind = text(payload.get("type"))
        item = mapping(payload.get("item"))
        if kind == "thread_rolled_back":
            yield from self._rolled_back(number(payload.get("num_turns")))
        elif nested := nested_call(payload):
            yield self._nested(*nested)
        elif launched := started_subagent(payload):
            call, subagent, path = launched
            state["agents"][path] = subagent
            yield self._event("report", call=call, subagent=subagent)
        elif kind in TURN_BEGINS:
            state["turn"] = text(payload.get("turn_id")) or None
        elif kind in TURN_ENDS:
            said = text(payload.get("last_agent_message"))
            if state["subagent"] and said.strip():
                extra = {"path": state["path"]} if state["path"] else {}
                yield self._event("report", at=state["at"], text=said, extra=extra)
            yield from self._answered(said)
            yield from self._reply(text(payload.get("turn_id")) or state["turn"])
            state["turn"], state["reply"], state["unspent"] = None, None, 0
        elif kind == "agent_message":
            yield from self._answered(text(payload.get("message")), payload.get("phase") == FINAL)
        elif kind == "token_count":
            yield from self._counted(mapping(payload.get("info")))
        elif item.get("type") == "AgentMessage":
            yield from self._answered(texts(item.get("content")), item.get("phase") == FINAL)
        elif begun := state["calls"].get(text(payload.get("call_id")) or text(item.get("id"))):
            begun["failed"] = begun["failed"] or is_failure(item or payload)

    def _rolled_back(self, turns: int) -> Iterator[Event]:
        """Yield that the prompts of the last turns were taken back."""
        state = self.state
        order = list(dict.fromkeys(turn for turn, _ in state["said"]))
        gone = set(order[-turns:]) if turns else set()
        if gone:
            keys = tuple(key for turn, key in state["said"] if turn in gone)
            state["said"] = [item for item in state["said"] if item[0] not in gone]
            yield from self._reply()
            state["reply"] = None
            yield self._event("rewind", at=state["at"], taken_back=keys)

    def _nested(self, key: str, use: ToolUse) -> Event:
        """Return the event of a call within a script; the first one of a script cost what it cost."""
        state = self.state
        state["nested"] = True
        scripts = [begun for begun in state["calls"].values() if begun["is_script"]]
        spent = next((begun for begun in reversed(scripts) if begun["tokens"]), None)
        tokens = spent["tokens"] if spent else 0
        if spent:
            spent["tokens"] = 0
        fields = {"key": key, "shared": True, "tokens": tokens or 0, "tool": use}
        return self._event("tool", at=state["at"], **fields)

    def _reported(self, author: str, content: str) -> Iterator[Event]:
        """Yield what a sub-agent wrote to its parent; what the parent writes to it is no report."""
        own = (self.state["path"], self.state["thread"], "/root", "/root/")
        if author not in own and author:
            subagent = self.state["agents"].get(author, author)
            yield self._event("report", at=self.state["at"], subagent=subagent, text=content)

    def _answered(self, content: str, is_final: bool = False) -> Iterator[Event]:
        """Note what was said, and whether it is said to end the turn; yield what was said before it,
        which then did not."""
        if content.strip():
            before = self.state["reply"]
            if before and before["text"].strip() != content.strip():
                said = {"at": before["at"], "text": before["text"], "is_final": False}
                yield self._event("reply", **said)
            # The same is told by several lines, of which some say so.
            same = before is not None and before["text"].strip() == content.strip()
            is_final = is_final or bool(same and before["is_final"])
            reply = {"text": content, "turn": self.state["turn"], "at": self.state["at"]}
            self.state["reply"] = reply | {"is_final": is_final}

    def _reply(self, turn: str | None = None) -> Iterator[Event]:
        if reply := self.state["reply"]:
            key = turn or reply["turn"]
            fields = {"key": key, "shared": key is not None, "text": reply["text"]}
            yield self._event("reply", at=reply["at"], **fields)

    def _compaction(self, payload: Record) -> Event:
        content = text(payload.get("message"))
        if content.startswith(SUMMARY_FOLLOWS):
            content = content.partition("\n")[2]
        reply = self.state["reply"]
        if reply and reply["text"] in content:
            self.state["reply"] = None
        at = self.state["at"]
        return self._event("compaction", at=at, key=at and str(at), text=content)

    def _counted(self, info: Record) -> Iterator[Event]:
        """Yield the usage of a token_count if its total is new: it is repeated whenever a limit changes."""
        total, last = mapping(info.get("total_token_usage")), mapping(info.get("last_token_usage"))
        known = {name: value for name, value in total.items() if number(value)}
        spent = number(last.get("input_tokens")) or number(last.get("output_tokens"))
        if self.state["records"] or not spent or (known and known == self.state["total"]):
            return
        self.state["total"] = known
        thread = self.state["thread"] or self.state["session"]
        key = f"{thread}:{number(total.get('total_tokens'))}" if known else None
        yield self._usage(last, key)

    def _usage(self, used: Record, key: str | None) -> Event:
        state = self.state
        given, cached = number(used.get("input_tokens")), number(used.get("cached_input_tokens"))
        written, output = (number(used.get(name)) for name in ("cache_write_input_tokens", "output_tokens"))
        waiting = [begun for begun in state["calls"].values() if begun["tokens"] is None]
        for begun in waiting:
            begun["tokens"] = 0
        if waiting:
            waiting[0]["tokens"] = output
        else:
            state["unspent"] = output
        usage = Usage(max(given - cached - written, 0), output, cached, written)
        return self._event("usage", at=state["at"], key=key, usage=usage, model=state["model"])

    def _tool(
        self, key: str | None, begun: PendingCall, response: object, failed: bool, code: int | None = None
    ) -> Event:
        use = ToolUse(begun["name"], begun["input"], response, failed or begun["failed"], code)
        fields = {"shared": key is not None, "tokens": begun["tokens"] or 0}
        return self._event("tool", at=self.state["at"], key=key, tool=use, **fields)

    def _event(self, kind: EventKind, **fields: Any) -> Event:
        state = self.state
        who = {"session": state["session"], "subagent": state["subagent"], "cwd": state["cwd"]}
        return Event(kind=kind, agent="codex", **who | fields)


class CodexFile(FileReader):
    """Reads `rollout-….json`, an object or a list of lines, and `rollout-….jsonl.zst`."""

    @classmethod
    def recognizes_file(cls, path: Path) -> bool:
        """Return whether a compressed file is a rollout, by its name."""
        return path.name.startswith("rollout-")

    def events(self) -> Iterator[Event]:
        """Yield all its events. Raises ValueError where the file is neither, or where lines of it
        are bad."""
        compressed = self.path.suffix == ".zst"
        content = decompress(self.path) if compressed else read_regular(self.path, LARGEST)
        records = list(parse_lines(content)) if compressed else split_lines(content, self.path)
        reader = CodexReader(self.path.with_suffix("") if compressed else self.path, {})
        bad: list[int] = []
        for position, record in enumerate(records, start=1):
            try:
                yield from reader.events(record)
            except ValueError:
                bad.append(position)
        yield from reader.pending()
        if bad:
            raise ValueError(
                _(
                    "{records} of {path} can't be read, the first is {first}.",
                    records=count_noun(len(bad), "records"),
                    path=self.path,
                    first=bad[0],
                )
            )


def split_lines(content: bytes, path: Path) -> list[Record]:
    """Return the lines that a JSON file holds: as a list, as one object, or as a session with its items."""
    result = read_json(path, content)
    if isinstance(result, dict) and isinstance(result.get("items"), list):
        session = mapping(result.get("session"))
        meta = {"timestamp": session.get("timestamp"), "type": "session_meta", "payload": session}
        result = [meta, *result["items"]]
    records = result if isinstance(result, list) else [result]
    return [record if isinstance(record, dict) else {"payload": record} for record in records]


def parse_lines(content: bytes) -> Iterator[Record]:
    """Yield the objects in lines of JSON; for a bad line, a record that no reader accepts."""
    for line in content.splitlines():
        if line.strip():
            record = parsed(line.decode(errors="replace"))
            yield record if isinstance(record, dict) else {"payload": record}


def decompress(path: Path) -> bytes:
    """Return the content of a file that zstd compressed. Raises ValueError where nothing here can
    read it."""
    library = decompressor()
    if library is None:
        raise ValueError(
            _(
                "is compressed by zstd, which nothing here can read. {remedy}, or "
                "decompress the file with `zstd -d`.",
                remedy=ZSTD_NEEDED,
            )
        )
    try:
        with open_regular(path) as raw, library.open(raw, "rb") as file:
            content: bytes = file.read(LARGEST + 1)
    except Exception as error:  # each of the libraries has its own
        raise ValueError(_("can't be decompressed ({error}).", error=error)) from error
    if len(content) > LARGEST:
        raise ValueError(_("is larger than {largest} bytes when decompressed.", largest=f"{LARGEST:,}"))
    return content


def decompressor() -> Any:
    """Return the module here that reads what zstd compressed; None for none."""
    for name in DECOMPRESSORS:
        with suppress(ImportError):
            return import_module(name)
    return None
