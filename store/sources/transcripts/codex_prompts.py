"""What a user asked of Codex: up to three lines tell of one prompt, and it counts once."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from hashlib import sha256
from typing import Any

from .fields import mapping
from .parts import Record, text, texts

INJECTED = (
    "# AGENTS.md instructions",
    "<environment_context>",
    "<permissions instructions>",
    "<skill>",
    "<subagent_notification>",
    "<turn_aborted>",
    "<user_instructions>",
    "<user_shell_command>",
)


class Source(StrEnum):
    """Which line told it: the item since 0.169, the message before, or what the model was given."""

    ITEM = "item"
    MESSAGE = "message"
    MODEL = "model"


def asked(kind: str, payload: Record) -> tuple[Source, str, str | None] | None:
    """Who told it, the prompt, and its turn's id if the line tells that; None for any other line."""
    if kind == "event_msg":
        turn = text(payload.get("turn_id")) or None
        item = mapping(payload.get("item"))
        if payload.get("type") == "user_message":
            return told(Source.MESSAGE, text(payload.get("message")), turn)
        if payload.get("type") == "item_completed" and item.get("type") == "UserMessage":
            return told(Source.ITEM, texts(item.get("content"), ""), turn)
    elif kind == "response_item" and payload.get("role") == "user":
        if payload.get("type", "message") != "message":
            return None
        label = mapping(payload.get("internal_chat_message_metadata_passthrough"))
        kinds = label.get("content_item_kinds")
        if (
            isinstance(kinds, list)
            and kinds
            and not any(text(k).startswith("user.") for k in kinds)
        ):
            return None
        turn = text(label.get("turn_id")) or None
        return told(Source.MODEL, texts(payload.get("content"), ""), turn)
    return None


def told(source: Source, said: str, turn: str | None) -> tuple[Source, str, str | None] | None:
    """The prompt, unless Codex itself put it there."""
    injected = not said.strip() or said.lstrip().startswith(INJECTED)
    return None if injected else (source, said, turn)


class Heard:
    """Which prompts were told, kept in a reader's state.

    What the model was given comes first and may be all there is. It is held until a better source
    tells the prompt, or until the agent goes on without one.
    """

    def __init__(self, state: dict[str, Any]) -> None:
        self._state = state

    @property
    def held(self) -> list[dict[str, Any]]:
        """Prompts that the model was given and no better source has told."""
        found: list[dict[str, Any]] = self._state["held"]
        return found

    def hold(self, prompt: dict[str, Any]) -> None:
        """Keep what the model was given, unless this rollout has a better source."""
        if self._state["source"] not in (Source.ITEM, Source.MESSAGE):
            self.held.append(prompt)

    def release(self) -> Iterator[dict[str, Any]]:
        """The prompts that were held: no better source has told them."""
        released, self._state["held"] = self.held, []
        for prompt in released:
            self._state |= {"source": Source.MODEL, "last": digest(prompt["text"])}
            yield prompt

    def is_new(self, source: Source, said: str) -> bool:
        """Whether another source has not told the same just before."""
        self._state["held"] = []
        last, by = self._state["last"], self._state["source"]
        if by != source and last == digest(said):
            return False
        self._state |= {"source": source, "last": digest(said)}
        return True


def unheard() -> dict[str, Any]:
    """The state before any prompt: prompts held, and the mark and source of the last one told."""
    return {"held": [], "last": None, "source": None}


def digest(said: str) -> str:
    """A text's mark, the same however its blanks are set."""
    return sha256(" ".join(said.split()).encode(errors="replace")).hexdigest()[:16]
