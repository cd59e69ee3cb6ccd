"""Asking the configured model: one question, one reply with what it cost."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from ...config import ModelSettings
from ...tokens import tokens
from .question import Question, schema

MARGIN = 1.25
"""By how much a tokenizer may find more than the estimate."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model said, and how many tokens it read and wrote, by its own count or an estimate."""

    text: str
    input: int
    output: int


Ask = Callable[[ModelSettings, Question, Path], Reply]


def ask(settings: ModelSettings, question: Question, folder: Path) -> Reply:
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
    return round(tokens(said) * MARGIN), settings.output_tokens
