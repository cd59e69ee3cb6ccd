"""What of a project a session is told: what somebody has chosen for it, in which order and in how many
tokens; and of a session that starts again, all that matters, what it doesn't hold yet, or what it lost.
Which of it is not to be relied on, for it was reported as wrong or decided otherwise since, or on a branch
that isn't merged.

Next to nothing is imported: a hook's process asks it.
"""

from __future__ import annotations

import time

from ..records import kinds
from ..records.kinds import KINDS, LETTERS, parse_ref
from ..search.listing.document_sql import (
    FACT_OF_OTHERS,
    HELD_BEFORE,
    PARENT,
    SESSION,
    SESSION_OF_DOCUMENT,
    SESSIONS_OF_FACT,
    SUPERSEDED_PROMPTS,
    SUPERSEDED_REPLIES,
    SUPERSEDED_SUMMARIES,
    UNMERGED,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    import apsw

    from ..store import Store

RESUMED = frozenset(("resume", "resumed"))
COMPACTED = frozenset(("compact", "compacted", "compaction"))
FORKED = frozenset(("fork", "forked"))
"""What agents call the source of such a start."""

GIVEN = """
SELECT max(at) FROM given_contexts
WHERE session = ? AND agent = ? AND at < ? AND occasion NOT IN ('prompt', 'file')
"""
EVER = 1 << 62


class SessionScope:
    """Whose memories are told. `session` is the row of the session that starts again, None for a new
    one. With `is_own` only its own are; else only those that others have made after `since`."""

    __slots__ = ("is_own", "session", "since")

    def __init__(self, session: int | None = None, since: int = 0, is_own: bool = False) -> None:
        self.session = session
        self.since = since
        self.is_own = is_own

    def holds(self, session: int | None, at: int) -> bool:
        """Return whether a memory of a session, made at a time (ms since the epoch), is to be told."""
        if self.session is None:
            return True
        return session == self.session if self.is_own else session != self.session and at > self.since

    def holds_fact(self, db: apsw.Connection, fact: int, at: int) -> bool:
        """Return whether a fact is to be told: of a session that starts again only what others told."""
        is_from_others = (
            not self.session or db.execute(FACT_OF_OTHERS, (fact, self.session)).get is not None
        )
        return self.holds(None, at) and is_from_others


ALL = SessionScope()


def scope_of(
    db: apsw.Connection, agent: str, project: str, session: str, source: object, before: int = EVER
) -> SessionScope:
    """Return what a session of a project is told that starts for a reason (`source`, as the agent's hook
    names it); what it was given counts only before a time (ms).

    A resumed one holds what it was given and what it did itself, a fork what its parent holds. A
    compacted one has lost what it did. One that nothing is known of is as good as new.
    """
    if source in FORKED:
        for row, parent in db.execute(PARENT, (agent, project, session, before)):
            return _resumed(db, row, parent, agent, before)
    if source not in RESUMED and source not in COMPACTED:
        return ALL
    row = db.execute(SESSION, (session, agent)).get
    if not isinstance(row, int):
        return ALL
    if source in COMPACTED:
        return SessionScope(row, is_own=True)
    return _resumed(db, row, session, agent, before)


def _resumed(db: apsw.Connection, row: int, session: str, agent: str, before: int) -> SessionScope:
    since: object = db.execute(GIVEN, (session, agent, before)).get
    return SessionScope(row, since if isinstance(since, int) else 0)


REPORTED_WRONG = "(reported wrong)"
"""What is said of such a memory."""
WRONG = "SELECT kind, record_id FROM reported_memories WHERE verdict = 'wrong'"


def refs_reported_wrong(db: apsw.Connection) -> frozenset[str]:
    """Return the refs of all memories that are reported as wrong; there are few. Raises apsw's errors."""
    return frozenset(kinds.ref(KINDS[kind], number) for kind, number in db.execute(WRONG))


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


def unmerged_elsewhere(db: apsw.Connection, project: str, folder: str) -> dict[int, str]:
    """Return the sessions of a project that worked on a branch which isn't merged, with the branch, but for
    the one that a folder is on. HEAD is read only where there are any. Raises apsw's errors."""
    branches: dict[int, str] = dict(db.execute(UNMERGED, (project,)))
    if not branches:
        return branches
    from ..tables.repositories import branch_in

    here = branch_in(folder)
    return {session: branch for session, branch in branches.items() if branch != here}


def branch_of(db: apsw.Connection, ref: str, branches: dict[int, str]) -> str:
    """Return the branch of the sessions that a memory is of, where all are among these; "" otherwise."""
    kind, number = parse_ref(ref) or ("", 0)
    sql = SESSIONS_OF_FACT if kind == "fact" else SESSION_OF_DOCUMENT
    rows: Iterable[Any] = db.execute(sql, {"number": number, "kind": LETTERS.get(kind, "")})
    names = {branches.get(session, "") for (session,) in rows}
    return names.pop() if len(names) == 1 else ""


def held_before(db: apsw.Connection, project: str) -> dict[int, str]:
    """Return what held before a fact of a project, and until when, by the fact's id."""
    return {
        number: f"was until {_day(at)}: {content}"
        for number, content, at in db.execute(HELD_BEFORE, (project,))
    }


LAST_MOMENT = 253_402_000_000_000
"""The end of the year 9999, in ms since the epoch."""


def _day(at: int) -> str:
    # A damaged row may have a time that no calendar has.
    return time.strftime("%d %b", time.localtime(max(0, min(at, LAST_MOMENT)) / 1_000))


BUDGET_TOKENS = 1_500

PROFILE = "SELECT budget, first, left_out, brief FROM context_profiles WHERE project = ?"
REFS = "SELECT value FROM json_each(?)"
SAVE = """
INSERT INTO context_profiles (project, updated_at, budget, first, left_out, brief)
VALUES (?, ?, ?, ?, ?, ?)
ON CONFLICT (project) DO UPDATE SET updated_at = excluded.updated_at, budget = excluded.budget,
    first = excluded.first, left_out = excluded.left_out, brief = excluded.brief
"""


class Profile:
    """Refs of memories (`12`, `s3`, `f4`, `n5`): `first` before all others and in this order,
    `left_out` never, `brief` without their text; and the budget in tokens."""

    __slots__ = ("brief", "budget", "first", "left_out")

    def __init__(
        self,
        budget: int = BUDGET_TOKENS,
        first: Iterable[str] = (),
        left_out: Iterable[str] = (),
        brief: Iterable[str] = (),
    ) -> None:
        self.budget = budget
        self.first = tuple(first)
        self.left_out = frozenset(left_out)
        self.brief = frozenset(brief)


def profile_of(db: apsw.Connection, project: str) -> Profile:
    """Return a project's profile; the usual one where nobody has made one. Raises apsw's errors."""
    rows: list[Any] = db.execute(PROFILE, (project,)).fetchall()
    if not rows:
        return Profile()
    budget, *lists = rows[0]
    return Profile(budget, *([str(ref) for (ref,) in db.execute(REFS, (item,))] for item in lists))


def save_profile(store: Store, project: str, profile: Profile) -> None:
    """Save a project's profile in place of the one that it has, as one undo."""
    import json

    from ..platform.clock import now_ms

    lists = (profile.first, sorted(profile.left_out), sorted(profile.brief))
    values = (project, now_ms(), profile.budget, *(json.dumps(list(item)) for item in lists))
    from ..platform.translation import _

    what = (
        _("context of {project} chosen", project=project) if project else _("context of no project chosen")
    )
    with store.change(what):
        store.db.execute(SAVE, values)


def forget_profile(store: Store, project: str) -> bool:
    """Delete a project's profile, as one undo; return whether it had one."""
    from ..platform.translation import _

    what = (
        _("choice for the context of {project} forgotten", project=project)
        if project
        else _("choice for the context of no project forgotten")
    )
    with store.change(what):
        store.db.execute("DELETE FROM context_profiles WHERE project = ?", (project,))
        return bool(store.db.changes())
