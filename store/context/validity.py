"""Which memories are not to be relied on: reported as wrong, or decided otherwise since; how texts for
agents mark them, and what held before. Next to nothing is imported: a hook's process asks it."""

from __future__ import annotations

import time

from .. import kinds
from ..kinds import KINDS
from ..search.listing.document_sql import (
    HELD_BEFORE,
    SUPERSEDED_PROMPTS,
    SUPERSEDED_REPLIES,
    SUPERSEDED_SUMMARIES,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    import apsw


REPORTED_WRONG = "(reported wrong)"
"""What is said of such a memory."""
WRONG = "SELECT kind, record_id FROM reported_memories WHERE verdict = 'wrong'"


def refs_reported_wrong(db: apsw.Connection) -> frozenset[str]:
    """Return the refs of all memories that are reported as wrong; there are few. Raises apsw's errors."""
    return frozenset(kinds.ref(KINDS[kind], number) for kind, number in db.execute(WRONG))


LAST_MOMENT = 253_402_000_000_000
"""The end of the year 9999, in ms since the epoch."""
NO_LONGER = "(no longer holds)"
"""What is said of the prompt and the reply of a decision that another one took the place of."""
IN_PART = "(superseded in part)"
"""What is said of the summary of a session in which it was taken."""


def superseded_refs(db: apsw.Connection, project: str) -> dict[str, str]:
    """Return what is said of the memories of a project that tell of what no longer holds, by their refs.
    Raises apsw's errors."""
    refs = {f"s{number}": IN_PART for (number,) in db.execute(SUPERSEDED_SUMMARIES, (project,))}
    refs |= {f"p{number}": NO_LONGER for (number,) in db.execute(SUPERSEDED_PROMPTS, (project,))}
    return refs | {str(number): NO_LONGER for (number,) in db.execute(SUPERSEDED_REPLIES, (project,))}


def held_before(db: apsw.Connection, project: str) -> dict[int, str]:
    """Return what held before a fact of a project, and until when, by the fact's id."""
    return {
        number: f"was until {_day(at)}: {content}"
        for number, content, at in db.execute(HELD_BEFORE, (project,))
    }


def _day(at: int) -> str:
    # A damaged row may have a time that no calendar has.
    return time.strftime("%d %b", time.localtime(max(0, min(at, LAST_MOMENT)) / 1_000))
