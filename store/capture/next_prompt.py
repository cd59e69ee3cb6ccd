"""What somebody chose to be told to a session at its next prompt."""

from __future__ import annotations

import json
from collections.abc import Iterable
from os import fsdecode, fsencode

from ..agents.registry import BY_NAME
from ..context.compaction import Dropped as Dropped
from ..platform.errors import InvalidRecordError
from ..platform.paths import CHOSEN, starts_path
from ..records.rows import Session
from ..store import Store
from .hook_process.prepared import write_file


def tell_at_next_prompt(store: Store, session: Session, lost: Iterable[Dropped]) -> None:
    """Have a session be told at its next prompt what it lost. InvalidRecordError where its agent takes
    nothing then, or it can't be kept until then."""
    agent, name = BY_NAME.get(session.agent), session.content_session_id
    if agent is None or not agent.prompt_events or "/" in name:
        raise InvalidRecordError("{agent} takes nothing at a prompt.", agent=session.agent)
    lines = [(item.ref, f"{item.kind}: {item.text}") for item in lost]
    path = starts_path(fsencode(store.path)) + name.encode() + CHOSEN
    try:
        write_file(path, json.dumps({"lines": lines}))
    except OSError as error:
        raise InvalidRecordError(
            "{place} can't be written ({error}).", place=fsdecode(path), error=error.strerror or error
        ) from error
