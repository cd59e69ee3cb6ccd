"""Which agent wrote a transcript, told by what the file has and never by its name alone."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import apsw

from ...errors import SourceError
from ...events import AgentName
from ..sqlite.file import HEADER, opened, reading
from ..sqlite.table import columns
from .fields import items, mapping
from .lines import lines

LOOKED_AT = 64
"""Records of a file, and files of a folder, that are looked at."""

WALKED = 10_000
LARGEST = 64 * 1024 * 1024
SUFFIXES = (".jsonl", ".json", ".txt", ".db", ".zst")
"""What transcripts are called at their end."""

CODEX = ("session_meta", "response_item", "event_msg", "turn_context", "compacted")
COPILOT = ("session.", "user.message", "assistant.", "tool.execution_", "hook.", "system.message")
CLAUDE = (
    "user", "assistant", "system", "summary", "queue-operation", "file-history-snapshot",
    "progress", "attachment", "last-prompt", "mode", "custom-title",
)  # fmt: skip


def sniff(path: Path) -> AgentName | None:
    """The agent whose transcript a file is, or of which a folder holds some; None for any other."""
    if path.is_dir():
        inside = (inner for inner in islice(path.rglob("*"), WALKED) if inner.suffix in SUFFIXES)
        told = (sniff(inner) for inner in islice(inside, LOOKED_AT) if inner.is_file())
        return next((agent for agent in told if agent), None)
    try:
        with path.open("rb") as file:
            head = file.read(len(HEADER))
        if head == HEADER:
            return _of_database(path)
        if path.suffix == ".zst":
            return "codex" if path.name.startswith("rollout-") else None
        if path.suffix == ".txt":
            with path.open(encoding="utf-8-sig", errors="replace") as text:
                return "cursor" if text.readline().strip() in ("user:", "assistant:") else None
        told = (agent_of(record) for record in islice(_records(path), LOOKED_AT))
        return next((agent for agent in told if agent), None)
    except OSError:
        return None


def agent_of(record: dict[str, Any]) -> AgentName | None:
    """The agent that writes such records; None where that can't be told of one alone."""
    kind, message = record.get("type"), mapping(record.get("message"))
    if "$set" in record or "$rewindTo" in record or kind == "gemini":
        return "gemini"
    if "sessionId" in record and ("projectHash" in record or "startTime" in record):
        return "gemini"
    if kind in CODEX and "payload" in record:
        return "codex"
    if isinstance(kind, str) and kind.startswith(COPILOT) and isinstance(record.get("data"), dict):
        return "copilot"
    if kind is None and record.get("role") in ("user", "assistant") and message:
        return "cursor"
    info = mapping(record.get("info"))
    if isinstance(record.get("messages"), list) and info.get("id"):
        return "opencode"
    if str(record.get("id")).startswith("ses_") and "directory" in record:
        return "opencode"
    if "leafUuid" in record or (kind in CLAUDE and ("sessionId" in record or "uuid" in record)):
        return "claude-code"
    if kind in ("user", "assistant") and message:
        return "claude-code"
    is_old = {"id", "timestamp", "instructions"} <= record.keys()
    if is_old or (
        isinstance(record.get("session"), dict) and isinstance(record.get("items"), list)
    ):
        return "codex"
    return None


def _records(path: Path) -> Iterator[dict[str, Any]]:
    """The objects in a file's lines, or the one that it is, or those of the list that it is."""
    if path.suffix == ".json" and path.stat().st_size <= LARGEST:
        try:
            whole = json.loads(path.read_bytes().decode("utf-8-sig", "replace"))
        except (ValueError, RecursionError):
            whole = None
        yield from map(mapping, [whole, *items(whole)])
    with path.open("rb") as file:
        for line in lines(file):
            if line.record is not None:
                yield line.record


def _of_database(path: Path) -> AgentName | None:
    try:
        with opened(path) as db, reading(path):
            tables = {"session": ("message", "part"), "session_v2": ("session_message",)}
            for table, others in tables.items():
                if columns(db, table) and all(columns(db, other) for other in others):
                    return "opencode"
    except (SourceError, apsw.Error):
        return None
    return None
