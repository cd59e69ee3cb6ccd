"""Which of a project's newest observations are told: what was found and answered, and what was done.

Next to nothing is imported: a hook's process asks it.
"""

from __future__ import annotations

from ..search.listing.document_sql import OBSERVED, OBSERVED_IN_SESSION
from ..text.truncation import shortened
from .wrapper import sanitize

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    import apsw

    from .scope import SessionScope

MOST_FOUND, MOST_DONE = 10, 10
NEAR, FAR = 3_000, 1_000
"""Characters that are told of what the newest few say, and of what others do."""
NEAREST = 4
TITLE = 200
WEIGHTS = {
    "decision": 1.3, "finding": 1.2, "bugfix": 1.2, "answer": 1.0, "discovery": 1.0, "feature": 1.0,
    "refactor": 0.9, "change": 0.8, "plan": 0.8, "error": 0.9, "note": 1.3,
}  # fmt: skip
"""What an observation weighs by its type, beside others of its age."""
FADES = 0.93
"""What one weighs less than the one after it."""
STALE = 0.5
"""What one weighs of which a file has changed since."""


LOOKS = ("Searched", "Read ", "Listed", "Fetched", "Looked", "Failed to read")
"""How the titles of tool uses begin that only looked."""
FEW, DAY = 3, 86_400_000
"""So many are told of sessions before the last one, at most, and of those that were at most a day (ms)
before the newest."""


def observed(db: apsw.Connection, project: str, scope: SessionScope) -> list[Any]:
    """Return the newest observations of a scope, as rows of `document_sql.OBSERVED`."""
    if scope.is_own:
        rows = db.execute(OBSERVED_IN_SESSION, (scope.session,))
    else:
        rows = db.execute(OBSERVED, (project,))
    return [row for row in rows if scope.holds(row[2], row[1])]


def findings(rows: list[Any]) -> Iterator[tuple[int, int]]:
    """Yield the ids of what agents and users said, the newest first, each with the characters that are
    told of it: by its weight and age. Those of which a file has changed since come last."""
    said = [row for row in rows if _is_said(row)]
    ranked = sorted(range(len(said)), key=lambda place: -_weight(said[place]) * FADES**place)
    for place in sorted(ranked[:MOST_FOUND], key=lambda place: (said[place][9], place)):
        yield said[place][0], NEAR if place < NEAREST else FAR


def lately(rows: list[Any]) -> list[tuple[int, int, str, int]]:
    """Return the id, time and title of what tools did in the last session, and whether a file of it has
    changed since, the newest first, but after others what has: changes and failures, of each file and
    each command the last time. What only looked or checked is a step of its turn."""
    return sorted(_lately(rows), key=lambda row: row[3])


def _lately(rows: list[Any]) -> Iterator[tuple[int, int, str, int]]:
    seen: set[str] = set()
    result, is_checked = 0, False
    newest, last = rows[0][1:3] if rows else (0, None)
    for row in rows:
        number, at, session, type, title, subtitle, _, has_facts, file, is_stale = row
        if session != last and (result >= FEW or newest - at > DAY):
            # What sessions before came to, their summaries tell.
            return
        if _is_said(row):
            continue
        shown = shortened(sanitize(title.strip().split("\n", 1)[0], 2 * TITLE), TITLE)
        same = file or shown.removeprefix("Failed: ").split(": ", 1)[0]
        is_known = same in seen
        seen.add(same)
        if type == "discovery":
            is_checked |= bool(has_facts) and not is_known and not shown.startswith(LOOKS)
            continue
        if not (has_facts or file or ": " in shown):
            # Nothing is known of what came of it.
            continue
        # What failed before a check that passed is mended by now.
        if is_known or not shown or (type == "error" and (is_checked or shown.startswith(LOOKS))):
            continue
        if type == "error" and subtitle and ": " not in shown.removeprefix("Failed: "):
            shown = f"{shown}: {shortened(sanitize(subtitle, 2 * TITLE), TITLE)}"
        yield number, at, shown, is_stale
        result += 1
        if result >= MOST_DONE:
            return


def _weight(row: tuple[Any, ...]) -> float:
    return WEIGHTS.get(row[3], 0.8) * (STALE if row[9] else 1.0)


def _is_said(row: tuple[Any, ...]) -> bool:
    """Whether somebody's words are told of it, the user's answer to a question among them."""
    return not row[6] or (row[3] in ("note", "decision") and bool(row[7]))
