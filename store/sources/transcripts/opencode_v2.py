"""OpenCode 2 keeps a message's parts within it. Here they get the form that they had before."""

from __future__ import annotations

from .fields import mapping
from .opencode_messages import Message
from .parts import Record, objects, text, texts


def message(identity: str, kind: str, data: Record) -> Message | None:
    """A message in the form of version 1; None for what only a program has to say."""
    info: Record = {"id": identity, "time": mapping(data.get("time"))}
    if kind == "user":
        return Message(info | {"role": "user"}, [{"type": "text", "text": data.get("text")}])
    if kind == "compaction" and data.get("status", "completed") != "running":
        summary = {"type": "text", "text": data.get("summary")}
        return Message(info | {"role": "assistant", "summary": True}, [summary])
    if kind == "assistant":
        info |= {"role": "assistant", "tokens": data.get("tokens"), "finish": data.get("finish")}
        return Message(info, [part(each) for each in objects(data.get("content"))])
    return None


def part(told: Record) -> Record:
    """A part in the form of version 1: a tool's result is a text, its times are with its state."""
    if told.get("type") != "tool":
        return told
    state, moments = mapping(told.get("state")), mapping(told.get("time"))
    error = state.get("error")
    return {
        "type": "tool",
        "tool": told.get("name"),
        "callID": text(told.get("id")) or None,
        "state": {
            "status": state.get("status"),
            "input": state.get("input"),
            "output": texts(state.get("content")),
            "metadata": state.get("metadata"),
            "error": mapping(error).get("message") or error,
            "time": {"start": moments.get("created"), "end": moments.get("completed")},
        },
    }
