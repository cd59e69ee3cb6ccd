"""The configured provider: ask it a question, and estimate the tokens of that call."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from ...config import ModelSettings
from ...text.tokens import estimate_tokens
from .question import ModelReply, Question, schema

MARGIN = 1.25
"""By how much a tokenizer may find more than the estimate."""


Ask = Callable[[ModelSettings, Question, Path], ModelReply]


def ask(settings: ModelSettings, question: Question, folder: Path) -> ModelReply:
    """Ask the model that is configured; a local command runs in `folder`. Raises ObserverError."""
    from . import anthropic, command, openai

    asks: dict[str, Ask] = {
        "openai": openai.ask,
        "anthropic": anthropic.ask,
        "command": command.ask,
    }
    return asks[settings.kind](settings, question, folder)


def estimate(settings: ModelSettings, question: Question) -> tuple[int, int]:
    """The most tokens that a call is likely to read, and the most that it may write."""
    said = f"{question.instructions}{question.text}{schema(question)}"
    return round(estimate_tokens(said) * MARGIN), settings.output_tokens
