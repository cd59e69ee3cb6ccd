"""What was given to sessions, with names: of the session, and of each memory that can still be seen."""

from __future__ import annotations

import json
from dataclasses import dataclass

from ..store import Store
from ..unit import reading
from .given import GivenContext, given_contexts
from .named import Named, named

TITLES = """
SELECT agent, content_session_id, coalesce(nullif(title, ''), first_prompt, '') FROM sessions
WHERE private = 0 AND deleted_at IS NULL
AND (agent, content_session_id) IN (SELECT value ->> 0, value ->> 1 FROM json_each(?))
"""


@dataclass(frozen=True, slots=True)
class NamedGiven:
    """What a session was given; `title` is the session's, "" where it has none that may be shown;
    `names` by ref, of the memories that are neither hidden nor gone."""

    given: GivenContext
    title: str
    names: dict[str, Named]


def named_given(store: Store, project: str | None = None, limit: int = 500) -> list[NamedGiven]:
    """What sessions of a project (of all when None) were given, the newest first."""
    with reading(store.db):
        found = given_contexts(store, project, limit)
        sessions = json.dumps([(one.agent, one.session) for one in found])
        titles = {
            (agent, session): str(title)
            for agent, session, title in store.db.execute(TITLES, (sessions,))
        }
        names = named(store.db, {ref for one in found for ref in one.refs})
    return [
        NamedGiven(
            one,
            titles.get((one.agent, one.session), ""),
            {ref: names[ref] for ref in one.refs if ref in names},
        )
        for one in found
    ]
