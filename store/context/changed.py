"""What was decided otherwise since: the memories that tell of it, and what held before.

Next to nothing is imported: a hook's process asks it.
"""

from __future__ import annotations

import time

from ..search.listing.context_sql import (
    HELD_BEFORE,
    SUPERSEDED_PROMPTS,
    SUPERSEDED_REPLIES,
    SUPERSEDED_SUMMARIES,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    import apsw

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
