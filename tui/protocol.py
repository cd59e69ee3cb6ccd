"""What screens need of the app that shows them, and the values it tells them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from store.capture.status.health import CaptureHealth


@dataclass(frozen=True, slots=True)
class Holdings:
    """What the header tells of the store; `stored_at` is its newest memory's time, 0 for none."""

    memories: int
    stored_at: int


@dataclass(frozen=True, slots=True)
class Capture:
    """How capture is doing, as far as is known; `trouble` is why nothing can be stored, else ``.

    `unheard` are the agents that ran and told nothing of it, and when that was, ms since the epoch.
    """

    health: CaptureHealth | None = None
    excluded: tuple[str, ...] = ()
    trouble: str = ""
    unheard: Mapping[str, int] = field(default_factory=dict)
