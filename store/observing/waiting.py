"""What waits for a model, and about what asking about it would take."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..config import ModelSettings
from ..observers.model.question import INSTRUCTIONS
from ..store import Store
from .asking_turn import LONGEST
from .spending import price
from .turns import MOST

CHARACTERS_A_TOKEN = 3.5
WRITTEN = 250
"""Tokens that an observation takes, or a summary."""

HELD = f"""
SELECT count(*), count(DISTINCT session_id || ':' || coalesce(prompt_number, 0)), total(
    min(length(coalesce(tool_input, '')), {LONGEST}) + min(length(coalesce(tool_response, '')), {LONGEST})
    + min(length(coalesce(last_assistant_message, '')), {LONGEST})
) FROM pending_messages WHERE status IN ('pending', 'processing') AND source IS NULL
"""


@dataclass(frozen=True, slots=True)
class Waiting:
    """How many messages a model would be asked about, in about how many tokens; `dollars` is None
    where there are no prices."""

    messages: int = 0
    input: int = 0
    output: int = 0
    dollars: float | None = None


def waiting(store: Store, settings: ModelSettings | None) -> Waiting:
    """What is ahead; nothing where no model is asked."""
    if settings is None:
        return Waiting()
    rows: list[Any] = store.db.execute(HELD).fetchall()
    messages, turns, characters = (int(value) for value in rows[0])
    calls = max(turns, -(-messages // MOST))
    read = round((characters + calls * 2 * len(INSTRUCTIONS)) / CHARACTERS_A_TOKEN)
    written = min(messages * WRITTEN, calls * settings.output_tokens)
    return Waiting(messages, read, written, price(settings, read, written))
