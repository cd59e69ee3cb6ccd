"""What somebody has chosen for a project's sessions: which memories, in which order, in how many tokens.

Next to nothing is imported: a hook's process asks it.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    import apsw

    from ..store import Store


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
