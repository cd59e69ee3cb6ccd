"""What somebody chose to be told to a session at its next prompt."""

from __future__ import annotations

from collections.abc import Iterable
from os import fsencode

from ..context.compaction import Lost as Lost
from ..platform.errors import InvalidRecordError
from ..records.rows import Session
from ..store import Store
from .hook_process.prepared import choose_for_prompt


def tell_at_next_prompt(store: Store, session: Session, lost: Iterable[Lost]) -> None:
    """Have a session be told at its next prompt what it lost. InvalidRecordError where its agent takes
    nothing then."""
    lines = [(item.ref, f"{item.kind}: {item.text}") for item in lost]
    if not choose_for_prompt(fsencode(store.path), session.agent, session.content_session_id, lines):
        raise InvalidRecordError("{agent} takes nothing at a prompt.", agent=session.agent)
