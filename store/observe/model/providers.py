"""The configured provider: ask it a question, and estimate the tokens of that call."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from ...config import ModelSettings
from ...text.tokens import estimate_tokens
from .question import ModelReply, Question, schema

MARGIN = 1.25
"""The factor by which a tokenizer may count more tokens than the estimate."""


Ask = Callable[[ModelSettings, Question, Path], ModelReply]


def ask(settings: ModelSettings, question: Question, folder: Path) -> ModelReply:
    """Ask the configured provider and return its reply; a local command runs in `folder`. Raises
    ProviderError."""
    from ..model import anthropic, openai

    asks: dict[str, Ask] = {
        "openai": openai.ask,
        "anthropic": anthropic.ask,
        "command": _ask_program,
    }
    return asks[settings.kind](settings, question, folder)


def _ask_program(settings: ModelSettings, question: Question, folder: Path) -> ModelReply:
    """Give a local program the question on its standard input, and return its output as the reply."""
    from ...providers.program import run

    text = run(settings.command, question.whole, folder=folder, seconds=settings.timeout_seconds)
    return ModelReply(text, estimate_tokens(question.whole), estimate_tokens(text))


def estimate(settings: ModelSettings, question: Question) -> tuple[int, int]:
    """Return the tokens that a call is likely to read at most, and those that it may write at most."""
    sent = f"{question.instructions}{question.text}{schema(question)}"
    return round(estimate_tokens(sent) * MARGIN), settings.output_tokens
