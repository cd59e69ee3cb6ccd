"""A local program that is asked: the question on its standard input, the answer on its output."""

from __future__ import annotations

from pathlib import Path

from ...config import ModelSettings
from ...providers.program import run
from ...text.tokens import estimate_tokens
from .question import ModelReply, Question


def ask(settings: ModelSettings, question: Question, folder: Path) -> ModelReply:
    """Run the program in `folder` and return its output as the reply. Raises ProviderError."""
    text = run(settings.command, question.whole, folder=folder, seconds=settings.timeout_seconds)
    return ModelReply(text, estimate_tokens(question.whole), estimate_tokens(text))
