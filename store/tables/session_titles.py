"""What a session is called, wherever it is shown or searched."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import apsw

from ..records.conforming import as_text

NEWEST_SUMMARY = """
(
    SELECT record_id FROM documents d WHERE d.session_id = s.id AND d.kind = 's'
    ORDER BY created_at DESC, id DESC LIMIT 1
)
"""
OUTCOME = "coalesce(nullif(m.completed, ''), nullif(m.learned, ''))"
TITLES = f"""
SELECT s.id, s.title, s.first_prompt, m.request, {OUTCOME}
FROM sessions s LEFT JOIN summaries m ON m.id = {NEWEST_SUMMARY}
WHERE s.id IN (SELECT value FROM json_each(?))
"""


def session_title(title: Any, first_prompt: Any, request: Any, outcome: Any) -> str:
    """Return what a session is called, on one line: its title, else what it was asked for, else, where it
    was only told to go on, what came of it; `` where nothing is known. `request` and `outcome` are what
    its newest summary says, each None where it says nothing."""
    if given := first_line(title):
        return given
    # Most commands name no session.
    from ..text.language.asking import asks_something

    asked = [line for line in (first_line(request), first_line(first_prompt)) if line]
    asking = [line for line in asked if asks_something(line)]
    return next(filter(None, (*asking, first_line(outcome), *asked)), "")


def session_titles(db: apsw.Connection, ids: Iterable[int]) -> dict[int, str]:
    """Return what the sessions with these ids are called."""
    rows = db.execute(TITLES, (json.dumps(list(ids)),))
    return {number: session_title(*parts) for number, *parts in rows}


def first_line(text: Any) -> str:
    """Return the first line of what a summary or a person says, without a sign of a list."""
    return as_text(text).strip().split("\n", 1)[0].lstrip("-*•# ").strip() if text else ""
