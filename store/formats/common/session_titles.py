"""What sessions are called in an export: as everywhere, by what goes out with them."""

from __future__ import annotations

import apsw

from ...tables.session_titles import OUTCOME, request_of, session_title
from .scope import Scope


def exported_titles(db: apsw.Connection, scope: Scope) -> dict[int, str]:
    """Return what each exported session is called, by its own title, its prompts and the summaries that
    are exported; `` where these say nothing."""
    # Beside `max`, the other columns are those of the newest.
    newest = (
        "SELECT session_id, request, completed, learned, max(created_at) FROM summaries t "
        f"WHERE {scope.condition('summaries')} GROUP BY session_id"
    )
    request = request_of("t.id", scope.condition("prompts", "p"))
    rows = db.execute(
        f"SELECT t.id, t.title, {scope.first_prompt('t')}, {request}, {OUTCOME} FROM sessions t "
        f"LEFT JOIN ({newest}) m ON m.session_id = t.id WHERE {scope.condition('sessions')}"
    )
    return {number: session_title(*parts) for number, *parts in rows}
