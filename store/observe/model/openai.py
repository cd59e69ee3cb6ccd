"""Any server that talks like OpenAI's chat completions: OpenAI, Ollama, vLLM, OpenRouter and so on."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

from ...config import URLS, ModelSettings
from ...platform.translation import _
from ...providers.errors import ProviderError
from ...providers.http import key_of, post
from ...text.tokens import estimate_tokens
from .question import ModelReply, Question, schema


def ask(settings: ModelSettings, question: Question, _folder: Path) -> ModelReply:
    """Ask for one chat completion and return the reply. Raises ProviderError."""
    key = key_of(settings)
    # OpenAI's newer models refuse the name that all others know.
    limit = "max_completion_tokens" if settings.url == URLS["openai"] else "max_tokens"
    document: dict[str, Any] = {
        "model": settings.model,
        "messages": [
            {"role": "system", "content": question.instructions},
            {"role": "user", "content": question.text},
        ],
        limit: settings.output_tokens,
    }
    if settings.json_schema:
        named = {"name": "memory", "strict": True, "schema": schema(question)}
        document["response_format"] = {"type": "json_schema", "json_schema": named}
    else:
        document["messages"] = [{"role": "user", "content": question.whole}]
    result = post(
        settings.url.rstrip("/") + "/chat/completions",
        document,
        headers={"Authorization": f"Bearer {key}"} if key else {},
        seconds=settings.timeout_seconds,
        key=key,
    )
    return _reply(result, question)


def _reply(body: Any, question: Question) -> ModelReply:
    try:
        choice = body["choices"][0]
        message = choice["message"]
        text, refusal = message.get("content"), message.get("refusal")
        ended = choice.get("finish_reason")
    except (LookupError, TypeError, AttributeError):
        raise ProviderError("invalid", _("The answer has no message."), spent=True) from None
    if refusal or ended == "content_filter":
        reason = _("The model declined: {reason}.", reason=refusal or ended)[:200]
        raise ProviderError("refused", reason, spent=True)
    if isinstance(text, list):
        text = "".join(str(part.get("text", "")) for part in text if isinstance(part, dict))
    text = text if isinstance(text, str) else ""
    if ended == "length":
        raise ProviderError("invalid", _("The answer reached output_tokens."), spent=True)
    read, written = estimate_tokens(question.whole), estimate_tokens(text)
    with suppress(LookupError, TypeError, ValueError):
        read, written = (
            int(body["usage"]["prompt_tokens"]),
            int(body["usage"]["completion_tokens"]),
        )
    return ModelReply(text, read, written)
