"""What a session is called, wherever it is shown or searched."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import apsw

from ..records.conforming import as_text
from ..records.kinds import VISIBLE

NEWEST_SUMMARY = """
(
    SELECT record_id FROM documents d WHERE d.session_id = s.id AND d.kind = 's'
    ORDER BY created_at DESC, id DESC LIMIT 1
)
"""
OUTCOME = "coalesce(nullif(m.completed, ''), nullif(m.learned, ''))"


def request_of(session: str, shown: str = VISIBLE) -> str:
    """Return the SQL of what a session's newest summary, `m`, says was asked for; before there is one, the
    first of the prompts `p` that meet a condition which is longer than an answer such as "continue"."""
    return (
        f"coalesce(m.request, (SELECT substr(p.text, 1, 999) FROM prompts p WHERE p.session_id = {session} "
        f"AND length(CAST(p.text AS BLOB)) > 15 AND {shown} ORDER BY p.prompt_number, p.id LIMIT 1))"
    )


ASKED_AND_DONE = f"{request_of('s.id')}, {OUTCOME}"
TITLES = f"""
SELECT s.id, s.title, s.first_prompt, {ASKED_AND_DONE}
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
    from ..text.language.phrases import asks_something, without_lead

    texts = (without_lead(as_text(text)) for text in (request, first_prompt))
    asked = [line for line in map(first_line, texts) if line]
    asking = [line for line in asked if asks_something(line)]
    return next(filter(None, (*asking, first_line(outcome), *asked)), "")


def session_titles(db: apsw.Connection, ids: Iterable[int]) -> dict[int, str]:
    """Return what the sessions with these ids are called."""
    rows = db.execute(TITLES, (json.dumps(list(ids)),))
    return {number: session_title(*parts) for number, *parts in rows}


def first_line(text: Any) -> str:
    """Return the first line of what a summary or a person says, without Markdown's signs."""
    line = as_text(text).strip().split("\n", 1)[0] if text else ""
    return line.replace("`", "").replace("**", "").lstrip("-*•# ").strip()
