"""How a session stands, in words and a symbol. Times are ms since the epoch, UTC."""

from __future__ import annotations

from dataclasses import dataclass

from memtui.store import Session, SessionRow
from memtui.store.text.durations import duration
from memtui.store.translation import N_

from .content import DIM


@dataclass(frozen=True, slots=True)
class Status:
    """`symbol` is one cell wide; `word` says the same; `style` is made of theme variables."""

    symbol: str
    word: str
    style: str


COMPLETED = Status("✓", N_("completed"), "$text-success")
FAILED = Status("✗", N_("failed"), "$text-error")
LIVE = Status("●", N_("live"), "bold $text-accent")
ENDED = Status("○", N_("ended"), DIM)


def status(row: SessionRow, now: int) -> Status:
    """Return how a session stands at `now`, ms since the epoch."""
    return {"completed": COMPLETED, "failed": FAILED, "active": LIVE}.get(row.status_at(now), ENDED)


def lasted(row: SessionRow) -> str:
    """Return the time from its start to its end, or else to its last memory: `40s`, `56m`, `2h10`, `3d`."""
    return duration(row.lasted)


def short_id(session: Session) -> str:
    """Return the start of its content id, which is enough to name it."""
    return session.content_session_id[:8]
