"""Anthropic's messages API, the answer asked for as a tool's input."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

from ...config import ModelSettings
from ...platform.translation import _
from ...providers.errors import ProviderError
from ...providers.http import key_of, post
from ...text.tokens import estimate_tokens
from .question import ModelReply, Question, schema

VERSION = "2023-06-01"
READ = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")


def ask(settings: ModelSettings, question: Question, _folder: Path) -> ModelReply:
    """Send one message and return the reply. Raises ProviderError."""
    key = key_of(settings)
    document: dict[str, Any] = {
        "model": settings.model,
        "max_tokens": settings.output_tokens,
        "system": question.instructions,
        "messages": [{"role": "user", "content": question.text}],
    }
    if settings.json_schema:
        about = "Keep what is worth remembering of this turn."
        tool = {"name": "remember", "description": about, "input_schema": schema(question)}
        document |= {"tools": [tool], "tool_choice": {"type": "tool", "name": "remember"}}
    else:
        document["messages"] = [{"role": "user", "content": question.whole}]
    result = post(
        settings.url.rstrip("/") + "/v1/messages",
        document,
        headers={"anthropic-version": VERSION} | ({"x-api-key": key} if key else {}),
        seconds=settings.timeout_seconds,
        key=key,
    )
    return _reply(result, question)


def _reply(body: Any, question: Question) -> ModelReply:
    parts = body.get("content") if isinstance(body, dict) else None
    if not isinstance(parts, list):
        raise ProviderError("invalid", _("The answer has no content."), spent=True)
    ended = body.get("stop_reason")
    if ended == "refusal":
        raise ProviderError("refused", _("The model declined."), spent=True)
    if ended == "max_tokens":
        raise ProviderError("invalid", _("The answer reached output_tokens."), spent=True)
    blocks = [part for part in parts if isinstance(part, dict)]
    used = next((part.get("input") for part in blocks if part.get("type") == "tool_use"), None)
    text = (
        json.dumps(used, ensure_ascii=False)
        if used is not None
        else "".join(str(part.get("text", "")) for part in blocks)
    )
    read, written = estimate_tokens(question.whole), estimate_tokens(text)
    with suppress(LookupError, TypeError, ValueError):
        usage = body["usage"]
        read = sum(int(usage.get(name) or 0) for name in READ)
        written = int(usage["output_tokens"])
    return ModelReply(text, read, written)
